"""What `somnus advise` measured, as one figure: its two figures against each other, with the front of those that none
of the others beats in both."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from somnus.analysis.base.errors import UserError
from somnus.analysis.base.text import printable
from somnus.analysis.figures import style

FILE = "advice.json"
NAME_LETTERS = 34
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
    with matplotlib.rc_context(style.RC):
        figure = style.new_figure(style.WIDTHS["page"], 3.4)
        axes = figure.subplots()
        of_front = sorted((each for each in advice.measured if each.on_front), key=lambda each: each.aim)
        others = [each for each in advice.measured if not each.on_front]
        for rows, colour, marker, label in ((others, style.COLOURS[4], style.MARKERS[0], "others"),
                                            (of_front, style.COLOURS[1], style.MARKERS[1], "on the front")):
            axes.errorbar([each.aim for each in rows], [each.beside for each in rows],
                          xerr=[each.aim_half for each in rows], yerr=[each.beside_half for each in rows],
                          color=colour, marker=marker, linestyle="none", elinewidth=0.6, label=label)
        axes.plot([each.aim for each in of_front], [each.beside for each in of_front],
                  color=style.COLOURS[1], linestyle=style.DASHES[1], linewidth=0.9)
        if _is_wide([each.aim for each in advice.measured]):
            axes.set_xscale("log")
        if _is_wide([each.beside for each in advice.measured]):
            axes.set_yscale("log")
        for each in advice.measured:
            if each.on_front or each.policy == advice.own:
                name = printable(each.policy, NAME_LETTERS) + (" (yours)" if each.policy == advice.own else "")
                axes.annotate(name, (each.aim, each.beside), xytext=(4, 4), textcoords="offset points", fontsize=7)
        axes.set_xlabel(f"{advice.aim}, mean with its 95 % interval")
        axes.set_ylabel(advice.beside)
        style.legend_on_top(figure, [axes])
    return figure


def _is_wide(values: list[float]) -> bool:
    return min(values) > 0 and max(values) > WIDE * min(values)
