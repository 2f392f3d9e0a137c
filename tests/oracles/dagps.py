"""DAGPS (Graphene): troublesome stages first, the others around them. policies.md, 6.7.

The space is the capacity of the whole cluster as one empty pool. Tasks of a stage are alike: each
takes the mean of its stage, `dur`; there are n of them.

* LongScore = dur / the longest dur of the job; 0 if that is 0.
* FragScore = TWork / ExecTime, TWork = max_r n * d_r * dur / C_r, ExecTime = ceil(n / q) * dur; q
  of its tasks fit the pool at once, all n if it needs nothing. dur is cancelled, even if it is 0.
* Thresholds (l, f): all pairs of a LongScore and a FragScore, by ascending l, then f. Of more than
  8 distinct values of one, those at floor(i * (count - 1) / 7), i = 0..7. T has the stages with
  LongScore >= l or FragScore <= f, and those on a path between two of them. P has the ancestors of
  T not in T, C the descendants, O the rest. The same T is looked at once.
* T is placed first, from 0; then the others, in the orders O-C-P, O-P-C, P-O-C and C-O-P.

A set is placed forward by the list scheduler of packing.py, beside all that is placed: a stage
after its parents, placed or in the set, and not before the first start of all that is placed.
Backward is the mirror image: time runs the other way, a stage ends by the start of its children,
and by the last end of all that is placed. P is placed backward and C forward. O goes forward if it
has placed parents, backward if it has placed children (by the orders of the sets never both); if it
has neither, as T, the way that gives the shorter span of all that is placed, forward if equal.

The schedule of the least span is taken, the first of equals.
"""

from fractions import Fraction
from math import ceil, floor

from jobs import Job, Stage
from packing import Box, Held, pack
from vectors import Vector, fraction_of

ORDERS = ("OCP", "OPC", "POC", "COP")
MOST_VALUES = 8

Times = list[tuple[Fraction, Fraction]]  # start and end of each task
Schedule = dict[Stage, Times]


def begins(job: Job, capacity: Vector) -> dict[Stage, Fraction]:
    """When each stage's first task starts."""
    return {stage: min(times)[0] for stage, times in compact(job, capacity).items()}


def compact(job: Job, capacity: Vector) -> Schedule:
    return min((found for sets in divisions(job, capacity) for found in schedules(sets, capacity)),
               key=span)  # the first of the least


def span(schedule: Schedule) -> Fraction:
    return _last_end(schedule) - _first_start(schedule)


def long_scores(job: Job) -> dict[Stage, Fraction]:
    longest = max(stage.mean for stage in job.stages)
    return {stage: stage.mean / longest if longest else Fraction(0) for stage in job.stages}


def frag_score(stage: Stage, capacity: Vector) -> Fraction:
    parts = fraction_of(stage.demand, capacity)
    tasks = len(stage.durations)
    at_once = max(1, min((floor(1 / part) for part in parts if part > 0), default=tasks))
    return max(parts, default=Fraction(0)) * tasks / ceil(Fraction(tasks, at_once))


def some(values) -> list[Fraction]:
    found = sorted(set(values))
    if len(found) <= MOST_VALUES:
        return found
    steps = MOST_VALUES - 1
    return [found[i * (len(found) - 1) // steps] for i in range(MOST_VALUES)]


def divisions(job: Job, capacity: Vector) -> list[dict[str, frozenset[Stage]]]:
    """T, O, P and C for each pair of thresholds; those with the same T once."""
    ahead = {stage: _reached(stage, "parents") for stage in job.stages}
    behind = {stage: _reached(stage, "children") for stage in job.stages}
    long = long_scores(job)
    frag = {stage: frag_score(stage, capacity) for stage in job.stages}
    found = {}
    for least_long in some(long.values()):
        for most_frag in some(frag.values()):
            hard = {stage for stage in job.stages
                    if long[stage] >= least_long or frag[stage] <= most_frag}
            t = frozenset(stage for stage in job.stages
                          if stage in hard or ahead[stage] & hard and behind[stage] & hard)
            p = frozenset(s for s in job.stages if s not in t and behind[s] & t)
            c = frozenset(s for s in job.stages if s not in t and ahead[s] & t)
            found.setdefault(t, {"T": t, "P": p, "C": c, "O": frozenset(job.stages) - t - p - c})
    return list(found.values())


def schedules(sets: dict[str, frozenset[Stage]], capacity: Vector):
    """One for each order of the sets."""
    begun = _shorter({}, sets["T"], capacity)
    shift = _first_start(begun)
    begun = {stage: [(start - shift, end - shift) for start, end in times]
             for stage, times in begun.items()}
    for order in ORDERS:
        placed = begun
        for name in order:
            placed = _place(placed, name, sets[name], capacity)
        yield placed


def _place(placed: Schedule, name: str, stages: frozenset[Stage], capacity: Vector) -> Schedule:
    if not stages:
        return placed
    if name == "C" or name == "O" and _near(stages, "parents") & placed.keys():
        return forward(placed, stages, capacity)
    if name == "P" or _near(stages, "children") & placed.keys():
        return backward(placed, stages, capacity)
    return _shorter(placed, stages, capacity)


def _shorter(placed: Schedule, stages: frozenset[Stage], capacity: Vector) -> Schedule:
    return min(forward(placed, stages, capacity), backward(placed, stages, capacity), key=span)


def forward(placed: Schedule, stages: frozenset[Stage], capacity: Vector,
            neighbours: str = "parents") -> Schedule:
    """`placed` and `stages`, which come after their neighbours."""
    zero = _first_start(placed)
    held = [Held(start - zero, end - zero, stage.demand)
            for stage, times in placed.items() for start, end in times]
    ended = {stage: max(end for _, end in times) - zero for stage, times in placed.items()}
    in_file = sorted(stages, key=lambda stage: stage.place)
    work = {stage: [] for stage in placed}
    work |= {stage: list(range(len(stage.durations))) for stage in in_file}
    before = {stage: [other for other in getattr(stage, neighbours) if other in work]
              for stage in in_file}
    plan = pack(Box(capacity, capacity, in_file, held), work, before, ended)
    found = dict(placed)
    for (stage, _), start in plan.starts.items():
        found.setdefault(stage, []).append((start + zero, start + zero + stage.mean))
    return found


def backward(placed: Schedule, stages: frozenset[Stage], capacity: Vector) -> Schedule:
    return _mirrored(forward(_mirrored(placed), stages, capacity, "children"))


def _mirrored(schedule: Schedule) -> Schedule:
    return {stage: [(-end, -start) for start, end in times] for stage, times in schedule.items()}


def _reached(stage: Stage, neighbours: str) -> set[Stage]:
    found = set()
    for other in getattr(stage, neighbours):
        found |= {other} | _reached(other, neighbours)
    return found


def _near(stages: frozenset[Stage], neighbours: str) -> set[Stage]:
    return {other for stage in stages for other in getattr(stage, neighbours)}


def _first_start(schedule: Schedule) -> Fraction:
    return min((start for times in schedule.values() for start, _ in times), default=Fraction(0))


def _last_end(schedule: Schedule) -> Fraction:
    return max((end for times in schedule.values() for _, end in times), default=Fraction(0))
