"""Somnus from Python: orders of one's own.

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

Such a process needs nothing but Python. What is said between the two is printed by `somnus protocol`.
Or all of it from here, for which Python needs what somnus.analysis does:

    log = somnus.simulate("laptop.toml", policy=Smallest(), load=0.8)
    log.summary["slowdown_p95"]

Schedulers that learn: somnus.Env and somnus.vector, environments as Gymnasium has them (somnus.env). They
need numpy, too.
"""

from typing import TYPE_CHECKING, Any

from somnus.order import Cluster, Key, Order, Outcome, Unit
from somnus.running import run, simulate
from somnus.serving import serve

if TYPE_CHECKING:
    from somnus.env import Env
    from somnus.vector_env import VectorEnv, vector
    from somnus.view import Elapsed, View

_OF_MODULES = {"Env": "somnus.env", "vector": "somnus.vector_env", "VectorEnv": "somnus.vector_env",
               "Elapsed": "somnus.view", "View": "somnus.view"}

__all__ = ["Cluster", "Elapsed", "Env", "Key", "Order", "Outcome", "Unit", "VectorEnv", "View", "run", "serve",
           "simulate", "vector"]


def __getattr__(name: str) -> Any:
    """An order that is a process of its own does without numpy."""
    if name not in _OF_MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_OF_MODULES[name]), name)
