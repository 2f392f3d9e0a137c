"""A figure's results on their way to the terminal, to pictures and to measured.json."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import matplotlib

from somnus.analysis.base import output
from somnus.analysis.base.text import known
from somnus.analysis.figures import files
from somnus.analysis.papers.common import expect, sweep, sweep_figures, tables, verdicts
from somnus.analysis.papers.common.expect import Measured
from somnus.analysis.papers.common.sweep import Swept
from somnus.analysis.papers.common.verdicts import Finding, Verdict


@dataclass(frozen=True)
class Result:
    """A table's measured values, drawings by file name, and what else to print below the table."""

    figure: expect.Figure
    measured: Measured
    drawings: Mapping[str, matplotlib.figure.Figure] = field(default_factory=dict)
    details: Sequence[str] = ()
    beside: tables.Beside | None = None
    repeats: bool = False  # no seed changes anything, so that one run decides
    swept: Sequence[Swept] = ()  # the same at other values of what the paper does not say

    @property
    def further(self) -> list[str]:
        """What is printed below the table."""
        return [*self.details, *map(sweep.shown, self.swept)]

    def judged(self, rows: Sequence[Verdict]) -> list[Verdict]:
        """With reasons: what a sweep says comes first."""
        for swept in self.swept:
            rows = [swept.explained(each) for each in rows]
        return verdicts.explained(self.figure, self.measured, rows)


@dataclass
class Report:
    """What a command has found. Verdicts are of a whole paper, so they come when all is there."""

    name: str  # of the paper
    out: Path
    everything: dict[str, object] = field(default_factory=dict)
    results: list[Result] = field(default_factory=list)

    def add(self, found: Iterable[Result]) -> None:
        """Draws into the folder."""
        for result in found:
            for file, drawing in (result.drawings | _of_sweeps(result)).items():
                files.save(drawing, self.out / file, force=True)
            self.results.append(result)

    @cached_property
    def shown(self) -> list[tuple[Result, list[Verdict]]]:
        """Judged together, with reasons. Of what was added before it is asked for first."""
        judged = verdicts.together([verdicts.judge(each.figure, each.measured, each.repeats)
                                    for each in self.results])
        return [(each, each.judged(rows)) for each, rows in zip(self.results, judged)]

    @property
    def found(self) -> list[tuple[str, list[Finding]]]:
        """By figure."""
        return [(result.figure.name, verdicts.findings(rows)) for result, rows in self.shown]

    @property
    def totals(self) -> dict[str, dict[str, int]]:
        return verdicts.tallies([each for _, those in self.found for each in those])

    @property
    def short(self) -> str:
        """The table of claims, a row a figure, and which of them do not hold or are not decided."""
        rows = {figure: verdicts.tallies(those) for figure, those in self.found if those}
        return f"{tables.counts(self.name, rows)}\n\n{tables.summary(self.name, self.found)}"

    @property
    def details(self) -> str:
        """Each figure's table with its claims and what else there is."""
        parts = []
        for result, rows in self.shown:
            parts += [tables.report(result.figure, rows, result.beside), *result.further]
            parts += [f"figure: {self.out / file}"
                      for file in (*result.drawings, *map(_sweep_file, result.swept))]
        if swept := [each for result in self.results for each in result.swept]:
            parts.append(sweep.totals(swept))
        return "\n\n".join(parts)

    def save(self) -> int:
        """Writes measured.json; the exit code, 1 if what is exact arithmetic differs."""
        for result, rows in self.shown:
            self.everything[result.figure.name] = {
                "rows": list(map(_row, rows)), "measured": _known(result.measured),
                "swept": [_swept(each) for each in result.swept],
            }
        self.everything["totals"] = self.totals
        output.write(self.out / "measured.json", json.dumps(self.everything, indent=2, ensure_ascii=False) + "\n", force=True)
        return int(any(not each.holds for _, rows in self.shown for each in rows
                       if each.expectation.exact))


def _row(verdict: Verdict) -> dict[str, object]:
    """Of measured.json."""
    wanted, interval = verdict.expectation, verdict.interval
    return {
        "quantity": wanted.quantity,
        "paper": str(wanted.target) if wanted.target else None,
        "measured": list(map(known, verdict.values)),
        "mean": known(interval.mean),
        "half_interval": known(interval.half),
        "claim": wanted.claim or None,
        "reading_of": wanted.reading_of or None,
        "verdict": verdict.word if wanted.target else None,
        "reason": verdict.reason or None,
        "note": verdict.note or None,
    }


def _swept(swept: Swept) -> dict[str, object]:
    return {"axis": swept.axis.title, "ours": swept.axis.ours,
            "measured": {f"{value:g}": _known(measured) for value, measured in swept.measured.items()}}


def _sweep_file(swept: Swept) -> str:
    return f"{Path(swept.figure.file).stem}-by-{swept.axis.name.replace(' ', '-')}.png"


def _of_sweeps(result: Result) -> dict[str, matplotlib.figure.Figure]:
    return {_sweep_file(each): sweep_figures.panels(each) for each in result.swept}


def _known(measured: Measured) -> dict[str, list[float | None]]:
    return {key: list(map(known, values)) for key, values in measured.items()}
