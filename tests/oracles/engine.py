"""One machine, the pool, in exact time. Tasks are not preempted.

At each instant at which something happens, tasks end first, then jobs arrive in their order, then
the policy places tasks until it places no more; it may ask to be woken later. A task can start when
all parents of its stage have ended and its demand fits what is free. policies.md, 0.
"""

from dataclasses import dataclass
from fractions import Fraction

from jobs import Job, Stage, Workload
from vectors import Vector, minus, plus, total, within


@dataclass(frozen=True)
class Start:
    """A task's attempt: it runs from `start` to `finish`."""

    stage: Stage
    index: int
    start: Fraction
    finish: Fraction

    @property
    def job(self) -> Job:
        return self.stage.job

    @property
    def planned_finish(self) -> Fraction:
        """When schedulers believe it to end."""
        return self.start + self.stage.mean


class Pool:
    """What policies see, and the one thing they do: start()."""

    def __init__(self, capacity: Vector):
        self.capacity = capacity
        self.free = capacity
        self.now = Fraction(0)
        self.active: list[Job] = []  # arrived and not ended, in their order
        self.running: list[Start] = []
        self.starts: list[Start] = []
        self._waiting: dict[Stage, list[int]] = {}
        self._unfinished: dict[Stage, int] = {}

    def waiting(self, stage: Stage) -> list[int]:
        """Its tasks that have not been started."""
        return self._waiting[stage]

    def unfinished(self, stage: Stage) -> int:
        return self._unfinished[stage]

    def runnable(self, job: Job) -> list[Stage]:
        """Stages with tasks that only wait for room, in the file's order."""
        return [stage for stage in job.stages if self._waiting[stage]
                and all(self._unfinished[parent] == 0 for parent in stage.parents)]

    def running_of(self, job: Job) -> list[Start]:
        return [task for task in self.running if task.job is job]

    def use(self, job: Job) -> Vector:
        return total((task.stage.demand for task in self.running_of(job)), len(self.capacity))

    def fits(self, stage: Stage) -> bool:
        return within(stage.demand, self.free)

    def start(self, stage: Stage, index: int | None = None) -> None:
        """The stage's next task, or the one named."""
        if stage not in self.runnable(stage.job) or not self.fits(stage):
            raise RuntimeError(f"{stage.job.name}.{stage.name} can't start at {self.now}")
        index = self._waiting[stage][0] if index is None else index
        self._waiting[stage].remove(index)
        task = Start(stage, index, self.now, self.now + stage.durations[index])
        self.free = minus(self.free, stage.demand)
        self.running.append(task)
        self.starts.append(task)

    def arrive(self, job: Job) -> None:
        self.active.append(job)
        for stage in job.stages:
            self._waiting[stage] = list(range(len(stage.durations)))
            self._unfinished[stage] = len(stage.durations)

    def end_tasks(self) -> None:
        for task in [task for task in self.running if task.finish == self.now]:
            self.running.remove(task)
            self.free = plus(self.free, task.stage.demand)
            self._unfinished[task.stage] -= 1
        for job in [job for job in self.active if not any(map(self.unfinished, job.stages))]:
            self.active.remove(job)


def simulate(workload: Workload, capacity: Vector, policy) -> Pool:
    """Runs all jobs to their ends. policy.place(pool) may return a time to be asked again at."""
    _refuse_what_never_fits(workload, capacity)
    pool = Pool(capacity)
    ahead = list(workload.jobs)
    wake = None
    while ahead or pool.active:
        times = [task.finish for task in pool.running] + [job.submit for job in ahead[:1]]
        times += [wake] if wake is not None else []
        if not times:
            raise RuntimeError(f"nothing runs at {pool.now}, and nothing is started")
        pool.now = min(times)
        pool.end_tasks()
        while ahead and ahead[0].submit == pool.now:
            pool.arrive(ahead.pop(0))
        wake = policy.place(pool)
    return pool


def _refuse_what_never_fits(workload: Workload, capacity: Vector) -> None:
    if len(capacity) != len(workload.resources) or not all(amount > 0 for amount in capacity):
        raise ValueError(f"expected a capacity above 0 for each of {workload.resources}")
    for job in workload.jobs:
        for stage in job.stages:
            if not within(stage.demand, capacity):
                raise ValueError(f"{job.name}.{stage.name} needs more than the pool has")
