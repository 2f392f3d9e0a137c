"""A cluster as one pool, simulated in exact rational numbers: what policies must do, independently.

    run(workload, capacity, "drf", within="bfs")      # the starts

Each policy's file says what it does and which parameters it has.
"""

from capacity import Capacity
from carbyne import Carbyne
from engine import Start, simulate
from fair import Drf, StrictDrf
from jobs import Workload
from sjf import Sjf
from tetris import Dagps, Tetris
from vectors import Vector

POLICIES = {"drf": Drf, "drf-strict": StrictDrf, "tetris": Tetris, "dagps": Dagps, "sjf": Sjf,
            "capacity": Capacity, "carbyne": Carbyne}


def run(workload: Workload, capacity: Vector, policy: str, within: str = "bfs",
        **parameters) -> list[Start]:
    """All tasks in order of start."""
    return simulate(workload, capacity, POLICIES[policy](within, **parameters)).starts
