#!/usr/bin/python3
"""What `somnus advise` finds for five kinds of workload, beside all presets with 40 seeds that it never saw.

    tests/studies/advice.py build/release/emulator/somnus [WORKLOAD ...]

Not a test: some minutes of two cores. It prints the table of docs/advice.md, a line a workload: what was advised,
its mean response time beside that of the best preset of the fresh seeds and beside that of the config's own
scheduler, pair by pair with 95 % intervals by Student's t, how many schedulers were tried in how many runs, and the
CPU time of that. Two workloads are traces of ../shared, and left out where it is absent.
"""

import csv
import json
import math
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import scipy.stats

SEEDS = 40
FIRST_SEED = 5_000_001
METRIC = "response_mean_s"
TRACES = Path(__file__).resolve().parents[3] / "shared" / "traces"

HEAD = """| workload | own | advised | beside the best preset | beside its own | tried | runs | CPU time |
|---|---|---|---|---|---|---|---|"""
TITLES = {
    "google": "like Google's, 200 slots, load 0.85",
    "hive": "Hive queries, 80 nodes of 4 slots, heartbeats",
    "dags": "synthetic DAGs like TPC-H's, 86 machines of six resources",
    "cold": "TPC-H on Spark, as measured, 50 slots, JVMs that begin cold",
    "rigid": "a rigid log (NASA iPSC), 128 slots, load 0.8, rounded limits",
}
WORKLOADS = {
    "google": """
[cluster]
nodes = 50
slots_per_node = 4
[scheduler]
policy = "fair"
[workload]
generator = "google"
jobs = 500
load = 0.85
""",
    "hive": """
[cluster]
nodes = 80
slots_per_node = 4
[scheduler]
policy = "yaq-c"
[estimate]
model = "stage-mean"
[workload]
generator = "hive-ms"
jobs = 200
jobs_active = 40
""",
    "dags": """
[cluster]
nodes = 86
resources = { cpu = 1, mem = 1, io1 = 1, io2 = 1, io3 = 1, io4 = 1 }
[scheduler]
policy = "drf"
[workload]
generator = "dags"
like = "tpc-h"
jobs = 150
interarrival_s = 20
""",
    "cold": f"""
[cluster]
nodes = 25
slots_per_node = 2
[scheduler]
policy = "fair"
[jvm]
model = "measured"
[workload]
generator = "dag-library"
library = {json.dumps(str(TRACES / "decima_tpch/decima_tpch.jsonl.gz"))}
only = ["*-20g", "*-50g"]
with = {{ executors = 50 }}
jobs = 60
arrivals = "poisson"
interarrival_s = 25
""",
    "rigid": f"""
[cluster]
nodes = 32
slots_per_node = 4
[scheduler]
policy = "easy"
[limits]
model = "rounded"
[workload]
file = {json.dumps(str(TRACES / "swf/NASA-iPSC-1993-3.1-cln.swf.gz"))}
jobs = 1000
resample = 10
load = 0.8
""",
}


def values(folder: Path) -> dict[str, list[float]]:
    """By policy, the metric by seed."""
    found: dict[str, dict[int, float]] = {}
    with open(folder / "results.csv", newline="") as file:
        for row in csv.DictReader(file):
            if row["metric"] == METRIC:
                found.setdefault(row["policy"], {})[int(row["seed"])] = float(row["value"])
    return {policy: [by_seed[seed] for seed in sorted(by_seed)] for policy, by_seed in found.items()
            if len(by_seed) == SEEDS}


def beside(ours: list[float], theirs: list[float]) -> str:
    differences = [a - b for a, b in zip(ours, theirs, strict=True)]
    half = scipy.stats.t.ppf(0.975, SEEDS - 1) * statistics.stdev(differences) / math.sqrt(SEEDS)
    whole = statistics.mean(theirs)
    return f"{100 * statistics.mean(differences) / whole:+.1f} % +- {100 * half / whole:.1f}"


def cpu_s() -> float:
    """Of the programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def in_words(label: str) -> str:
    return label.replace("+", ", ").replace("=", " ")


def study(somnus: str, name: str, config: str, folder: Path) -> str:
    (folder / "config.toml").write_text(config)
    before = cpu_s()
    subprocess.run([somnus, "advise", "config.toml", "-o", "advice", "-q"], cwd=folder, check=True)
    took = cpu_s() - before
    advice = json.loads((folder / "advice/advice.json").read_text())
    presets = [each["policy"] for group in ("finalists", "presets") for each in advice[group] if each["preset"]]
    policies = list(dict.fromkeys([advice["best"], advice["own"], *presets]))
    (folder / "fresh.toml").write_text(f"""
[experiment]
config = "config.toml"
seeds = {SEEDS}
first_seed = {FIRST_SEED}
metrics = ["{METRIC}"]
[axes]
policy = {json.dumps(policies)}
""")
    subprocess.run([somnus, "experiment", "fresh.toml", "-o", "fresh", "-q"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    found = values(folder / "fresh")
    best = min((policy for policy in presets if policy in found), key=lambda policy: statistics.mean(found[policy]))
    ours = found[advice["best"]]
    beside_best = "is it" if best == advice["best"] else f"{in_words(best)}: {beside(ours, found[best])}"
    cells = [TITLES[name], in_words(advice["own"]), in_words(advice["best"]), beside_best,
             beside(ours, found[advice["own"]]), str(advice["tried"]), str(advice["runs"]), f"{took:.0f} s"]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    somnus = str(Path(sys.argv[1]).resolve())
    print(HEAD)
    for name in sys.argv[2:] or WORKLOADS:
        config = WORKLOADS[name]
        if str(TRACES) in config and not TRACES.is_dir():
            print(f"{name} is left out: {TRACES} is absent", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory(prefix="somnus-") as folder:
            print(study(somnus, name, config, Path(folder)), flush=True)


if __name__ == "__main__":
    main()
