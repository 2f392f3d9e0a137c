"""`python3 -m somnus_analysis report`, which `somnus report` hands over to."""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

from somnus_analysis import output
from somnus_analysis.log import IncompleteLogWarning, Log, LogError, load
from somnus_analysis.report.document import write_report
from somnus_analysis.report.state import refuse_empty


def add_to(commands: argparse._SubParsersAction) -> None:
    command = commands.add_parser("report", help="one page on runs, for a browser without a network")
    command.add_argument("logs", nargs="+", type=Path, metavar="LOG")
    command.add_argument("-o", "--output", type=Path, default=Path("report.html"), metavar="FILE",
                         help="default: report.html")
    command.add_argument("--force", action="store_true", help="replace what is there already")
    command.add_argument("-q", "--quiet", action="store_true", help="do not say where it is")
    command.add_argument("--somnus", type=Path, metavar="PROGRAM",
                         help="what audits the logs; as for reproduce if not given")
    command.set_defaults(command=report)


def report(options: argparse.Namespace) -> int:
    """Tells all logs that can't be read at once; then there is no page."""
    logs, mistakes = [], []
    if why := output.objection(options.output, options.logs, options.force):
        mistakes.append(why)
    for path in options.logs:
        try:
            logs.append(_load(path))
        except LogError as error:
            mistakes.append(str(error))
    if mistakes:
        for mistake in mistakes:
            print(f"somnus_analysis: {mistake}", file=sys.stderr)
        return 2
    write_report(logs, options.output, options.somnus, options.force)
    if not options.quiet and not output.is_standard_output(options.output):
        print(options.output)
    return 0


def _load(path: Path) -> Log:
    refuse_empty(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IncompleteLogWarning)  # the page says it
        return load(path)
