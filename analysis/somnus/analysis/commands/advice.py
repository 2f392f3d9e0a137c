import argparse
from pathlib import Path

from somnus.analysis.commands import Command, add_folder, print_files
from somnus.analysis.experiments import advice
from somnus.analysis.figures import files


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="what `somnus advise -o` wrote")
    add_folder(parser)


def draw(options: argparse.Namespace) -> int:
    found = advice.read(options.folder)
    file = files.save(advice.front(found), options.output / f"front.{options.format}",
                      inputs=[options.folder / advice.FILE], force=options.force)
    return print_files(options, [file])


COMMAND = Command("advice", "draw what `somnus advise` measured: the front of two figures", add_options, draw)
