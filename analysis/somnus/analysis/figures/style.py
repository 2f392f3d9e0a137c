"""How all figures look: readable on paper, told apart without colour."""

import math
import re
import textwrap
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from somnus.analysis.base.names import word_of

# Okabe and Ito's palette without its yellow, which is too faint for lines on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
DASHES = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
HATCHES = ("", "/////", ".....", "\\\\\\\\\\", "xxxxx", "-----", "|||||", "+++++")
WIDTHS = {"column": 3.3, "page": 7.0}  # inches, of a paper's column and of its page
LETTERS_AN_INCH = 16.8  # of a legend
NOTE_LETTERS_AN_INCH, WIDE_LETTERS_AN_INCH = 17.5, 15.0  # of a line above or below it; bold ones and symbols are wide
LETTERS_AN_EM = 1.6
USUAL_HANDLE = 2.0  # em, matplotlib's
LEGEND_LINE = 9  # letters that fit where a curve's line and the gap to the next column are
LEGEND_ROW = 0.16  # inches
LEGEND_MARGIN = 0.1  # inches
NOTE_LEFT = 0.085  # inches
MOST_BANDS = 3  # in a panel; more of them hide each other
MARKS = 7  # of a curve
BINS_AN_INCH = 20  # of time; more of them are noise

# A scheduler has the colour of its column, in every figure: those that are compared have different ones.
SCHEDULERS = """
fair    cfq             srpt    fifo          ujf            uwfq    dagps
drf     carbyne         tetris  tetris-fair   sjf            paf     drf-strict
yarn    yaq-c           yaq-d   sparrow       mercury        yarn+q  external
fcfs    slurm-backfill  easy    conservative  slurm-builtin
fair-p  cfq-p           -       -             ujf-p          uwfq-p
"""

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
    "legend.handlelength": 1.8,
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
    lines: Sequence[str] = ()  # below the legend: what its words stand for

    @property
    def bins(self) -> int:
        """Of an axis as long as that."""
        return round(BINS_AN_INCH * self.inches)

    @property
    def inches(self) -> float:
        return WIDTHS[self.width]


def places(labels: Iterable[str]) -> dict[str, int]:
    """By label the place among COLOURS, MARKERS and HATCHES, whatever the order of the labels.

    The built-in schedulers have theirs, others one by their name. Where two of a figure would have the same,
    the one that comes later in SCHEDULERS, or by name, takes the last one that is free,
    and from the eighth label on colours come again.
    """
    columns = {name: (row, column) for row, line in enumerate(SCHEDULERS.strip().splitlines())
               for column, name in enumerate(line.split())}
    wishes = {}
    for label in labels:
        name = re.split(r"[ ,]", word_of(label.lower()), maxsplit=1)[0]
        wishes[label] = columns.get(name, (len(columns), zlib.crc32(name.encode()) % len(COLOURS)))
    found: dict[str, int] = {}
    for label in sorted(wishes, key=lambda each: (wishes[each], each)):
        those = [wishes[label][1], *reversed(range(len(COLOURS))), len(found)]
        found[label] = next(place for place in those if place not in found.values())
    return {label: found[label] for label in wishes}


def band(look: Look, lines: int) -> str:
    """The error that bands of so many lines show."""
    return look.error if lines <= MOST_BANDS else "none"


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
    """The looks of a line of steps at so many points: some of them are marked, not those of other lines."""
    apart = max(points // MARKS, 1)
    return {"color": colour(index), "linestyle": "-", "marker": marker(index),
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


def legend_on_top(figure: Figure, panels: Sequence[Axes], note: str = "", look: Look = Look(),
                  settings: Mapping = RC, entries: Sequence[Artist] = (), quantity: str = "") -> None:
    """One legend of all panels above them, below title and note; the figure grows by what that takes.

    `settings`: those that the figure is drawn with. `entries`: what else the legend has, by label.
    `quantity`: the label of all panels' value axes. In a panel's box a wide legend would push the others
    away, or lie on the title.
    """
    found: dict[str, Artist] = {}
    for axes in panels:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            found.setdefault(label, handle)
    found |= {str(each.get_label()): each for each in entries}
    labels = list(found)
    width, height = figure.get_size_inches()
    columns = legend_columns(labels, width, settings)
    heads = [(line, weight) for text, weight, letters in ((look.title, "bold", WIDE_LETTERS_AN_INCH),
                                                          (note, "normal", NOTE_LETTERS_AN_INCH))
             for line in textwrap.wrap(text, int(letters * width))]
    feet = [(line, "normal")
            for line in textwrap.wrap("; ".join(filter(None, look.lines)), int(WIDE_LETTERS_AN_INCH * width), break_on_hyphens=False)]
    rows = math.ceil(len(labels) / columns)
    count = len(heads) + rows + len(feet)
    grown = height + (LEGEND_MARGIN if count else 0) + LEGEND_ROW * count
    figure.set_size_inches(width, grown)
    engine = figure.get_layout_engine()
    assert engine is not None  # RC asks for one
    engine.set(rect=(0, 0, 1, height / grown))
    places = [*range(len(heads)), *range(len(heads) + rows, count)]
    for index, (text, weight) in zip(places, [*heads, *feet]):
        lower = 0.25 if index < len(heads) else 0.55  # than a legend, which has a margin of its own
        figure.text(NOTE_LEFT / width, 1 - (index + lower) * LEGEND_ROW / grown, text, va="top", weight=weight,
                    fontsize=settings["legend.fontsize"])
    if labels:
        figure.legend(found.values(), labels, loc="upper left", ncol=columns,
                      bbox_to_anchor=(0, 1 - LEGEND_ROW * len(heads) / grown))
    if quantity:
        figure.supylabel(quantity, y=height / grown / 2, fontsize=settings["axes.labelsize"])


def time_unit(span: float) -> tuple[str, float]:
    """Unit and its seconds, so that an axis that long has few digits."""
    if span >= 3 * 86400:
        return "days", 86400.0
    if span >= 3 * 3600:
        return "h", 3600.0
    if span >= 10 * 60:
        return "min", 60.0
    return "s", 1.0
