"""Cumulative distributions, a curve a line. Each function returns a matplotlib Figure.

Values are by label a series a run; of several runs a curve is the mean of their distributions, with a
band for its error (policies.ERRORS).
"""

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

Values = Mapping[str, Sequence[pd.Series]]

MOST_POINTS = 1500  # of a curve; more can't be seen, and make a file large
LINE = {"color": "#444444", "linewidth": 0.8, "zorder": 1.5}
HEIGHT = 1.9  # inches
LEFT_OUT = 0.001  # of all values at either end, where those of a few would squeeze all others


def cdf(panels: Mapping[str, Values], quantity: str, of: str = "jobs",
        look: Look = Look()) -> Figure:
    """A panel a group, beside each other on a page, one below the other in a column."""
    with matplotlib.rc_context(style.RC):
        across = len(panels) if look.width == "page" else 1
        down = -(-len(panels) // across)
        figure = style.new_figure(look.inches, HEIGHT * down)
        grid = figure.subplots(down, across, sharey=True, squeeze=False)
        error = style.band(look, max(map(len, panels.values()), default=0))
        for axes, (title, values) in zip(grid.flat, panels.items()):
            _curves(axes, values, error)
            axes.set_title(title, loc="left")
            axes.set_xlabel(quantity)
        for axes in grid[:, 0]:
            axes.set_ylim(0, 1.02)
            ticks.linear(axes.yaxis, number=ticks.percent_number)
            axes.set_ylabel(f"share of {of}")
        counts = [len(runs) for values in panels.values() for runs in values.values()]
        style.legend_on_top(figure, list(grid.flat), note(counts, error), look=look)
    return figure


def factors(values: Values, quantity: str, look: Look = Look()) -> Figure:
    """Of factors, with a line at 1, left of which a job has lost (Carbyne paper, Fig. 7)."""
    figure = cdf({"": values}, quantity, look=look)
    with matplotlib.rc_context(style.RC):
        (axes,) = figure.axes
        axes.axvline(1, **LINE)
        axes.autoscale(axis="x")
        known = _pooled(values)
        if len(known) and known[known > 0].size and known.max() > 4 * known[known > 0].min():
            ticks.logarithmic(axes, "x", _factor)
        else:
            ticks.linear(axes.xaxis, number=_factor)
    return figure


def _curves(axes: Axes, values: Values, error: str) -> None:
    everything = _pooled(values)
    places = style.places(values)
    for label, runs in values.items():
        known = [np.sort(each.dropna().to_numpy(float)) for each in runs]
        where, share = _distribution(known)
        if len(runs) > 1:
            found = reach(share, error, 0, 1)
            if np.isfinite(found.low).any():
                axes.fill_between(where, found.low, found.high, step="post", alpha=0.2, linewidth=0,
                                  color=style.colour(places[label]))
            share = found.mean[np.newaxis]
        axes.step(np.append(where[:1], where), np.append(np.zeros(len(where[:1])), share[0]),
                  where="post", label=printable(label), **style.curve(places[label], len(where)))
    positive = everything[everything > 0]
    if len(positive):
        positive = positive.clip(np.quantile(positive, LEFT_OUT))
    if not ticks.fitting(axes, "x", positive) and len(everything) and everything.min() >= 0:
        axes.set_xlim(left=0)


def _factor(value: float, _: int) -> str:
    return f"{value:g}×"


def _distribution(runs: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Places in ascending order, and of each run the share of its values up to there."""
    pooled = np.sort(np.concatenate(runs)) if runs else np.array([])
    if len(pooled) > MOST_POINTS:
        ranks = np.linspace(0, len(pooled) - 1, MOST_POINTS).round().astype(int)
        pooled = pooled[ranks]
    shares = [np.searchsorted(each, pooled, "right") / len(each) if len(each)
              else np.full(len(pooled), np.nan) for each in runs]
    return pooled, np.array(shares).reshape(len(runs), len(pooled))


def _pooled(values: Values) -> np.ndarray:
    every = [each.dropna().to_numpy(float) for runs in values.values() for each in runs]
    return np.concatenate([*every, np.array([])])
