"""What the commands of several papers share."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from somnus_analysis.reproduce.program import ProgramError


def positive(kind: type) -> Callable[[str], Any]:
    """For argparse: a number above 0 of this kind."""

    def parse(text: str) -> Any:
        value = kind(text)
        if not value > 0:
            raise argparse.ArgumentTypeError(f"{text} is not positive")
        return value

    return parse


def add_common(parser: argparse.ArgumentParser, description: str, name: str,
               configs: Path) -> None:
    """The paper's program, output and configs; `name` is that of the command."""
    parser.description = description
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--somnus", type=Path, metavar="PATH",
                        help="the program (default: $SOMNUS, the release build, $PATH)")
    parser.add_argument("--out", type=Path, default=Path("out/reproduce") / name, metavar="DIR",
                        help="where logs, figures and measured.json go (default: %(default)s)")
    parser.add_argument("--report", type=Path, metavar="FILE",
                        help="also one page for a browser: which claims hold, which do not and why, "
                             "figures with the paper's values, all seeds, tolerances")
    parser.add_argument("--force", action="store_true",
                        help="replace the page of --report if it is there already")
    parser.add_argument("--configs", type=Path, default=configs, metavar="DIR",
                        help="where the configs are (default: those of the source tree, or "
                             "installed with the program)")


def add_only(parser: argparse.ArgumentParser, names: Iterable[str]) -> None:
    """Which experiments, by name."""
    names = tuple(names)
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="NAME",
                        help=f"some of {', '.join(names)} (default: all)")


def add_real(parser: argparse.ArgumentParser, speed: float,
             what: str = "emulate in real time instead of simulating") -> None:
    """Whether over MPI, and how fast; `what` it does then."""
    parser.add_argument("--real", action="store_true", help=what)
    parser.add_argument("--speed", type=positive(float), default=speed, metavar="X",
                        help="of --real, emulated seconds per real second (default: %(default)g)")


def configs_in(folder: Path, names: Iterable[str]) -> Path:
    """The folder, which must have them all."""
    missing = [name for name in names if not (folder / name).exists()]
    if missing:
        raise ProgramError(
            f"{folder}: no {', '.join(missing)} there; name the folder with --configs"
        )
    return folder.resolve()
