"""Carbyne's altruism. policies.md, 6.5 (Pseudocode 1 of the paper, corrected).

Once an instant, when a job has arrived or a task or a job has ended:

1. Each job's quota A_k by the closed form (shares.py).
2. An altruistic job starts no more than it must, to end when it was promised to:
   * T_k is the end of a forward packing (packing.py) of all that remains, inside A_k, from now on.
     Running tasks keep their time and their place. The promise, now + T_k, is kept until the share
     shrinks in some kind below what it was when the promise was made; then it is made anew.
   * The tasks not yet started are packed in reverse, children first, from 0, inside A_k; running
     tasks hold the place [T_k - remaining time, T_k]. So far from its end, at Rev(t), each task may
     stop: Actual(t) = T_k - Rev(t) - Dur(t) is how long from now it can wait.
   * So a job's plan is the latest start of each task not yet started, now + Actual(t). If the
     reverse packing ends after T_k, it is when the forward packing starts the task.
   * Runnable tasks whose latest start is not after now must start.
   * replan = share-change: plans are made for all jobs when a job has arrived or ended since the
     policy was last asked, and kept until then; a task that starts, as it must or on loan, takes
     the earliest latest start of its stage with it. If the earliest of the plan, of whatever stage,
     is before now, one was missed: then what must start does so only inside A_k, or if the job runs
     nothing else. replan = each-event: plans are made at each instant; nothing is ever missed.
   A selfish job (altruism 0) starts what its quota lets it, in its order.
   Jobs are asked in their order; what does not fit the pool must wait.
3. What is free in the pool is lent. srtf_then_pack: to the job with the least remaining work
   (tetris.py), as much as it can use, by alignment; then to the next; then to all jobs alike, by
   alignment. pack_then_srtf: the two the other way round. none: nothing is lent, and a wake-up
   comes when the next task can't wait any longer.

Readings, where the text leaves a choice:
* Alignment inside a quota divides by the pool's capacity; a task larger than the quota has its
  alignment in an empty box.
* So many tasks of a stage start as must, in their order.
* In reverse a stage's tasks are packed last first; equal alignments go by the job's order.
* A share shrinks if it is below that of the promise.
* A reverse packing in which a child starts before a parent's running task ends counts as one that
  ends after T_k, for nobody could follow it.
* Whether a latest start was missed is judged for each job before it starts anything at the instant,
  and A_k is that of the instant.
* After a miss tasks are refused one by one: a stage that has no room inside A_k does not keep the
  next one from starting.
* leftover none wakes at the next latest start of a runnable stage, also if the plan is forward:
  what is not runnable waits for a task to end, which is an instant of its own. With each-event a
  late job is not woken: it looks again at the next event.
"""

from dataclasses import dataclass
from fractions import Fraction

from engine import Pool
from jobs import Job, Stage
from orders import ranked
from packing import Box, Held, Plan, Task, pack
from shares import closed_form, may_start
from tetris import best_aligned, candidates, remaining_work
from vectors import Vector, within


@dataclass
class Promise:
    share: Vector
    end: Fraction


class Carbyne:
    def __init__(self, within: str, altruism: Fraction, leftover: str, replan: str):
        self.within = within
        self.is_altruistic = altruism == 1
        self.leftover = leftover
        self.plans_each_event = replan == "each-event"
        self.promises: dict[Job, Promise] = {}
        self.plans: dict[Job, dict[Task, Fraction]] = {}  # latest starts
        self.planned_among: list[Job] = []  # the active jobs when plans were made

    def place(self, pool: Pool) -> Fraction | None:
        quotas = closed_form(pool.active, pool.capacity)
        if self.plans_each_event or self.planned_among != pool.active:
            self.plans, self.planned_among = {}, list(pool.active)
        waits = []
        for job in pool.active:
            if self.is_altruistic:
                waits += self._start_what_must(pool, job, quotas[job])
            else:
                self._start_all_inside(pool, job, quotas[job])
        if self.leftover == "none":
            return pool.now + min(waits) if waits else None
        self._lend(pool)
        return None

    # Step 2, for an altruistic job.

    def _start_what_must(self, pool: Pool, job: Job, share: Vector) -> list[Fraction]:
        """How long its runnable tasks can wait that need not start now."""
        left = self._promised(pool, job, share)
        if not any(map(pool.waiting, job.stages)):
            return []
        plan = self._plan(pool, job, share, left)
        is_missed = any(latest < pool.now for latest in plan.values())
        runnable = pool.runnable(job)
        waits = {task: latest - pool.now for task, latest in plan.items() if task[0] in runnable}
        order = ranked(job, self.within, pool.capacity)
        must = sorted((task for task, wait in waits.items() if wait <= 0),
                      key=lambda task: (order.index(task[0]), task[1]))
        for stage, index in must:
            if pool.fits(stage) and (not is_missed or _keeps_inside(pool, stage, share)):
                pool.start(stage, index)
        return [wait for wait in waits.values() if wait > 0]

    def _plan(self, pool: Pool, job: Job, share: Vector, left: Fraction) -> dict[Task, Fraction]:
        """The latest starts of its tasks not yet started, made anew if they are to be."""
        if job not in self.plans:
            self.plans[job] = self._planned(pool, job, share, left)
        return {(stage, index): latest for (stage, index), latest in self.plans[job].items()
                if index in pool.waiting(stage)}

    def _planned(self, pool: Pool, job: Job, share: Vector,
                 left: Fraction) -> dict[Task, Fraction]:
        waits = self._reverse(pool, job, share, left)
        if waits is None:
            waits = self._forward(pool, job, share).starts
            if self.plans_each_event:  # what starts later is planned anew by then
                waits = {task: start for task, start in waits.items() if start == 0}
        return {task: pool.now + wait for task, wait in _earliest_first(pool, job, waits).items()}

    def _promised(self, pool: Pool, job: Job, share: Vector) -> Fraction:
        """T_k, from now on."""
        promise = self.promises.get(job)
        if promise is None or not within(promise.share, share):
            end = pool.now + self._forward(pool, job, share).end
            self.promises[job] = Promise(share, end)
        return self.promises[job].end - pool.now

    def _box(self, pool: Pool, job: Job, share: Vector, held: list[Held]) -> Box:
        return Box(share, pool.capacity, ranked(job, self.within, pool.capacity), held)

    def _forward(self, pool: Pool, job: Job, share: Vector) -> Plan:
        """Of all that remains; its end is T_k."""
        busy: dict[Stage, Fraction] = {}
        held = []
        for task, left in _remaining(pool, job):
            held.append(Held(Fraction(0), left, task.stage.demand))
            busy[task.stage] = max(busy.get(task.stage, left), left)
        work = {stage: pool.waiting(stage) for stage in job.stages}
        before = {stage: stage.parents for stage in job.stages}
        plan = pack(self._box(pool, job, share, held), work, before, busy)
        plan.end = max([plan.end, *busy.values()])
        return plan

    def _reverse(self, pool: Pool, job: Job, share: Vector,
                 left: Fraction) -> dict[Task, Fraction] | None:
        """Actual(t) of all tasks not yet started; None if T_k, `left`, is too short for them."""
        running = _remaining(pool, job)
        if any(remaining > left for _, remaining in running):
            return None
        held = [Held(left - remaining, left, task.stage.demand) for task, remaining in running]
        work = {stage: pool.waiting(stage)[::-1] for stage in job.stages}
        before = {stage: stage.children for stage in job.stages}
        plan = pack(self._box(pool, job, share, held), work, before, {})
        if plan.end > left:
            return None
        actual = {(stage, index): left - rev - stage.mean
                  for (stage, index), rev in plan.starts.items()}
        return None if _overlaps(actual, running) else actual

    # Step 2, for a selfish one.

    def _start_all_inside(self, pool: Pool, job: Job, share: Vector) -> None:
        for stage in ranked(job, self.within, pool.capacity):
            while stage in pool.runnable(job) and pool.fits(stage) \
                    and _keeps_inside(pool, stage, share):
                pool.start(stage)

    # Step 3.

    def _lend(self, pool: Pool) -> None:
        # The first pass leaves nothing that fits, so that there is no second: what is left of the
        # pool only shrinks, and no task becomes runnable by another's start.
        if self.leftover == "pack_then_srtf":
            self._pack(pool, pool.active)
            return
        for job in sorted(pool.active, key=lambda job: (remaining_work(pool, job), job.order)):
            self._pack(pool, [job])

    def _pack(self, pool: Pool, jobs: list[Job]) -> None:
        while stages := candidates(pool, jobs, self.within):
            pool.start(best_aligned(pool, stages))


def _keeps_inside(pool: Pool, stage: Stage, share: Vector) -> bool:
    """Its job may start a task of it by its quota."""
    job = stage.job
    return may_start(stage.demand, pool.use(job), share, not pool.running_of(job))


def _earliest_first(pool: Pool, job: Job, waits: dict[Task, Fraction]) -> dict[Task, Fraction]:
    """Each stage's waits, dealt out to its tasks in their order, so that these start in it."""
    found = {}
    for stage in job.stages:
        of_stage = sorted(wait for (of, _), wait in waits.items() if of is stage)
        found |= {(stage, index): wait for index, wait in zip(pool.waiting(stage), of_stage)}
    return found


def _remaining(pool: Pool, job: Job):
    """Its running tasks, and how long schedulers believe each still takes."""
    return [(task, max(task.planned_finish - pool.now, Fraction(0)))
            for task in pool.running_of(job)]


def _overlaps(actual: dict[Task, Fraction], running) -> bool:
    return any(wait < remaining and task.stage in stage.parents
               for (stage, _), wait in actual.items() for task, remaining in running)
