"""How all figures look: readable on paper, told apart without colour."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

# Okabe and Ito's palette without its yellow, which is too faint for lines on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
DASHES = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)))
HATCHES = ("", "///", "...", "\\\\\\")
LEGEND_ROW = 0.22  # inches
LEGEND_MARGIN = 0.14  # inches
LETTERS_AN_INCH = 12  # of a legend
LEGEND_LINE = 9  # letters that fit where a curve's line and the gap to the next column are

RC = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#444444",
    "axes.grid": True,
    "axes.labelsize": 11,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 12,
    "figure.constrained_layout.use": True,
    "figure.dpi": 150,
    "font.size": 10.5,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.7,
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 10.5,
    "lines.linewidth": 1.9,
    "savefig.dpi": 150,
    "svg.fonttype": "none",
}


def colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def dash(place: int):
    """Changes with each place; with 7 colours and 4 dashes no pair comes twice before the 29th."""
    return DASHES[place % len(DASHES)]


def hatch(place: int) -> str:
    return HATCHES[(place // len(COLOURS)) % len(HATCHES)]


def new_figure(width: float = 6.4, height: float = 4.0) -> Figure:
    """An empty figure in inches, free of pyplot's global state. Call inside rc_context(RC)."""
    return Figure(figsize=(width, height))


def legend_columns(labels: Sequence[str], width: float) -> int:
    """How many columns of a legend, filled one after the other, fit into so many inches."""
    lengths = np.array([len(label) for label in labels])
    for columns in range(len(labels), 1, -1):
        letters = sum(each.max() + LEGEND_LINE for each in np.array_split(lengths, columns))
        if letters <= LETTERS_AN_INCH * width:
            return columns
    return 1


def legend_on_top(figure: Figure, panels: Sequence[Axes]) -> float:
    """One legend of all panels above them; the figure grows by as many rows as that takes.

    Returns how far up the panels reach, as a share of the figure's height. In a panel's box a wide
    legend would push the others away, or lie on the title.
    """
    found = {}
    for axes in panels:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            found.setdefault(label, handle)
    labels = list(found)
    width, height = figure.get_size_inches()
    columns = legend_columns(labels, width)
    grown = height + LEGEND_MARGIN + LEGEND_ROW * math.ceil(max(len(labels), 1) / columns)
    figure.set_size_inches(width, grown)
    figure.get_layout_engine().set(rect=(0, 0, 1, height / grown))
    figure.legend(found.values(), labels, loc="upper left", ncol=columns)
    return height / grown


def time_unit(span: float) -> tuple[str, float]:
    """Unit and its seconds, so that an axis that long has few digits."""
    if span >= 3 * 86400:
        return "days", 86400.0
    if span >= 3 * 3600:
        return "h", 3600.0
    if span >= 10 * 60:
        return "min", 60.0
    return "s", 1.0
