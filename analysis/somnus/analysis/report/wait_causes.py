"""Why tasks waited: the time that each was ready and not placed, by cause.

spans.py says what a task's wait consists of. Its pending spans, ready .. placed, are divided here; at
each instant of one the first of these holds:

    held      a node that is up had room for it, by what was reported to the scheduler, and any node may be used
              at any time (feedback at-once): the policy left it empty, by a target or quota, or since
              it waited for answers
    order     since it became ready another job's task was taken first: had its own job been first, it
              would have started by then. Each launch of another job's task, at a place where this one
              would have fitted, passes over one task of each stage that waits then, the one that was
              to be placed soonest
    news      a node had room, but may be used only as it reports (any other feedback); or it had room
              in truth, and the end that made it was not yet reported to the scheduler
    lost      no node that is up is large enough for it: those that are were lost
    room      nothing had room for its demand, although a node had some of all that it asks for free
    full      every node was full: no slot free, or none of some resource that it asks for

Room is a free slot, and free amounts of at least its demand, as the scheduler estimates it (free_capacity.py);
a place in a node's queue is none. What is placed into a slot that its node held for the stage passes
over nobody. Without decisions in the log (log.replay = false) pending spans are `unknown`.

The causes of a job add up to its wait: `parents`, `again` and `queue` are spans of their own, and
`news` is also the way of messages.
"""

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from somnus.analysis.reading.log import Log
from somnus.analysis.report.free_capacity import FreeCapacity, free_capacity, stage_demands
from somnus.analysis.report.spans import spans

CAUSES = ("order", "full", "room", "held", "news", "queue", "parents", "again", "lost", "unknown")
WORDS = {
    "order": "another job's task was taken first",
    "full": "nothing free anywhere",
    "room": "no room for its demand",
    "held": "the policy left a place empty",
    "news": "messages and heartbeats",
    "queue": "in a node's queue",
    "parents": "until its parents ended",
    "again": "failed, lost or slow attempts",
    "lost": "nodes that could hold it were lost",
    "unknown": "the log has no decisions",
}
SOME = 1  # millionths: as little as there can be


def by_task(log: Log) -> pd.DataFrame:
    """One row a span or a part of one: job, stage, task, and a column a cause, in seconds."""
    found = spans(log)
    pending = (found["kind"] == "pending").to_numpy()
    causes = {cause: np.where(found["kind"] == cause, found["end"] - found["begin"], 0.0)
              for cause in CAUSES}
    if _has_decisions(log):
        for cause, seconds in _divided(log, found[pending]).items():
            causes[cause][pending] = seconds
    else:
        causes["unknown"][pending] = (found["end"] - found["begin"])[pending]
    return found[["job", "stage", "task"]].assign(**causes)


def by_job(log: Log) -> pd.DataFrame:
    """One row a job, by its id: task-seconds of waiting by cause."""
    summed = by_task(log).groupby("job")[list(CAUSES)].sum()
    return summed.reindex(range(len(log.jobs)), fill_value=0.0)


def _has_decisions(log: Log) -> bool:
    return len(log.decisions["launch"]) > 0 or log.tasks.empty


def _divided(log: Log, pending: pd.DataFrame) -> dict[str, np.ndarray]:
    """Of each pending span, seconds by cause."""
    reported, truth = free_capacity(log)
    demands = stage_demands(log)
    marks = _passed_over(log, pending, reported, demands)
    seconds = {cause: np.zeros(len(pending)) for cause in CAUSES}
    stages = pending["stage"].to_numpy(int)
    unlike, which = np.unique(demands[stages], axis=0, return_inverse=True)
    begins, ends = pending["begin"].to_numpy(), pending["end"].to_numpy()
    free_to_use = log.config.get("scheduler", {}).get("feedback", "at-once") == "at-once"
    for kind, rows in _groups(which.ravel()):
        states = _States(unlike[kind], reported, truth, begins[rows].min(), ends[rows].max())
        passed = np.clip(marks[rows], begins[rows], ends[rows])
        for state in _States.NAMES:
            cause = _cause(state, free_to_use)
            seconds[cause][rows] += states.time(state, begins[rows], passed)
            cause = cause if cause == "held" else "order"
            seconds[cause][rows] += states.time(state, passed, ends[rows])
    return seconds


def _cause(state: str, free_to_use: bool) -> str:
    """Of a task that was not passed over."""
    return {"open": "held" if free_to_use else "news", "unheard": "news"}.get(state, state)


class _States:
    """In which state the cluster was for tasks of one demand, over [begin, end)."""

    NAMES = ("open", "unheard", "lost", "room", "full")

    def __init__(self, demand: np.ndarray, reported: FreeCapacity, truth: FreeCapacity, begin: float, end: float):
        up = np.append(demand, 1)
        some = np.append(np.minimum(demand, SOME), 1)
        steps = [reported.fitting(up, begin, end), truth.fitting(up, begin, end),
                 reported.fitting(some, begin, end), _large_enough(reported, up, begin, end)]
        self._times = np.unique(np.concatenate([times for times, _ in steps] + [[end]]))
        fits, fits_in_truth, has_some, exists = (
            counts[np.searchsorted(times, self._times, "right") - 1] > 0 for times, counts in steps)
        state = np.select([fits, fits_in_truth, ~exists, has_some], [0, 1, 2, 3], 4)
        lengths = np.diff(self._times)
        self._before = {
            name: np.concatenate([[0.0], np.cumsum(np.where(state[:-1] == index, lengths, 0.0))])
            for index, name in enumerate(self.NAMES)
        }

    def time(self, state: str, begins: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """Seconds in that state between each begin and its end."""
        return (np.interp(ends, self._times, self._before[state])
                - np.interp(begins, self._times, self._before[state]))


def _large_enough(reported: FreeCapacity, needs: np.ndarray, begin: float,
                  end: float) -> tuple[np.ndarray, np.ndarray]:
    """How many nodes are up that would hold it if they were empty, as FreeCapacity.fitting."""
    changes = reported.changes
    large = (reported.capacity >= needs).all(axis=1)
    steps = (changes.after[:, -1] - changes.before[:, -1]) * large[changes.nodes]
    moved = np.flatnonzero(steps)
    counts = large.sum() + np.concatenate([[0], np.cumsum(steps[moved])])
    times = np.concatenate([[-np.inf], changes.times[moved]])
    places = np.unique(np.searchsorted(times, [begin, *times[(times > begin) & (times < end)]],
                                       "right") - 1)
    return np.maximum(times[places], begin), counts[places]


def _passed_over(log: Log, pending: pd.DataFrame, reported: FreeCapacity, demands: np.ndarray) -> np.ndarray:
    """By pending span, when another job's task was first taken in its stead; infinite: never.

    Tasks of a stage that became ready together are passed over in the order in which they were
    placed. Task i, from 0, is passed over by the next such launch that did not pass over one before
    it, if that was before its own launch: with o_i of them before its own, q_(i+1) = min(q_i + 1, o_i)
    have been used up by the tasks up to i.
    """
    launches = log.decisions["launch"]
    job_of = log.stages["job"].to_numpy()
    times, jobs = launches["time"].to_numpy(), job_of[launches["stage"]]
    takes_any = (launches["into"] == 0).to_numpy() if "into" in launches else np.ones(len(jobs), bool)
    resources = slice(int(log.slots > 0), -1)
    free = reported.changes.before[reported.changes.places[:len(launches)]][:, resources]
    wanted = demands[:, resources.start:]
    numbers = launches["number"].to_numpy(float)  # as places are: searching converts no table then
    by_resources = bool(log.resources)
    marks = np.full(len(pending), np.inf)
    begins, places = pending["begin"].to_numpy(), pending["place"].to_numpy()
    stages = pending["stage"].to_numpy(int)
    ready = np.unique(np.stack([stages, begins]), axis=1, return_inverse=True)[1]
    for _, rows in _groups(ready.ravel()):
        rows = rows[np.argsort(places[rows], kind="stable")]
        stage = stages[rows[0]]
        low = np.searchsorted(times, begins[rows[0]])
        own = np.searchsorted(numbers, places[rows])
        job, demand = job_of[stage], wanted[stage]

        def passes(window: slice) -> np.ndarray:
            others = takes_any[window] & (jobs[window] != job)
            return others & (free[window] >= demand).all(axis=1) if by_resources else others

        chances = _first(passes, low, own[-1], len(rows))
        before_own = np.searchsorted(chances, own)
        count = np.arange(len(rows))
        used = count + np.minimum.accumulate(np.append(0, before_own - count - 1)[:-1])
        passed = before_own > used
        marks[rows[passed]] = times[chances[used[passed]]]
    return marks


def _first(holds: Callable[[slice], np.ndarray], low: int, high: int, wanted: int) -> np.ndarray:
    """The first places in [low, high) of which it holds, no fewer than wanted if there are so many.

    No task needs a later one: each uses up one at most.
    """
    found, count, size = [], 0, 2 * wanted + 64
    while low < high and count < wanted:
        places = low + np.flatnonzero(holds(slice(low, min(low + size, high))))
        found.append(places)
        low, count, size = low + size, count + len(places), 2 * size
    return np.concatenate(found) if found else np.empty(0, np.int64)


def _groups(keys: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Each key with the places where it stands."""
    order = np.argsort(keys, kind="stable")
    heads = np.flatnonzero(np.diff(keys[order], prepend=-1))
    for places in np.split(order, heads[1:]):
        if len(places):
            yield keys[places[0]], places
