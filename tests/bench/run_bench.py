#!/usr/bin/python3
"""The real program over MPI on this machine: how many tasks a second it carries, how late tasks end
at speed 1, and what rank 0 needs for more ranks, each beside its floor. Needs two cores that nobody
else uses.

    run_bench [--runs N] [--tasks N] [--seconds S] [--workers N...]
    run_bench --json [--somnus PROGRAM] [--floors FOLDER]

It stands in the build folder (tests/bench), from where it finds somnus and the floors, unless it is
given others. Figures are min / median / max over the runs; README.md says what each means. --json
prints medians of throughput and its floor alone, which paired.py compares between two builds.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy

HERE = Path(__file__).resolve().parent
SOMNUS = HERE.parents[1] / "emulator" / "somnus"
FLOORS = HERE / "parts"

MARK = f"SOMNUS_BENCH={os.getpid()}"  # in the environment of what we start

NODES, SLOTS_PER_NODE = 1000, 8
TASKS_PER_JOB = 1000

CLUSTER = f"""
[cluster]
nodes = {NODES}
slots_per_node = {SLOTS_PER_NODE}
[scheduler]
policy = "fifo"
"""


def environment():
    """Open MPI refuses root, and more ranks than cores, without these."""
    return os.environ | {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        **dict([MARK.split("=")]),
    }


def call(*words):
    done = subprocess.run([str(word) for word in words], env=environment(), text=True,
                          stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"run_bench: exit code {done.returncode} from: {' '.join(map(str, words))}")
    return done.stdout


def emulate(folder, name, config):
    """One run with one worker rank; returns its log's path."""
    file = folder / f"{name}.toml"
    file.write_text(config)
    log = folder / f"{name}.h5"
    call(SOMNUS, "run", file, "--ranks", 2, "--log", log, "--quiet")
    return log


def spread(values, form="{:,.0f}"):
    low, middle, high = min(values), statistics.median(values), max(values)
    return " / ".join(form.format(value) for value in (low, middle, high))


def peak_kb_of_rank_0(run):
    """Of the processes below that one, until it ends; the last look is up to 50 ms before."""
    peak_kb = 0
    while run.poll() is None:
        time.sleep(0.05)
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                words = (entry / "environ").read_bytes().split(b"\0")
                if MARK.encode() not in words or b"OMPI_COMM_WORLD_RANK=0" not in words:
                    continue
                if os.readlink(entry / "exe") == str(SOMNUS.resolve()):
                    status = (entry / "status").read_text()
                    peak_kb = max(peak_kb, int(status.split("VmHWM:")[1].split()[0]))
            except (OSError, IndexError):
                continue  # it has just ended
    return peak_kb


def load():
    return "load {:.1f} {:.1f} {:.1f}".format(*os.getloadavg())


def cpu_shares(log):
    return log["/ranks"]["cpu"][:]


def throughput(folder, tasks, runs):
    """Tasks a second of each run, and the cores that its ranks used."""
    jobs = max(1, tasks // TASKS_PER_JOB)
    config = CLUSTER + f"""
[workload]
generator = "fixed"
jobs = {jobs}
tasks = {TASKS_PER_JOB}
duration_s = 0
interval_s = 0
"""
    rates, cpu = [], []
    for _ in range(runs):
        path = emulate(folder, "throughput", config)
        with h5py.File(path) as log:
            rows = log["/tasks"]
            last = rows["finish"].max()
            first = log["/jobs"]["submit"].min()
            rates.append(len(rows) / (last - first))
            cpu.append(cpu_shares(log))
        path.unlink()
    return rates, cpu


def print_throughput(folder, tasks, runs):
    rates, cpu = throughput(folder, tasks, runs)
    print(f"run: {tasks:,} tasks of 0 s, 1 worker rank, log on, {load()}")
    print(f"  tasks/s            {spread(rates)}   (budget 4,000,000)")
    print(f"  cores              rank 0 {spread([c[0] for c in cpu], '{:.2f}')}, "
          f"worker {spread([c[1] for c in cpu], '{:.2f}')}")


def echoes_over_mpi(runs):
    return [json.loads(call("mpirun", "--bind-to", "none", "-n", 2, FLOORS / "mpi_echo"))
            for _ in range(runs)]


def mpi_floor(runs):
    echoes = echoes_over_mpi(runs)
    print(f"floor: the same messages echoed over MPI, both ranks spin, {load()}")
    for batch in echoes[0]["tasks_per_s"]:
        rates = [echo["tasks_per_s"][batch] for echo in echoes]
        print(f"  batch {batch:>5} tasks/s {spread(rates)}")
    print(f"  one way, us        {spread([echo['one_way_us'] for echo in echoes], '{:.2f}')}")


def write_steady_load(path, seconds):
    """Jobs of 100 tasks of 1 to 2 s that keep 95 % of the slots busy."""
    draws = random.Random(1)
    tasks, mean_s = 100, 1.5
    interval = tasks * mean_s / (0.95 * NODES * SLOTS_PER_NODE)
    with open(path, "w") as file:
        file.write('{"somnus_workload": 1, "name": "steady"}\n')
        for job in range(int(seconds / interval)):
            durations = [round(draws.uniform(1, 2), 4) for _ in range(tasks)]
            line = {"job": str(job), "submit": round(job * interval, 6), "durations": durations}
            file.write(json.dumps(line) + "\n")


def lateness(folder, seconds, runs):
    workload = folder / "steady.jsonl"
    write_steady_load(workload, seconds)
    config = CLUSTER + f'[workload]\nfile = "{workload}"\n[run]\nspeed = 1\n'
    p50, p99, most, cpu = [], [], [], []
    for _ in range(runs):
        path = emulate(folder, "lateness", config)
        with h5py.File(path) as log:
            rows = log["/tasks"][:]
            late_ms = (rows["finish"] - rows["start"] - rows["intended"]) * 1e3
            p50.append(numpy.quantile(late_ms, 0.5))
            p99.append(numpy.quantile(late_ms, 0.99))
            most.append(late_ms.max())
            cpu.append(cpu_shares(log))
        path.unlink()
    print(f"run: {NODES * SLOTS_PER_NODE:,} slots, speed 1, tasks of 1 to 2 s, {seconds} s, "
          f"1 worker rank, {load()}")
    print(f"  lateness p50, ms   {spread(p50, '{:.3f}')}")
    print(f"  lateness p99, ms   {spread(p99, '{:.3f}')}   (budget 1)")
    print(f"  lateness max, ms   {spread(most, '{:.3f}')}")
    print(f"  cores              rank 0 {spread([c[0] for c in cpu], '{:.2f}')} (budget 0.20), "
          f"worker {spread([c[1] for c in cpu], '{:.2f}')}")


def by_workers(folder, seconds, counts):
    """One run each: a figure that is the machine's beside one that grows by what a rank needs."""
    workload = folder / "steady.jsonl"
    write_steady_load(workload, seconds)
    config = folder / "ranks.toml"
    config.write_text(CLUSTER + f'[workload]\nfile = "{workload}"\n[run]\nspeed = 1\n')
    log = folder / "ranks.h5"
    print(f"run: the same load by worker ranks, {load()}")
    print("  workers  rank 0, MB  floor, MB  messages/s of rank 0  its lag p99, ms  cores in all")
    for count in counts:
        run = subprocess.Popen([SOMNUS, "run", config, "--ranks", str(count + 1), "--log", log,
                                "--force", "--quiet"], env=environment())
        peak_kb = peak_kb_of_rank_0(run)
        if run.returncode != 0:
            sys.exit(f"run_bench: exit code {run.returncode} with {count} workers")
        floor_kb = json.loads(call("mpirun", "--bind-to", "none", "-n", count + 1, FLOORS / "mpi_echo",
                                   "memory"))["peak_kb"]
        with h5py.File(log) as file:
            ranks = file["/ranks"][:]
            lived = float(file["/tasks"]["finish"].max())
            messages = (int(ranks[0]["messages_in"]) + int(ranks[0]["messages_out"])) / lived
            print(f"  {count:>7}  {peak_kb / 1024:>10.1f}  {floor_kb / 1024:>9.1f}  "
                  f"{messages:>20,.0f}  {ranks[0]['late_p99'] * 1e3:>15.3f}  "
                  f"{ranks['cpu'].sum():>12.2f}", flush=True)
        log.unlink()


def sleep_floor(runs):
    sleeps = [json.loads(call(FLOORS / "sleep_jitter")) for _ in range(runs)]
    print(f"floor: one thread that only sleeps, {load()}")
    for figure in ("p50_ms", "p99_ms"):
        label = f"late {figure[:3]}, ms"
        print(f"  {label:<18} {spread([sleep[figure] for sleep in sleeps], '{:.3f}')}")


def medians(folder, tasks, runs):
    rates, _ = throughput(folder, tasks, runs)
    echoes = [max(echo["tasks_per_s"].values()) for echo in echoes_over_mpi(runs)]
    return {"tasks_per_s": statistics.median(rates), "floor_tasks_per_s": statistics.median(echoes)}


def main():
    global SOMNUS, FLOORS
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, help="how often each is measured")
    parser.add_argument("--tasks", type=int, default=2_000_000, help="of a throughput run")
    parser.add_argument("--seconds", type=int, default=20, help="length of a lateness run")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 4, 16, 64],
                        help="worker ranks of the runs that show what rank 0 needs for them")
    parser.add_argument("--json", action="store_true", help="medians of throughput, for paired.py")
    parser.add_argument("--somnus", type=Path, default=SOMNUS, help="the program to measure")
    parser.add_argument("--floors", type=Path, default=FLOORS, help="where mpi_echo is")
    options = parser.parse_args()
    SOMNUS, FLOORS = options.somnus, options.floors
    with tempfile.TemporaryDirectory(prefix="somnus-bench-") as folder:
        if options.json:
            print(json.dumps(medians(Path(folder), options.tasks, options.runs)))
            return
        print_throughput(Path(folder), options.tasks, options.runs)
        mpi_floor(options.runs)
        lateness(Path(folder), options.seconds, options.runs)
        sleep_floor(options.runs)
        by_workers(Path(folder), options.seconds, options.workers)


if __name__ == "__main__":
    main()
