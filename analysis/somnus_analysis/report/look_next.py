"""Where to look next: the worst jobs, users that starve, bounds and promises that were broken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from somnus_analysis import users
from somnus_analysis.log import Log
from somnus_analysis.report.spans import attempts, horizon
from somnus_analysis.report.why import CAUSES

ROUNDING = 1e-9  # of the fluids' sums


def worst_jobs(log: Log, waits: pd.DataFrame, most: int) -> pd.DataFrame:
    """The jobs with the largest slowdown, by job id; `waits` as why.by_job has them.

    Of a job that has not finished it is how long it has been there / alone. Columns: name, user,
    state, tasks, submit, response [s], slowdown, wait [s a task], and a column a cause, share of
    the wait.
    """
    jobs = log.jobs
    ends = jobs["finish"].where(jobs["state_name"].isin(["finished", "failed"]), horizon(log))
    response = ends - jobs["submit"]
    slowdown = (response / jobs["alone"].where(jobs["alone"] > 0)).where(response > 0)
    worst = slowdown.dropna().sort_values(ascending=False, kind="stable").index[:most]
    waited = waits[list(CAUSES)].sum(axis=1)
    shares = waits[list(CAUSES)].div(waited.where(waited > 0), axis=0).fillna(0.0)
    table = pd.DataFrame({
        "name": jobs["job_name"], "user": jobs["user_name"], "state": jobs["state_name"],
        "tasks": jobs["tasks"], "submit": jobs["submit"], "response": response,
        "slowdown": slowdown, "wait": waited / jobs["tasks"].where(jobs["tasks"] > 0),
    })
    return table.join(shares).loc[worst]


def starved_users(log: Log, most: int) -> pd.DataFrame:
    """Users by the longest time for which some task of theirs was ready and none of theirs ran.

    One row a user, by name, those that starved longest first. Columns: those of users.per_user, and
    longest_without [s] and its `since` [s].
    """
    found = users.per_user(log)
    rows = attempts(log)
    user = log.jobs["user"].to_numpy(int)[rows["job"].to_numpy(int)]
    without = longest_without(
        user, rows["ready"].to_numpy(), rows["start"].to_numpy(), rows["finish"].to_numpy(),
        horizon(log))
    without.index = np.array(log.names["users"], dtype=object)[without.index.to_numpy(int)]
    found = found.join(without).fillna({"longest_without": 0.0})
    return found.sort_values("longest_without", ascending=False, kind="stable").head(most)


def longest_without(owner: np.ndarray, ready: np.ndarray, start: np.ndarray, finish: np.ndarray,
                    until: float) -> pd.DataFrame:
    """By owner, the longest span with a task that waits and none that runs, and when it began.

    A task waits from `ready` to `start` and runs from `start` to `finish`; what is NaN comes at
    `until` or later.
    """
    start = np.where(np.isnan(start), until, start)
    finish = np.where(np.isnan(finish), until, finish)
    ready = np.fmin(ready, start)
    count = len(owner)
    times = np.concatenate([ready, start, start, finish])
    waiting = np.repeat([1, -1, 0, 0], count)
    running = np.repeat([0, 0, 1, -1], count)
    owners = np.tile(owner, 4)
    order = np.lexsort((times, owners))
    owners, times = owners[order], times[order]
    # Both come back to zero with the last change of each owner.
    starves = (np.cumsum(waiting[order]) > 0) & (np.cumsum(running[order]) == 0)
    changes = (np.append(np.diff(times) > 0, True) | np.append(np.diff(owners) != 0, True))[:len(times)]
    owners, times, starves = owners[changes], times[changes], starves[changes]
    begins = np.flatnonzero(starves & ~np.concatenate([[False], starves[:-1]]))
    ends = np.flatnonzero(~starves & np.concatenate([[False], starves[:-1]]))
    spans = pd.DataFrame({"owner": owners[begins], "since": times[begins],
                          "longest_without": times[ends] - times[begins]})
    longest = spans.sort_values("longest_without", ascending=False, kind="stable")
    return longest.drop_duplicates("owner").set_index("owner")[["longest_without", "since"]]


@dataclass(frozen=True)
class Bound:
    """How late jobs may be, and were."""

    title: str
    promised: bool  # by this scheduler, for this cluster and workload
    jobs: int
    broken: int
    worst: float  # share of what is allowed
    worst_job: int


def bounds(log: Log) -> list[Bound]:
    """Against the fluids, where jobs have one stage and nodes have slots alone; and promises."""
    found = []
    scheduler = log.config.get("scheduler", {})
    kept = _is_as_the_theorems_ask(log)
    allowed = _fluid_bound(log)
    for column, order, title in (
        ("gps_finish", "cfq", "later than in GPS by 2 l_max + L_max / M (CFQ, Theorem 1)"),
        ("ujf_finish", "uwfq", "later than in fluid UJF by 2 l_max + L_max / M (UWFQ)"),
    ):
        is_own = scheduler.get("order") == order
        if allowed > 0 and (is_own or order == "cfq"):
            late = log.jobs["finish"] - log.jobs[column]
            found += _bound(title, is_own and kept, late / allowed)
    promises = log.decisions["promise"]
    if len(promises):
        last = promises.drop_duplicates("job", keep="last").set_index("job")["end"]
        jobs = log.jobs.loc[last.index]
        taken, meant = jobs["finish"] - jobs["submit"], last - jobs["submit"]
        found += _bound("what the policy promised last: the job's response time / the promised one",
                        True, taken / meant.where(meant > 0))
    return found


def _bound(title: str, promised: bool, shares: pd.Series) -> list[Bound]:
    known = shares.dropna()
    if known.empty:
        return []
    return [Bound(title, promised, len(known), int((known > 1 + ROUNDING).sum()),
                  float(known.max()), int(known.idxmax()))]


def _fluid_bound(log: Log) -> float:
    """2 longest task + largest job / slots [s]; 0 where it says nothing (CFQ paper, section IV)."""
    jobs = log.jobs
    if log.resources or not log.slots or jobs.empty or (jobs["stages"] != 1).any():
        return 0.0
    longest = log.tasks["nominal"].max()
    return float(np.nan_to_num(2 * longest + jobs["slot_time"].max() / log.slots))


def _is_as_the_theorems_ask(log: Log) -> bool:
    """Estimates are exact, ends are heard when they happen, nodes are alike and never fail."""
    config = log.config
    faults = [value for key, value in config.get("faults", {}).items()
              if key not in ("seed", "missed_heartbeats")]
    return (config.get("estimate", {}).get("model", "exact") == "exact" and not any(faults)
            and config.get("scheduler", {}).get("feedback", "at-once") == "at-once"
            and log.nodes["slowdown"].nunique() <= 1)
