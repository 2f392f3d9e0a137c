"""What was measured against what the paper says: holds, does not, or is not decided.

A verdict is by the interval over seeds, never by the mean alone. If all of the 95 % interval meets
the target it holds, if none of it does it does not, and an interval with both decides nothing. Each
value is of one seed, whose runs have the same jobs; so ratios and differences are paired.

Of fifty claims, each at 95 %, two or three would be judged wrong by chance. So the claims of a paper
are judged together, by Holm's method: the chance that any of them is judged wrong is 5 % at most.
A claim that can be read in several ways holds if it does so in one; it does not if it does in none.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from somnus.analysis.base.text import number
from somnus.analysis.metrics.intervals import CONFIDENCE, MeanInterval, mean_interval, p_value
from somnus.analysis.papers.common.expect import Expectation, Figure, Found, Measured, mean

HOLDS, FAILS, OPEN = "holds", "does not hold", "not decided"
WORDS = (HOLDS, FAILS, OPEN)
_ERROR = 1 - CONFIDENCE


@dataclass(frozen=True)
class Verdict:
    """An expectation and its measured values, one a seed."""

    expectation: Expectation
    values: tuple[float, ...]
    chance: float  # of an interval as far off the target's edge, if it were at it; 0: no chance was in it
    alone: float  # the same, before it was judged together with others
    reason: str = ""  # why it does not hold, or is not decided, if that is known
    note: str = ""  # what else was tried

    @property
    def mean(self) -> float:
        return mean(self.values)

    @property
    def interval(self) -> MeanInterval:
        return mean_interval(self.values)

    @property
    def word(self) -> str:
        """How it came out; of no target: holds."""
        target = self.expectation.target
        if target is None:
            return HOLDS
        if self.chance > _ERROR:
            return OPEN
        return HOLDS if target.met_by(self.mean) else FAILS

    @property
    def holds(self) -> bool:
        return self.word == HOLDS

    @property
    def why(self) -> str:
        """Why it does not hold, or is not decided; and what else was tried."""
        return " ".join(filter(None, (self.reason or "unexplained.", self.note)))

    @property
    def measured(self) -> str:
        """The mean and its interval over seeds."""
        half = self.interval.half
        return number(self.mean) + ("" if math.isnan(half) or half == 0 else f" ± {number(half)}")


@dataclass(frozen=True)
class Finding:
    """A claim of the paper, or a number: by one row, or by several that are its readings."""

    readings: tuple[Verdict, ...]

    @property
    def best(self) -> Verdict:
        """The reading by which it is judged."""
        return min(self.readings, key=lambda each: (HOLDS, OPEN, FAILS).index(each.word))

    @property
    def others(self) -> list[Verdict]:
        return [each for each in self.readings if each is not self.best]

    @property
    def word(self) -> str:
        return self.best.word

    @property
    def claim(self) -> str:
        """"" of a number."""
        return self.best.expectation.claim


def judge(figure: Figure, measured: Measured, repeats: bool = False) -> list[Verdict]:
    """One verdict an expectation, in order, each by itself and without a reason yet.

    A key that was not measured counts as NaN. repeats: nothing is drawn, so a value decides.
    """
    verdicts = []
    for each in figure.expectations:
        values = tuple(measured.get(each.key, (math.nan,)))
        chance = 0.0 if each.target is None else _chance(each, values, repeats or each.exact)
        verdicts.append(Verdict(each, values, chance, chance))
    return verdicts


def findings(verdicts: Iterable[Verdict]) -> list[Finding]:
    """What the paper gives a target for, in order; the readings of one together. Of one figure."""
    grouped: dict[str, list[Verdict]] = {}
    for each in verdicts:
        wanted = each.expectation
        if wanted.target:
            grouped.setdefault(wanted.reading_of or f"key {wanted.key}", []).append(each)
    return [Finding(tuple(each)) for each in grouped.values()]


def together(figures: Sequence[Sequence[Verdict]]) -> list[list[Verdict]]:
    """A paper's verdicts by figure, its claims judged together by Holm's method."""
    claims = [(index, each) for index, verdicts in enumerate(figures)
              for each in findings(verdicts) if each.claim]
    by_chance = sorted(((index, each) for index, each in claims if _of_claim(each) > 0),
                       key=lambda each: _of_claim(each[1]))
    adjusted: dict[tuple[int, str], float] = {}
    least = 0.0
    for rank, (index, each) in enumerate(by_chance):
        left = len(by_chance) - rank
        for reading in each.readings:
            adjusted[index, reading.expectation.key] = max(
                least, min(1.0, left * _of_reading(reading, len(each.readings))))
        least = max(least, min(1.0, left * _of_claim(each)))
    return [[replace(each, chance=adjusted.get((index, each.expectation.key), each.chance))
             for each in verdicts] for index, verdicts in enumerate(figures)]


def explained(figure: Figure, measured: Measured, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The same with a reason each that does not hold: the figure's first that fits and has something to say."""
    found = Found(measured)

    def reason(missed: Verdict) -> str:
        if missed.holds or missed.reason:
            return missed.reason
        if missed.word == OPEN:
            return _why_open(missed)
        return next((words for each in figure.reasons
                     if each.explains(missed.expectation, missed.mean) and (words := each.words(found))), "")

    return [replace(each, reason=reason(each)) for each in verdicts]


def tally(found: Sequence[Finding]) -> dict[str, int]:
    """How many by word."""
    return {word: sum(each.word == word for each in found) for word in WORDS}


def tallies(found: Sequence[Finding]) -> dict[str, dict[str, int]]:
    """Of the claims and of the further numbers, how many by word."""
    return {"claims": tally([each for each in found if each.claim]),
            "numbers": tally([each for each in found if not each.claim])}


def claims_in_words(count: Mapping[str, int]) -> str:
    """How many by word."""
    return (f"of {sum(count.values())} claims {count[HOLDS]} hold, {count[FAILS]} do not, "
            f"{count[OPEN]} {'is' if count[OPEN] == 1 else 'are'} not decided.")


def totals(found: Sequence[Finding]) -> list[str]:
    """Sentences: of the claims, of the further numbers, of what has no reason."""
    counted = tallies(found)
    lines = []
    if any(counted["claims"].values()):
        lines.append(claims_in_words(counted["claims"]).capitalize())
    if any((count := counted["numbers"]).values()):
        lines.append(f"Of {sum(count.values())} further numbers {count[HOLDS]} are as in the paper, {count[FAILS]} "
                     f"are not, {count[OPEN]} are not decided.")
    if unexplained := sum(each.word == FAILS and not each.best.reason for each in found):
        lines.append(f"{unexplained} of those that are not as in the paper are unexplained.")
    return lines


def _chance(wanted: Expectation, values: Sequence[float], repeats: bool) -> float:
    """Two-sided, by Student's t: the error at which the interval just reaches the nearest edge."""
    target = wanted.target
    assert target is not None
    known = [value for value in values if math.isfinite(value)]
    if known and (repeats or (len(known) > 1 and min(known) == max(known))):
        return 0.0
    return max(p_value(known, edge) for edge in target.edges)


def _of_claim(claim: Finding) -> float:
    """That it holds takes one reading, that it does not takes all of them."""
    inside = [each for each in claim.readings if _meets(each)]
    if inside:
        return min(_of_reading(each, len(claim.readings)) for each in inside)
    return max(each.alone for each in claim.readings)


def _of_reading(reading: Verdict, readings: int) -> float:
    return min(1.0, reading.alone * readings) if _meets(reading) else reading.alone


def _meets(verdict: Verdict) -> bool:
    target = verdict.expectation.target
    return target is not None and target.met_by(verdict.mean)


def _why_open(verdict: Verdict) -> str:
    found = verdict.interval
    if math.isnan(found.mean):
        return "it was not measured."
    if math.isnan(found.half):
        return "a single seed has no interval; more of them decide (--seeds)."
    ends = f"{number(found.mean - found.half)} to {number(found.mean + found.half)}"
    if verdict.alone <= _ERROR:
        return (f"its own interval, {ends}, decides, but so nearly that among all claims of the paper one "
                "in twenty such would by chance (Holm).")
    return f"the interval over {len(verdict.values)} seeds, {ends}, has both in it."
