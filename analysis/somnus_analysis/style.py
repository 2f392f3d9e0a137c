"""How all figures look: readable on paper, told apart without colour."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

# Okabe and Ito's palette without its yellow, which is too faint for lines on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
DASHES = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
HATCHES = ("", "///", "...", "\\\\\\")
# All of it in letters of RC's size; smaller ones take less.
LEGEND_ROW = 0.22  # inches
LEGEND_MARGIN = 0.14  # inches
NOTE_LEFT = 0.12  # inches
LETTERS_AN_INCH = 12  # of a legend
LETTERS_AN_EM = 1.6
USUAL_HANDLE = 2.0  # em, matplotlib's
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
    "pdf.fonttype": 42,  # TrueType, which publishers ask for
    "ps.fonttype": 42,
    "savefig.dpi": 150,
    "svg.fonttype": "none",
}

# For figures in a paper, which are drawn as wide as they are printed.
WIDTHS = {"column": 3.3, "page": 7.0}  # inches
PAPER = RC | {
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.titlesize": 8,
    "errorbar.capsize": 1.8,
    "figure.dpi": 300,
    "font.size": 8,
    "grid.linewidth": 0.5,
    "legend.fontsize": 7.5,
    "legend.columnspacing": 1.6,
    "legend.handlelength": 3.2,
    "lines.linewidth": 1.1,
    "lines.markersize": 4.4,
    "savefig.dpi": 300,
    "xtick.labelsize": 7.5,
    "xtick.major.width": 0.6,
    "ytick.labelsize": 7.5,
    "ytick.major.width": 0.6,
}


def colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def dash(place: int):
    """Changes with each place; with 7 colours and 4 dashes no pair comes twice before the 29th."""
    return DASHES[place % len(DASHES)]


def marker(place: int) -> str:
    return MARKERS[place % len(MARKERS)]


def hatch(place: int) -> str:
    return HATCHES[(place // len(COLOURS)) % len(HATCHES)]


def new_figure(width: float = 6.4, height: float = 4.0) -> Figure:
    """An empty figure in inches, free of pyplot's global state. Call inside rc_context(RC)."""
    return Figure(figsize=(width, height))


def legend_columns(labels: Sequence[str], width: float, settings: Mapping = RC) -> int:
    """How many columns of a legend, filled one after the other, fit into so many inches."""
    lengths = np.array([len(label) for label in labels])
    handle = settings.get("legend.handlelength", USUAL_HANDLE)
    line = LEGEND_LINE + LETTERS_AN_EM * (handle - USUAL_HANDLE)
    for columns in range(len(labels), 1, -1):
        letters = sum(each.max() + line for each in np.array_split(lengths, columns))
        if letters <= LETTERS_AN_INCH * width / _legend_scale(settings):
            return columns
    return 1


def legend_on_top(figure: Figure, panels: Sequence[Axes], note: str = "",
                  settings: Mapping = RC) -> float:
    """One legend of all panels above them, below a note; the figure grows by what that takes.

    `settings`: those that the figure is drawn with. Returns how far up the panels reach, as a share
    of the figure's height. In a panel's box a wide legend would push the others away, or lie on the
    title.
    """
    found = {}
    for axes in panels:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            found.setdefault(label, handle)
    labels = list(found)
    width, height = figure.get_size_inches()
    columns = legend_columns(labels, width, settings)
    scale = _legend_scale(settings)
    row = LEGEND_ROW * scale
    rows = math.ceil(max(len(labels), 0 if note else 1) / columns)
    margin = LEGEND_MARGIN * scale if rows else 0
    grown = height + margin + row * (rows + bool(note))
    figure.set_size_inches(width, grown)
    figure.get_layout_engine().set(rect=(0, 0, 1, height / grown))
    if note:
        figure.text(NOTE_LEFT * scale / width, 1 - row / 4 / grown, note, va="top",
                    fontsize=settings["legend.fontsize"])
    if labels:
        figure.legend(found.values(), labels, loc="upper left", ncol=columns,
                      bbox_to_anchor=(0, 1 - row * bool(note) / grown))
    return height / grown


def _legend_scale(settings: Mapping) -> float:
    return settings["legend.fontsize"] / RC["legend.fontsize"]


def time_unit(span: float) -> tuple[str, float]:
    """Unit and its seconds, so that an axis that long has few digits."""
    if span >= 3 * 86400:
        return "days", 86400.0
    if span >= 3 * 3600:
        return "h", 3600.0
    if span >= 10 * 60:
        return "min", 60.0
    return "s", 1.0
