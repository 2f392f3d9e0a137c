"""Dominant shares, and DRF's closed form (Parkes, Procaccia, Shah). policies.md, 6.1.

A job's demand is the average over all its tasks, ended or not, as a fraction of the capacity: D_kr.
Divided by its largest entry it is d_kr. All jobs' dominant shares grow in proportion to their
weights, w_k * lambda, until a resource is used up: lambda = 1 / max_r sum_k w_k d_kr. Jobs that
need nothing of it grow on, round by round, until each job needs something that is used up. A job's
quota is A_kr = lambda_k * w_k * d_kr of the capacity of r.
"""

from fractions import Fraction

from jobs import Job
from vectors import Vector, fraction_of, nothing, plus, times, total, within


def dominant_share(use: Vector, capacity: Vector) -> Fraction:
    return max(fraction_of(use, capacity), default=Fraction(0))


def average_demand(job: Job) -> Vector:
    kinds = len(job.stages[0].demand)
    sums = total((times(stage.demand, len(stage.durations)) for stage in job.stages), kinds)
    return times(sums, Fraction(1, job.tasks))


def closed_form(jobs: list[Job], capacity: Vector) -> dict[Job, Vector]:
    """A_k, in the resources' own units."""
    kinds = len(capacity)
    pace = {job: times(_direction(job, capacity), job.weight) for job in jobs}
    levels = {job: Fraction(0) for job in jobs}
    used = nothing(kinds)
    growing = [job for job in jobs if any(pace[job])]
    while growing:
        rate = total((pace[job] for job in growing), kinds)
        step = min((1 - used[r]) / rate[r] for r in range(kinds) if rate[r] > 0)
        for job in growing:
            levels[job] += step
        used = plus(used, times(rate, step))
        growing = [job for job in growing
                   if all(used[r] < 1 for r in range(kinds) if pace[job][r] > 0)]
    return {job: tuple(levels[job] * share * whole for share, whole in zip(pace[job], capacity))
            for job in jobs}


def _direction(job: Job, capacity: Vector) -> Vector:
    """d_k: the demand as fractions of the capacity, the largest of them 1."""
    demand = fraction_of(average_demand(job), capacity)
    largest = max(demand, default=Fraction(0))
    return times(demand, 1 / largest) if largest > 0 else demand


def may_start(demand: Vector, use: Vector, quota: Vector, runs_nothing: bool) -> bool:
    """A task keeps its job within its quota, or is larger than it and runs alone."""
    return runs_nothing or within(plus(use, demand), quota)
