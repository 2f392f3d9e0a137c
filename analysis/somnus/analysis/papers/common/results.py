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

    def show(self) -> None:
        """Prints each table with its claims and details."""
        for result, rows in self.shown:
            print("\n\n".join([tables.report(result.figure, rows, result.beside), *result.further]))
            for file in (*result.drawings, *map(_sweep_file, result.swept)):
                print(f"\nfigure: {self.out / file}")
            print("\n")

    def save(self) -> int:
        """Writes measured.json, prints the totals; the exit code, 1 if what is exact arithmetic differs."""
        for result, rows in self.shown:
            self.everything[result.figure.name] = {
                "rows": list(map(_row, rows)), "measured": _known(result.measured),
                "swept": [_swept(each) for each in result.swept],
            }
        self.everything["totals"] = {
            what: verdicts.tally([each for _, found in self.found for each in found
                                  if bool(each.claim) is of_claims])
            for what, of_claims in (("claims", True), ("numbers", False))}
        print(tables.summary(self.name, self.found))
        if swept := [each for result in self.results for each in result.swept]:
            print(f"\n{sweep.totals(swept)}")
        file = self.out / "measured.json"
        output.write(file, json.dumps(self.everything, indent=2, ensure_ascii=False) + "\n", force=True)
        print(f"\nall numbers: {file}")
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
