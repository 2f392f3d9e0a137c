"""Bins of jobs by width, the number of their tasks."""

import math
from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class Bin:
    """Jobs of `low` to `high` tasks, both included."""

    name: str
    low: int
    high: float = math.inf

    @property
    def span(self) -> str:
        if self.high == math.inf:
            return f"> {self.low - 1} tasks"
        return f"{self.low}–{int(self.high)} tasks"


# CFQ paper, section V-B, Fig. 6.
PAPER_BINS = (Bin("narrow", 1, 10), Bin("medium", 11, 50), Bin("wide", 51))
# CFQ paper, Fig. 10: the wide ones in two.
PAPER_BINS_AT_SCALE = (*PAPER_BINS[:2], Bin("51-500", 51, 500), Bin(">500", 501))


def width_bins(tasks: pd.Series, bins: tuple[Bin, ...]) -> pd.Categorical:
    """Each job's bin, as an ordered category."""
    edges = [each.low - 1 for each in bins] + [bins[-1].high]
    return pd.cut(tasks, edges, labels=[each.name for each in bins])
