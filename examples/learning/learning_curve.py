"""Draws the learning curves that train.py wrote, beside built-in schedulers on the same jobs.

    python3 learning_curve.py learning_curve.csv -o learning_curve.png
"""

import argparse
import csv
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

from evaluate import HERE, built_in

SMOOTH = 10  # iterations
BESIDE = {"fair": "FAIR", "srpt": "SRPT"}


def smoothed(values: np.ndarray) -> np.ndarray:
    """The mean over the last iterations."""
    sums = np.cumsum(np.concatenate([[0.0], values]))
    ends = np.arange(1, len(values) + 1)
    begins = np.maximum(ends - SMOOTH, 0)
    return (sums[ends] - sums[begins]) / (ends - begins)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("curves", type=Path, nargs="*", default=[HERE / "learning_curve.csv"])
    parser.add_argument("-o", "--output", type=Path, default=HERE / "learning_curve.png")
    options = parser.parse_args()
    figure, axes = plt.subplots(figsize=(5, 3), dpi=110, layout="constrained")
    for at, curve in enumerate(options.curves):
        with open(curve, newline="") as file:
            rows = list(csv.DictReader(file))
        seeds = [range(int(row["first_seed"]), int(row["last_seed"]) + 1) for row in rows]
        each = sorted({seed for some in seeds for seed in some})
        theirs = {name: dict(zip(each, values)) for name, values in built_in(("fifo", *BESIDE), each).items()}
        fifo = np.array([np.mean([theirs["fifo"][seed] for seed in some]) for some in seeds])
        own = np.array([float(row["response_mean_s"]) for row in rows])
        axes.plot(smoothed(own / fifo), lw=1.5, label=f"learnt, run {at}")
        if at == 0:
            for (name, label), dash in zip(BESIDE.items(), ("--", ":")):
                ratio = np.mean([theirs[name][seed] for seed in each]) / np.mean([theirs["fifo"][seed] for seed in each])
                axes.axhline(ratio, color="black", ls=dash, lw=1, label=label)
            axes.axhline(1, color="grey", lw=1, label="FIFO")
    axes.set_xlabel("iteration (8 episodes of the same jobs)")
    axes.set_ylabel("mean response time / FIFO's")
    axes.legend(frameon=False, fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(options.output)


if __name__ == "__main__":
    main()
