"""Somnus from Python: orders and whole policies of one's own, runs and experiments with them, and their logs.

    import somnus

    class Smallest(somnus.Order):
        def key(self, unit):
            return unit.slot_time

    if __name__ == "__main__":
        somnus.serve(Smallest())

In the config, beside an order's placement and the rest:

    [scheduler]
    policy = "fair"
    order = "external"
    [scheduler.external]
    command = ["python3", "smallest.py"]

A whole policy decides all, and not only who is next; its config says policy = "external":

    class FirstFit(somnus.Policy):
        def plan(self, now):
            for stage in self.waiting():
                while stage.runnable and (node := self.first_with_room(stage)):
                    self.place(stage, node)

Such a process needs nothing but Python, and loads nothing else. What is said between the two is
printed by `somnus protocol`. Or all of it from here, for which Python needs h5py, pandas and matplotlib:

    log = somnus.simulate("laptop.toml", policy=Smallest(), load=0.8)
    log.summary["slowdown_p95"]
    somnus.experiment("laptop.toml", policies=["fair", Smallest()], seeds=20).table()

Schedulers that learn: somnus.Env, an environment as Gymnasium has it (somnus.env). It needs numpy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from somnus.order import Cluster, Key, Order, Outcome, Unit
from somnus.packages import packages_of_others
from somnus.policy import Job, Node, NodeAnswered, NodeOffered, Policy, Stage, TaskEnded, TaskLaunched
from somnus.serving import serve

if TYPE_CHECKING:
    from somnus.analysis.base.errors import ProgramError, ProgramWarning, UserError
    from somnus.analysis.experiments.result import ExperimentResult
    from somnus.analysis.reading.log import (
        IncompleteLogWarning, Log, LogError, MissingLogError, NotALogError, load,
    )
    from somnus.env import Env
    from somnus.experimenting import experiment
    from somnus.interface import Box, Dict, Discrete
    from somnus.running import run, simulate
    from somnus.view import Elapsed, View

__all__ = [
    "Box", "Cluster", "Dict", "Discrete", "Elapsed", "Env", "ExperimentResult", "IncompleteLogWarning", "Job",
    "Key", "Log", "LogError", "MissingLogError", "Node", "NodeAnswered", "NodeOffered", "NotALogError", "Order",
    "Outcome", "Policy", "ProgramError", "ProgramWarning", "Stage", "TaskEnded", "TaskLaunched", "Unit", "UserError",
    "View", "experiment", "load", "run", "serve", "simulate",
]

# An order in a process of its own needs none of these, and would wait for numpy and pandas.
_AT_FIRST_USE = {
    **dict.fromkeys(("Box", "Dict", "Discrete"), "interface"),
    "Env": "env", "Elapsed": "view", "View": "view",
    "experiment": "experimenting", "run": "running", "simulate": "running",
    "ExperimentResult": "analysis.experiments.result",
    **dict.fromkeys(("ProgramError", "ProgramWarning", "UserError"), "analysis.base.errors"),
    **dict.fromkeys(("IncompleteLogWarning", "Log", "LogError", "MissingLogError", "NotALogError", "load"),
                    "analysis.reading.log"),
}


def __getattr__(name: str) -> Any:
    if name not in _AT_FIRST_USE:
        raise AttributeError(f"module 'somnus' has no attribute {name!r}", name=name)
    with packages_of_others():
        found = globals()[name] = getattr(import_module(f"somnus.{_AT_FIRST_USE[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
