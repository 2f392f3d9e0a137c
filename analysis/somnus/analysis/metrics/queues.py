"""Slots, node queues and named queues over time, as papers on worker queues report them.

Definitions are those of `somnus summary`. Times are emulated seconds since the run's start, shares
are of 1. Means over time are exact: they come from the stamps in /tasks, not from samples. No node
has reported the start of an attempt that the run's end cut off, so none of these has it.
"""

import numpy as np
import pandas as pd

from somnus.analysis.reading.log import Log

BINS = 200  # more than that is noise at a figure's width
ROUNDING = 1e-9  # of sums of times


def span(log: Log) -> tuple[float, float]:
    """The ends of the makespan: first submit and last end of a task. NaN where there is none."""
    return float(log.jobs["submit"].min()), float(log.tasks["finish"].max())


def edges(log: Log, bins: int = BINS) -> np.ndarray:
    """The `bins` + 1 edges of equal bins over the makespan; none if no task has ended."""
    first, last = span(log)
    return np.linspace(first, last, bins + 1) if last > first else np.array([])


def utilisation(log: Log, edges: np.ndarray) -> pd.Series:
    """Occupied slots / all slots, mean over each bin, by the bin's start; NaN without slots."""
    tasks = log.tasks
    return _mean_count(tasks["start"], tasks["finish"], edges) / (log.slots or np.nan)


def queue_length(log: Log, edges: np.ndarray) -> pd.Series:
    """Tasks that wait in all nodes' queues, mean over each bin, by the bin's start.

    Those that never started are not among them: no log tells when they left their queue.
    """
    tasks = log.tasks[log.tasks["queuing_delay"].notna()]
    return _mean_count(tasks["queued"], tasks["start"], edges)


def shares(log: Log, edges: np.ndarray) -> pd.DataFrame:
    """Each named queue's part of the occupied slots in each bin, by the bin's start.

    One column a queue of the workload, by name. NaN for a bin in which no slot was occupied.
    """
    occupied = pd.DataFrame({
        name: _mean_count(tasks["start"], tasks["finish"], edges)
        for name, tasks in _tasks_by_queue(log).items()
    })
    total = occupied.sum(axis=1)
    return occupied.div(total.where(total > ROUNDING), axis=0)


def share_figures(log: Log) -> pd.DataFrame:
    """How named queues share the occupied slots while every one of them has demand.

    One row a queue, by name: share_mean, share_deviation (over time, of the population) and
    share_farthest (from the mean, at any instant). NaN where the queues never meet.
    """
    by_queue = _tasks_by_queue(log)
    contention = _contention(log)
    stamps = [tasks[each].to_numpy() for tasks in by_queue.values() for each in ("start", "finish")]
    times = np.unique(np.concatenate([*contention, *stamps]))
    occupied = np.array([count_at(tasks["start"].to_numpy(), tasks["finish"].to_numpy(), times)
                         for tasks in by_queue.values()])
    total = occupied.sum(axis=0)
    counts = (count_at(*contention, times) > 0) & (total > 0)
    figures = pd.DataFrame(np.nan, index=pd.Index(by_queue, name="queue"),
                           columns=["share_mean", "share_deviation", "share_farthest"])
    if counts.any():
        lasts = np.diff(times, append=times[-1])[counts]
        share = occupied[:, counts] / total[counts]
        mean = np.average(share, axis=1, weights=lasts)
        off = share - mean[:, None]
        figures["share_mean"] = mean
        figures["share_deviation"] = np.sqrt(np.average(off**2, axis=1, weights=lasts))
        figures["share_farthest"] = np.abs(off).max(axis=1)
    return figures


def contended_time(log: Log) -> float:
    """Seconds in which every named queue has demand."""
    starts, ends = _contention(log)
    return float((ends - starts).sum())


def per_queue(log: Log) -> pd.DataFrame:
    """One row a named queue, by name: its jobs, and its share; empty if there is one queue.

    Columns: jobs_submitted, jobs_finished, tasks_submitted; response_mean_s; those of
    share_figures.
    """
    if log.jobs["queue_name"].nunique() < 2:
        return pd.DataFrame()
    shared = share_figures(log)
    by_queue = log.jobs[log.jobs["state_name"] != "not submitted"].groupby("queue_name")
    own = pd.DataFrame({
        "jobs_submitted": by_queue.size(),
        "jobs_finished": by_queue["response_time"].count(),
        "tasks_submitted": by_queue["tasks"].sum(),
        "response_mean_s": by_queue["response_time"].mean(),
    }).reindex(shared.index)
    counts = ["jobs_submitted", "jobs_finished", "tasks_submitted"]
    own[counts] = own[counts].fillna(0).astype(int)
    return own.join(shared)


def _tasks_by_queue(log: Log) -> dict[str, pd.DataFrame]:
    """Attempts that occupied a slot for some time, by the names of all queues in order."""
    tasks = log.tasks[log.tasks["start"] < log.tasks["finish"]]
    queue = log.jobs["queue_name"].to_numpy()[tasks["job"].to_numpy()]
    return {name: tasks[queue == name] for name in sorted(log.jobs["queue_name"].unique())}


def _contention(log: Log) -> tuple[np.ndarray, np.ndarray]:
    """Starts and ends of the spans in which every queue has demand."""
    jobs = log.jobs[log.jobs["state_name"] != "not submitted"]
    # A job that never finished has demand to the log's end.
    last = np.nanmax([jobs["submit"].max(), jobs["finish"].max(), log.tasks["finish"].max(), 0])
    ends = jobs["finish"].fillna(last)
    times = np.unique(np.concatenate([jobs["submit"], ends]))
    together = np.ones(len(times), bool)
    for name in log.jobs["queue_name"].unique():
        own = jobs["queue_name"] == name
        together &= count_at(jobs["submit"][own].to_numpy(), ends[own].to_numpy(), times) > 0
    return times[:-1][together[:-1]], times[1:][together[:-1]]


def count_at(starts: np.ndarray, ends: np.ndarray, times: np.ndarray) -> np.ndarray:
    """How many of the spans [start, end) hold each time."""
    begun = np.searchsorted(np.sort(starts), times, side="right")
    return begun - np.searchsorted(np.sort(ends), times, side="right")


def _mean_count(starts: pd.Series, ends: pd.Series, edges: np.ndarray) -> pd.Series:
    """Mean number of the spans [start, end) in each bin; one without both ends is left out."""
    edges = np.asarray(edges, float)
    known = starts.notna().to_numpy() & ends.notna().to_numpy()
    held = (_time_since(starts.to_numpy()[known], edges)
            - _time_since(ends.to_numpy()[known], edges))
    index = pd.Index(edges[:-1], name="time")
    return pd.Series(np.diff(held) / np.diff(edges), index=index)


def _time_since(instants: np.ndarray, times: np.ndarray) -> np.ndarray:
    """At each time, the sum over all earlier instants of the time since then."""
    origin = times[0] if len(times) else 0.0  # small numbers keep their digits in sums
    ordered = np.sort(instants - origin)
    sums = np.concatenate([[0.0], np.cumsum(ordered)])
    earlier = np.searchsorted(ordered, times - origin)
    return earlier * (times - origin) - sums[earlier]
