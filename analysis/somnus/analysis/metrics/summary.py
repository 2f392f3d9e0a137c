"""What `somnus summary` does not have of runs: leftovers, Jain's index, users, queues, a reference run."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from somnus.analysis.base.text import count, known, number, percent, printable, table
from somnus.analysis.metrics import fairness, improvement, jain, queues, resources, users
from somnus.analysis.reading.log import Log, distinct_labels

Row = tuple[str, str, Callable]  # key of a value, title, how the value is written

JAIN_ROWS: tuple[Row, ...] = (
    ("jain_mean", f"Jain's index over {jain.WINDOW_S:g} s, mean", number),
    ("jain_min", "  least", number),
    ("jain_max", "  largest", number),
)
# Only where weights make a difference.
NORMALISED_ROWS: tuple[Row, ...] = (
    ("jain_normalised_mean", "  normalised by entitlement, mean", number),
    ("jain_normalised_min", "    least", number),
    ("jain_normalised_max", "    largest", number),
)
AGAINST_ROWS: tuple[Row, ...] = (
    ("dvr", "deadline violation ratio", number),
    ("violations", "  jobs that end later than in the reference", count),
    ("dsr", "deadline slack ratio", number),
    ("slack", "  jobs that do not", count),
    ("worst", "largest deviation", number),
    ("of_makespan", "factor of improvement, makespan", number),
    ("of_mean", "  mean response time", number),
    *((f"of_completion_p{each}", f"  p{each} of response times", number)
      for each in improvement.PERCENTILES),
    *((f"of_jobs_p{each}", f"  p{each} of the jobs' own", number) for each in improvement.PERCENTILES),
    ("least", "  of the job that loses most", number),
)
QUEUE_COLUMNS: tuple[Row, ...] = (
    ("jobs_submitted", "jobs", count),
    ("tasks_submitted", "tasks", count),
    ("response_mean_s", "response [s]", number),
    ("share_mean", "share", percent),
    ("share_deviation", "deviation", percent),
    ("share_farthest", "farthest", percent),
)
USER_COLUMNS: tuple[Row, ...] = (
    ("weight", "weight", number),
    ("jobs_finished", "jobs", count),
    ("response_mean_s", "response [s]", number),
    ("response_worst_tenth_s", "worst 10 % [s]", number),
    ("slowdown_mean", "slowdown", number),
)
AGAINST_COLUMNS: tuple[Row, ...] = (
    ("dvr", "DVR", number),
    ("violations", "violations", count),
    ("dsr", "DSR", number),
    ("slack", "slack", count),
)
PARTS_SHOWN = 40  # users or queues


@dataclass(frozen=True)
class Reference:
    """The run that others are compared with, and how jobs count (see fairness.multiplicity)."""

    log: Log
    counting: str = "jobs"

    def ratios(self, log: Log) -> fairness.Ratios:
        return fairness.counted(log, fairness.deviations(log, self.log), self.counting)

    def figures(self, log: Log) -> dict[str, Any]:
        """For JSON: over jobs, and between users' means."""
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
    """An array of objects, one a log: Log.summary, and arrays of an object a user, queue, resource."""
    return json.dumps(
        [
            {
                "log": str(log.path),
                **_plain(log.summary),
                "label": label,
                "contended_s": known(queues.contended_time(log)) if _has_queues(log) else None,
                "users": _user_objects(summarise_users(log, reference)),
                "queues": _objects("queue", queues.per_queue(log)),
                "leftover": _objects("resource", resources.leftover_figures(log)) if log.resources else [],
                "jain": _plain(_jain(log)) or None,
                "against": reference.figures(log) if reference else None,
            }
            for log, label in zip(logs, distinct_labels(list(logs)))
        ],
        indent=2,
    )


def summary_table(logs: Sequence[Log], reference: Reference | None = None) -> str:
    """One column a log; empty without a reference where no log has resources."""
    lines = _resource_lines(logs)
    if reference:
        found = [vars(reference.ratios(log)) | improvement.figures(log, reference.log) for log in logs]
        lines += _lines(AGAINST_ROWS, found)
    if not lines:
        return ""
    return table([["", *distinct_labels(list(logs))], *lines]) + (
        _partitioning(logs, reference) if reference else "")


def _resource_lines(logs: Sequence[Log]) -> list[list[str]]:
    kinds = dict.fromkeys(kind for log in logs for kind in log.resources)
    if not kinds:
        return []
    left = [resources.leftover_figures(log)["leftover_mean"] if log.resources else {} for log in logs]
    lines = [[f"{printable(kind)}: left over while a task waits",
              *(percent(each.get(kind)) for each in left)] for kind in kinds]
    evenness = [_jain(log) for log in logs]
    weighted = any(found and known(found["jain_normalised_mean"]) != known(found["jain_mean"])
                   for found in evenness)
    return lines + _lines(JAIN_ROWS + (NORMALISED_ROWS if weighted else ()), evenness)


def _lines(rows: Sequence[Row], found: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    return [[title, *(written(each.get(key)) for each in found)] for key, title, written in rows]


def _jain(log: Log) -> dict[str, float]:
    """See jain.figures; empty where there are slots alone."""
    return jain.figures(jain.over_windows(log)) if log.resources else {}


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
                columns: Sequence[Row]) -> str:
    """Parts of a run, by the frames' index; of several logs a line each, one below the other."""
    everyone = list(dict.fromkeys(name for frame in found for name in frame.index))
    several = len(logs) > 1
    rows = [[title, *(["run"] if several else []), *(heading for _, heading, _ in columns)]]
    for name in everyone[:PARTS_SHOWN]:
        for index, (label, frame) in enumerate(zip(distinct_labels(list(logs)), found)):
            there = name in frame.index
            rows.append(["" if index else printable(name), *([label] if several else []),
                         *(written(frame.at[name, key]) if there else "–" for key, _, written in columns)])
    more = len(everyone) - PARTS_SHOWN
    return table(rows) + (f"\nand {more} more {title}s" if more > 0 else "")


def _objects(kind: str, frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [{kind: name, **_plain(row)} for name, row in frame.to_dict("index").items()]


def _user_objects(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Names as in `somnus summary --json`: the ratios of a user are an object of their own."""
    objects = _objects("user", frame)
    for each in objects:
        if ratios := {key: each.pop(key) for key in fairness.Ratios.__dataclass_fields__ if key in each}:
            each["against"] = ratios
    return objects


def _plain(figures: Any) -> Any:
    """For JSON, which has no NaN."""
    if isinstance(figures, Mapping):
        return {key: _plain(value) for key, value in figures.items()}
    if isinstance(figures, list):
        return [_plain(value) for value in figures]
    return known(figures) if isinstance(figures, float) else figures
