"""What the CFQ paper says, figure by figure, as data.

Chen, Wang, Zhang, Li: Cluster Fair Queueing: Speeding up Data-Parallel Jobs with Delay Guarantees.
The figures' axes are not in its text, so most targets are the sentences about the figures.
Where a sentence says "almost" or "close", the margin chosen here is part of the target.
"""

from somnus.analysis.papers.common.expect import (
    Expectation, Figure, Found, Reason, Relation, about, at_least, at_most, equal, less_than, more_than,
)
from somnus.analysis.papers.common.sweep import Axis
from somnus.analysis.papers.common.tolerances import ALIKE, CHANGES, HEADLINES
from somnus.analysis.reading.width import PAPER_BINS, PAPER_BINS_AT_SCALE

POLICIES = ("fifo", "fair", "srpt", "cfq")
COMPARED = POLICIES[1:]  # Fig. 6 on leave FIFO out
MICE = (10, 20, 30, 40, 50)
TITLES = {"fifo": "FIFO", "fair": "FAIR", "srpt": "SRPT", "cfq": "CFQ"}
SHARE_NUMBERS = {"narrow": 1.0, "medium": 2.9, "wide": 3.2}  # FAIR / CFQ, section V-B
COMPLETIONS = {  # of job 1, 2, 3 in seconds; CFQ's are Fig. 3b
    "fifo": (9, 8, 12),
    "fair": (9, 12, 12),
    "srpt": (9, 8, 12),
    "cfq": (9, 12, 8),
}

# The paper gives no load: how much work jobs bring while they come, over what the slots can do meanwhile.
# Ours are the loads at which most of the claims come out.
LOAD = Axis("load", "load of the 200 slots", (0.8, 1, 1.5, 2, 3, 4, 5, 6, 8), ours=4)
LOAD_AT_SCALE = Axis("load", "load of the 8,000 slots", (0.4, 0.5, 0.588, 0.7, 0.9, 1.2, 2, 4, 8),
                     ours=0.588)  # as Google's jobs came

# What the naive profile takes for a task's duration before any task has ended: the mean of none. A wide
# job that comes then is taken for a small one if that is little, and delays all. Ours is the trace's median.
FIRST_GUESS = Axis("first guess", "first guess of a task's time [s]", (1, 10, 30, 100, 300), ours=100,
                   keys=r"naive\..*")

_MOST_OF_NAIVE = 10.0  # %


def _by_sample(found: Found) -> str:
    values = found.measured.get("naive.increase", ())
    within = sum(value <= _MOST_OF_NAIVE for value in values)
    return within and (
        f"it depends on the sample: in {within} of {len(values)} it is at most {_MOST_OF_NAIVE:g} %, and in a few "
        "many jobs wait behind a wide one whose tasks are long. The paper has one sample.") or ""


_SAMPLE = (
    "the paper's sample of 500 Google jobs is not published, nor is the load of the 200 slots; these are "
    "500 jobs of the generator `google`, and the load is chosen (see the sweep). What Spark on EC2 adds to "
    "a task (launch, shuffle, garbage collection) is not emulated."
)

FIGURE_1 = Figure(
    "Figure 1",
    "two jobs of 40 tasks on 10 nodes x 2 slots, fair sharing against job 1 first",
    (
        Expectation("job1.fair", "job 1, fair: completion [s]"),
        Expectation("job1.first", "job 1, prioritised: completion [s]"),
        Expectation("job2.fair", "job 2, fair: completion [s]"),
        Expectation("job2.first", "job 2, prioritised: completion [s]"),
        Expectation("job1.ratio", "job 1, prioritised / fair", less_than(1),
                    "job 1 completes sooner when it is prioritised"),
        Expectation("job2.ratio", "job 2, prioritised / fair", at_most(1.005),
                    "job 2 completes no later for it"),
    ),
    "the paper gives no length of these jobs' tasks; here each takes 10 s and job 2 comes 1 s "
    "after job 1.",
)

FIGURE_3 = Figure(
    "Figure 3",
    "three jobs on three slots, the running example; exact",
    tuple(
        Expectation(f"{policy}.job{job}", f"{TITLES[policy]}, job {job}: completion [s]",
                    equal(at), exact=True)
        for policy, completions in COMPLETIONS.items()
        for job, at in enumerate(completions, start=1)
    )
    + (
        Expectation("cfq.off", "CFQ: largest difference from Fig. 3b [s]", equal(0),
                    "CFQ completes job 1 at 9 s, job 2 at 12 s, job 3 at 8 s", exact=True),
        Expectation("cfq.fair_mean", "mean response time, CFQ / FAIR", less_than(1),
                    "CFQ shortens the mean response time of fair sharing", exact=True),
    ),
    "the paper draws CFQ only; the completions of the others are worked out by hand, ties going "
    "to the job that came first.",
)

FIGURE_5 = Figure(
    "Figure 5",
    "response times of 500 jobs on 100 nodes x 2 slots",
    tuple(
        Expectation(f"{policy}.mean", f"{TITLES[policy]}: mean response time [s]")
        for policy in POLICIES
    )
    + (
        Expectation("fifo.worst", "mean, FIFO / worst of the others", more_than(1),
                    "FIFO performs the worst"),
        Expectation("cfq.reduction", "mean, CFQ below FAIR [%]", about(40, CHANGES),
                    "CFQ decreases the mean response time by 40 %"),
        Expectation("cfq.srpt", "mean, CFQ / SRPT", about(1, ALIKE),
                    "CFQ is close to SRPT"),
    ),
    _SAMPLE,
)

FIGURE_6 = Figure(
    "Figure 6",
    "mean slowdown by width",
    tuple(
        Expectation(f"{policy}.narrow", f"{TITLES[policy]}, narrow", about(1, ALIKE),
                    f"narrow jobs experience almost no slowdown under {TITLES[policy]}")
        for policy in COMPARED
    )
    + tuple(
        Expectation(f"{policy}.{each.name}", f"{TITLES[policy]}, {each.name}")
        for policy in COMPARED
        for each in PAPER_BINS[1:]
    )
    + tuple(
        Expectation(f"fair_cfq.{name}", f"FAIR / CFQ, {name}",
                    about(times, ALIKE if times == 1 else HEADLINES),
                    f"FAIR takes {times:g} x as long as CFQ for {name} jobs")
        for name, times in SHARE_NUMBERS.items()
    )
    + tuple(
        Expectation(f"srpt_cfq.{each.name}", f"SRPT / CFQ, {each.name}", about(1, ALIKE),
                    f"CFQ's slowdown is almost SRPT's for {each.name} jobs")
        for each in PAPER_BINS
    )
    + (
        Expectation("cfq.reduction", "mean over all jobs, CFQ below FAIR [%]",
                    about(40, CHANGES), "CFQ reduces the mean slowdown by 40 %"),
    ),
    _SAMPLE,
)

FIGURE_7 = Figure(
    "Figure 7",
    "each job's response time under FAIR / under CFQ",
    (
        Expectation("faster.share", "jobs sped up by CFQ [%]", more_than(40),
                    "more than 40 % of the jobs are sped up"),
        Expectation("faster.by", "their mean speed-up [%]", more_than(75),
                    "they are sped up by over 75 % on average"),
        Expectation("slower.share", "jobs slowed by CFQ [%]", at_most(30),
                    "at most 30 % of the jobs are slowed down"),
        Expectation("slower.by", "their mean slowdown [%]", at_most(7),
                    "they are slowed down by no more than 7 % on average"),
        Expectation("slower.much", "jobs slowed by more than 20 %", less_than(10),
                    "less than 10 jobs take more than 20 % longer"),
    ),
    _SAMPLE + " Response times within 0.5 % of each other count as equal.",
)

FIGURE_8 = Figure(
    "Figure 8",
    "response time under CFQ with wrong slot-times / with exact ones",
    tuple(
        Expectation(f"uniform.{each.name}", f"error up to 20 %, {each.name}",
                    about(1, ALIKE),
                    f"an error of up to 20 % leaves {each.name} jobs as they are")
        for each in PAPER_BINS
    )
    + tuple(
        Expectation(f"naive.{each.name}", f"naive profile, {each.name}") for each in PAPER_BINS
    )
    + (
        Expectation("naive.increase", "naive profile, mean response time [%]", at_most(_MOST_OF_NAIVE),
                    "the naive profile raises the mean response time by only 10 %"),
        Expectation("naive.wide_rest", "naive profile, wide / largest of the others", more_than(1),
                    "the naive profile hurts wide jobs the most"),
        Expectation("naive.narrow_rest", "naive profile, narrow / smallest of the others",
                    less_than(1), "the naive profile affects narrow jobs the least"),
    ),
    _SAMPLE,
    (Reason(r"naive\.increase", _by_sample, Relation.MORE),),
)

FIGURE_9 = Figure(
    "Figure 9",
    "one elephant among mice on 10 nodes x 2 slots, a mouse every 0.5 s",
    tuple(
        Expectation(f"{policy}.{mice}", f"{TITLES[policy]}, {mice} mice: elephant's response [s]")
        for policy in ("srpt", "cfq")
        for mice in MICE
    )
    + (
        Expectation("srpt.slope", "SRPT: slope [s per mouse]", more_than(0),
                    "with SRPT the elephant's response time increases with the number of mice"),
        Expectation("srpt.linear", "SRPT: R² of the straight line", at_least(0.9),
                    "and does so linearly"),
        Expectation("cfq.slope", "CFQ: slope [s per mouse]"),
        Expectation("cfq.slope_share", "slopes, CFQ / SRPT", less_than(0.25),
                    "with CFQ it is independent of the number of mice, beside SRPT"),
        Expectation("window.srpt.slope", "all mice within 20 s, SRPT: slope [s per mouse]"),
        Expectation("window.cfq.slope", "all mice within 20 s, CFQ: slope [s per mouse]"),
    ),
    "the paper gives neither the numbers of mice nor the time over which they come. With one each "
    "0.5 s they just fill the slots, and more mice last longer. If instead more mice come within "
    "the same 20 s, at random times, the load grows with their number up to 1.25; then the "
    "elephant is slowed under CFQ as well, since it is so under GPS itself (the last two rows).",
)

FIGURE_10 = Figure(
    "Figure 10",
    "slowdown on 8,000 slots, by width",
    tuple(
        Expectation(f"{policy}.{each.name}.p50", f"{TITLES[policy]}, {each.name}: median slowdown")
        for policy in POLICIES
        for each in PAPER_BINS_AT_SCALE
    )
    + tuple(
        Expectation(f"fifo.worst.{each.name}", f"median, FIFO / worst other, {each.name}",
                    more_than(1), f"FIFO performs the worst for {each.name} jobs")
        for each in PAPER_BINS_AT_SCALE
    )
    + (
        Expectation("fifo_cfq", "median response time, FIFO / CFQ", at_least(10),
                    "FIFO's response times are orders of magnitude longer"),
    )
    + tuple(
        Expectation(f"fair_{policy}.{each.name}",
                    f"median, FAIR / {TITLES[policy]}, {each.name}", at_least(10),
                    f"{TITLES[policy]} slows {each.name} jobs an order of magnitude less than FAIR")
        for policy in ("cfq", "srpt")
        for each in PAPER_BINS_AT_SCALE[1:]
    )
    + tuple(
        Expectation(f"cfq_srpt.{each.name}", f"median, CFQ / SRPT, {each.name}",
                    about(1, ALIKE), f"CFQ ties SRPT for {each.name} jobs")
        for each in PAPER_BINS_AT_SCALE[:3]
    )
    + (
        Expectation("cfq_srpt.>500", "median, CFQ / SRPT, >500", more_than(1),
                    "SRPT wins for jobs of more than 500 tasks"),
    ),
    reasons=tuple(
        Reason(rf"fair_(cfq|srpt)\.{each.name}",
               "no slowdown is less than 1, and FAIR slows the median such job only "
               f"{{text[fair.{each.name}.p50]}} times here: nobody can slow it ten times less.",
               Relation.LESS)
        for each in PAPER_BINS_AT_SCALE[1:]
    ),
)

_UNPUBLISHED = (
    "the paper's 17K jobs and 543K tasks of the trace's first 20 hours are not published; "
)
_BACKLOG = (
    " How far FIFO and FAIR fall behind grows with the backlog, so these ratios tell as much of "
    "the load as of the schedulers."
)
REMARK_GOOGLE = (
    _UNPUBLISHED + "{name} holds 10,000 jobs and 312,558 tasks of other days of the same trace."
    + _BACKLOG
)
REMARK_GIVEN = _UNPUBLISHED + "this is {name}." + _BACKLOG
REMARK_GENERATED = (
    _UNPUBLISHED
    + "these are 17,000 jobs of the generator `google` a seed, for want of a trace."
    + _BACKLOG
)

# Offers the 8,000 slots about as much as they can do.
GENERATED_AT_SCALE = {"jobs": 17000, "span_s": 6000}
