"""The CFQ paper's figures, drawn from logs' jobs and tasks."""

from collections.abc import Mapping, Sequence

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from somnus.analysis.figures import bars, distributions, style, ticks
from somnus.analysis.metrics.intervals import extremes
from somnus.analysis.metrics.queues import count_at
from somnus.analysis.papers.cfq.paper import MICE, TITLES
from somnus.analysis.papers.common.expect import Measured
from somnus.analysis.reading.width import PAPER_BINS, PAPER_BINS_AT_SCALE


def shares(tasks: Mapping[str, pd.DataFrame], slots: int) -> Figure:
    """Fig. 1: slots of each job over time, one panel a scheduler."""
    with matplotlib.rc_context(style.RC):
        figure = style.new_figure(height=4.6)
        panels = figure.subplots(len(tasks), sharex=True, squeeze=False)[:, 0]
        for axes, (title, frame) in zip(panels, tasks.items()):
            times = np.unique(frame[["start", "finish"]].to_numpy())
            running = [count_at(group["start"].to_numpy(), group["finish"].to_numpy(), times) for _, group in frame.groupby("job")]
            axes.stackplot(times, running, step="post", linewidth=0,
                           colors=style.COLOURS[: len(running)],
                           labels=[f"job {index + 1}" for index in range(len(running))])
            axes.set_ylim(0, slots)
            axes.set_title(title, loc="left")
            axes.set_ylabel("slots")
        panels[-1].set_xlabel("time [s]")
        panels[0].legend(loc="lower right", bbox_to_anchor=(1, 1), ncol=2)
    return figure


def slots_of_jobs(tasks: Mapping[str, pd.DataFrame],
                  ends: Mapping[str, Sequence[float]]) -> Figure:
    """Fig. 3: which job holds which slot when, one panel a scheduler; `ends`: the paper's, by job."""
    with matplotlib.rc_context(style.RC):
        figure = style.new_figure(height=1.0 + 1.2 * len(tasks))
        panels = figure.subplots(len(tasks), sharex=True, squeeze=False)[:, 0]
        for axes, (title, frame) in zip(panels, tasks.items()):
            places = frame.groupby(["node", "slot"]).ngroup()
            axes.barh(places, frame["finish"] - frame["start"], left=frame["start"], height=0.86,
                      color=[style.colour(job) for job in frame["job"]], edgecolor="white")
            for y, row in zip(places, frame.itertuples()):
                axes.text((row.start + row.finish) / 2, y, f"job {row.job + 1}", color="white",
                          ha="center", va="center", fontsize=7)
            for job, end in enumerate(ends[title]):
                axes.axvline(end, color=style.colour(job), linewidth=2, linestyle=style.DASHES[2],
                             label=f"the paper's end of job {job + 1}")
            axes.set_title(title, loc="left")
            axes.set_yticks([])
            axes.grid(visible=False)
        panels[-1].set_xlabel("time [s]")
        style.legend_on_top(figure, panels, quantity="slots")
    return figure


def normalised_distribution(ratio: pd.Series) -> Figure:
    """Fig. 7: CDF of response time under FAIR / under CFQ; left of the line at 1 CFQ is slower."""
    return distributions.factors({"": [ratio]}, "response time, FAIR / CFQ")


def profiling(measured: Measured) -> Figure:
    """Fig. 8: mean normalised response time by width; the bar over seeds is min to max."""
    with matplotlib.rc_context(style.RC):
        figure, axes = style.one_panel()
        bars.groups(axes, [f"{each.name}\n{each.span}" for each in PAPER_BINS], {
            label: extremes(measured[f"{key}.{each.name}"] for each in PAPER_BINS)
            for key, label in (("uniform", "error up to 20 %"), ("naive", "naive profile"))})
        axes.axhline(1, color="#444444", linewidth=1, linestyle=style.DASHES[1])
        axes.set_ylabel("response time, wrong / exact profile")
        style.legend_on_top(figure, [axes])
    return figure


def elephants(measured: Measured) -> Figure:
    """Fig. 9: the elephant's response time by number of mice; points are seeds."""
    with matplotlib.rc_context(style.RC):
        figure, axes = style.one_panel()
        places = style.places(("srpt", "cfq"))
        for policy, index in places.items():
            values = np.array([measured[f"{policy}.{mice}"] for mice in MICE])
            axes.plot(MICE, values, "o", color=style.colour(index), alpha=0.35, markersize=4,
                      markeredgewidth=0)
            axes.plot(MICE, values.mean(axis=1), label=TITLES[policy], color=style.colour(index),
                      linestyle=style.dash(index))
        axes.set_xticks(MICE)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("number of mice")
        axes.set_ylabel("elephant's response time [s]")
        style.legend_on_top(figure, [axes])
    return figure


def slowdown_boxes(percentiles: Mapping[str, Mapping[str, Sequence[float]]]) -> Figure:
    """Fig. 10: boxes at 25, 50, 75 %, whiskers at 5 and 95 %."""
    with matplotlib.rc_context(style.RC):
        figure, axes = style.one_panel(width=7.2)
        width = 0.8 / len(percentiles)
        places = style.places(percentiles)
        for number, (policy, by_width) in enumerate(percentiles.items()):
            index = places[policy]
            boxes = [dict(zip(("whislo", "q1", "med", "q3", "whishi"), by_width[each.name]))
                     for each in PAPER_BINS_AT_SCALE]
            centres = np.arange(len(boxes)) + (number - (len(percentiles) - 1) / 2) * width
            drawn = axes.bxp(boxes, centres, widths=width * 0.82, showfliers=False,
                             patch_artist=True, manage_ticks=False,
                             boxprops={"facecolor": style.colour(index),
                                       "edgecolor": style.colour(index)},
                             medianprops={"color": "#111111", "linewidth": 1.6},
                             whiskerprops={"color": style.colour(index), "linewidth": 1.4},
                             capprops={"color": style.colour(index), "linewidth": 1.4})
            drawn["boxes"][0].set_label(TITLES[policy])
        ticks.logarithmic(axes, "y")
        axes.set_xticks(range(len(PAPER_BINS_AT_SCALE)),
                        [each.span for each in PAPER_BINS_AT_SCALE])
        axes.grid(axis="x", visible=False)
        axes.set_ylabel("slowdown (response time / alone)")
        style.legend_on_top(figure, [axes])
    return figure
