import argparse
from pathlib import Path

from somnus.analysis.experiments import figures, table
from somnus.analysis.experiments.layout import arrange
from somnus.analysis.figures import files
from somnus.analysis.commands import Command, add_folder, print_files
from somnus.analysis.commands.figure import add_width


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="which it wrote")
    parser.add_argument("--metric", nargs="+", metavar="NAME",
                        help=f"these, by their names in summary.csv; else {', '.join(table.USUAL)}")
    parser.add_argument("--x", metavar="KEY", help="the axis along x; else the numeric one with the "
                                                   "most values")
    parser.add_argument("--only", nargs="+", action="append", default=[], metavar=("KEY", "VALUE"),
                        help="of that axis only these values; may be given again")
    add_width(parser)
    add_folder(parser)


def draw(options: argparse.Namespace) -> int:
    found = table.read(options.folder)
    for key, *values in options.only:
        found = found.only(key, values)
    metrics = found.chosen(options.metric)
    layout = arrange(found, options.x)
    return print_files(options, (
        files.save(drawing, options.output / f"{name}.{options.format}",
                   inputs=[options.folder / "summary.csv"], force=options.force)
        for metric in metrics
        for name, drawing in figures.draw(found, layout, metric, options.width).items()))


COMMAND = Command("experiment", "draw what `somnus experiment` found, with 95 %% intervals and differences "
                          "to the baseline", add_options, draw)
