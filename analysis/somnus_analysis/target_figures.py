"""Jobs' entitlements, targets and allocations over time. Returns a Figure; `targets` finds the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from somnus_analysis import style, targets
from somnus_analysis.log import Log
from somnus_analysis.queues import edges
from somnus_analysis.text import printable

Panel = tuple[str, pd.DataFrame]  # and its title
BINS = 240
TITLE_LETTERS = 28
ALLOCATED = {"color": style.COLOURS[0], "linewidth": 1.1}
# The wide pale one shows on both sides of the other where they are equal.
ENTITLED = {"color": "#bbbbbb", "linewidth": 3.2}
TARGET = {"color": style.COLOURS[1], "linewidth": 1.3, "linestyle": style.DASHES[1]}
LENT = {"color": style.COLOURS[2], "linewidth": 1.1}
OWED = {"color": style.COLOURS[3], "linewidth": 1.1, "linestyle": style.DASHES[1]}


def draw(logs: Mapping[str, Log]) -> dict[str, Figure]:
    """By file name: a column a run that has rows in /targets; nothing if none has."""
    told = {label: log for label, log in logs.items() if len(log.targets)}
    return {"targets": of_jobs({label: panels(log) for label, log in told.items()})} if told else {}


def panels(log: Log) -> list[Panel]:
    """The largest jobs, the sum of all others if there are any, and the debts of all."""
    jobs = targets.largest(log)
    bins = edges(log, BINS)
    names = log.jobs["job_name"]
    found = [(f"job {printable(names[job], TITLE_LETTERS)}", targets.of_job(log, job, bins))
             for job in jobs]
    others = log.targets.loc[~log.targets["job"].isin(jobs), "job"].nunique()
    if others:
        title = f"{others:,} other jobs" if others > 1 else "the other job"
        found.append((title, targets.of_all_but(log, jobs, bins)))
    return [*found, ("all jobs", targets.debts(log, bins))]


def of_jobs(columns: Mapping[str, Sequence[Panel]]) -> Figure:
    """A column a run, one over another a panel a job; below, what is lent and owed in all."""
    with matplotlib.rc_context(style.RC):
        rows = max(map(len, columns.values()))
        figure = style.new_figure(width=max(6.4, 1.2 + 4.4 * len(columns)), height=0.9 + 1.45 * rows)
        grid = figure.subplots(rows, len(columns), sharex=True, sharey="row", squeeze=False)
        unit, seconds = style.time_unit(max(
            (float(frame.index[-1]) for each in columns.values() for _, frame in each
             if len(frame)), default=0.0))
        for place, (label, found) in enumerate(columns.items()):
            *jobs, last = found
            for axes in grid[len(jobs):-1, place]:
                axes.set_visible(False)
            for axes, each in zip(grid[:, place], jobs):
                _job(axes, *each, seconds)
            _debts(grid[-1, place], *last, seconds)
            grid[-1, place].set_xlabel(f"emulated time [{unit}]")
            if len(columns) > 1:
                head = grid[0, place]
                head.set_title(f"{printable(label, TITLE_LETTERS)}\n{head.get_title(loc='left')}",
                               loc="left")
        for axes in grid.flat:
            axes.set_ylim(bottom=0)
            axes.yaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:g}%"))
            axes.yaxis.set_major_locator(MaxNLocator(4))
        top = style.legend_on_top(figure, list(grid.flat))
        figure.supylabel("share of the cluster (of the job's dominant resource)", y=top / 2,
                         fontsize=style.RC["axes.labelsize"])
    return figure


def _job(axes: Axes, title: str, frame: pd.DataFrame, seconds: float) -> None:
    times = frame.index / seconds
    frame = frame.where(frame.any(axis=1))  # no lines where the job is not there
    axes.fill_between(times, frame["allocated"], step="post", color=ALLOCATED["color"], alpha=0.2,
                      linewidth=0)
    axes.step(times, frame["entitled"], where="post", label="entitled", **ENTITLED)
    axes.step(times, frame["allocated"], where="post", label="allocated", **ALLOCATED)
    axes.step(times, frame["target"], where="post", label="target", **TARGET)
    axes.set_title(title, loc="left", fontsize=10.5)


def _debts(axes: Axes, title: str, frame: pd.DataFrame, seconds: float) -> None:
    times = frame.index / seconds
    axes.step(times, frame["lent"], where="post", label="lent: above the target", **LENT)
    axes.step(times, frame["owed"], where="post", label="owed: below it", **OWED)
    axes.set_title(title, loc="left", fontsize=10.5)
