"""Means side by side: a group of bars a category, in it a bar a line. Returns a Figure."""

from collections.abc import Mapping, Sequence

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from somnus.analysis.base.text import printable
from somnus.analysis.figures import style, ticks
from somnus.analysis.figures.style import Look
from somnus.analysis.metrics.intervals import Reach, note, reach

HEIGHT = 1.9  # inches
BARS = {"elinewidth": 0.8, "capthick": 0.8, "ecolor": "#111111"}


def bars(values: Mapping[str, Sequence[pd.Series]], quantity: str, look: Look = Look(),
         floor: float = 0.0, number: ticks.Number = ticks.plain_number) -> Figure:
    """`values`: by label a series a run, by category, which all have in the same order.

    floor: the least that a value can be, where no error bar ends below. A category that no series has is
    left out.
    """
    known = pd.concat([run.notna() for runs in values.values() for run in runs] or [pd.Series(dtype=bool)], axis=1)
    categories = list(known.index[known.any(axis=1)])
    with matplotlib.rc_context(style.RC):
        figure, axes = style.one_panel(look.inches, HEIGHT)
        found = {label: reach(np.array([run[categories].to_numpy(float) for run in runs]), look.error, floor)
                 for label, runs in values.items()}
        groups(axes, categories, found)
        _value_axis(axes, list(found.values()), floor, number)
        axes.set_ylabel(quantity)
        style.legend_on_top(figure, [axes], look=look,
                            note=note([len(runs) for runs in values.values()], look.error))
    return figure


def groups(axes: Axes, categories: Sequence[str], series: Mapping[str, Reach]) -> dict[str, np.ndarray]:
    """Draws them, and tells by label where its bars stand."""
    places, breadth = style.places(series), 0.8 / max(len(series), 1)
    centres = {}
    for index, (label, found) in enumerate(series.items()):
        centres[label] = at = np.arange(len(categories)) + (index - (len(series) - 1) / 2) * breadth
        known, barred = np.isfinite(found.mean), np.isfinite(found.low)
        axes.bar(at[known], found.mean[known], breadth * 0.92, label=printable(label), **style.bar(places[label]))
        if barred.any():
            reached = [(found.mean - found.low)[barred], (found.high - found.mean)[barred]]
            axes.errorbar(at[barred], found.mean[barred], yerr=reached, fmt="none", **BARS)
    axes.set_xticks(range(len(categories)), categories)
    axes.set_xlim(-0.5, max(len(categories), 1) - 0.5)
    axes.tick_params(axis="x", length=0)
    axes.grid(axis="x", visible=False)
    return centres


def _value_axis(axes: Axes, found: Sequence[Reach], floor: float, number: ticks.Number) -> None:
    means = np.concatenate([each.mean for each in found] or [np.array([])])
    if ticks.fitting(axes, "y", means, number):
        axes.set_ylim(bottom=floor if floor > 0 else means[means > 0].min() / 3)
    else:
        axes.set_ylim(bottom=0)
