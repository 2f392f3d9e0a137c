"""A cluster as one pool, simulated in exact rational numbers: what policies must do, independently.

    /usr/bin/python3 -B pool.py WORKLOAD.jsonl --capacity cpu=9,mem=18 --policy drf --within bfs \\
        [--set NAME=VALUE ...]

prints one JSON object a task, in order of start: job, stage, index, start and finish as fractions.
Each policy's file says what it does and which parameters --set knows. `plan=mean` is known to all:
schedulers then believe each task to take the mean of its stage; with plan=whole-ns, that in whole
nanoseconds.

    run(workload, capacity, "drf", within="bfs")      # the starts
    trace(workload, capacity, "carbyne").policy.decisions   # the numbers in between
"""

import argparse
import json
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from capacity import Capacity
from carbyne import Carbyne
from engine import Pool, Start, simulate
from fair import Drf, StrictDrf
from jobs import Workload, parse_workload, read_workload
from orders import KEYS, SCHEDULES
from sjf import Sjf
from tetris import Dagps, FairTetris, Tetris
from vectors import Vector

POLICIES = {"drf": Drf, "drf-strict": StrictDrf, "tetris": Tetris, "tetris-fair": FairTetris,
            "dagps": Dagps, "sjf": Sjf, "capacity": Capacity, "carbyne": Carbyne}
ORDERS = [order for order in KEYS if order != "bfs-from-sinks"] + list(SCHEDULES)


@dataclass
class Trace:
    pool: Pool
    policy: object  # its `decisions` are dicts, in order of time

    @property
    def starts(self) -> list[Start]:
        return self.pool.starts

    @property
    def ends(self) -> dict[str, Fraction]:
        return {job.name: end for job, end in self.pool.ends.items()}


def trace(workload: Workload, capacity: Vector, policy: str, within: str = "bfs",
          **parameters) -> Trace:
    if policy not in POLICIES:
        raise ValueError(f"expected a policy of {sorted(POLICIES)}, found {policy}")
    if within not in ORDERS:
        raise ValueError(f"expected an order of {ORDERS}, found {within}")
    chosen = POLICIES[policy](within, **parameters)
    return Trace(simulate(workload, capacity, chosen), chosen)


def run(workload: Workload, capacity: Vector, policy: str, within: str = "bfs",
        **parameters) -> list[Start]:
    """All tasks in order of start."""
    return trace(workload, capacity, policy, within, **parameters).starts


def lines(starts: list[Start]) -> list[dict]:
    def text(number: Fraction) -> str:
        return f"{number.numerator}/{number.denominator}"

    return [{"job": task.job.name, "stage": task.stage.name, "index": task.index,
             "start": text(task.start), "finish": text(task.finish)} for task in starts]


def read_settings(words: list[str]) -> dict:
    """NAME=VALUE each; a value that is a number is one."""
    found = {}
    for word in words:
        name, _, value = word.partition("=")
        try:
            found[name] = Fraction(value)
        except ValueError:
            found[name] = value
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workload")
    parser.add_argument("--capacity", required=True, help="kind=amount, separated by commas")
    parser.add_argument("--policy", required=True, choices=sorted(POLICIES))
    parser.add_argument("--within", default="bfs", choices=ORDERS)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    arguments = parser.parse_args()
    try:
        parameters = read_settings(arguments.set)
        workload = read_workload(arguments.workload, parameters.pop("plan", "own"))
        given = read_settings(arguments.capacity.split(","))
        if set(given) != set(workload.resources):
            raise ValueError(f"expected a capacity for each of {workload.resources}")
        capacity = tuple(given[kind] for kind in workload.resources)
        starts = run(workload, capacity, arguments.policy, arguments.within, **parameters)
    except (OSError, ValueError, TypeError) as mistake:
        sys.exit(f"{Path(__file__).name}: {mistake}")
    for line in lines(starts):
        print(json.dumps(line))


if __name__ == "__main__":
    main()
