"""Jobs' entitlements, targets and allocations over time."""

from collections.abc import Mapping, Sequence

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from somnus.analysis.base.text import printable
from somnus.analysis.figures import style, ticks
from somnus.analysis.figures.drawable import Drawable, Options, Policies, first_runs, some_log
from somnus.analysis.figures.style import Look
from somnus.analysis.metrics import targets
from somnus.analysis.metrics.queues import edges
from somnus.analysis.reading.log import Log

Panel = tuple[str, pd.DataFrame]  # and its title
MOST_ACROSS = 3  # runs side by side
HEIGHT = 0.95  # inches of a panel
TITLE_LETTERS = 28
ALLOCATED = {"color": style.COLOURS[0], "linewidth": 0.9}
# The wide pale one shows on both sides of the other where they are equal.
ENTITLED = {"color": "#bbbbbb", "linewidth": 2.6}
TARGET = {"color": style.COLOURS[1], "linewidth": 1.1}
LENT = {"color": style.COLOURS[2], "linewidth": 0.9}
OWED = {"color": style.COLOURS[3], "linewidth": 0.9}


def panels(log: Log, look: Look = Look()) -> list[Panel]:
    """The largest jobs, the sum of all others if there are any, and the debts of all."""
    jobs = targets.largest(log)
    bins = edges(log, look.bins)
    names = log.jobs["job_name"]
    found = [(f"job {printable(names[job], TITLE_LETTERS)}", targets.of_job(log, job, bins))
             for job in jobs]
    others = log.targets.loc[~log.targets["job"].isin(jobs), "job"].nunique()
    if others:
        title = f"{others:,} other jobs" if others > 1 else "the other job"
        found.append((title, targets.of_all_but(log, jobs, bins)))
    return [*found, ("all jobs", targets.debts(log, bins))]


def of_jobs(runs: Mapping[str, Sequence[Panel]], note: str = "", look: Look = Look()) -> Figure:
    """A panel a job of each run, and below them what is lent and owed in all.

    Runs stand side by side on a page that has room for them, else one below the other.
    """
    across = len(runs) if look.width == "page" and len(runs) <= MOST_ACROSS else 1
    with matplotlib.rc_context(style.RC):
        rows = max(map(len, runs.values())) if across > 1 else sum(map(len, runs.values()))
        figure = style.new_figure(look.inches, 0.5 + HEIGHT * rows)
        grid = figure.subplots(rows, across, sharex=True, sharey="row", squeeze=False)
        unit, seconds = style.time_unit(max(
            (float(frame.index[-1]) for each in runs.values() for _, frame in each if len(frame)),
            default=0.0))
        places = ([list(grid[:, place]) for place in range(across)] if across > 1
                  else _split(list(grid[:, 0]), [len(each) for each in runs.values()]))
        for own, (label, found) in zip(places, runs.items()):
            _run(own, label if len(runs) > 1 else "", found, seconds)
        for axes in grid[-1]:
            ticks.linear(axes.xaxis)
            axes.set_xlabel(f"emulated time [{unit}]")
        for axes in grid.flat:
            axes.set_ylim(bottom=0)
            ticks.linear(axes.yaxis, 3, ticks.percent_number)
        style.legend_on_top(figure, list(grid.flat), note, look,
                            quantity="share of the cluster, by the job's dominant resource")
    return figure


def _split(places: list[Axes], counts: Sequence[int]) -> list[list[Axes]]:
    found = []
    for count in counts:
        found.append(places[:count])
        places = places[count:]
    return found


def _run(places: Sequence[Axes], label: str, found: Sequence[Panel], seconds: float) -> None:
    """Jobs from the first place on, the debts in the last one."""
    *jobs, last = found
    for axes in places[len(jobs):-1]:
        axes.set_visible(False)
    for axes, each in zip(places, jobs):
        _job(axes, *each, seconds)
    _debts(places[-1], *last, seconds)
    if label:
        head = places[0]
        head.set_title(f"{printable(label, TITLE_LETTERS)}\n{head.get_title(loc='left')}", loc="left")


def _job(axes: Axes, title: str, frame: pd.DataFrame, seconds: float) -> None:
    times = frame.index / seconds
    frame = frame.where(frame.any(axis=1))  # no lines where the job is not there
    axes.fill_between(times, frame["allocated"], step="post", color=ALLOCATED["color"], alpha=0.2,
                      linewidth=0)
    axes.step(times, frame["entitled"], where="post", label="entitled", **ENTITLED)
    axes.step(times, frame["allocated"], where="post", label="allocated", **ALLOCATED)
    axes.step(times, frame["target"], where="post", label="target", **TARGET)
    axes.set_title(title, loc="left")


def _debts(axes: Axes, title: str, frame: pd.DataFrame, seconds: float) -> None:
    times = frame.index / seconds
    axes.step(times, frame["lent"], where="post", label="lent: above the target", **LENT)
    axes.step(times, frame["owed"], where="post", label="owed: below it", **OWED)
    axes.set_title(title, loc="left")


def draw(policies: Policies, options: Options) -> Figure:
    runs, note = first_runs(policies)
    found = {label: panels(log, options.look) for label, log in runs.items() if len(log.targets)}
    return of_jobs(found, note, look=options.look)


FIGURES = (
    Drawable("targets", "what the policy means the largest jobs to have, and what they have", draw,
             some_log(lambda log: len(log.targets) > 0),
             "a policy that says its targets: drf, capacity"),
)
