"""What the page's figures are drawn from: curves of all runs over one axis."""

from collections.abc import Sequence

import numpy as np

from somnus.analysis.metrics import queues
from somnus.analysis.reading.log import Log

BINS = 400  # of the time that the longest run takes; more are noise
TAIL = 1e-4  # up to which shares of the largest are shown


def percentiles(logs: Sequence[Log], column: str) -> dict:
    """By nearest rank: x [% of the finished jobs], and of each run the value that they do not exceed."""
    shares = np.unique(np.concatenate([np.linspace(0, 1, 401), 1 - np.geomspace(0.05, TAIL, 60)]))
    curves = []
    for log in logs:
        values = np.sort(log.jobs[column].dropna().to_numpy(float))
        ranks = np.clip(np.ceil(shares * len(values) - 1e-9).astype(int), 1, None) - 1
        curves.append(numbers(values[ranks]) if len(values) else [None] * len(shares))
    return {"x": numbers(100 * shares), "curves": curves}


def over_time(logs: Sequence[Log]) -> dict:
    """x [s]; and of each run the share of the cluster in use, and tasks that wait, by bins."""
    spans = [queues.span(log) for log in logs]
    known = [span for span in spans if span[1] > span[0]]
    if not known:
        return {"x": [], "utilisation": [[] for _ in logs], "pending": [[] for _ in logs]}
    edges = np.linspace(min(first for first, _ in known), max(last for _, last in known), BINS + 1)
    used = [_utilisation(log, edges, span) for log, span in zip(logs, spans)]
    pending = [_sampled(log, "pending_tasks", edges, span) for log, span in zip(logs, spans)]
    return {"x": numbers(edges[:-1]), "utilisation": [numbers(100 * each) for each in used],
            "pending": [numbers(each) for each in pending]}


def _utilisation(log: Log, edges: np.ndarray, span: tuple[float, float]) -> np.ndarray:
    if log.slots:
        return _within(queues.utilisation(log, edges).to_numpy(float), edges, span)
    return _sampled(log, "utilisation", edges, span)


def _sampled(log: Log, column: str, edges: np.ndarray, span: tuple[float, float]) -> np.ndarray:
    """The last sample before each bin; from the first to the last instant of the run."""
    samples = log.samples
    if samples.empty:
        return np.full(len(edges) - 1, np.nan)
    places = np.searchsorted(samples["time"].to_numpy(), edges[:-1], "right") - 1
    return _within(samples[column].to_numpy(float)[np.maximum(places, 0)], edges, span)


def _within(values: np.ndarray, edges: np.ndarray, span: tuple[float, float]) -> np.ndarray:
    lasts = (edges[:-1] <= span[1]) & (edges[1:] >= span[0])
    return np.where(lasts, values, np.nan)


def numbers(values: np.ndarray) -> list[float | None]:
    """For JSON: six digits, None where there is no number."""
    return [float(f"{value:.6g}") if np.isfinite(value) else None for value in values]
