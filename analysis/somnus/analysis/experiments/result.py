"""An experiment's results for a notebook: frames, figures, and a table of means with their intervals."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from somnus.analysis.base.errors import UserError
from somnus.analysis.base.text import csv_text, html_table, number, printable, table
from somnus.analysis.experiments import figures, layout
from somnus.analysis.experiments.table import UNREAD, USUAL, Experiment, read, with_names_of_orders
from somnus.analysis.experiments.words import Metric

SHOWN = 12  # points in a notebook's table, at least one of each policy
NO_CELL = "–"  # a run does not have that figure


class ExperimentResult:
    """What `somnus experiment` wrote into a folder. Raises UserError if it wrote nothing there."""

    def __init__(self, folder: str | Path, metrics: Sequence[str] | None = None):
        """metrics: those of tables and figures where none are named; None: the usual ones."""
        self.folder = Path(folder)
        self.experiment: Experiment = read(self.folder)
        self._metrics = None if metrics is None else tuple(metrics)

    @property
    def points(self) -> int:
        """Combinations of the axes' values."""
        return len(self.experiment.table[list(self.experiment.keys)].drop_duplicates())

    @property
    def metrics(self) -> list[str]:
        """All figures of the runs, by name."""
        return [metric.name for metric in self.experiment.metrics]

    @property
    def answers(self) -> dict[str, list[str]]:
        """By metric: in sentences who is better than the baseline, from where on, and who is best where."""
        return {name: list(answer.words) for name, answer in self.experiment.answers.items()}

    @cached_property
    def summary(self) -> pd.DataFrame:
        """A row a point and metric: runs, mean, half_width_95, and the difference to the baseline.

        The half widths are of 95 % confidence intervals. Differences are shares of the baseline's mean. Of an
        experiment with batches, runs says over how many of these a mean is, and 1 that it is of the whole run.
        """
        return _typed(self.experiment.table, self.experiment.keys)

    @cached_property
    def results(self) -> pd.DataFrame:
        """A row a point, seed and metric, with its unit and value; of batches one each, and batch 0 is the run."""
        file = self.folder / "results.csv"
        try:
            found = pd.read_csv(file, dtype=str, keep_default_na=False, index_col=False)
            keys = list(found.columns[:found.columns.get_loc("seed")])
            found[keys] = found[keys].apply(lambda column: column.map(csv_text))
            found = found.astype({"seed": int, "value": float} | ({"batch": int} if "batch" in found else {}))
        except (KeyError, OSError, ValueError) as error:
            raise UserError(f"{file}: not the results of an experiment: {error}") from error
        return _typed(with_names_of_orders(found), self.experiment.keys)

    def table(self, *metrics: str) -> pd.DataFrame:
        """A row a point: the axes' values, and a column a metric with its mean. Raises UserError: it is not there."""
        keys = list(self.experiment.keys)
        found = self.summary[keys].drop_duplicates()
        for metric in self._chosen(metrics):
            means = self.summary.loc[self.summary["metric"] == metric.name, [*keys, "mean"]]
            found = found.merge(means.rename(columns={"mean": metric.name}), how="left", on=keys)
        return found

    def figures(self, *metrics: str, x: str | None = None, width: str = "column") -> dict[str, Figure]:
        """By name: the means of each metric over an axis, and the differences to the baseline if there is one.

        x: the axis along x; None: the numeric one with the most values. width: "column" or "page".
        Raises UserError if nobody could read the figure.
        """
        arranged = layout.arrange(self.experiment, x)
        return {name: figure for metric in self._chosen(metrics)
                for name, figure in figures.draw(self.experiment, arranged, metric, width).items()}

    def _chosen(self, metrics: Sequence[str]) -> list[Metric]:
        return self.experiment.chosen(metrics or self._metrics)

    def _rows(self) -> list[list[str]]:
        """Means with their intervals, and behind them the differences; the first row is the head."""
        keys = list(self.experiment.keys)
        by_name = {metric.name: metric for metric in self.experiment.metrics}
        chosen = [by_name[name] for name in self._metrics or USUAL if name in by_name]
        points = self.experiment.table[keys].drop_duplicates().itertuples(index=False, name=None)
        cells = {point: [NO_CELL] * len(chosen) for point in points}
        for place, metric in enumerate(chosen):
            unit, divisor = ("%", 0.01) if metric.unit == "%" else (metric.unit, 1.0)
            for row in self.experiment.of(metric).to_dict("records"):
                cell = f"{number(row['mean'] / divisor)} ± {number(row['half_width_95'] / divisor)}"
                if pd.notna(row["difference"]):
                    cell += f" ({100 * row['difference']:+.1f} %)"
                cells[tuple(row[key] for key in keys)][place] = cell
        heads = [*(printable(key.rpartition(".")[2]) for key in keys),
                 *(metric.name if metric.unit in ("1", "x", "s") else f"{metric.name} [{metric.unit}]"
                   for metric in chosen)]
        names = self.experiment.names
        return [heads, *([*(printable(names.get(value, value) if key == "policy" else value)
                            for key, value in zip(keys, point)), *row] for point, row in cells.items())]

    def _shown(self) -> tuple[list[list[str]], list[str]]:
        """The head and some rows, of each policy as many; and what is said below them."""
        head, *rows = self._rows()
        each = max(SHOWN // max(len(self.experiment.names), 1), 1)
        met: Counter[str] = Counter()
        shown = []
        for row in rows:
            policy = row[head.index("policy")] if self.experiment.names else ""
            met[policy] += 1
            if len(rows) <= SHOWN or met[policy] <= each:
                shown.append(row)
        more = [f"and {len(rows) - len(shown)} more"] if len(shown) < len(rows) else []
        return [head, *shown], [*self.experiment.meanings, *more]

    def _caption(self) -> str:
        baseline = self.experiment.baseline
        return (f"means ± 95 % of {self.points} points" + (f" (difference to {baseline})" if baseline else "")
                + f", {self.folder}")

    def __repr__(self) -> str:
        rows, below = self._shown()
        return "\n".join([self._caption(), table(rows, keys=len(self.experiment.keys)), *below])

    def _repr_html_(self) -> str:
        return html_table(self._shown()[0], self._caption(), self._shown()[1])


def _typed(frame: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Keys of numbers alone as numbers; where some points do not read a key, it is NaN there."""
    found = frame.copy()
    for key in keys:
        numbers = pd.to_numeric(found[key].mask(found[key] == UNREAD), errors="coerce")
        if numbers.notna().any() and not (numbers.isna() & (found[key] != UNREAD)).any():
            found[key] = numbers
    return found
