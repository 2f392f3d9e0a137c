#!/usr/bin/env python3
"""What a Slurm partition itself costs a job, as keys of a Somnus config.

    slurm/measure_costs.py [--jobs N] [--keep FOLDER] [SBATCH OPTION...] > costs.toml
    slurm/measure_costs.py --partition=debug --account=me

submits N jobs (100) that sleep for about a second each: half of them one by one, each with a CPU, on nodes
that have room; half of them at once, each with a whole node, always the same one. From the jobs' own clocks:

    launch    from sbatch to the script's first line, of the first half
    turnover  from a script's last line to the next one's first, of the second half

Somnus has a message's delay each way and a launch: turnover is two delays and the launch, launch is one of
both. Measure where nobody waits: on a busy partition both contain waits for others. Takes about four
minutes. Scripts write to --keep, a folder that all nodes see (default: a new one in the current folder).
Needs nothing but Python 3.8 and sbatch. Clocks of submit host and nodes must agree within some ms.
"""

import argparse
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

SHORTEST_S, LONGEST_S = 0.5, 1.5  # sleeps; drawn, so that they do not keep step with Slurm's own cycles
PATIENCE_S = 300


def submit(folder, name, options, sleep_s):
    """When sbatch was called."""
    script = f"date +%s.%N > {folder}/{name}.start; sleep {sleep_s:.3f}; date +%s.%N > {folder}/{name}.end"
    called = time.time()
    done = subprocess.run(["sbatch", "--parsable", "--time=5", f"--output={folder}/{name}.out", *options, "--wrap", script],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"measure_costs.py: sbatch refused a job: {done.stderr.strip()}")
    return called


def read_time(folder, name, which):
    """Waits until the script has written it."""
    file, end = folder / f"{name}.{which}", time.monotonic() + PATIENCE_S
    while not (file.exists() and file.read_text().endswith("\n")):
        if time.monotonic() > end:
            sys.exit(f"measure_costs.py: {file} was not written within {PATIENCE_S} s; is the partition busy, and does "
                     "this host see the nodes' folder?")
        time.sleep(0.05)
    return float(file.read_text())


def launches(folder, count, options, draws):
    """Seconds from sbatch to the first line, of jobs that come one by one."""
    called = {}
    for at in range(count):
        called[f"one{at}"] = submit(folder, f"one{at}", ["--ntasks=1", *options], draws.uniform(SHORTEST_S, LONGEST_S))
        read_time(folder, f"one{at}", "start")
        time.sleep(draws.uniform(0, 1))
    for name in called:
        read_time(folder, name, "end")
    return [read_time(folder, name, "start") - when for name, when in called.items()]


def a_node(folder, options):
    """Where a job runs; the first one of a partition may take longer than others."""
    file = folder / "where"
    where = subprocess.run(["sbatch", "--parsable", "--wait", "--time=5", f"--output={folder}/where.out", "--ntasks=1",
                            *options, "--wrap", f"echo $SLURM_JOB_NODELIST > {file}"], capture_output=True, text=True)
    if where.returncode != 0 or not file.exists():
        sys.exit(f"measure_costs.py: a job that says where it is failed: {where.stderr.strip()}")
    time.sleep(2)
    return file.read_text().strip()


def turnovers(folder, count, node, options, draws):
    """Seconds from a last line to the next first line on one node."""
    names = [f"whole{at}" for at in range(count + 1)]
    for name in names:
        submit(folder, name, ["--exclusive", f"--nodelist={node}", "--nodes=1", *options],
               draws.uniform(SHORTEST_S, LONGEST_S))
    spans = sorted((read_time(folder, name, "start"), read_time(folder, name, "end")) for name in names)
    return [start - end for (_, end), (start, _) in zip(spans, spans[1:])]


def said(values):
    ordered = sorted(values)
    return (f"mean {statistics.mean(values):.3f} s, p5 {ordered[len(ordered) // 20]:.3f}, "
            f"p95 {ordered[len(ordered) * 19 // 20]:.3f}, of {len(values)}")


def main():
    parser = argparse.ArgumentParser(usage=argparse.SUPPRESS, add_help=False)
    parser.add_argument("--help", "-h", action="store_true")
    parser.add_argument("--jobs", type=int, default=100)
    parser.add_argument("--keep", type=pathlib.Path)
    known, options = parser.parse_known_args()
    if known.help:
        print(__doc__)
        return
    if known.jobs < 4:
        sys.exit("measure_costs.py: --jobs: expected at least 4")
    folder = known.keep or pathlib.Path(tempfile.mkdtemp(prefix="slurm-costs-", dir=".")).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    draws = random.Random()
    node = a_node(folder, options)
    launch = launches(folder, known.jobs // 2, options, draws)
    turnover = turnovers(folder, known.jobs // 2, node, options, draws)
    release_s = statistics.mean(turnover) - statistics.mean(launch)
    delay_s = max(0.0, release_s)
    if release_s < 0:
        print("# Turnover is shorter than launch: who follows another starts sooner here than with these keys.")
    print(f"# Measured by slurm/measure_costs.py {time.strftime('%Y-%m-%d')}, {known.jobs} jobs.\n"
          f"# launch: {said(launch)}\n# turnover: {said(turnover)}\n"
          f"[network]\ndelay_ms = {1000 * delay_s:.0f}\n"
          f"[job_manager]\nlaunch = \"constant\"\nlaunch_s = {max(0.0, statistics.mean(launch) - delay_s):.3f}")


if __name__ == "__main__":
    main()
