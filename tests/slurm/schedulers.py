"""Jobs that sleep, on a real Slurm, simulated and emulated.

    schedulers.py record FOLDER JOBS            submits them; FOLDER/jobs.json has what became of them
    schedulers.py compare FOLDER SCHEDULER SOMNUS    FOLDER/costs.toml: what Slurm itself costs
"""

import json
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import h5py
import numpy
import pandas

NODES, CPUS = 2, 32
LOAD = 0.8
# Of the mean response time, and Spearman's correlation of the jobs'. Sixty jobs that respond within
# seconds, of which Slurm's own second is a good part: less than the long recordings' agreement.
MEAN_WITHIN, CORRELATION_ABOVE = 0.15, 0.9


def drawn(count):
    """Submit [s], CPUs, sleep [s], limit [min]: load 0.8 with the second that Slurm adds."""
    draws = random.Random(1)
    jobs, submit = [], 0.0
    for _ in range(count):
        cpus = min(NODES * CPUS, 2 ** draws.randint(0, 6) + draws.randint(0, 8))
        jobs.append((submit, cpus, draws.uniform(1, 6), draws.randint(1, 3)))
        submit += draws.expovariate(1)
    area = sum(cpus * (sleep + 1) for _, cpus, sleep, _ in jobs)
    stretch = area / (LOAD * NODES * CPUS) / jobs[-1][0]
    return [(submit * stretch, *rest) for submit, *rest in jobs]


def record(folder, count):
    jobs, begin, called = drawn(count), time.time() + 1, []
    for at, (submit, cpus, sleep, limit) in enumerate(jobs):
        time.sleep(max(0.0, begin + submit - time.time()))
        called.append(time.time())
        subprocess.run(["sbatch", "--quiet", f"--ntasks={cpus}", f"--time={limit}", f"--output={folder}/{at}.out", "--wrap",
                        f"sleep {sleep:.3f}; date +%s.%N > {folder}/{at}.end"], check=True)
    ends, last = [], time.monotonic() + 300
    for at in range(count):
        file = folder / f"{at}.end"
        while not (file.exists() and file.read_text().endswith("\n")):
            if time.monotonic() > last:
                sys.exit(f"FAILED: job {at} has not ended")
            time.sleep(0.1)
        ends.append(float(file.read_text()))
    rows = [{"submit": when - called[0], "cpus": cpus, "sleep": round(sleep, 3), "limit_s": 60 * limit, "end": end - called[0],
             "clock": called[0] % 30} for when, end, (_, cpus, sleep, limit) in zip(called, ends, jobs)]
    (folder / "jobs.json").write_text(json.dumps(rows))


def responses(log):
    with h5py.File(log) as file:
        jobs = file["jobs"]
        return jobs["finish"][:] - jobs["submit"][:]


def compare(folder, scheduler, somnus):
    rows = json.loads((folder / "jobs.json").read_text())
    with open(folder / "workload.jsonl", "w") as file:
        file.write('{"somnus_workload": 1, "name": "recorded"}\n')
        for at, row in enumerate(rows):
            file.write(json.dumps({"job": str(at), "submit": row["submit"], "tasks": row["cpus"], "duration": row["sleep"],
                                   "gang": True, "limit_s": row["limit_s"]}) + "\n")
    cycles = ("[scheduler.slurm]\nbf_interval_s = 1\nbf_resolution_s = 1\nsched_interval_s = 1\n"
              f"clock_s = {rows[0]['clock']:.3f}\n") if scheduler == "backfill" else ""
    costs = (folder / "costs.toml").read_text()
    cycle = re.search(r"^# (cycle_s = .*)$", costs, re.MULTILINE)
    (folder / "config.toml").write_text(
        f"[cluster]\nnodes = {NODES}\nslots_per_node = {CPUS}\n[scheduler]\npolicy = \"slurm-{scheduler}\"\n"
        f"{cycle[1] if cycle else ''}\n{cycles}[workload]\nfile = \"workload.jsonl\"\n[limits]\ngrace_s = 60\n{costs}\n")
    commands = {"simulated": ["simulate"], "emulated": ["run", "--ranks", "3"]}
    real = numpy.array([row["end"] - row["submit"] for row in rows])
    print(f"{scheduler}: mean response of {len(rows)} jobs, Slurm's {real.mean():.2f} s")
    holds = True
    for name, command in commands.items():
        log = folder / f"{name}.h5"
        subprocess.run([somnus, command[0], "config.toml", *command[1:], "-q", "--log", log.name], cwd=folder, check=True)
        subprocess.run([somnus, "check", log.name], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        ours = responses(log)
        differs = ours.mean() / real.mean() - 1
        ranks = pandas.DataFrame({"real": real, "ours": ours}).rank()
        correlation = ranks["real"].corr(ranks["ours"])
        print(f"  {name} {ours.mean():.2f} s, {100 * differs:+.1f} %; rank correlation {correlation:.3f}")
        holds = holds and abs(differs) < MEAN_WITHIN and correlation > CORRELATION_ABOVE
    if not holds:
        sys.exit(f"FAILED: expected within {100 * MEAN_WITHIN:.0f} % and above {CORRELATION_ABOVE}")


if __name__ == "__main__":
    if sys.argv[1] == "record":
        record(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        compare(Path(sys.argv[2]), sys.argv[3], sys.argv[4])
