"""Ticks that all figures share: numbers of an axis, and where a logarithmic one has labels."""

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis, XAxis
from matplotlib.ticker import FuncFormatter, Locator, LogLocator, MaxNLocator, NullFormatter

Number = Callable[[float, int], str]

WIDE = 50.0  # a wider range of values than that, largest over least, needs a logarithmic axis
INCHES_A_LETTER, INCHES_A_LINE, GAP = 0.06, 0.11, 0.05  # of labels, and between them
ROUNDING = 1e-9


def plain_number(value: float, _place: int = 0) -> str:
    """Of a tick, as matplotlib calls it."""
    return f"{value:,.12g}"


def percent_number(share: float, _place: int = 0) -> str:
    return f"{100 * share:,.12g}%"


def linear(axis: Axis, most: int = 6, number: Number = plain_number) -> None:
    axis.set_major_locator(MaxNLocator(most, steps=[1, 2, 5, 10]))
    axis.set_major_formatter(FuncFormatter(number))


def logarithmic(axes: Axes, which: str = "x", number: Number = plain_number) -> None:
    (axes.set_xscale if which == "x" else axes.set_yscale)("log")
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_locator(LogTicks(number))
    axis.set_major_formatter(FuncFormatter(number))
    axis.set_minor_locator(LogLocator(10, subs=(2, 5)))
    axis.set_minor_formatter(NullFormatter())


def fitting(axes: Axes, which: str, values: Sequence[float] | np.ndarray, number: Number = plain_number,
            wide: float = WIDE) -> bool:
    """Makes the axis logarithmic where positive values reach so many times as far; tells whether it is."""
    known = np.asarray(values, float)
    known = known[known > 0]
    is_wide = bool(len(known)) and known.max() > wide * known.min()
    if is_wide:
        logarithmic(axes, which, number)
    else:
        linear(axes.xaxis if which == "x" else axes.yaxis, number=number)
    return is_wide


class LogTicks(Locator):
    """At 1, 2 and 5 of each decade, but for those whose labels have no room beside the others."""

    def __init__(self, number: Number):
        self._number = number

    def __call__(self) -> list[float]:
        return self.tick_values(*self.axis.get_view_interval())

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        low, high = sorted((vmin, vmax))
        decades = 10.0 ** np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)
        every = [[tick for tick in step * decades if low * (1 - ROUNDING) <= tick <= high * (1 + ROUNDING)]
                 for step in (1, 2, 5)]
        if sum(map(len, every)) < 2:
            every = [[tick for tick in MaxNLocator(4).tick_values(low, high) if low <= tick <= high]]
        chosen: list[float] = []
        for ticks in every:
            before = list(chosen)
            for tick in ticks:
                if all(self._apart(tick, other, high / low) for other in chosen):
                    chosen.append(tick)
            if before and 3 * (len(chosen) - len(before)) < len(ticks):
                chosen = before  # a few of them look like mistakes
        return sorted(chosen)

    def _apart(self, one: float, other: float, whole: float) -> bool:
        axes = self.axis.axes
        size = axes.get_window_extent().size / axes.figure.dpi
        share = abs(np.log(one / other)) / np.log(whole)
        if not isinstance(self.axis, XAxis):
            return bool(share * size[1] >= INCHES_A_LINE)
        letters = (len(self._number(one, 0)) + len(self._number(other, 0))) / 2
        return bool(share * size[0] >= letters * INCHES_A_LETTER + GAP)
