"""What is printed below the UWFQ paper's tables: honest counts, noise, wrong estimates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from somnus_analysis.reproduce import uwfq_authors as authors
from somnus_analysis.reproduce import uwfq_paper as paper
from somnus_analysis.text import number, table

BELIEVERS = ("cfq", "uwfq")  # schedulers that an estimate can mislead

Measured = Mapping[str, Sequence[float]]


def honest_counts(measured: Measured) -> str:
    """DVR and the like with each job counted once."""
    rows = [["each job counted once", "DVR", "violations", "DSR", "slack"]]
    rows += [
        [paper.TITLES[name], *(_cell(measured, name, column) for column in paper.AGAINST)]
        for name in paper.MICRO if not name.startswith("ujf")
    ]
    return table(rows, gap=" | ")


def honest_macro(measured: Measured, theirs: Mapping[str, float]) -> str:
    """Table 2 with each job counted once, beside the authors' mean so counted."""
    columns = ("response", "0-80", "80-95", "95-100", *paper.AGAINST)
    rows = [["each job counted once", "authors' mean [s]", "mean [s]", "0-80", "80-95", "95-100",
             "DVR", "violations", "DSR", "slack"]]
    for name in paper.MACRO:
        shown = [
            "–" if column in paper.AGAINST and name.startswith("ujf")
            else _cell(measured, name, column)
            for column in columns
        ]
        rows.append([paper.TITLES[name], number(theirs.get(name)), *shown])
    return table(rows, gap=" | ")


def noise(folder: Path, name: str) -> str:
    """How far the authors' UJF is from itself."""
    found = authors.repeated_ujf(folder, name)
    if not found:
        return "How far the authors' UJF is from itself can't be told without their run data."
    return (
        f"The authors' UJF, run again, against its own first run: DVR {number(found['dvr'])} with "
        f"{found['violations']:.0f} violations, DSR {number(found['dsr'])} with "
        f"{found['slack']:.0f} slack. Differences as small as these say nothing."
    )


def misled(mistaken: Measured, measured: Measured, theirs: Mapping[str, float]) -> str:
    """Scenario 2 with the estimates that the authors released, an eighth of the work."""
    rows = [["told an eighth of the work", "authors' data", "exact estimates", "measured"]]
    for name in BELIEVERS:
        for column in ("response", "worst.response", "group.1", "group.2", *paper.AGAINST):
            key = f"{name}.{column}"
            rows.append([
                f"{paper.TITLES[name]}: {paper.SCENARIO_2_COLUMNS[column]}",
                number(theirs.get(key)), _cell(measured, name, column),
                _cell(mistaken, name, column),
            ])
    return table(rows, gap=" | ")


def _cell(measured: Measured, name: str, column: str) -> str:
    values = np.array(measured[f"{name}.{column}"], float)
    known = values[~np.isnan(values)]
    return number(known.mean() if len(known) else None)
