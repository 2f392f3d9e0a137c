"""What the answers of an experiment mark in a figure of differences: crossings, ties and the margin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from somnus.analysis.experiments.answers import Answer, Crossing, Point
from somnus.analysis.experiments.layout import Combination, Layout, Panel
from somnus.analysis.experiments.table import UNREAD, Axis, Experiment, Step
from somnus.analysis.experiments.words import Metric

BAND: dict[str, Any] = {"alpha": 0.16, "linewidth": 0, "zorder": 0.6}
MARGIN_LINE: dict[str, Any] = {"color": "#444444", "linewidth": 0.7, "linestyle": (0, (4, 2)), "zorder": 1.4}
TIE: dict[str, Any] = {"marker": "o", "markersize": 9, "fillstyle": "none", "linestyle": "none",
                       "color": "#444444", "markeredgewidth": 0.7}


@dataclass
class Marks:
    answer: Answer
    with_crossings: bool  # they are along the figure's axis
    _drawn: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, experiment: Experiment, metric: Metric, layout: Layout) -> Marks | None:
        """None where the folder has no answers."""
        answer = experiment.answers.get(metric.name)
        return None if answer is None else cls(answer, layout.x.numeric and answer.axis in layout.x.keys[:1])

    def draw(self, axes: Axes, panel: Panel, layout: Layout, colours: Mapping[Combination, str]) -> None:
        for crossing in self.answer.crossings if self.with_crossings else ():
            for combination, _ in panel.lines:
                if self._is_of(crossing, combination, panel, layout):
                    self._draw_crossing(axes, crossing, colours[combination])
        if self.answer.margin > 0:
            line = axes.axhline if layout.x.numeric else axes.axvline
            for share in (-self.answer.margin, self.answer.margin):
                line(100 * share, **MARGIN_LINE)
            self._drawn.add("margin")
        if layout.x.numeric or len(panel.lines) == 1:  # else lines of categories are beside their places
            for _, rows in panel.lines:
                self._draw_ties(axes, rows.to_dict("records"), layout.places(rows), layout.x.numeric)

    def entries(self) -> Sequence[Artist]:
        """Of the legend, for what was drawn."""
        margin = f"{100 * self.answer.margin:g} %"
        known = {
            "crossing": Patch(facecolor="#777777", label="crossing, 95 %", **{**BAND, "alpha": 0.35}),
            "margin": Line2D([], [], label=f"margin, {margin}", **{**MARGIN_LINE, "zorder": 2}),
            "tie": Line2D([], [], label=f"tie within {margin}", **TIE),
        }
        return [artist for name, artist in known.items() if name in self._drawn]

    def _is_of(self, crossing: Crossing, combination: Combination, panel: Panel, layout: Layout) -> bool:
        steps = list(zip(layout.lines, combination))
        if layout.panel is not None:
            steps += [(layout.panel, step) for step in layout.panel.steps if layout.panel.label(step) == panel.title]
        return all(_has(crossing.point, axis, step) for axis, step in steps)

    def _draw_crossing(self, axes: Axes, crossing: Crossing, colour: str) -> None:
        axes.axvspan(crossing.low, crossing.high, color=colour, **BAND)
        for x in crossing.at:
            axes.plot([x], [100 * crossing.share], marker="x", color=colour, markersize=5, zorder=3)
        self._drawn.add("crossing")

    def _draw_ties(self, axes: Axes, rows: list[dict], places: Sequence[float], numeric: bool) -> None:
        ties = {frozenset(tie.items()) for tie in self.answer.ties}
        keys = set(self.answer.ties[0]) if ties else set()
        for row, place in zip(rows, places):
            if frozenset((key, row.get(key)) for key in keys) in ties:
                x, y = (place, row["value"]) if numeric else (row["value"], place)
                axes.plot([x], [y], **TIE)
                self._drawn.add("tie")


def _has(point: Point, axis: Axis, step: Step) -> bool:
    return all(point.get(key, UNREAD) in (value, UNREAD) for key, value in zip(axis.keys, step))
