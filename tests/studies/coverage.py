#!/usr/bin/python3
"""How often an experiment's 95 % interval holds the true mean. Not a test: a minute of one core.

    tests/studies/coverage.py build/release/emulator/somnus

A workload of 200 jobs is drawn anew for each seed, in blocks of 5 (workload.resample), and runs on so
many slots that no task waits. Then a job's response time is its longest task, each job is as likely
as any other, and the mean over seeds is known without a simulation: the mean over the 200 jobs. Ten
thousand seeds are cut into experiments of 5, 10 and 30, and each experiment's interval is computed
here again, from results.csv, with Student's t by a table.
"""

import csv
import json
import math
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SEEDS = 10_000
T_QUANTILES = {5: 2.7764451, 10: 2.2621572, 30: 2.0452296}  # 0.975, one degree of freedom less

CONFIG = """
[cluster]
nodes = 1
slots_per_node = 60000
[scheduler]
policy = "fifo"
[workload]
file = "workload.jsonl"
resample = 5
"""
EXPERIMENT = f'[experiment]\nconfig = "config.toml"\nseeds = {SEEDS}\n'


def true_mean(workload: Path) -> float:
    """Of the jobs' longest tasks."""
    jobs = [json.loads(line) for line in workload.read_text().splitlines()[1:]]
    return statistics.mean(
        max(d for stage in job.get("stages", [job]) for d in stage["durations"]) for job in jobs)


def runs_in(results: Path) -> list[float]:
    with open(results, newline="") as file:
        return [float(row["value"]) for row in csv.DictReader(file)
                if row["metric"] == "response_mean_s"]


def coverage(runs: list[float], size: int, mean: float) -> float:
    held = 0
    experiments = [runs[at:at + size] for at in range(0, len(runs) - size + 1, size)]
    for sample in experiments:
        half_width = T_QUANTILES[size] * statistics.stdev(sample) / math.sqrt(size)
        held += abs(statistics.mean(sample) - mean) <= half_width
    return held / len(experiments)


def main() -> None:
    program = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "config.toml").write_text(CONFIG)
        (folder / "experiment.toml").write_text(EXPERIMENT)
        workload = folder / "workload.jsonl"
        subprocess.run([program, "workload", "make", "google", "--set", "jobs=200", "-o", workload],
                       check=True, stdout=subprocess.DEVNULL)
        subprocess.run([program, "experiment", "experiment.toml", "-o", "out", "-q"], cwd=folder,
                       check=True)
        runs = runs_in(folder / "out" / "results.csv")
        mean = true_mean(workload)
        print(f"{len(runs)} runs, mean {statistics.mean(runs):.4f} s, true mean {mean:.4f} s")
        for size in T_QUANTILES:
            print(f"{len(runs) // size:>5} experiments of {size:>2} seeds: the interval holds the true "
                  f"mean in {100 * coverage(runs, size, mean):.1f} %")


if __name__ == "__main__":
    main()
