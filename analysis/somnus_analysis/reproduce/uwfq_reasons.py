"""Why cells of the UWFQ paper's tables differ from ours, where that is known."""

from __future__ import annotations

from somnus_analysis.reproduce.expect import Reason

_COUNTS = Reason(
    r"\w+(-p)?\.(dvr|violations|dsr|slack)",
    "who ends later than under UJF is decided by small differences: the paper's UJF differs from "
    "itself (the line on its noise, below), while these simulations repeat exactly and jobs that "
    "end at the same time are slack.",
)
_NAMES = (
    "probably since Spark breaks ties between stages by their names as text, so that some wait "
    "long whenever they came; here ties go to the one that came first. (That Spark sorts once a "
    "round of offers is not it: resort_per_task = false makes the difference larger.)"
)
_SLOWER = (
    "the paper's runs that finish one job after the other take longer for the same work than those "
    "under Fair and UJF, which it puts down to long tasks and cold JVMs; tasks here take as long "
    "whoever runs them."
)

SCENARIO_1_REASONS = (
    Reason(r"(fair|ujf)\.worst\..*|fair\.(dvr|dsr)", _NAMES),
    Reason(
        r"(ujf|uwfq)\.group\.2|claim\.infrequent\.cfq",
        "the 1.4 s of a job alone that are not its computing are spent in its load stage, which "
        "needs a free slot first; in Spark part of them passes in the driver (without them UJF's "
        "take 5.2 s and UWFQ's 3.7 s).",
    ),
    _COUNTS,
)
SCENARIO_2_REASONS = (
    Reason(r"fair\.(group\..*|dvr|dsr)|ujf\.group\..*", _NAMES),
    _COUNTS,
    Reason(r"(cfq|uwfq)\..*", _SLOWER),
    Reason(
        r"claim\.first",
        "Fair and CFQ serve the first user first here, ties going to whoever came first.",
    ),
)
MACRO_REASONS = (
    Reason(
        r"(claim\.)?(cfq|uwfq)(-p)?\.(makespan|response|80-95|95-100)",
        _SLOWER + " With them go the long jobs, which are what still runs then.",
    ),
    Reason(r"claim\.(cfq|(cfq|uwfq)-p\.dvr)", "the paper's own table contradicts its sentence."),
    Reason(r"claim\.dsr", "0.52 against 0.51 in the paper is less than its noise."),
    _COUNTS,
)
