"""Small random workloads for comparing schedulers: one seed, one file.

1 to 5 jobs of 1 to 5 stages of 1 to 4 tasks; 1 to 3 kinds of resource; demands of one or two
decimals, some of them 0; durations of whole and half seconds; submits 0 or whole; weights 1, 2 and
0.5. Any stage may be a parent of any other as long as there is no ring: parents need not be listed
first. A pool of capacity(workload) has 1 of each kind.
"""

import json
import random
from dataclasses import dataclass
from fractions import Fraction

KINDS = ("cpu", "mem", "net")


@dataclass
class Shape:
    """What is drawn from; the numbers are the most of each."""

    jobs: int = 5
    stages: int = 5
    tasks: int = 4
    kinds: int = 3
    demand_hundredths: int = 60
    zero_demands: float = 0.25  # how many, where there is more than one kind
    duration_halves: int = 8
    unlike: float = 0.5  # how many stages have tasks of unlike durations
    last_submit: int = 6
    offline: float = 0.3  # how many workloads have all submits at 0
    weights: tuple[float, ...] = (1, 2, 0.5)
    queues: int = 0  # A, B and so on, taken in turn; nothing is drawn for them


def make(seed: int, shape: Shape | None = None) -> str:
    """JSON lines in the native format."""
    shape = shape or Shape()
    draw = random.Random(f"random-dags-{seed}")
    kinds = KINDS[:draw.randint(1, shape.kinds)]
    last_submit = 0 if draw.random() < shape.offline else shape.last_submit
    count = draw.randint(1, shape.jobs)
    submits = sorted(draw.randint(0, last_submit) for _ in range(count))
    header = {"somnus_workload": 1, "name": f"random-{seed}", "resources": list(kinds)}
    rows = [header]
    for at, submit in enumerate(submits):
        weight = draw.choice(shape.weights)
        stages = _stages(draw, kinds, shape)
        queue = {"queue": "ABCDEFGH"[at % shape.queues]} if shape.queues else {}
        rows.append({"job": f"j{at}", "submit": submit, "weight": weight, **queue,
                     "stages": stages})
    return "".join(json.dumps(row) + "\n" for row in rows)


def capacity(workload) -> tuple[Fraction, ...]:
    return (Fraction(1),) * len(workload.resources)


def _stages(draw: random.Random, kinds: tuple[str, ...], shape: Shape) -> list[dict]:
    count = draw.randint(1, shape.stages)
    ahead = list(range(count))  # parents come earlier in this order
    if draw.random() < 0.3:
        draw.shuffle(ahead)
    density = draw.choice((0.2, 0.5, 0.8))
    stages = [None] * count
    for at, name in enumerate(ahead):
        parents = sorted(other for other in ahead[:at] if draw.random() < density)
        stages[name] = {"stage": name, "parents": parents, **_durations(draw, shape),
                        "demand": _demand(draw, kinds, shape)}
    return stages


def _durations(draw: random.Random, shape: Shape) -> dict:
    tasks = draw.randint(1, shape.tasks)
    if draw.random() < shape.unlike:
        return {"durations": [_duration(draw, shape) for _ in range(tasks)]}
    return {"tasks": tasks, "duration": _duration(draw, shape)}


def _duration(draw: random.Random, shape: Shape) -> float | int:
    halves = draw.randint(1, shape.duration_halves)
    return halves // 2 if halves % 2 == 0 else halves / 2


def _demand(draw: random.Random, kinds: tuple[str, ...], shape: Shape) -> dict:
    found = {}
    for kind in kinds:
        hundredths = draw.randint(1, shape.demand_hundredths)
        if draw.random() < 0.5:
            hundredths = max(10, hundredths // 10 * 10)  # coarse, so that ties are met
        is_zero = draw.random() < shape.zero_demands
        if not is_zero or kind == kinds[-1] and not found:
            found[kind] = min(hundredths, shape.demand_hundredths) / 100
    return found
