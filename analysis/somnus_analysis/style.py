"""How all figures look: readable on paper, told apart without colour."""

from __future__ import annotations

from matplotlib.figure import Figure

# Okabe and Ito's palette without its yellow, which is too faint for lines on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
DASHES = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)))
HATCHES = ("", "///", "...", "\\\\\\")

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


def time_unit(span: float) -> tuple[str, float]:
    """Unit and its seconds, so that an axis that long has few digits."""
    if span >= 3 * 86400:
        return "days", 86400.0
    if span >= 3 * 3600:
        return "h", 3600.0
    if span >= 10 * 60:
        return "min", 60.0
    return "s", 1.0
