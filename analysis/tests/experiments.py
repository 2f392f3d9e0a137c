"""Folders as somnus experiment writes them, of a few points; what figures show; a small config."""

import csv
from pathlib import Path

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from somnus.analysis.figures import style

FIGURES = ["metric", "unit", "runs", "mean", "half_width_95", "difference",
           "difference_half_width_95"]
CONFIG = """
[cluster]
nodes = 4
slots_per_node = 2
[scheduler]
policy = "fair"
[workload]
generator = "elephant-and-mice"
mice = 10
load = 0.9
"""


def write_experiment(folder: Path, keys: list[str], rows: list[tuple], metric="response_mean_s",
                     unit="s", runs=10, replicates="runs") -> Path:
    """Rows: a value a key, then mean, half width, and perhaps difference and its half width.

    replicates: "batches", if means are over these.

    A second call of the same folder adds another metric.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "summary.csv"
    is_new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow([*keys, *(replicates if each == "runs" else each for each in FIGURES)])
        for row in rows:
            point, figures = row[:len(keys)], row[len(keys):]
            writer.writerow([*point, metric, unit, runs, *figures, *[""] * (4 - len(figures))])
    return folder


def expect_all_within(figure: Figure, width: float) -> None:
    """It is so wide, in inches, and nothing that is written reaches beyond it."""
    with matplotlib.rc_context(style.RC):
        renderer = FigureCanvasAgg(figure).get_renderer()
        figure.draw(renderer)
    assert figure.get_figwidth() == width
    whole = figure.bbox.padded(1)
    for part in [*figure.texts, *figure.legends, *figure.axes]:
        box = part.get_tightbbox(renderer)
        assert box is None or (whole.x0 <= box.x0 and box.x1 <= whole.x1), part
        assert box is None or (whole.y0 <= box.y0 and box.y1 <= whole.y1), part


def drawn(axes) -> dict[str, list[tuple[float, ...]]]:
    """What a panel shows, by label in the legend: x, y, and of an interval its low and high end."""
    shown = {}
    for container, label in zip(*axes.get_legend_handles_labels()):
        line, _, bars = container
        segments = bars[0].get_segments() if bars else []
        ends = [tuple(segment[:, 0 if is_flat(segment) else 1]) for segment in segments]
        points = list(zip(line.get_xdata(), line.get_ydata()))
        shown[label] = [point + end for point, end in zip(points, ends)] if ends else points
    return shown


def is_flat(segment) -> bool:
    return len(segment) == 2 and segment[0, 1] == segment[1, 1] and segment[0, 0] != segment[1, 0]
