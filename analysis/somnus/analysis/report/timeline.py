"""What the page's timeline is drawn from: attempts of a run, and its jobs, as columns.

Times become whole ticks since the run's first instant, a power of ten of seconds, so that the whole
run is 10^8 to 10^9 of them: 1 ms in four days.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from somnus.analysis.reading.log import Log
from somnus.analysis.report.pack import Column
from somnus.analysis.report.spans import attempts, horizon
from somnus.analysis.report.wait_causes import CAUSES

MOST_TICKS = 1e9
NO_TICK = 2**32 - 1
STRAGGLES = 2.0  # times the median of its stage's attempts that finished
WARM, STRAGGLER, NO_START, OUTCOME = 1, 2, 4, 8  # bits and the first bit of the outcome


@dataclass(frozen=True)
class Clock:
    """Seconds as ticks since `origin`."""

    origin: float
    tick: float
    span: float  # seconds

    @staticmethod
    def of(log: Log) -> Clock:
        until = horizon(log)
        first = log.jobs["submit"].min()
        origin = float(min(first, until)) if np.isfinite(first) else 0.0
        origin = 0.0 if 0 <= origin < until / 2 else origin
        span = max(until - origin, 1e-6) if np.isfinite(until) else 1.0
        return Clock(origin, 10.0 ** math.ceil(math.log10(span / MOST_TICKS)), span)

    def ticks(self, times: pd.Series | np.ndarray) -> np.ndarray:
        """Of times before the origin the origin; what did not happen is NO_TICK."""
        ticks = np.round((np.asarray(times, float) - self.origin) / self.tick)
        return np.where(np.isfinite(ticks), np.clip(ticks, 0, NO_TICK - 1), NO_TICK).astype(np.int64)


def attempt_columns(log: Log, clock: Clock, most: int, first_jobs: np.ndarray) -> tuple[list[Column], int]:
    """Attempts by job, stage and start; and how many there are beyond `most`, which are left out.

    Then whole jobs are: those of `first_jobs` stay, and of the others as many as there is room for,
    spread evenly over the run. Columns: attempts_of, by job; stage; start, run, waited for a place
    (ready .. placed), to_node (placed .. queued), in_queue (queued .. start); node, slot, flags.
    """
    rows = attempts(log)
    rows["straggles"] = _straggles(rows)
    kept = _kept_jobs(rows["job"], len(log.jobs), most, first_jobs)
    left_out = int((~kept[rows["job"].to_numpy(int)]).sum())
    rows = rows[kept[rows["job"].to_numpy(int)]]
    until = horizon(log)
    start = rows["start"].fillna(rows["queued"]).fillna(rows["placed"])
    rows = rows.assign(drawn=start, until=rows["finish"].fillna(until))
    rows = rows.sort_values(["job", "stage", "drawn"], kind="stable")
    ready, placed = clock.ticks(rows["ready"]), clock.ticks(rows["placed"])
    queued = clock.ticks(rows["queued"].fillna(rows["placed"]))
    starts, ends = clock.ticks(rows["drawn"]), clock.ticks(rows["until"])
    warms_up = log.config.get("jvm", {}).get("model", "none") != "none"
    warm = rows["warm"].to_numpy(int) if warms_up else np.ones(len(rows), int)
    flags = (warm * WARM + rows["straggles"].to_numpy(int) * STRAGGLER
             + rows["start"].isna().to_numpy(int) * NO_START + rows["outcome"].to_numpy(int) * OUTCOME)

    rows_of = np.array(lanes(log))

    def length(begin: np.ndarray, end: np.ndarray) -> np.ndarray:
        return np.where(begin == NO_TICK, 0, np.maximum(end - begin, 0))

    return [
        Column("attempts_of", np.bincount(rows["job"].to_numpy(int), minlength=len(log.jobs))),
        Column("stage", rows["stage"].to_numpy(), in_steps=True),
        Column("start", starts, in_steps=True),
        Column("run", length(starts, ends)),
        Column("ready", np.where(ready == NO_TICK, placed, ready), in_steps=True),
        Column("to_node", length(placed, queued)),
        Column("in_queue", length(queued, starts)),
        Column("node", rows["node"].to_numpy()),
        Column("slot", np.minimum(rows["slot"].to_numpy(int), rows_of[rows["node"].to_numpy(int)] - 1)),
        Column("flags", flags),
    ], left_out


def job_columns(log: Log, clock: Clock, waits: pd.DataFrame) -> list[Column]:
    """By job: submit, finish (ticks), tasks, user, state, response [s], slowdown, and seconds by cause."""
    jobs = log.jobs
    return [
        Column("submit", clock.ticks(jobs["submit"])),
        Column("finish", clock.ticks(jobs["finish"])),
        Column("tasks", jobs["tasks"].to_numpy()),
        Column("user", jobs["user"].to_numpy()),
        Column("state", jobs["state"].to_numpy()),
        Column("response", jobs["response_time"].to_numpy(float)),
        Column("slowdown", jobs["slowdown"].to_numpy(float)),
        *(Column(cause, waits[cause].to_numpy(float)) for cause in CAUSES if waits[cause].any()),
    ]


def lanes(log: Log) -> list[int]:
    """By node, how many rows it takes: its slots, or the most tasks that it ran at once."""
    if log.slots:
        return [int(slots) for slots in log.nodes["slots"]]
    most = log.tasks.groupby("node")["slot"].max().reindex(range(len(log.nodes))).fillna(0)
    return [int(slot) + 1 for slot in most]


def _straggles(rows: pd.DataFrame) -> np.ndarray:
    took = rows["finish"] - rows["start"]
    usual = took.where(rows["outcome"] == 0).groupby(rows["stage"]).transform("median")
    return (took > STRAGGLES * usual).to_numpy()


def _kept_jobs(jobs: pd.Series, count: int, most: int, first_jobs: np.ndarray) -> np.ndarray:
    """By job, whether its attempts are in the page."""
    sizes = np.bincount(jobs.to_numpy(int), minlength=count)
    if sizes.sum() <= most:
        return np.ones(count, bool)
    spread = np.argsort((np.arange(count) * 0.6180339887498949) % 1, kind="stable")
    order = np.concatenate([first_jobs, spread[~np.isin(spread, first_jobs)]]).astype(int)
    kept = np.zeros(count, bool)
    kept[order[np.cumsum(sizes[order]) <= most]] = True
    return kept
