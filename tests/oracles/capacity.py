"""Named queues with capacities, over several resources. policies.md, 4.5 and 6.4.

Again and again one task of the queue with the smallest dominant share, that of all its running
tasks, by its capacity c, among the queues that have a task that can start: a runnable stage whose
next task fits. Ties go to the queue numbered first; queues are numbered as the jobs, in their
order, name them. Inside the queue the earliest job with such a task, in it the first such stage of
its order.

max_capacity m < 1 bounds what a queue borrows: it starts nothing once its dominant share has
reached max(m, c / sum of all c). So its last task may take it beyond.
"""

from fractions import Fraction

from engine import Pool
from jobs import Stage
from shares import dominant_share
from tetris import candidates
from vectors import total


class Capacity:
    def __init__(self, within: str = "bfs", *, capacities: dict[str, int],
                 max_capacity: Fraction = Fraction(1)):
        self.within, self.max_capacity = within, max_capacity
        self.capacities = {name: Fraction(value) for name, value in capacities.items()}
        self.numbers: dict[str, int] = {}

    def place(self, pool: Pool) -> None:
        for job in pool.active:  # jobs arrive in their order, and none ends before it is seen here
            self.numbers.setdefault(job.queue, len(self.numbers))
        while stage := self._next(pool):
            pool.start(stage)

    def _next(self, pool: Pool) -> Stage | None:
        shares = {name: self._share(pool, name) for name in self.numbers}
        order = sorted(self.numbers, key=lambda name: (
            shares[name] / self.capacities[name], self.numbers[name]))
        firsts = (self._first(pool, name) for name in order if self._may(name, shares[name]))
        return next((stage for stage in firsts if stage), None)

    def _first(self, pool: Pool, name: str) -> Stage | None:
        jobs = [job for job in pool.active if job.queue == name]
        return next(iter(candidates(pool, jobs, self.within)), None)

    def _share(self, pool: Pool, name: str) -> Fraction:
        tasks = (task.stage.demand for task in pool.running if task.job.queue == name)
        return dominant_share(total(tasks, len(pool.capacity)), pool.capacity)

    def _may(self, name: str, share: Fraction) -> bool:
        own = self.capacities[name] / sum(self.capacities.values())
        return self.max_capacity == 1 or share < max(self.max_capacity, own)
