#!/usr/bin/python3
"""How often an interval over batches of one simulated run holds the true mean. Not a test: minutes of two cores.

    tests/studies/batch_coverage.py build/release/emulator/somnus

M/M/1 has a closed form. 400 runs each of 20 batches, and as many jobs as one more left out at the beginning.
tests/cli/stated_batches_test.cpp measures the same without the program, on more runs.
"""

import csv
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

RUNS = 400
BATCHES = 20
SERVICE_S = 10
CONFIG = """
[cluster]
nodes = 1
slots_per_node = 1
[scheduler]
policy = "fifo"
[workload]
generator = "gridmix-ms"
jobs = {jobs}
tasks_per_job = 1
per_task = true
mean_s = {service_s}
jobs_active = 0
jobs_per_minute = {jobs_per_minute}
"""
EXPERIMENT = """
[experiment]
config = "config.toml"
batches = {batches}
truncate_jobs = {size}
first_seed = {seed}
metrics = ["response_mean_s"]
"""


def run_of(program: Path, folder: Path, load: float, size: int, seed: int) -> tuple[bool, bool]:
    """Whether the interval holds the true mean; whether batches were said to be not independent."""
    folder.mkdir()
    (folder / "config.toml").write_text(CONFIG.format(
        jobs=size * (BATCHES + 1), service_s=SERVICE_S, jobs_per_minute=60 * load / SERVICE_S))
    (folder / "experiment.toml").write_text(EXPERIMENT.format(batches=BATCHES, size=size, seed=seed))
    printed = subprocess.run([program, "experiment", "experiment.toml", "-o", "out", "-j", "1"],
                             cwd=folder, check=True, capture_output=True, text=True).stdout
    with open(folder / "out" / "summary.csv", newline="") as file:
        [row] = [each for each in csv.DictReader(file) if each["metric"] == "response_mean_s"]
    distance = abs(float(row["mean"]) - SERVICE_S / (1 - load))
    return distance <= float(row["half_width_95"]), "NOT INDEPENDENT" in " ".join(printed.split())


def main() -> None:
    program = Path(sys.argv[1]).resolve()
    for load, size in ((0.5, 1000), (0.8, 1000), (0.8, 100)):
        with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(2) as pool:
            runs = list(pool.map(lambda seed: run_of(program, Path(name) / str(seed), load, size, seed),
                                 range(1, RUNS + 1)))
        held, warned = (100 * sum(each) / RUNS for each in zip(*runs))
        print(f"load {load}, {BATCHES} batches of {size} jobs: the interval holds the true mean in {held:.1f} % of "
              f"{RUNS} runs, {warned:.1f} % warn", flush=True)


if __name__ == "__main__":
    main()
