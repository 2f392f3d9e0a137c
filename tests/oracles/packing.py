"""One job packed into a box: its quota, for as long as it takes. policies.md, 6.5.

A list scheduler in time that begins at 0: whenever something ends, of the tasks that can start the
one with the highest alignment (tetris.py) with what the quota leaves free starts, the first in the
job's order among equals. Work that is held, that of running tasks, stands in the box from the
beginning: a task fits if at each moment of its time what else is in the box and its demand stay
within the quota, or nothing else is there. So a task larger than the quota is packed alone.

`before` says which stages must have ended before a stage can start: its parents, or in reverse its
children.
"""

from dataclasses import dataclass, field
from fractions import Fraction

from jobs import Stage
from shares import may_start
from vectors import Vector, alignment, minus, total

Task = tuple[Stage, int]


@dataclass(frozen=True)
class Held:
    """Something in the box from `start` up to `end`."""

    start: Fraction
    end: Fraction
    demand: Vector


@dataclass
class Box:
    quota: Vector
    capacity: Vector  # of the pool: what alignment divides by
    ranked: list[Stage]  # the order among equals
    held: list[Held] = field(default_factory=list)

    def use_at(self, moment: Fraction) -> Vector:
        inside = (held.demand for held in self.held if held.start <= moment < held.end)
        return total(inside, len(self.quota))

    def is_empty_at(self, moment: Fraction) -> bool:
        return not any(held.start <= moment < held.end for held in self.held)

    def takes(self, demand: Vector, start: Fraction, end: Fraction) -> bool:
        # Use grows only where something that is held begins.
        moments = {start} | {held.start for held in self.held if start < held.start < end}
        return all(may_start(demand, self.use_at(moment), self.quota, self.is_empty_at(moment))
                   for moment in moments)

    def score(self, demand: Vector, moment: Fraction) -> Fraction:
        return alignment(demand, minus(self.quota, self.use_at(moment)), self.capacity)


@dataclass
class Plan:
    starts: dict[Task, Fraction]
    end: Fraction  # of the last task that was packed; 0 if there was none


def pack(box: Box, work: dict[Stage, list[int]], before: dict[Stage, list[Stage]],
         busy_until: dict[Stage, Fraction]) -> Plan:
    """Packs `work`, each stage's tasks in the order given.

    busy_until: when the running tasks of a stage end, for stages whose followers wait for that.
    """
    work = {stage: list(tasks) for stage, tasks in work.items()}
    ended = dict(busy_until)  # stage -> latest end of what was packed or runs
    starts: dict[Task, Fraction] = {}
    now, end = Fraction(0), Fraction(0)
    while any(work.values()):
        while stage := _next(box, now, work, before, ended):
            index = work[stage].pop(0)
            finish = now + stage.mean
            box.held.append(Held(now, finish, stage.demand))
            starts[stage, index] = now
            ended[stage] = max(ended.get(stage, now), finish)
            end = max(end, finish)
        if any(work.values()):
            now = min(held.end for held in box.held if held.end > now)
    return Plan(starts, end)


def _next(box: Box, now: Fraction, work, before, ended) -> Stage | None:
    def has_ended(stage: Stage) -> bool:
        return not work[stage] and ended.get(stage, now) <= now

    fitting = [stage for stage in box.ranked
               if work[stage] and all(map(has_ended, before[stage]))
               and box.takes(stage.demand, now, now + stage.mean)]
    return max(fitting, key=lambda stage: box.score(stage.demand, now), default=None)
