"""A figure of logs: what it is called, when it can be drawn, and what the user says of it.

The rows are at the ends of the files in of_logs: a new figure is a function and a row in one of them,
or in a new file there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from somnus.analysis.base.errors import UserError
from somnus.analysis.base.names import word_of
from somnus.analysis.figures.style import Look
from somnus.analysis.metrics import occupancy, queues
from somnus.analysis.metrics.policies import Policy
from somnus.analysis.reading.log import Log

Policies = Sequence[Policy]

BY = (*occupancy.BY, "resource")  # whose shares


@dataclass(frozen=True)
class Window:
    """What is drawn of a run: from `begin` to `end` [s], on those nodes; all if None."""

    nodes: Sequence[int] | None = None
    begin: float | None = None
    end: float | None = None


@dataclass(frozen=True)
class Options:
    """How a figure is drawn. `against`: the reference's runs, one, or one a seed."""

    look: Look = Look()
    by: str = "job"
    against: Sequence[Log] = ()
    window: Window = Window()

    @property
    def reference(self) -> str:
        return word_of(self.against[0].label)

    def reference_of(self, log: Log) -> Log:
        """Of its seed, or the only one there is. Raises UserError if there is none of its seed."""
        if len(self.against) == 1:
            return self.against[0]
        for each in self.against:
            if each.attributes.get("seed") == log.attributes.get("seed"):
                return each
        there = ", ".join(str(each.path) for each in self.against)
        raise UserError(f"{log.path}: no reference of seed {log.attributes.get('seed')}; --against has "
                        f"{there}")


Condition = Callable[[Sequence[Log], Options], bool]


@dataclass(frozen=True)
class Drawable:
    """A figure: `draw` can be called where `suits` says so, else `needs` says what is missing."""

    name: str
    help: str
    draw: Callable[[Policies, Options], Figure]
    suits: Condition = lambda logs, options: True
    needs: str = ""


def some_log(holds: Callable[[Log], bool]) -> Condition:
    return lambda logs, options: any(holds(log) for log in logs)


def every_log(holds: Callable[[Log], bool]) -> Condition:
    return lambda logs, options: all(holds(log) for log in logs)


def logs_of(policies: Policies) -> list[Log]:
    return [log for policy in policies for log in policy.logs]


def bins_of(policies: Policies, look: Look) -> np.ndarray:
    """Edges of bins over all runs' time, the same for all, so that seeds can be averaged."""
    logs = logs_of(policies)
    spans = np.array([queues.span(log) for log in logs]).reshape(-1, 2)
    ends = [log.samples["time"].max() for log in logs]
    first, last = np.nanmin([*spans[:, 0], np.inf]), np.nanmax([*spans[:, 1], *ends, -np.inf])
    return np.linspace(first, last, look.bins + 1) if last > first else np.array([])


def first_runs(policies: Policies) -> tuple[dict[str, Log], str]:
    """Of what no mean can be drawn: a run of each policy, and what the figure says of that."""
    several = any(len(policy.logs) > 1 for policy in policies)
    seeds = {str(policy.logs[0].attributes.get("seed")) for policy in policies}
    note = f"one run each, of seed {', '.join(sorted(seeds))}" if several else ""
    return {policy.label: policy.logs[0] for policy in policies}, note
