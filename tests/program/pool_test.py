"""Schedulers of several resources on one node, start by start against an exact simulator of a pool
that shares no code with the program (tests/oracles)."""

import sys
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import count, islice
from pathlib import Path

from logs import expect_clean
from somnus_program import FINE, Checks, expect_equal, somnus

import h5py

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "oracles"))
import pool  # noqa: E402
import random_dags  # noqa: E402
from random_dags import Shape  # noqa: E402

checks = Checks()

WITHIN = {"as-numbered": "file", "breadth-first": "bfs", "critical-path": "critical-path",
          "packing": "packing", "dagps": "dagps"}
SHAPES = {"small": Shape(), "large": Shape(jobs=3, stages=8, tasks=3),
          "queued": Shape(jobs=8, tasks=8, demand_hundredths=40, queues=2)}


@dataclass
class Case:
    """How the program's scheduler is called in its config, and what it is to the oracle."""

    config: str
    within: str
    policy: str
    parameters: dict = field(default_factory=dict)
    plan: str = "mean"  # times that are added up to moments are in whole nanoseconds
    shape: str = "small"


CARBYNE = [(altruism, leftover, within) for altruism in (1, 0)
           for leftover in ("srtf_then_pack", "pack_then_srtf", "none")
           for within in ("breadth-first", "critical-path", "packing", "dagps")]
CAPACITY = 'policy = "drf"\norder = "capacity"\ncapacity.capacities = { A = 70, B = 30 }'
SCHEDULERS = {
    **{f"drf, {within}": Case('policy = "drf"', within, "drf", shape="large") for within in WITHIN},
    **{f"drf-strict, {within}": Case('policy = "drf-strict"', within, "drf-strict")
       for within in ("as-numbered", "breadth-first", "critical-path")},
    **{f"sjf by {metric}": Case(f'policy = "sjf"\nsjf.metric = "{metric}"', "breadth-first", "sjf",
                                {"metric": metric.replace("-", "_")})
       for metric in ("cpm", "remaining-cpm", "srtf")},
    **{f"tetris, f = {fairness}": Case(
        f'policy = "tetris"\ntetris.fairness = {fairness}\ntetris.barrier = 0.5', "as-numbered",
        "tetris", {"f": Fraction(str(fairness)), "barrier": Fraction(1, 2), "fair": "weights",
                   "means": "stages"})
       for fairness in (0, 0.25, 1)},
    **{f"preset dagps, f = {fairness}": Case(
        f'policy = "dagps"\ntetris.fairness = {fairness}', "dagps", "dagps",
        {"f": Fraction(str(fairness)), "fair": "weights", "means": "stages"}, shape="large")
       for fairness in (0, 0.25)},
    **{f"capacity, at most {most}": Case(
        f"{CAPACITY}\ncapacity.max_capacity = {most}", within, "capacity",
        {"capacities": {"A": 70, "B": 30}, "max_capacity": Fraction(str(most))},
        shape="queued")
       for most, within in ((1, "breadth-first"), (0.4, "breadth-first"), (0.8, "dagps"))},
    **{f"carbyne, altruism {altruism}, {leftover}, {within}": Case(
        f'policy = "carbyne"\ncarbyne.altruism = {altruism}.0\ncarbyne.leftover = "{leftover}"',
        within, "carbyne", {"altruism": Fraction(altruism), "leftover": leftover}, "whole-ns")
       for altruism, leftover, within in CARBYNE},
}
WORKLOADS = 6


@cache
def workloads(shape: str, plan: str):
    """Text and jobs of each, with a job for each queue; kept, for some orders take long to make."""
    texts = (random_dags.make(seed, SHAPES[shape]) for seed in count())
    both = ((text, pool.parse_workload(text, plan)) for text in texts)
    enough = (pair for pair in both if len(pair[1].jobs) >= SHAPES[shape].queues)
    return list(islice(enough, WORKLOADS))


def starts_in(log: Path) -> list:
    with h5py.File(log, "r") as file:
        names = [name.decode() for name in file["names/jobs"][:]]
        stages = file["stages"]["stage"]
        return sorted((round(Fraction(float(row["start"])) * 10**9), names[row["job"]],
                       int(stages[row["stage"]]), int(row["index"])) for row in file["tasks"][:])


def starts_of(oracle: list) -> list:
    return sorted((start.start * 10**9, start.job.name, start.stage.name, start.index)
                  for start in oracle)


@checks.each(SCHEDULERS)
def each_task_starts_when_the_exact_pool_starts_it(folder, case):
    for at, (text, workload) in enumerate(workloads(case.shape, case.plan)):
        path, log = folder / f"{at}.jsonl", folder / f"{at}.h5"
        path.write_text(text)
        kinds = ", ".join(f"{kind} = 1" for kind in workload.resources)
        (folder / "config.toml").write_text(
            f"[cluster]\nnodes = 1\nresources = {{ {kinds} }}\n[scheduler]\n{case.config}\n"
            f'within = "{case.within}"\n[workload]\nfile = "{path.name}"\n')
        somnus(folder, "simulate", "config.toml", "--log", log, "-q").expect(FINE)
        expected = pool.run(workload, random_dags.capacity(workload), case.policy,
                            WITHIN[case.within], **case.parameters)
        expect_equal(starts_in(log), starts_of(expected), f"{path.name}: starts")
    expect_clean(folder, log)


if __name__ == "__main__":
    checks.main()
