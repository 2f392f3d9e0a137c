"""Quantities over time: curves in one panel, or a panel a line. Each returns a matplotlib Figure.

A series is by the start of each of equal bins, in emulated seconds, as in queues; of several runs all
have the same bins, and a curve is their mean with a band for its error (policies.ERRORS).
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

HEIGHT = 1.9  # inches, of a figure of one panel
PANEL_HEIGHTS = {"column": 1.0, "page": 1.25}
NAME_LETTERS = 20


def curves(series: Mapping[str, Sequence[pd.Series]], quantity: str, ceiling: float = np.inf,
           look: Look = Look()) -> Figure:
    """One quantity over time, a curve a label; `ceiling`: the most that it can be."""
    with matplotlib.rc_context(style.RC):
        figure, axes = style.one_panel(look.inches, HEIGHT)
        unit, seconds = _time_unit([each for runs in series.values() for each in runs])
        places, error = style.places(series), style.band(look, len(series))
        for label, runs in series.items():
            _steps(axes, runs, seconds, printable(label), places[label], error, ceiling)
        axes.set_ylim(0, 1.02 * ceiling if 0 < ceiling < np.inf else None)
        ticks.linear(axes.yaxis)
        ticks.linear(axes.xaxis)
        axes.set_xlabel(f"emulated time [{unit}]")
        axes.set_ylabel(quantity)
        style.legend_on_top(figure, [axes], look=look,
                            note=note([len(each) for each in series.values()], error))
    return figure


def panels(runs: Mapping[str, Sequence[pd.DataFrame]], quantity: str,
           targets: Mapping[str, float] | None = None, all_there_is: bool = False,
           legend: bool = True, remark: str = "", look: Look = Look()) -> Figure:
    """Shares of 1 over time: a panel a label, a curve a column, which looks alike in all panels.

    `targets`: by column, the share that it was promised, a line across all panels. `all_there_is`: a
    line at 1, which shares can pass where more was given than there is. A frame a run. `remark`: a note
    of the caller's.
    """
    names = list(dict.fromkeys(name for frames in runs.values() for frame in frames
                               for name in frame.columns))
    places = {name: index for index, name in enumerate(names)} if legend else style.places(names)
    with matplotlib.rc_context(style.RC):
        count = max(len(runs), 1)
        figure = style.new_figure(look.inches, 0.5 + PANEL_HEIGHTS[look.width] * count)
        axes = figure.subplots(count, sharex=True, squeeze=False)[:, 0]
        unit, seconds = _time_unit([frame for frames in runs.values() for frame in frames])
        error = style.band(look, max(map(_columns, runs.values()), default=0))
        for each, (label, frames) in zip(axes, runs.items()):
            here = dict.fromkeys(name for frame in frames for name in frame.columns)
            for name in here:
                own = [frame[name] for frame in frames if name in frame]
                _steps(each, own, seconds, printable(name, NAME_LETTERS), places[name], error, 1.0)
                if targets and name in targets:
                    each.axhline(targets[name], color=style.colour(places[name]), linewidth=0.7, alpha=0.6)
            if all_there_is:
                each.axhline(1, color="#444444", linewidth=0.8, zorder=1.5)
            each.set_title(printable(label), loc="left")
            each.set_ylim(0, 1.06 if all_there_is else 1.02)
            ticks.linear(each.yaxis, 3, ticks.percent_number)
        style.legend_on_top(figure, list(axes) if legend else [], look=look, quantity=quantity,
                            note=remark or note([len(each) for each in runs.values()], error))
        ticks.linear(axes[-1].xaxis)
        axes[-1].set_xlabel(f"emulated time [{unit}]")
    return figure


def _columns(frames: Sequence[pd.DataFrame]) -> int:
    return len({name for frame in frames for name in frame.columns})


def _steps(axes: Axes, runs: Sequence[pd.Series], seconds: float, label: str, index: int,
           error: str, ceiling: float) -> None:
    if not runs:
        return
    times, values = runs[0].index.to_numpy(float) / seconds, runs[0].to_numpy(float)
    if len(runs) > 1:
        aligned = pd.concat(list(runs), axis=1).sort_index()
        found = reach(aligned.to_numpy(float).T, error, 0, ceiling)
        times, values = aligned.index.to_numpy(float) / seconds, found.mean
        if np.isfinite(found.low).any():
            axes.fill_between(times, found.low, found.high, step="post", alpha=0.2, linewidth=0,
                              color=style.colour(index))
    if len(times) > 1:  # the last bin lasts, too
        times, values = np.append(times, 2 * times[-1] - times[-2]), np.append(values, values[-1])
    axes.step(times, values, where="post", label=label, **style.curve(index, len(times)))


def _time_unit(series: Sequence[pd.Series | pd.DataFrame]) -> tuple[str, float]:
    ends = [each.index[-1] for each in series if len(each)]
    return style.time_unit(float(np.max(ends, initial=0)))
