import argparse
import json
from pathlib import Path

from somnus.analysis.metrics.progress import figures, progress_table
from somnus.analysis.reading.log import load
from somnus.analysis.commands import Command, add_output


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("log", type=Path, metavar="LOG")
    parser.add_argument("--against", type=Path, metavar="LOG",
                        help="a run of the same jobs by fair shares: what was realised of promises")
    add_output(parser)


def progress(options: argparse.Namespace) -> int:
    found = figures(load(options.log), load(options.against) if options.against else None)
    if options.json:
        print(json.dumps(found, indent=2))
    elif not options.quiet:
        print(progress_table(found))
    return 0


COMMAND = Command("progress", "progress rates; of PAF what jobs gave and took", add_options, progress)
