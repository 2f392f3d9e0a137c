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
from somnus.analysis.papers.common import expect, tables, verdicts
from somnus.analysis.papers.common.expect import Measured
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
            for file, drawing in result.drawings.items():
                files.save(drawing, self.out / file, force=True)
            self.results.append(result)

    @cached_property
    def shown(self) -> list[tuple[Result, list[Verdict]]]:
        """Judged together, with reasons. Of what was added before it is asked for first."""
        judged = verdicts.together([verdicts.judge(each.figure, each.measured, each.repeats)
                                    for each in self.results])
        return [(each, verdicts.explained(each.figure, each.measured, rows))
                for each, rows in zip(self.results, judged)]

    @property
    def found(self) -> list[tuple[str, list[Finding]]]:
        """By figure."""
        return [(result.figure.name, verdicts.findings(rows)) for result, rows in self.shown]

    def show(self) -> None:
        """Prints each table with its claims and details."""
        for result, rows in self.shown:
            print("\n\n".join([tables.report(result.figure, rows, result.beside), *result.details]))
            for file in result.drawings:
                print(f"\nfigure: {self.out / file}")
            print("\n")

    def save(self) -> int:
        """Writes measured.json, prints the totals; the exit code, 1 if what is exact arithmetic differs."""
        self.everything |= {result.figure.name: {"rows": list(map(_row, rows)), "measured": _known(result.measured)}
                            for result, rows in self.shown}
        self.everything["totals"] = {
            what: verdicts.tally([each for _, found in self.found for each in found
                                  if bool(each.claim) is of_claims])
            for what, of_claims in (("claims", True), ("numbers", False))}
        print(tables.summary(self.name, self.found))
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
    }


def _known(measured: Measured) -> dict[str, list[float | None]]:
    return {key: list(map(known, values)) for key, values in measured.items()}
