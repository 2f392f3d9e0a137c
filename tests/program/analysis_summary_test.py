"""`summary` and the Python package print the same of a run, wherever both have a figure."""

import json
import math
import subprocess
import sys
from pathlib import Path

from somnus_program import FINE, Checks, expect, expect_equal, somnus

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "analysis"))

from somnus_analysis import load
from somnus_analysis.metrics.resource_summary import objects
from somnus_analysis.metrics import METRICS
from somnus_analysis.metrics.summary import summarise

checks = Checks()

# What the program says of a run and the package does not count again: the run itself, and how well
# it was emulated.
ONLY_THERE = {
    "label", "mode", "scheduler", "complete", "seed", "conserved", "outran", "speed", "resumed",
    "jobs_unfinished", "tasks_submitted", "tasks_finished", "tasks_failed", "tasks_unfinished",
    "backups", "backups_won", "wasted_s", "warm_share", "lateness_p50_s", "lateness_p99_s",
    "lateness_max_s", "placement_p50_s", "placement_p99_s", "lag_p50_s", "lag_p99_s", "lag_max_s",
    "worker_late_p99_s", "worker_late_max_s", "latest_rank", "decision_p50_s", "decision_p99_s",
    "clock_uncertainty_s", "rigid_jobs", "offered_load", "silent_max_s", "most_silent_rank", "intended_p50_s", "safe_speed",
}
CONFIGS = REPOSITORY / "configs/fidelity"
# A few of each kind, cut short, so that some jobs do not finish.
RUNS = {
    "slots": (["fifo", "srpt", "cfq", "uwfq", "paf"],
              {"workload.jobs": 120, "run.until_s": 500, "faults.task_failure_probability": 0.02}),
    "divisible": (["ujf-p", "uwfq-p"], {"workload.span_s": 60}),
    "queries": (["yarn", "yaq-c", "sparrow", "yaq-d"],
                {"cluster.nodes": 20, "workload.jobs_active": 10, "run.until_s": 150}),
    "resources": (["drf", "carbyne", "tetris"], {"workload.jobs": 8}),
}


def simulated(folder: Path, config: str) -> list[Path]:
    policies, settings = RUNS[config]
    pairs = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    somnus(folder, "simulate", CONFIGS / f"{config}.toml", "--policy", ",".join(policies), *pairs,
           "--log", "{policy}.h5", "-q").expect(FINE)
    return [folder / f"{policy}.h5" for policy in policies]


def expect_same(found: float | None, printed: float | None, what: str) -> None:
    if found is None or printed is None:
        expect_equal(found, printed, what)
    else:
        expect(math.isclose(found, printed, rel_tol=1e-9, abs_tol=1e-12),
               f"{what}: the package says {found!r}, the program {printed!r}")


@checks.each({config: config for config in RUNS})
def the_package_and_the_program_agree(folder, config):
    logs = simulated(folder, config)
    printed = json.loads(somnus(folder, "summary", *logs, "--json").expect(FINE).out)
    for path, figures in zip(logs, printed):
        log = load(path)
        kinds = {each["resource"]: each for each in figures.pop("resources")}
        ours = summarise(log)
        expect_equal(set(figures) - ONLY_THERE, set(ours), "figures that both have")
        for name, value in ours.items():
            expect_same(value, figures[name], f"{path.stem}: {name}")
        for each in objects(log):
            for name in set(each) - {"resource"}:
                expect_same(each[name], kinds[each["resource"]][name], f"{path.stem}: {name}")


@checks.add
def the_package_does_not_say_again_what_the_program_says_alone(folder):
    expect_equal(ONLY_THERE & {metric.name for metric in METRICS}, set(), "printed twice")


checks.main()
