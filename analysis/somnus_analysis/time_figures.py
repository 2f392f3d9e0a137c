"""Quantities over time: curves in one panel, or a panel a run. Each returns a matplotlib Figure.

A series is by the start of each of equal bins, in emulated seconds, as in queues.
"""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from somnus_analysis import style
from somnus_analysis.text import printable


def curves(series: Mapping[str, pd.Series], quantity: str, top: float | None = None,
           percent: bool = False) -> Figure:
    """One quantity over time, a curve a label; up to `top` if that is known."""
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


def panels(frames: Mapping[str, pd.DataFrame], quantity: str,
           targets: Mapping[str, float] | None = None) -> Figure:
    """Shares of 1 over time: a panel a label, a curve a column, which looks alike in all panels.

    `targets`: by column, the share that it was promised, a line across all panels.
    """
    names = list(dict.fromkeys(name for frame in frames.values() for name in frame.columns))
    with matplotlib.rc_context(style.RC):
        figure = style.new_figure(height=0.8 + 1.9 * max(len(frames), 1))
        axes = figure.subplots(max(len(frames), 1), sharex=True, squeeze=False)[:, 0]
        unit, seconds = _time_unit(frames)
        for each, (label, frame) in zip(axes, frames.items()):
            for name in frame.columns:
                place = names.index(name)
                _steps(each, frame[name], seconds, printable(name, 20), place)
                if targets and name in targets:
                    each.axhline(targets[name], color=style.colour(place), linewidth=0.9, alpha=0.6)
            each.set_title(label, loc="left")
            each.set_ylim(0, 1.02)
            each.yaxis.set_major_formatter(PercentFormatter(1))
        top = style.legend_on_top(figure, axes)
        axes[-1].set_xlabel(f"emulated time [{unit}]")
        figure.supylabel(quantity, y=top / 2, fontsize=style.RC["axes.labelsize"])
    return figure


def _steps(axes: Axes, values: pd.Series, seconds: float, label: str, place: int) -> None:
    axes.step(values.index / seconds, values, where="post", label=label, color=style.colour(place),
              linestyle=style.dash(place), linewidth=1.4)


def _legend(axes: Axes) -> None:
    labels = axes.get_legend_handles_labels()[1]
    if labels:
        columns = style.legend_columns(labels, axes.figure.get_figwidth())
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncol=columns)


def _time_unit(series: Mapping[str, pd.Series | pd.DataFrame]) -> tuple[str, float]:
    ends = [each.index[-1] for each in series.values() if len(each)]
    return style.time_unit(float(np.max(ends, initial=0)))
