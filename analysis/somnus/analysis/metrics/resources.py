"""How much of each resource is in use over time, and what is left over.

A dimension is a kind of resource or, in a cluster of slots alone, the slot (Log.capacities); where
nodes have both it is the resource. Use is exact: a task takes its stage's true demand from its
start to its finish, by the stamps in /tasks. Shares are of 1, of what the whole cluster has, lost
nodes included; times are emulated seconds since the run's start. No log has the start of an attempt
started that the run's end cut off, so it is in none of these. Definitions are those of `somnus
summary`; those of a paper name it.
"""

import numpy as np
import pandas as pd

from somnus.analysis.metrics.queues import ROUNDING, span
from somnus.analysis.metrics.steps import at, lasting, means, steps
from somnus.analysis.reading.log import Log


def use(log: Log) -> pd.DataFrame:
    """Amount in use of each dimension, in the user's unit: a step function, a column each."""
    tasks = log.tasks
    return steps(tasks["start"].to_numpy(), tasks["finish"].to_numpy(), log.demands)


def shares(log: Log) -> pd.DataFrame:
    """The same as shares of the capacity; 0 of a kind of which the cluster has nothing."""
    return use(log) / log.capacity.where(log.capacity > 0, np.inf)


def mean_shares(log: Log, edges: np.ndarray) -> pd.DataFrame:
    """Share in use, mean over each bin, by the bin's start; a column a dimension."""
    return means(shares(log), edges)


def waiting(log: Log) -> pd.DataFrame:
    """How many attempts or stages wait, a step function of one column; what counts is whether any.

    An attempt waits from when it could first be placed until it was, and a stage some of whose
    tasks never were until its job's end or the run's.
    """
    tasks, stages = log.tasks, log.stages
    placed = tasks.loc[(tasks["attempt"] == 0) & tasks["placed"].notna(), "stage"]
    short = stages[np.bincount(placed, minlength=len(stages)) < stages["tasks"]]
    over = log.jobs["finish"].fillna(span(log)[1]).to_numpy()[short["job"].to_numpy()]
    begins = np.concatenate([tasks["ready"], short["ready"]])
    return steps(begins, np.concatenate([tasks["placed"], over]),
                 pd.DataFrame({"waiting": np.ones(len(begins))}))


def leftover(log: Log, edges: np.ndarray) -> pd.DataFrame:
    """Share of each dimension that is free while some task waits, by the bin's start.

    The mean over that part of each bin in which one does, NaN where none does. It is what the
    scheduler could not place or chose not to, not what jobs could have yielded (Carbyne paper,
    section 2.2).
    """
    free, waits = _free_and_waiting(log)
    part = means(waits.to_frame(), edges)["waiting"]
    return means(free.mul(waits, axis=0), edges).div(part.where(part > ROUNDING), axis=0)


def leftover_figures(log: Log) -> pd.DataFrame:
    """One row a dimension: leftover_mean and leftover_median over the time in which a task waits.

    Half of that time at least leftover_median is left over, the form of the Carbyne paper's
    section 2.2. NaN if no task ever waits.
    """
    free, waits = _free_and_waiting(log)
    held = lasting(free) * waits.to_numpy()
    found = pd.DataFrame(np.nan, index=pd.Index(free.columns, name="resource"),
                         columns=["leftover_mean", "leftover_median"])
    if held.sum() > 0:
        found["leftover_mean"] = np.average(free, axis=0, weights=held)
        found["leftover_median"] = [_median(free[kind].to_numpy(), held) for kind in free]
    return found


def _free_and_waiting(log: Log) -> tuple[pd.DataFrame, pd.Series]:
    """Free shares, and 1 while a task waits, else 0: step functions with the same rows."""
    in_use, count = shares(log), waiting(log)
    times = np.union1d(in_use.index, count.index)
    return 1 - at(in_use, times), (at(count, times)["waiting"] > 0).astype(float)


def _median(values: np.ndarray, weights: np.ndarray) -> float:
    """The largest value that is reached by half of the weight or more."""
    order = np.argsort(values)[::-1]
    upto = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(upto, upto[-1] / 2)])
