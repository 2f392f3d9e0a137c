"""What a paper says, as data.

A paper is a list of Expectation. A measurement is a list of values, one a seed, under the
expectation's key. verdicts.py joins the two; tables.py and scoreboard.py show verdicts.
"""

import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial

from somnus.analysis.base.text import number
from somnus.analysis.papers.common.tolerances import EXACT, Metric

Measured = Mapping[str, Sequence[float]]  # by an expectation's key, a value a seed
Values = dict[str, float]  # by key, of one seed


class Relation(Enum):
    NEAR = "≈"  # as near as the metric asks
    MORE = ">"
    AT_LEAST = "≥"
    LESS = "<"
    AT_MOST = "≤"


COMPARED = {Relation.MORE: operator.gt, Relation.AT_LEAST: operator.ge, Relation.LESS: operator.lt,
            Relation.AT_MOST: operator.le}


@dataclass(frozen=True)
class Target:
    """What the paper says of one number."""

    relation: Relation
    value: float
    metric: Metric | None = None  # of a number that is to be near

    def met_by(self, measured: float) -> bool:
        """False for NaN: what was not measured does not hold."""
        if self.metric:
            return self.metric.near(measured, self.value)
        return COMPARED[self.relation](measured, self.value)

    @property
    def edges(self) -> tuple[float, ...]:
        """Where what meets it ends and what misses it begins."""
        if self.metric is None:
            return (self.value,)
        room = self.metric.room(self.value)
        return (self.value - room, self.value + room)

    def __str__(self) -> str:
        if self.relation is Relation.NEAR:
            return number(self.value)
        return f"{self.relation.value} {number(self.value)}"

    @property
    def margin(self) -> str:
        """How the word 'holds' is meant, where the paper's word leaves room."""
        return self.metric.margin if self.metric else ""


equal = partial(Target, Relation.NEAR, metric=EXACT)
about = partial(Target, Relation.NEAR)
more_than = partial(Target, Relation.MORE)
at_least = partial(Target, Relation.AT_LEAST)
less_than = partial(Target, Relation.LESS)
at_most = partial(Target, Relation.AT_MOST)


@dataclass(frozen=True)
class Expectation:
    """One row of a figure's table, and the claim that it carries, if any."""

    key: str  # of the measurement
    quantity: str  # what is measured, with its unit
    target: Target | None = None  # None: the paper gives no number
    claim: str = ""  # the paper's sentence about it
    exact: bool = False  # arithmetic, not an experiment: a difference is a defect
    # What the row is one reading of; all rows of a figure with the same are one claim, or one number.
    reading_of: str = ""


@dataclass(frozen=True)
class Found:
    """What a run measured, in the words of a reason: its numbers are never written down."""

    measured: Measured

    def mean(self, key: str) -> float:
        """Over seeds; NaN of what was not measured."""
        return mean(self.measured.get(key, ()))

    def means(self, keys: str) -> list[float]:
        """Of all whose keys match the pattern (a regular expression, of the whole key)."""
        found = [mean(values) for key, values in self.measured.items() if re.fullmatch(keys, key)]
        return [value for value in found if not math.isnan(value)]

    def text(self, key: str) -> str:
        return number(self.mean(key))

    def span(self, keys: str) -> str:
        """From the least to the greatest mean."""
        means = self.means(keys)
        if not means:
            return number(None)
        ends = dict.fromkeys(number(each) for each in (min(means), max(means)))
        return " to ".join(ends)


class _ByKey(dict[str, str]):
    """What `of` says of a key, asked for when it is looked up."""

    def __init__(self, of: Callable[[str], str]):
        super().__init__()
        self.of = of

    def __missing__(self, key: str) -> str:
        return self.of(key)


@dataclass(frozen=True)
class Reason:
    """Why the rows whose keys match the pattern (a regular expression, of the whole key) differ."""

    keys: str
    # With {text[key]} and {span[keys]} of what was found in it; from a function "": not with that.
    text: str | Callable[[Found], str]
    when: Relation | None = None  # MORE, LESS: only what was measured above, below the paper's

    def fits(self, expectation: Expectation) -> bool:
        return re.fullmatch(self.keys, expectation.key) is not None

    def explains(self, expectation: Expectation, measured: float) -> bool:
        """Why this mean misses the target."""
        aside = self.when is None or (expectation.target is not None and Target(
            self.when, expectation.target.value).met_by(measured))
        return aside and self.fits(expectation)

    def words(self, found: Found) -> str:
        if not isinstance(self.text, str):
            return self.text(found)
        return self.text.format(text=_ByKey(found.text), span=_ByKey(found.span))


@dataclass(frozen=True)
class Figure:
    """One figure of the paper."""

    name: str
    title: str
    expectations: tuple[Expectation, ...]
    remark: str = ""  # why it can't match in full
    reasons: tuple[Reason, ...] = ()  # why rows that miss their target do; the first that fits

    @property
    def file(self) -> str:
        """Of its drawing."""
        return f"{self.name.lower().replace(' ', '')}.png"

    def paper_value(self, key: str) -> float | None:
        """The paper's value, if it has one."""
        return next((each.target.value for each in self.expectations
                     if each.key == key and each.target), None)


def claim(name: str, quantity: str, target: Target, sentence: str, reading_of: str = "") -> Expectation:
    """A sentence of the paper, and the number that it is judged by."""
    return Expectation(f"claim.{name}", quantity, target, sentence, reading_of=reading_of)


def ratio(over: float, under: float) -> float:
    return float(over / under) if under else math.nan


def stack(runs: Iterable[Mapping[str, float]]) -> dict[str, list[float]]:
    """Values of several seeds or iterations under one key."""
    runs = list(runs)
    return {key: [float(values[key]) for values in runs] for key in (runs[0] if runs else ())}


def mean(values: Sequence[float]) -> float:
    """Of those that are known; NaN if none is."""
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan
