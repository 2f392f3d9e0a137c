"""Figures of logs, as files. figure_list has what can be drawn."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from somnus_analysis import output, style
from somnus_analysis.figure_list import BY_NAME, FIGURES
from somnus_analysis.log import LogError
from somnus_analysis.log_figures import Options
from somnus_analysis.policies import Policy
from somnus_analysis.text import hint

FORMATS = ("png", "svg", "pdf")
WRITER = {"png": "Source", "svg": "Creator", "pdf": "Creator"}  # where a file says what wrote it
OWN = b"somnus_analysis"  # which is this


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
             options: Options = Options(), force: bool = False) -> list[Path]:
    """Writes each figure that suits the logs into the folder and returns the files."""
    logs = [log for policy in policies for log in policy.logs]
    those = [each for each in FIGURES if each.suits(logs, options)]
    files = [folder / f"{each.name}.{suffix}" for each in those]
    inputs = [log.path for log in (*logs, *options.against)]
    if mistakes := [why for file in files if (why := output.objection(file, inputs, force, OWN))]:
        raise LogError("\n".join(mistakes))
    return [save(draw(each.name, policies, options), file, inputs=inputs, force=force)
            for each, file in zip(those, files)]


def save(figure: Figure, path: Path, settings: Mapping = style.RC, inputs: Sequence[Path] = (),
         force: bool = False) -> Path:
    """Writes the figure, whose kind the file's name tells; the old file stays until it is whole.

    It replaces a figure that was written so before, and any other file with `force` alone.
    """
    kind = path.suffix.removeprefix(".")
    if kind not in FORMATS:
        raise LogError(f"{path}: a figure's file ends in .{', .'.join(FORMATS)}")
    output.require_allowed(path, inputs, force, OWN)
    drawn = io.BytesIO()
    with matplotlib.rc_context(settings):
        figure.savefig(drawn, format=kind, metadata={WRITER[kind]: OWN.decode()})
    return output.write(path, drawn.getvalue(), inputs, force, OWN)
