"""A figure's results on their way to the terminal, to pictures and to measured.json."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import matplotlib

from somnus.analysis.base import output
from somnus.analysis.figures import files
from somnus.analysis.papers.common import expect, tables
from somnus.analysis.papers.common.expect import Measured, Verdict


@dataclass(frozen=True)
class Result:
    """A table's measured values, drawings by file name, and what else to print below the table."""

    figure: expect.Figure
    measured: Measured
    drawings: Mapping[str, matplotlib.figure.Figure] = field(default_factory=dict)
    details: Sequence[str] = ()
    beside: tables.Beside | None = None


@dataclass
class Report:
    """What a command has found: shown figure by figure, and saved when all is there."""

    out: Path
    everything: dict[str, object] = field(default_factory=dict)
    shown: list[tuple[Result, list[Verdict]]] = field(default_factory=list)

    def add(self, found: Iterable[Result]) -> None:
        """Prints each table with its claims and details; draws into the folder."""
        for result in found:
            verdicts = expect.judge(result.figure, result.measured)
            print("\n\n".join([tables.report(result.figure, verdicts, result.beside), *result.details]))
            for file, drawing in result.drawings.items():
                print(f"\nfigure: {files.save(drawing, self.out / file, force=True)}")
            print("\n", flush=True)
            self.everything[result.figure.name] = {
                "rows": [_row(each) for each in verdicts], "measured": result.measured,
            }
            self.shown.append((result, verdicts))

    def save(self) -> int:
        """Writes measured.json; the exit code, 1 if what is exact arithmetic differs."""
        file = self.out / "measured.json"
        output.write(file, json.dumps(self.everything, indent=2, ensure_ascii=False) + "\n", force=True)
        print(f"all numbers: {file}")
        return int(any(not each.holds for _, verdicts in self.shown for each in verdicts
                       if each.expectation.exact))


def _row(verdict: Verdict) -> dict[str, object]:
    """Of measured.json."""
    wanted = verdict.expectation
    return {
        "quantity": wanted.quantity,
        "paper": str(wanted.target) if wanted.target else None,
        "measured": list(verdict.values),
        "claim": wanted.claim or None,
        "holds": verdict.holds if wanted.target else None,
        "reason": verdict.reason or None,
    }
