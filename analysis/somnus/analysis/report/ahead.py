"""Who went first while a job waited, and for how long.

While a task waits to be placed, others hold what it waits for. Each instant of its wait is divided among
the jobs whose attempts run then, by what they hold: slots, or in a cluster without slots the resource of
which the task asks for the largest share of all. So a job's parts add up to the time for which its tasks
were pending, but for instants at which nothing ran. Its own tasks hold slots, too: of a wide job they are
much of it.

An attempt that was placed once the task was ready *went first*; others were there already.
"""

import numpy as np
import pandas as pd

from somnus.analysis.reading.log import Log
from somnus.analysis.report.free_capacity import capacities, stage_demands
from somnus.analysis.report.spans import attempts, horizon, spans


def ahead(log: Log, jobs: np.ndarray) -> dict[int, pd.DataFrame]:
    """By job, one row a job that ran while its tasks were pending, the one with the most first.

    Columns: job, seconds [task-seconds of this job's wait], went_first [those of them that are of
    attempts which were placed once the waiting task was ready].
    """
    pending = spans(log)
    pending = pending[(pending["kind"] == "pending") & pending["job"].isin(jobs)]
    running = attempts(log)
    running = running.assign(finish=running["finish"].fillna(horizon(log)))
    running = running[running["finish"] > running["start"]]
    held = _held(log)
    found: dict[int, list[pd.DataFrame]] = {int(job): [] for job in jobs}
    for (job, stage, ready), waiting in pending.groupby(["job", "stage", "begin"], sort=True):
        found[int(job)].append(_of_tasks(waiting["end"].to_numpy(), ready, running,
                                         held[:, _scarcest(log, int(stage), held)]))
    return {job: _summed(parts) for job, parts in found.items()}


def _held(log: Log) -> np.ndarray:
    """What an attempt of each stage holds, as a share of the cluster: a row a stage, a column a kind."""
    whole = capacities(log).sum(axis=0).astype(float)
    demands = stage_demands(log) / np.where(whole > 0, whole, 1)
    return demands[:, :1] if log.slots else demands


def _scarcest(log: Log, stage: int, held: np.ndarray) -> int:
    """The column of which the stage asks for the largest share."""
    return 0 if log.slots else int(held[stage].argmax())


def _of_tasks(ends: np.ndarray, ready: float, running: pd.DataFrame, held: np.ndarray) -> pd.DataFrame:
    """Of tasks that became ready together and were placed at `ends`."""
    there = running[(running["finish"] > ready) & (running["start"] < ends.max())]
    weights = held[there["stage"].to_numpy(int)]
    begins = np.fmax(there["start"].to_numpy(float), ready)
    finishes = there["finish"].to_numpy(float)
    times = np.unique(np.concatenate([[ready], ends, begins, finishes]))
    spans_s = np.diff(times)
    waiting = len(ends) - np.searchsorted(np.sort(ends), times[:-1], side="right")
    change = np.zeros(len(times))
    np.add.at(change, np.searchsorted(times, begins), weights)
    np.add.at(change, np.searchsorted(times, finishes), -weights)
    in_use = np.cumsum(change)[:-1]
    rate = np.divide(waiting, in_use, out=np.zeros(len(spans_s)), where=in_use > 1e-12)
    until = np.concatenate([[0.0], np.cumsum(rate * spans_s)])
    seconds = weights * (np.interp(finishes, times, until) - np.interp(begins, times, until))
    later = there["placed"].fillna(there["start"]).to_numpy(float) >= ready
    return pd.DataFrame({"job": there["job"].to_numpy(int), "seconds": seconds,
                         "went_first": np.where(later, seconds, 0.0)})


def _summed(parts: list[pd.DataFrame]) -> pd.DataFrame:
    if not parts:
        return pd.DataFrame({"job": np.empty(0, int), "seconds": [], "went_first": []})
    found = pd.concat(parts).groupby("job", as_index=False)[["seconds", "went_first"]].sum()
    found = found[found["seconds"] > 0]
    return found.sort_values(["seconds", "job"], ascending=[False, True], ignore_index=True)
