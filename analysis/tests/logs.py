"""Writes logs as the program does, from a few words: `write_log(path, jobs=[Job(0, 9)])`.

Tables, columns and units are those of a log that the program itself has written.
"""

import json
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import h5py
import numpy as np
import pytest

from somnus.analysis.base.errors import ProgramError
from somnus.analysis.base.program import find_program
from somnus.analysis.reading.log import FORMAT_VERSION
from somnus.analysis.reading.schema import JOB_STATES, TABLES, TASK_OUTCOMES

UNSUBMITTED, ACTIVE, FINISHED, FAILED, TIMED_OUT = range(len(JOB_STATES))
LOST, RETURNED = TASK_OUTCOMES.index("lost"), TASK_OUTCOMES.index("returned")
PER_RESOURCE = object()  # key of the amounts of each resource in a row

# A run that has every table of a simulation.
CONFIG = """
[cluster]
nodes = 2
slots_per_node = 2
resources = { cpu = 2 }
[scheduler]
policy = "drf"
[workload]
file = "workload.jsonl"
"""
WORKLOAD = [
    {"somnus_workload": 1, "name": "small", "resources": ["cpu"]},
    {"job": "a", "submit": 0, "limit_s": 60, "account": "lab", "qos": "high", "progress": [0.5, 1.0], "stages": [
        {"stage": 0, "gang": True, "durations": [2, 1], "first": [3, 2], "fresh": [4, 3],
         "demand": {"cpu": 1}}]},
]


def program() -> Path:
    """The program that this tree has built, or that of $SOMNUS. Skips the test if there is none."""
    try:
        return find_program(None)
    except ProgramError as error:
        pytest.skip(str(error))


def ask(*words: object, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Calls the program."""
    return subprocess.run([str(program()), *map(str, words)], cwd=folder, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, check=False)


def small_log(folder: Path) -> Path:
    """Of a simulation of one job."""
    (folder / "config.toml").write_text(CONFIG)
    (folder / "workload.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in WORKLOAD))
    done = ask("simulate", "config.toml", "--log", "log.h5", "--quiet", folder=folder)
    assert done.returncode == 0, done.stderr
    return folder / "log.h5"


@dataclass(frozen=True)
class Table:
    """As the program writes it in a cluster whose one resource is called cpu."""

    dtype: np.dtype
    attributes: dict[str, bytes]  # unit and meaning of each column

    def columns(self, resources: Sequence[str], per_resource: bool) -> np.dtype:
        own = [(name, self.dtype[name]) for name in self.dtype.names]
        if per_resource:
            prefix, kind = own.pop()[0].removesuffix("cpu"), np.float64
            taken = {name for name, _ in own}
            own += [(f"resource_{name}" if prefix + name in taken else prefix + name, kind)
                    for name in resources]
        return np.dtype(own)


@cache
def schema() -> dict[str, Table]:
    """By name, the tables in a log of the program."""
    tables: dict[str, Table] = {}

    def add(name: str, item: object) -> None:
        if isinstance(item, h5py.Dataset) and not name.startswith("names/"):
            said = {key: value for key, value in item.attrs.items() if key.endswith((".unit", ".meaning"))}
            tables[name] = Table(item.dtype, said)

    with tempfile.TemporaryDirectory() as folder, h5py.File(small_log(Path(folder))) as file:
        file.visititems(add)
    return tables


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
        stages = stages or [Stage(place, job.submit, job.finish, job.tasks)
                            for place, job in enumerate(jobs)]
        users = users or [f"user-{place}" for place in
                          range(max((job.user for job in jobs), default=0) + 1)]
        rows = {
            "jobs": [
                {"job": place, "user": job.user, "tasks": job.tasks, "stages": 1, "state": job.state,
                 "weight": job.weight, "queue": job.queue, "submit": job.submit,
                 "first_start": job.first_start, "finish": job.finish, "alone": job.alone,
                 "slot_time": job.slot_time}
                for place, job in enumerate(jobs)],
            "tasks": [
                {"job": task.job, "stage": task.job if task.stage is None else task.stage,
                 "node": task.node, "slot": task.slot, "attempt": task.attempt,
                 "outcome": task.outcome, "ready": task.ready, "start": task.start,
                 "finish": task.finish, "placed": _first(task.placed, task.queued, task.start),
                 "queued": _first(task.queued, task.start),
                 "intended": _first(task.intended, task.finish - task.start)}
                for task in tasks],
            "stages": [{"job": stage.job, "tasks": stage.tasks, "ready": stage.ready,
                        "finish": stage.finish} for stage in stages],
            "stage_demands": [{PER_RESOURCE: stage.demand} for stage in stages],
            "samples": [{"time": time, "busy_slots": busy, PER_RESOURCE: allocated}
                        for time, busy, *allocated in samples],
            "targets": [dict(zip(("time", "job", "entitled", "target", "allocated"), each))
                        for each in targets],
            "curves": [dict(zip(("job", "slots", "gain"), each)) for each in curves],
            "nodes": [{"node": place, "slots": slots, PER_RESOURCE: capacity} for place, (
                slots, *capacity) in enumerate(each if isinstance(each, tuple) else (each,)
                                               for each in nodes)],
            "users": [{"user": place, "weight": 1} for place in range(len(users))],
            "ranks": [{}],
            "scheduler": [{"lag_p99": lag_p99}],
        }
        for name in schema():
            if name != "stage_demands" or resources:
                add_table(file, name, rows.get(name, ()), resources)
        for kind, names in {
            "jobs": [job.name or f"job-{place}" for place, job in enumerate(jobs)],
            "users": users, "queues": queues, "apps": ["default"], "groups": ["nodes"],
        }.items():
            encoded = [name.encode() for name in names]
            text = h5py.string_dtype("utf-8", max(map(len, encoded), default=1))
            file.create_dataset(f"names/{kind}", data=np.array(encoded, text))
        file.attrs.update({
            "format": np.bytes_("somnus-log"), "format_version": FORMAT_VERSION,
            "resources": np.array([name.encode() for name in resources], "S"),
            "mode": np.bytes_("simulate"), "somnus_version": np.bytes_("0.1.0"),
            "commit": np.bytes_("unknown"), "workload_name": np.bytes_("by hand"), "salt": np.uint64(0), "seals": np.uint64(0),
            "rigid_jobs": np.uint64(0), "label": np.bytes_(policy),
            "config": np.bytes_(f'[cluster]\nnodes = 2\n\n[scheduler]\npolicy = "{policy}"\n'),
            "workload_digest": np.bytes_("0123456789abcdef"), "seed": np.uint64(seed),
            "speed": 1.0, "ranks": 1, "complete": int(complete), **attributes,
        })
    return path


def add_table(file: h5py.File, name: str, rows: Sequence[dict], resources: Sequence[str] = ()) -> None:
    """What a row does not say is 0; a time of a job, stage or task did not happen."""
    table = schema()[name]
    per_resource = name == "stage_demands" or (name in TABLES and TABLES[name].per_resource)
    dtype = table.columns(resources, per_resource)
    data = np.zeros(len(rows), dtype)
    for row, values in zip(data, rows):
        for column in dtype.names:
            is_time = dtype[column] == np.float64 and name in ("jobs", "stages", "tasks")
            row[column] = values.get(column, np.nan if is_time else 0)
        amounts = values.get(PER_RESOURCE, ())
        for column, amount in zip(dtype.names[len(dtype.names) - len(amounts):], amounts):
            row[column] = amount
    if name in file:
        del file[name]
    file.create_dataset(name, data=data, maxshape=(None,), chunks=(1024,)).attrs.update(table.attributes)


def _first(*values: float | None) -> float:
    return next(value for value in values if value is not None)
