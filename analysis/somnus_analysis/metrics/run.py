"""The figures of one run, each a plain function of its log, and METRICS, the list of them.

A function gives one number in the unit that METRICS states: seconds, shares of 1, ratios, counts;
NaN where the log has no such value. Names and definitions are those of `somnus summary --json`, and
a test holds the two equal on runs of every kind of preset. Of jobs those that finished count. A
percentile is by nearest rank: the smallest value that so many of all values do not exceed.

What compares runs, or groups their jobs, has modules of its own: users, queues, fairness,
improvement, resources, jain, progress, targets.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from somnus_analysis.metrics import progress, queues, resources, users
from somnus_analysis.reading.log import Log
from somnus_analysis.reading.width import PAPER_BINS


@dataclass(frozen=True)
class RunMetric:
    """A row of the closing table. Titles that begin with blanks belong to the one above."""

    name: str
    unit: str  # s; 1: a count; x: a ratio; %: a share of 1; 1/min
    title: str
    of: Callable[[Log], float]


def jobs_submitted(log: Log) -> float:
    """Jobs that arrived before the run's end. Unit: jobs."""
    return float((log.jobs["state_name"] != "not submitted").sum())


def jobs_in_state(log: Log, state: str) -> float:
    """Jobs that are so at the run's end; `state`: one of log.JOB_STATES. Unit: jobs."""
    return float((log.jobs["state_name"] == state).sum())


def user_count(log: Log) -> float:
    """Users with a job submitted. Unit: users."""
    return float(log.jobs.loc[log.jobs["state_name"] != "not submitted", "user"].nunique())


def mean(log: Log, column: str) -> float:
    """Mean over finished jobs of a column of `Log.jobs`, in its unit.

    response_time = finish - submit; completion_time = finish - first start (Yaq paper, section 5);
    slowdown = response_time / alone, the response time in the idle cluster (CFQ paper, section V-B).
    """
    return float(log.jobs[column].mean())


def percentile(log: Log, column: str, percent: float) -> float:
    """The value that `percent` % of the finished jobs do not exceed, in the column's unit."""
    return users.nearest_rank(log.jobs[column], percent / 100)


def worst_tenth(log: Log, column: str) -> float:
    """Mean of the int(0.1 n) largest of n values (UWFQ paper, Table 1), in the column's unit."""
    return users.worst_tenth(log.jobs[column])


def group_mean(log: Log, group: str) -> float:
    """Mean response time between two percentiles, by users.GROUPS (UWFQ paper, Table 2). Unit: s."""
    return users.group_means(log.jobs["response_time"])[group]


def progress_mean(log: Log, since: str = "submit") -> float:
    """Mean of alone / (finish - since) over finished jobs (PAF paper, section 2). Share of 1."""
    return float(progress.rates(log, since).mean())


def jobs_of_width(log: Log, width: str) -> float:
    """Finished jobs of a bin of width.PAPER_BINS (CFQ paper, Fig. 6). Unit: jobs."""
    return float(_of_width(log, width)["response_time"].count())


def mean_of_width(log: Log, column: str, width: str) -> float:
    """`mean` over the jobs of a bin of width.PAPER_BINS."""
    return float(_of_width(log, width)[column].mean())


def makespan(log: Log) -> float:
    """From the first submit to the last end of a task. Unit: s."""
    first, last = queues.span(log)
    return last - first


def jobs_per_minute(log: Log) -> float:
    """60 x jobs finished / makespan (Yaq paper, Table 3). Unit: 1/min."""
    return _ratio(60 * jobs_in_state(log, "finished"), makespan(log))


def utilisation(log: Log) -> float:
    """Time that slots ran tasks / (slots x makespan). Share of 1.

    Where nodes have no slots that of the most used resource (resources.per_resource).
    """
    if log.resources and not log.slots:
        return _of_most_used(log, "utilisation")
    return _ratio(float(log.tasks["runtime"].sum()), log.slots * makespan(log))


def utilisation_middle(log: Log) -> float:
    """The same from 10 % to 90 % of the makespan, without ramping up and stragglers. Share of 1."""
    if log.resources and not log.slots:
        return _of_most_used(log, "utilisation_middle")
    return queues.middle_utilisation(log)


def queuing(log: Log, figure: str) -> float:
    """Of start - queued, the wait in a node's queue: one of queues.queuing_figures. Unit: s."""
    return queues.queuing_figures(log).get(figure, np.nan)


def attempts(log: Log, outcome: str) -> float:
    """Attempts that ended so; `outcome`: one of log.TASK_OUTCOMES. Unit: attempts."""
    return float((log.tasks["outcome_name"] == outcome).sum())


def _of_width(log: Log, width: str) -> pd.DataFrame:
    return log.jobs[log.jobs["width"] == width]


def _of_most_used(log: Log, figure: str) -> float:
    table = resources.per_resource(log)
    kind = resources.most_used(table)
    return np.nan if kind is None else float(table.at[kind, figure])


def _ratio(over: float, under: float) -> float:
    return over / under if under > 0 else np.nan


def _percentiles(prefix: str, unit: str, column: str, *percents: int) -> list[RunMetric]:
    suffix = "_s" if unit == "s" else ""
    return [RunMetric(f"{prefix}_p{each}{suffix}", unit, "  median" if each == 50 else f"  p{each}",
                      partial(percentile, column=column, percent=each)) for each in percents]


def _widths() -> list[RunMetric]:
    return [row for each in PAPER_BINS for row in (
        RunMetric(f"{each.name}_jobs", "1", f"{each.name} ({each.span}): jobs finished",
                  partial(jobs_of_width, width=each.name)),
        RunMetric(f"{each.name}_response_mean_s", "s", "  response time, mean",
                  partial(mean_of_width, column="response_time", width=each.name)),
        RunMetric(f"{each.name}_slowdown_mean", "x", "  slowdown, mean",
                  partial(mean_of_width, column="slowdown", width=each.name)),
    )]


METRICS = (
    RunMetric("jobs_submitted", "1", "jobs submitted", jobs_submitted),
    RunMetric("jobs_finished", "1", "jobs finished", partial(jobs_in_state, state="finished")),
    RunMetric("jobs_failed", "1", "jobs failed", partial(jobs_in_state, state="failed")),
    RunMetric("user_count", "1", "users", user_count),
    RunMetric("response_mean_s", "s", "response time, mean", partial(mean, column="response_time")),
    *_percentiles("response", "s", "response_time", 50, 95, 99),
    RunMetric("response_worst_tenth_s", "s", "  mean of the worst 10 %",
              partial(worst_tenth, column="response_time")),
    *(RunMetric(f"response_{group.replace('-', '_')}_mean_s", "s", f"  mean of percentiles {group}",
                partial(group_mean, group=group)) for group, *_ in users.GROUPS),
    RunMetric("jct_mean_s", "s", "completion from first start, mean",
              partial(mean, column="completion_time")),
    *_percentiles("jct", "s", "completion_time", 50, 95),
    RunMetric("slowdown_mean", "x", "slowdown, mean", partial(mean, column="slowdown")),
    *_percentiles("slowdown", "x", "slowdown", 50, 95, 99),
    RunMetric("slowdown_worst_tenth", "x", "  mean of the worst 10 %",
              partial(worst_tenth, column="slowdown")),
    RunMetric("progress_mean", "%", "progress rate, alone / response time, mean", progress_mean),
    RunMetric("progress_from_start_mean", "%", "  counted from the first start",
              partial(progress_mean, since="first_start")),
    *_widths(),
    RunMetric("makespan_s", "s", "makespan", makespan),
    RunMetric("jobs_per_minute", "1/min", "jobs finished a minute", jobs_per_minute),
    RunMetric("utilisation", "%", "utilisation", utilisation),
    RunMetric("utilisation_middle", "%", "  from 10 % to 90 % of the makespan", utilisation_middle),
    RunMetric("queuing_mean_s", "s", "wait in a node's queue, mean",
              partial(queuing, figure="queuing_mean_s")),
    RunMetric("queuing_deviation_s", "s", "  standard deviation",
              partial(queuing, figure="queuing_deviation_s")),
    *(RunMetric(f"queuing_p{each}_s", "s", title, partial(queuing, figure=f"queuing_p{each}_s"))
      for each, title in ((50, "  median"), (95, "  p95"))),
    *(RunMetric(f"attempts_{outcome}", "1", f"attempts {outcome}", partial(attempts, outcome=outcome))
      for outcome in ("failed", "lost", "returned", "killed")),
)
