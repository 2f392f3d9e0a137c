"""Amounts that change at instants, and their exact means over time.

A step function is a frame by `time`, in ascending order: a row holds from its instant up to the
next one's. Before the first row it is zero, and so it is from the last one on, which says so.
"""

import numpy as np
import pandas as pd

DIGITS = 6  # amounts are kept to a millionth, and so are their sums


def steps(starts: np.ndarray, ends: np.ndarray, amounts: pd.DataFrame) -> pd.DataFrame:
    """Sum at each instant of the amounts (a row a span, a column a kind) of spans [start, end).

    A span that lacks an end is left out, and so is one that lasts no time.
    """
    last = starts < ends  # False also for NaN
    stamps = np.concatenate([starts[last], ends[last]])
    times, place = np.unique(stamps, return_inverse=True)
    values = {}
    for kind, amount in amounts.items():
        own = amount.to_numpy(float)[last]
        changes = np.bincount(place, np.concatenate([own, -own]), len(times))
        values[kind] = np.cumsum(changes).round(DIGITS)
    return pd.DataFrame(values, index=pd.Index(times, name="time"), columns=amounts.columns)


def at(function: pd.DataFrame, times: np.ndarray) -> pd.DataFrame:
    """The same function with a row for each of the given times, which are in ascending order."""
    return function.reindex(times, method="ffill").fillna(0.0)


def lasting(function: pd.DataFrame) -> np.ndarray:
    """Seconds that each row holds; the last one none."""
    times = function.index.to_numpy()
    return np.diff(times, append=times[-1:])


def means(function: pd.DataFrame, edges: np.ndarray) -> pd.DataFrame:
    """Mean over each bin between neighbouring edges, by the bin's start."""
    edges = np.asarray(edges, float)
    origin = edges[0] if len(edges) else 0.0  # small numbers keep their digits in sums
    times = function.index.to_numpy(float) - origin
    found = {}
    for kind, values in function.items():
        area = np.concatenate([[0.0], np.cumsum(values.to_numpy()[:-1] * np.diff(times))])
        upto = np.interp(edges - origin, times, area) if len(times) else np.zeros(len(edges))
        found[kind] = np.diff(upto) / np.diff(edges)
    return pd.DataFrame(found, index=pd.Index(edges[:-1], name="time"), columns=function.columns)
