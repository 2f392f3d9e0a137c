"""Schedulers of several resources on one node, start by start against an exact simulator of a pool
that shares no code with the program (tests/oracles)."""

import sys
from fractions import Fraction
from pathlib import Path

from logs import expect_clean
from somnus_program import FINE, Checks, expect_equal, somnus

import h5py

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "oracles"))
import pool  # noqa: E402
import random_dags  # noqa: E402

checks = Checks()

WITHIN = {"as-numbered": "file", "breadth-first": "bfs", "critical-path": "critical-path"}
# How the program's scheduler is called in its config, and what it is to the oracle.
SCHEDULERS = {
    **{f"drf, {within}": ('policy = "drf"', within, "drf", {}) for within in WITHIN},
    **{f"drf-strict, {within}": ('policy = "drf-strict"', within, "drf-strict", {})
       for within in WITHIN},
    **{f"sjf by {metric}": (f'policy = "sjf"\nsjf.metric = "{metric}"', "breadth-first", "sjf",
                            {"metric": metric.replace("-", "_")})
       for metric in ("cpm", "remaining-cpm", "srtf")},
    **{f"tetris, f = {fairness}": (
        f'policy = "tetris"\ntetris.fairness = {fairness}\ntetris.barrier = 0.5', "as-numbered",
        "tetris", {"f": Fraction(str(fairness)), "barrier": Fraction(1, 2), "fair": "weights",
                   "means": "stages"})
       for fairness in (0, 0.25, 1)},
}
SEEDS = range(6)


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
    scheduler, within, policy, parameters = case
    for seed in SEEDS:
        path = folder / f"{seed}.jsonl"
        path.write_text(random_dags.make(seed))
        workload = pool.read_workload(path, plan="mean")
        kinds = ", ".join(f"{kind} = 1" for kind in workload.resources)
        (folder / "config.toml").write_text(
            f"[cluster]\nnodes = 1\nresources = {{ {kinds} }}\n"
            f'[scheduler]\n{scheduler}\nwithin = "{within}"\n[workload]\nfile = "{path.name}"\n')
        somnus(folder, "simulate", "config.toml", "--log", f"{seed}.h5", "-q").expect(FINE)
        expected = pool.run(workload, random_dags.capacity(workload), policy,
                            WITHIN[within], **parameters)
        expect_equal(starts_in(folder / f"{seed}.h5"), starts_of(expected), f"seed {seed}: starts")
    expect_clean(folder, folder / f"{SEEDS[-1]}.h5")


if __name__ == "__main__":
    checks.main()
