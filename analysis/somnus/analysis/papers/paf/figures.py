"""The PAF paper's figures that others don't have. Each function returns a matplotlib Figure."""

from collections.abc import Iterable, Mapping, Sequence

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from somnus.analysis.figures import style
from somnus.analysis.papers.common.against_paper import mark
from somnus.analysis.papers.common.expect import Measured
from somnus.analysis.papers.paf import paper


def testbed(measured: Measured) -> Figure:
    """Fig. 9: progress rates by application and their mean, a bar a scheduler."""
    bars = {"fair": "fair", "paf-0.9": "PAF .9", "paf-leave-0.9": "PAF .9, surplus = leave",
            "paf-leave-0.99": "PAF .99, surplus = leave"}
    return _bars([*paper.APPLICATIONS, "mean"], bars.values(),
                 [[measured[f"{name}.{what}"] for what in (*paper.APPLICATIONS, "mean")]
                  for name in bars], "progress rate", {
                     3: [paper.FIGURE_9.paper_value(f"{name}.mean") for name in bars]})


def clusters(found: Mapping[int, Measured]) -> Figure:
    """Fig. 10: mean progress rate by cluster, a bar a scheduler; marks are the paper's."""
    bars = {"fair": "fair", "paf-authors-0.9": "PAF .9, as the authors",
            "paf-authors-0.99": "PAF .99, as the authors",
            "paf-leave-once-0.9": "PAF .9, surplus = leave"}
    return _bars([f"{slots:,} slots" for slots in found], bars.values(),
                 [[measured[f"{slots}.{name}"] for slots, measured in found.items()]
                  for name in bars], "mean progress rate", {0: (0.78, 0.90, 0.88, None)})


def groups(measured: Measured) -> Figure:
    """Figs. 11 and 12: gain by thirds of the jobs, a panel an attribute."""
    with matplotlib.rc_context(style.RC):
        figure = style.new_figure(width=9, height=3.2)
        panels = figure.subplots(1, len(paper.ATTRIBUTES), sharey=True)
        for axes, (key, title) in zip(panels, paper.ATTRIBUTES.items()):
            names = ("low", "middle", "high")
            values = [measured[f"{key}.{name}"] for name in names]
            _one_series(axes, np.arange(len(names)), values, 0.6, 0, None)
            axes.axhline(0, color="#444444", linewidth=1)
            axes.set_xticks(range(len(names)), names)
            axes.grid(axis="x", visible=False)
            axes.set_title(title, loc="left")
        panels[0].set_ylabel("gain over fair [%]")
    return figure


def warmups(found: Mapping[str, Measured]) -> Figure:
    """Mean progress rate by warm-up model, a bar a scheduler."""
    bars = {"fair": "fair", "cfq": "CFQ", "paf": "PAF", "paf-leave": "PAF, surplus = leave"}
    return _bars(list(found), bars.values(),
                 [[measured[f"{name}.progress"] for measured in found.values()] for name in bars],
                 "mean progress rate", {})


def cold(found: Mapping[str, pd.DataFrame]) -> Figure:
    """How many times as long fresh tasks take: of each stage by its lists, and in the logs."""
    with matplotlib.rc_context(style.RC):
        figure, axes = style.one_panel(width=5.2, height=4.4)
        most = max(float(each.to_numpy().max(initial=1)) for each in found.values())
        axes.plot([1, most], [1, most], color="#444444", linewidth=1, label="as the model says")
        for series, (title, stages) in enumerate(found.items()):
            axes.plot(stages["listed"], stages["measured"], linestyle="", markersize=4,
                      marker=style.marker(series), color=style.colour(series), alpha=0.6,
                      label=f"{title} ({len(stages)} stages)")
        axes.set_xlabel("fresh / warm task time, by the workload's lists")
        axes.set_ylabel("fresh / warm task time, as run")
        style.legend_on_top(figure, [axes])
    return figure


def _bars(places: Sequence[str], labels: Iterable[str | None],
          values: Sequence[Sequence[Sequence[float]]], quantity: str,
          published: Mapping[int, Sequence[float | None]]) -> Figure:
    """Groups of bars with least and most of seeds. published: the paper's, by index, a number a label."""
    with matplotlib.rc_context(style.RC):
        figure, axes = style.one_panel(width=7.6, height=3.6)
        labels = list(labels)
        width = 0.8 / len(labels)
        for series, (label, each) in enumerate(zip(labels, values)):
            where = np.arange(len(places)) + (series - (len(labels) - 1) / 2) * width
            _one_series(axes, where, each, width * 0.94, series, label)
            mark(axes, (where[index] for index in published), (each[series] for each in published.values()))
        axes.set_xticks(range(len(places)), places)
        axes.grid(axis="x", visible=False)
        axes.set_ylabel(quantity)
        style.legend_on_top(figure, [axes])
    return figure


def _one_series(axes: Axes, where: np.ndarray, values: Sequence[Sequence[float]], width: float,
                series: int, label: str | None) -> None:
    means = np.array([np.mean(each) for each in values])
    reach = [means - [min(each) for each in values], [max(each) for each in values] - means]
    axes.bar(where, means, width, yerr=reach, label=label, **style.bar(series),
             error_kw={"elinewidth": 1, "ecolor": "#222222", "capsize": 2})
