"""The Carbyne paper's figures that others don't have. Each function returns a matplotlib Figure."""

from collections.abc import Mapping, Sequence

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from somnus.analysis.figures import bars, style
from somnus.analysis.metrics.intervals import Reach
from somnus.analysis.metrics.steps import at, steps
from somnus.analysis.papers.carbyne import paper
from somnus.analysis.papers.common import expect
from somnus.analysis.papers.common.against_paper import mark
from somnus.analysis.papers.common.expect import Measured
from somnus.analysis.reading.log import Log


BARS = ("drf", "tetris", "sjf", "carbyne")
EXAMPLES_DRAWN = ("drf-strict+breadth-first", "drf", "tetris", "carbyne")


def example(logs: Mapping[str, Log]) -> Figure:
    """Fig. 2 (b) and (c): each job's part of the resource over time, a panel a scheduler."""
    with matplotlib.rc_context(style.RC):
        figure = style.new_figure(width=7.2, height=4.6)
        panels = figure.subplots(2, 2, sharex=True, sharey=True).flat
        for axes, name in zip(panels, EXAMPLES_DRAWN):
            _allocation(axes, logs[name])
            axes.set_title(paper.EXAMPLE_TITLES[name], loc="left")
        style.legend_on_top(figure, [figure.axes[0]], quantity="share of the resource")
        figure.supxlabel("time, in the figure's units", fontsize=style.RC["axes.labelsize"])
    return figure


def _allocation(axes: Axes, log: Log) -> None:
    """Stacked: the first job at the bottom."""
    tasks = log.tasks
    times = np.unique(np.concatenate([[0.0], tasks["start"], tasks["finish"]]))
    below = np.zeros(len(times))
    for index, name in enumerate(log.jobs["job_name"]):
        own = tasks["job"] == index
        held = steps(tasks["start"][own].to_numpy(), tasks["finish"][own].to_numpy(),
                     log.demands[own])
        above = below + at(held, times).iloc[:, 0].to_numpy()
        axes.fill_between(times, below, above, step="post", label=name,
                          color=style.colour(index), alpha=0.75, hatch=("", "//")[index % 2],
                          edgecolor="white", linewidth=0.5)
        below = above
    axes.axhline(1, color="#444444", linewidth=1)
    axes.set_ylim(0, 1.1)
    axes.set_xlim(left=0)


def tradeoff(paper_figure: expect.Figure, measured: Measured, workloads: Mapping[str, str]) -> Figure:
    """Figs. 4 and 5: fairness with its extremes, completion and makespan against Carbyne's."""
    quantities = {"jain": "Jain's index, 60 s windows", "response": "mean completion / Carbyne's",
                  "makespan": "makespan / Carbyne's"}
    with matplotlib.rc_context(style.RC):
        figure = style.new_figure(width=10.4, height=3.6)
        panels = figure.subplots(1, len(quantities))
        for axes, (key, title) in zip(panels, quantities.items()):
            where = bars.groups(axes, [name.replace(" (", "\n(") for name in workloads.values()], {
                paper.TITLES[scheduler]: _reach(measured, workloads, key, scheduler) for scheduler in BARS})
            for scheduler in BARS:
                mark(axes, where[paper.TITLES[scheduler]], [paper_figure.paper_value(f"{name}.{key}.{scheduler}") for name in workloads])
            if key != "jain":
                axes.axhline(1, color="#444444", linewidth=1)
            axes.set_title(title, loc="left")
        style.legend_on_top(figure, panels)
    return figure


def _reach(measured: Measured, workloads: Mapping[str, str], key: str, scheduler: str) -> Reach:
    def means(quantity: str) -> np.ndarray:
        return np.array([np.mean(measured[f"{name}.{quantity}.{scheduler}"]) for name in workloads])

    heights = means(key)
    unknown = np.full(len(heights), np.nan)
    return Reach(heights, *((means("jain-min"), means("jain-max")) if key == "jain" else (unknown, unknown)))


def sweep(points: Sequence[float], measured: Measured, quantity: str,
          published: Mapping[float, float | None] | None = None) -> Figure:
    """Factors of the mean completion time, a curve a scheduler; bars from least to most of seeds.

    `published`: the paper's largest factors by point.
    """
    with matplotlib.rc_context(style.RC):
        figure, axes = style.one_panel(height=3.6)
        for other, index in style.places(paper.ALTERNATIVES).items():
            seeds = [np.asarray(measured[f"{point:g}.{other}"]) for point in points]
            means = np.array([each.mean() for each in seeds])
            reach = [means - [each.min() for each in seeds], [each.max() for each in seeds] - means]
            axes.errorbar(points, means, reach, label=f"{paper.TITLES[other]} / Carbyne",
                          color=style.colour(index), linestyle=style.dash(index), capsize=3,
                          elinewidth=1, marker=style.marker(index), markersize=5)
        if published:
            mark(axes, published, published.values(), "the paper's larger one", size=14)
        axes.axhline(1, color="#444444", linewidth=1)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}×"))
        axes.set_xticks(points)
        axes.set_xlabel(quantity)
        axes.set_ylabel("mean completion time")
        style.legend_on_top(figure, [axes])
    return figure
