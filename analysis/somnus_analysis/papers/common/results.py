"""A figure's results on their way to the terminal, to pictures and to measured.json."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import matplotlib

from somnus_analysis.base import output
from somnus_analysis.figures import files as figures
from somnus_analysis.papers.common import expect
from somnus_analysis.papers.common import tables as words
from somnus_analysis.papers.common.expect import Verdict


@dataclass(frozen=True)
class Result:
    """A table's measured values, drawings by file name, and what else to print below the table."""

    figure: expect.Figure
    measured: Mapping[str, Sequence[float]]
    drawings: Mapping[str, matplotlib.figure.Figure] = field(default_factory=dict)
    details: Sequence[str] = ()
    beside: words.Beside | None = None


def show(result: Result, out: Path) -> list[Verdict]:
    """Prints the table, the claims and the details; draws into the folder."""
    verdicts = expect.judge(result.figure, result.measured)
    print(words.report(result.figure, verdicts, result.beside))
    for each in result.details:
        print(f"\n{each}")
    for file, drawing in result.drawings.items():
        print(f"\nfigure: {figures.save(drawing, out / file, force=True)}")
    print("\n", flush=True)
    return verdicts


def records(verdicts: Sequence[Verdict]) -> list[dict]:
    """Rows of measured.json."""
    return [
        {
            "quantity": verdict.expectation.quantity,
            "paper": str(verdict.expectation.target) if verdict.expectation.target else None,
            "measured": list(verdict.values),
            "claim": verdict.expectation.claim or None,
            "holds": verdict.holds if verdict.expectation.target else None,
            "reason": verdict.reason or None,
        }
        for verdict in verdicts
    ]


def exact_ones_hold(verdicts: Sequence[Verdict]) -> bool:
    return all(each.holds for each in verdicts if each.expectation.exact)


def save(everything: Mapping[str, object], out: Path) -> None:
    """Writes measured.json."""
    file = out / "measured.json"
    output.write(file, json.dumps(everything, indent=2, ensure_ascii=False) + "\n", force=True)
    print(f"all numbers: {file}")


@dataclass
class Report:
    """What a command has found: shown figure by figure, and saved when all is there."""

    out: Path
    everything: dict[str, object] = field(default_factory=dict)
    shown: list[tuple[Result, list[Verdict]]] = field(default_factory=list)
    right: bool = True  # all that is exact holds

    def add(self, found: Iterable[Result]) -> None:
        for result in found:
            verdicts = show(result, self.out)
            self.everything[result.figure.name] = {
                "rows": records(verdicts), "measured": result.measured,
            }
            self.shown.append((result, verdicts))
            self.right &= exact_ones_hold(verdicts)

    def save(self) -> int:
        """Writes measured.json; the command's exit code."""
        save(self.everything, self.out)
        return 0 if self.right else 1
