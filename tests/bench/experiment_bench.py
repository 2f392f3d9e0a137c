#!/usr/bin/python3
"""What `somnus experiment` adds to its simulations: how busy it keeps the cores, and what a run costs
beside the same runs by `somnus simulate --seeds`, which keeps no journal and knows no points.

    experiment_bench [--seeds N] [--jobs N]

It stands in the build folder (tests/bench), from where it finds somnus.
"""

import argparse
import os
import resource
import subprocess
import tempfile
import time
from pathlib import Path

SOMNUS = Path(__file__).resolve().parents[2] / "emulator" / "somnus"

CONFIG = """
[cluster]
nodes = 25
slots_per_node = 8
[scheduler]
policy = "cfq"
[workload]
generator = "google"
max_task_s = 300
jobs = {jobs}
"""
EXPERIMENT = """
[experiment]
config = "config.toml"
seeds = {seeds}
"""


def timed(folder, *words):
    """Real and CPU seconds of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    subprocess.run([SOMNUS, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    real_s = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return real_s, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(jobs, seeds):
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(prefix="somnus-bench-") as name:
        folder = Path(name)
        (folder / "config.toml").write_text(CONFIG.format(jobs=jobs))
        (folder / "experiment.toml").write_text(EXPERIMENT.format(seeds=seeds))
        real_s, cpu_s = timed(folder, "experiment", "experiment.toml", "-o", "out", "-q")
        again_s, _ = timed(folder, "experiment", "experiment.toml", "-o", "out", "-q")
        all_seeds = ",".join(str(seed) for seed in range(1, seeds + 1))
        floor_s, floor_cpu_s = timed(folder, "simulate", "config.toml", "-q", "--seeds", all_seeds)
    load = "load {:.1f}".format(os.getloadavg()[0])
    print(f"{seeds:,} runs of {jobs:,} jobs, {cores} cores, {load}")
    print(f"  experiment   {real_s:7.2f} s  {1e3 * cpu_s / seeds:7.3f} ms of CPU a run  "
          f"{100 * cpu_s / real_s / cores:5.1f} % of the cores busy")
    print(f"  simulate     {floor_s:7.2f} s  {1e3 * floor_cpu_s / seeds:7.3f} ms of CPU a run  "
          f"{100 * floor_cpu_s / floor_s / cores:5.1f} %   (floor: quiet, no figures)")
    print(f"  again, with nothing left to run: {again_s:.2f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=500, help="runs of each size")
    parser.add_argument("--jobs", type=int, nargs="*", default=[1, 100, 2000], help="of a run")
    options = parser.parse_args()
    for jobs in options.jobs:
        measure(jobs, options.seeds)


if __name__ == "__main__":
    main()
