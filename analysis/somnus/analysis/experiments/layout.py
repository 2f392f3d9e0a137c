"""Which axis of an experiment runs along x, which make the lines, and which the panels.

The numeric axis with the most values is x; the others make a line each combination. Where that is
more lines than can be told apart, one of these axes makes panels instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from somnus.analysis.base.errors import UserError
from somnus.analysis.experiments.table import UNREAD, Axis, Experiment, Step

MOST_LINES = 8
MOST_PANELS = 6
MOST_CATEGORIES = 40

Combination = tuple[Step, ...]  # a step of each of the axes that make the lines


@dataclass(frozen=True)
class Panel:
    title: str
    lines: list[tuple[Combination, pd.DataFrame]]  # rows in the order of x


@dataclass(frozen=True)
class Layout:
    x: Axis
    lines: tuple[Axis, ...]
    panel: Axis | None
    combinations: tuple[Combination, ...]  # that there are, in the table's order

    def label(self, combination: Combination) -> str:
        parts = list(zip(self.lines, combination))
        read = [(axis, step) for axis, step in parts if set(step) != {UNREAD}]
        return ", ".join(axis.label(step) for axis, step in read or parts)

    def shown(self, rows: pd.DataFrame) -> Layout:
        """Without the categories that have no row, as the baseline has no difference to itself."""
        if self.x.numeric:
            return self
        here = set(_steps(_at_each_step(rows, self.x), self.x))
        steps = tuple(step for step in self.x.steps if step in here)
        return replace(self, x=replace(self.x, steps=steps))

    def panels(self, rows: pd.DataFrame) -> list[Panel]:
        """Rows of one metric. What does not read a key is at each x and in each panel."""
        rows = _at_each_step(rows, self.x)
        if self.panel is None:
            return [Panel("", self._lines_of(rows))]
        rows = _at_each_step(rows, self.panel)
        return [Panel(self.panel.label(step), self._lines_of(_at(rows, self.panel, step)))
                for step in self.panel.steps]

    def places(self, rows: pd.DataFrame) -> list[float]:
        """Where rows are along x: a category's number, from 0 on."""
        if self.x.numeric:
            return [float(value) for value in rows[self.x.key]]
        return [self.x.steps.index(step) for step in _steps(rows, self.x)]

    def _lines_of(self, rows: pd.DataFrame) -> list[tuple[Combination, pd.DataFrame]]:
        own = pd.Series(_combinations(rows, self.lines), index=rows.index, dtype=object)
        found = []
        for combination in self.combinations:
            line = rows[[each == combination for each in own]]
            if len(line):
                order = pd.Series(self.places(line), index=line.index).sort_values(kind="stable")
                found.append((combination, line.loc[order.index]))
        return found


def arrange(experiment: Experiment, x: str | None = None) -> Layout:
    """`x`: the key to run along x. Raises UserError if nobody could read the figure."""
    along = experiment.axis(x) if x else _longest(experiment)
    if not along.numeric and len(along.steps) > MOST_CATEGORIES:
        raise UserError(_too_many(along, f"{MOST_CATEGORIES} fit into a figure"))
    others = [axis for axis in experiment.axes if not set(axis.keys) & set(along.keys)]
    everything = _layout(experiment, along, others, None)
    if len(everything.combinations) <= MOST_LINES:
        return everything
    panelled = [_layout(experiment, along, [each for each in others if each is not axis], axis)
                for axis in others if len(axis.steps) <= MOST_PANELS]
    readable = [each for each in panelled if len(each.combinations) <= MOST_LINES]
    if not readable:
        raise UserError(_too_many(max(others, key=lambda axis: len(axis.steps)),
                                 f"a panel has {MOST_LINES} lines at most, a figure "
                                 f"{MOST_PANELS} panels"))
    return min(readable, key=lambda each: len(each.panel.steps) if each.panel else 0)


def _longest(experiment: Experiment) -> Axis:
    axes = experiment.axes
    if not axes:  # a single point
        key = experiment.keys[:1]
        return Axis(key, experiment.steps(key), experiment.names)
    return max([axis for axis in axes if axis.numeric] or axes, key=lambda axis: len(axis.steps))


def _layout(experiment: Experiment, x: Axis, lines: Sequence[Axis], panel: Axis | None) -> Layout:
    lines = sorted(lines, key=lambda axis: "policy" not in axis.keys)  # colours are those of policies
    distinct = dict.fromkeys(_combinations(experiment.table, lines))
    return Layout(x, tuple(lines), panel, tuple(distinct))


def _too_many(axis: Axis, limit: str) -> str:
    some = " ".join(axis.steps[index][0] for index in range(2))
    return (f"{axis.key} has {len(axis.steps)} values here; {limit}, so choose some of them: "
            f"--only {axis.key} {some} ...")


def _steps(rows: pd.DataFrame, axis: Axis) -> list[Step]:
    return list(rows[list(axis.keys)].itertuples(index=False, name=None))


def _combinations(rows: pd.DataFrame, lines: Sequence[Axis]) -> list[Combination]:
    if not lines:
        return [()] * len(rows)
    return list(zip(*(_steps(rows, axis) for axis in lines)))


def _at(rows: pd.DataFrame, axis: Axis, step: Step) -> pd.DataFrame:
    return rows[[each == step for each in _steps(rows, axis)]]


def _at_each_step(rows: pd.DataFrame, axis: Axis) -> pd.DataFrame:
    unread = [set(step) == {UNREAD} for step in _steps(rows, axis)]
    if not any(unread) or any(set(step) == {UNREAD} for step in axis.steps):
        return rows
    copies = [rows[unread].assign(**dict(zip(axis.keys, step))) for step in axis.steps]
    kept = rows[[not each for each in unread]]
    return pd.concat([kept, *copies], ignore_index=True)
