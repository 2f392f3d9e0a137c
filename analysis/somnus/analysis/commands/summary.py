import argparse
from pathlib import Path

from somnus.analysis.base.errors import UserError
from somnus.analysis.base.program import Somnus, find_program
from somnus.analysis.metrics.fairness import COUNTINGS
from somnus.analysis.metrics.summary import (
    Reference, queue_table, summary_json, summary_table, user_table,
)
from somnus.analysis.reading.log import load, load_all, read_summaries
from somnus.analysis.commands import Command, add_output


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("logs", nargs="+", type=Path, metavar="LOG")
    add_output(parser)
    parser.add_argument("--per-user", action="store_true", help="also one line a user")
    parser.add_argument("--per-queue", action="store_true",
                        help="also one line a named queue: its jobs, and how queues share the slots")
    parser.add_argument("--against", type=Path, metavar="LOG",
                        help="DVR and DSR against this run, e.g. one under ujf")
    parser.add_argument("--counting", choices=COUNTINGS,
                        help="how often a job counts there; those of the UWFQ paper's tables")


def summary(options: argparse.Namespace) -> int:
    if options.counting and not options.against:
        raise UserError("--counting is of --against; name a reference")
    logs = load_all(options.logs)
    reference = None
    if options.against:
        reference = Reference(load(options.against), options.counting or "jobs")
    if options.json:
        read_summaries(logs)
        print(summary_json(logs, reference))
        return 0
    if options.quiet:
        return 0
    tables = [Somnus(find_program(None)).summary_table(options.logs), summary_table(logs, reference)]
    if options.per_user:
        tables.append(user_table(logs, reference))
    if options.per_queue:
        tables.append(queue_table(logs))
    print("\n\n".join(each.rstrip("\n") for each in tables if each))
    return 0


COMMAND = Command("summary", "what `somnus summary` prints; and users, queues, what is left over, a reference run",
            add_options, summary)
