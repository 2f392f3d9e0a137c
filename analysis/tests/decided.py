"""Adds to a log from logs.py what was launched and heard, so that it tells why tasks waited."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np

from logs import Task
from schema import dtype_of


def add_decisions(path: Path, tasks: list[Task], hear_s: float = 0.0) -> Path:
    """As of a scheduler that hears of ends so much later, and places tasks in the order of `placed`.

    Each task is the only one of its stage. Times of one instant: ends first.
    """
    ends = sorted(tasks, key=lambda task: task.finish)
    launches = sorted(tasks, key=lambda task: task.placed)
    times = sorted({task.placed for task in tasks} | {task.finish + hear_s for task in tasks})
    with h5py.File(path, "r+") as file:
        _fill(file, "events/task_ended", [
            {"time": task.finish + hear_s, "number": number, "round": times.index(task.finish + hear_s),
             "task": task.job, "node": task.node, "attempt": task.attempt, "outcome": task.outcome}
            for number, task in enumerate(ends)])
        _fill(file, "decisions/launch", [
            {"time": task.placed, "number": number, "round": times.index(task.placed),
             "task": task.job, "node": task.node, "attempt": task.attempt, "stage": task.job}
            for number, task in enumerate(launches)])
    return path


def _fill(file: h5py.File, table: str, rows: list[dict]) -> None:
    data = np.zeros(len(rows), dtype_of(table))
    for row, values in zip(data, rows):
        for column, value in values.items():
            row[column] = value
    file[table].resize((len(rows),))
    file[table][:] = data
