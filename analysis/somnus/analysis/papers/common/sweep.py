"""What a paper does not say of its set-up, swept: for which values would its numbers come out?

An `Axis` has the values tried, and the one that the tables are made with. At each value the figure is
measured and judged by itself, each claim at 95 %. A claim that does not hold in the tables either comes
out at other values, and then the paper's silence is the reason; or it does so at none, which is a finding.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from somnus.analysis.base.text import number, table
from somnus.analysis.papers.common.expect import Expectation, Figure, Measured
from somnus.analysis.papers.common.verdicts import (
    FAILS, HOLDS, OPEN, Finding, Verdict, findings, judge,
)

MARKS = {HOLDS: "+", FAILS: "-", OPEN: "?"}


@dataclass(frozen=True)
class Axis:
    """One thing that is not published."""

    name: str  # in a sentence: "load"
    title: str  # in a figure, with its unit
    values: Sequence[float]
    ours: float  # that the tables are made with
    keys: str = ".*"  # of the rows that hang on it (a regular expression, of the whole key)


@dataclass(frozen=True)
class Swept:
    """A figure measured at each value of an axis."""

    axis: Axis
    figure: Figure
    measured: Mapping[float, Measured]
    repeats: bool = False

    @cached_property
    def found(self) -> dict[float, list[Finding]]:
        """By value: what hangs on the axis and has a target, judged each by itself."""
        return {value: [each for each in findings(judge(self.figure, measured, self.repeats))
                        if self.hangs(each.best.expectation)]
                for value, measured in sorted(self.measured.items())}

    def hangs(self, wanted: Expectation) -> bool:
        return re.fullmatch(self.axis.keys, wanted.key) is not None

    @property
    def span(self) -> str:
        """Of the values tried."""
        return f"{min(self.measured):g} to {max(self.measured):g}"

    def by_value(self, key: str) -> dict[float, Finding]:
        """The claim or number that the row belongs to."""
        return {value: each for value, found in self.found.items() for each in found
                if any(reading.expectation.key == key for reading in each.readings)}

    def explained(self, verdict: Verdict) -> Verdict:
        """With what the sweep says of a claim or number that does not hold, after other sweeps."""
        if verdict.holds or not (at := self.by_value(verdict.expectation.key)):
            return verdict

        def noted(words: str) -> Verdict:
            return replace(verdict, note=f"{verdict.note} {words}".strip())

        by_word = {word: [value for value, each in at.items() if each.word == word] for word in MARKS}
        tried = f"{self.axis.name} from {self.span}"
        if by_word[HOLDS]:
            there = f"{self.axis.name} {listed(by_word[HOLDS])}"
            if verdict.word == OPEN or verdict.reason:
                return noted(f"It comes out at {there}.")
            return replace(verdict, reason=f"the paper does not say its {self.axis.name}: this comes out at "
                                           f"{there}, and the tables are made at {self.axis.ours:g}.")
        if by_word[OPEN]:
            return noted(f"At no {tried} is it sure to come out; at {listed(by_word[OPEN])} it is not decided.")
        nearest, value = min(((reading, value) for value, each in at.items() for reading in each.readings),
                             key=lambda each: _off(each[0]))
        return noted(f"At no {tried} does it come out; the nearest is {number(nearest.mean)} at {value:g}.")


def sweep(axis: Axis, figure: Figure, measure: Callable[[float], Measured], repeats: bool = False) -> Swept:
    return Swept(axis, figure, {value: measure(value) for value in axis.values}, repeats)


def of_first(measured: Measured, seeds: int) -> Measured:
    """Of the first seeds, so that all values of an axis are judged by as many."""
    return {key: values[:seeds] for key, values in measured.items()}


def listed(values: Sequence[float]) -> str:
    words = [f"{value:g}" for value in values]
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def shown(swept: Swept) -> str:
    """A row a claim or number, a column a value: the mean, and how it came out there."""
    values = list(swept.found)
    rows = [[f"{swept.figure.name} by {swept.axis.name}", "paper", *(f"{value:g}" for value in values)]]
    for cells in zip(*swept.found.values()):
        best = cells[0].best.expectation
        rows.append([best.quantity, str(best.target),
                     *(f"{number(each.best.mean)} {MARKS[each.word]}" for each in cells)])
    rows.append(["of these come out", "", *(str(sum(each.word == HOLDS for each in found))
                                           for found in swept.found.values())])
    return "\n".join([table(rows, gap=" | "), "",
                      "+ comes out, - does not, ? is not decided; each by its own 95 % interval."])


def totals(swept: Sequence[Swept]) -> str:
    """Claims by value, over the figures that share an axis."""
    axes: dict[str, list[Swept]] = {}
    for each in swept:
        axes.setdefault(each.axis.title, []).append(each)
    parts = []
    for title, those in axes.items():
        values = [value for value in those[0].found if all(value in each.found for each in those)]
        rows = [[title, *(f"{value:g}" for value in values)]]
        found = {value: [one for each in those for one in each.found[value] if one.claim]
                 for value in values}
        rows += [[f"claims of {len(found[values[0]])}: {word}",
                  *(str(sum(each.word == word for each in found[value])) for value in values)]
                 for word in MARKS]
        parts.append(table(rows, gap=" | "))
    return "\n\n".join(parts)


def _off(verdict: Verdict) -> float:
    """How far the mean is from where the target is met."""
    target = verdict.expectation.target
    assert target is not None
    if target.met_by(verdict.mean):
        return 0.0
    return min(abs(verdict.mean - edge) for edge in target.edges)
