"""What the Yaq paper says, figure by figure, as data.

Efficient Queue Management for Cluster Scheduling. Keys are variant.column, e.g. yaq-c.median; of a
claim, claim.NAME. A claim about completion times has two readings, NAME counting from the job's
admission and NAME.first from its first task's start: the paper's "from the moment a job started its
execution" may mean either.
"""

from collections.abc import Mapping

from somnus.analysis.papers.common.expect import (
    Expectation, Figure, Target, about, at_least, at_most, claim, equal, less_than, more_than,
)
from somnus.analysis.papers.common.sweep import Axis
from somnus.analysis.papers.common.tolerances import FACTORS, HEADLINES, PERCENTAGES, POINTS, QUEUES
from somnus.analysis.papers.yaq import reasons

# What the paper does not say: how many jobs ran at a time (it tuned them), and how many slots a machine
# had. Ours are those of the configs, which say why. With other slots other jobs run, in proportion.
_OF_TIMES = r"claim\..*"
JOBS_AT_A_TIME = {
    "centralized": Axis("number of jobs at a time", "jobs at a time, one manager", (10, 20, 40, 80, 160), ours=40,
                        keys=_OF_TIMES),
    "distributed": Axis("number of jobs at a time", "jobs at a time, own managers", (20, 40, 80, 120, 180), ours=120,
                        keys=_OF_TIMES),
}
SLOTS = Axis("number of slots of a machine", "slots of a machine", (1, 2, 4, 10, 20, 32), ours=10,
             keys=_OF_TIMES)

COMPLETION = {
    "median": "median, from admission [s]",
    "p95": "p95",
    "median.first": "median, from first start [s]",
    "p95.first": "p95",
}
QUEUING = {
    "queuing.mean": "queuing delay, mean [s]",
    "queuing.deviation": "standard deviation",
    "queuing.median": "median",
}
OF_HIVE = {**QUEUING, "throughput": "jobs a minute", **COMPLETION}
OF_GRIDMIX = {**COMPLETION, "utilisation": "occupied slots [%]"}

Published = Mapping[str, Mapping[str, float]]  # by variant, by column


def _rows(titles: Mapping[str, str], published: Published) -> tuple[Expectation, ...]:
    """A row a number that the paper has; those that it has not stand in a table of their own."""
    quantities = {"queuing.mean": "queuing delay, mean [s]",
                  "queuing.deviation": "queuing delay, standard deviation [s]",
                  "queuing.median": "queuing delay, median [s]", "throughput": "jobs a minute"}
    return tuple(
        Expectation(f"{name}.{column}", f"{titles[name]}: {quantities[column]}",
                    about(value, QUEUES))
        for name, numbers in published.items() for column, value in numbers.items()
    )


def _completion(name: str, quantity: str, target: Target, sentence: str) -> tuple:
    """A claim about completion times, counted from either moment."""
    return (claim(name, f"{quantity}, from admission", target, sentence, reading_of=name),
            claim(f"{name}.first", f"{quantity}, from first start", target, sentence, reading_of=name))


UTILISED = {"5": "5 s", "10": "10 s", "50": "50 s", "mixed": "Mixed-5-50", "ms": "GridMix-MS"}
TABLE_1 = Figure(
    "Table 1",
    "utilisation of YARN's slots, by the duration of tasks",
    tuple(
        Expectation(f"{name}.0", f"{title} [%]", about(value, PERCENTAGES))
        for (name, title), value in zip(UTILISED.items(), (60.59, 78.35, 92.38, 78.54, 83.38))
    ),
    "what a slot is idle between two tasks is calibrated on this table (job managers that poll each "
    "second and take one more to launch a task, beside the heartbeat's 3 s), so it shows no more "
    "than that one idle time serves all durations. The paper's Workload 1 is a production workload "
    "that isn't published; GridMix-MS is what it made of it.",
    reasons.TABLE_1,
)

LENGTHS = (0, 1, 2, 4, 6, 10)
FIGURE_9 = Figure(
    "Figure 9",
    "utilisation by the queues' length (0: YARN)",
    (
        claim("short", "utilisation, 5 s tasks, 6 queued [%]", about(96, PERCENTAGES),
              "with 5 s tasks utilisation goes up to 96 % from 60 % with YARN"),
        claim("long", "utilisation, 50 s tasks, 2 queued [%]", at_least(98),
              "for the 50 s workload a queue of two is sufficient"),
        claim("longer", "utilisation, 5 s tasks, 4 queued / 6 queued", less_than(0.97),
              "the 5 s workload needs six to achieve full utilisation"),
        claim("saturated", "utilisation, 50 s tasks, 10 queued / 2 queued", at_most(1.02),
              "once nodes are saturated longer queues do not improve utilisation"),
        claim("rising", "smallest change from one length to the next longer, all workloads "
                         "[points]", at_least(-1),
               "utilisation improves with longer queues"),
    ),
)

FIGURE_5_DURATIONS = (10, 30, 22.9)
EXAMPLES = {"erlang.10": 6, "erlang.30": 3, "chernoff.22.9": 4}
FIGURE_5 = Figure(
    "Figure 5",
    "queue length for 95 % utilisation, 10 slots, heartbeats of 3 s",
    tuple(
        Expectation(f"{rule}.{duration:g}", f"tasks of {duration:g} s, {title}",
                    equal(EXAMPLES[key]) if (key := f"{rule}.{duration:g}") in EXAMPLES else None,
                    exact=True)
        for duration in FIGURE_5_DURATIONS
        for rule, title in (("chernoff", "equation (1)"), ("erlang", "equation (2)"),
                            ("utilization", "by the utilisation itself"))
    ),
    "the paper's examples for 10 s and 30 s are what its equation (2) gives, not equation (1) as its "
    "text says; \"a queue of four slots\" for Hive-MS is what equation (1) gives for 22.9 s.",
)

CENTRALIZED = {
    "yarn": "YARN", "yarn+q": "YARN+Q", "yaq-c": "Yaq-c", "unbounded": "Yaq-c, unbounded",
    "no-reorder": "Yaq-c, no reorder", "yaq-c-srjf": "Yaq-c, SRJF in the RM's queue too",
}
TABLE_3_VALUES: Published = {
    "yarn": {"throughput": 8.8},
    "yaq-c": {"queuing.mean": 8.5, "queuing.deviation": 21.4, "queuing.median": 1.1,
              "throughput": 13.9},
    "unbounded": {"queuing.mean": 65.5, "queuing.deviation": 85.1, "queuing.median": 30.4,
                  "throughput": 5.6},
    "no-reorder": {"queuing.mean": 53.2, "queuing.deviation": 78.2, "queuing.median": 25.4,
                   "throughput": 7.6},
}
TABLE_3 = Figure(
    "Table 3",
    "Hive-MS with one resource manager (and Figures 2 and 6)",
    _rows(CENTRALIZED, TABLE_3_VALUES)
    + _completion("median", "median completion, YARN / Yaq-c", about(1.7, HEADLINES),
                  "Yaq-c improves the median completion time by 1.7x over YARN")
    + _completion("median.all", "median completion, YARN / Yaq-c with SRJF in both queues",
                  about(1.7, HEADLINES),
                  "Yaq-c, with its global job reordering, improves it by 1.7x")
    + _completion("everywhere", "least of p10, p25, p50, p75, p90, YARN / Yaq-c", more_than(1),
                  "Yaq-c achieves better completion times across all percentiles")
    + (
        claim("throughput", "jobs a minute, Yaq-c / YARN", about(1.6, HEADLINES),
              "Yaq-c improves throughput by 1.6x over YARN"),
        claim("queuing", "mean queuing delay, Yaq-c / least of the others", less_than(1),
              "without bounds or reordering tasks wait longer"),
        claim("unbounded", "jobs a minute, unbounded / YARN", less_than(1),
              "without bounds throughput is worse than YARN's"),
        claim("no-reorder", "jobs a minute, no reorder / YARN", less_than(1),
              "without reordering throughput is worse than YARN's"),
    )
    + _completion("naive", "median completion, YARN+Q / YARN", more_than(1),
                  "naive queues can be worse than none"),
    "how many slots a machine had and how many jobs ran at a time is not in the paper; 4 and 40 are "
    "chosen for YARN's 8.8 jobs a minute, so that row says nothing. Durations are lognormal with the "
    "paper's mean and deviation, mapper counts geometric.",
    reasons.TABLE_3,
)

DISTRIBUTED = {
    "yaq-d": "Yaq-d", "no-rebalance": "Yaq-d, no rebalancing", "mercury": "Mercury",
    "sparrow": "batch sampling", "no-starvation": "Yaq-d, no starvation threshold",
}
TABLE_4_VALUES: Published = {
    "yaq-d": {"queuing.mean": 17.9, "queuing.deviation": 54.2, "queuing.median": 0.35,
              "throughput": 16.6},
    "no-rebalance": {"queuing.mean": 34.2, "queuing.deviation": 67.0, "queuing.median": 5.6,
                     "throughput": 10.1},
    "mercury": {"queuing.mean": 49.7, "queuing.deviation": 73.7, "queuing.median": 12.9,
                "throughput": 5.8},
    "sparrow": {"queuing.mean": 81.4, "queuing.deviation": 101.4, "queuing.median": 26.2,
                "throughput": 5.3},
}


def _several_times(other: str, factor: float) -> tuple[Expectation, ...]:
    title = DISTRIBUTED[other]
    return (
        *_completion(f"{other}", f"median completion, {title} / Yaq-d", about(factor, HEADLINES),
                     f"Yaq-d achieves a {factor} times better median than {title}"),
        *_completion(f"{other}.unstarved",
                     f"median completion, {title} / Yaq-d without starvation threshold",
                     at_least(2), f"Yaq-d's median is several times better than {title}'s (2, as "
                                  "we read it)"),
    )


TABLE_4 = Figure(
    "Table 4",
    "Hive-MS with distributed schedulers (and Figures 2 and 7)",
    _rows(DISTRIBUTED, TABLE_4_VALUES)
    + _several_times("sparrow", 9.3)
    + _several_times("mercury", 3.9)
    + (
        claim("throughput.mercury", "jobs a minute, Yaq-d / Mercury", about(2.9, HEADLINES),
              "Yaq-d achieves a 2.9 times higher throughput than Mercury"),
        claim("throughput.sparrow", "jobs a minute, Yaq-d / batch sampling", about(3.1, HEADLINES),
              "Yaq-d achieves a 3.1 times higher throughput than batch sampling"),
        claim("rebalance", "mean queuing delay, Yaq-d / without rebalancing", less_than(1),
              "rebalancing shortens waits"),
    ),
    "how many slots a machine had and how many jobs ran at a time is not in the paper; here 4, as in "
    "Table 3, and 120: --jobs-active 40 has waits nearer to the paper's, and schedulers nearer to "
    "each other.",
    reasons.TABLE_4,
)

SHARES = {"A": 70.0, "B": 30.0}
FIGURE_8 = Figure(
    "Figure 8",
    "shares of two named queues with 70 % and 30 % of the cluster",
    tuple(Expectation(f"{name}.mean", f"queue {name}, mean share [%]", about(share, POINTS))
          for name, share in SHARES.items())
    + (
        Expectation("A.deviation", "queue A, standard deviation over time [points]"),
        Expectation("A.farthest", "queue A, farthest from 70 % [points]"),
        claim("momentary", "time for which a share is off by more than 10 points [%]", at_most(10),
              "Yaq-c respects each queue's capacity with only momentary slight violations"),
    ),
    "shares are of the occupied slots, means over 10 s, from the time on at which the cluster is "
    "full.",
    reasons.FIGURE_8,
)

BOUNDS = {"yarn": "YARN", "QS=2": "QS = 2", "QS=6": "QS = 6", "QS=10": "QS = 10",
          "MWT=3": "MWT = 3 s", "MWT=10": "MWT = 10 s"}
FIGURE_10 = Figure(
    "Figure 10",
    "GridMix-MS with bounded queues, first come first served",
    _completion("rising", "median completion, QS = 10 / QS = 2", more_than(1),
                  "for fixed queue lengths completion times increase with the length")
    + _completion("negative", "median completion, QS = 6 / YARN", more_than(1),
                  "simple queues at nodes, even if bounded, mostly make completion times worse")
    + _completion("tail", "p95 completion, MWT = 3 s / YARN", about(1.7, HEADLINES),
                  "the tail grows by upwards of 1.7x for MWT = 3 compared to YARN"),
    reasons=reasons.FIGURE_10,
)

PLACEMENTS = {"wait": "wait", "length": "length", "random": "random",
              "wait.heartbeat": "wait, one node a heartbeat",
              "length.heartbeat": "length, one node a heartbeat",
              "random.heartbeat": "random, one node a heartbeat"}
FIGURE_11 = Figure(
    "Figure 11",
    "GridMix-MS with queues of six, by where tasks are queued",
    _completion("length", "median completion, length / wait", about(1.2, FACTORS),
                  "placing by wait improves the median by 1.2x over placing by length")
    + _completion("random", "median completion, random / wait", about(1.4, FACTORS),
                  "and by 1.4x over random placement")
    + _completion("tail", "p95 completion, random / wait", more_than(1.1),
                  "random placement has a significantly longer tail"),
    "by Algorithm 1 all nodes are compared for each task, so at any heartbeat tasks go to any node "
    "here; where only the node that reports may be used, as in stock YARN, there is no choice.",
    reasons.FIGURE_11,
)

ORDERS = {"yarn": "YARN", "srjf": "SRJF", "lrtf": "LRTF", "stf": "STF",
          "unbounded": "SRJF, unbounded"}
FIGURE_12 = Figure(
    "Figure 12",
    "GridMix-MS with queues of ten, by which task starts next",
    _completion("srjf", "median completion, YARN / SRJF", about(2.2, HEADLINES),
                  "SRJF has a 2.2x better median than YARN")
    + _completion("lrtf", "median completion, YARN / LRTF", about(2.4, HEADLINES),
                  "LRTF has a 2.4x better median than YARN")
    + _completion("stf", "median completion, YARN / STF", about(1.4, HEADLINES),
                  "STF performs 1.4x better than YARN")
    + _completion("job-aware", "median completion, STF / better of SRJF, LRTF", more_than(1),
                  "the job-aware policies perform best")
    + _completion("low", "p25 completion, unbounded / bounded SRJF", less_than(1),
                  "unbounded queues improve the lower percentiles")
    + _completion("high", "p95 completion, unbounded / bounded SRJF", more_than(1),
                  "and make the higher ones worse"),
    reasons=reasons.FIGURE_12,
)

THRESHOLDS = {"yarn": "YARN", "ST=0.5": "STF, ST = 0.5 s", "ST=1.5": "STF, ST = 1.5 s",
              "ST=10": "STF, ST = 10 s", "ST=100": "STF, ST = 100 s", "stf": "STF, no threshold"}
FIGURE_13 = Figure(
    "Figure 13",
    "GridMix-MS, shortest task first in queues of ten, by the starvation threshold",
    _completion("best", "median completion, ST = 0.5 s / best of 1.5 s, 10 s", less_than(1),
                  "a threshold of 0.5 s works best")
    + _completion("detrimental", "median completion, ST = 10 s / YARN", more_than(1),
                  "a threshold of 10 s is detrimental"),
    "100 s is not in the paper.",
    reasons.FIGURE_13,
)

HEAVY = {"yarn": "YARN", "srjf": "Yaq-c"}
FIGURE_14 = Figure(
    "Figure 14",
    "GridMix-MS with 500 s more on the longest 20 % of its tasks",
    _completion("median", "median completion, YARN / Yaq-c", about(1.8, HEADLINES),
                  "Yaq-c improves the median completion time by 1.8x over YARN"),
    reasons=reasons.FIGURE_14,
)
