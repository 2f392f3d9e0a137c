"""What `somnus advise` measured, as one figure: its two figures against each other, with the front of those that none
of the others beats in both."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from matplotlib.transforms import Bbox

from somnus.analysis.base.errors import UserError
from somnus.analysis.base.names import meaning_of, words_of
from somnus.analysis.base.text import printable
from somnus.analysis.experiments.words import Metric
from somnus.analysis.figures import style, ticks

FILE = "advice.json"
NAME_LETTERS = 34
# Where a name may stand beside its dot, in points, the nearest place first.
PLACES = [(side * (5 + distance / 3), rise) for distance in range(0, 120, 6) for side in (1, -1)
          for rise in dict.fromkeys((-2.5 + distance, -2.5 - distance))]
HALO = withStroke(linewidth=2, foreground="white")
FAR = 6.0  # points: a name that far above or below its dot has a line to it
LINE = {"arrowstyle": "-", "linewidth": 0.4, "color": "#777777", "shrinkA": 0, "shrinkB": 0}
FRONT, OTHERS = "#222222", "#999999"  # no scheduler's colour
WIDE = 5.0  # from the least to the most; a wider range of means has a logarithmic axis


@dataclass(frozen=True)
class Measured:
    """One scheduler: means of the aim and of what is beside it, with half widths of their 95 % intervals."""

    policy: str
    aim: float
    aim_half: float
    beside: float
    beside_half: float
    on_front: bool


@dataclass(frozen=True)
class Advice:
    aim: str
    beside: str
    own: str
    best: str
    measured: list[Measured]


def read(folder: Path) -> Advice:
    """Raises UserError: there is none, or it is another file."""
    path = folder / FILE
    try:
        found = json.loads(path.read_text())
        rows = [_measured(each) for each in (*found["finalists"], *found["presets"])]
        return Advice(found["aim"], found["beside"], found["own"], found["best"], rows)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}; expected what `somnus advise -o {folder}` writes") from None
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path}: is no advice of somnus: {error!r}") from None


def _measured(row: dict[str, Any]) -> Measured:
    return Measured(row["policy"], row["aim"]["mean"], row["aim"]["half_width"], row["beside"]["mean"],
                    row["beside"]["half_width"], row["front"])


def front(advice: Advice) -> Figure:
    names = words_of(each.policy for each in advice.measured)
    labels = {each.policy: names[each.policy] + (" (yours)" if each.policy == advice.own else "")
              for each in advice.measured}
    look = style.Look(lines=[meaning_of(policy, word) for policy, word in names.items()])
    with matplotlib.rc_context(style.RC):
        figure, axes = style.one_panel(style.WIDTHS["page"], 3.4)
        of_front = sorted((each for each in advice.measured if each.on_front), key=lambda each: each.aim)
        others = [each for each in advice.measured if not each.on_front]
        for rows, colour, marker, label in ((others, OTHERS, "o", "others"),
                                            (of_front, FRONT, "s", "on the front: none is better in both")):
            axes.errorbar([each.aim for each in rows], [each.beside for each in rows],
                          xerr=[each.aim_half for each in rows], yerr=[each.beside_half for each in rows],
                          color=colour, marker=marker, linestyle="none", elinewidth=0.6, label=label)
        axes.plot([each.aim for each in of_front], [each.beside for each in of_front],
                  color=FRONT, linewidth=0.9)
        _axis(axes, "x", advice.aim, [each.aim for each in advice.measured])
        _axis(axes, "y", advice.beside, [each.beside for each in advice.measured])
        style.legend_on_top(figure, [axes], "means with their 95 % intervals", look)
        figure.draw_without_rendering()
        _name(axes, [(labels[each.policy], each.aim, each.beside) for each in (*of_front, *others)])
    return figure


def _axis(axes: Axes, which: str, name: str, values: Sequence[float]) -> None:
    metric = Metric(name, "s" if name.endswith("_s") else "x" if "slowdown" in name else "")
    label = metric.label(metric.unit.replace("x", ""))
    axes.set(xlabel=label) if which == "x" else axes.set(ylabel=label.replace(" (", "\n("))
    ticks.fitting(axes, which, values if min(values) > 0 else (), wide=WIDE)


def _name(axes: Axes, dots: Sequence[tuple[str, float, float]]) -> None:
    """Each name beside its dot where it lies on no other name and no dot, else farther away with a line."""
    renderer, point = FigureCanvasAgg(axes.figure).get_renderer(), axes.figure.dpi / 72
    at = axes.transData.transform([dot[1:] for dot in dots])
    taken = [Bbox.from_bounds(x, y, 0, 0).padded(4 * point) for x, y in at]
    for (name, x, y), (left, low) in zip(dots, at):
        text = axes.annotate(printable(name, NAME_LETTERS), (x, y), xytext=(0, 0), textcoords="offset points", fontsize=7,
                             path_effects=[HALO])
        text.set_in_layout(False)
        size = text.get_window_extent(renderer).size

        def box(place: tuple[float, float]) -> Bbox:
            begin = left + place[0] * point - (size[0] if place[0] < 0 else 0)
            return Bbox.from_bounds(begin, low + place[1] * point, *size)

        free = (place for place in PLACES if all(axes.bbox.contains(*corner) for corner in box(place).corners())
                and not box(place).count_overlaps(taken))
        place = next(free, PLACES[0])
        taken.append(box(place))
        text.xyann = place
        text.set_horizontalalignment("right" if place[0] < 0 else "left")
        if abs(place[1]) > FAR:
            axes.annotate("", (x, y), xytext=place, textcoords="offset points", arrowprops=LINE)
