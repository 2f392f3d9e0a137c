"""Small experiments of the program, and what they left in their folders."""

import csv
import json

from logs import SMALL_EXPERIMENT as CONFIG
from somnus_program import somnus

LOADS = """
[experiment]
config = "config.toml"
seeds = 4
metrics = ["response_mean_s"]
[axes]
policy = ["fair", "cfq", "srpt"]
workload.load = [0.5, 0.9]
[baseline]
policy = "fair"
"""

SERVICE_S = 10
LOAD = 0.8
MM1_RESPONSE_S = SERVICE_S / (1 - LOAD)  # 1 / (mu - lambda)

# One server, Poisson arrivals, exponential service, first come, first served.
MM1 = f"""
[cluster]
nodes = 1
slots_per_node = 1
[scheduler]
policy = "fifo"
[workload]
generator = "gridmix-ms"
jobs = 2000
tasks_per_job = 1
per_task = true
mean_s = {SERVICE_S}
jobs_active = 0
jobs_per_minute = {60 * LOAD / SERVICE_S}
"""


def write(folder, experiment=LOADS, config=CONFIG):
    (folder / "config.toml").write_text(config)
    (folder / "experiment.toml").write_text(experiment)


def run(folder, *more, out="out"):
    return somnus(folder, "experiment", "experiment.toml", "-o", out, *more)


def rows(folder, name="results.csv", out="out"):
    with open(folder / out / name, newline="") as file:
        return list(csv.DictReader(file))


def values(folder, metric, **point):
    """seed -> value"""
    return {int(row["seed"]): float(row["value"]) for row in rows(folder)
            if row["metric"] == metric and all(row[k] == v for k, v in point.items())}


def tables(folder, out="out"):
    return [(folder / out / name).read_bytes()
            for name in ("results.csv", "summary.csv", "results.h5", "answers.json")]


def lines_of(path):
    return path.read_text().count("\n") if path.exists() else 0


def sentences(text):
    """Without the breaks of lines."""
    return " ".join(text.split())


def answer_of(folder, metric, out="out"):
    [found] = [each for each in json.loads((folder / out / "answers.json").read_text()) if each["metric"] == metric]
    return found


def interval(folder, metric="response_mean_s"):
    [row] = [each for each in rows(folder, "summary.csv") if each["metric"] == metric]
    mean, half = float(row["mean"]), float(row["half_width_95"])
    return mean - half, mean + half
