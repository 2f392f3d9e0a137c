"""The PAF paper's figures that others don't have. Each function returns a matplotlib Figure."""

from collections.abc import Mapping, Sequence

import matplotlib
import pandas as pd
from matplotlib.figure import Figure

from somnus.analysis.figures import bars, style
from somnus.analysis.metrics.intervals import extremes
from somnus.analysis.papers.common.against_paper import mark
from somnus.analysis.papers.common.expect import Measured
from somnus.analysis.papers.paf import paper


def testbed(measured: Measured) -> Figure:
    """Fig. 9: progress rates by application and their mean, a bar a scheduler."""
    those = {"fair": "fair", "PAF .9": "paf-0.9", "PAF .9, surplus = leave": "paf-leave-0.9",
             "PAF .99, surplus = leave": "paf-leave-0.99"}
    places = [*paper.APPLICATIONS, "mean"]
    return _bars(places, {label: [measured[f"{name}.{what}"] for what in places] for label, name in those.items()},
                 "progress rate", {3: [paper.FIGURE_9.paper_value(f"{name}.mean") for name in those.values()]})


def clusters(found: Mapping[int, Measured]) -> Figure:
    """Fig. 10: mean progress rate by cluster, a bar a scheduler; marks are the paper's."""
    those = {"fair": "fair", "PAF .9, as the authors": "paf-authors-0.9",
             "PAF .99, as the authors": "paf-authors-0.99", "PAF .9, surplus = leave": "paf-leave-once-0.9"}
    return _bars([f"{slots:,} slots" for slots in found], {
        label: [measured[f"{slots}.{name}"] for slots, measured in found.items()] for label, name in those.items()},
        "mean progress rate", {0: (0.78, 0.90, 0.88, None)})


def groups(measured: Measured) -> Figure:
    """Figs. 11 and 12: gain by thirds of the jobs, a panel an attribute."""
    with matplotlib.rc_context(style.RC):
        figure = style.new_figure(width=9, height=3.2)
        panels = figure.subplots(1, len(paper.ATTRIBUTES), sharey=True)
        for axes, (key, title) in zip(panels, paper.ATTRIBUTES.items()):
            names = ("low", "middle", "high")
            bars.groups(axes, names, {"paf": extremes(measured[f"{key}.{name}"] for name in names)})
            axes.axhline(0, color="#444444", linewidth=1)
            axes.set_title(title, loc="left")
        panels[0].set_ylabel("gain over fair [%]")
    return figure


def warmups(found: Mapping[str, Measured]) -> Figure:
    """Mean progress rate by warm-up model, a bar a scheduler."""
    those = {"fair": "fair", "CFQ": "cfq", "PAF": "paf", "PAF, surplus = leave": "paf-leave"}
    return _bars(list(found), {label: [measured[f"{name}.progress"] for measured in found.values()]
                               for label, name in those.items()}, "mean progress rate", {})


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


def _bars(places: Sequence[str], values: Mapping[str, Sequence[Sequence[float]]], quantity: str,
          published: Mapping[int, Sequence[float | None]]) -> Figure:
    """Groups of bars with least and most of seeds. published: the paper's, by place, a number a label."""
    with matplotlib.rc_context(style.RC):
        figure, axes = style.one_panel(width=7.6, height=3.6)
        where = bars.groups(axes, places, {label: extremes(each) for label, each in values.items()})
        for place, numbers in published.items():
            mark(axes, (each[place] for each in where.values()), numbers)
        axes.set_ylabel(quantity)
        style.legend_on_top(figure, [axes])
    return figure
