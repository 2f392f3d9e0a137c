"""Least attained service first, in queues, as scheduler.order = "las" has it, as a process.

A job's attained service is the slot-time that its tasks have held. Of `queues` queues it is in the
first until it has attained `threshold_s`, in the next until `factor` times that, and so on; the first
queue goes first, in a queue the earlier job.
"""

import heapq
import itertools

import somnus


class Las(somnus.Order):
    def begins(self, cluster: somnus.Cluster) -> None:
        given = {"queues": 2, "threshold_s": 3200, "factor": 10, **cluster.parameters}
        self.ends = [round(given["threshold_s"] * 1e9 * given["factor"] ** queue)
                     for queue in range(int(given["queues"]) - 1)]
        self.attained: dict[somnus.Unit, list[int]] = {}  # slot-nanoseconds, as of, running, queue
        self.leaves: list[tuple[int, int, somnus.Unit]] = []  # when a job goes on to its next queue
        self.entries = itertools.count()

    def started(self, now: int, job: somnus.Unit) -> None:
        self.changed(now, job)

    def ended(self, now: int, job: somnus.Unit, outcome: somnus.Outcome) -> None:
        self.changed(now, job)

    def changed(self, now: int, job: somnus.Unit) -> None:
        self.settle(now, job)
        self.attained[job][2] = job.running
        self.awaits(job)

    def settle(self, now: int, job: somnus.Unit) -> None:
        service, since, running, queue = self.attained.setdefault(job, [0, now, 0, 0])
        service += (now - since) * running
        while queue < len(self.ends) and service >= self.ends[queue]:
            queue += 1
        self.attained[job][:] = service, now, running, queue

    def awaits(self, job: somnus.Unit) -> None:
        at = self.next_queue_at(job)
        if at is not None:
            heapq.heappush(self.leaves, (at, next(self.entries), job))

    def next_queue_at(self, job: somnus.Unit) -> int | None:
        service, since, running, queue = self.attained[job]
        if running == 0 or queue == len(self.ends):
            return None
        return since + -((service - self.ends[queue]) // running)

    def round_begins(self, now: int) -> None:
        while self.leaves and self.leaves[0][0] <= now:
            at, _, job = heapq.heappop(self.leaves)
            if self.next_queue_at(job) == at:
                self.settle(now, job)
                self.awaits(job)
                self.moved(job)

    def wakes_at(self) -> int | None:
        while self.leaves and self.next_queue_at(self.leaves[0][2]) != self.leaves[0][0]:
            heapq.heappop(self.leaves)
        return self.leaves[0][0] if self.leaves else None

    def key(self, job: somnus.Unit) -> int:
        return self.attained[job][3] if job in self.attained else 0


if __name__ == "__main__":
    somnus.serve(Las())
