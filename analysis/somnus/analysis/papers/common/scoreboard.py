"""A reproduction as one page without a network: claims first, then each figure, then why so near."""

import base64
import io
import math
import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from somnus.analysis.base import output
from somnus.analysis.base.text import number
from somnus.analysis.figures import style
from somnus.analysis.metrics.intervals import mean_interval
from somnus.analysis.papers.common import against_paper, expect
from somnus.analysis.papers.common.expect import Verdict
from somnus.analysis.papers.common.results import Result
from somnus.analysis.papers.common.tolerances import METRICS
from somnus.analysis.report.markup import Cell, Markup, element, joined, prose, safe, table
from somnus.analysis.report.source import source

DPI = 150
CLASSES = {"holds": "holds", "does not hold": "fails", "not decided": "undecided"}  # by word
HEAD = ("Paper", "Measured", "Seeds", "Tolerance", "Verdict", "Reason")

Shown = Sequence[tuple[Result, Sequence[Verdict]]]


class Reasons:
    """Each is written once; where one comes again there is a link to it."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def shown(self, reason: str) -> Markup:
        if (at := self._numbers.get(reason)) is not None:
            return element("a", f"reason {at}", href=f"#reason-{at}", title=reason)
        at = self._numbers[reason] = len(self._numbers) + 1
        return element("span", f"{at}. ", prose(reason), id=f"reason-{at}")


@dataclass(frozen=True)
class Header:
    """What stands above and below the figures."""

    paper: str  # and what of it is run again
    command: str
    options: Mapping[str, str]
    not_reproduced: Mapping[str, str]


def write(shown: Shown, header: Header, path: Path, force: bool = False) -> None:
    """Raises UserError, OSError; then the old page is still there."""
    output.write(path, page(shown, header), force=force)


def page(shown: Shown, header: Header) -> str:
    claims = [(result, each) for result, verdicts in shown for each in verdicts
              if each.expectation.claim]
    reasons = Reasons()
    template = resources.files(__package__).joinpath("scoreboard.html").read_text(encoding="utf-8")
    return string.Template(template).substitute(
        title=element("title", f"Somnus: {header.paper}"),
        style=source("style.css"),
        heading=safe(header.paper),
        short=_short(shown, [verdict for _, verdict in claims]),
        links=joined((element("a", result.figure.name, href=f"#{_anchor(result)}")
                      for result, _ in shown), " "),
        claims=_claims(claims, reasons),
        figures=joined(_figure(result, verdicts, reasons) for result, verdicts in shown),
        tolerances=_tolerances(),
        run=_run(header),
        command=safe(header.command),
    )


def _short(shown: Shown, claims: Sequence[Verdict]) -> Markup:
    numbers = [each for _, verdicts in shown for each in verdicts
               if each.expectation.target and not each.expectation.claim]
    counts = {word: sum(each.word == word for each in claims) for word in CLASSES}
    lines = [f"Of {len(claims)} claims {counts['holds']} hold and {counts['does not hold']} do not"
             + (f"; {undecided} undecided." if (undecided := counts["not decided"]) else ".")]
    if numbers:
        lines.append(f"{sum(each.holds for each in numbers)} of {len(numbers)} further numbers are as in "
                     "the paper, within the tolerance of their kind.")
    unexplained = sum(not each.holds and not each.reason for each in (*claims, *numbers))
    if unexplained:
        lines.append(f"{unexplained} of those that are not have no known reason.")
    return element("ul", joined(element("li", line) for line in lines), class_="short")


def _claims(claims: Sequence[tuple[Result, Verdict]], reasons: Reasons) -> Markup:
    """Those that do not hold first."""
    parts = []
    for word, title in (("does not hold", "Claims that do not hold"),
                        ("not decided", "Claims that are not decided"), ("holds", "Claims that hold")):
        those = [(result, each) for result, each in claims if each.word == word]
        if those:
            rows = [[Cell(element("a", result.figure.name, href=f"#{_anchor(result)}")),
                     Cell(_claim(each)), *_cells(each, result.figure, reasons)]
                    for result, each in those]
            parts.append(table(f"{title} ({len(those)} of {len(claims)})",
                               ("Figure", "Claim", *HEAD), rows, class_="claims"))
    return joined(parts) if parts else element("p", "The paper claims nothing of these figures.")


def _claim(verdict: Verdict) -> Markup:
    wanted = verdict.expectation
    return joined([safe(wanted.claim), element("div", wanted.quantity, class_="small")])


def _cells(verdict: Verdict, figure: expect.Figure, reasons: Reasons) -> list[Cell]:
    """By HEAD."""
    target = verdict.expectation.target
    found = mean_interval(verdict.values)
    interval = "" if math.isnan(found.half) else f" ± {number(found.half)}"
    seeds = ", ".join(number(value) for value in verdict.values)
    tolerance: object = "–"
    if target and target.metric:
        tolerance = element("a", target.margin or "exact", href=f"#{target.metric.anchor}")
    word: object = "–"
    if target:
        word = element("span", element("span", verdict.word, class_="word"), class_=CLASSES[verdict.word])
    why = Markup("")
    if verdict.reason:
        why = reasons.shown(verdict.reason)
    elif not verdict.holds:
        why = safe("not known; see the note at the figure" if figure.remark else "not known")
    return [Cell(_unbroken(str(target) if target else "–")),
            Cell(_unbroken(f"{number(found.mean)}{interval}")), Cell(seeds), Cell(tolerance), Cell(word), Cell(why)]


def _unbroken(text: str) -> Markup:
    return element("span", text, class_="unbroken")


def _figure(result: Result, verdicts: Sequence[Verdict], reasons: Reasons) -> Markup:
    figure, anchor = result.figure, _anchor(result)
    comparable = against_paper.comparable(verdicts)
    parts = [element("h2", f"{figure.name}: {figure.title}", id=f"{anchor}-head")]
    if comparable:
        parts.append(_image(against_paper.differences(comparable),
                            f"{figure.name}: what the paper says and what was measured"))
    parts += [_image(drawing, _caption(file)) for file, drawing in result.drawings.items()]
    beside = result.beside
    head = ["Quantity", *([beside.title] if beside else []), *HEAD]
    rows = [[Cell(each.expectation.quantity),
             *([Cell(number(beside.values.get(each.expectation.key)))] if beside else []),
             *_cells(each, figure, reasons)] for each in verdicts]
    parts.append(table(f"{figure.name}, all numbers; means over seeds with 95 % intervals", head, rows))
    if figure.remark:
        parts.append(element("p", "Note: ", prose(figure.remark)))
    if result.details:
        parts.append(element("details", element("summary", "further tables"), joined(
            element("pre", each, tabindex="0", class_="aside") for each in result.details)))
    return element("section", joined(parts), id=anchor, aria_labelledby=f"{anchor}-head")


def _caption(file: str) -> str:
    """figure6.png: Figure 6."""
    return re.sub(r"([a-z])(\d)", r"\1 \2", Path(file).stem.replace("-", " ")).capitalize()


def _image(drawing: Figure, caption: str) -> Markup:
    written = io.BytesIO()
    with matplotlib.rc_context(style.RC):
        drawing.savefig(written, format="png", dpi=DPI)
    width, height = (round(96 * inches) for inches in drawing.get_size_inches())
    encoded = base64.b64encode(written.getvalue()).decode()
    return element("figure", element("figcaption", caption), Markup(
        f'<img src="data:image/png;base64,{encoded}" width="{width}" height="{height}" '
        f'alt="{safe(caption)}; its numbers are in the table below">'))


def _tolerances() -> Markup:
    rows = [[Cell(element("span", metric.name, id=metric.anchor)), Cell(metric.margin or "exact"),
             Cell("the paper's value" if metric.of_value else "absolute"), Cell(metric.why)]
            for metric in METRICS]
    return table("How near counts as the same", ("Kind of number", "Tolerance", "Of", "Why"), rows)


def _run(header: Header) -> Markup:
    parts = [element("dl", joined(element("div", element("dt", key), element("dd", value))
                                  for key, value in header.options.items()))]
    if header.not_reproduced:
        parts += [element("h3", "Not reproduced"), element("ul", joined(
            element("li", element("strong", part), ": ", prose(why))
            for part, why in header.not_reproduced.items()))]
    return joined(parts)


def _anchor(result: Result) -> str:
    return result.figure.name.lower().replace(" ", "-").replace(".", "-")
