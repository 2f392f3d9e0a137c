"""Schedulers of several resources on one node, start by start against an exact simulator of a pool
that shares no code with the program (tests/oracles)."""

import json
import sys
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path

from logs import expect_clean
from somnus_program import FINE, each, expect_equal, somnus

import h5py

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "oracles"))
import pool  # noqa: E402
import random_dags  # noqa: E402
from jobs import parse_workload  # noqa: E402
from random_dags import Shape  # noqa: E402

WITHIN = {"as-numbered": "file", "breadth-first": "bfs", "critical-path": "critical-path",
          "packing": "packing", "dagps": "dagps"}
# What workloads are drawn from, and with which seeds.
SHAPES = {
    "small": (Shape(), range(6)),
    "large": (Shape(jobs=3, stages=8, tasks=3), range(6)),
    "deep": (Shape(jobs=1, stages=14, tasks=2), (1, 3, 11)),  # more than 8 thresholds
    # With enough tasks to distinguish shares from counts of tasks.
    "queued": (Shape(jobs=8, tasks=8, demand_hundredths=40, queues=2), (0, 1, 2, 8, 11, 13)),
    # From 41 on Carbyne's promises that are made anew, and plans that nobody can follow, matter.
    "promised": (Shape(jobs=6, stages=4, demand_hundredths=30, last_submit=12, duration_halves=12),
                 (0, 1, 2, 41, 60, 168, 195)),
}


@dataclass
class Case:
    """How the program's scheduler is called in its config, and what it is to the oracle."""

    config: str
    within: str
    policy: str
    parameters: dict = field(default_factory=dict)
    in_whole_ns: bool = False  # where times are added up to moments
    shape: str = "small"


CARBYNE = [(1, replan, leftover, within) for replan in ("share-change", "each-event")
           for leftover in ("srtf_then_pack", "pack_then_srtf", "none")
           for within in ("breadth-first", "critical-path", "packing", "dagps")]
SELFISH = [(0, "share-change", leftover, "breadth-first")
           for leftover in ("srtf_then_pack", "pack_then_srtf", "none")]


def carbyne(altruism: int, replan: str, leftover: str, within: str = "as-numbered") -> Case:
    return Case(f'policy = "carbyne"\ncarbyne.altruism = {altruism}.0\n'
                f'carbyne.leftover = "{leftover}"\ncarbyne.replan = "{replan}"', within, "carbyne",
                {"altruism": Fraction(altruism), "leftover": leftover, "replan": replan}, True,
                "promised")


def capacities(a: int, b: int, most: float = 1, within: str = "breadth-first") -> Case:
    return Case('policy = "drf"\norder = "capacity"\n'
                f"capacity = {{ capacities = {{ A = {a}, B = {b} }}, max_capacity = {most} }}",
                within, "capacity",
                {"capacities": {"A": a, "B": b}, "max_capacity": Fraction(str(most))},
                shape="queued")


SCHEDULERS = {
    **{f"drf, {within}": Case('policy = "drf"', within, "drf", shape="large") for within in WITHIN},
    "drf, dagps, many stages": Case('policy = "drf"', "dagps", "drf", shape="deep"),
    **{f"drf-strict, {within}": Case('policy = "drf-strict"', within, "drf-strict")
       for within in ("as-numbered", "breadth-first", "critical-path")},
    **{f"sjf by {metric}": Case(f'policy = "sjf"\nsjf.metric = "{metric}"', "breadth-first", "sjf",
                                {"metric": metric.replace("-", "_")})
       for metric in ("cpm", "remaining-cpm", "srtf")},
    **{f"tetris, f = {fairness}": Case(
        f'policy = "tetris"\ntetris.fairness = {fairness}\ntetris.barrier = 0.5', "as-numbered",
        "tetris", {"f": Fraction(str(fairness)), "barrier": Fraction(1, 2)})
       for fairness in (0, 0.25, 1)},
    **{f"preset dagps, f = {fairness}": Case(
        f'policy = "dagps"\ntetris.fairness = {fairness}', "dagps", "dagps",
        {"f": Fraction(str(fairness))}, shape="large")
       for fairness in (0, 0.25)},
    **{f"capacity, at most {most}, {within}": capacities(70, 30, most, within)
       for most, within in ((1, "breadth-first"), (0.4, "breadth-first"), (0.8, "dagps"))},
    **{f"carbyne, altruism {altruism}, {replan}, {leftover}, {within}":
       carbyne(altruism, replan, leftover, within)
       for altruism, replan, leftover, within in CARBYNE + SELFISH},
}


@cache
def workloads(shape: str, in_whole_ns: bool):
    """Seed, text and jobs of each; kept, for some orders take long to make."""
    drawn_from, seeds = SHAPES[shape]
    texts = {seed: random_dags.make(seed, drawn_from) for seed in seeds}
    return [(seed, text, parse_workload(text, in_whole_ns)) for seed, text in texts.items()]


def starts_in(log: Path) -> list:
    with h5py.File(log, "r") as file:
        names = [name.decode() for name in file["names/jobs"][:]]
        stages = file["stages"]["stage"]
        return sorted((round(Fraction(float(row["start"])) * 10**9), names[row["job"]],
                       int(stages[row["stage"]]), int(row["index"])) for row in file["tasks"][:])


def starts_of(oracle: list) -> list:
    return sorted((start.start * 10**9, start.job.name, start.stage.name, start.index)
                  for start in oracle)


def expect_starts_of_the_pool(folder, case, text, workload, size=1) -> list:
    """What the program starts and when, on one node with `size` of each kind."""
    (folder / "workload.jsonl").write_text(text)
    kinds = ", ".join(f"{kind} = {size}" for kind in workload.resources)
    (folder / "config.toml").write_text(
        f"[cluster]\nnodes = 1\nresources = {{ {kinds} }}\n[scheduler]\n{case.config}\n"
        f'within = "{case.within}"\n[workload]\nfile = "workload.jsonl"\n')
    somnus(folder, "simulate", "config.toml", "--log", "log.h5", "--force", "-q").expect(FINE)
    capacity = (Fraction(size),) * len(workload.resources)
    expected = pool.run(workload, capacity, case.policy, WITHIN[case.within], **case.parameters)
    found = starts_in(folder / "log.h5")
    expect_equal(found, starts_of(expected), f"starts of {text.splitlines()[0]}")
    return found


@each(SCHEDULERS)
def test_each_task_starts_when_the_exact_pool_starts_it(folder, case):
    for _, text, workload in workloads(case.shape, case.in_whole_ns):
        expect_starts_of_the_pool(folder, case, text, workload)
    expect_clean(folder, folder / "log.h5")


def stages(*each: str) -> list[dict]:
    """Each "TASKS x (DEMAND, SECONDS) after PARENTS", without the marks: "2 .6 2", "1 .4 4 | 1"."""
    rows = []
    for stage in each:
        numbers, _, parents = stage.partition("|")
        tasks, demand, duration = map(float, numbers.split())
        rows.append({"tasks": int(tasks), "demand": {"r": demand}, "duration": duration,
                     "parents": [int(name) for name in parents.split()]})
    return rows


# The best aligned, 0, leaves no room for 1, which the longest stage waits for.
LONG_LAST = {"J": stages("2 .6 2", "1 .5 1", "1 .4 4 | 1")}
# 2 before 1 with dagps: 0 and one of 2 at 0, then the other and 1, then 3.
AROUND = {"J": stages("1 .26 2", "1 .6 3", "2 .4 2", "1 .2 1 | 0")}
# Packed, 1 is the best aligned; 0 and then 2 follow.
ALIGNED = {"J": stages("1 .4 1", "1 .7 1", "1 .3 1 | 0")}
NOTHING = {"J": stages("3 .4 0", "2 0 0 | 0")}
# Both shares are .5. J1: S0, then S1 two and two: T = 3, latest starts 0; 1, 1, 2, 2. J2: one at a
# time: T = 20, latest starts 0, 5, 10, 15. At 0 each starts one, and J2 is lent two more. At 1 S0
# ends, and .1 is free: no S1 fits. At 5 J2's three end. All four S1 are due, but some were missed:
# only two start, J1's share. J2 is lent its last, the best aligned. At 6 the other two start.
MISSED = {"J1": stages("1 .1 1", "4 .25 1 | 0"), "J2": stages("4 .3 5")}
# Nothing is lent. J1 runs two at once inside .5: T = 6, latest starts 0, 0, 2, 2, 4, 4. At 1 J2
# ends and J1's share is 1: the four that are left fit at once, last from 4 to 6.
GROWS = {"J1": stages("6 .2 2"), "J2": stages("1 .1 1")}
# Averages .35 and .35: both quotas are .5. A's task of .6 waits for its two of .1 to end.
LARGE = {"A": stages("1 .1 2", "1 .6 3"), "B": stages("1 .35 9")}
# name -> jobs, scheduler, starts of each job in seconds
WORKED = {
    **{f"a long stage last, {policy}, {within}": (
        LONG_LAST, Case(f'policy = "{policy}"', within, policy), {"J": starts})
       for policy, within, starts in (
           ("drf", "breadth-first", [0, 2, 4, 5]), ("drf", "packing", [0, 2, 4, 5]),
           ("drf", "dagps", [0, 1, 1, 3]), ("dagps", "dagps", [0, 1, 1, 3]))},
    "the others around the troublesome": (
        AROUND, Case('policy = "drf"', "dagps", "drf"), {"J": [0, 0, 2, 2, 4]}),
    "the best aligned is packed first": (
        ALIGNED, Case('policy = "drf"', "packing", "drf"), {"J": [0, 1, 2]}),
    "neither duration nor demand": (
        NOTHING, Case('policy = "drf"', "dagps", "drf"), {"J": [0] * 5}),
    **{f"a job that missed a latest start keeps inside its share, {replan}": (
        MISSED, carbyne(1, replan, "pack_then_srtf"), {"J1": [0, 5, 5, 6, 6], "J2": [0, 0, 0, 5]})
       for replan in ("share-change", "each-event")},
    **{f"the end of a job makes plans anew and keeps promises, {replan}": (
        GROWS, carbyne(1, replan, "none"), {"J1": [0, 0, 4, 4, 4, 4], "J2": [0]})
       for replan in ("share-change", "each-event")},
    "a task larger than the quota runs when its job runs nothing else": (
        LARGE, Case('policy = "drf-strict"', "as-numbered", "drf-strict"),
        {"A": [0, 2], "B": [0]}),
}


@each(WORKED)
def test_starts_worked_out_by_hand(folder, example):
    jobs, case, expected = example
    lines = [{"somnus_workload": 1, "name": "worked", "resources": ["r"]}]
    lines += [{"job": name, "submit": 0, "stages": stages} for name, stages in jobs.items()]
    text = "\n".join(map(json.dumps, lines)) + "\n"
    found = expect_starts_of_the_pool(folder, case, text, parse_workload(text, case.in_whole_ns))
    at = {name: [start / 10**9 for start, job, *_ in found if job == name] for name in jobs}
    expect_equal(at, expected, "starts")


# name -> queue, demand and tasks of each job, scheduler, how many tasks of each job start at 0 on
# 10 and 10
QUEUES = {
    # Shares by c after each start: A .1, B .3, A .2, A .3, the first of equals, A .4, B .6: full.
    "the least share by capacity": (
        [("A", "1 2", 9), ("B", "3 1", 9)], capacities(2, 1), [4, 2]),
    # A .2, B .3, A .4, B .6, A .6, A .8: full.
    "all alike": ([("A", "1 2", 9), ("B", "3 1", 9)], capacities(1, 1), [4, 2]),
    "a queue that borrows": ([("A", "1 1", 1), ("B", "3 1", 9)], capacities(2, 1), [1, 3]),
    # B .3 is less than the half, .6 is not.
    "a bound on that": ([("A", "1 1", 1), ("B", "3 1", 9)], capacities(2, 1, 0.5), [1, 2]),
    # The part of a queue alone may be more than the bound: 2/3, then .7.
    "no bound below its part": (
        [("A", "1 0", 9), ("B", "1 1", 1)], capacities(2, 1, 0.5), [7, 1]),
    # A .6; of B only the second job fits: .9; of A only its second: .7; then B's third.
    "what does not fit is passed over": (
        [("A", "6 0", 2), ("B", "5 5", 1), ("B", "1 9", 1), ("B", "2 1", 1), ("A", "1 0", 1)],
        capacities(1, 1), [1, 0, 1, 1, 1]),
}


@each(QUEUES)
def test_queues_share_by_their_capacities(folder, example):
    jobs, case, expected = example
    lines = [{"somnus_workload": 1, "name": "queues", "resources": ["a", "b"]}]
    for at, (queue, demand, tasks) in enumerate(jobs):
        a, b = map(float, demand.split())
        lines.append({"job": str(at), "queue": queue, "submit": 0, "tasks": tasks,
                      "duration": 1000, "demand": {"a": a, "b": b}})
    text = "\n".join(map(json.dumps, lines)) + "\n"
    found = expect_starts_of_the_pool(folder, case, text, parse_workload(text), size=10)
    first = [job for start, job, *_ in found if start == 0]
    expect_equal([first.count(str(at)) for at in range(len(jobs))], expected, "starts at 0")
