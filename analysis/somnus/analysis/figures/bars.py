"""Means side by side: a group of bars a category, in it a bar a line. Returns a Figure."""

from collections.abc import Mapping, Sequence

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter, PercentFormatter

from somnus.analysis.base.text import printable
from somnus.analysis.figures import style
from somnus.analysis.figures.style import Look
from somnus.analysis.metrics.intervals import Reach, note, reach

HEIGHT = 1.9  # inches
BARS = {"elinewidth": 0.8, "capthick": 0.8, "ecolor": "#111111"}


def bars(values: Mapping[str, Sequence[pd.Series]], quantity: str, look: Look = Look(),
         floor: float = 0.0, percent: bool = False) -> Figure:
    """`values`: by label a series a run, by category, which all have in the same order.

    floor: the least that a value can be, where no error bar ends below.
    """
    categories = list(next(iter(values.values()))[0].index) if values else []
    with matplotlib.rc_context(style.RC):
        figure, axes = style.one_panel(look.inches, HEIGHT)
        found = {label: reach(np.array([run.to_numpy(float) for run in runs]), look.error, floor)
                 for label, runs in values.items()}
        for index, (label, each) in enumerate(found.items()):
            _line(axes, printable(label), each, index, len(found))
        _value_axis(axes, list(found.values()), floor, percent)
        axes.set_xticks(range(len(categories)), categories)
        axes.tick_params(axis="x", length=0)
        axes.grid(axis="x", visible=False)
        axes.set_ylabel(quantity)
        style.legend_on_top(figure, [axes], title=look.title,
                            note=note([len(runs) for runs in values.values()], look.error))
    return figure


def _line(axes: Axes, label: str, found: Reach, index: int, lines: int) -> None:
    breadth = 0.8 / lines
    known = np.isfinite(found.mean)
    centres = np.arange(len(found.mean))[known] + (index - (lines - 1) / 2) * breadth
    axes.bar(centres, found.mean[known], breadth * 0.92, label=label, **style.bar(index))
    barred = np.isfinite(found.low[known])
    if barred.any():
        mean = found.mean[known][barred]
        reached = [mean - found.low[known][barred], found.high[known][barred] - mean]
        axes.errorbar(centres[barred], mean, yerr=reached, fmt="none", **BARS)


def _value_axis(axes: Axes, found: Sequence[Reach], floor: float, percent: bool) -> None:
    means = np.concatenate([each.mean for each in found] or [np.array([])])
    means = means[np.isfinite(means) & (means > 0)]
    if len(means) and means.max() > style.DECADES * means.min():
        axes.set_yscale("log")
        axes.set_ylim(bottom=floor if floor > 0 else means.min() / 3)
        axes.yaxis.set_minor_formatter(NullFormatter())
    else:
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    form = PercentFormatter(1) if percent else FuncFormatter(style.plain_number)
    axes.yaxis.set_major_formatter(form)
