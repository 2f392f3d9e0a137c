"""Runs side by side: their metrics, users and queues, and how they stand to a reference."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd

from somnus_analysis.base.text import count, known, number, percent, printable, table
from somnus_analysis.metrics import fairness, improvement, queues, resource_summary, users
from somnus_analysis.metrics.run import METRICS, RunMetric
from somnus_analysis.reading.log import Log, distinct_labels

# How a metric of that unit is written, and what its title says of the unit.
WRITTEN: dict[str, tuple[Callable, str]] = {
    "1": (count, ""), "s": (number, " [s]"), "x": (number, ""), "%": (percent, ""),
    "1/min": (number, ""),
}
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
QUEUE_COLUMNS = (
    ("jobs_submitted", "jobs", count),
    ("tasks_submitted", "tasks", count),
    ("response_mean_s", "response [s]", number),
    ("share_mean", "share", percent),
    ("share_deviation", "deviation", percent),
    ("share_farthest", "farthest", percent),
)
USER_COLUMNS = (
    ("weight", "weight", number),
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
PARTS_SHOWN = 40  # users or queues


def summarise(log: Log) -> dict[str, float | int | None]:
    """A run in numbers, by the names of metrics.METRICS; None: no such value."""
    values = {metric.name: (metric.unit, metric.of(log)) for metric in METRICS}
    return {name: int(value) if unit == "1" else known(value)
            for name, (unit, value) in values.items()}


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
            "left_out": len(log.jobs) - fairness.counted(
                log, fairness.deviations(log, self.log), "jobs").compared,
            "cut_otherwise": fairness.cut_otherwise(log, self.log),
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
                "contended_s": known(queues.contended_time(log)) if _has_queues(log) else None,
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
    figures = [summarise(log) for log in logs]
    lines = [["", *distinct_labels(list(logs))]]
    for metric in METRICS:
        values = [each[metric.name] for each in figures]
        if _never_happened(metric, values):
            continue
        form, unit = WRITTEN[metric.unit]
        lines.append([metric.title + unit, *map(form, values)])
    lines += resource_summary.rows(logs)
    if reference:
        found = [reference.row_values(log) for log in logs]
        lines += [[title, *(form(each[key]) for each in found)] for key, title, form in AGAINST_ROWS]
    return table(lines) + (_partitioning(logs, reference) if reference else "")


def _partitioning(logs: Sequence[Log], reference: Reference) -> str:
    """A line for each log that is cut into other tasks than the reference."""
    cut = {log.label: fairness.cut_otherwise(log, reference.log) for log in logs}
    return "".join(f"\nNOTE: {label}: {jobs:,} jobs have another number of tasks than in "
                   f"{reference.log.label}; DVR and DSR compare runs of one partitioning"
                   for label, jobs in cut.items() if jobs)


def _has_queues(log: Log) -> bool:
    return bool(log.jobs["queue_name"].nunique() > 1)


def user_table(logs: Sequence[Log], reference: Reference | None = None) -> str:
    """One line a user; of many users those with the most work."""
    columns = USER_COLUMNS + (AGAINST_COLUMNS if reference else ())
    return _part_table("user", logs, [summarise_users(log, reference) for log in logs], columns)


def queue_table(logs: Sequence[Log]) -> str:
    """One line a named queue; shares are of the occupied slots while every queue has demand."""
    text = _part_table("queue", logs, [queues.per_queue(log) for log in logs], QUEUE_COLUMNS)
    times = (f"{number(queues.contended_time(log))} s" for log in logs)
    return f"{text}\nshare: of the occupied slots while every queue has demand, {', '.join(times)}"


def _part_table(title: str, logs: Sequence[Log], found: Sequence[pd.DataFrame],
                columns: Sequence[tuple[str, str, Callable]]) -> str:
    """Parts of a run, by the frames' index; of several logs a line each, one below the other."""
    everyone = list(dict.fromkeys(name for frame in found for name in frame.index))
    several = len(logs) > 1
    rows = [[title, *(["run"] if several else []), *(heading for _, heading, _ in columns)]]
    for name in everyone[:PARTS_SHOWN]:
        for place, (label, frame) in enumerate(zip(distinct_labels(list(logs)), found)):
            there = name in frame.index
            rows.append(["" if place else printable(name), *([label] if several else []),
                         *(written(frame.at[name, key]) if there else "–" for key, _, written in columns)])
    more = len(everyone) - PARTS_SHOWN
    return table(rows) + (f"\nand {more} more {title}s" if more > 0 else "")


def _never_happened(metric: RunMetric, values: Sequence[float | int | None]) -> bool:
    """Lines that nobody misses: waits in queues where no task waited, attempts that did not fail."""
    return metric.name.startswith(("queuing_", "attempts_")) and not any(values)


def _user_objects(frame: pd.DataFrame) -> list[dict]:
    """Names as in the JSON of `somnus summary`: the ratios of a user are an object of their own."""
    ratios = [name for name in fairness.Ratios.__dataclass_fields__ if name in frame]
    objects = []
    for name, row in zip(frame.index, frame.to_dict("records")):
        against = {"against": _plain({key: row.pop(key) for key in ratios})} if ratios else {}
        objects.append({"user": name, **_plain(row), **against})
    return objects


def _plain(figures: dict) -> dict:
    return {key: known(value) if isinstance(value, float) else value
            for key, value in figures.items()}
