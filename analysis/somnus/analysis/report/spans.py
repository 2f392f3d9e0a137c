"""What each task waited through until it started, as spans of time that follow one another.

A task's wait goes from the submit of its job to the start of the attempt that finished it; of a task
that has not finished, to the start of its last attempt; of one that no attempt was started of, to
the log's end, or to that of its failed job. The wait of a job is the sum over its tasks, in
task-seconds. A task goes through these spans, which touch, so that they add up to its wait:

    parents   submit .. ready: until the parents of its stage had ended
    news      the same of a stage without parents: until the scheduler knew of the job; and
              placed .. queued: until the node knew of the task
    pending   ready .. placed: until the scheduler placed it; wait_causes.py says why
    queue     queued .. start: in its node's queue. Also placed .. ready again, of an attempt that
              came back from there
    again     placed .. ready again, of an attempt that failed, was lost or was overtaken by its backup

Stamps of nodes are by clocks that are a little off; a stamp before the one that it follows counts as
that one. Only attempts that the scheduler launched are known of a run that was cut off: /tasks gets
its rows as attempts end, so those that ran are taken from /decisions/launch.
"""

import numpy as np
import pandas as pd

from somnus.analysis.reading.log import JOB_STATES, TASK_OUTCOMES, Log
from somnus.analysis.reading.schema import FAILURES

NEVER = 1e17  # stamps from there on, or NaN: it did not happen
RETURNED = TASK_OUTCOMES.index("returned")
FINISHED = TASK_OUTCOMES.index("finished")
UNFINISHED = TASK_OUTCOMES.index("unfinished")
KILLED = TASK_OUTCOMES.index("killed")
FAILED_JOB = [JOB_STATES.index(state) for state in FAILURES]


def horizon(log: Log) -> float:
    """The last instant in the log; NaN if there is none."""
    stamps = [table["time"].max() for table in (*log.events.values(), *log.decisions.values())
              if len(table)]
    stamps += [log.tasks[column][log.tasks[column] < NEVER].max() for column in ("start", "finish")]
    stamps.append(log.samples["time"].max())
    known = [stamp for stamp in stamps if np.isfinite(stamp)]
    return float(max(known)) if known else np.nan


def ready_times(log: Log) -> np.ndarray:
    """By stage, when the scheduler could first have placed a task of it; NaN: not yet.

    Of a run that was cut off /stages is behind: then it is the first in /tasks, or for
    stages without parents when their job arrived.
    """
    ready = log.stages["ready"].to_numpy(float).copy()
    known = log.tasks.groupby("stage")["ready"].min()
    seen = np.full(len(ready), np.nan)
    seen[known.index.to_numpy(int)] = known.to_numpy()
    ready = np.where(np.isnan(ready), seen, ready)
    arrived = np.full(len(log.jobs), np.nan)
    arrivals = log.events["job_arrived"]
    arrived[arrivals["job"].to_numpy(int)] = arrivals["time"]
    roots = np.isnan(ready) & ~has_parents(log)
    ready[roots] = arrived[log.stages["job"].to_numpy(int)[roots]]
    return ready


def has_parents(log: Log) -> np.ndarray:
    """By stage."""
    found = np.zeros(len(log.stages), bool)
    found[log.stage_parents["stage"].to_numpy(int)] = True
    return found


def attempts(log: Log) -> pd.DataFrame:
    """One row an attempt that was launched, by task and attempt, also those that run at the log's end.

    Columns: task, job, stage, node, slot, attempt, outcome, warm, ready, placed, queued, start,
    finish, intended, nominal; times that are not known are NaN.
    """
    columns = ["task", "job", "stage", "node", "slot", "attempt", "outcome", "warm", "ready", "placed",
               "queued", "start", "finish", "intended", "nominal"]
    ended = log.tasks[columns].copy()
    running = _still_running(log, ended)
    found = pd.concat([ended, running], ignore_index=True) if len(running) else ended
    for name in ("ready", "placed", "queued", "start", "finish"):
        found[name] = found[name].where(found[name] < NEVER)
    return found.sort_values(["task", "attempt"], kind="stable", ignore_index=True)


def _still_running(log: Log, ended: pd.DataFrame) -> pd.DataFrame:
    """Launched, and without a row in /tasks. Nobody knows in which slot: each has another of its node."""
    launches = log.decisions["launch"]
    rows = launches[~np.isin(_keys(launches), _keys(ended))]
    stages = rows["stage"].to_numpy(int)
    ready = np.fmin(ready_times(log)[stages], rows["time"])
    return pd.DataFrame({
        "task": rows["task"], "job": log.stages["job"].to_numpy()[stages], "stage": stages,
        "node": rows["node"], "slot": rows.groupby("node").cumcount(), "attempt": rows["attempt"],
        "outcome": UNFINISHED, "warm": 0, "ready": ready, "placed": rows["time"], "queued": np.nan,
        "start": np.nan, "finish": np.nan, "intended": np.nan, "nominal": np.nan,
    })


def _keys(rows: pd.DataFrame) -> np.ndarray:
    return rows["task"].to_numpy(np.int64) * 65536 + rows["attempt"].to_numpy(np.int64)


def spans(log: Log) -> pd.DataFrame:
    """One row a span: job, stage, task, kind, begin, end [s]; `place` of a pending one.

    `place` is the number of the launch that ended it, by /decisions; infinite: none did, or the
    log has no decisions.
    """
    rows = attempts(log)
    until = horizon(log)
    rows = rows[rows["attempt"] <= rows["task"].map(_decisive(rows))]
    submits = log.jobs["submit"].to_numpy()[rows["job"].to_numpy(int)]
    same = rows["task"].eq(rows["task"].shift())
    last = ~rows["task"].eq(rows["task"].shift(-1))
    placed = np.fmax(rows["placed"], submits).groupby(rows["task"]).cummax()
    before = placed.shift().where(same, submits)
    ready = np.fmin(np.fmax(rows["ready"], before), placed)
    queued = np.fmax(rows["queued"], placed)
    start = np.fmax(rows["start"], queued)
    came_back = rows["outcome"].shift().eq(RETURNED)
    root = ~has_parents(log)[rows["stage"].to_numpy(int)]
    kinds = np.select([same & came_back, same, root], ["queue", "again", "news"], "parents")
    numbers = _launch_numbers(log, rows)
    parts = [
        _part(rows, kinds, before, ready),
        _part(rows, "pending", ready, placed, numbers),
        _part(rows[last], "news", placed[last], queued[last]),
        _part(rows[last], "queue", queued[last], start[last]),
        *_launched_no_more(log, rows[last], placed[last], until),
        *_never_launched(log, rows, until),
    ]
    found = pd.concat(parts, ignore_index=True)
    # A task that did not have to wait for its place may have been passed over all the same.
    lasting = (found["end"] > found["begin"]) | (found["kind"] == "pending")
    return found[lasting].reset_index(drop=True)


def _decisive(rows: pd.DataFrame) -> pd.Series:
    """By task, the attempt that finished it, else the last."""
    last = rows.groupby("task")["attempt"].max()
    finished = rows[rows["outcome"] == FINISHED].groupby("task")["attempt"].min()
    return finished.reindex(last.index).fillna(last)


def _launched_no_more(log: Log, last: pd.DataFrame, placed: pd.Series,
                      until: float) -> list[pd.DataFrame]:
    """Tasks whose last attempt came to nothing and that wait for another one."""
    came_to_nothing = ~last["outcome"].isin((FINISHED, UNFINISHED, KILLED))
    job_failed = log.jobs["state"].isin(FAILED_JOB).to_numpy()[last["job"].to_numpy(int)]
    rows = last[came_to_nothing & ~job_failed]
    if rows.empty:
        return []
    ends = log.events["task_ended"].drop_duplicates(["task", "attempt"])
    reported = rows[["task", "attempt"]].merge(ends, "left", ["task", "attempt"])["time"].to_numpy()
    begin = placed[rows.index]
    ready = pd.Series(np.fmax(np.where(np.isnan(reported), rows["finish"], reported), begin), rows.index)
    kinds = np.where(rows["outcome"] == RETURNED, "queue", "again")
    late = pd.Series(until, rows.index)
    return [_part(rows, kinds, begin, np.fmin(ready, until)), _part(rows, "pending", ready, late)]


def _never_launched(log: Log, rows: pd.DataFrame, until: float) -> list[pd.DataFrame]:
    """Tasks of jobs that are there, of which no attempt was placed."""
    stages = log.stages
    total = stages["tasks"].to_numpy(np.int64)
    launched = np.zeros(total.sum(), bool)
    launched[rows["task"].to_numpy(int)] = True
    tasks = np.flatnonzero(~launched)
    stage = np.repeat(np.arange(len(total)), total)[tasks]
    job = stages["job"].to_numpy(int)[stage]
    jobs = log.jobs
    ends = np.where(jobs["state"].isin(FAILED_JOB), jobs["finish"], until)[job]
    submit = jobs["submit"].to_numpy()[job]
    there = submit < ends
    frame = pd.DataFrame({"job": job, "stage": stage, "task": tasks})[there]
    submit, ends = submit[there], ends[there]
    ready = ready_times(log)[stage[there]]
    ready = np.clip(np.where(np.isnan(ready), ends, ready), submit, ends)
    kinds = np.where(has_parents(log)[stage[there]], "parents", "news")
    return [_part(frame, kinds, submit, ready), _part(frame, "pending", ready, ends)]


def _launch_numbers(log: Log, rows: pd.DataFrame) -> np.ndarray:
    """Of each attempt's launch; infinite where the log does not have it."""
    launches = log.decisions["launch"]
    by_key = pd.Series(launches["number"].to_numpy(float), _keys(launches))
    return by_key.reindex(_keys(rows)).fillna(np.inf).to_numpy()


def _part(rows: pd.DataFrame, kind: str | np.ndarray, begin: np.ndarray, end: np.ndarray,
          place: np.ndarray | float = np.inf) -> pd.DataFrame:
    return pd.DataFrame({
        "job": rows["job"].to_numpy(int), "stage": rows["stage"].to_numpy(int),
        "task": rows["task"].to_numpy(int), "kind": kind, "begin": np.asarray(begin, float),
        "end": np.asarray(end, float), "place": place,
    })
