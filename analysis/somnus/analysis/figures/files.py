"""Figures of logs, as files; FIGURES has all that can be drawn."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from somnus.analysis.base import output
from somnus.analysis.base.errors import UserError
from somnus.analysis.base.modules import modules_of
from somnus.analysis.base.text import hint
from somnus.analysis.figures import of_logs, style
from somnus.analysis.figures.drawable import Drawable, Options, logs_of
from somnus.analysis.metrics.policies import Policy

FORMATS = ("png", "svg", "pdf")
WRITER = {"png": "Source", "svg": "Creator", "pdf": "Creator"}  # where a file says what wrote it
OWN = b"somnus.analysis"  # which is this
FIGURES: tuple[Drawable, ...] = tuple(sorted(
    (row for module in modules_of(of_logs) for row in module.FIGURES), key=lambda row: row.name))


def draw(name: str, policies: Sequence[Policy], options: Options = Options()) -> Figure:
    """One of FIGURES. Raises UserError where there is none so called or it does not suit."""
    by_name = {each.name: each for each in FIGURES}
    if name not in by_name:
        raise UserError(f"no figure is called '{name}'{hint(name, list(by_name))}")
    chosen = by_name[name]
    if not chosen.suits(logs_of(policies), options):
        raise UserError(f"figure {name} needs {chosen.needs}")
    with matplotlib.rc_context(style.RC):
        return chosen.draw(policies, replace(options, look=replace(options.look, lines=[each.meaning for each in policies])))


def draw_all(policies: Sequence[Policy], folder: Path, suffix: str = "png",
             options: Options = Options(), force: bool = False) -> list[Path]:
    """Writes each figure that suits the logs into the folder and returns the files."""
    logs = logs_of(policies)
    those = [each for each in FIGURES if each.suits(logs, options)]
    files = [folder / f"{each.name}.{suffix}" for each in those]
    inputs = [log.path for log in (*logs, *options.against)]
    if mistakes := [why for file in files if (why := output.objection(file, inputs, force, OWN))]:
        raise UserError("\n".join(mistakes))
    return [save(draw(each.name, policies, options), file, inputs=inputs, force=force)
            for each, file in zip(those, files)]


def save(figure: Figure, path: Path, settings: Mapping = style.RC, inputs: Sequence[Path] = (),
         force: bool = False) -> Path:
    """Writes the figure, whose kind the file's name tells; the old file stays until it is whole.

    It replaces a figure that was written so before, and any other file with `force` alone.
    """
    kind = path.suffix.removeprefix(".")
    if kind not in FORMATS:
        raise UserError(f"{path}: a figure's file ends in .{', .'.join(FORMATS)}")
    output.require_allowed(path, inputs, force, OWN)
    drawn = io.BytesIO()
    with matplotlib.rc_context(settings):
        figure.savefig(drawn, format=kind, metadata={WRITER[kind]: OWN.decode()})
    return output.write(path, drawn.getvalue(), inputs, force, OWN)
