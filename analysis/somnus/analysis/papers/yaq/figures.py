"""The Yaq paper's figures that others don't have. Each function returns a matplotlib Figure."""

from collections.abc import Mapping

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from somnus.analysis.figures import distributions, style
from somnus.analysis.papers.common.against_paper import mark
from somnus.analysis.papers.common.expect import Measured
from somnus.analysis.papers.yaq import paper
from somnus.analysis.reading.log import Log


def queue_lengths(lengths: Mapping[float, Mapping[float, int]]) -> Figure:
    """Fig. 5: queue length by tasks that end in a heartbeat; by target, a share of 1, a curve."""
    with matplotlib.rc_context(style.RC):
        figure, axes = style.one_panel()
        for index, (target, by_ends) in enumerate(lengths.items()):
            axes.plot(list(by_ends), list(by_ends.values()), label=f"{100 * target:g} % busy",
                      color=style.colour(index), linestyle=style.dash(index), marker="o",
                      markersize=3.5)
        axes.set_xlabel("tasks that end on a node in a heartbeat")
        axes.set_ylabel("queue length by equation (1) [tasks]")
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
        axes.legend(loc="lower right")
    return figure


def utilisation(measured: Measured) -> Figure:
    """Fig. 9: mean utilisation by queue length, a curve a workload."""
    with matplotlib.rc_context(style.RC):
        figure, axes = style.one_panel()
        for index, (name, title) in enumerate(paper.UTILISED.items()):
            busy = [np.mean(measured[f"{name}.{length}"]) for length in paper.LENGTHS]
            axes.plot(paper.LENGTHS, busy, label=title, color=style.colour(index),
                      linestyle=style.dash(index), marker=style.marker(index),
                      markersize=4.5)
        mark(axes, [0] * len(paper.UTILISED), (paper.TABLE_1.paper_value(f"{name}.0") for name in paper.UTILISED))
        mark(axes, (6, 2), (paper.FIGURE_9.paper_value(f"claim.{key}") for key in ("short", "long")))
        axes.set_xlabel("queue length [tasks]; 0: YARN")
        axes.set_ylabel("occupied slots")
        axes.set_ylim(50, 101)
        axes.yaxis.set_major_formatter(PercentFormatter(100))
        style.legend_on_top(figure, [axes])
    return figure


def completion(logs: Mapping[str, Log], titles: Mapping[str, str]) -> Figure:
    """Figs. 2, 6, 7, 10 to 14: CDFs of completion times, from admission and from first start."""
    panels: dict[str, dict[str, list[pd.Series]]] = {"from admission": {}, "from first start": {}}
    for name, title in titles.items():
        panels["from admission"][title] = [logs[name].jobs["response_time"]]
        panels["from first start"][title] = [logs[name].jobs["completion_time"]]
    return distributions.cdf(panels, "completion time [s]")
