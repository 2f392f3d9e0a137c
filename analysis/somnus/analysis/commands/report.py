"""What `somnus report` hands over to."""

import argparse
from pathlib import Path

from somnus.analysis.base import output
from somnus.analysis.reading.log import Log, load_all
from somnus.analysis.report.document import write_report
from somnus.analysis.commands import Command, add_output, print_files


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.epilog = ("Logs that differ in their seeds alone count as one scheduler's, with 95 % intervals. A log of a "
                     "run that still goes on, or was cut off, will do. somnus report fifo.h5 cfq.h5 -o report.html")
    parser.add_argument("logs", nargs="+", type=Path, metavar="LOG")
    parser.add_argument("-o", "--output", type=Path, default=Path("report.html"), metavar="FILE",
                        help="default: report.html")
    parser.add_argument("--force", action="store_true", help="replace what is there already")
    parser.add_argument("--what-if", action="store_true",
                        help="also what would have helped the worst jobs: a few simulations of each log")
    add_output(parser)
    parser.add_argument("--somnus", type=Path, metavar="PROGRAM",
                        help="what audits the logs; as for reproduce if not given")


def report(options: argparse.Namespace) -> int:
    output.require_allowed(options.output, options.logs, options.force)
    logs = load_all(options.logs, Log)  # without a warning of incomplete ones: the page says it
    write_report(logs, options.output, options.somnus, options.force, options.what_if)
    return print_files(options, [] if output.is_standard_output(options.output) else [options.output])


COMMAND = Command("report", "one page on runs, for a browser without a network", add_options, report)
