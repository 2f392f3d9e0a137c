"""The figures of logs: what each draws of which metric. figure_list has their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from somnus_analysis import (
    bar_figures,
    distribution_figures,
    fairness,
    improvement,
    jain,
    occupancy,
    progress,
    queues,
    resources,
    slot_figures,
    steps,
    target_figures,
    time_figures,
    user_figures,
)
from somnus_analysis.log import Log, LogError
from somnus_analysis.policies import Policy, of_each
from somnus_analysis.slot_figures import Window
from somnus_analysis.style import Look
from somnus_analysis.width import PAPER_BINS

Policies = Sequence[Policy]

BY = (*occupancy.BY, "resource")  # whose shares


@dataclass(frozen=True)
class Options:
    """How a figure is drawn. `against`: the reference's runs, one, or one a seed."""

    look: Look = Look()
    by: str = "job"
    against: Sequence[Log] = ()
    window: Window = field(default_factory=Window)

    @property
    def reference(self) -> str:
        return self.against[0].label

    def reference_of(self, log: Log) -> Log:
        """Of its seed, or the only one there is. Raises LogError if there is none of its seed."""
        if len(self.against) == 1:
            return self.against[0]
        for each in self.against:
            if each.attributes.get("seed") == log.attributes.get("seed"):
                return each
        there = ", ".join(str(each.path) for each in self.against)
        raise LogError(f"{log.path}: no reference of seed {log.attributes.get('seed')}; --against has "
                       f"{there}")


def _all_logs(policies: Policies) -> list[Log]:
    return [log for policy in policies for log in policy.logs]


def _edges(policies: Policies, bins: int = queues.BINS) -> np.ndarray:
    """Of bins over all runs' time, the same for all, so that seeds can be averaged."""
    spans = np.array([queues.span(log) for log in _all_logs(policies)]).reshape(-1, 2)
    ends = [log.samples["time"].max() for log in _all_logs(policies)]
    first, last = np.nanmin([*spans[:, 0], np.inf]), np.nanmax([*spans[:, 1], *ends, -np.inf])
    return np.linspace(first, last, bins + 1) if last > first else np.array([])


def _first_runs(policies: Policies) -> tuple[dict[str, Log], str]:
    """Of what no mean can be drawn: a run of each policy, and what the figure says of that."""
    several = any(len(policy.logs) > 1 for policy in policies)
    seeds = {str(policy.logs[0].attributes.get("seed")) for policy in policies}
    note = f"one run each, of seed {', '.join(sorted(seeds))}" if several else ""
    return {policy.label: policy.logs[0] for policy in policies}, note


def _others(policies: Policies, options: Options) -> Policies:
    """Without the reference, unless there is nothing else."""
    known = {log.path.resolve() for log in options.against}
    found = [policy for policy in policies
             if not known.issuperset(log.path.resolve() for log in policy.logs)]
    return found or policies


def _jobs(column: str) -> Callable[[Log], pd.Series]:
    return lambda log: log.jobs[column]


def response_times(policies: Policies, options: Options) -> Figure:
    return distribution_figures.cdf({"": of_each(policies, _jobs("response_time"))},
                                    "response time [s]", look=options.look)


def completion_times(policies: Policies, options: Options) -> Figure:
    return distribution_figures.cdf({"": of_each(policies, _jobs("completion_time"))},
                                    "completion time from first start [s]", look=options.look)


def progress_rates(policies: Policies, options: Options) -> Figure:
    return distribution_figures.cdf({"": of_each(policies, progress.rates)},
                                    "progress rate (alone / response time)", look=options.look)


def by_width(jobs: Mapping[str, Sequence[pd.DataFrame]], look: Look = Look()) -> Figure:
    """Mean slowdown of each bin of jobs by their number of tasks (CFQ paper, Fig. 6)."""
    titles = [f"{each.name}\n{each.span}" for each in PAPER_BINS]
    means = {label: [frame.groupby("width", observed=False)["slowdown"].mean().set_axis(titles)
                     for frame in runs] for label, runs in jobs.items()}
    # A warm slot can make a job faster than it is alone.
    floor = float(np.nanmin([1.0, *(run.min() for runs in means.values() for run in runs)]))
    return bar_figures.bars(means, "mean slowdown\n(response time / alone)", floor=floor, look=look)


def slowdowns(policies: Policies, options: Options) -> Figure:
    return by_width(of_each(policies, lambda log: log.jobs), look=options.look)


def utilisation(policies: Policies, options: Options) -> Figure:
    edges = _edges(policies)

    def of(log: Log) -> pd.Series:
        samples = log.samples.groupby("time")[["utilisation"]].last()
        return steps.means(samples, edges)["utilisation"]

    slots = all(log.slots for log in _all_logs(policies))
    # A column by the label, so that each panel has its line's looks.
    shares = {label: [run.to_frame(label) for run in runs]
              for label, runs in of_each(policies, of).items()}
    return time_figures.panels(shares, "busy slots" if slots else "share in use", legend=False,
                               look=options.look)


def shares(policies: Policies, options: Options) -> Figure:
    if options.by == "resource":
        return use_of_resources(policies, options)
    note = ""
    if options.by == "job":  # those of another seed are other jobs
        runs, note = _first_runs(policies)
        policies = [Policy(label, (log,)) for label, log in runs.items()]
    names = occupancy.largest(_all_logs(policies), options.by)
    called = {name: f"{options.by} {name}" for name in names if name.isdigit()}
    edges = _edges(policies)

    def of(log: Log) -> pd.DataFrame:
        return occupancy.shares(log, edges, options.by, names).rename(columns=called)

    return time_figures.panels(of_each(policies, of), "share of the cluster", said=note,
                               look=options.look)


def queue_lengths(policies: Policies, options: Options) -> Figure:
    edges = _edges(policies)
    return time_figures.curves(of_each(policies, lambda log: queues.queue_length(log, edges)),
                               "tasks in the nodes' queues", look=options.look)


def finished_jobs(policies: Policies, options: Options) -> Figure:
    edges = _edges(policies)
    return time_figures.curves(of_each(policies, lambda log: occupancy.finished(log.jobs, edges)),
                               "jobs finished", max(len(log.jobs) for log in _all_logs(policies)),
                               look=options.look)


def use_of_resources(policies: Policies, options: Options) -> Figure:
    edges = _edges(policies)
    found = of_each(policies, lambda log: resources.mean_shares(log, edges))
    return time_figures.panels(found, "share in use", all_there_is=True, look=options.look)


def leftover(policies: Policies, options: Options) -> Figure:
    edges = _edges(policies)
    found = of_each(policies, lambda log: resources.leftover(log, edges))
    return time_figures.panels(found, "share free while a task waits", look=options.look)


def evenness(policies: Policies, options: Options) -> Figure:
    def of(log: Log) -> pd.Series:
        found = jain.over_windows(log)["raw"]  # from the first submit on, which differs by seed
        return found.set_axis(pd.Index(jain.WINDOW_S * np.arange(len(found)), name="time"))

    return time_figures.curves(of_each(policies, of), f"Jain's index over {jain.WINDOW_S:g} s", 1.0,
                               look=options.look)


def targets(policies: Policies, options: Options) -> Figure:
    runs, note = _first_runs(policies)
    told = {label: target_figures.panels(log) for label, log in runs.items() if len(log.targets)}
    return target_figures.of_jobs(told, note, look=options.look)


def gantt(policies: Policies, options: Options) -> Figure:
    runs, note = _first_runs(policies)
    return slot_figures.gantt(runs, options.window, note, look=options.look)


def speedups(policies: Policies, options: Options) -> Figure:
    values = of_each(_others(policies, options),
                     lambda log: improvement.speedups(log, options.reference_of(log)))
    return distribution_figures.factors(values, f"factor of improvement over {options.reference}",
                                        look=options.look)


def users(policies: Policies, options: Options) -> Figure:
    found = of_each(_others(policies, options),
                   lambda log: fairness.between_users_of(log, options.reference_of(log)))
    return user_figures.deviations({f"against {options.reference}": found},
                                   "mean response time,\nchange", look=options.look)


def deadlines(policies: Policies, options: Options) -> Figure:
    def of(log: Log) -> pd.Series:
        ratios = fairness.ratios(fairness.deviations(log, options.reference_of(log)))
        return pd.Series({"violations (DVR)": ratios.dvr, "slack (DSR)": ratios.dsr})

    return bar_figures.bars(of_each(_others(policies, options), of),
                            f"mean deviation from {options.reference}", percent=True,
                            look=options.look)


def lateness(policies: Policies, options: Options) -> Figure:
    def of(log: Log) -> pd.Series:
        return 1000 * log.tasks["lateness"].where(log.tasks["outcome_name"] == "finished")

    return distribution_figures.cdf({"": of_each(policies, of)}, "task lateness [ms, emulated]",
                                    of="tasks", look=options.look)


def decision_latency(policies: Policies, options: Options) -> Figure:
    names = {"decision_p50": "round,\nmedian", "decision_p99": "round,\np99",
             "lag_p50": "lag,\nmedian", "lag_p99": "lag,\np99"}

    def of(log: Log) -> pd.Series:
        told = log.scheduler.iloc[0].copy()
        # Lag is emulated seconds, decisions are real ones.
        told[["lag_p50", "lag_p99"]] /= log.attributes.get("speed", 1.0)
        return 1e6 * told[list(names)].set_axis(list(names.values()))

    return bar_figures.bars(of_each(policies, of), "real time [µs]", look=options.look)
