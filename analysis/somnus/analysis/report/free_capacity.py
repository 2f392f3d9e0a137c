"""What nodes had free at every instant, by what the scheduler launched and by what had ended.

A node's free amounts (of slots, and of resources where it has them) are what it has less what was
launched there and is not over. Twice:

    as reported   an attempt is over when the scheduler has its report: what it decides by
    in truth      when it ended on the node, if that was earlier

Launches into a node's queue count, too, so that free slots may be below none. A node that is lost
has nothing free. Amounts are whole millionths, as the scheduler has them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from somnus.analysis.reading.log import Log
from somnus.analysis.report.spans import NEVER

MILLION = 1e6


def millionths(amounts: np.ndarray) -> np.ndarray:
    return np.round(np.asarray(amounts, float) * MILLION).astype(np.int64)


def stage_demands(log: Log) -> np.ndarray:
    """What a task of each stage takes, as the scheduler estimates it: a row a stage, millionths.

    Columns: slots where nodes have any, then resources.
    """
    estimated = log.stage_demands.to_numpy(float).copy() if log.resources else np.empty((len(log.stages), 0))
    rows = log.events["stage_estimated"]
    columns = [f"demand_{name}" for name in log.resources]
    if log.resources and len(rows) and set(columns) <= set(rows.columns):
        estimated[rows["stage"].to_numpy(int)] = rows[columns].to_numpy(float)
    slots = np.ones((len(estimated), 1 if log.slots else 0))
    return millionths(np.concatenate([slots, estimated], axis=1))


def capacities(log: Log) -> np.ndarray:
    """What nodes have: a row a node, columns as of stage_demands."""
    slots = log.nodes[["slots"]].to_numpy(float) if log.slots else np.empty((len(log.nodes), 0))
    has = log.capacities.to_numpy(float) if log.resources else np.empty((len(log.nodes), 0))
    return millionths(np.concatenate([slots, has], axis=1))


@dataclass(frozen=True)
class Changes:
    """What changed a node's free amounts, in the order in which it happened."""

    times: np.ndarray
    nodes: np.ndarray
    before: np.ndarray  # free amounts, a row a change; the last column: 1, the node is up
    after: np.ndarray
    places: np.ndarray  # by launch, in the order of /decisions/launch, its change

    @staticmethod
    def of(times: np.ndarray, order: np.ndarray, nodes: np.ndarray, deltas: np.ndarray,
           capacity: np.ndarray) -> Changes:
        """`order`: of changes of one instant. The first so many that have the same kind keep theirs."""
        by_time = np.lexsort((order, times))
        rank = np.empty(len(times), np.int64)
        rank[by_time] = np.arange(len(times))
        by_node = np.lexsort((rank, nodes))
        running = np.cumsum(deltas[by_node], axis=0)
        heads = np.flatnonzero(np.diff(nodes[by_node], prepend=-1))
        sizes = np.diff(heads, append=len(times))
        offsets = np.repeat(running[heads] - deltas[by_node][heads], sizes, axis=0)
        after = np.empty_like(running)
        after[rank[by_node]] = capacity[nodes[by_node]] + running - offsets
        return Changes(times[by_time], nodes[by_time], after - deltas[by_time], after, rank)


class FreeCapacity:
    """Free amounts of all nodes over time, in one of the two readings."""

    def __init__(self, changes: Changes, capacity: np.ndarray):
        self.changes = changes
        self.capacity = capacity  # with the column that says that nodes are up
        count = len(changes.times)
        self._keys = np.sort(changes.nodes.astype(np.int64) * (count + 1) + np.arange(count))

    def fitting(self, needs: np.ndarray, begin: float, end: float) -> tuple[np.ndarray, np.ndarray]:
        """From when on how many nodes have that free, over [begin, end): times, the first `begin`,
        and counts.
        """
        changes = self.changes
        low, high = np.searchsorted(changes.times, [begin, end], "right")
        first = int((self._state(low) >= needs).all(axis=1).sum())
        window = slice(low, high)
        steps = ((changes.after[window] >= needs).all(axis=1).astype(np.int64)
                 - (changes.before[window] >= needs).all(axis=1))
        counts = first + np.concatenate([[0], np.cumsum(steps)])
        times = np.concatenate([[begin], changes.times[window]])
        last_of_instant = np.append(np.diff(times) > 0, True)
        return times[last_of_instant], counts[last_of_instant]

    def _state(self, change: int) -> np.ndarray:
        """Free amounts of all nodes before that change."""
        count = len(self.changes.times)
        nodes = np.arange(len(self.capacity))
        at = np.searchsorted(self._keys, nodes * (count + 1) + change) - 1
        key = self._keys[np.maximum(at, 0)] if count else np.zeros(len(nodes), np.int64)
        changed = (at >= 0) & (key // (count + 1) == nodes) if count else np.zeros(len(nodes), bool)
        state = self.capacity.copy()
        state[changed] = self.changes.after[key[changed] % (count + 1)]
        return state


def free_capacity(log: Log) -> tuple[FreeCapacity, FreeCapacity]:
    """As reported, and in truth. The log must have its decisions and events."""
    capacity = np.concatenate([capacities(log), np.ones((len(log.nodes), 1), np.int64)], axis=1)
    demands = stage_demands(log)
    launches = log.decisions["launch"]
    needs = demands[launches["stage"].to_numpy(int)]
    reported, ended = _ends(log, launches)
    lost = _losses(log)

    def as_of(ends: np.ndarray) -> FreeCapacity:
        over = ends < NEVER
        times = np.concatenate([launches["time"], ends[over], lost["time"]]).astype(float)
        # Of an instant: what was reported, then what was decided; rounds of an instant one by one.
        rounds = np.concatenate([launches["round"], np.full(over.sum(), -1), lost["round"]])
        rounds[len(launches):len(launches) + over.sum()] = reported["round"][over]
        kinds = np.repeat([1, 0, 0], [len(launches), over.sum(), len(lost)])
        numbers = np.concatenate([launches["number"], reported["number"][over], lost["number"]])
        order = (rounds.astype(np.int64) * 2 + kinds) * 2**32 + numbers.astype(np.int64)
        nodes = np.concatenate([launches["node"], launches["node"][over], lost["node"]]).astype(int)
        resources = np.concatenate([-needs, needs[over], np.zeros((len(lost), needs.shape[1]), int)])
        up = np.concatenate([np.zeros(len(launches) + over.sum(), int), lost["change"]])
        deltas = np.concatenate([resources, up[:, None]], axis=1).astype(np.int64)
        return FreeCapacity(Changes.of(times, order, nodes, deltas, capacity), capacity)

    return as_of(reported["time"].to_numpy()), as_of(ended)


def _ends(log: Log, launches: pd.DataFrame) -> tuple[pd.DataFrame, np.ndarray]:
    """By launch, when and in which round its end was reported, and when it ended; NaN: not yet."""
    key = ["task", "attempt"]
    reported = launches[key].merge(log.events["task_ended"].drop_duplicates(key), "left", key)
    reported = reported[["time", "round", "number"]].set_axis(launches.index)
    reported[["round", "number"]] = reported[["round", "number"]].fillna(0).astype(np.int64)
    finish = launches[key].merge(log.tasks[[*key, "finish"]], "left", key)["finish"].to_numpy()
    return reported, np.fmin(np.where(finish < NEVER, finish, np.nan), reported["time"].to_numpy())


def _losses(log: Log) -> pd.DataFrame:
    """When nodes were lost and came back: time, round, number, node, change (-1 or 1).

    A node that is said to be lost again, as after a resumption, is lost once.
    """
    parts = [log.events[kind][["time", "round", "number", "node"]].assign(change=change)
             for kind, change in (("node_lost", -1), ("node_returned", 1))]
    rows = pd.concat(parts).sort_values("number", kind="stable")
    before = rows.groupby("node")["change"].shift().fillna(1)
    return rows[rows["change"] != before].reset_index(drop=True)
