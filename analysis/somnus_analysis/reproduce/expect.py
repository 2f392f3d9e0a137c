"""What a paper says beside what was measured.

A paper is a list of Expectation, plain data. A measurement is a list of values, one a seed, under
the expectation's key. `Verdict` joins the two; tables and claims are printed from verdicts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from somnus_analysis.text import number, paragraph, table


class Relation(Enum):
    EQUAL = "="  # up to `tolerance`, absolute
    ABOUT = "about"  # up to `tolerance`, a share of the paper's value
    MORE = ">"
    AT_LEAST = "≥"
    LESS = "<"
    AT_MOST = "≤"


@dataclass(frozen=True)
class Target:
    """What the paper says of one number."""

    relation: Relation
    value: float
    tolerance: float = 0.0

    def met_by(self, measured: float) -> bool:
        """False for NaN: what was not measured does not hold."""
        match self.relation:
            case Relation.EQUAL:
                return abs(measured - self.value) <= self.tolerance
            case Relation.ABOUT:
                return abs(measured - self.value) <= self.tolerance * abs(self.value)
            case Relation.MORE:
                return measured > self.value
            case Relation.AT_LEAST:
                return measured >= self.value
            case Relation.LESS:
                return measured < self.value
            case Relation.AT_MOST:
                return measured <= self.value

    def __str__(self) -> str:
        if self.relation in (Relation.EQUAL, Relation.ABOUT):
            return number(self.value)
        return f"{self.relation.value} {number(self.value)}"

    @property
    def margin(self) -> str:
        """How the word 'holds' is meant, where the paper's word leaves room."""
        if self.relation is Relation.ABOUT:
            return f" ± {100 * self.tolerance:g} %"
        if self.relation is Relation.EQUAL and self.tolerance:
            return f" ± {self.tolerance:g}"
        return ""


def equal(value: float, tolerance: float = 1e-6) -> Target:
    return Target(Relation.EQUAL, value, tolerance)


def about(value: float, within: float) -> Target:
    return Target(Relation.ABOUT, value, within)


def more_than(value: float) -> Target:
    return Target(Relation.MORE, value)


def at_least(value: float) -> Target:
    return Target(Relation.AT_LEAST, value)


def less_than(value: float) -> Target:
    return Target(Relation.LESS, value)


def at_most(value: float) -> Target:
    return Target(Relation.AT_MOST, value)


@dataclass(frozen=True)
class Expectation:
    """One row of a figure's table, and the claim that it carries, if any."""

    key: str  # of the measurement
    quantity: str  # what is measured, with its unit
    target: Target | None = None  # None: the paper gives no number
    claim: str = ""  # the paper's sentence about it
    exact: bool = False  # arithmetic, not an experiment: a difference is a defect


@dataclass(frozen=True)
class Reason:
    """Why the rows whose keys match the pattern (a regular expression, of the whole key) differ."""

    keys: str
    text: str
    when: Relation | None = None  # MORE, LESS: only what was measured above, below the paper's

    def fits(self, expectation: Expectation) -> bool:
        return re.fullmatch(self.keys, expectation.key) is not None

    def explains(self, verdict: Verdict) -> bool:
        """Of a verdict that misses its target."""
        wanted = verdict.expectation
        aside = self.when is None or (wanted.target is not None and Target(
            self.when, wanted.target.value).met_by(verdict.mean))
        return aside and self.fits(wanted)


@dataclass(frozen=True)
class Figure:
    """One figure of the paper."""

    name: str
    title: str
    expectations: tuple[Expectation, ...]
    remark: str = ""  # why it can't match in full
    reasons: tuple[Reason, ...] = ()  # why rows that miss their target do; the first that fits


@dataclass(frozen=True)
class Verdict:
    """An expectation and its measured values, one a seed. Judged by their mean."""

    expectation: Expectation
    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        known = [value for value in self.values if not math.isnan(value)]
        return sum(known) / len(known) if known else math.nan

    @property
    def holds(self) -> bool:
        target = self.expectation.target
        return target is None or target.met_by(self.mean)

    @property
    def measured(self) -> str:
        """The mean; with several seeds also the smallest and the largest."""
        known = [value for value in self.values if not math.isnan(value)]
        if not known or number(min(known)) == number(max(known)):
            return number(self.mean)
        return f"{number(self.mean)} ({number(min(known))} to {number(max(known))})"

    @property
    def difference(self) -> str:
        """Measured minus paper, and as a share of the paper's value."""
        target = self.expectation.target
        return "–" if target is None else difference(self.mean, target.value)

    @property
    def sentence(self) -> str:
        """Whether the claim holds, and the claim; the numbers in a second line."""
        target = self.expectation.target
        assert target is not None  # a claim has one
        word = "can't be told:" if math.isnan(self.mean) else (
            "holds:" if self.holds else "does not hold:")
        numbers = (f"{self.expectation.quantity}: measured {self.measured}, "
                   f"paper {target}{target.margin}")
        if len(self.values) > 1:
            met = sum(target.met_by(value) for value in self.values)
            numbers += f"; so in {met} of {len(self.values)} seeds"
        return f"{word:<15}{self.expectation.claim}\n{'':<15}{numbers}"


def stack(runs: Iterable[Mapping[str, float]]) -> dict[str, list[float]]:
    """Values of several seeds or iterations under one key."""
    runs = list(runs)
    return {key: [float(values[key]) for values in runs] for key in (runs[0] if runs else ())}


def judge(figure: Figure, measured: Mapping[str, Sequence[float]]) -> list[Verdict]:
    """One verdict an expectation, in order. A key that was not measured counts as NaN."""
    return [
        Verdict(each, tuple(measured.get(each.key, (math.nan,)))) for each in figure.expectations
    ]


def difference(measured: float, wanted: float) -> str:
    """Measured minus wanted, and as a share of what is wanted."""
    apart = measured - wanted
    if math.isnan(apart):
        return "–"
    if abs(apart) < 5e-4:
        return "0"
    sign = "+" if apart > 0 else "−"
    share = round(abs(100 * apart / wanted)) if wanted else 0
    return f"{sign}{number(abs(apart))}" + (f" ({sign}{share} %)" if share else "")


@dataclass(frozen=True)
class Beside:
    """A further column of numbers by key, between the paper's and the measured ones.

    Where the paper has none, it is them that the difference is taken from.
    """

    title: str
    values: Mapping[str, float]


def report(figure: Figure, verdicts: Sequence[Verdict], beside: Beside | None = None) -> str:
    """The figure's table `paper | measured | difference`, its claims, reasons and remark."""
    extra = [beside.title] if beside else []
    rows = [[figure.name, "paper", *extra, "measured", "difference"]]
    for each in verdicts:
        wanted = each.expectation
        other = beside.values.get(wanted.key, math.nan) if beside else math.nan
        apart = difference(each.mean, other) if wanted.target is None else each.difference
        rows.append([wanted.quantity, str(wanted.target or "–"),
                     *([number(other)] if beside else []), each.measured, apart])
    lines = [f"{figure.name}: {figure.title}", "", table(rows, gap=" | ")]
    claims = [each.sentence for each in verdicts if each.expectation.claim]
    if claims:
        lines += ["", *claims]
    if figure.reasons:
        lines += _reasons(figure, verdicts)
    if figure.remark:
        lines += ["", paragraph(f"Note: {figure.remark}")]
    return "\n".join(lines)


def _reasons(figure: Figure, verdicts: Sequence[Verdict]) -> list[str]:
    """How many rows are as in the paper; then the others by their reason, those without one last."""
    aimed = [each for each in verdicts if each.expectation.target]
    missed = [each for each in aimed if not each.holds]
    explained: dict[str, list[str]] = {}
    for reason in figure.reasons:
        for each in [each for each in missed if reason.explains(each)]:
            explained.setdefault(f"Reason: {reason.text}", []).append(each.expectation.quantity)
            missed.remove(each)
    if missed:
        explained["Unexplained."] = [each.expectation.quantity for each in missed]
    lines = ["", _tally(aimed)]
    for text, rows in explained.items():
        lines += [paragraph("; ".join(rows), "- ", "  "), paragraph(text, "  ", "  ")]
    return lines


def _tally(aimed: Sequence[Verdict]) -> str:
    numbers = [each for each in aimed if not each.expectation.claim]
    claims = [each for each in aimed if each.expectation.claim]
    margins = sorted({each.expectation.target.margin.strip() for each in numbers
                      if each.expectation.target})
    parts = [
        f"{sum(each.holds for each in rows)} of {len(rows)} {what}"
        for rows, what in ((numbers, f"numbers ({', '.join(margins)})"), (claims, "claims")) if rows
    ]
    return f"As in the paper: {', '.join(parts)}. The others:"
