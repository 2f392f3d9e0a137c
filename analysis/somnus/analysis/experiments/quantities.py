"""What is drawn of an experiment's metric: its means, or the differences to the baseline.

Each is rows with `value`, `low` and `high` in an axis's unit, beside what the axis is called.
"""

import math
import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd

from somnus.analysis.experiments.table import Experiment
from somnus.analysis.experiments.words import Metric

INTERVALS = "95 % confidence intervals"


@dataclass(frozen=True)
class Quantity:
    rows: pd.DataFrame
    label: str
    note: str  # over how many runs or batches, and what the intervals are
    floor: float  # the least that it can be
    is_difference: bool = False


def means(experiment: Experiment, metric: Metric) -> Quantity | None:
    """None if no mean is a number."""
    rows = experiment.of(metric)
    finite = np.isfinite(rows["mean"])
    if lost := int((~finite).sum()):
        warnings.warn(f"{metric.name}: {lost} of {len(rows)} means are not finite and not drawn",
                      stacklevel=2)
    rows = rows[finite]
    if rows.empty:
        return None
    half = _finite(rows["half_width_95"])
    unit, divisor = metric.scale(float((rows["mean"] + half.fillna(0)).max()))
    rows = _bounded(rows, rows["mean"], half, metric.floor, metric.ceiling, divisor)
    return Quantity(rows, metric.label(unit), _note(f"means of {_runs(rows)} {experiment.replicates}", rows),
                    metric.floor / divisor)


def differences(experiment: Experiment, metric: Metric) -> Quantity | None:
    """To the baseline, in percent of its mean; None if no point has one."""
    rows = experiment.of(metric)
    compared = rows["difference"].notna() | rows["difference_half_width_95"].notna()
    finite = np.isfinite(rows["difference"])
    if lost := int((compared & ~finite).sum()):
        warnings.warn(f"{metric.name}: {lost} of {int(compared.sum())} differences are not drawn, for "
                      f"{experiment.baseline} has a mean of 0 there", stacklevel=2)
    rows = rows[finite]
    if rows.empty:
        return None
    floor = -math.inf if metric.floor == -math.inf else -1.0  # all of what the baseline has
    half = _finite(rows["difference_half_width_95"])
    rows = _bounded(rows, rows["difference"], half, floor, math.inf, 0.01)
    return Quantity(rows, f"{metric.words},\ndifference to {experiment.baseline} [%]",
                    _note(_pairs(experiment, metric), rows), 100 * floor, is_difference=True)


def _bounded(rows: pd.DataFrame, value: pd.Series, half: pd.Series, floor: float, ceiling: float,
             divisor: float) -> pd.DataFrame:
    """An interval ends where the quantity does: no run can lie beyond. NaN: there is none.

    A mean beyond a bound shows that it is no bound, as of slowdowns where jobs may gain by company.
    """
    low = (value - half).mask((value >= floor) & (value - half < floor), floor)
    high = (value + half).mask((value <= ceiling) & (value + half > ceiling), ceiling)
    return rows.assign(value=value / divisor, low=low / divisor, high=high / divisor)


def _finite(values: pd.Series) -> pd.Series:
    return values.where(np.isfinite(values))


def _runs(rows: pd.DataFrame) -> str:
    least, most = int(rows["runs"].min()), int(rows["runs"].max())
    return f"{most}" if least == most else f"{least} to {most}"


def _pairs(experiment: Experiment, metric: Metric) -> str:
    """Of unequal numbers of runs the table does not say how many pairs there are."""
    runs = _runs(experiment.of(metric))
    pairs = "paired by batch" if experiment.replicates == "batches" else "paired by seed"
    return f"{pairs}, {runs} {experiment.replicates}" if runs.isdigit() else pairs


def _note(of: str, rows: pd.DataFrame) -> str:
    if rows["low"].isna().all():
        return "one run each, so without intervals"
    return f"{of}, {INTERVALS}"
