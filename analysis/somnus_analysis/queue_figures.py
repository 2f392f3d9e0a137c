"""Utilisation, queues and their shares over time, after the Yaq paper's figures.

Series over time are as in queues: by the start of each of equal bins, in emulated seconds. Each
function returns a matplotlib Figure.
"""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from somnus_analysis import style, user_figures
from somnus_analysis.text import printable


def utilisation(series: Mapping[str, pd.Series]) -> Figure:
    """Occupied slots / all slots over time, one curve a label."""
    return _curves(series, "occupied slots", top=1.02, percent=True)


def queue_length(series: Mapping[str, pd.Series]) -> Figure:
    """Tasks that wait in the queues of all nodes over time, one curve a label."""
    return _curves(series, "tasks in the nodes' queues")


def completion(jobs: Mapping[str, pd.DataFrame]) -> Figure:
    """Cumulative distribution of jobs' completion times from their first start, a curve a label."""
    times = {label: frame["completion_time"] for label, frame in jobs.items()}
    return user_figures.cdf({"": times}, "completion time from first start [s]")


def shares(panels: Mapping[str, pd.DataFrame],
           targets: Mapping[str, float] | None = None) -> Figure:
    """Each named queue's share of the occupied slots over time: a panel a label, a curve a queue.

    `targets`: by queue, the share that it was promised, a line across all panels.
    """
    with matplotlib.rc_context(style.RC):
        figure = style.new_figure(height=1.2 + 1.9 * max(len(panels), 1))
        axes = figure.subplots(max(len(panels), 1), sharex=True, squeeze=False)[:, 0]
        unit, seconds = _time_unit(panels)
        for each, (label, frame) in zip(axes, panels.items()):
            for place, name in enumerate(frame.columns):
                _steps(each, frame[name], seconds, printable(name, 20), place)
                if targets and name in targets:
                    each.axhline(targets[name], color=style.colour(place), linewidth=0.9, alpha=0.6)
            each.set_title(label, loc="left")
            each.set_ylim(0, 1.02)
            each.yaxis.set_major_formatter(PercentFormatter(1))
        _legend(axes[0])
        axes[-1].set_xlabel(f"emulated time [{unit}]")
        figure.supylabel("share of occupied slots", fontsize=style.RC["axes.labelsize"])
    return figure


def _curves(series: Mapping[str, pd.Series], quantity: str, top: float | None = None,
            percent: bool = False) -> Figure:
    with matplotlib.rc_context(style.RC):
        figure = style.new_figure()
        axes = figure.add_subplot()
        unit, seconds = _time_unit(series)
        for place, (label, values) in enumerate(series.items()):
            _steps(axes, values, seconds, label, place)
        axes.set_ylim(0, top)
        if percent:
            axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.set_xlabel(f"emulated time [{unit}]")
        axes.set_ylabel(quantity)
        _legend(axes)
    return figure


def _steps(axes: Axes, values: pd.Series, seconds: float, label: str, place: int) -> None:
    axes.step(values.index / seconds, values, where="post", label=label, color=style.colour(place),
              linestyle=style.dash(place), linewidth=1.4)


def _legend(axes: Axes) -> None:
    labels = axes.get_legend_handles_labels()[1]
    if labels:
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncol=len(labels))


def _time_unit(series: Mapping[str, pd.Series | pd.DataFrame]) -> tuple[str, float]:
    ends = [each.index[-1] for each in series.values() if len(each)]
    return style.time_unit(float(np.max(ends, initial=0)))
