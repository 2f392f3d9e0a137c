"""Jobs' performance-allocation curves, a panel a job. Returns a Figure; `curves` finds the data."""

import math
from collections.abc import Sequence

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from somnus.analysis.base.text import percent, printable
from somnus.analysis.figures import style
from somnus.analysis.metrics.curves import Profile

COLUMNS = 3
TITLE_LETTERS = 20
# The wide pale one shows on both sides of the fitted one where they are equal.
CONCAVE = {"color": style.COLOURS[4], "linewidth": 3, "alpha": 0.6, "solid_capstyle": "butt"}
FITTED = {"color": style.COLOURS[1], "linewidth": 1.1, "linestyle": style.DASHES[1]}
SIMULATED = {"color": "#222222", "linestyle": "none", "marker": "o", "markersize": 3, "zorder": 3}


def of_jobs(profiles: Sequence[Profile], count: int | None = None) -> Figure:
    """`count`: of how many jobs these are, if of more."""
    with matplotlib.rc_context(style.RC):
        columns = min(len(profiles), COLUMNS)
        rows = math.ceil(len(profiles) / columns)
        figure = style.new_figure(style.WIDTHS["page"], 0.6 + 1.7 * rows)
        grid = figure.subplots(rows, columns, sharey=True, squeeze=False)
        for axes in grid.flat[len(profiles):]:
            axes.set_visible(False)
        for axes, profile in zip(grid.flat, profiles):
            _job(axes, profile)
        top = max(axes.dataLim.y1 for axes in grid.flat[:len(profiles)])
        grid.flat[0].set_ylim(0, 1.05 * max(top, 1))
        shown = ""
        if count is not None and count > len(profiles):
            shown = f"   ({len(profiles)} of {count:,} jobs, evenly from the best fit to the worst)"
        figure.supxlabel(f"slots{shown}", fontsize=style.RC["axes.labelsize"])
        style.legend_on_top(figure, list(grid.flat[:len(profiles)]), quantity="progress rate")
    return figure


def _job(axes: Axes, profile: Profile) -> None:
    concave = profile.concave()
    axes.plot(np.arange(len(concave)), concave, label="the scheduler's estimate", **CONCAVE)
    fitted = profile.fitted()
    axes.plot(np.arange(1, len(fitted) + 1), fitted, label="fitted", **FITTED)
    axes.plot(profile.slots, profile.simulated, label="simulated", **SIMULATED)
    axes.set_xlim(0, 1.03 * len(fitted))
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.set_title(f"job {printable(profile.job, TITLE_LETTERS)}, error {percent(profile.error)}",
                   loc="left")
