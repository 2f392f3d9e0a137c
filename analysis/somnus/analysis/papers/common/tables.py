"""Verdicts in words: a figure's table, its claims, and why what differs does."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from somnus.analysis.base.text import number, paragraph, table
from somnus.analysis.papers.common.expect import Figure
from somnus.analysis.papers.common.verdicts import (
    FAILS, HOLDS, OPEN, WORDS, Finding, Verdict, findings, totals,
)


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
        apart = difference(each.mean, other if wanted.target is None else wanted.target.value)
        rows.append([wanted.quantity, str(wanted.target or "–"),
                     *([number(other)] if beside else []), each.measured, apart])
    lines = [paragraph(f"{figure.name}: {figure.title}"), "", table(rows, gap=" | ")]
    found = findings(verdicts)
    if claims := [each for each in found if each.claim]:
        lines += ["", *map(sentence, claims)]
    if numbers := [each for each in found if not each.claim]:
        lines += _numbers(numbers)
    if figure.remark:
        lines += ["", paragraph(f"Note: {figure.remark}")]
    return "\n".join(lines)


def sentence(claim: Finding) -> str:
    """Whether the claim holds, and the claim; the numbers in further lines, and the reason."""
    blank = " " * 15
    lines = [paragraph(claim.claim, f"{claim.word + ':':<15}", blank)]
    lines += [paragraph(_read(each, with_word=len(claim.readings) > 1), blank, blank)
              for each in (claim.best, *claim.others)]
    if claim.word != HOLDS:
        lines.append(paragraph(why(claim), blank, blank))
    return "\n".join(lines)


def why(missed: Finding) -> str:
    words = missed.best.why
    return f"Reason: {words}" if missed.best.reason else words[0].upper() + words[1:]


def counts(of: str, tallies: Mapping[str, Mapping[str, Mapping[str, int]]]) -> str:
    """A row a name with its claims and further numbers by verdict, and one of them all."""
    rows = [[sum(each["claims"].values()), *map(each["claims"].get, WORDS), sum(each["numbers"].values()),
             each["numbers"][HOLDS]] for each in tallies.values()]
    return table([[of, "claims", "hold", "do not", "not decided", "numbers", "as in paper"], *(
        [name, *map(str, row)] for name, row in zip([*tallies, "all"], [*rows, map(sum, zip([0] * 6, *rows))]))], gap=" | ")


def summary(name: str, figures: Sequence[tuple[str, Sequence[Finding]]]) -> str:
    """Totals of a paper, and which of its claims do not hold or are not decided, by figure."""
    found = [each for _, those in figures for each in those]
    lines = [paragraph(f"{name}: {' '.join(totals(found)) or 'it claims nothing of these figures.'}")]
    for word in (FAILS, OPEN):
        missed = [(figure, each) for figure, those in figures for each in those
                  if each.claim and each.word == word]
        if missed:
            lines += ["", f"{word.capitalize()}:"]
            lines += [paragraph(f"{figure}: {each.claim}"
                                + ("" if each.best.reason else " (unexplained)"), "- ", "  ")
                      for figure, each in missed]
    return "\n".join(lines)


def _read(verdict: Verdict, with_word: bool) -> str:
    target = verdict.expectation.target
    assert target is not None  # a claim has one
    margin = f" {target.margin}" if target.margin else ""
    word = f"; {verdict.word}" if with_word else ""
    return f"{verdict.expectation.quantity}: measured {verdict.measured}, paper {target}{margin}{word}"


def _numbers(numbers: Sequence[Finding]) -> list[str]:
    """How many are as in the paper; then the others by their reason, those without one last."""
    margins = sorted({target.margin for each in numbers
                      if (target := each.best.expectation.target) and target.margin})
    as_there = f"numbers ({', '.join(margins)})" if margins else "numbers"
    missed = sorted((each for each in numbers if each.word != HOLDS), key=lambda each: not each.best.reason)
    lines = ["", paragraph(f"As in the paper: {len(numbers) - len(missed)} of {len(numbers)} {as_there}."
                           + (" The others:" if missed else ""))]
    rows: dict[str, list[str]] = {}
    for each in missed:
        rows.setdefault(why(each), []).append(each.best.expectation.quantity)
    for text, quantities in rows.items():
        lines += [paragraph("; ".join(quantities), "- ", "  "), paragraph(text, "  ", "  ")]
    return lines
