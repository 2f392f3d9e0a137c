"""Means of runs with different seeds, with 95 % intervals by Student's t, as `somnus experiment` has them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

CONFIDENCE = 0.95


@dataclass(frozen=True)
class MeanInterval:
    """The mean lies within `half` to either side of `mean`; NaN of fewer than two runs."""

    mean: float
    half: float

    @property
    def holds_zero(self) -> bool:
        return not abs(self.mean) > self.half


def mean_interval(values: Sequence[float]) -> MeanInterval:
    """Of independent runs; those without a value are left out."""
    known = [value for value in values if value is not None and math.isfinite(value)]
    if not known:
        return MeanInterval(math.nan, math.nan)
    mean = math.fsum(known) / len(known)
    if len(known) < 2:
        return MeanInterval(mean, math.nan)
    variance = math.fsum((value - mean) ** 2 for value in known) / (len(known) - 1)
    return MeanInterval(mean, student_t(len(known) - 1) * math.sqrt(variance / len(known)))


def student_t(freedom: int) -> float:
    """Within so many standard errors to either side lies CONFIDENCE of Student's t."""
    low, high = 0.0, 1e3
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < CONFIDENCE else (low, middle)
    return (low + high) / 2


def _within(t: float, freedom: int) -> float:
    """P(|T| < t), by the finite series for whole degrees of freedom (Abramowitz and Stegun, 26.7.3-4)."""
    angle = math.atan(t / math.sqrt(freedom))
    odd = freedom % 2
    term, total = (math.cos(angle) if odd else 1.0), 0.0
    for power in range(1 + odd, freedom, 2):
        total += term
        term *= math.cos(angle) ** 2 * power / (power + 1)
    if odd:
        return 2 / math.pi * (angle + math.sin(angle) * total)
    return math.sin(angle) * total
