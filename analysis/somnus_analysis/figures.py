"""The figures that every set of logs deserves. Each function returns a matplotlib Figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, PercentFormatter

from somnus_analysis import (
    fairness,
    improvement,
    resource_figures,
    style,
    target_figures,
    user_figures,
)
from somnus_analysis.log import Log, distinct_labels
from somnus_analysis.width import PAPER_BINS, Bin

FORMATS = ("png", "svg", "pdf")
UTILISATION_POINTS = 400  # more than that is noise at a figure's width
LEGEND_LETTERS = 72  # a line of the legend


def draw_all(logs: Sequence[Log], folder: Path, suffix: str = "png",
             against: Log | None = None) -> list[Path]:
    """Writes cdf, slowdown and utilisation into the folder and returns the files.

    Where nodes have resources also resources, leftover and jain; where the policy says what it means
    jobs to have, targets. With a reference run also users,
    each user's mean response time against that there, and speedup, each job's.
    """
    by_label = dict(zip(distinct_labels(list(logs)), logs))
    jobs = {label: log.jobs for label, log in by_label.items()}
    quantity = "busy slots" if all(log.slots for log in logs) else "share in use"
    with matplotlib.rc_context(style.RC):
        figures = {
            "cdf": cdf({label: frame["response_time"] for label, frame in jobs.items()}),
            "slowdown": slowdown(jobs),
            "utilisation": utilisation(
                {label: log.samples for label, log in by_label.items()}, quantity
            ),
        }
    if any(log.resources for log in logs):
        figures |= resource_figures.draw(by_label)
    figures |= target_figures.draw(by_label)
    if against:
        deviation = {
            label: fairness.between_users_of(log, against) for label, log in by_label.items()
        }
        factors = {label: improvement.speedups(log, against) for label, log in by_label.items()}
        figures["speedup"] = resource_figures.speedup(factors, against.label)
        figures["users"] = user_figures.deviations({f"against {against.label}": deviation},
                                                   "mean response time")
    return [save(figure, folder / f"{name}.{suffix}") for name, figure in figures.items()]


def save(figure: Figure, path: Path, settings: Mapping = style.RC) -> Path:
    """Writes the figure, whose kind the file's name tells. `settings`: those it was drawn with."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context(settings):
        figure.savefig(path)
    return path


def cdf(response_times: Mapping[str, pd.Series]) -> Figure:
    """Cumulative distribution of response times in seconds, one curve a label."""
    figure = style.new_figure()
    axes = figure.add_subplot()
    for place, (label, values) in enumerate(response_times.items()):
        values = np.sort(values.dropna().to_numpy())
        share = np.arange(1, len(values) + 1) / max(len(values), 1)
        axes.step(values, share, where="post", label=label, color=style.colour(place),
                  linestyle=style.dash(place))
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.12g}"))
    axes.set_ylim(0, 1.02)
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlabel("response time [s]")
    axes.set_ylabel("share of jobs")
    _legend(axes)
    return figure


def slowdown(jobs: Mapping[str, pd.DataFrame]) -> Figure:
    """Mean slowdown by width, one bar a label, with one standard deviation."""
    figure = style.new_figure()
    axes = figure.add_subplot()
    bar = 0.8 / max(len(jobs), 1)
    largest = 1.0
    for place, (label, frame) in enumerate(jobs.items()):
        groups = frame.groupby("width", observed=False)["slowdown"]
        mean = groups.mean().to_numpy()
        spread = groups.std(ddof=0).to_numpy()
        centres = np.arange(len(PAPER_BINS)) + (place - (len(jobs) - 1) / 2) * bar
        known = np.isfinite(mean)
        if not known.any():
            continue
        axes.bar(centres[known], mean[known], bar * 0.92, yerr=spread[known], label=label,
                 color=style.colour(place), hatch=style.hatch(place), edgecolor="white",
                 linewidth=0,
                 error_kw={"elinewidth": 1.1, "capsize": 3, "ecolor": "#222222"})
        largest = max(largest, mean[known].max())
    _slowdown_axis(axes, largest)
    axes.set_xticks(range(len(PAPER_BINS)), [_bin_title(each, jobs) for each in PAPER_BINS])
    axes.tick_params(axis="x", length=0)
    axes.grid(axis="x", visible=False)
    axes.set_ylabel("mean slowdown (response time / alone)")
    _legend(axes)
    return figure


def utilisation(samples: Mapping[str, pd.DataFrame], quantity: str = "busy slots") -> Figure:
    """Utilisation of Log.samples over emulated time: one panel a label, over one time axis."""
    figure = style.new_figure(height=1.0 + 1.15 * max(len(samples), 1))
    panels = figure.subplots(max(len(samples), 1), sharex=True, squeeze=False)[:, 0]
    last = max((_last(frame["time"]) for frame in samples.values()), default=0)
    unit, seconds = style.time_unit(last)
    for place, (axes, (label, frame)) in enumerate(zip(panels, samples.items())):
        time, share = _thinned(frame["time"].to_numpy(), frame["utilisation"].to_numpy())
        axes.fill_between(time / seconds, share, step="post", color=style.colour(place), alpha=0.25,
                          linewidth=0)
        axes.step(time / seconds, share, where="post", color=style.colour(place), linewidth=1.2,
                  label=label)
        axes.set_ylim(0, 1.05)
        axes.set_yticks([0, 0.5, 1])
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.set_title(label, loc="left")
    panels[-1].set_xlabel(f"emulated time [{unit}]")
    figure.supylabel(quantity, fontsize=style.RC["axes.labelsize"])
    return figure


def _slowdown_axis(axes: Axes, largest: float) -> None:
    # Linear shows the standard deviations best; past two decades the small bars would vanish.
    if largest > 50:
        axes.set_yscale("log")
        axes.set_ylim(bottom=1)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:,.12g}"))
    else:
        axes.set_ylim(bottom=0)


def _bin_title(each: Bin, jobs: Mapping[str, pd.DataFrame]) -> str:
    counts = {int((frame["width"] == each.name).sum()) for frame in jobs.values()}
    title = f"{each.name}\n{each.span}"
    return f"{title}\n{counts.pop():,} jobs" if len(counts) == 1 else title


def _legend(axes: Axes) -> None:
    labels = axes.get_legend_handles_labels()[1]
    if not labels:
        return
    columns = LEGEND_LETTERS // (max(map(len, labels)) + 8)  # a handle is as wide as 8 letters
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), handlelength=2.2, columnspacing=1.6,
                ncol=max(1, min(len(labels), columns)))


def _last(times: pd.Series) -> float:
    return float(times.iloc[-1]) if len(times) else 0.0


def _thinned(time: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means of equal groups of neighbours, at most UTILISATION_POINTS of them."""
    group = -(-len(time) // UTILISATION_POINTS)
    if group <= 1:
        return time, value
    starts = np.arange(0, len(time), group)
    return time[starts], np.add.reduceat(value, starts) / np.diff([*starts, len(time)])
