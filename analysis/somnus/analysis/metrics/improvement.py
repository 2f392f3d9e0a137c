"""Completion times, and by what factor a run improves on another one, as the Carbyne paper has it.

A factor of improvement is duration in the reference / duration in the run (section 5.1): above 1
the run is faster. A job's duration is its response time, from submit to finish, in emulated
seconds. Percentiles are by nearest rank, as in `somnus summary`.
"""

import numpy as np
import pandas as pd

from somnus.analysis.metrics import fairness
from somnus.analysis.metrics.queues import span
from somnus.analysis.metrics.users import nearest_rank
from somnus.analysis.reading.log import Log

PERCENTILES = (25, 50, 75, 95)  # Carbyne paper, Tables 3 and 4


def percentiles(values: pd.Series) -> pd.Series:
    """Those of PERCENTILES, by percentile; NaN of none."""
    found = {each: nearest_rank(values, each / 100) for each in PERCENTILES}
    return pd.Series(found, dtype=float).rename_axis("percentile")


def speedups(log: Log, reference: Log) -> pd.Series:
    """Factor of improvement of each job that finished in both runs, by job name.

    A job that took no time in one of them is left out. Raises UserError where the logs are not of
    the same jobs (see fairness.paired).
    """
    ours, theirs = _finished_in_both(log, reference)
    known = (ours > 0) & (theirs > 0)
    return (theirs[known] / ours[known]).rename("speedup")


def factors(log: Log, reference: Log) -> pd.DataFrame:
    """Factors of improvement by percentile, in two readings.

    of_jobs: percentiles of the jobs' own factors. of_completion: each percentile of the response
    times in the reference over that in the run, whichever jobs these are; of jobs that finished in
    both.
    """
    ours, theirs = _finished_in_both(log, reference)
    return pd.DataFrame({
        "of_jobs": percentiles(speedups(log, reference)),
        "of_completion": percentiles(theirs) / percentiles(ours),
    })


def of_jobs(speedup: pd.Series) -> dict[str, float | int]:
    """Of speedups: how many, shares of them that are faster and slower, percentiles, and the least."""
    return {
        "compared": len(speedup),
        "faster": float((speedup > 1 + fairness.NEAR_ZERO).mean()),
        "slower": float((speedup < 1 - fairness.NEAR_ZERO).mean()),
        **{f"of_jobs_p{each}": float(factor) for each, factor in percentiles(speedup).items()},
        "least": float(speedup.min()),
    }


def figures(log: Log, reference: Log) -> dict[str, float | int]:
    """The factors in numbers: of the makespan, of the mean response time, and by percentile.

    Those of `of_jobs`; of_completion_... as in `factors`.
    """
    of_completion = factors(log, reference)["of_completion"]
    ours, theirs = _finished_in_both(log, reference)
    makespan, their_makespan = (last - first for first, last in map(span, (log, reference)))
    return {
        **of_jobs(speedups(log, reference)),
        "of_makespan": _factor(their_makespan, makespan),
        "of_mean": _factor(theirs.mean(), ours.mean()),
        **{f"of_completion_p{each}": float(factor) for each, factor in of_completion.items()},
    }


def _factor(theirs: float, ours: float) -> float:
    """NaN beside a run that took no time."""
    return float(theirs / ours) if ours > 0 else np.nan


def _finished_in_both(log: Log, reference: Log) -> tuple[pd.Series, pd.Series]:
    """Response times in seconds, by job name in the same order."""
    ours, theirs = (each["response_time"] for each in fairness.paired(log, reference))
    both = ours.notna() & theirs.notna()
    return ours[both], theirs[both]
