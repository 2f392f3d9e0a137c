"""How long jobs took, and when they had finished."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from somnus.analysis.figures import bars, distributions, over_time
from somnus.analysis.figures.drawable import Drawable, Options, Policies, bins_of, logs_of, some_log
from somnus.analysis.figures.style import Look
from somnus.analysis.metrics import occupancy, progress
from somnus.analysis.metrics.policies import of_each
from somnus.analysis.reading.log import Log
from somnus.analysis.reading.width import PAPER_BINS


def _distribution(of: Callable[[Log], pd.Series],
                  quantity: str) -> Callable[[Policies, Options], Figure]:
    return lambda policies, options: distributions.cdf({"": of_each(policies, of)}, quantity,
                                                       look=options.look)


def by_width(jobs: Mapping[str, Sequence[pd.DataFrame]], look: Look = Look()) -> Figure:
    """Mean slowdown of each bin of jobs by their number of tasks (CFQ paper, Fig. 6)."""
    titles = [f"{each.name}\n{each.span}" for each in PAPER_BINS]
    means = {label: [frame.groupby("width", observed=False)["slowdown"].mean().set_axis(titles)
                     for frame in runs] for label, runs in jobs.items()}
    # A warm slot can make a job faster than it is alone.
    floor = float(np.nanmin([1.0, *(run.min() for runs in means.values() for run in runs)]))
    return bars.bars(means, "mean slowdown\n(response time / alone)", floor=floor, look=look)


def slowdowns(policies: Policies, options: Options) -> Figure:
    return by_width(of_each(policies, lambda log: log.jobs), look=options.look)


def finished_jobs(policies: Policies, options: Options) -> Figure:
    edges = bins_of(policies, options.look)
    return over_time.curves(of_each(policies, lambda log: occupancy.finished(log.jobs, edges)),
                            "jobs finished", max(len(log.jobs) for log in logs_of(policies)),
                            look=options.look)


FIGURES = (
    Drawable("cdf", "distribution of response times",
             _distribution(lambda log: log.jobs["response_time"], "response time [s]")),
    Drawable("slowdown", "mean slowdown by jobs' width", slowdowns),
    Drawable("finished", "jobs finished over time", finished_jobs),
    Drawable("progress", "distribution of progress rates",
             _distribution(progress.rates, "progress rate (alone / response time)")),
    Drawable("completion", "distribution of completion times from the first start",
             _distribution(lambda log: log.jobs["completion_time"],
                           "completion time from first start [s]"),
             some_log(lambda log: bool(log.jobs["completion_time"].notna().any())),
             "a job that finished"),
)
