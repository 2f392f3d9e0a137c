"""Tetris on one machine. policies.md, 6.2.

Candidates are the runnable stages whose next task fits. A task's alignment is
a = sum_r demand_r * free_r, both as fractions of the capacity. A job's remaining work p is the sum
over its tasks not yet started of duration * sum_r demand_r, as fractions of the capacity. The task
with the highest a - eps * p starts, eps = mean a / mean p; then all is reckoned anew.

Fairness f: only the ceil((1 - f) * J) jobs farthest below their fair share take part, at least one
of them. J counts the jobs that have a candidate, so that no room is left free for fairness. A job's
fair share is its part of the weights; its deficit is that less what it has.

Barrier b: a task with b * n or more tasks of its stage in front of it, of n, goes before all others
if its stage has children, for these wait for it.

The means of a and p are over the candidates.

Priority, of the preset dagps: a is first multiplied by the stage's, (S - i) / S for the i-th, from
0, of its job's S stages in their order (dagps.py).
"""

from fractions import Fraction
from math import ceil

from engine import Pool
from jobs import Job, Stage
from orders import ranked
from shares import dominant_share
from vectors import alignment, fraction_of


def remaining_work(pool: Pool, job: Job) -> Fraction:
    """Of tasks that have not been started."""
    return sum((stage.mean * len(pool.waiting(stage))
                * sum(fraction_of(stage.demand, pool.capacity)) for stage in job.stages),
               Fraction(0))


def candidates(pool: Pool, jobs: list[Job], within: str) -> list[Stage]:
    """Stages whose next task could start now; jobs as given, a job's stages in its order."""
    found = []
    for job in jobs:
        runnable = pool.runnable(job)
        found += [s for s in ranked(job, within, pool.capacity) if s in runnable and pool.fits(s)]
    return found


def best_aligned(pool: Pool, stages: list[Stage]) -> Stage:
    """The first of the highest alignment with what is free."""
    return max(stages, key=lambda stage: alignment(stage.demand, pool.free, pool.capacity))


class Tetris:
    def __init__(self, within: str = "bfs", f: Fraction = Fraction(0),
                 barrier: Fraction = Fraction(9, 10)):
        self.within, self.f, self.barrier = within, f, barrier

    def place(self, pool: Pool) -> None:
        while stages := candidates(pool, pool.active, self.within):
            stages = self._fair(pool, stages)
            stages = [s for s in stages if self._before_barrier(pool, s)] or stages
            scores = self.scores(pool, stages)
            pool.start(max(stages, key=scores.__getitem__))  # the first of the highest

    def scores(self, pool: Pool, stages: list[Stage]) -> dict[Stage, Fraction]:
        a = {s: self.alignment(pool, s) for s in stages}
        p = {s: remaining_work(pool, s.job) for s in stages}
        whole = sum(p.values())
        eps = sum(a.values()) / whole if whole > 0 else Fraction(0)  # of the means
        return {s: a[s] - eps * p[s] for s in stages}

    def alignment(self, pool: Pool, stage: Stage) -> Fraction:
        return alignment(stage.demand, pool.free, pool.capacity)

    def _fair(self, pool: Pool, stages: list[Stage]) -> list[Stage]:
        jobs = list(dict.fromkeys(stage.job for stage in stages))
        allowed = max(1, ceil((1 - self.f) * len(jobs)))
        if allowed == len(jobs):
            return stages
        weights = sum(job.weight for job in pool.active)

        def surplus(job: Job) -> tuple[Fraction, int]:
            share = dominant_share(pool.use(job), pool.capacity)
            return share - job.weight / weights, job.order

        chosen = sorted(jobs, key=surplus)[:allowed]
        return [stage for stage in stages if stage.job in chosen]

    def _before_barrier(self, pool: Pool, stage: Stage) -> bool:
        tasks = len(stage.durations)
        started = tasks - len(pool.waiting(stage))
        return bool(stage.children) and started >= self.barrier * tasks


class Dagps(Tetris):
    """With priorities."""

    def alignment(self, pool: Pool, stage: Stage) -> Fraction:
        order = ranked(stage.job, self.within, pool.capacity)
        return super().alignment(pool, stage) * (len(order) - order.index(stage)) / len(order)
