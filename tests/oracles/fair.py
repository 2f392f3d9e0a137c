"""DRF, work conserving and with strict quotas. policies.md, 6.1.

drf, progressive filling: again and again one task to the job with the smallest dominant share by
weight, max_r(allocated_r / capacity_r) / weight, among the jobs that have a runnable stage whose
next task fits. Inside the job the first stage in its order that fits.

drf-strict: the closed form's quotas (shares.py) bound what a job runs, and nothing more is lent. A
job may start a task if its running use and the task's demand stay within its quota in each kind; a
job that runs nothing may start any task that fits the pool, however small its quota. Quotas depend
on the active jobs only, so they change when a job arrives or ends. Jobs are served in drf's order.
"""

from fractions import Fraction

from engine import Pool
from jobs import Job, Stage
from orders import ranked
from shares import closed_form, dominant_share, may_start
from vectors import Vector


def by_share(pool: Pool) -> list[Job]:
    def key(job: Job) -> tuple[Fraction, int]:
        return dominant_share(pool.use(job), pool.capacity) / job.weight, job.order

    return sorted(pool.active, key=key)


class Drf:
    def __init__(self, within: str = "bfs"):
        self.within = within

    def place(self, pool: Pool) -> None:
        while stage := self._next(pool):
            pool.start(stage)

    def _next(self, pool: Pool) -> Stage | None:
        for job in by_share(pool):
            runnable = pool.runnable(job)
            for stage in ranked(job, self.within, pool.capacity):
                if stage in runnable and pool.fits(stage) and self.allows(pool, stage):
                    return stage
        return None

    def allows(self, pool: Pool, stage: Stage) -> bool:
        return True


class StrictDrf(Drf):
    def __init__(self, within: str = "bfs"):
        super().__init__(within)
        self.quotas: dict[Job, Vector] = {}

    def place(self, pool: Pool) -> None:
        self.quotas = closed_form(pool.active, pool.capacity)
        super().place(pool)

    def allows(self, pool: Pool, stage: Stage) -> bool:
        job = stage.job
        return may_start(stage.demand, pool.use(job), self.quotas[job],
                         runs_nothing=not pool.running_of(job))
