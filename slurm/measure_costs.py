#!/usr/bin/env python3
"""What a Slurm partition itself costs a job, as keys of a Somnus config.

    slurm/measure_costs.py [--jobs N] [--keep FOLDER] [SBATCH OPTION...] > costs.toml
    slurm/measure_costs.py --partition=debug --account=me

submits N jobs (100) that sleep for about a second each: half of them one by one, each with a CPU,
on nodes that have room; half of them at once, each with a whole node, always the same one. From the
jobs' own clocks:

    launch    from sbatch to the script's first line, of the first half
    turnover  from a script's last line to the next one's first, of the second half

Somnus has a message's delay each way, a launch, and a cycle at whose multiples it decides: turnover
is two delays, the wait for a decision and the launch; launch is the same with one delay. Slurm's
main loop begins once a second. If the launches differ by most of a second, that is what they waited
for: the mean wait is half a second, and scheduler.cycle_s = 1 makes it.

Measure where nobody waits: on a busy partition both contain waits for others. Takes about four
minutes. Scripts write to --keep, a folder that all nodes see (default: a new one in the current
folder). Needs nothing but Python 3.8 and sbatch. Clocks of submit host and nodes must agree within
some ms.
"""

import argparse
import pathlib
import random
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

CYCLE_S = 1  # of Slurm's main loop
SHORTEST_S, LONGEST_S = 0.5, 1.5  # sleeps; drawn, so that they do not keep step with Slurm's own cycles
PATIENCE_S = 300


class Jobs:
    """Those that have been submitted, and what they write to a folder."""

    def __init__(self, folder, options):
        self.folder, self.options, self.numbers = folder, options, []

    def submit(self, name, options, commands):
        """When sbatch was called. {} in the commands is the folder's path and the job's name."""
        commands = commands.replace("{}", shlex.quote(str(self.folder / name)))
        called = time.time()
        done = subprocess.run(["sbatch", "--parsable", "--time=5", f"--output={self.folder / name}.out", *options,
                               *self.options, "--wrap", commands], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"measure_costs.py: sbatch refused a job: {done.stderr.strip()}")
        self.numbers.append(done.stdout.split(";")[0].strip())
        return called

    def sleep(self, name, options, sleep_s):
        return self.submit(name, options, f"date +%s.%N > {{}}.start; sleep {sleep_s:.3f}; date +%s.%N > {{}}.end")

    def read(self, name, which):
        """Waits until the script has written it."""
        file, end = self.folder / f"{name}.{which}", time.monotonic() + PATIENCE_S
        while not (file.exists() and file.read_text().endswith("\n")):
            if time.monotonic() > end:
                sys.exit(f"measure_costs.py: {file} was not written within {PATIENCE_S} s; is the partition busy, and "
                         "does this host see the nodes' folder?")
            time.sleep(0.05)
        return file.read_text().strip()

    def time(self, name, which):
        return float(self.read(name, which))

    def cancel(self):
        """Those that still wait or run, whatever has become of the others."""
        if self.numbers:
            subprocess.run(["scancel", *self.numbers], capture_output=True)


def a_node(jobs):
    """Where a job runs; the first one of a partition may take longer than others."""
    jobs.submit("first", ["--ntasks=1"], "echo $SLURM_JOB_NODELIST > {}.node")
    node = jobs.read("first", "node")
    time.sleep(2)
    return node


def launches(jobs, count, draws):
    """Seconds from sbatch to the first line, of jobs that come one by one."""
    called = {}
    for at in range(count):
        called[f"one{at}"] = jobs.sleep(f"one{at}", ["--ntasks=1"], draws.uniform(SHORTEST_S, LONGEST_S))
        jobs.read(f"one{at}", "start")
        time.sleep(draws.uniform(0, 1))
    for name in called:
        jobs.read(name, "end")
    return [jobs.time(name, "start") - when for name, when in called.items()]


def turnovers(jobs, count, node, draws):
    """Seconds from a last line to the next first line on one node."""
    names = [f"whole{at}" for at in range(count + 1)]
    for name in names:
        jobs.sleep(name, ["--exclusive", f"--nodelist={node}", "--nodes=1"], draws.uniform(SHORTEST_S, LONGEST_S))
    spans = sorted((jobs.time(name, "start"), jobs.time(name, "end")) for name in names)
    return [start - end for (_, end), (start, _) in zip(spans, spans[1:])]


def cycle_of(launch):
    """Jobs that come at any moment wait for up to a cycle, if there is one: 90 % of them differ by 0.9 of it."""
    ordered = sorted(launch)
    spread_s = ordered[len(ordered) * 19 // 20] - ordered[len(ordered) // 20]
    return CYCLE_S if spread_s > 0.6 * CYCLE_S else 0


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
    folder = (known.keep or pathlib.Path(tempfile.mkdtemp(prefix="slurm-costs-", dir="."))).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        sys.exit(f"measure_costs.py: --keep: expected an empty folder, {folder} has files in it")
    draws = random.Random()
    jobs = Jobs(folder, options)
    try:
        node = a_node(jobs)
        launch = launches(jobs, known.jobs // 2, draws)
        turnover = turnovers(jobs, known.jobs // 2, node, draws)
    finally:
        jobs.cancel()
    if min(launch) < 0 or min(turnover) < 0:
        sys.exit("measure_costs.py: a job seems to have started before it could: the hosts' clocks differ")
    cycle_s = cycle_of(launch)
    release_s = statistics.mean(turnover) - statistics.mean(launch)
    delay_s = max(0.0, min(release_s, statistics.mean(launch) - cycle_s / 2))
    if release_s < 0:
        print("# Turnover is shorter than launch: who follows another starts sooner here than with these keys.")
    if cycle_s > 0:
        print(f"# It decides once a second. In the table [scheduler], which a config has already:\n# cycle_s = {cycle_s}")
    print(f"# Measured by slurm/measure_costs.py {time.strftime('%Y-%m-%d')}, {known.jobs} jobs.\n"
          f"# launch: {said(launch)}\n# turnover: {said(turnover)}\n"
          f"[network]\ndelay_ms = {1000 * delay_s:.0f}\n"
          f"[job_manager]\nlaunch = \"constant\"\nlaunch_s = {max(0.0, statistics.mean(launch) - cycle_s / 2 - delay_s):.3f}")


if __name__ == "__main__":
    main()
