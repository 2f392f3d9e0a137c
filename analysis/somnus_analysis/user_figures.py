"""Users side by side, after the UWFQ paper's Fig. 7. Each function returns a matplotlib Figure."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, PercentFormatter

from somnus_analysis import style
from somnus_analysis.text import printable

DECADES = 100  # a wider range than that needs a logarithmic axis
NAMED_USERS = 30  # more names than that can't be read on an axis


def deviations(panels: Mapping[str, Mapping[str, pd.Series]], quantity: str) -> Figure:
    """How much more (or, negative, less) of a quantity each user has than in a reference run.

    `panels`: by panel title, which names the reference, by label, the deviation of each user (a share of 1, see
    fairness.between_users). Users are in the order of the first series; a user that a series does
    not have has no point.
    """
    order = next(iter(next(iter(panels.values())).values())).sort_values().index
    with matplotlib.rc_context(style.RC):
        figure = style.new_figure(width=7.2, height=1.2 + 2.2 * len(panels))
        axes = figure.subplots(len(panels), sharex=True, sharey=True,
                               squeeze=False)[:, 0]
        for each, (title, series) in zip(axes, panels.items()):
            _deviation_panel(each, title, {label: values.reindex(order)
                                           for label, values in series.items()})
            each.set_ylabel(quantity)
        if len(order) <= NAMED_USERS:
            axes[-1].set_xticks(range(len(order)), [printable(name, 14) for name in order],
                                rotation=90)
        else:
            axes[-1].set_xlabel(f"{len(order):,} users")
            axes[-1].set_xticks([])
    return figure


def cdf(panels: Mapping[str, Mapping[str, pd.Series]], quantity: str) -> Figure:
    """Cumulative distribution of a quantity: one panel a group of jobs, one curve a label."""
    with matplotlib.rc_context(style.RC):
        figure = style.new_figure(3.6 * len(panels) + 0.8, 3.64)
        axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        for each, (title, series) in zip(axes, panels.items()):
            for place, (label, values) in enumerate(series.items()):
                known = np.sort(values.dropna().to_numpy())
                start = known[:1]  # where the curve leaves 0
                share = np.linspace(0, 1, len(known) + len(start))
                each.step(np.append(start, known), share, where="post", label=label,
                          color=style.colour(place), linestyle=style.dash(place))
            each.set_title(title, loc="left")
            _quantity_axis(each, np.concatenate([values.dropna() for values in series.values()]))
            each.set_xlabel(quantity)
        axes[0].set_ylim(0, 1.02)
        axes[0].yaxis.set_major_formatter(PercentFormatter(1))
        axes[0].set_ylabel("share of jobs")
        style.legend_on_top(figure, axes[:1])
    return figure


def finished(jobs: Mapping[str, pd.DataFrame]) -> Figure:
    """How many jobs have ended by a time since the first submit, one curve a label."""
    with matplotlib.rc_context(style.RC):
        figure = style.new_figure()
        axes = figure.add_subplot()
        for place, (label, frame) in enumerate(jobs.items()):
            ends = np.sort((frame["finish"] - frame["submit"].min()).dropna().to_numpy())
            axes.step(np.append(0, ends), np.arange(len(ends) + 1), where="post", label=label,
                      color=style.colour(place), linestyle=style.dash(place))
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("time since the first submit [s]")
        axes.set_ylabel("jobs finished")
        axes.legend(loc="upper left")
    return figure


def _quantity_axis(axes: Axes, values: np.ndarray) -> None:
    positive = values[values > 0]
    if len(positive) and positive.max() > DECADES * positive.min():
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.12g}"))
    else:
        axes.set_xlim(left=0)


def _deviation_panel(axes: Axes, title: str, series: Mapping[str, pd.Series]) -> None:
    shift = 0.6 / max(len(series), 1)
    for place, (label, values) in enumerate(series.items()):
        at = np.arange(len(values)) + (place - (len(series) - 1) / 2) * shift
        axes.vlines(at, 0, values, color=style.colour(place), linewidth=1.1, alpha=0.6)
        axes.plot(at, values, style.marker(place), color=style.colour(place), label=label,
                  markersize=4.5, linestyle="none")
    axes.axhline(0, color="#444444", linewidth=1)
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(axis="x", visible=False)
    axes.set_title(title, loc="left")
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncol=len(series), columnspacing=1.2,
                handletextpad=0.2)
