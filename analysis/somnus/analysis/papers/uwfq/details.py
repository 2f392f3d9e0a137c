"""What is printed below the UWFQ paper's tables: honest counts, noise, wrong estimates."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from somnus.analysis.base.text import number, paragraph, table
from somnus.analysis.papers.common import expect, tables, verdicts
from somnus.analysis.papers.common.expect import Measured
from somnus.analysis.papers.uwfq import authors, paper


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
        return "How far the authors' UJF is from itself is not decided without their run data."
    return paragraph(
        f"Noise: the authors' UJF, run again, has against its own first run a DVR of "
        f"{number(found['dvr'])} with {found['violations']:.0f} violations and a DSR of "
        f"{number(found['dsr'])} with {found['slack']:.0f} slack. In their data values up to these "
        "say nothing; simulations repeat exactly."
    )


def by_estimates(figure: expect.Figure, columns: Mapping[str, str], schedulers: Sequence[str],
         measured: Measured, exact: Measured, repeats: bool) -> str:
    """What exact estimates, as the paper assumes them, change in a figure's rows and claims."""
    rows = [["estimates that schedulers had", "what the authors released", "exact estimates"]]
    for name in schedulers:
        rows += [
            [f"{paper.TITLES[name]}: {title}", _cell(measured, name, column),
             _cell(exact, name, column)]
            for column, title in columns.items()
        ]
    found, others = (verdicts.findings(verdicts.explained(figure, values, verdicts.judge(
        figure, values, repeats))) for values in (measured, exact))
    turned = [tables.sentence(other) for each, other in zip(found, others)
              if each.claim and each.word != other.word]
    told_so = ["", "Claims that turn with exact estimates:", *turned] if turned else []
    return "\n".join([table(rows, gap=" | "), *told_so])


def _cell(measured: Measured, name: str, column: str) -> str:
    values = np.array(measured[f"{name}.{column}"], float)
    known = values[~np.isnan(values)]
    if not len(known):
        return number(None)
    counts_jobs = column in ("violations", "slack") and known.mean().is_integer()
    return f"{known.mean():.0f}" if counts_jobs else number(known.mean())
