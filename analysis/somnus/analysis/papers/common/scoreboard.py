"""A reproduction as one page without a network: claims first, then each figure, then why so near."""

import base64
import io
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
from somnus.analysis.papers.common import against_paper, sweep, sweep_figures, verdicts
from somnus.analysis.papers.common.results import Result
from somnus.analysis.papers.common.tolerances import METRICS
from somnus.analysis.papers.common.verdicts import FAILS, HOLDS, OPEN, Finding, Verdict
from somnus.analysis.report.markup import Cell, Markup, element, joined, prose, safe, table
from somnus.analysis.report.source import source

DPI = 150
OWN = b'<meta name="generator" content="somnus reproduce">'  # by which a page of this program is known
CLASSES = {HOLDS: "holds", FAILS: "fails", OPEN: "undecided"}
SEEDS_SHOWN = 5
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
    missing: str = ""  # which files, and what is not decided for it


def write(shown: Shown, header: Header, path: Path, force: bool = False) -> None:
    """Raises UserError, OSError; then the old page is still there."""
    output.write(path, page(shown, header), force=force, own=OWN)


def page(shown: Shown, header: Header) -> str:
    found = [(result, each) for result, rows in shown for each in verdicts.findings(rows)]
    reasons = Reasons()
    template = resources.files(__package__).joinpath("scoreboard.html").read_text(encoding="utf-8")
    return string.Template(template).substitute(
        title=element("title", f"Somnus: {header.paper}"),
        style=source("style.css"),
        heading=safe(header.paper),
        short=_short(header.missing, [each for _, each in found], [each for result, _ in shown for each in result.swept]),
        links=joined((element("a", result.figure.name, href=f"#{_anchor(result)}")
                      for result, _ in shown), " "),
        claims=_claims([(result, each) for result, each in found if each.claim], reasons),
        figures=joined(_figure(result, rows, reasons) for result, rows in shown),
        tolerances=_tolerances(),
        run=_run(header),
        command=safe(header.command),
    )


def _short(missing: str, found: Sequence[Finding], swept: Sequence[sweep.Swept]) -> Markup:
    lines = element("ul", joined(element("li", line) for line in (*filter(None, [missing]), *verdicts.totals(found))),
                    class_="short")
    return joined([lines, element("pre", sweep.totals(swept), tabindex="0", class_="aside")]) if swept else lines


def _claims(claims: Sequence[tuple[Result, Finding]], reasons: Reasons) -> Markup:
    """Those that do not hold first."""
    parts = []
    for word, title in ((FAILS, "Claims that do not hold"), (OPEN, "Claims that are not decided"),
                        (HOLDS, "Claims that hold")):
        those = [(result, each) for result, each in claims if each.word == word]
        if those:
            rows = [[Cell(element("a", result.figure.name, href=f"#{_anchor(result)}")),
                     Cell(_claim(each)), *_cells(each.best, reasons)]
                    for result, each in those]
            parts.append(table(f"{title} ({len(those)} of {len(claims)})",
                               ("Figure", "Claim", *HEAD), rows, class_="claims"))
    return joined(parts) if parts else element("p", "The paper claims nothing of these figures.")


def _claim(claim: Finding) -> Markup:
    also = [f"Also read as {each.expectation.quantity}: {each.measured}, {each.word}."
            for each in claim.others]
    return joined([safe(claim.claim), *(element("div", line, class_="small")
                                        for line in (claim.best.expectation.quantity, *also))])


def _cells(verdict: Verdict, reasons: Reasons) -> list[Cell]:
    """By HEAD."""
    target = verdict.expectation.target
    seeds = ", ".join(map(number, verdict.values[:SEEDS_SHOWN]))
    if (more := len(verdict.values) - SEEDS_SHOWN) > 0:
        seeds += f" and {more} more"
    tolerance: object = "–"
    if target and target.metric:
        tolerance = element("a", target.margin or "exact", href=f"#{target.metric.anchor}")
    word: object = "–"
    why = Markup("")
    if target:
        word = element("span", element("span", verdict.word, class_="word"), class_=CLASSES[verdict.word])
        if not verdict.holds:
            why = reasons.shown(verdict.why)
    return [Cell(_unbroken(str(target) if target else "–")), Cell(_unbroken(verdict.measured)), Cell(seeds),
            Cell(tolerance), Cell(word), Cell(why)]


def _unbroken(text: str) -> Markup:
    return element("span", text, class_="unbroken")


def _figure(result: Result, judged: Sequence[Verdict], reasons: Reasons) -> Markup:
    figure, anchor = result.figure, _anchor(result)
    comparable = against_paper.comparable(judged)
    parts = [element("h2", f"{figure.name}: {figure.title}", id=f"{anchor}-head")]
    if comparable:
        parts.append(_image(against_paper.differences(comparable),
                            f"{figure.name}: what the paper says and what was measured"))
    parts += [_image(drawing, _caption(file)) for file, drawing in result.drawings.items()]
    parts += [_image(sweep_figures.panels(each), f"{figure.name}, by {each.axis.title}")
              for each in result.swept]
    beside = result.beside
    head = ["Quantity", *([beside.title] if beside else []), *HEAD]
    rows = [[Cell(each.expectation.quantity),
             *([Cell(number(beside.values.get(each.expectation.key)))] if beside else []),
             *_cells(each, reasons)] for each in judged]
    parts.append(table(f"{figure.name}, all numbers; means over seeds with 95 % intervals", head, rows))
    if figure.remark:
        parts.append(element("p", "Note: ", prose(figure.remark)))
    if further := result.further:
        parts.append(element("details", element("summary", "further tables"), joined(
            element("pre", each, tabindex="0", class_="aside") for each in further)))
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
