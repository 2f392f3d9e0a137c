"""One log as pandas frames, read when they are first asked for.

Times are emulated seconds since the run's start; NaN means that it did not happen. A log of a run
that still goes on, or was killed, opens like any other: its frames hold what was flushed. A frame's
`attrs["units"]` has the unit of each column, those that this package adds among them.
"""

from __future__ import annotations

import tomllib
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from somnus.analysis.base.errors import ProgramError
from somnus.analysis.base.program import Somnus, Summary, find_program
from somnus.analysis.base.text import count, html_table
from somnus.analysis.reading.file import (
    LogError, MissingLogError, NotALogError, columns_of, count_tables, frame_of, names_in, open_log,
    column_attribute,
)
from somnus.analysis.reading.guard import Attributes
from somnus.analysis.reading import shown
from somnus.analysis.reading.schema import JOB_STATES, NAMED, NAMES, NAMES_OF_SOME, NO_ID, TABLES, TASK_OUTCOMES, Table
from somnus.analysis.reading.width import PAPER_BINS, width_bins

__all__ = ["IncompleteLogWarning", "Log", "LogError", "MissingLogError", "NotALogError", "load"]

FORMAT = "somnus-log"
FORMAT_VERSION = 6


class IncompleteLogWarning(UserWarning):
    """The run still goes on, or did not live to close its log."""


def load(path: str | Path) -> Log:
    """Opens a log. Raises MissingLogError or NotALogError; warns with IncompleteLogWarning."""
    log = Log(Path(path))
    if not log.complete:
        warnings.warn(
            f"{log.path}: incomplete: the run still goes on or was killed; what follows is what "
            "was written so far (once it has ended, `somnus recover` makes the log whole)",
            IncompleteLogWarning,
            stacklevel=2,
        )
    return log


def load_all(paths: Iterable[Path], opening: Callable[[Path], Log] = load) -> list[Log]:
    """Raises LogError, with a line for each that can't be read."""
    logs, mistakes = [], []
    for path in paths:
        try:
            logs.append(opening(path))
        except LogError as error:
            mistakes.append(str(error))
    if mistakes:
        raise LogError("\n".join(mistakes))
    return logs


def read_summaries(logs: Sequence[Log], program: Path | None = None) -> None:
    """Log.summary of all of them in one call of the program (see find_program). Raises ProgramError."""
    found = Somnus(find_program(program)).summary(log.path for log in logs)
    for log, summary in zip(logs, found):
        log.summary = summary


def _frame(table: str) -> cached_property[pd.DataFrame]:
    return cached_property(lambda log: log.table(table))


class Log:
    """One run. Frames are read once, at first use; a new `load` sees what came since."""

    def __init__(self, path: Path):
        self.path = path
        with open_log(path) as file:
            found = Attributes(file)
            self.attributes = found.values
            self._raise(found.faults)
            if self.attributes.get("format") != FORMAT:
                raise NotALogError(
                    f"{path}: an HDF5 file, but not a log of Somnus (its root attribute 'format' "
                    f"is not '{FORMAT}')"
                )
            version = found.whole("format_version")
            if not found.faults and version != FORMAT_VERSION:
                raise NotALogError(
                    f"{path}: the log has format version {version}, this package reads version "
                    f"{FORMAT_VERSION}; use the one that came with the program that wrote it"
                )
            self._require_attributes(found)
            self._count = count_tables(file, path, self.resources)

    def _require_attributes(self, found: Attributes) -> None:
        self.complete = bool(found.whole("complete", 0))  # False while it goes on, or if it was killed
        # The kinds that nodes have, in the config's order; none where they have slots alone.
        self.resources = tuple(found.texts("resources"))
        self.label = found.text("label", "") or self.path.stem
        for name in ("mode", "config"):
            found.text(name)
        for name in ("workload_name", "somnus_version", "commit", "workload_digest", "config_path"):
            found.text(name, "")
        for name in ("seed", "ranks"):
            found.whole(name)
        found.real("speed")
        self._raise(found.faults)

    def _raise(self, faults: list[str]) -> None:
        if faults:
            raise NotALogError("\n".join(f"{self.path}: {fault}" for fault in faults))

    def __repr__(self) -> str:
        return f"<Log {self._in_words()}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: some figures of the summary, which the program is asked for."""
        try:
            rows = shown.rows_of(self.summary)
        except (OSError, ProgramError) as error:
            rows = [["no figures", str(error)]]
        return html_table([["", self.label], *rows], self._in_words())

    def _in_words(self) -> str:
        state = "" if self.complete else ", incomplete"
        return (f"{self.label!r} of {self.path}: {self.attributes['mode']}, seed {self.attributes['seed']}, "
                f"{count(self._count['jobs'])} jobs{state}")

    @cached_property
    def summary(self) -> Summary:
        """The figures of `somnus summary --json`, asked of the program at first use.

        By name: jobs and counts; `..._s` in seconds; shares of 1. NaN: the log has no such value. Raises
        ProgramError.
        """
        return Somnus(find_program(None)).summary([self.path])[0]

    @cached_property
    def config(self) -> dict:
        """The run's whole config, resolved."""
        try:
            config = tomllib.loads(self.attributes["config"])
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise NotALogError(f"{self.path}: the config in it is not TOML: {error}") from error
        for name, table in config.items():
            if not isinstance(table, dict):
                raise NotALogError(f"{self.path}: the config in it has no table [{name}]")
        return config

    @cached_property
    def names(self) -> dict[str, list[str]]:
        """Names of jobs, users, queues, apps and groups, and of accounts and QOS if there are any; a name's index is its id."""
        with open_log(self.path) as file:
            found = {kind: names_in(file, self.path, kind) for kind in NAMES}
            return found | {kind: names_in(file, self.path, kind) if f"names/{kind}" in file else [] for kind in NAMES_OF_SOME}

    @cached_property
    def jobs(self) -> pd.DataFrame:
        """/jobs, with names, `response_time`, `completion_time`, `slowdown` and `width`.

        response_time = finish - submit; completion_time = finish - first_start; slowdown =
        response_time / alone, the response time in an idle cluster. NaN unless finished.
        """
        jobs = self.table("jobs")
        for column in ("job", "user", "queue", "app"):
            jobs[f"{column}_name"] = self._name_column(jobs[column], f"{column}s")
        jobs["state_name"] = _coded(jobs["state"], JOB_STATES)
        finished = jobs["state_name"] == "finished"
        jobs["response_time"] = (jobs["finish"] - jobs["submit"]).where(finished)
        jobs["completion_time"] = (jobs["finish"] - jobs["first_start"]).where(finished)
        jobs["slowdown"] = jobs["response_time"] / jobs["alone"].where(jobs["alone"] > 0)
        jobs["width"] = width_bins(jobs["tasks"], PAPER_BINS)
        return _with_units(jobs, response_time="s", completion_time="s", slowdown="1")

    @cached_property
    def tasks(self) -> pd.DataFrame:
        """/tasks, one row an attempt, with `task`, `wait`, `queuing_delay`, `runtime` and `lateness`.

        task: its number among those of the workload; wait = start - ready; queuing_delay = start - queued, in the node's queue, NaN unless it
        started; runtime = finish - start; lateness = runtime - intended: the error of the
        emulation.
        """
        tasks = self.table("tasks")
        wide = self.stages["tasks"].to_numpy(np.int64)
        beyond = tasks["index"].to_numpy() >= wide[tasks["stage"]]
        if beyond.any():
            row = int(beyond.argmax())
            raise NotALogError(f"{self.path}: /tasks row {row}: stage {tasks['stage'][row]} has no task "
                               f"{tasks['index'][row]}")
        tasks["task"] = (np.cumsum(wide) - wide)[tasks["stage"]] + tasks["index"].to_numpy(np.int64)
        tasks["outcome_name"] = _coded(tasks["outcome"], TASK_OUTCOMES)
        tasks["wait"] = tasks["start"] - tasks["ready"]
        # One that reached a lost node has all its times at once, and never started.
        started = (tasks["outcome_name"] == "finished") | (tasks["start"] < tasks["finish"])
        tasks["queuing_delay"] = (tasks["start"] - tasks["queued"]).where(started)
        tasks["runtime"] = tasks["finish"] - tasks["start"]
        tasks["lateness"] = tasks["runtime"] - tasks["intended"]
        return _with_units(tasks, task="id", wait="s", queuing_delay="s", runtime="s", lateness="s")

    @cached_property
    def samples(self) -> pd.DataFrame:
        """/samples, with `utilisation`, a share of 1.

        Busy slots / all slots. Where nodes have no slots, the binding resource's: the largest of
        the shares allocated / capacity at that instant, so the kind may change from row to row.
        """
        samples = self.table("samples")
        if self.slots or not self.resources:
            samples["utilisation"] = samples["busy_slots"] / max(self.slots, 1)
        else:
            shares = self._per_resource(samples) / self.capacity
            samples["utilisation"] = shares.max(axis=1).fillna(0.0)
        return _with_units(samples, utilisation="1")

    @cached_property
    def nodes(self) -> pd.DataFrame:
        """/nodes, with `group_name`."""
        nodes = self.table("nodes")
        nodes["group_name"] = self._name_column(nodes["group"], "groups")
        return nodes

    @cached_property
    def users(self) -> pd.DataFrame:
        """/users, with `user_name`."""
        users = self.table("users")
        users["user_name"] = self._name_column(users["user"], "users")
        return users

    @cached_property
    def accounting(self) -> pd.DataFrame:
        """/accounting, the jobs that have an account or a QOS or are nice, with names; where a job has none it is ""."""
        rows = self.table("accounting")
        for column, kind in (("account", "accounts"), ("qos", "qos")):
            known = rows[column] != NO_ID
            self._require_names(rows[column][known], kind)
            rows[f"{column}_name"] = ""
            rows.loc[known, f"{column}_name"] = self._name_column(rows[column][known].astype("uint32"), kind)
        return rows

    stages = _frame("stages")
    stage_parents = _frame("stage_parents")
    stage_affinity = _frame("stage_affinity")
    ranks = _frame("ranks")
    scheduler = _frame("scheduler")

    # What a log may lack; then they have no rows.
    targets = _frame("targets")  # at each sample a row for each active job of which the policy says its target
    curves = _frame("curves")  # what slots add to jobs' progress: up to `slots`, `gain` of each
    gangs = _frame("gangs")  # stages whose tasks start together, or that have nodes for themselves
    limits = _frame("limits")  # of jobs
    cold_tasks = _frame("cold_tasks")  # what each task of the workload takes where its slot is not warm
    lateness = _frame("lateness")  # how late the looks of each rank were: a histogram up to `up_to` [real s]
    instants = _frame("instants")  # when rounds later than 96 days were, to the nanosecond
    resumes = _frame("resumes")  # when the run was cut off and went on

    @cached_property
    def events(self) -> dict[str, pd.DataFrame]:
        """/events, a table a kind. `number` is a row's index among the rows of all kinds."""
        return self._tables("events")

    @cached_property
    def decisions(self) -> dict[str, pd.DataFrame]:
        """/decisions, a table a kind. `number` is a row's index among the rows of all kinds."""
        return self._tables("decisions")

    @property
    def slots(self) -> int:
        """Slots of the whole cluster; 0: resources alone limit tasks."""
        return int(self.nodes["slots"].sum())

    @cached_property
    def capacities(self) -> pd.DataFrame:
        """What each node has: one row a node, by id, a column a dimension, in the user's unit.

        A dimension is a kind of resource or, in a cluster of slots alone, the slot.
        """
        nodes = self.table("nodes")
        return self._per_resource(nodes) if self.resources else nodes[["slots"]].astype(float)

    @cached_property
    def capacity(self) -> pd.Series:
        """What the whole cluster has, by dimension, in the user's unit."""
        return self.capacities.sum()

    @cached_property
    def stage_demands(self) -> pd.DataFrame:
        """What one task of a stage truly takes: one row a stage, by id, a column a dimension.

        Of slots one. What the scheduler believed is in `events["stage_estimated"]`.
        """
        if not self.resources:
            return pd.DataFrame({"slots": np.ones(len(self.stages))})
        return self._per_resource(self.table("stage_demands"))

    @property
    def demands(self) -> pd.DataFrame:
        """The same of each attempt: row by row those of `tasks`."""
        return self.stage_demands.iloc[self.tasks["stage"].to_numpy()].set_axis(self.tasks.index)

    def table(self, name: str) -> pd.DataFrame:
        """A table as it stands in the file, nothing added. Read anew at each call."""
        if name not in self._count and name in TABLES and TABLES[name].optional:
            return _empty(TABLES[name])
        self._require_table(name)
        with open_log(self.path) as file:
            frame = frame_of(file, self.path, name, self._population)
        for column, kind in ((column, kind) for (table, column), kind in NAMED.items() if table == name):
            self._require_names(frame[column], kind)
        return frame

    @cached_property
    def _population(self) -> dict[str, int]:
        """Of each table's rows, and how many tasks the workload has."""
        count = self._count | {"tasks": 0}
        with open_log(self.path) as file:
            stages = frame_of(file, self.path, "stages", count)
        return count | {"tasks": int(stages["tasks"].sum())}

    def _tables(self, group: str) -> dict[str, pd.DataFrame]:
        """Those that this package knows."""
        return {name.rpartition("/")[2]: self.table(name) for name in TABLES
                if name.startswith(f"{group}/")}

    def columns(self, name: str) -> pd.DataFrame:
        """Unit and meaning of a table's columns, as the log itself states them."""
        self._require_table(name)
        with open_log(self.path) as file:
            dataset = file[name]
            names = columns_of(dataset.dtype)
            return pd.DataFrame(
                {what: [column_attribute(dataset, column, what) for column in names]
                 for what in ("unit", "meaning")},
                index=pd.Index(names, name="column"),
            )

    def _per_resource(self, rows: pd.DataFrame) -> pd.DataFrame:
        """The columns of a table as it stands in the file that are one a resource: its last."""
        kinds = list(self.resources)
        return rows.iloc[:, len(rows.columns) - len(kinds):].set_axis(kinds, axis=1)

    def _name_column(self, ids: pd.Series, kind: str) -> np.ndarray:
        return np.array(self.names[kind], dtype=object)[ids.to_numpy()]

    def _require_table(self, name: str) -> None:
        if name not in self._count:
            raise NotALogError(f"{self.path}: the log has no table /{name}")

    def _require_names(self, ids: pd.Series, kind: str) -> None:
        names = self.names[kind]
        if len(ids) and ids.max() >= len(names):
            raise NotALogError(
                f"{self.path}: id {ids.max()} has no name among the {len(names)} of /names/{kind}"
            )


def _empty(table: Table) -> pd.DataFrame:
    frame = pd.DataFrame({column: np.empty(0, kind) for columns, kind in
                          ((table.whole, np.uint64), (table.real, float)) for column in columns})
    frame.attrs["units"] = {}
    return frame


def _with_units(frame: pd.DataFrame, **units: str) -> pd.DataFrame:
    frame.attrs["units"] |= units
    return frame


def distinct_labels(logs: list[Log]) -> list[str]:
    """The logs' labels; where two logs share one, the file's name is added, then its folder."""
    labels = [log.label for log in logs]
    for detail in (lambda log: log.path.stem, lambda log: str(log.path)):
        repeated = {label for label in labels if labels.count(label) > 1}
        labels = [
            f"{log.label} ({detail(log)})" if label in repeated else label
            for log, label in zip(logs, labels)
        ]
    return labels


def _coded(codes: pd.Series, names: tuple[str, ...]) -> pd.Categorical:
    return pd.Categorical.from_codes(codes.to_numpy(dtype=int), categories=list(names))
