"""A sweep drawn: each claim or number against the axis, with the paper's value."""

import math
import textwrap

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullLocator

from somnus.analysis.figures import style, ticks
from somnus.analysis.papers.common.expect import Relation
from somnus.analysis.papers.common.sweep import Swept
from somnus.analysis.papers.common.verdicts import HOLDS, Finding

ACROSS = 3  # panels
TALL, HEAD = 1.55, 0.5  # inches
LETTERS = 34  # of a title's line
ALLOWED = "#cfe3f1"
APART = 0.13  # of the axis, two ticks
SPREAD = 4.0  # values that are farther apart than that, largest over least, need a logarithmic axis


def panels(swept: Swept) -> Figure:
    """A panel a claim or number that hangs on the axis; of one that comes out everywhere only if all do."""
    found = swept.found
    every = list(zip(*found.values()))
    rows = [cells for cells in every if any(each.word != HOLDS for each in cells)] or every
    label = "measured" if swept.repeats else "mean over seeds, 95 % interval"
    height = math.ceil(len(rows) / ACROSS)
    with matplotlib.rc_context(style.RC):
        figure = style.new_figure(width=7.2, height=HEAD + TALL * height)
        axes = figure.subplots(height, ACROSS, squeeze=False)
        used = axes.flat[: len(rows)]
        for panel, cells in zip(used, rows):
            _draw(panel, list(found), cells, swept.axis.ours, label)
        for panel in axes.flat[len(rows):]:
            panel.set_axis_off()
        for column in range(min(ACROSS, len(rows))):
            lowest = used[column::ACROSS][-1]
            lowest.set_xlabel(swept.axis.title)
        style.legend_on_top(figure, list(used))
    return figure


def _draw(axes: Axes, values: list[float], cells: tuple[Finding, ...], ours: float,
          label: str) -> None:
    """All cells of one claim; by the reading that is best at the value."""
    wanted = cells[0].best.expectation
    target = wanted.target
    assert target is not None
    measured = [(value, each) for value, each in zip(values, cells) if math.isfinite(each.best.mean)]
    means = np.array([each.best.mean for _, each in measured])
    halves = np.nan_to_num([each.best.interval.half for _, each in measured])
    axes.errorbar([value for value, _ in measured], means, halves, fmt="-", color=style.colour(0), linewidth=0.8, elinewidth=0.8,
                  label=label)
    for holds, filled, meaning in ((True, style.colour(0), "comes out"),
                                   (False, "white", "does not, or is not decided")):
        some = [(value, each.best.mean) for value, each in measured if (each.word == HOLDS) == holds]
        axes.plot([value for value, _ in some], [mean for _, mean in some], "o", markersize=3.6, color=style.colour(0),
                  markerfacecolor=filled, label=meaning)
    axes.axhline(target.value, color="black", linewidth=1.1, label="the paper's value")
    axes.axvline(ours, color="#777777", linewidth=0.8, linestyle=style.DASHES[2], label="in the tables")
    low, high = axes.get_ylim()
    bottom, top = {
        Relation.NEAR: (target.edges[0], target.edges[-1]),
        Relation.MORE: (target.value, high), Relation.AT_LEAST: (target.value, high),
        Relation.LESS: (low, target.value), Relation.AT_MOST: (low, target.value),
    }[target.relation]
    axes.axhspan(bottom, top, color=ALLOWED, linewidth=0, zorder=0, label="counts as the paper's")
    is_log = min(values) > 0 and max(values) / min(values) > SPREAD
    if is_log:
        axes.set_xscale("log")
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(ticks.plain_number))
    axes.set_xticks(_ticks(values, ours, is_log))
    axes.set_title("\n".join(textwrap.wrap(wanted.quantity, LETTERS)), loc="left")


def _ticks(values: list[float], ours: float, is_log: bool) -> list[float]:
    """Ours, and of the others those whose numbers have room."""
    places = np.log(values) if is_log else np.array(values)
    at = dict(zip(values, (places - places.min()) / max(np.ptp(places), 1e-9)))
    chosen: list[float] = []
    for value in (ours, values[0], values[-1], *values):
        if value in at and all(abs(at[value] - at[other]) >= APART for other in chosen):
            chosen.append(value)
    return sorted(chosen)
