"""Writes logs as the program does, from a few words: `write_log(path, jobs=[job(0, 9)])`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

from schema import FORMAT_VERSION, SCHEMA, dtype_of

FINISHED, ACTIVE = 2, 1
PER_RESOURCE = object()  # key of the amounts of each resource in a row


@dataclass(frozen=True)
class Job:
    submit: float
    finish: float
    tasks: int = 1
    alone: float = 1.0
    state: int = FINISHED
    slot_time: float = 1.0
    user: int = 0
    name: str = ""
    queue: int = 0
    first_start: float = np.nan
    weight: float = 1.0


@dataclass(frozen=True)
class Stage:
    job: int
    ready: float
    finish: float
    tasks: int = 1
    demand: tuple[float, ...] = ()  # of one task, by resource


@dataclass(frozen=True)
class Task:
    job: int
    start: float
    finish: float
    node: int = 0
    slot: int = 0
    outcome: int = 0
    ready: float = 0.0
    intended: float | None = None
    queued: float | None = None  # None: when it started
    placed: float | None = None  # None: when it reached its node
    stage: int | None = None  # None: its job's number
    attempt: int = 0


def config(policy: str) -> str:
    return f'[cluster]\nnodes = 2\n\n[scheduler]\npolicy = "{policy}"\n'


def write_log(path: Path, jobs: Sequence[Job], tasks: Sequence[Task] = (),
              samples: Sequence[tuple[float, ...]] = (),
              nodes: Sequence[int | tuple[float, ...]] = (2,),
              policy: str = "cfq", complete: bool = True, seed: int = 1,
              resources: tuple[str, ...] = (), users: Sequence[str] = (),
              queues: Sequence[str] = ("default",), lag_p99: float = 0.0,
              stages: Sequence[Stage] = (), targets: Sequence[tuple[float, ...]] = (),
              curves: Sequence[tuple[float, ...]] = (), **attributes) -> Path:
    """Returns the path.

    `samples` are (time, busy slots, allocated of each resource ...), `nodes` their slots, or
    (slots, capacity of each resource ...), `targets` (time, job, entitled, target, allocated), `curves`
    (job, up to so many slots, gain).
    Without `stages` each job has one, all its life long.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with h5py.File(path, "w", libver="latest") as file:
        fill(file, jobs, tasks, samples, nodes, resources, users, queues, lag_p99, stages, targets,
             curves)
        file.attrs.update({
            "format": np.bytes_("somnus-log"), "format_version": FORMAT_VERSION,
            "resources": np.array([name.encode() for name in resources], "S"),
            "mode": np.bytes_("simulate"), "somnus_version": np.bytes_("0.1.0"),
            "commit": np.bytes_("unknown"), "config": np.bytes_(config(policy)),
            "label": np.bytes_(policy),
            "workload_digest": np.bytes_("0123456789abcdef"), "seed": np.uint64(seed),
            "speed": 1.0, "ranks": 1, "complete": int(complete), **attributes,
        })
    return path


def fill(file: h5py.File, jobs, tasks, samples, nodes, resources=(), user_names=(),
         queues=("default",), lag_p99=0.0, stages=(), targets=(), curves=()) -> None:
    """All tables of the schema; those that a test doesn't care for stay empty."""
    stages = stages or [Stage(place, job.submit, job.finish, job.tasks)
                        for place, job in enumerate(jobs)]
    tables = [*SCHEMA, *(["stage_demands"] if resources else [])]
    rows = {table: [] for table in tables}
    rows["jobs"] = [
        {"job": place, "user": job.user, "tasks": job.tasks, "stages": 1, "state": job.state,
         "weight": job.weight, "queue": job.queue, "submit": job.submit,
         "first_start": job.first_start, "finish": job.finish, "alone": job.alone,
         "slot_time": job.slot_time}
        for place, job in enumerate(jobs)
    ]
    rows["tasks"] = [
        {"job": task.job, "stage": task.job if task.stage is None else task.stage,
         "node": task.node, "slot": task.slot, "attempt": task.attempt, "outcome": task.outcome,
         "ready": task.ready, "start": task.start, "finish": task.finish,
         "placed": _first(task.placed, task.queued, task.start),
         "queued": _first(task.queued, task.start),
         "intended": task.finish - task.start if task.intended is None else task.intended}
        for task in tasks
    ]
    rows["stages"] = [
        {"job": stage.job, "tasks": stage.tasks, "ready": stage.ready, "finish": stage.finish}
        for stage in stages
    ]
    rows["stage_demands"] = [{PER_RESOURCE: stage.demand} for stage in stages]
    rows["samples"] = [{"time": time, "busy_slots": busy, PER_RESOURCE: allocated}
                       for time, busy, *allocated in samples]
    rows["targets"] = [dict(zip(("time", "job", "entitled", "target", "allocated"), each))
                       for each in targets]
    rows["curves"] = [dict(zip(("job", "slots", "gain"), each)) for each in curves]
    whole = [each if isinstance(each, tuple) else (each,) for each in nodes]
    rows["nodes"] = [{"node": place, "slots": slots, PER_RESOURCE: capacity}
                     for place, (slots, *capacity) in enumerate(whole)]
    users = len(user_names) or max((job.user for job in jobs), default=0) + 1
    rows["users"] = [{"user": user, "weight": 1} for user in range(users)]
    rows["ranks"] = [{}]
    rows["scheduler"] = [{"lag_p99": lag_p99}]
    for table in tables:
        columns = SCHEMA.get(table, [])
        dtype = dtype_of(table, resources)
        data = np.zeros(len(rows[table]), dtype)
        for row, values in zip(data, rows[table]):
            for column in dtype.names:
                is_time = dtype[column] == np.float64 and table in ("jobs", "stages", "tasks")
                row[column] = values.get(column, np.nan if is_time else 0)
            for column, amount in zip(dtype.names[len(columns):], values.get(PER_RESOURCE, ())):
                row[column] = amount
        dataset = file.create_dataset(table, data=data, maxshape=(None,), chunks=(1024,))
        for column in columns:
            dataset.attrs[f"{column.name}.unit"] = np.bytes_(column.unit)
            dataset.attrs[f"{column.name}.meaning"] = np.bytes_(column.meaning)
    names = {
        "jobs": [job.name or f"job-{place}" for place, job in enumerate(jobs)],
        "users": user_names or [f"user-{place}" for place in range(users)],
        "queues": queues, "apps": ["default"], "groups": ["nodes"],
    }
    for kind, each in names.items():
        encoded = [name.encode() for name in each]
        width = max(map(len, encoded), default=1)
        text = h5py.string_dtype("utf-8", width)
        file.create_dataset(f"names/{kind}", data=np.array(encoded, text))


def _first(*values: float | None) -> float:
    return next(value for value in values if value is not None)
