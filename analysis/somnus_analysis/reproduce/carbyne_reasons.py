"""Why numbers and claims of the Carbyne paper differ from ours, where that is known.

Bounds on what anybody can gain and what Tetris and SJF do are means of five seeds at load 1; what is
said of Carbyne, of SJF by remaining work and of Tetris without it is of the first seed.
"""

from __future__ import annotations

from somnus_analysis.reproduce.expect import Reason, Relation

_BUSY = (
    "of the kind used most DRF keeps 88 to 95 % in use over the whole makespan and SJF 85 to 91 %, so "
    "that with this work nobody can end more than 1.13 times sooner than DRF, or 1.18 times sooner "
    "than SJF. DRF here sees all six kinds and is work-conserving; probably YARN's leaves more unused, "
    "or promises disks and networks twice, which here slows no task down."
)
_TAIL = (
    "DRF's makespan is the least or nearly so: nobody can end more than 1.13 times sooner. In the last "
    "fifth of it DRF has 83 to 87 % of the kind used most in use, SJF 58 to 74 % and Tetris 63 to 86 %: "
    "who favours short jobs is left with the chains of a few long ones."
)
_JAIN = (
    "with many more jobs than fit, most have nothing at all under SJF and Tetris, and of those that "
    "run something a few have nearly all. With the knob that Tetris itself recommends, f = 0.25, the "
    "index of running jobs is 0.62 to 0.75 (the paper has 0.74); with f = 0, the paper's setting, it is "
    "0.30 to 0.48."
)
_CRITICAL_PATH = (
    "a short critical path is not little work, and a wide and shallow query goes first. By the work "
    "that is left (scheduler.sjf.metric = \"srtf\") it would be the least: on BigBench all at once "
    "1,764 s, against 2,300 s by critical path and Tetris' 1,982 s."
)

_LEFTOVER = (
    "what a job must start now to end as promised is little, and the rest goes to the shortest remaining "
    "jobs: where nobody takes the rest (scheduler.carbyne.leftover = \"none\") TPC-H has 15 % in use, "
    "under DRF 93 %. All at once 37 to 40 % of the jobs with something to run have nothing in a window "
    "(none under DRF, 60 to 72 % under Tetris and SJF), and a tenth of them has 64 % (DRF 14 to 15 %)."
)
_SMALL_PARTS = (
    "the index is of the jobs that run something: 60 to 63 % of those that could under Carbyne, 28 to 40 % "
    "under Tetris and SJF, which leave the others nothing and so out of it. Over all jobs Carbyne is the "
    "fairer one."
)
_SHORT_FIRST = (
    "Tetris here counts remaining work as much as alignment, and so has the short jobs first, too. "
    "Without (scheduler.tetris.shortness = 0) BigBench has a mean of 3,979 s all at once, with it 1,934 s, "
    "Carbyne 2,137 s; one every 20 s 735, 319 and 342 s."
)
_PROMISES = (
    "by remaining work alone (SJF with scheduler.sjf.metric = \"srtf\") BigBench has 1,691 s all at once, "
    "1.74 times better than DRF; what jobs must start to end as promised makes Carbyne's 1.26 times that, "
    "on TPC-H 1.14 times."
)
_LAST_ARRIVAL = (
    "the last job comes when 77 to 93 % of the makespan are over (first three seeds), and all schedulers "
    "end within 6 % of each other."
)

FIGURE_4 = (
    Reason(r"\S+\.makespan\.(drf|sjf)", _BUSY, Relation.LESS),
    Reason(r"claim\.(densest|dense)", _TAIL, Relation.LESS),
    Reason(r"\S+\.unfair(-running)?\.(tetris|sjf)", _JAIN, Relation.LESS),
    Reason(r"claim\.fastest", _CRITICAL_PATH, Relation.LESS),
    Reason(r"\S+\.response\.sjf", _CRITICAL_PATH, Relation.MORE),
    Reason(r"\S+\.unfair(-running)?\.carbyne", _LEFTOVER, Relation.LESS),
    Reason(r"claim\.fair\.running", _SMALL_PARTS, Relation.LESS),
    Reason(r"claim\.fast|bigbench\.response\.tetris", _SHORT_FIRST, Relation.LESS),
    Reason(r"bigbench\.response\.drf", _PROMISES, Relation.LESS),
)
FIGURE_5 = (
    Reason(r"claim\.fastest", _CRITICAL_PATH, Relation.LESS),
    Reason(r"\S+\.response\.sjf", _CRITICAL_PATH, Relation.MORE),
    Reason(r"\S+\.unfair(-running)?\.carbyne", _LEFTOVER, Relation.LESS),
    Reason(r"claim\.fair\.running", _SMALL_PARTS, Relation.LESS),
    Reason(r"claim\.fast", _SHORT_FIRST, Relation.LESS),
    Reason(r"claim\.(densest|dense)", _LAST_ARRIVAL, Relation.LESS),
)
TABLE_3 = (
    Reason(
        r"tpc-h\.\S+\.p(25|50)",
        "nobody can gain much more than by how much a job is slower than alone in the idle cluster: under "
        "DRF and Tetris a quarter of these is slower by at most 1.11 times, half by at most 1.41 times "
        "(third table; first seed).",
        Relation.LESS,
    ),
    Reason(r"\S+\.tetris\.p(25|50|75)|claim\.faster\.tetris", _SHORT_FIRST, Relation.LESS),
)
TABLE_4 = (
    Reason(
        r"facebook\..*|claim\.larger",
        "nobody can gain much more than by how much a job is slower than alone in the idle cluster (last "
        "table). Two in three of these jobs have at most ten tasks, and under DRF three in four take "
        "at most 1.08 times as long as alone, even at load 5.",
        Relation.LESS,
    ),
    Reason(
        r"microsoft\..*",
        "nobody can gain much more than by how much a job is slower than alone in the idle cluster: at "
        "load 1 that is little (last table). The paper does not tell its load.",
        Relation.LESS,
    ),
)
FIGURE_9 = (
    Reason(
        r"claim\.(4|6)",
        "the more jobs there are for each machine, the more of it goes to what they must start now: where "
        "nobody takes the rest (scheduler.carbyne.leftover = \"none\"), 15 % is in use at load 1, 25 % at "
        "load 2 and 64 % at load 5 (first seed). So little is left for the shortest remaining jobs, and "
        "Carbyne comes near DRF.",
        Relation.LESS,
    ),
)
FIGURE_10: tuple[Reason, ...] = ()
FIGURE_11: tuple[Reason, ...] = ()
FIGURE_12: tuple[Reason, ...] = ()
SECTION_5_6 = (
    Reason(r"\S+\.jain(-running)?\.carbyne", _LEFTOVER, Relation.LESS),
    Reason(r"claim\.fair(\.running)?", _LEFTOVER, Relation.MORE),
    Reason(r"claim\.dense|\S+\.makespan\.tetris-fair", _LAST_ARRIVAL, Relation.LESS),
)
