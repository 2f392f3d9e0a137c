"""Verdicts in words: a figure's table, its claims, and why what differs does."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from somnus.analysis.base.text import number, paragraph, table
from somnus.analysis.papers.common.expect import Figure, Verdict


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
    claims = [each.sentence for each in verdicts if each.expectation.claim]
    if claims:
        lines += ["", *claims]
    if figure.reasons:
        lines += _reasons(verdicts)
    if figure.remark:
        lines += ["", paragraph(f"Note: {figure.remark}")]
    return "\n".join(lines)


def _reasons(verdicts: Sequence[Verdict]) -> list[str]:
    """How many rows are as in the paper; then the others by their reason, those without one last."""
    aimed = [each for each in verdicts if each.expectation.target]
    lines = ["", _tally(aimed)]
    missed = sorted((each for each in aimed if not each.holds), key=lambda each: not each.reason)
    rows: dict[str, list[str]] = {}
    for each in missed:
        rows.setdefault(f"Reason: {each.reason}" if each.reason else "Unexplained.", []).append(
            each.expectation.quantity)
    for text, quantities in rows.items():
        lines += [paragraph("; ".join(quantities), "- ", "  "), paragraph(text, "  ", "  ")]
    return lines


def _tally(aimed: Sequence[Verdict]) -> str:
    numbers = [each for each in aimed if not each.expectation.claim]
    claims = [each for each in aimed if each.expectation.claim]
    margins = sorted({each.expectation.target.margin for each in numbers if each.expectation.target})
    parts = [
        f"{sum(each.holds for each in rows)} of {len(rows)} {what}"
        for rows, what in ((numbers, f"numbers ({', '.join(margins)})"), (claims, "claims")) if rows
    ]
    return f"As in the paper: {', '.join(parts)}. The others:"
