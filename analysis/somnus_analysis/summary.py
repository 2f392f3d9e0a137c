"""The closing table of runs, side by side: names and definitions are those of `somnus summary`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from somnus_analysis import fairness, improvement, progress, queues, resource_summary, users
from somnus_analysis.log import Log, distinct_labels
from somnus_analysis.text import count, number, percent, printable, table
from somnus_analysis.users import nearest_rank
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
    ("response_worst_tenth_s", "  mean of the worst 10 % [s]", number),
    *(
        (f"response_{name.replace('-', '_')}_mean_s", f"  mean of percentiles {name} [s]", number)
        for name, *_ in users.GROUPS
    ),
    ("jct_mean_s", "completion from first start, mean [s]", number),
    ("jct_p50_s", "completion from first start, median [s]", number),
    ("jct_p95_s", "completion from first start, p95 [s]", number),
    ("slowdown_mean", "slowdown, mean", number),
    ("slowdown_worst_tenth", "  mean of the worst 10 %", number),
    ("progress_mean", "progress rate, alone / response time, mean", percent),
    ("progress_from_start_mean", "  counted from the first start", percent),
    ("user_count", "users", count),
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
    ("jobs_per_minute", "jobs finished a minute", number),
    ("utilisation", "utilisation", percent),
    ("utilisation_middle", "  from 10 % to 90 % of the makespan", percent),
)
# Only where some task waited in a node's queue.
QUEUING_ROWS = (
    ("queuing_mean_s", "wait in a node's queue, mean [s]", number),
    ("queuing_deviation_s", "  standard deviation [s]", number),
    ("queuing_p50_s", "  median [s]", number),
    ("queuing_p95_s", "  p95 [s]", number),
)
AGAINST_ROWS = (
    ("dvr", "deadline violation ratio", number),
    ("violations", "  jobs that end later than in the reference", count),
    ("dsr", "deadline slack ratio", number),
    ("slack", "  jobs that do not", count),
    ("worst", "largest deviation", number),
    ("improvement_of_makespan", "factor of improvement, makespan", number),
    ("improvement_of_mean", "  mean response time", number),
    *((f"improvement_of_completion_p{each}", f"  p{each} of response times", number)
      for each in improvement.PERCENTILES),
    *((f"improvement_of_jobs_p{each}", f"  p{each} of the jobs' own", number)
      for each in improvement.PERCENTILES),
    ("improvement_least", "  of the job that loses most", number),
)
USER_COLUMNS = (
    ("jobs_finished", "jobs", count),
    ("response_mean_s", "response [s]", number),
    ("response_worst_tenth_s", "worst 10 % [s]", number),
    ("slowdown_mean", "slowdown", number),
)
AGAINST_COLUMNS = (
    ("dvr", "DVR", number),
    ("violations", "violations", count),
    ("dsr", "DSR", number),
    ("slack", "slack", count),
)
USERS_SHOWN = 40


def summarise(log: Log) -> dict[str, float | int | None]:
    """A run in numbers: seconds, ratios, shares of 1; None: no such value.

    A percentile is the smallest value that so many of all do not exceed. The makespan is from the
    first submit to the last end of a task; `utilisation` the time that slots ran tasks, over all
    slots and the makespan, or where nodes have no slots that of the most used resource (see
    resources.per_resource).
    """
    jobs, tasks = log.jobs, log.tasks
    states = jobs["state_name"].value_counts()
    makespan = _known(tasks["finish"].max() - jobs["submit"].min())
    utilisation, middle = _utilisation(log, makespan)
    summary = {
        "jobs_submitted": int(len(jobs) - states["not submitted"]),
        "jobs_finished": int(states["finished"]),
        "jobs_failed": int(states["failed"]),
        "response_mean_s": _known(jobs["response_time"].mean()),
        **_percentiles("response", jobs["response_time"], "_s"),
        "response_worst_tenth_s": _known(users.worst_tenth(jobs["response_time"])),
        **{
            f"response_{name.replace('-', '_')}_mean_s": _known(value)
            for name, value in users.group_means(jobs["response_time"]).items()
        },
        "jct_mean_s": _known(jobs["completion_time"].mean()),
        "jct_p50_s": nearest_rank(jobs["completion_time"], 0.5),
        "jct_p95_s": nearest_rank(jobs["completion_time"], 0.95),
        "slowdown_mean": _known(jobs["slowdown"].mean()),
        **_percentiles("slowdown", jobs["slowdown"], ""),
        "slowdown_worst_tenth": _known(users.worst_tenth(jobs["slowdown"])),
        "progress_mean": _known(progress.rates(log).mean()),
        "progress_from_start_mean": _known(progress.rates(log, "first_start").mean()),
        "user_count": int(jobs.loc[jobs["state_name"] != "not submitted", "user"].nunique()),
        "makespan_s": makespan,
        "jobs_per_minute": 60 * int(states["finished"]) / makespan if makespan else None,
        "utilisation": _known(utilisation),
        "utilisation_middle": _known(middle),
        **dict.fromkeys((key for key, *_ in QUEUING_ROWS)),
        **queues.queuing_figures(log),
        "attempts_returned": int((tasks["outcome_name"] == "returned").sum()),
        "attempts_killed": int((tasks["outcome_name"] == "killed").sum()),
    }
    for each in PAPER_BINS:
        those = jobs[jobs["width"] == each.name]
        summary[f"{each.name}_jobs"] = int(those["response_time"].count())
        summary[f"{each.name}_response_mean_s"] = _known(those["response_time"].mean())
        summary[f"{each.name}_slowdown_mean"] = _known(those["slowdown"].mean())
    return summary


@dataclass(frozen=True)
class Reference:
    """The run that others are measured against, and how jobs count (see fairness.multiplicity)."""

    log: Log
    counting: str = "jobs"

    def ratios(self, log: Log) -> fairness.Ratios:
        return fairness.counted(log, fairness.deviations(log, self.log), self.counting)

    def figures(self, log: Log) -> dict:
        """What the JSON says: over jobs, and between users' means."""
        return {
            "reference": str(self.log.path),
            "counting": self.counting,
            "jobs": _plain(vars(self.ratios(log))),
            "users": _plain(vars(fairness.ratios(fairness.between_users_of(log, self.log)))),
            "improvement": _plain(improvement.figures(log, self.log)),
        }

    def row_values(self, log: Log) -> dict:
        """What the table says, by the keys of AGAINST_ROWS."""
        factors = improvement.figures(log, self.log)
        return vars(self.ratios(log)) | {
            f"improvement_{key}": value for key, value in factors.items()
        }


def summarise_users(log: Log, reference: Reference | None = None) -> pd.DataFrame:
    """One row a user (see users.per_user), with the user's own DVR and DSR if there is a reference.

    A job counts once here, whatever the reference's counting.
    """
    found = users.per_user(log)
    if reference is None:
        return found
    found["response_change"] = fairness.between_users_of(log, reference.log)
    found = found.join(fairness.per_user(log, reference.log))
    whole = {name: int for name in ("compared", "violations", "slack")}
    return found.fillna(dict.fromkeys(whole, 0)).astype(whole)


def summary_json(logs: Sequence[Log], reference: Reference | None = None) -> str:
    """An array of objects, one a log; in it arrays of an object for each user, queue, resource."""
    return json.dumps(
        [
            {
                "log": str(log.path),
                "label": label,
                "mode": log.attributes.get("mode"),
                "seed": log.attributes.get("seed"),
                "complete": log.complete,
                **summarise(log),
                "users": _user_objects(summarise_users(log, reference)),
                "queues": [
                    {"queue": name, **_plain(row)}
                    for name, row in queues.per_queue(log).to_dict("index").items()
                ],
                "resources": resource_summary.objects(log),
                "leftover": resource_summary.leftovers(log),
                "jain": resource_summary.fairness(log),
                "against": reference.figures(log) if reference else None,
            }
            for log, label in zip(logs, distinct_labels(list(logs)))
        ],
        indent=2,
    )


def summary_table(logs: Sequence[Log], reference: Reference | None = None) -> str:
    """One column a log."""
    summaries = [
        {**summarise(log), **(reference.row_values(log) if reference else {})} for log in logs
    ]
    waited = any(summary["queuing_mean_s"] is not None for summary in summaries)

    def written(lines: Sequence[tuple]) -> list[list[str]]:
        return [[title, *(form(summary[key]) for summary in summaries)]
                for key, title, form in lines]

    return table([
        ["", *distinct_labels(list(logs))], *written(ROWS), *resource_summary.rows(logs),
        *written(QUEUING_ROWS if waited else ()), *written(AGAINST_ROWS if reference else ()),
    ])


def user_table(logs: Sequence[Log], reference: Reference | None = None) -> str:
    """One line a user, one block of columns a log; of many users those with the most work."""
    columns = USER_COLUMNS + (AGAINST_COLUMNS if reference else ())
    found = [summarise_users(log, reference) for log in logs]
    everyone = list(dict.fromkeys(name for frame in found for name in frame.index))
    head = ["user", "weight"]
    for label in distinct_labels(list(logs)):
        prefix = f"{label}: " if len(logs) > 1 else ""
        head += [prefix + title for _, title, _ in columns]
    rows = [head]
    for name in everyone[:USERS_SHOWN]:
        weights = [frame.at[name, "weight"] for frame in found if name in frame.index]
        row = [printable(name), number(weights[0])]
        for frame in found:
            there = name in frame.index
            row += [written(frame.at[name, key]) if there else "–" for key, _, written in columns]
        rows.append(row)
    more = len(everyone) - USERS_SHOWN
    return table(rows) + (f"\nand {more} more users" if more > 0 else "")


def _utilisation(log: Log, makespan: float | None) -> tuple[float, float]:
    """Over the makespan, and from 10 % to 90 % of it."""
    if log.resources and not log.slots:
        return resource_summary.utilisation(log)
    capacity = log.slots * (makespan or 0)
    whole = log.tasks["runtime"].sum() / capacity if capacity else np.nan
    return whole, queues.middle_utilisation(log)


def _percentiles(name: str, values: pd.Series, unit: str) -> dict[str, float | None]:
    return {f"{name}_p{each}{unit}": nearest_rank(values, each / 100) for each in PERCENTILES}


def _user_objects(frame: pd.DataFrame) -> list[dict]:
    """Names as in the JSON of `somnus summary`: the ratios of a user are an object of their own."""
    ratios = [name for name in fairness.Ratios.__dataclass_fields__ if name in frame]
    objects = []
    for name, row in zip(frame.index, frame.to_dict("records")):
        against = {"against": _plain({key: row.pop(key) for key in ratios})} if ratios else {}
        objects.append({"user": name, **_plain(row), **against})
    return objects


def _plain(figures: dict) -> dict:
    return {key: _known(value) if isinstance(value, float) else value
            for key, value in figures.items()}


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
