"""The paper's values in figures: dashes in drawings of their own, and all numbers against the paper's."""

import textwrap
from collections.abc import Iterable, Sequence

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from somnus.analysis.figures import style
from somnus.analysis.metrics.intervals import mean_interval
from somnus.analysis.papers.common.expect import Relation, Target
from somnus.analysis.papers.common.verdicts import Verdict

FARTHEST = 150.0  # %; what is beyond is drawn at the edge, as an arrow
LABEL = 56  # letters
ROW = 0.21  # inches
ALLOWED = "#cfe3f1"


def mark(axes: Axes, where: Iterable[float], values: Iterable[float | None],
         label: str = "the paper's", size: float = 12) -> None:
    """A dash for each value that the paper has."""
    for x, value in zip(where, values):
        if value is not None:
            # Not plot(): a legend has lines before error bars.
            axes.errorbar([x], [value], fmt="k_", markersize=size, markeredgewidth=1.6, label=label)


def comparable(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Those of which a share of the paper's value can be drawn."""
    return [each for each in verdicts
            if each.expectation.target and each.expectation.target.value and not np.isnan(each.mean)]


def differences(verdicts: Sequence[Verdict]) -> Figure:
    """A row a number: how far it is from the paper's, in percent of it. Of `comparable` ones."""
    with matplotlib.rc_context(style.RC):
        figure, axes = style.one_panel(width=7.2, height=0.5 + ROW * len(verdicts))
        for index, verdict in enumerate(verdicts):
            _row(axes, len(verdicts) - 1 - index, verdict)
        axes.axvline(0, color="black", linewidth=1.4, label="the paper's value")
        axes.plot([], [], "s", color=ALLOWED, markersize=7, label="counts as the paper's")
        axes.plot([], [], "o", color=style.colour(1), markersize=4, label="mean over seeds, 95 % interval")
        axes.plot([], [], "|", color="#333333", markersize=6, label="a seed")
        if any(abs(mean_interval(_shares(each)).mean) > FARTHEST for each in verdicts):
            axes.plot([], [], ">", color=style.colour(1), markersize=6, label="mean, farther out")
        reach = max((abs(each) for verdict in verdicts for each in _shares(verdict)), default=0)
        axes.set_xlim(-min(reach, FARTHEST) * 1.06 - 2, min(reach, FARTHEST) * 1.06 + 2)
        axes.set_ylim(-0.6, len(verdicts) - 0.4)
        axes.set_yticks(range(len(verdicts)), [
            textwrap.shorten(each.expectation.quantity, LABEL, placeholder=" …")
            for each in reversed(verdicts)])
        axes.grid(axis="y", visible=False)
        axes.set_xlabel("measured, difference from the paper's value [%]")
        style.legend_on_top(figure, [axes])
    return figure


def _row(axes: Axes, height: int, verdict: Verdict) -> None:
    target = verdict.expectation.target
    assert target is not None  # it is comparable
    low, high = _allowed(target)
    axes.barh(height, high - low, left=low, height=0.74, color=ALLOWED, linewidth=0)
    shares = _shares(verdict)
    inside = [each for each in shares if abs(each) <= FARTHEST]
    axes.plot(inside, [height] * len(inside), "|", color="#333333", markersize=6)
    found = mean_interval(shares)
    if abs(found.mean) > FARTHEST:
        side = np.sign(found.mean)
        axes.plot(side * FARTHEST, height, ">" if side > 0 else "<", color=style.colour(1), markersize=6)
        return
    half = 0.0 if np.isnan(found.half) else found.half
    axes.errorbar(found.mean, height, xerr=half, fmt="o", color=style.colour(1), markersize=4,
                  elinewidth=1)


def _shares(verdict: Verdict) -> list[float]:
    """Of each seed, difference in percent of the paper's value."""
    target = verdict.expectation.target
    assert target is not None
    return [100 * (value - target.value) / abs(target.value) for value in verdict.values
            if not np.isnan(value)]


def _allowed(target: Target) -> tuple[float, float]:
    """From, to, in percent of the value; far beyond the axis where nothing bounds it."""
    far = 10 * FARTHEST
    if target.relation is Relation.NEAR:
        assert target.metric is not None
        half = 100 * target.metric.room(target.value) / abs(target.value)
        return -half, half
    return (0, far) if target.relation in (Relation.MORE, Relation.AT_LEAST) else (-far, 0)
