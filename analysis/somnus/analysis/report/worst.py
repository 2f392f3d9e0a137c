"""Where to look next: the worst jobs, and users that starve."""

import numpy as np
import pandas as pd

from somnus.analysis.metrics import users
from somnus.analysis.reading.log import Log
from somnus.analysis.reading.schema import FAILURES
from somnus.analysis.report.spans import attempts, horizon
from somnus.analysis.report.wait_causes import CAUSES


def worst_jobs(log: Log, waits: pd.DataFrame, most: int) -> pd.DataFrame:
    """The jobs with the largest slowdown, by job id; `waits` as wait_causes.by_job has them.

    Of a job that has not finished it is how long it has been there / alone. Columns: name, user,
    state, tasks, submit, response [s], slowdown, wait [s a task], and a column a cause, share of
    the wait.
    """
    jobs = log.jobs
    ends = jobs["finish"].where(jobs["state_name"].isin(["finished", *FAILURES]), horizon(log))
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
