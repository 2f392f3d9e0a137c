"""The commands of `python3 -m somnus_analysis`: a file each, which ends with its row, COMMAND."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from somnus_analysis.figures import files


@dataclass(frozen=True)
class Command:
    """What the command is called, what it does, its options, and the function of its exit code."""

    name: str
    sentence: str
    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def add_folder(parser: argparse.ArgumentParser) -> None:
    """Where figures go, and as which kind of file."""
    parser.add_argument("-o", "--output", type=Path, default=Path("."), metavar="DIR")
    parser.add_argument("--format", choices=files.FORMATS, default="png")
    add_force(parser)


def add_force(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--force", action="store_true",
                        help="replace what is there already, also if it is no figure of this program")
