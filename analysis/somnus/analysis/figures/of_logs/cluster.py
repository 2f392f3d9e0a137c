"""Figures of the cluster over time: its use, the shares of users and queues, and fairness."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from somnus.analysis.figures import over_time
from somnus.analysis.figures.drawable import (
    Drawable, Options, Policies, bins_of, first_runs, logs_of, some_log,
)
from somnus.analysis.metrics import jain, occupancy, queues, resources, steps
from somnus.analysis.metrics.policies import Policy, of_each
from somnus.analysis.reading.log import Log


def utilisation(policies: Policies, options: Options) -> Figure:
    edges = bins_of(policies, options.look)

    def of(log: Log) -> pd.Series:
        samples = log.samples.groupby("time")[["utilisation"]].last()
        return steps.means(samples, edges)["utilisation"]

    slots = all(log.slots for log in logs_of(policies))
    # A column by the label, so that each panel has its line's looks.
    shares = {label: [run.to_frame(label) for run in runs]
              for label, runs in of_each(policies, of).items()}
    return over_time.panels(shares, "busy slots" if slots else "share in use", legend=False,
                            look=options.look)


def shares(policies: Policies, options: Options) -> Figure:
    if options.by == "resource":
        return use_of_resources(policies, options)
    note = ""
    if options.by == "job":  # those of another seed are other jobs
        runs, note = first_runs(policies)
        policies = [Policy(label, (log,)) for label, log in runs.items()]
    names = occupancy.largest(logs_of(policies), options.by)
    called = {name: f"{options.by} {name}" for name in names if name.isdigit()}
    edges = bins_of(policies, options.look)

    def of(log: Log) -> pd.DataFrame:
        found = occupancy.shares(log, edges, options.by, names).rename(columns=called)
        if options.by != "job":
            return found
        return found.where((found > 0) | (found.shift() > 0) | (found.shift(-1) > 0))  # while it is there

    return over_time.panels(of_each(policies, of), "share of the cluster", remark=note,
                            look=options.look)


def queue_lengths(policies: Policies, options: Options) -> Figure:
    edges = bins_of(policies, options.look)
    return over_time.curves(of_each(policies, lambda log: queues.queue_length(log, edges)),
                            "tasks in the nodes' queues", look=options.look)


def use_of_resources(policies: Policies, options: Options) -> Figure:
    edges = bins_of(policies, options.look)
    found = of_each(policies, lambda log: resources.mean_shares(log, edges))
    return over_time.panels(found, "share in use", all_there_is=True, look=options.look)


def leftover(policies: Policies, options: Options) -> Figure:
    edges = bins_of(policies, options.look)
    found = of_each(policies, lambda log: resources.leftover(log, edges))
    return over_time.panels(found, "share free while a task waits", look=options.look)


def jains_index(policies: Policies, options: Options) -> Figure:
    found = of_each(policies, lambda log: jain.over_windows(log)["raw"].to_numpy())
    longest = max(len(each) for runs in found.values() for each in runs)
    together = max(-(-longest // options.look.bins), 1)

    def binned(index: np.ndarray) -> pd.Series:
        """From the first submit on, which differs by seed."""
        places = np.arange(len(index)) // together
        return pd.Series(index).groupby(jain.WINDOW_S * together * places).mean()

    means = f",\nmeans of {together}" if together > 1 else ""
    return over_time.curves({label: [binned(each) for each in runs] for label, runs in found.items()},
                            f"Jain's index over {jain.WINDOW_S:g} s{means}", 1.0, look=options.look)


RESOURCES = some_log(lambda log: bool(log.resources)), "nodes with resources"
FIGURES = (
    Drawable("utilisation", "busy slots over time", utilisation),
    Drawable("shares", "shares of the cluster over time, --by job, user, queue or resource", shares),
    Drawable("resources", "use of each resource over time", use_of_resources, *RESOURCES),
    Drawable("leftover", "what is free of each resource while a task waits", leftover, *RESOURCES),
    Drawable("jain", f"Jain's index over windows of {jain.WINDOW_S:g} s", jains_index,
             some_log(lambda log: len(log.jobs) > 1 and len(jain.windows(log)) > 2),
             f"several jobs, for longer than {jain.WINDOW_S:g} s"),
    Drawable("queue-length", "tasks in the queues of nodes over time", queue_lengths,
             some_log(lambda log: bool((log.tasks["queuing_delay"] > 0).any())),
             "a task that waited in a node's queue"),
)
