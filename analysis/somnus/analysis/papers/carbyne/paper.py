"""What the Carbyne paper says, figure by figure, as data.

Altruistic Multi-Resource Scheduling (OSDI 2016). Factors are of improvement: an approach's duration
over Carbyne's. Keys are workload.quantity.scheduler; of a claim, claim.NAME.
"""

from collections.abc import Mapping

from somnus.analysis.metrics.improvement import PERCENTILES
from somnus.analysis.papers.carbyne import reasons
from somnus.analysis.papers.common.expect import (
    Expectation, Figure, Target, about, at_least, at_most, claim, equal, less_than, more_than,
)
from somnus.analysis.papers.common.tolerances import ALIKE, FACTORS, JAIN

TITLES = {"drf": "DRF", "tetris": "Tetris", "sjf": "SJF", "carbyne": "Carbyne",
          "tetris-fair": "TetrisFair", "carbyne+dagps": "Carbyne + DAGPS"}
QUERIES = {"tpc-ds": "TPC-DS (synthetic)", "tpc-h": "TPC-H", "bigbench": "BigBench"}
PRODUCTION = {"tpc-ds": "TPC-DS (synthetic)", "facebook": "Facebook",
              "microsoft": "Microsoft (synthetic)"}
ALTERNATIVES = ("drf", "tetris")

SYNTHETIC = (
    "TPC-DS and Microsoft's DAGs are not published; those here are synthetic, with the stages, "
    "barriers and paths of the paper's Tables 1 and 2."
)


# --- Figure 2 ---

JOBS = ("J1", "J2")
FIGURE_2 = Figure(
    "Figure 2",
    "two DAGs and one resource: mean completion time, in the figure's units",
    (
        *(Expectation(f"drf-strict+{within}.mean", f"fair quotas, {title} inside", equal(2.05),
                      "existing schedulers' average completion time is 2.05, whatever the order "
                      f"inside jobs ({title})", exact=True)
          for within, title in (("breadth-first", "breadth first"),
                                ("critical-path", "critical path"), ("packing", "packing"))),
        Expectation("carbyne.mean", "Carbyne", equal(1.55), "Carbyne's is 1.55", exact=True),
        Expectation("carbyne.J1", "Carbyne, J1", equal(2.1),
                    "J1's completion time does not change", exact=True),
        Expectation("carbyne.J2", "Carbyne, J2", equal(1.0), exact=True),
        Expectation("tetris.mean", "Tetris across jobs", equal(1.55),
                    "packing across jobs gives 1.55, too (footnote 2)", exact=True),
        Expectation("drf.mean", "DRF, work-conserving"),
        Expectation("sjf.mean", "SJF"),
        Expectation("carbyne+altruism=0.mean", "Carbyne, P(Altruism) = 0"),
    ),
    "the paper's 2.05 needs quotas that jobs keep to even where nobody else wants the rest; DRF as "
    "in YARN lends the rest and comes to 1.55 as well.",
)

BY_HAND = {  # ends of J1 and J2
    "drf-strict+breadth-first": (5, 8),
    "drf": (3, 8),
    "tetris": (5, 6),
    "sjf": (3, 8),
    "carbyne+altruism=0": (3, 8),
    "carbyne": (3, 5),
}
EXAMPLE_TITLES = {
    "drf-strict+breadth-first": "fair quotas, breadth first inside",
    "drf": "DRF, work-conserving",
    "tetris": "Tetris",
    "sjf": "SJF",
    "carbyne+altruism=0": "Carbyne, P(Altruism) = 0",
    "carbyne": "Carbyne",
}
FIGURE_2B = Figure(
    "Figure 2b",
    "two other jobs, which tell the schedulers apart; \"paper\" is by hand",
    tuple(Expectation(f"{name}.{job}", f"{EXAMPLE_TITLES[name]}, {job}", equal(end), exact=True)
          for name, ends in BY_HAND.items() for job, end in zip(JOBS, ends)),
    "not in the paper, whose Figure 2 gives nearly all of these schedulers the same mean.",
)


# --- Figures 4 to 7, Table 3 ---

def _rows(workloads: Mapping[str, str], what: Mapping[str, tuple[str, Target]]) -> tuple:
    return tuple(Expectation(f"{name}.{key}", f"{title}: {quantity}", target,
                             reading_of=f"{name}.{key.replace(RUNNING, '')}")
                 for name, title in workloads.items() for key, (quantity, target) in what.items())


# Of which jobs the paper takes Jain's index it does not say: of those that have something to run, or
# of those that run something. So there are two readings, by the suffix of the key.
RUNNING = "-running"
OF_JOBS = {"": "Jain's index", RUNNING: "the same of running jobs"}


def _jain(scheduler: str, value: float) -> dict[str, tuple[str, Target]]:
    return {f"jain{suffix}.{scheduler}": (f"{title}, {TITLES[scheduler]}",
                                          about(value, JAIN))
            for suffix, title in OF_JOBS.items()}


def _unfair(scheduler: str, value: float) -> dict[str, tuple[str, Target]]:
    return {f"unfair{suffix}.{scheduler}": (f"{title}, {TITLES[scheduler]} less DRF",
                                            about(value, JAIN))
            for suffix, title in OF_JOBS.items()}


OFFLINE = {
    **_jain("drf", 0.86),
    **_unfair("carbyne", -0.05),
    **_unfair("tetris", -0.12),
    **_unfair("sjf", -0.22),
    "response.drf": ("mean completion, DRF / Carbyne", about(1.59, FACTORS)),
    "response.tetris": ("mean completion, Tetris / Carbyne", about(1.46, FACTORS)),
    "response.sjf": ("mean completion, SJF / Carbyne", about(1 / 1.06, FACTORS)),
    "makespan.drf": ("makespan, DRF / Carbyne", about(1.26, FACTORS)),
    "makespan.tetris": ("makespan, Tetris / Carbyne", about(1 / 1.03, FACTORS)),
    "makespan.sjf": ("makespan, SJF / Carbyne", about(1.43, FACTORS)),
}
ONLINE = {
    **_unfair("carbyne", -0.06),
    "response.sjf": ("mean completion, SJF / Carbyne", about(1 / 1.2, FACTORS)),
    "makespan.tetris": ("makespan, Tetris / Carbyne", about(1 / 1.07, FACTORS)),
}


def _tradeoff() -> tuple[Expectation, ...]:
    """Claims of Figures 4 and 5: each must hold for all workloads, so the worst of them counts."""
    return (
        *(each for suffix, title in (("", OF_JOBS[""]), (".running", OF_JOBS[RUNNING]))
          for each in (
              claim(f"fairest{suffix}", f"{title}, DRF less the fairest other, least",
                    at_least(0), "DRF is the most fair", reading_of="fairest"),
              claim(f"fair{suffix}", f"{title}, Carbyne less the fairer of Tetris and SJF, least",
                    more_than(0), "Carbyne is nearer to DRF's fairness than Tetris and SJF",
                    reading_of="fair"),
          )),
        claim("fastest", "mean completion, the best other / SJF, least", at_least(1),
              "SJF has the least average completion time"),
        claim("fast", "mean completion, the better of DRF and Tetris / Carbyne, least",
              more_than(1), "Carbyne has a lower average completion time than DRF and Tetris"),
        claim("densest", "makespan, the best other / Tetris, least", at_least(1),
              "Tetris has the lowest makespan"),
        claim("dense", "makespan, the better of DRF and SJF / Carbyne, least", more_than(1),
              "Carbyne has a lower makespan than DRF and SJF"),
    )


FIGURE_4 = Figure(
    "Figure 4",
    "250 jobs, all at once: fairness, completion, efficiency",
    _rows(QUERIES, OFFLINE) + _tradeoff(),
    "the paper's numbers are of TPC-DS on its cluster; they stand beside each workload here. "
    + SYNTHETIC,
    reasons.FIGURE_4,
)
FIGURE_5 = Figure(
    "Figure 5",
    "250 jobs, one every 20 s on average: fairness, completion, efficiency",
    _rows(QUERIES, ONLINE) + _tradeoff(),
    "the paper's numbers are of TPC-DS on its cluster; they stand beside each workload here. "
    + SYNTHETIC,
    reasons.FIGURE_5,
)

Published = Mapping[str, Mapping[str, tuple[float, ...]]]  # by workload, scheduler; PERCENTILES
TABLE_3_VALUES: Published = {
    "tpc-ds": {"drf": (1.15, 1.36, 1.55, 1.88), "tetris": (1.12, 1.32, 1.47, 1.75)},
    "tpc-h": {"drf": (1.11, 1.33, 1.62, 1.96), "tetris": (1.14, 1.29, 1.44, 1.71)},
    "bigbench": {"drf": (1.13, 1.41, 1.57, 1.85), "tetris": (1.10, 1.35, 1.52, 1.82)},
}
TABLE_4_VALUES: Published = {
    "tpc-ds": {"drf": (1.17, 1.59, 2.73, 7.67), "tetris": (1.12, 1.47, 2.23, 6.17)},
    "facebook": {"drf": (1.24, 2.75, 4.31, 8.77), "tetris": (1.24, 2.85, 4.31, 8.88)},
    "microsoft": {"drf": (1.16, 2.23, 3.67, 7.86), "tetris": (1.12, 1.74, 3.28, 7.05)},
}


def _factors(titles: Mapping[str, str], published: Published) -> tuple[Expectation, ...]:
    return tuple(
        Expectation(f"{name}.{other}.p{percentile}",
                    f"{titles[name]}: {TITLES[other]} / Carbyne, p{percentile}",
                    about(value, FACTORS))
        for name, by_other in published.items() for other, values in by_other.items()
        for percentile, value in zip(PERCENTILES, values)
    )


TABLE_3 = Figure(
    "Table 3",
    "factors of improvement of jobs, one every 20 s on average (and Figures 6 and 7)",
    _factors(QUERIES, TABLE_3_VALUES)
    + tuple(
        each
        for other in ALTERNATIVES
        for each in (
            claim(f"faster.{other}", f"jobs faster than under {TITLES[other]} [%]", at_least(84),
                  f"more than 84 % of the jobs are better than under {TITLES[other]}"),
            claim(f"least.{other}", f"least factor over {TITLES[other]}", at_least(0.62),
                  f"no job slows down more than 0.62x against {TITLES[other]}"),
            claim(f"beyond.{other}", f"jobs with a factor over {TITLES[other]} below 0.8 [%]",
                  at_most(4), "no more than 4 % of the jobs slow down more than 0.8x against "
                              f"{TITLES[other]}"),
        )
    ),
    "claims are over the jobs of all three workloads. " + SYNTHETIC,
    reasons.TABLE_3,
)
TABLE_4 = Figure(
    "Table 4",
    "factors of improvement of jobs, production workloads",
    _factors(PRODUCTION, TABLE_4_VALUES)
    + (
        claim("larger", "median factor over DRF, the least of Facebook, Microsoft / TPC-DS",
              more_than(1), "gains in production traces are significantly larger"),
    ),
    "Facebook's are 399 jobs of the simulator of the paper's authors, not the paper's 7,000; there "
    "are 100 of Microsoft's for its 30,000. " + SYNTHETIC,
    reasons.TABLE_4,
)


# --- Figures 9 to 12, section 5.6 ---

LOADS = (1, 2, 4, 6)
FIGURE_9 = Figure(
    "Figure 9",
    "factor of improvement of the mean completion time, by load, TPC-H",
    (
        *(Expectation(f"{load}.{other}", f"load {load}, {TITLES[other]} / Carbyne")
          for load in LOADS for other in ALTERNATIVES),
        claim("1", "load 1, the larger factor", about(1.57, FACTORS),
              "at 1x load Carbyne improves over alternatives by up to 1.57x"),
        claim("2.least", "load 2, the smaller factor", about(1.76, FACTORS),
              "at 2x load its gains are between 1.76x"),
        claim("2.most", "load 2, the larger factor", about(1.91, FACTORS), "and 1.91x"),
        claim("4", "load 4 / load 2, the smaller of both", more_than(1),
              "the gap increases even more at 4x load"),
        claim("6", "load 6 / load 4, the one farther from 1", about(1, ALIKE),
              "at 6x improvements are almost the same as at 4x"),
    ),
    "the paper does not say which workload it is, nor what 1x is.",
    reasons.FIGURE_9,
)

ERRORS = (-50, -25, 0, 25, 50)  # %
FIGURE_10 = Figure(
    "Figure 10",
    "the same by error of the estimated demands, TPC-H",
    (
        *(Expectation(f"{error}.{other}", f"{error:+d} %, {TITLES[other]} / Carbyne".replace("-", "−"))
          for error in ERRORS for other in ALTERNATIVES),
        claim("over", "overestimates and exact, the least factor", more_than(1),
              "Carbyne performs consistently better"),
        claim("under", "−50 %, the factor farther from 1", about(1, ALIKE),
              "it becomes comparable when demands are underestimated"),
    ),
    "durations are as they are; those of the paper are \"changed accordingly\", which may mean "
    "anything. The same error misleads all schedulers; a machine that is asked for more than it has "
    "slows nothing down here.",
    reasons.FIGURE_10,
)

LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)
FIGURE_11 = Figure(
    "Figure 11",
    "the same by P(Altruism), TPC-H",
    (
        *(Expectation(f"{level:g}.{other}", f"P = {level:g}, {TITLES[other]} / Carbyne")
          for level in LEVELS for other in ALTERNATIVES),
        claim("rising", "least change from one level to the next higher", at_least(-0.02),
              "increasing levels of altruism increase the advantage"),
        claim("half", "P = 0.5, the larger factor", about(1.24, FACTORS),
              "by up to 1.24x when jobs are altruistic half the time"),
        claim("all", "P = 1, the larger factor", about(1.56, FACTORS), "up to 1.56x at P = 1"),
        claim("none", "P = 0, the factor farther from 1", about(1, ALIKE),
              "at P = 0 Carbyne is comparable to its alternatives"),
    ),
    reasons=reasons.FIGURE_11,
)

FIGURE_12 = Figure(
    "Figure 12",
    "factors of improvement of jobs over DRF, with DAGPS inside, TPC-H",
    (
        Expectation("carbyne.p75", "Carbyne + Tetris, p75", about(2.36, FACTORS)),
        Expectation("carbyne+dagps.p75", "Carbyne + DAGPS, p75", about(3.41, FACTORS)),
        Expectation("carbyne.p50", "Carbyne + Tetris, p50"),
        Expectation("carbyne+dagps.p50", "Carbyne + DAGPS, p50"),
        claim("better", "jobs at least as fast with DAGPS as with Tetris [%]", at_least(50),
              "for at least 50 % of the jobs Carbyne + DAGPS performs better"),
        claim("quarter", "p75, DAGPS / Tetris", more_than(1),
              "factors increase for at least 25 % of the jobs"),
    ),
    reasons=reasons.FIGURE_12,
)

FAIR = {
    **_jain("carbyne", 0.89),
    **_jain("tetris-fair", 0.84),
    "response.tetris-fair": ("mean completion, TetrisFair / Carbyne", about(1.22, FACTORS)),
    "tail.tetris-fair": ("p95 of jobs' factors over TetrisFair", about(2.9, FACTORS)),
    "makespan.tetris-fair": ("makespan, TetrisFair / Carbyne", about(1.06, FACTORS)),
}
SECTION_5_6 = Figure(
    "Section 5.6",
    "Tetris with strict fairness, one job every 20 s on average",
    _rows(QUERIES, FAIR)
    + (
        *(claim(f"fair{suffix.replace('-', '.')}",
                f"{title}, TetrisFair less Carbyne, largest of the workloads", less_than(0),
                "Carbyne is more fair than TetrisFair", reading_of="fair")
          for suffix, title in OF_JOBS.items()),
        claim("fast", "mean completion, TetrisFair / Carbyne, least", more_than(1),
              "Carbyne improves the average completion time"),
        claim("dense", "makespan, TetrisFair / Carbyne, least", more_than(1),
              "and cluster efficiency"),
    ),
    SYNTHETIC,
    reasons.SECTION_5_6,
)

NOT_REPRODUCED = {
    "Figure 1": "it is Figure 4 without Carbyne.",
    "Tables 1 and 2": "Microsoft's and TPC-DS's DAGs are not published; `somnus workload make dags` "
                      "makes others with these percentiles.",
    "Section 2.2, leftover and correlations": "they are of Microsoft's trace, which is not published.",
    "Figure 3": "it is a drawing of the system.",
    "Figure 8": "it shows one run of one TPC-DS query, whose DAG is not published.",
    "Section 5.2.4, overheads": "they are of YARN's resource manager and Tez's job manager.",
    "Facebook's and Microsoft's clusters": "3,000 and 10,000 machines, 7,000 and 30,000 jobs; the "
                                           "traces are not published, so Table 4 has fewer of both.",
}
