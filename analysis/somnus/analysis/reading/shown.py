"""A log at a glance: the dozen figures that a notebook shows of it."""

import math
from collections.abc import Callable
from typing import Any

from somnus.analysis.base.program import Summary
from somnus.analysis.base.text import count, number, percent

Row = tuple[str, str, Callable[[Any], str]]  # name in the summary, title, how the value is written


def microseconds(value: float) -> str:
    return number(1e6 * value)


ROWS: tuple[Row, ...] = (
    ("jobs_submitted", "jobs submitted", count),
    ("jobs_finished", "  finished", count),
    ("tasks_finished", "tasks finished", count),
    ("response_mean_s", "response time, mean [s]", number),
    ("response_p50_s", "  median [s]", number),
    ("response_p95_s", "  p95 [s]", number),
    ("slowdown_mean", "slowdown against alone, mean", number),
    ("slowdown_p95", "  p95", number),
    ("makespan_s", "makespan [s]", number),
    ("utilisation", "cluster in use, over the makespan", percent),
)
ROWS_OF_RUNS: tuple[Row, ...] = (
    ("lateness_p50_s", "task lateness, median [µs]", microseconds),
    ("lateness_p99_s", "  p99 [µs]", microseconds),
)


def rows_of(summary: Summary) -> list[list[str]]:
    """A title and a value each, of those that the run has."""
    rows = ROWS + (ROWS_OF_RUNS if summary.get("mode") == "run" else ())
    return [[title, written(summary[name])] for name, title, written in rows
            if summary.get(name) is not None and not math.isnan(summary[name])]
