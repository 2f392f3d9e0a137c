"""What the policy meant jobs to have, and what they had: /targets over time.

All are shares of the cluster, of the resource of which the job has most; a job that is not there has
none. `entitled` is by its fair share, `target` what the policy means it to have as things stand,
`allocated` what its running tasks hold. What it has beyond its target is lent to it; what it lacks
is owed.
"""

import numpy as np
import pandas as pd

from somnus.analysis.metrics import steps
from somnus.analysis.reading.log import Log

SHARES = ["entitled", "target", "allocated"]
JOBS = 3  # that have figures of their own


def largest(log: Log, count: int = JOBS) -> list[int]:
    """Of the jobs with rows in /targets those with the most slot-time, in order of their ids."""
    there = log.jobs["job"].isin(log.targets["job"])
    return sorted(log.jobs[there].nlargest(count, "slot_time")["job"])


def of_job(log: Log, job: int, edges: np.ndarray) -> pd.DataFrame:
    """A job's shares, mean over each bin between edges, by the bin's start."""
    return _means(log, log.targets[log.targets["job"] == job], SHARES, edges)


def of_all_but(log: Log, jobs: list[int], edges: np.ndarray) -> pd.DataFrame:
    """The same, summed over all other jobs."""
    return _means(log, log.targets[~log.targets["job"].isin(jobs)], SHARES, edges)


def debts(log: Log, edges: np.ndarray) -> pd.DataFrame:
    """Summed over all jobs: `lent`, what they have beyond their targets, and `owed`, what they lack."""
    beyond = log.targets["allocated"] - log.targets["target"]
    rows = pd.DataFrame({"time": log.targets["time"], "lent": beyond.clip(lower=0),
                         "owed": (-beyond).clip(lower=0)})
    return _means(log, rows, ["lent", "owed"], edges)


def _means(log: Log, rows: pd.DataFrame, columns: list[str], edges: np.ndarray) -> pd.DataFrame:
    # A sample holds up to the next one, the last up to the end.
    times = np.unique(np.concatenate([log.samples["time"], log.targets["time"]]))
    function = rows.groupby("time")[columns].sum().reindex(times, fill_value=0.0)
    if len(edges) and len(times) and edges[-1] > times[-1]:
        function.loc[edges[-1]] = function.iloc[-1]
    return steps.means(function, edges)
