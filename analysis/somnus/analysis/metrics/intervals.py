"""Means over runs that differ in their seed, and how far off they may be."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

CONFIDENCE = 0.95
# How far a line's error bars or bands reach, by option, and what the figure says of them.
ERRORS = {
    "seeds": "95 % confidence intervals over seeds",
    "deviation": "one standard deviation over seeds each way",
    "none": "",
}


@dataclass(frozen=True)
class Reach:
    """A mean over runs and what its error bar spans, each an array; NaN where there is no bar."""

    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True)
class MeanInterval:
    """The mean lies within `half` to either side of `mean`; NaN of fewer than two runs."""

    mean: float
    half: float

    @property
    def holds_zero(self) -> bool:
        return not abs(self.mean) > self.half


def reach(values: np.ndarray, error: str = "seeds", floor: float = -np.inf,
          ceiling: float = np.inf) -> Reach:
    """Of a row a run, a column a point; NaN of a run that has no value there.

    seeds: the mean's 95 % confidence interval by Student's t. No bar reaches below the least possible
    value nor above the largest, unless the mean itself lies there. Of one run there is none.
    """
    mean, half = _mean_and_half(np.asarray(values, float), error)
    low, high = mean - half, mean + half
    low[(low < floor) & (mean >= floor)] = floor
    high[(high > ceiling) & (mean <= ceiling)] = ceiling
    return Reach(mean, low, high)


def extremes(values: Iterable[Sequence[float]]) -> Reach:
    """From the least to the most of the runs, which are a row for each point."""
    rows = [np.asarray(each, float) for each in values]
    mean, low, high = np.array([(each.mean(), each.min(), each.max()) for each in rows]).T
    return Reach(mean, low, high)


def mean_interval(values: Sequence[float]) -> MeanInterval:
    """The same of a single number a run."""
    mean, half = _mean_and_half(np.array(values, float).reshape(-1, 1), "seeds")
    return MeanInterval(float(mean[0]), float(half[0]))


def p_value(values: Sequence[float], edge: float = 0.0) -> float:
    """Two-sided, by Student's t: how likely so far a mean from the edge is, were the true one there.

    Values that are all alike leave nothing to chance; one value, or none, decides nothing.
    """
    known = [value for value in values if math.isfinite(value)]
    if len(known) < 2:
        return 1.0
    away = abs(float(np.mean(known)) - edge)
    deviation = float(np.std(known, ddof=1)) / math.sqrt(len(known))
    if deviation > 0:
        return float(2 * stdtr(len(known) - 1, -away / deviation))
    return 0.0 if away > 0 else 1.0


def by_holm(p_values: Sequence[float]) -> list[float]:
    """Each as it counts where all are asked at once, by Holm's method; in the order given."""
    adjusted = [1.0] * len(p_values)
    least = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = least
    return adjusted


def note(counts: Sequence[int], error: str) -> str:
    """What a figure says of its error bars, of so many runs a line; nothing of single runs."""
    if not counts or max(counts) < 2:
        return ""
    least, most = min(counts), max(counts)
    runs = f"means of {most} runs" if least == most else f"means of {least} to {most} runs"
    return f"{runs}, {ERRORS[error]}" if ERRORS[error] else runs


def _mean_and_half(values: np.ndarray, error: str) -> tuple[np.ndarray, np.ndarray]:
    known = np.isfinite(values)
    count = known.sum(axis=0)
    mean = np.divide(np.where(known, values, 0).sum(axis=0), count,
                     out=np.full(values.shape[1], np.nan), where=count > 0)
    squares = (np.where(known, values - mean, 0) ** 2).sum(axis=0)
    deviation = np.sqrt(np.divide(squares, count - 1, out=np.full(mean.shape, np.nan),
                                  where=count > 1))
    half = np.full(mean.shape, np.nan)
    if error == "deviation":
        half = deviation
    elif error == "seeds":
        some = count > 1
        half[some] = (stdtrit(count[some] - 1, (1 + CONFIDENCE) / 2) * deviation[some]
                      / np.sqrt(count[some]))
    return mean, half
