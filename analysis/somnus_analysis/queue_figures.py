"""Utilisation, queues and their shares over time, after the Yaq paper's figures.

Series over time are as in queues: by the start of each of equal bins, in emulated seconds. Each
function returns a matplotlib Figure.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from somnus_analysis import time_figures, user_figures


def utilisation(series: Mapping[str, pd.Series]) -> Figure:
    """Occupied slots / all slots over time, one curve a label."""
    return time_figures.curves(series, "occupied slots", top=1.02, percent=True)


def queue_length(series: Mapping[str, pd.Series]) -> Figure:
    """Tasks that wait in the queues of all nodes over time, one curve a label."""
    return time_figures.curves(series, "tasks in the nodes' queues")


def completion(jobs: Mapping[str, pd.DataFrame]) -> Figure:
    """Cumulative distribution of jobs' completion times from their first start, a curve a label."""
    times = {label: frame["completion_time"] for label, frame in jobs.items()}
    return user_figures.cdf({"": times}, "completion time from first start [s]")


def shares(panels: Mapping[str, pd.DataFrame],
           targets: Mapping[str, float] | None = None) -> Figure:
    """Each named queue's share of the occupied slots over time: a panel a label, a curve a queue.

    `targets`: by queue, the share that it was promised, a line across all panels.
    """
    return time_figures.panels(panels, "share of occupied slots", targets)
