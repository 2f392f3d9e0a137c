"""What `somnus experiment` left in its folder: figures of runs at each combination of some keys.

An axis is a key that takes several values there, or several keys that turn together. UNREAD in a
key's column: that point's scheduler does not read the key, so the point stands for all its values.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pandas as pd

from somnus.analysis.base.errors import UserError
from somnus.analysis.base.names import meaning_of, words_of
from somnus.analysis.base.text import csv_text, hint
from somnus.analysis.experiments import answers
from somnus.analysis.experiments.words import Metric, step_words

UNREAD = "-"
SOCKET = "scheduler.external.socket"
COMMAND = "scheduler.external.command"
# Of an order in the Python process that asked for the experiment (somnus/listening.py), called as the order.
OWN_SOCKET = re.compile(r".*/somnus-order-[^/]*/([^/]+)")
REPLICATES = ("runs", "batches")  # what means are over
FIGURES = ["runs", "mean", "half_width_95", "difference", "difference_half_width_95"]
MOST = 1e15  # no figure of a run is beyond it
USUAL = ("response_mean_s", "slowdown_mean", "utilisation")

Step = tuple[str, ...]  # a value for each of an axis's keys


@dataclass(frozen=True)
class Axis:
    """Keys that turn together, and the values that they take, in the order of the table."""

    keys: tuple[str, ...]
    steps: tuple[Step, ...]  # without those where no key is read
    names: Mapping[str, str] = field(default_factory=dict, compare=False)  # of policies, by label

    @property
    def key(self) -> str:
        return self.keys[0]

    @property
    def numeric(self) -> bool:
        return len(self.steps) > 1 and all(_is_number(each) for step in self.steps for each in step)

    def label(self, step: Step) -> str:
        parts = [step_words(key, value, self.names) for key, value in zip(self.keys, step) if value != UNREAD]
        return ", ".join(parts) or f"{self.key.rpartition('.')[2]} not read"

    def led_by(self, key: str) -> Axis:
        """The same with another of its keys as the one that it is named and drawn by."""
        order = sorted(range(len(self.keys)), key=lambda index: self.keys[index] != key)
        return Axis(tuple(self.keys[index] for index in order),
                    tuple(tuple(step[index] for index in order) for step in self.steps), self.names)


@dataclass(frozen=True)
class Experiment:
    """`table` is summary.csv: a row a point and metric; keys as text, figures as numbers.

    Its column `runs` is of batches, where these are what means are over.
    """

    folder: Path
    keys: tuple[str, ...]
    table: pd.DataFrame
    baseline: str | None  # in words; None: the experiment has none
    answers: Mapping[str, answers.Answer] = field(default_factory=dict)  # by metric
    replicates: str = "runs"  # or the batches of one

    @property
    def axes(self) -> list[Axis]:
        """Keys of a single value are none."""
        groups: list[list[str]] = []
        for key in self.keys:
            if self.table[key].nunique() < 2:
                continue
            for group in groups:
                if _turn_together(self.table, group[0], key):
                    group.append(key)
                    break
            else:
                groups.append([key])
        return [Axis(tuple(group), self.steps(group), self.names) for group in groups]

    @property
    def names(self) -> dict[str, str]:
        """By label each policy's word."""
        return words_of(self.table["policy"]) if "policy" in self.keys else {}

    @property
    def meanings(self) -> list[str]:
        """A line for each policy whose word does not say all."""
        return [meaning_of(label, word) for label, word in self.names.items() if label != word]

    def steps(self, keys: Sequence[str]) -> tuple[Step, ...]:
        distinct = dict.fromkeys(self.table[list(keys)].itertuples(index=False, name=None))
        return tuple(step for step in distinct if set(step) != {UNREAD}) or tuple(distinct)

    @property
    def metrics(self) -> list[Metric]:
        distinct = self.table[["metric", "unit"]].drop_duplicates()
        return [Metric(*each) for each in distinct.itertuples(index=False, name=None)]

    def chosen(self, names: Sequence[str] | None) -> list[Metric]:
        """Those metrics, or the usual ones. Raises UserError if one is not there."""
        by_name = {metric.name: metric for metric in self.metrics}
        if names is None:
            names = [name for name in USUAL if name in by_name]
            if not names:
                raise UserError(f"{self.folder}: has none of {', '.join(USUAL)}; --metric NAME "
                               f"chooses others, which its summary.csv names")
        for name in names:
            if name not in by_name:
                raise UserError(f"--metric: expected a metric of this experiment, found "
                               f"'{name}'{hint(name, by_name)}")
        return [by_name[name] for name in dict.fromkeys(names)]

    def of(self, metric: Metric) -> pd.DataFrame:
        return self.table[self.table["metric"] == metric.name]

    def only(self, key: str, values: Sequence[str]) -> Experiment:
        """The points with one of these values, and those that do not read the key."""
        if key not in self.keys:
            raise UserError(f"--only: expected an axis of this experiment, found '{key}'"
                           f"{hint(key, self.keys)}")
        known = dict.fromkeys(self.table[key])
        for value in values:
            if value not in known:
                raise UserError(f"--only: expected a value of {key}, found '{value}'"
                               f"{hint(value, known)}")
        table = self.table[self.table[key].isin([*values, UNREAD])]
        if not values or table.empty:
            raise UserError(f"--only {key}: leaves no point; name some of its values, "
                           f"{', '.join(known)}")
        return replace(self, table=table)

    def axis(self, key: str) -> Axis:
        """The axis with that key. Raises UserError if it has none."""
        axes = self.axes
        for axis in axes:
            if key in axis.keys:
                return axis.led_by(key)
        if key in self.keys:
            raise UserError(f"--x: {key} has a single value here, {self.table[key].iloc[0]}")
        raise UserError(f"--x: expected an axis of this experiment, found '{key}'"
                       f"{hint(key, [each for axis in axes for each in axis.keys])}")


def read(folder: Path) -> Experiment:
    """Raises UserError if that is no folder of an experiment."""
    table = _table(folder)
    replicates = next((each for each in REPLICATES if each in table), "runs")
    table = table.rename(columns={replicates: "runs"})
    columns = list(table.columns)
    if "metric" not in columns or columns[columns.index("metric"):] != ["metric", "unit", *FIGURES]:
        raise UserError(f"{folder / 'summary.csv'}: expected the table of somnus experiment, "
                       f"found columns {', '.join(columns)}")
    keys = tuple(columns[:columns.index("metric")])
    if not keys or table.empty:
        raise UserError(f"{folder / 'summary.csv'}: has no point of an experiment")
    for key in keys:
        table[key] = table[key].map(csv_text)
    for column in FIGURES:
        table[column] = _numbers(table[column], folder)
    table = with_names_of_orders(table)
    keys = tuple(key for key in keys if key in table)
    found = Experiment(folder, keys, table, None, answers.read(folder), replicates)
    return replace(found, baseline=_baseline(table, keys, found.names))


def with_names_of_orders(table: pd.DataFrame) -> pd.DataFrame:
    """An order of the process that asked for the experiment is a policy with a name, instead of a socket.

    Where a process or socket is to be reached is left out if the other keys tell the points apart.
    """
    if "policy" not in table:
        return table
    if SOCKET in table:
        names = table[SOCKET].str.extract(OWN_SOCKET, expand=False)
        table = table.assign(policy=names.fillna(table["policy"]))
    columns = list(table.columns)
    keys = columns[:min(columns.index(each) for each in ("metric", "seed") if each in columns)]
    rest = [key for key in keys if key not in (SOCKET, COMMAND)]
    if len(table[keys].drop_duplicates()) != len(table[rest].drop_duplicates()):
        return table
    return table.drop(columns=[key for key in keys if key not in rest])


def _table(folder: Path) -> pd.DataFrame:
    file = folder / "summary.csv"
    if not folder.exists():
        raise UserError(f"{folder}: there is no such folder")
    if not folder.is_dir():
        raise UserError(f"{folder}: expected the folder that somnus experiment wrote, found a file")
    if not file.exists() and (folder / "runs.jsonl").exists():
        raise UserError(f"{folder}: the experiment has not ended, there is no summary.csv; "
                       "somnus experiment FILE -o FOLDER goes on with it")
    if not file.exists():
        raise UserError(f"{folder}: not a folder of somnus experiment, it has no summary.csv")
    try:
        return pd.read_csv(file, dtype=str, keep_default_na=False, index_col=False)
    except ValueError as error:  # which pandas' errors and bad bytes are
        raise UserError(f"{file}: not a table: {error}") from error


def _numbers(cells: pd.Series, folder: Path) -> pd.Series:
    try:
        numbers = cells.replace("", "nan").astype(float)
    except ValueError as error:
        raise UserError(f"{folder / 'summary.csv'}: {cells.name}: {error}") from error
    least = 0.0 if "half_width" in str(cells.name) else 1.0 if cells.name == "runs" else -MOST
    of_nothing = str(cells.name).startswith("difference") & (np.isinf(numbers) | (cells == "nan"))
    wrong = ~(numbers.between(least, MOST) | of_nothing | ((cells == "") & (cells.name != "runs")))
    if wrong.any():
        line = int(wrong.to_numpy().argmax()) + 2
        raise UserError(f"{folder / 'summary.csv'}:{line}: expected {cells.name} from {least:g} to {MOST:g}, "
                       f"found '{cells.iloc[line - 2]}'")
    return numbers


def _baseline(table: pd.DataFrame, keys: Sequence[str], names: Mapping[str, str]) -> str | None:
    """The points that are compared with nothing, named by the keys in which only others differ."""
    has_difference = table["difference"].notna() | table["difference_half_width_95"].notna()
    if not has_difference.any():
        return None
    compared = has_difference.groupby([table[key] for key in keys]).transform("any")
    parts = []
    for key in keys:
        own = set(table.loc[~compared, key])
        if len(own) == 1 and own != {UNREAD} and set(table.loc[compared, key]) - own:
            parts.append(step_words(key, own.pop(), names))
    return ", ".join(parts) or "the baseline"


def _turn_together(table: pd.DataFrame, one: str, other: str) -> bool:
    pairs = table[[one, other]].drop_duplicates()
    return len(pairs) == pairs[one].nunique() == pairs[other].nunique()


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
