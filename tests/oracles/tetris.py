"""Tetris on one machine. policies.md, 6.2.

Candidates are the runnable stages whose next task fits. A task's alignment is
a = sum_r demand_r * free_r, both as fractions of the capacity. A job's remaining work p is the sum
over its tasks not yet started of duration * sum_r demand_r, as fractions of the capacity. The task
with the highest a - eps * p starts, eps = m * (mean a / mean p); then all is reckoned anew.

Fairness f: only the ceil((1 - f) * J) jobs farthest below their fair share take part, at least one
of them. J counts the jobs that have a candidate, so that no room is left free for fairness. A job's
fair share is the closed form's dominant share (`fair` = "closed") or its part of the weights
("weights"); its deficit is that less what it has.

Barrier b: a task with b * n or more tasks of its stage in front of it, of n, goes before all others
if its stage has children, for these wait for it.

Which candidates the means of a and p are over: all tasks that could start now ("tasks"), one task a
stage ("stages"), or tasks for a and jobs for p ("jobs").

Priority: a is first multiplied by the stage's, (S - i) / S for the i-th, from 0, of its job's S
stages in their order. The preset dagps is Tetris with it, and with that order (dagps.py).
"""

from fractions import Fraction
from math import ceil

from engine import Pool
from jobs import Job, Stage
from orders import ranked
from shares import closed_form, dominant_share
from vectors import alignment, fraction_of

MEANS = ("tasks", "stages", "jobs")


def remaining_work(pool: Pool, job: Job) -> Fraction:
    """Of tasks that have not been started."""
    return sum((stage.planned[index] * sum(fraction_of(stage.demand, pool.capacity))
                for stage in job.stages for index in pool.waiting(stage)), Fraction(0))


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
    def __init__(self, within: str = "bfs", f: Fraction = Fraction(0), m: Fraction = Fraction(1),
                 barrier: Fraction = Fraction(9, 10), means: str = "tasks", fair: str = "closed",
                 priority: bool = False):
        if means not in MEANS or fair not in ("closed", "weights") or not 0 <= f <= 1 \
                or priority not in (False, True):
            raise ValueError(f"expected means of {MEANS}, fair closed or weights, f of 0 to 1, "
                             "priority of 0 or 1")
        self.within, self.f, self.m = within, f, m
        self.barrier, self.means, self.fair, self.priority = barrier, means, fair, priority
        self.decisions = []

    def place(self, pool: Pool) -> None:
        while stages := candidates(pool, pool.active, self.within):
            stages = self._fair(pool, stages)
            stages = [s for s in stages if self._before_barrier(pool, s)] or stages
            scores = self.scores(pool, stages)
            best = max(stages, key=scores.__getitem__)  # the first of the highest
            self.decisions.append({
                "time": pool.now, "start": (best.job.name, best.name),
                "scores": {(s.job.name, s.name): score for s, score in scores.items()}})
            pool.start(best)

    def scores(self, pool: Pool, stages: list[Stage]) -> dict[Stage, Fraction]:
        jobs = list(dict.fromkeys(stage.job for stage in stages))
        a = {s: self.alignment(pool, s) for s in stages}
        p = {job: remaining_work(pool, job) for job in jobs}
        count = {s: 1 if self.means == "stages" else len(pool.waiting(s)) for s in stages}
        mean_a = _mean((a[s], count[s]) for s in stages)
        if self.means == "jobs":
            mean_p = _mean((p[job], 1) for job in jobs)
        else:
            mean_p = _mean((p[s.job], count[s]) for s in stages)
        eps = self.m * mean_a / mean_p if mean_p > 0 else Fraction(0)
        return {s: a[s] - eps * p[s.job] for s in stages}

    def alignment(self, pool: Pool, stage: Stage) -> Fraction:
        found = alignment(stage.demand, pool.free, pool.capacity)
        if not self.priority:
            return found
        order = ranked(stage.job, self.within, pool.capacity)
        return found * (len(order) - order.index(stage)) / len(order)

    def _fair(self, pool: Pool, stages: list[Stage]) -> list[Stage]:
        jobs = list(dict.fromkeys(stage.job for stage in stages))
        allowed = max(1, ceil((1 - self.f) * len(jobs)))
        if allowed == len(jobs):
            return stages
        quotas = closed_form(pool.active, pool.capacity)
        weights = sum(job.weight for job in pool.active)

        def surplus(job: Job) -> tuple[Fraction, int]:
            closed = quotas.dominant(job, pool.capacity)
            fair = closed if self.fair == "closed" else job.weight / weights
            return dominant_share(pool.use(job), pool.capacity) - fair, job.order

        chosen = sorted(jobs, key=surplus)[:allowed]
        return [stage for stage in stages if stage.job in chosen]

    def _before_barrier(self, pool: Pool, stage: Stage) -> bool:
        tasks = len(stage.durations)
        started = tasks - len(pool.waiting(stage))
        return bool(stage.children) and started >= self.barrier * tasks


class FairTetris(Tetris):
    """f close to 1: only the job farthest below its share."""

    def __init__(self, within: str = "bfs", **parameters):
        super().__init__(within, f=Fraction(1), **parameters)


class Dagps(Tetris):
    """With priorities, and meant for dagps as the order within jobs."""

    def __init__(self, within: str = "dagps", **parameters):
        super().__init__(within, priority=True, **parameters)


def _mean(weighted) -> Fraction:
    pairs = list(weighted)
    return sum(value * count for value, count in pairs) / sum(count for _, count in pairs)
