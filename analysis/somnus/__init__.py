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
Or all of it from here, for which Python needs what somnus_analysis does:

    log = somnus.simulate("laptop.toml", policy=Smallest(), load=0.8)
    log.summary["slowdown_p95"]
"""

from somnus.order import Cluster, Key, Order, Outcome, Unit
from somnus.running import run, simulate
from somnus.serving import serve

__all__ = ["Cluster", "Key", "Order", "Outcome", "Unit", "run", "serve", "simulate"]
