"""Users side by side, after the UWFQ paper's Fig. 7. Returns a matplotlib Figure."""

from collections.abc import Mapping, Sequence

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from somnus.analysis.base.text import printable
from somnus.analysis.figures import style, ticks
from somnus.analysis.figures.style import Look
from somnus.analysis.metrics.intervals import note, reach

NAMED_USERS = {"column": 16, "page": 30}  # more names than that can't be read on an axis
HEIGHT = 1.7  # inches of a panel

Deviations = Mapping[str, Sequence[pd.Series]]


def deviations(panels: Mapping[str, Deviations], quantity: str, look: Look = Look()) -> Figure:
    """How much more (or, negative, less) of a quantity each user has than in a reference run.

    `panels`: by panel title, which names the reference, by label and run, the deviation of each user (a
    share of 1, see fairness.between_users). Users are in the order of the first series; a user that a
    series does not have has no point.
    """
    order = next(iter(next(iter(panels.values())).values()))[0].sort_values().index
    with matplotlib.rc_context(style.RC):
        figure = style.new_figure(look.inches, 0.5 + HEIGHT * len(panels))
        axes = figure.subplots(len(panels), sharex=True, sharey=True, squeeze=False)[:, 0]
        for each, (title, series) in zip(axes, panels.items()):
            _panel(each, title, {label: [run.reindex(order).to_numpy(float) for run in runs]
                                 for label, runs in series.items()}, look.error)
            each.set_ylabel(quantity)
        if len(order) <= NAMED_USERS[look.width]:
            axes[-1].set_xticks(range(len(order)), [printable(name, 14) for name in order],
                                rotation=90)
        else:
            axes[-1].set_xlabel(f"{len(order):,} users")
            axes[-1].set_xticks([])
        counts = [len(runs) for series in panels.values() for runs in series.values()]
        style.legend_on_top(figure, list(axes), note(counts, look.error), look=look)
    return figure


def _panel(axes: Axes, title: str, series: Mapping[str, Sequence[np.ndarray]], error: str) -> None:
    shift = 0.6 / max(len(series), 1)
    places = style.places(series)
    for index, (label, runs) in enumerate(series.items()):
        found = reach(np.array(runs), error, floor=-1)
        at = np.arange(len(found.mean)) + (index - (len(series) - 1) / 2) * shift
        barred = np.isfinite(found.low)
        axes.vlines(at[barred], found.low[barred], found.high[barred], color=style.colour(places[label]),
                    linewidth=0.8)
        axes.plot(at, found.mean, style.marker(places[label]), color=style.colour(places[label]),
                  label=printable(label), markersize=3.4, linestyle="none", markeredgewidth=0)
    axes.axhline(0, color="#444444", linewidth=0.8, zorder=1.5)
    ticks.linear(axes.yaxis, number=ticks.percent_number)
    axes.set_xlim(-0.6, len(found.mean) - 0.4)
    axes.grid(axis="x", visible=False)
    axes.set_title(title, loc="left")
