"""What is printed beside the Yaq paper's numbers: all variants, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from somnus_analysis.base.text import number, table
from somnus_analysis.papers.yaq import paper

Measured = Mapping[str, Sequence[float]]


def variants(titles: Mapping[str, str], columns: Mapping[str, str], measured: Measured,
             head: str = "mean over seeds") -> str:
    """A row a variant, means over seeds."""
    rows = [[head, *columns.values()]]
    rows += [[title, *(_mean(measured, f"{name}.{column}") for column in columns)]
             for name, title in titles.items()]
    return table(rows, gap=" | ")


def utilisation(measured: Measured) -> str:
    """Fig. 9: a row a workload, a column a queue's length."""
    lengths = {str(length): f"{length} queued" for length in paper.LENGTHS}
    return variants(paper.UTILISED, {**lengths, "0": "YARN"}, measured, "occupied slots [%]")


def _mean(measured: Measured, key: str) -> str:
    known = [value for value in measured[key] if not np.isnan(value)]
    return number(float(np.mean(known)) if known else None)
