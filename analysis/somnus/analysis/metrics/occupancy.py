"""Who occupies the cluster over time: jobs, users or queues.

Shares are of 1, of all slots; where nodes have none each attempt counts by its dominant resource, the
kind of which it takes the largest part of the cluster's. Exact means over bins, from the stamps of
/tasks. Times are emulated seconds since the run's start.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from somnus.analysis.metrics import steps
from somnus.analysis.reading.log import Log

BY = ("job", "user", "queue")
SHOWN = 6  # of more than that the others are summed
OTHERS = "all others"


def held(log: Log, by: str) -> pd.Series:
    """Share-seconds in all of each job, user or queue, by name."""
    tasks, amounts, owner = _spans(log, by)
    return pd.Series((tasks["runtime"] * amounts).groupby(owner, sort=False).sum(), name="held")


def largest(logs: Sequence[Log], by: str) -> list[str]:
    """The names of those that hold most in all the logs, at most SHOWN of them."""
    every = pd.concat([held(log, by) for log in logs])
    return list(every.groupby(level=0).sum().nlargest(SHOWN).index)


def shares(log: Log, edges: np.ndarray, by: str, names: Sequence[str]) -> pd.DataFrame:
    """A column for each name, and one for OTHERS if there are some; a row a bin, by its start."""
    tasks, amounts, owner = _spans(log, by)
    owner = owner.where(owner.isin(names), OTHERS)
    found = {}
    for name in [*names, *([OTHERS] if (owner == OTHERS).any() else [])]:
        own = (owner == name).to_numpy()
        function = steps.steps(tasks["start"].to_numpy()[own], tasks["finish"].to_numpy()[own],
                               amounts[own].to_frame("share"))
        found[name] = steps.means(function, edges)["share"]
    return pd.DataFrame(found, index=pd.Index(edges[:-1], name="time"))


def finished(jobs: pd.DataFrame, times: np.ndarray) -> pd.Series:
    """How many of the jobs had finished at each time."""
    ends = np.sort(jobs["finish"].dropna().to_numpy())
    return pd.Series(np.searchsorted(ends, times, "right"), index=pd.Index(times, name="time"),
                     dtype=float)


def _spans(log: Log, by: str) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    """The attempts that ran, the share that each holds meanwhile, and the name of who holds it."""
    ran = (log.tasks["start"] < log.tasks["finish"]).to_numpy()
    tasks = log.tasks[ran]
    if log.slots:
        amounts = pd.Series(1.0 / log.slots, index=tasks.index)
    else:
        capacity = log.capacity.where(log.capacity > 0, np.inf)
        amounts = (log.demands[ran] / capacity).max(axis=1)
    owner = log.jobs[f"{by}_name"].to_numpy()[tasks["job"].to_numpy()]
    return tasks, amounts, pd.Series(owner, index=tasks.index)
