"""Resources and fairness over time, and jobs' factors of improvement. Each returns a Figure.

`draw` makes them of logs; the others take what resources, jain and improvement find.
"""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter, PercentFormatter

from somnus_analysis import improvement, jain, resources, style, time_figures
from somnus_analysis.log import Log
from somnus_analysis.queues import edges

WIDE = 4  # a wider range of factors needs a logarithmic axis
LINE = {"color": "#444444", "linewidth": 1, "zorder": 1.5}


def draw(logs: Mapping[str, Log]) -> dict[str, Figure]:
    """By file name: use and leftover of each resource over time, and Jain's index over windows."""
    return {
        "resources": use({label: resources.mean_shares(log, edges(log))
                          for label, log in logs.items()}),
        "leftover": leftover({label: resources.leftover(log, edges(log))
                              for label, log in logs.items()}),
        "jain": fairness({label: jain.over_windows(log)["raw"] for label, log in logs.items()}),
    }


def use(panels: Mapping[str, pd.DataFrame]) -> Figure:
    """Share in use over time: a panel a run, a curve a resource, a line at all there is."""
    figure = time_figures.panels(panels, "share in use")
    for axes in figure.axes:
        axes.axhline(1, **LINE)
        axes.set_ylim(0, 1.06)
    return figure


def leftover(panels: Mapping[str, pd.DataFrame]) -> Figure:
    """Share that is free while a task waits, over time: a panel a run, a curve a resource."""
    return time_figures.panels(panels, "share free while a task waits")


def fairness(series: Mapping[str, pd.Series]) -> Figure:
    """Jain's index of each window, a curve a run (Carbyne paper, Fig. 1a)."""
    return time_figures.curves(series, f"Jain's index over {jain.WINDOW_S:g} s", top=1.02)


def speedup(factors: Mapping[str, pd.Series], reference: str) -> Figure:
    """Cumulative distribution of jobs' factors of improvement, a curve a run (Carbyne, Fig. 7).

    Left of the line at 1 jobs are slower than in the reference run.
    """
    with matplotlib.rc_context(style.RC):
        figure = style.new_figure(height=3.64)
        axes = figure.add_subplot()
        for place, (label, values) in enumerate(factors.items()):
            cdf = improvement.speedup_cdf(values)
            start = cdf.index[:1]  # where the curve leaves 0
            axes.step(start.append(cdf.index), np.append(np.zeros(len(start)), cdf), where="post",
                      label=label, color=style.colour(place), linestyle=style.dash(place))
        axes.axvline(1, **LINE)
        everyone = np.concatenate([[1.0], *(values.dropna() for values in factors.values())])
        if everyone.max() > WIDE * everyone.min():
            axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}×"))
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set_ylim(0, 1.02)
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.set_xlabel(f"factor of improvement over {reference}")
        axes.set_ylabel("share of jobs")
        style.legend_on_top(figure, [axes])
    return figure
