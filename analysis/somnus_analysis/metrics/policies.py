"""Logs grouped for a figure: the runs of one policy that differ in their seed are one line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from scipy.special import stdtrit

from somnus_analysis.base.errors import UserError
from somnus_analysis.base.text import hint
from somnus_analysis.reading.log import Log, distinct_labels

Found = TypeVar("Found")

CONFIDENCE = 0.95
# How far a line's error bars or bands reach, by option, and what the figure says of them.
ERRORS = {
    "seeds": "95 % confidence intervals over seeds",
    "deviation": "one standard deviation over seeds each way",
    "none": "",
}


@dataclass(frozen=True)
class Policy:
    """A line of a figure: one run a seed."""

    label: str
    logs: tuple[Log, ...]


@dataclass(frozen=True)
class Reach:
    """A mean over runs and what its error bar spans, each an array; NaN where there is no bar."""

    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray


def by_policy(logs: Sequence[Log], labels: Mapping[str, str] | None = None,
              order: Sequence[str] = ()) -> list[Policy]:
    """Runs of equal label that differ in their seed alone together, in the order of the logs.

    Where runs of a label share a seed, or differ in more of their configs, each is a line of its own
    (log.distinct_labels). `labels`: what to call a label instead. `order`: the labels that come first.
    Raises UserError where one of these is no label of the logs.
    """
    runs: dict[str, list[Log]] = {}
    for log, own in zip(logs, distinct_labels(list(logs))):
        alike = _differ_in_seed([each for each in logs if each.label == log.label])
        runs.setdefault(log.label if alike else own, []).append(log)
    renamed = labels or {}
    for name in renamed:
        _require(name, list(runs), "--label")
    policies = [Policy(renamed.get(label, label), tuple(own)) for label, own in runs.items()]
    names = [each.label for each in policies]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UserError(f"--label: '{twice[0]}' is what two lines would be called")
    first = [renamed.get(name, name) for name in order]
    for name in first:
        _require(name, names, "--order")
    return sorted(policies, key=lambda each: first.index(each.label) if each.label in first
                  else len(first))


def of_each(policies: Sequence[Policy], of: Callable[[Log], Found]) -> dict[str, list[Found]]:
    """By label, what `of` finds in each of its runs."""
    return {policy.label: [of(log) for log in policy.logs] for policy in policies}


def reach(values: np.ndarray, error: str = "seeds", floor: float = -np.inf,
          ceiling: float = np.inf) -> Reach:
    """Of a row a run, a column a point; NaN of a run that has no value there.

    seeds: the mean's 95 % confidence interval by Student's t. No bar reaches below the least possible
    value nor above the largest, unless the mean itself lies there. Of one run there is none.
    """
    values = np.asarray(values, float)
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
    low, high = mean - half, mean + half
    low[(low < floor) & (mean >= floor)] = floor
    high[(high > ceiling) & (mean <= ceiling)] = ceiling
    return Reach(mean, low, high)


def note(counts: Sequence[int], error: str) -> str:
    """What a figure says of its error bars, of so many runs a line; nothing of single runs."""
    if not counts or max(counts) < 2:
        return ""
    least, most = min(counts), max(counts)
    runs = f"means of {most} runs" if least == most else f"means of {least} to {most} runs"
    return f"{runs}, {ERRORS[error]}" if ERRORS[error] else runs


def _differ_in_seed(logs: Sequence[Log]) -> bool:
    seeds = {log.attributes.get("seed") for log in logs}
    first = _without_seed(logs[0].config)
    return len(seeds) == len(logs) and all(_without_seed(log.config) == first for log in logs[1:])


def _without_seed(config: dict) -> dict:
    """And without what follows from it: where the log is, and which file a workload was drawn into."""
    left = {table: dict(keys) if isinstance(keys, dict) else keys for table, keys in config.items()
            if table != "log"}
    left.get("run", {}).pop("seed", None)
    left.get("workload", {}).pop("file", None)
    return left


def _require(name: str, known: list[str], option: str) -> None:
    if name not in known:
        raise UserError(f"{option}: no log is called '{name}'{hint(name, known)}")
