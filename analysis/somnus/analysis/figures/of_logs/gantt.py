"""What ran on which slot, and when: a Gantt chart."""

from collections.abc import Mapping, Sequence

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from somnus.analysis.base.errors import UserError
from somnus.analysis.base.text import printable
from somnus.analysis.figures import style, ticks
from somnus.analysis.figures.drawable import Drawable, Options, Policies, Window, first_runs
from somnus.analysis.figures.style import Look
from somnus.analysis.reading.log import Log

MOST_SLOTS = 64  # that can be told apart in a panel
MOST_ATTEMPTS = 4000
INCHES_A_SLOT = {"column": 0.075, "page": 0.09}
STRAGGLES = 1.25  # times what it should take there: an attempt that a fault or its node slowed down
BAR = 0.82  # of a slot's height
WAIT = 0.46  # of it, how far below a slot's middle the line of a wait is
JOBS = style.COLOURS[:-1]  # a frame would not show on black
COLD = {"hatch": "//////", "edgecolor": "white", "linewidth": 0}
STRAGGLER = {"facecolor": "none", "edgecolor": "#000000", "linewidth": 0.9}
QUEUED = {"colors": "#222222", "linewidths": 0.6, "linestyles": "solid"}


def fits(log: Log) -> bool:
    """Whether all of it can be drawn."""
    return 0 < log.slots <= MOST_SLOTS and len(log.tasks) <= MOST_ATTEMPTS


def attempts(log: Log, window: Window = Window()) -> pd.DataFrame:
    """The attempts that ran, with `row`, the place of their slot, `cold` and `straggler`.

    straggler: it took STRAGGLES times its nominal length or longer, where no cold slot explains that.
    Raises UserError where nobody could read the chart.
    """
    tasks = log.tasks[log.tasks["start"] < log.tasks["finish"]]
    nodes = log.nodes["node"] if window.nodes is None else pd.Series(list(window.nodes))
    if unknown := sorted(set(nodes) - set(log.nodes["node"])):
        raise UserError(f"{log.path}: no node {unknown[0]}; there are {len(log.nodes)}, from 0 on")
    tasks = tasks[tasks["node"].isin(nodes)]
    if window.begin is not None:
        tasks = tasks[tasks["finish"] > window.begin]
    if window.end is not None:
        tasks = tasks[tasks["queued"].fillna(tasks["start"]) < window.end]
    slots = log.nodes.set_index("node")["slots"].reindex(nodes)
    if not slots.sum():
        raise UserError(f"{log.path}: its nodes have no slots to draw, but resources")
    if slots.sum() > MOST_SLOTS:
        raise UserError(f"{log.path}: {slots.sum():,} slots do not fit, {MOST_SLOTS} do; choose some "
                       "with --nodes")
    if len(tasks) > MOST_ATTEMPTS:
        raise UserError(f"{log.path}: {len(tasks):,} attempts are too many to draw, "
                       f"{MOST_ATTEMPTS:,} fit; choose a span with --from and --to")
    first = slots.cumsum() - slots
    warms_up = log.config.get("jvm", {}).get("model", "none") != "none"
    cold = (tasks["warm"] == 0) & warms_up
    slow = tasks["finish"] - tasks["start"] >= STRAGGLES * tasks["nominal"]
    return tasks.assign(row=tasks["node"].map(first) + tasks["slot"], cold=cold,
                        straggler=slow & ~cold)


def gantt(runs: Mapping[str, Log], window: Window = Window(), note: str = "",
          look: Look = Look()) -> Figure:
    """A panel a run, a line a slot, a bar an attempt in its job's colour, cold ones hatched.

    A thin line below a slot is a wait in its node's queue; a black frame marks a straggler.
    """
    found = {label: attempts(log, window) for label, log in runs.items()}
    slots = {label: _slots(log, window) for label, log in runs.items()}
    with matplotlib.rc_context(style.RC):
        heights = [0.35 + INCHES_A_SLOT[look.width] * max(len(each), 6) for each in slots.values()]
        figure = style.new_figure(look.inches, 0.4 + sum(heights))
        panels = figure.subplots(len(runs), sharex=True, squeeze=False, height_ratios=heights)[:, 0]
        ends = [frame["finish"].max() for frame in found.values() if len(frame)]
        unit, seconds = style.time_unit(float(max(ends, default=0.0)))
        for axes, (label, frame) in zip(panels, found.items()):
            _attempts(axes, frame, seconds)
            _slot_axis(axes, slots[label])
            axes.set_title(printable(label), loc="left")
        axes = panels[-1]
        end = max(ends, default=1.0) if window.end is None else window.end
        axes.set_xlim((window.begin or 0.0) / seconds, end / seconds)
        ticks.linear(axes.xaxis)
        axes.set_xlabel(f"emulated time [{unit}]")
        style.legend_on_top(figure, [], note, look, entries=_entries(list(found.values())), quantity="slots, by node")
    return figure


def _slots(log: Log, window: Window) -> list[int]:
    """The node of each line, from the bottom."""
    nodes = log.nodes.set_index("node")["slots"]
    chosen = list(nodes.index) if window.nodes is None else list(window.nodes)
    return [node for node in chosen for _ in range(int(nodes[node]))]


def _attempts(axes: Axes, frame: pd.DataFrame, seconds: float) -> None:
    colours = np.array(JOBS, dtype=object)[frame["job"].to_numpy(int) % len(JOBS)]
    bars = [Rectangle((start / seconds, row - BAR / 2), (finish - start) / seconds, BAR)
            for start, finish, row in zip(frame["start"], frame["finish"], frame["row"])]
    for some, looks in ((~frame["cold"], {"edgecolor": "white", "linewidth": 0.2}),
                        (frame["cold"], COLD)):
        if some.any():
            axes.add_collection(PatchCollection(
                [bar for bar, taken in zip(bars, some) if taken], facecolor=colours[some], **looks))
    if frame["straggler"].any():
        axes.add_collection(PatchCollection(
            [bar for bar, taken in zip(bars, frame["straggler"]) if taken], **STRAGGLER))
    waited = frame[frame["queuing_delay"] > 0]
    axes.add_collection(LineCollection(
        [[(queued / seconds, row - WAIT), (start / seconds, row - WAIT)]
         for queued, start, row in zip(waited["queued"], waited["start"], waited["row"])],
        zorder=3, **QUEUED))


def _slot_axis(axes: Axes, nodes: Sequence[int]) -> None:
    axes.set_ylim(-0.6, len(nodes) - 0.4)
    edges = [index for index in range(1, len(nodes)) if nodes[index] != nodes[index - 1]]
    for edge in edges:
        axes.axhline(edge - 0.5, color="#999999", linewidth=0.4, zorder=0.5)
    middles = [(low + high - 1) / 2 for low, high in zip([0, *edges], [*edges, len(nodes)])]
    names = [nodes[int(middle)] for middle in middles]
    every = -(-len(names) // 12)
    axes.set_yticks(middles[::every], [str(name) for name in names[::every]])
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)


def _entries(found: Sequence[pd.DataFrame]) -> list[Artist]:
    """Of the legend, for what there is."""
    every = pd.concat([frame[["cold", "straggler", "queuing_delay"]] for frame in found])
    warm = " warm" if every["cold"].any() else ""
    entries: list[Artist] = [Patch(facecolor="#888888", label=f"runs{warm}, a colour a job")]
    if every["cold"].any():
        entries.append(Patch(facecolor="#888888", label="runs cold", **COLD))
    if (every["queuing_delay"] > 0).any():
        entries.append(Line2D([], [], color=QUEUED["colors"], linewidth=0.8, label="waits in queue"))
    if every["straggler"].any():
        entries.append(Patch(label="straggles", **STRAGGLER))
    return entries


def draw(policies: Policies, options: Options) -> Figure:
    runs, note = first_runs(policies)
    return gantt(runs, options.window, note, look=options.look)


def _suits(logs: Sequence[Log], options: Options) -> bool:
    """All of it can be drawn, or the user has said which part."""
    return options.window != Window() or all(fits(log) for log in logs)


FIGURES = (
    Drawable("gantt", "which job ran on which slot when: warm, cold, queued, straggling", draw, _suits,
             f"at most {MOST_SLOTS} slots and {MOST_ATTEMPTS:,} attempts, or --nodes, --from and --to "
             "that choose some"),
)
