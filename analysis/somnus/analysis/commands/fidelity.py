import argparse
import json
from dataclasses import asdict
from pathlib import Path

from somnus.analysis.base.errors import UserError
from somnus.analysis.base.program import Somnus, find_program
from somnus.analysis.experiments import fidelity
from somnus.analysis.commands import Command, add_output


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("presets", nargs="*", metavar="PRESET", help="these; else all")
    parser.add_argument("--speed", type=float, help="of all runs, instead of what calibrate says")
    parser.add_argument("--somnus", type=Path, metavar="PROGRAM")
    add_output(parser)


def measure(options: argparse.Namespace) -> int:
    """Exit code 1 if a run is not faithful."""
    somnus = Somnus(find_program(options.somnus))
    known = {preset["name"]: preset for preset in somnus.presets()}
    if unknown := [preset for preset in options.presets if preset not in known]:
        raise UserError(f"no preset {', '.join(unknown)}; there are {', '.join(known)}")
    if not (options.json or options.quiet):
        print(fidelity.heads())
    measured = []
    of_itself = [name for name in known if name != "external"]  # which is somebody's process
    chosen = [known[name] for name in options.presets or of_itself]
    for one in fidelity.measure(somnus, chosen, options.speed):
        measured.append(one)
        if not (options.json or options.quiet and one.is_faithful):
            print(fidelity.row(one), flush=True)
    if options.json:
        print(json.dumps([{**asdict(one), "verdict": one.verdict} for one in measured], indent=2))
    return 0 if all(one.is_faithful for one in measured) else 1


COMMAND = Command("fidelity", "every preset emulated at its safe speed, beside its simulation: the table of "
                        "docs/fidelity.md", add_options, measure)
