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
