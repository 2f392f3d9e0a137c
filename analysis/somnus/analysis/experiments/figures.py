"""An experiment's metrics with their confidence intervals, and differences to its baseline.

Over a numeric axis curves, else points, a line a category. Each function returns a Figure.
"""

import textwrap
from collections.abc import Sequence

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from matplotlib.transforms import ScaledTranslation

from somnus.analysis.base.text import printable
from somnus.analysis.experiments.layout import Combination, Layout, Panel
from somnus.analysis.experiments.marks import Marks
from somnus.analysis.experiments.quantities import Quantity, differences, means
from somnus.analysis.experiments.table import Experiment
from somnus.analysis.experiments.words import Metric, axis_words
from somnus.analysis.figures import style, ticks

STEPS_DECADES = 20  # a wider range of steps along x needs a logarithmic axis
ALONE = {"color": "#222222"}  # of the only line, which is no scheduler's
APART = 1.8  # points between lines, so that their intervals do not lie on each other
CATEGORIES_APART = 0.22  # of the gap between categories, at most
FILLS = ("full", "none", "left", "bottom")
HEIGHTS = {"column": 2.1, "page": 2.5}  # inches of a panel with all that is around it
PANEL_COLUMNS = {"column": 1, "page": 3}
CATEGORY_LETTERS = {"column": 24, "page": 48}
MARGIN = 0.06  # of an axis's range, to either side
SAME = 1e-6  # percent
LABEL_LETTERS = 28
LEGEND_LETTERS = {"column": 48, "page": 110}
TICK_LETTERS_AN_INCH = 13
BARS = {"elinewidth": 0.8, "capthick": 0.8}
ZERO = {"color": "#444444", "linewidth": 0.9, "zorder": 1.5}


def draw(experiment: Experiment, layout: Layout, metric: Metric,
         width: str = "column") -> dict[str, Figure]:
    """By file name. `width`: one of style.WIDTHS."""
    drawn, look = {}, style.Look(width, lines=experiment.meanings)
    if quantity := means(experiment, metric):
        drawn[metric.name] = of(quantity, layout, look)
    quantity = differences(experiment, metric) if experiment.baseline else None
    if quantity:
        marks = Marks.of(experiment, metric, layout)
        drawn[f"{metric.name}-difference"] = of(quantity, layout, look, marks)
    return drawn


def of(quantity: Quantity, layout: Layout, look: style.Look, marks: Marks | None = None) -> Figure:
    """`marks`: of the answers, in a figure of differences."""
    width = look.width
    settings = style.RC | {"legend.handlelength": 3.2 if layout.x.numeric else 1.4}  # room for dashes
    layout = layout.shown(quantity.rows)
    with matplotlib.rc_context(settings):
        panels = layout.panels(quantity.rows)
        columns = min(PANEL_COLUMNS[width], len(panels))
        rows = -(-len(panels) // columns)
        figure = style.new_figure(style.WIDTHS[width], rows * _height(layout, width))
        grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        for axes in grid.flat[len(panels):]:
            axes.set_visible(False)
        shown = list(grid.flat[:len(panels)])
        looks = _looks(layout, LEGEND_LETTERS[width])
        for axes, panel in zip(shown, panels):
            axes.set_title(printable(panel.title, 40), loc="left")
            (_curves if layout.x.numeric else _categories)(axes, panel, layout, looks)
            if marks is not None:
                marks.draw(axes, panel, layout, {each: look["color"] for each, look in looks.items()})
        _value_axis(shown[0], quantity, "y" if layout.x.numeric else "x")
        if layout.x.numeric:
            _numeric_axis(shown, layout, style.WIDTHS[width] / columns)
        else:
            _category_axis(shown[0], layout, CATEGORY_LETTERS[width] // columns)
        _zero_lines(shown, quantity, layout)
        _labels(grid, len(panels), quantity, layout)
        style.legend_on_top(figure, shown, quantity.note, look, settings, () if marks is None else marks.entries())
    return figure


def _curves(axes: Axes, panel: Panel, layout: Layout, looks: dict) -> None:
    for index, (combination, rows) in enumerate(panel.lines):
        beside = ScaledTranslation(APART * (index - (len(panel.lines) - 1) / 2) / 72, 0,
                                   axes.figure.dpi_scale_trans)
        axes.errorbar(layout.places(rows), rows["value"], yerr=_errors(rows),
                      transform=axes.transData + beside, **BARS, **looks[combination])


def _categories(axes: Axes, panel: Panel, layout: Layout, looks: dict) -> None:
    for index, (combination, rows) in enumerate(panel.lines):
        apart = min(CATEGORIES_APART, 0.72 / len(panel.lines))
        shift = apart * (index - (len(panel.lines) - 1) / 2)
        look = looks[combination] | {"linestyle": "none"}
        axes.errorbar(rows["value"], np.array(layout.places(rows)) + shift, xerr=_errors(rows),
                      **BARS, **look)


def _errors(rows: pd.DataFrame) -> np.ndarray | None:
    if rows["low"].isna().all():
        return None
    return np.array([rows["value"] - rows["low"], rows["high"] - rows["value"]])


def _names(layout: Layout, letters: int) -> Sequence[str | None]:
    """In the legend, of each combination; whole if two would be the same when they are cut."""
    if not layout.lines:
        return [None]
    whole = [layout.label(each) for each in layout.combinations]
    cut = [printable(name, letters) for name in whole]
    return cut if len(set(cut)) == len(cut) else whole


def _looks(layout: Layout, letters: int) -> dict[Combination, dict]:
    looks = _styles(layout)
    return {each: looks[each] | {"label": name}
            for each, name in zip(layout.combinations, _names(layout, letters))}


def _styles(layout: Layout) -> dict[Combination, dict]:
    """Of several axes the first has the colours and markers, the others the dashes and fillings.

    Where these are too few, each combination has its own of all but the fillings.
    """
    if not layout.lines:
        return {(): _look(0, 0) | ALONE}
    names = {each[0]: layout.lines[0].label(each[0]) for each in layout.combinations}
    rest = list(dict.fromkeys(each[1:] for each in layout.combinations))
    if len(rest) == 1 or len(rest) <= len(FILLS) and len(names) <= len(style.COLOURS):
        places = {name: index for index, name in enumerate(names.values())}
        if "policy" in layout.lines[0].keys:
            places = style.places(names.values())
        looks = [(places[names[each[0]]], rest.index(each[1:])) for each in layout.combinations]
        return {each: _look(place, place if len(rest) == 1 else other, FILLS[other])
                for each, (place, other) in zip(layout.combinations, looks)}
    return {each: _look(index, index) for index, each in enumerate(layout.combinations)}


def _look(series: int, dash: int, fill: str = "full") -> dict:
    edge = "white" if fill == "full" else style.colour(series)
    return {"color": style.colour(series), "marker": style.marker(series), "fillstyle": fill,
            "linestyle": style.dash(dash), "markerfacecoloralt": "white", "markeredgecolor": edge,
            "markeredgewidth": 0.3 if fill == "full" else 0.8}


def _x_steps(layout: Layout) -> list[float]:
    return sorted({float(step[0]) for step in layout.x.steps})


def _is_logarithmic(layout: Layout) -> bool:
    steps = _x_steps(layout)
    return len(steps) > 2 and steps[0] > 0 and steps[-1] >= STEPS_DECADES * steps[0]


def _height(layout: Layout, width: str) -> float:
    if layout.x.numeric:
        return HEIGHTS[width]
    lines = max(1, min(len(layout.combinations), 8))
    return 0.7 + len(layout.x.steps) * max(0.2, 0.08 + 0.1 * lines)


def _numeric_axis(shown: Sequence[Axes], layout: Layout, inches: float) -> None:
    axes = shown[0]
    steps = _x_steps(layout)
    if _is_logarithmic(layout):
        axes.set_xscale("log")
        axes.xaxis.set_minor_locator(NullLocator())
        margin = (steps[-1] / steps[0]) ** MARGIN
        axes.set_xlim(steps[0] / margin, steps[-1] * margin)
    else:
        margin = (steps[-1] - steps[0]) * MARGIN
        axes.set_xlim(steps[0] - margin, steps[-1] + margin)
    letters = sum(len(_number(step)) + 2 for step in steps)
    every = int(np.ceil(letters / (TICK_LETTERS_AN_INCH * max(inches - 0.6, 0.6))))
    axes.xaxis.set_major_locator(FixedLocator(steps[::every]))
    axes.xaxis.set_major_formatter(FuncFormatter(_number))


def _category_axis(axes: Axes, layout: Layout, letters: int) -> None:
    names = [printable(layout.x.label(step), max(letters, 14)) for step in layout.x.steps]
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)


def _value_axis(axes: Axes, quantity: Quantity, which: str) -> None:
    values = quantity.rows["value"]
    can_be_wide = not quantity.is_difference and values.min() > 0
    if ticks.fitting(axes, which, values if can_be_wide else (), _number):
        limits = max(_least(quantity), values.min() / 3) / 1.3, 1.3 * _most(quantity)
    else:
        limits = _difference_limits(quantity) if quantity.is_difference else _limits(quantity)
    (axes.set_ylim if which == "y" else axes.set_xlim)(*limits)


def _limits(quantity: Quantity) -> tuple[float, float]:
    """From the least possible value on, unless all are far from it."""
    low, high, floor = _least(quantity), _most(quantity), quantity.floor
    if high - low <= 1e-9 * max(abs(high), abs(low)):
        room = abs(high) / 10 or 1
        return max(low - room, min(floor, low) - 0.04 * room), high + room
    if low - floor > 0.5 * (high - floor) or floor == -np.inf:
        return low - MARGIN * (high - low), high + MARGIN * (high - low)
    room = high - min(floor, low)
    below = 0.04 * room if low - floor < 0.04 * room else 0  # for the lower half of a marker
    return min(floor, low) - below, high + 0.05 * room


def _difference_limits(quantity: Quantity) -> tuple[float, float]:
    """With 0 among them; differences of rounding alone stay as small as they are."""
    low, high = min(_least(quantity), 0), max(_most(quantity), 0)
    room = MARGIN * (high - low) if high - low > SAME else 1
    return low - room, high + room


def _least(quantity: Quantity) -> float:
    return float(np.fmin(quantity.rows["low"], quantity.rows["value"]).min())


def _most(quantity: Quantity) -> float:
    return float(np.fmax(quantity.rows["high"], quantity.rows["value"]).max())


def _zero_lines(shown: Sequence[Axes], quantity: Quantity, layout: Layout) -> None:
    if not quantity.is_difference:
        return
    for axes in shown:
        (axes.axhline if layout.x.numeric else axes.axvline)(0, **ZERO)


def _labels(grid: np.ndarray, count: int, quantity: Quantity, layout: Layout) -> None:
    """Units are at the outer edge, also above a place of the grid that stays empty."""
    of_value = _wrapped(quantity.label)
    of_x = axis_words(layout.x.key) if layout.x.numeric else of_value
    columns = grid.shape[1]
    for index, axes in enumerate(grid.flat[:count]):
        if index + columns >= count:
            axes.set_xlabel(of_x)
            axes.tick_params(labelbottom=True)
        if index % columns == 0 and layout.x.numeric:
            axes.set_ylabel(of_value)
        if not layout.x.numeric:
            axes.grid(axis="y", visible=False)


def _wrapped(label: str) -> str:
    """Lines that fit beside a panel, broken at a bracket or comma if there is one."""
    lines = []
    for line in label.split("\n"):
        if len(line) > LABEL_LETTERS:
            line = line.replace(" (", "\n(").replace(", ", ",\n")
        lines += [part for each in line.split("\n") for part in textwrap.wrap(each, LABEL_LETTERS)]
    return "\n".join(lines)


def _number(value: float, _place: int = 0) -> str:
    return f"{value:,.6g}".replace("-", "−")
