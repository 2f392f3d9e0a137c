import argparse
from pathlib import Path

from somnus_analysis.base.errors import UserError
from somnus_analysis.metrics.fairness import COUNTINGS
from somnus_analysis.metrics.summary import (
    Reference, queue_table, summary_json, summary_table, user_table,
)
from somnus_analysis.reading.log import load, load_all
from somnus_analysis.verbs import Verb


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("logs", nargs="+", type=Path, metavar="LOG")
    parser.add_argument("--json", action="store_true", help="for machines")
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
        print(summary_json(logs, reference))
        return 0
    print(summary_table(logs, reference))
    if options.per_user:
        print(f"\n{user_table(logs, reference)}")
    if options.per_queue:
        print(f"\n{queue_table(logs)}")
    return 0


VERB = Verb("summary", "closing tables side by side", add_options, summary)
