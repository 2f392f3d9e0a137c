"""The commands of `somnus analysis`: a file each, which ends with its row, COMMAND."""

import argparse
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from somnus.analysis.figures import files


@dataclass(frozen=True)
class Command:
    """What the command is called, what it does, its options, and the function of its exit code."""

    name: str
    sentence: str
    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def add_output(parser: argparse.ArgumentParser) -> None:
    """-q and --json, of each command that prints what it found."""
    parser.add_argument("-q", "--quiet", action="store_true", help="print only what is wrong")
    parser.add_argument("--json", action="store_true", help="results as JSON on stdout, also with -q")


def print_files(options: argparse.Namespace, written: Iterable[Path]) -> int:
    """Of a command that writes files: each one as it is there. Exit code 0."""
    files_written = []
    for path in written:
        files_written.append(str(path))
        if not (options.json or options.quiet):
            print(path)
    if options.json:
        print(json.dumps({"files": files_written}, indent=2))
    return 0


def add_folder(parser: argparse.ArgumentParser) -> None:
    """Where figures go, and as which kind of file."""
    add_output(parser)
    parser.add_argument("-o", "--output", type=Path, default=Path("."), metavar="DIR")
    parser.add_argument("--format", choices=files.FORMATS, default="png")
    add_force(parser)


def add_force(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--force", action="store_true",
                        help="replace what is there already, also if it is no figure of this program")
