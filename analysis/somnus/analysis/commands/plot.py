import argparse

from somnus.analysis.figures import files
from somnus.analysis.commands import Command, add_folder, print_files
from somnus.analysis.commands.figure import add_figure_options, drawing_options, policies_of


def add_options(parser: argparse.ArgumentParser) -> None:
    add_figure_options(parser)
    add_folder(parser)


def plot(options: argparse.Namespace) -> int:
    return print_files(options, files.draw_all(policies_of(options), options.output, options.format,
                                             drawing_options(options), options.force))


COMMAND = Command("plot", "draw every figure that suits the logs", add_options, plot)
