"""How evenly jobs share the cluster: Jain's index over windows, as the Carbyne paper reports it.

J = (sum x)^2 / (n sum x^2) of n jobs: 1 if all have the same, 1/n if one has all. x is the mean
over the window of a job's dominant share, the largest of its shares of the dimensions at each
instant (Log.capacities; of slots the share of slots). The jobs are those with demand in the window:
for some time in it a stage of theirs is ready and has not ended. Windows are of 60 s from the first
submit (Carbyne paper, Fig. 1a and section 5.1; shares are raw there: DRF itself scores 0.86). Times
are emulated seconds since the run's start.
"""

import numpy as np
import pandas as pd

from somnus.analysis.metrics.queues import ROUNDING, span
from somnus.analysis.reading.log import Log

WINDOW_S = 60.0
MOST_WINDOWS = 5_000_000  # nine years of them; who has more wants longer ones
CELLS = 4_000_000  # windows x jobs that are worked out at a time
DIGITS_OF_SHARES = 12  # what sums of shares that come and go leave behind is less


def index(shares: np.ndarray) -> float:
    """Jain's index of some shares; NaN of none, and where none has anything."""
    squares = len(shares) * np.square(shares).sum()
    return float(shares.sum() ** 2 / squares) if squares > 0 else np.nan


def windows(log: Log, window_s: float = WINDOW_S) -> np.ndarray:
    """The edges of windows over the makespan, the last one perhaps beyond it.

    None without one, and none of more than MOST_WINDOWS.
    """
    first, last = span(log)
    if not last > first or last - first > MOST_WINDOWS * window_s:
        return np.array([])
    return first + window_s * np.arange(np.ceil((last - first) / window_s - ROUNDING) + 1)


def dominant_shares(log: Log, edges: np.ndarray) -> pd.DataFrame:
    """x of each job in each window: by the window's start, a column a job, by id.

    NaN where the job has no demand. `edges` are equidistant.
    """
    demand = _demand(log, edges)
    found = np.zeros((len(edges) + 1, len(log.jobs)))
    if len(edges):
        job, begins, ends, shares = _held(log)
        for stamps, sign in ((begins, 1), (ends, -1)):
            # From a stamp on a share counts in full, and in the stamp's own window for the rest.
            place = (stamps - edges[0]) / (edges[1] - edges[0])
            window = np.clip(place.astype(int), 0, len(edges) - 1)
            gone = np.clip(place - window, 0, 1)
            np.add.at(found, (window, job), sign * shares * (1 - gone))
            np.add.at(found, (window + 1, job), sign * shares * gone)
    found = np.cumsum(found, axis=0, out=found)[:len(demand)].round(DIGITS_OF_SHARES)
    return pd.DataFrame(np.where(demand, found, np.nan), index=pd.Index(edges[:-1], name="time"),
                        columns=log.jobs["job"])


def over_windows(log: Log, window_s: float = WINDOW_S) -> pd.DataFrame:
    """Jain's index of each window, by its start.

    Columns: raw, of x; normalised, of x / entitlement, where a job is entitled to its part of the
    weights of the jobs of that window. Of equal weights both are the same. NaN for a window without
    a job that has demand, or in which none has anything.
    """
    edges = windows(log, window_s)
    weights = log.jobs["weight"].to_numpy()
    at_once = max(CELLS // max(len(weights), 1), 1)
    rows = []
    for first in range(0, max(len(edges) - 1, 0), at_once):
        for shares in dominant_shares(log, edges[first:first + at_once + 1]).to_numpy():
            present = ~np.isnan(shares)  # J is the same for weights and for their parts of the sum
            rows.append((index(shares[present]), index(shares[present] / weights[present])))
    return pd.DataFrame(rows, pd.Index(edges[:-1], name="time"), ["raw", "normalised"], dtype=float)


def figures(by_window: pd.DataFrame) -> dict[str, float]:
    """Mean, min and max over the windows, raw as `jain_...` and else as `jain_normalised_...`."""
    return {
        f"{prefix}_{what}": float(getattr(by_window[column], what)())
        for column, prefix in (("raw", "jain"), ("normalised", "jain_normalised"))
        for what in ("mean", "min", "max")
    }


def _held(log: Log) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Spans in which a job's dominant share stays the same: its id, begin, end, and that share."""
    tasks = log.tasks
    ran = (tasks["start"] < tasks["finish"]).to_numpy()
    own = tasks[ran]
    job = np.concatenate([own["job"], own["job"]])
    stamps = np.concatenate([own["start"], own["finish"]])
    taken = (log.demands[ran] / log.capacity.where(log.capacity > 0, np.inf)).to_numpy()
    order = np.lexsort((stamps, job))
    # All that a job takes it gives back, so that one sum serves all jobs in turn.
    in_use = np.cumsum(np.concatenate([taken, -taken])[order], axis=0)
    job, stamps = job[order], stamps[order]
    lasts = np.flatnonzero((job[1:] == job[:-1]) & (stamps[1:] > stamps[:-1]))
    return job[lasts], stamps[lasts], stamps[lasts + 1], in_use[lasts].max(axis=1)


def _demand(log: Log, edges: np.ndarray) -> np.ndarray:
    """Whether a job has demand at some time in a window: a row a window, a column a job."""
    count = max(len(edges) - 1, 0)
    marks = np.zeros((count + 1, len(log.jobs)), np.int32)
    if count == 0:
        return marks[:0] > 0
    stages = log.stages
    over = log.jobs["finish"].fillna(span(log)[1]).to_numpy()[stages["job"].to_numpy()]
    begins, ends = stages["ready"].to_numpy(), stages["finish"].fillna(pd.Series(over)).to_numpy()
    known = begins < ends
    places = [(stamps[known] - edges[0]) / (edges[1] - edges[0]) for stamps in (begins, ends)]
    from_window = np.floor(places[0] + ROUNDING).astype(int)
    to_window = np.ceil(places[1] - ROUNDING).astype(int)
    own = stages["job"].to_numpy()[known]
    np.add.at(marks, (np.clip(from_window, 0, count), own), 1)
    np.add.at(marks, (np.clip(to_window, 0, count), own), -1)
    return np.cumsum(marks, axis=0, out=marks)[:-1] > 0
