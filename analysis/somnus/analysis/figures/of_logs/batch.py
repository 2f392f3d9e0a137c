"""Rigid jobs: which of them held which slots, and when."""

from collections.abc import Mapping, Sequence

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from somnus.analysis.base.errors import UserError
from somnus.analysis.base.text import printable
from somnus.analysis.figures import style, ticks
from somnus.analysis.figures.drawable import Drawable, Options, Policies, Window, first_runs
from somnus.analysis.figures.style import Look
from somnus.analysis.metrics import batch
from somnus.analysis.reading.log import Log

MOST_PIECES = 20_000
HEIGHTS = {"column": 1.5, "page": 2.2}  # inches, of a panel
NAMED = 0.1  # of the time and of the slots: a rectangle as large as that says whose it is
JOBS = style.COLOURS[:-1]  # letters are black
KILLED = {"hatch": "////", "edgecolor": "#00000080", "linewidth": 0.3}


def pieces(log: Log, window: Window = Window()) -> pd.DataFrame:
    """As batch.rectangles has them, of the window. Raises UserError where nobody could read the chart."""
    if window.nodes is not None and (unknown := sorted(set(window.nodes) - set(log.nodes["node"]))):
        raise UserError(f"{log.path}: no node {unknown[0]}; there are {len(log.nodes)}, from 0 on")
    if window.begin is not None and window.end is not None and window.begin >= window.end:
        raise UserError(f"--from {window.begin:g} is not before --to {window.end:g}")
    found = batch.rectangles(log, window.nodes)
    if window.begin is not None:
        found = found[found["end"] > window.begin]
    if window.end is not None:
        found = found[found["begin"] < window.end]
    if len(found) > MOST_PIECES:
        raise UserError(f"{log.path}: {len(found):,} rectangles are too many to draw, {MOST_PIECES:,} fit; "
                        "choose a span with --from and --to")
    return found


def rectangles(runs: Mapping[str, Log], window: Window = Window(), note: str = "",
               look: Look = Look()) -> Figure:
    """A panel a run: time from left to right, slots from the bottom, what a job holds in its colour.

    A job on slots that do not lie side by side has several rectangles. Hatched ones were cut short.
    """
    found = {label: pieces(log, window) for label, log in runs.items()}
    with matplotlib.rc_context(style.RC):
        last = max((frame["end"].max() for frame in found.values() if len(frame)), default=(window.begin or 0) + 1)
        figure = style.new_figure(look.inches, 0.4 + (0.35 + HEIGHTS[look.width]) * len(runs))
        panels = figure.subplots(len(runs), sharex=True, squeeze=False)[:, 0]
        begin, end = window.begin or 0.0, last if window.end is None else window.end
        unit, seconds = style.time_unit(float(end))
        for axes, (label, log) in zip(panels, runs.items()):
            slots = _slots(log, window)
            _draw(axes, found[label], log, seconds, (end - begin, slots))
            axes.set_ylim(0, slots)
            axes.grid(visible=False)
            axes.set_title(printable(label), loc="left")
        panels[-1].set_xlim(begin / seconds, end / seconds)
        ticks.linear(panels[-1].xaxis)
        panels[-1].set_xlabel(f"emulated time [{unit}]")
        entries = [Patch(facecolor="#888888", label="holds slots, a colour a job")]
        if any(frame["killed"].any() for frame in found.values()):
            entries.append(Patch(facecolor="#888888", label="cut short", **KILLED))
        style.legend_on_top(figure, [], note, look, entries=entries, quantity="slots")
    return figure


def _slots(log: Log, window: Window) -> int:
    nodes = log.nodes if window.nodes is None else log.nodes[log.nodes["node"].isin(window.nodes)]
    return int(nodes["slots"].sum())


def _draw(axes: Axes, frame: pd.DataFrame, log: Log, seconds: float, whole: tuple[float, int]) -> None:
    colours = np.array(JOBS, dtype=object)[frame["job"].to_numpy(int) % len(JOBS)]
    patches = [Rectangle((begin / seconds, low), (end - begin) / seconds, slots) for begin, end, low, slots in
               zip(frame["begin"], frame["end"], frame["low"], frame["slots"])]
    for some, looks in ((~frame["killed"], {"edgecolor": "white", "linewidth": 0.2}), (frame["killed"], KILLED)):
        if some.any():
            axes.add_collection(PatchCollection(
                [each for each, taken in zip(patches, some) if taken], facecolor=colours[some], **looks))
    names = log.jobs["job_name"]
    large = (frame["end"] - frame["begin"] >= NAMED * whole[0]) & (frame["slots"] >= NAMED * whole[1])
    for each in frame[large].itertuples():
        axes.text((each.begin + each.end) / 2 / seconds, each.low + each.slots / 2,
                  printable(names[each.job], 12), ha="center", va="center", clip_on=True)


def _suits(logs: Sequence[Log], options: Options) -> bool:
    """There is something to draw, and all of it can be, or the user has said which part."""
    return all(len(log.gangs) > 0 and log.slots > 0 and (
        options.window != Window() or len(log.tasks) <= MOST_PIECES or len(batch.rectangles(log)) <= MOST_PIECES)
        for log in logs)


def draw(policies: Policies, options: Options) -> Figure:
    runs, note = first_runs(policies)
    return rectangles(runs, options.window, note, look=options.look)


FIGURES = (
    Drawable("rectangles", "which rigid job held which slots when", draw, _suits,
             f"gangs, on a cluster with slots; and at most {MOST_PIECES:,} rectangles, or --nodes, --from and "
             "--to that choose some"),
)
