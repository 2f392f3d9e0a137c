"""The closing table of runs, side by side: names and definitions are those of `somnus summary`."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from somnus_analysis.log import Log, distinct_labels
from somnus_analysis.text import count, number, percent, table
from somnus_analysis.width import PAPER_BINS

PERCENTILES = (50, 95, 99)

# Key of summarise(), title, how it is written.
ROWS = (
    ("jobs_submitted", "jobs submitted", count),
    ("jobs_finished", "jobs finished", count),
    ("jobs_failed", "jobs failed", count),
    ("response_mean_s", "response time, mean [s]", number),
    ("response_p50_s", "response time, median [s]", number),
    ("response_p95_s", "response time, p95 [s]", number),
    ("response_p99_s", "response time, p99 [s]", number),
    ("slowdown_mean", "slowdown, mean", number),
    *(
        row
        for each in PAPER_BINS
        for row in (
            (f"{each.name}_jobs", f"{each.name} ({each.span}): jobs finished", count),
            (f"{each.name}_response_mean_s", "  response time, mean [s]", number),
            (f"{each.name}_slowdown_mean", "  slowdown, mean", number),
        )
    ),
    ("makespan_s", "makespan [s]", number),
    ("utilisation", "utilisation", percent),
)


def summarise(log: Log) -> dict[str, float | int | None]:
    """A run in numbers: seconds, ratios, shares of 1; None: no such value.

    A percentile is the smallest value that so many of all do not exceed. The makespan is from the
    first submit to the last end of a task; `utilisation` the time that slots ran tasks, over all
    slots and the makespan.
    """
    jobs, tasks = log.jobs, log.tasks
    states = jobs["state_name"].value_counts()
    makespan = _known(tasks["finish"].max() - jobs["submit"].min())
    capacity = log.slots * (makespan or 0)
    summary = {
        "jobs_submitted": int(len(jobs) - states["not submitted"]),
        "jobs_finished": int(states["finished"]),
        "jobs_failed": int(states["failed"]),
        "response_mean_s": _known(jobs["response_time"].mean()),
        **_percentiles("response", jobs["response_time"], "_s"),
        "slowdown_mean": _known(jobs["slowdown"].mean()),
        **_percentiles("slowdown", jobs["slowdown"], ""),
        "makespan_s": makespan,
        "utilisation": _known(tasks["runtime"].sum() / capacity) if capacity else None,
    }
    for each in PAPER_BINS:
        those = jobs[jobs["width"] == each.name]
        summary[f"{each.name}_jobs"] = int(those["response_time"].count())
        summary[f"{each.name}_response_mean_s"] = _known(those["response_time"].mean())
        summary[f"{each.name}_slowdown_mean"] = _known(those["slowdown"].mean())
    return summary


def summary_json(logs: Sequence[Log]) -> str:
    """An array of objects, one a log."""
    return json.dumps(
        [
            {
                "log": str(log.path),
                "label": label,
                "mode": log.attributes.get("mode"),
                "seed": log.attributes.get("seed"),
                "complete": log.complete,
                **summarise(log),
            }
            for log, label in zip(logs, distinct_labels(list(logs)))
        ],
        indent=2,
    )


def summary_table(logs: Sequence[Log]) -> str:
    """One column a log."""
    summaries = [summarise(log) for log in logs]
    rows = [["", *distinct_labels(list(logs))]]
    rows += [
        [title, *(written(summary[key]) for summary in summaries)] for key, title, written in ROWS
    ]
    return table(rows)


def nearest_rank(values: pd.Series, share: float) -> float | None:
    """The smallest value that `share` of all values do not exceed; None of none."""
    known = np.sort(values.dropna().to_numpy())
    if not len(known):
        return None
    rank = math.ceil(share * len(known) - 1e-9)  # 0.95 * 20 is 19, not a little more
    return float(known[max(rank, 1) - 1])


def _percentiles(name: str, values: pd.Series, unit: str) -> dict[str, float | None]:
    return {f"{name}_p{each}{unit}": nearest_rank(values, each / 100) for each in PERCENTILES}


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
