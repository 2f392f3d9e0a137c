"""What can be drawn of logs: FIGURES, a row a figure.

A new figure is a function in log_figures that returns a matplotlib Figure, and a row here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from somnus_analysis import jain, slot_figures
from somnus_analysis import log_figures as draw
from somnus_analysis.log import Log
from somnus_analysis.log_figures import Options
from somnus_analysis.policies import Policy
from somnus_analysis.slot_figures import Window

Draw = Callable[[Sequence[Policy], Options], Figure]


@dataclass(frozen=True)
class Drawable:
    """A figure: `draw` can be called where `suits` says so, else `needs` says what is missing."""

    name: str
    help: str
    draw: Draw
    suits: Callable[[Sequence[Log], Options], bool] = lambda logs, options: True
    needs: str = ""


def _any(of: Callable[[Log], bool]) -> Callable[[Sequence[Log], Options], bool]:
    return lambda logs, options: any(of(log) for log in logs)


def _all(of: Callable[[Log], bool]) -> Callable[[Sequence[Log], Options], bool]:
    return lambda logs, options: all(of(log) for log in logs)


def _has_reference(logs: Sequence[Log], options: Options) -> bool:
    return bool(options.against)


def _was_emulated(log: Log) -> bool:
    return log.attributes.get("mode") == "run"


def _is_small(logs: Sequence[Log], options: Options) -> bool:
    """Or the user has said which part of it to draw."""
    return options.window != Window() or all(slot_figures.fits(log) for log in logs)


REFERENCE = "a reference run of the same jobs: --against LOG"
EMULATED = "logs of `somnus run`: a simulation is never late"
RESOURCES = _any(lambda log: bool(log.resources))

FIGURES = (
    Drawable("cdf", "distribution of response times", draw.response_times),
    Drawable("slowdown", "mean slowdown by jobs' width", draw.slowdowns),
    Drawable("utilisation", "busy slots over time", draw.utilisation),
    Drawable("shares", "shares of the cluster over time, --by job, user, queue or resource",
             draw.shares),
    Drawable("finished", "jobs finished over time", draw.finished_jobs),
    Drawable("progress", "distribution of progress rates", draw.progress_rates),
    Drawable("resources", "use of each resource over time", draw.use_of_resources, RESOURCES,
             "nodes with resources"),
    Drawable("leftover", "what is free of each resource while a task waits", draw.leftover,
             RESOURCES, "nodes with resources"),
    Drawable("jain", f"Jain's index over windows of {jain.WINDOW_S:g} s", draw.evenness,
             _any(lambda log: len(log.jobs) > 1), "several jobs"),
    Drawable("targets", "what the policy means the largest jobs to have, and what they have",
             draw.targets, _any(lambda log: len(log.targets) > 0),
             "a policy that says its targets: drf, capacity"),
    Drawable("completion", "distribution of completion times from the first start",
             draw.completion_times,
             _any(lambda log: bool(log.jobs["completion_time"].notna().any())),
             "a job that finished"),
    Drawable("queue-length", "tasks in the queues of nodes over time", draw.queue_lengths,
             _any(lambda log: bool((log.tasks["queuing_delay"] > 0).any())),
             "a task that waited in a node's queue"),
    Drawable("gantt", "which job ran on which slot when: warm, cold, queued, straggling",
             draw.gantt, _is_small, f"at most {slot_figures.MOST_SLOTS} slots and "
             f"{slot_figures.MOST_ATTEMPTS:,} attempts, or --nodes, --from and --to that choose some"),
    Drawable("lateness", "distribution of tasks' lateness", draw.lateness, _all(_was_emulated),
             EMULATED),
    Drawable("decisions", "real time of a round of decisions, and lag", draw.decision_latency,
             _all(_was_emulated), EMULATED),
    Drawable("speedup", "distribution of jobs' factors of improvement", draw.speedups,
             _has_reference, REFERENCE),
    Drawable("users", "users' mean response times against the reference's", draw.users,
             _has_reference, REFERENCE),
    Drawable("dvr", "how much later (DVR) and earlier (DSR) jobs end than in the reference",
             draw.deadlines, _has_reference, REFERENCE),
)
BY_NAME = {each.name: each for each in FIGURES}
