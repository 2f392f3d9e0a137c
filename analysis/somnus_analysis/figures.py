"""Figures of logs, as files. figure_list has what can be drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from somnus_analysis import style
from somnus_analysis.figure_list import BY_NAME, FIGURES
from somnus_analysis.log import LogError
from somnus_analysis.log_figures import Options
from somnus_analysis.policies import Policy
from somnus_analysis.text import hint

FORMATS = ("png", "svg", "pdf")


def draw(name: str, policies: Sequence[Policy], options: Options = Options()) -> Figure:
    """One of figure_list.FIGURES. Raises LogError where there is none so called or it does not suit."""
    if name not in BY_NAME:
        raise LogError(f"no figure is called '{name}'{hint(name, list(BY_NAME))}")
    chosen = BY_NAME[name]
    if not chosen.suits([log for policy in policies for log in policy.logs], options):
        raise LogError(f"figure {name} needs {chosen.needs}")
    with matplotlib.rc_context(style.RC):
        return chosen.draw(policies, options)


def draw_all(policies: Sequence[Policy], folder: Path, suffix: str = "png",
             options: Options = Options()) -> list[Path]:
    """Writes each figure that suits the logs into the folder and returns the files."""
    logs = [log for policy in policies for log in policy.logs]
    return [save(draw(each.name, policies, options), folder / f"{each.name}.{suffix}")
            for each in FIGURES if each.suits(logs, options)]


def save(figure: Figure, path: Path, settings: Mapping = style.RC) -> Path:
    """Writes the figure, whose kind the file's name tells; the old file stays until it is whole."""
    if path.suffix.removeprefix(".") not in FORMATS:
        raise LogError(f"{path}: a figure's file ends in .{', .'.join(FORMATS)}")
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new{path.suffix}")
    try:
        with matplotlib.rc_context(settings):
            figure.savefig(fresh)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    return path
