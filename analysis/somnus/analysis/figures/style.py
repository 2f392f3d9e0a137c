"""How all figures look: readable on paper, told apart without colour."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

# Okabe and Ito's palette without its yellow, which is too faint for lines on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
DASHES = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
HATCHES = ("", "/////", ".....", "\\\\\\\\\\", "xxxxx", "-----", "|||||", "+++++")
WIDTHS = {"column": 3.3, "page": 7.0}  # inches, of a paper's column and of its page
LETTERS_AN_INCH = 16.8  # of a legend
LETTERS_AN_EM = 1.6
USUAL_HANDLE = 2.0  # em, matplotlib's
LEGEND_LINE = 9  # letters that fit where a curve's line and the gap to the next column are
LEGEND_ROW = 0.16  # inches
LEGEND_MARGIN = 0.1  # inches
NOTE_LEFT = 0.085  # inches
MARKS = 7  # of a curve
DECADES = 50  # a wider range of values than that needs a logarithmic axis

# Figures are drawn as wide as they are printed, in letters of 8 points.
RC = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#444444",
    "axes.grid": True,
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 8,
    "errorbar.capsize": 1.8,
    "figure.constrained_layout.use": True,
    "figure.dpi": 200,
    "font.size": 8,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.5,
    "hatch.linewidth": 0.5,
    "legend.columnspacing": 1.6,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "legend.handlelength": 3.2,
    "lines.linewidth": 1.1,
    "lines.markersize": 4.4,
    "pdf.fonttype": 42,  # TrueType, which publishers ask for
    "ps.fonttype": 42,
    "savefig.dpi": 200,
    "svg.fonttype": "none",
    "xtick.labelsize": 7.5,
    "xtick.major.width": 0.6,
    "ytick.labelsize": 7.5,
    "ytick.major.width": 0.6,
}


@dataclass(frozen=True)
class Look:
    """What a user says of how a figure is to look."""

    width: str = "page"  # of WIDTHS
    error: str = "seeds"  # of policies.ERRORS
    title: str = ""

    @property
    def inches(self) -> float:
        return WIDTHS[self.width]


def colour(index: int) -> str:
    return COLOURS[index % len(COLOURS)]


def dash(index: int) -> str | tuple[float, tuple[float, ...]]:
    """Changes with each index; with 7 colours and 4 dashes no pair comes twice before the 29th."""
    return DASHES[index % len(DASHES)]


def marker(index: int) -> str:
    return MARKERS[index % len(MARKERS)]


def hatch(index: int) -> str:
    """Changes with each index, so that bars are distinguished without their colours."""
    return HATCHES[index % len(HATCHES)]


def bar(index: int) -> dict:
    """The looks of a line's bars."""
    return {"color": colour(index), "hatch": hatch(index), "edgecolor": "white", "linewidth": 0}


def curve(index: int, points: int) -> dict:
    """The looks of a line of so many points: some of them are marked, not those of other lines."""
    apart = max(points // MARKS, 1)
    return {"color": colour(index), "linestyle": dash(index), "marker": marker(index),
            "markevery": (index * apart // 3 % apart, apart), "markersize": 3.2,
            "markeredgewidth": 0}


def new_figure(width: float = 6.4, height: float = 4.0) -> Figure:
    """An empty figure in inches, free of pyplot's global state. Call inside rc_context(RC)."""
    return Figure(figsize=(width, height))


def one_panel(width: float = 6.4, height: float = 4.0) -> tuple[Figure, Axes]:
    """The same, with its only panel."""
    figure = new_figure(width, height)
    return figure, figure.add_subplot()


def legend_columns(labels: Sequence[str], width: float, settings: Mapping = RC) -> int:
    """How many columns of a legend, filled one after the other, fit into so many inches."""
    lengths = np.array([len(label) for label in labels])
    line = LEGEND_LINE + LETTERS_AN_EM * (settings["legend.handlelength"] - USUAL_HANDLE)
    for columns in range(len(labels), 1, -1):
        letters = sum(each.max() + line for each in np.array_split(lengths, columns))
        if letters <= LETTERS_AN_INCH * width:
            return columns
    return 1


def legend_on_top(figure: Figure, panels: Sequence[Axes], note: str = "",
                  settings: Mapping = RC, entries: Sequence[Artist] = (), title: str = "") -> float:
    """One legend of all panels above them, below title and note; the figure grows by what that takes.

    `settings`: those that the figure is drawn with. `entries`: what else the legend has, by label.
    Returns how far up the panels reach, as a share of the figure's height. In a panel's box a wide
    legend would push the others away, or lie on the title.
    """
    found: dict[str, Artist] = {}
    for axes in panels:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            found.setdefault(label, handle)
    found |= {str(each.get_label()): each for each in entries}
    labels = list(found)
    width, height = figure.get_size_inches()
    columns = legend_columns(labels, width, settings)
    heads = [(text, weight) for text, weight in ((title, "bold"), (note, "normal")) if text]
    rows = math.ceil(len(labels) / columns)
    grown = height + (LEGEND_MARGIN if rows or heads else 0) + LEGEND_ROW * (rows + len(heads))
    figure.set_size_inches(width, grown)
    engine = figure.get_layout_engine()
    assert engine is not None  # RC asks for one
    engine.set(rect=(0, 0, 1, height / grown))
    for index, (text, weight) in enumerate(heads):
        figure.text(NOTE_LEFT / width, 1 - (index + 0.25) * LEGEND_ROW / grown, text, va="top",
                    weight=weight, fontsize=settings["legend.fontsize"])
    if labels:
        figure.legend(found.values(), labels, loc="upper left", ncol=columns,
                      bbox_to_anchor=(0, 1 - LEGEND_ROW * len(heads) / grown))
    return float(height / grown)


def plain_number(value: float, _place: int) -> str:
    """Of a tick, as matplotlib calls it."""
    return f"{value:,.12g}"


def time_unit(span: float) -> tuple[str, float]:
    """Unit and its seconds, so that an axis that long has few digits."""
    if span >= 3 * 86400:
        return "days", 86400.0
    if span >= 3 * 3600:
        return "h", 3600.0
    if span >= 10 * 60:
        return "min", 60.0
    return "s", 1.0
