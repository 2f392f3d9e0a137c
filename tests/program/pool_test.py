"""Schedulers of several resources on one node, start by start against an exact simulator of a pool
that shares no code with the program (tests/oracles)."""

import sys
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
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
# What workloads are drawn from, and with which seeds.
SHAPES = {
    "small": (Shape(), range(6)),
    "large": (Shape(jobs=3, stages=8, tasks=3), range(6)),
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
    plan: str = "mean"  # times that are added up to moments are in whole nanoseconds
    shape: str = "small"


CARBYNE = [(1, replan, leftover, within) for replan in ("share-change", "each-event")
           for leftover in ("srtf_then_pack", "pack_then_srtf", "none")
           for within in ("breadth-first", "critical-path", "packing", "dagps")]
SELFISH = [(0, "share-change", leftover, "breadth-first")
           for leftover in ("srtf_then_pack", "pack_then_srtf", "none")]
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
    **{f"carbyne, altruism {altruism}, {replan}, {leftover}, {within}": Case(
        f'policy = "carbyne"\ncarbyne.altruism = {altruism}.0\ncarbyne.leftover = "{leftover}"\n'
        f'carbyne.replan = "{replan}"', within, "carbyne",
        {"altruism": Fraction(altruism), "leftover": leftover, "replan": replan}, "whole-ns",
        "promised")
       for altruism, replan, leftover, within in CARBYNE + SELFISH},
}


@cache
def workloads(shape: str, plan: str):
    """Seed, text and jobs of each; kept, for some orders take long to make."""
    drawn_from, seeds = SHAPES[shape]
    texts = {seed: random_dags.make(seed, drawn_from) for seed in seeds}
    return [(seed, text, pool.parse_workload(text, plan)) for seed, text in texts.items()]


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
    for seed, text, workload in workloads(case.shape, case.plan):
        path, log = folder / f"{seed}.jsonl", folder / f"{seed}.h5"
        path.write_text(text)
        kinds = ", ".join(f"{kind} = 1" for kind in workload.resources)
        (folder / "config.toml").write_text(
            f"[cluster]\nnodes = 1\nresources = {{ {kinds} }}\n[scheduler]\n{case.config}\n"
            f'within = "{case.within}"\n[workload]\nfile = "{path.name}"\n')
        somnus(folder, "simulate", "config.toml", "--log", log, "-q").expect(FINE)
        expected = pool.run(workload, random_dags.capacity(workload), case.policy,
                            WITHIN[case.within], **case.parameters)
        expect_equal(starts_in(log), starts_of(expected), f"seed {seed}: starts")
    expect_clean(folder, log)


if __name__ == "__main__":
    checks.main()
