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
* normalise: alignment inside a quota divides by the "pool"'s capacity or by the "share".
* oversize: a task larger than the quota in an empty box has its alignment ("plain"), or comes after
  all that fit ("last").
* must_start: so many tasks of a stage start as must, in their order ("count"), or these very
  "tasks"; the same if a stage's tasks are alike.
* reverse_tasks: in reverse a stage's tasks are packed "last-first" or "in-order".
* reverse_ties: equal alignments in reverse go by the job's order ("within"), by the "file", or by
  level in the DAG with all arrows turned ("reversed").
* shrinks: below the share of the "promise", or below the "last" share.
* replan: when plans are made, as above.
* overlap: a reverse packing in which a child starts before a parent's running task ends counts as
  one that ends after T_k ("late"), for nobody could follow it, or is taken as it is ("ignored").

Readings of share-change, without a choice:
* Whether a latest start was missed is judged for each job before it starts anything at the instant,
  and A_k is that of the instant. With must_start = tasks, a task takes its own latest start along.
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

CHOICES = {
    "leftover": ("srtf_then_pack", "pack_then_srtf", "none"),
    "normalise": ("pool", "share"),
    "oversize": ("plain", "last"),
    "must_start": ("count", "tasks"),
    "reverse_tasks": ("last-first", "in-order"),
    "reverse_ties": ("within", "file", "reversed"),
    "shrinks": ("promise", "last"),
    "replan": ("share-change", "each-event"),
    "overlap": ("late", "ignored"),
}


@dataclass
class Promise:
    share: Vector
    end: Fraction


class Carbyne:
    def __init__(self, within: str = "bfs", altruism: Fraction = Fraction(1), **choices: str):
        if altruism not in (0, 1):
            raise ValueError("expected an altruism of 0 or 1")
        for name, choice in choices.items():
            if choice not in CHOICES.get(name, ()):
                raise ValueError(f"expected {name} of {CHOICES.get(name)}, found {choice}")
        self.within = within
        self.is_altruistic = altruism == 1
        self.choices = {name: values[0] for name, values in CHOICES.items()} | choices
        self.promises: dict[Job, Promise] = {}
        self.plans: dict[Job, dict[Task, Fraction]] = {}  # latest starts
        self.planned_among: list[Job] = []  # the active jobs when plans were made
        self.decisions = []

    def place(self, pool: Pool) -> Fraction | None:
        quotas = closed_form(pool.active, pool.capacity)
        note = {
            "time": pool.now,
            "shares": {job.name: quotas.quotas[job] for job in pool.active},
            "residue": quotas.residue,
            "promised": {}, "actual": {}, "must_start": {}, "late": [], "missed": [],
        }
        if self.choices["replan"] == "each-event" or self.planned_among != pool.active:
            self.plans, self.planned_among = {}, list(pool.active)
        waits = []
        for job in pool.active:
            if self.is_altruistic:
                waits += self._start_what_must(pool, job, quotas.quotas[job], note)
            else:
                self._start_all_inside(pool, job, quotas.quotas[job])
        note["leftover"] = pool.free
        if self.choices["leftover"] != "none":
            self._lend(pool)
        self.decisions.append(note)
        lends_nothing = self.choices["leftover"] == "none"
        return pool.now + min(waits) if waits and lends_nothing else None

    # Step 2, for an altruistic job.

    def _start_what_must(self, pool: Pool, job: Job, share: Vector, note) -> list[Fraction]:
        """How long its runnable tasks can wait that need not start now."""
        left = self._promised(pool, job, share)
        note["promised"][job.name] = left
        if not any(map(pool.waiting, job.stages)):
            return []
        plan = self._plan(pool, job, share, left, note)
        is_missed = any(latest < pool.now for latest in plan.values())
        if is_missed:
            note["missed"].append(job.name)
        runnable = pool.runnable(job)
        waits = {task: latest - pool.now for task, latest in plan.items() if task[0] in runnable}
        order = ranked(job, self.within, pool.capacity)
        must = sorted((task for task, wait in waits.items() if wait <= 0),
                      key=lambda task: (order.index(task[0]), task[1]))
        note["must_start"][job.name] = [(stage.name, index) for stage, index in must]
        for stage, index in must:
            if pool.fits(stage) and (not is_missed or _keeps_inside(pool, stage, share)):
                pool.start(stage, index)
        return [wait for wait in waits.values() if wait > 0]

    def _plan(self, pool: Pool, job: Job, share: Vector, left: Fraction,
              note) -> dict[Task, Fraction]:
        """The latest starts of its tasks not yet started, made anew if they are to be."""
        if job not in self.plans:
            self.plans[job] = self._planned(pool, job, share, left, note)
        return {(stage, index): latest for (stage, index), latest in self.plans[job].items()
                if index in pool.waiting(stage)}

    def _planned(self, pool: Pool, job: Job, share: Vector, left: Fraction,
                 note) -> dict[Task, Fraction]:
        waits = self._reverse(pool, job, share, left)
        if waits is not None:
            note["actual"][job.name] = {(s.name, i): wait for (s, i), wait in waits.items()}
        else:
            note["late"].append(job.name)
            waits = self._forward(pool, job, share).starts
            if self.choices["replan"] == "each-event":  # what starts later is planned anew by then
                waits = {task: start for task, start in waits.items() if start == 0}
        if self.choices["must_start"] == "count":
            waits = _earliest_first(pool, job, waits)
        return {task: pool.now + wait for task, wait in waits.items()}

    def _promised(self, pool: Pool, job: Job, share: Vector) -> Fraction:
        """T_k, from now on."""
        promise = self.promises.get(job)
        if promise is None or not within(promise.share, share):
            end = pool.now + self._forward(pool, job, share).end
            self.promises[job] = Promise(share, end)
        elif self.choices["shrinks"] == "last":
            promise.share = share
        return self.promises[job].end - pool.now

    def _box(self, pool: Pool, share: Vector, order: list[Stage], held: list[Held]) -> Box:
        scale = pool.capacity
        if self.choices["normalise"] == "share":
            scale = tuple(part or whole for part, whole in zip(share, pool.capacity))
        return Box(share, scale, order, self.choices["oversize"] == "last", held)

    def _forward(self, pool: Pool, job: Job, share: Vector) -> Plan:
        """Of all that remains; its end is T_k."""
        busy: dict[Stage, Fraction] = {}
        held = []
        for task, left in _remaining(pool, job):
            held.append(Held(Fraction(0), left, task.stage.demand))
            busy[task.stage] = max(busy.get(task.stage, left), left)
        work = {stage: pool.waiting(stage) for stage in job.stages}
        before = {stage: stage.parents for stage in job.stages}
        box = self._box(pool, share, ranked(job, self.within, pool.capacity), held)
        plan = pack(box, work, before, busy)
        plan.end = max([plan.end, *busy.values()])
        return plan

    def _reverse(self, pool: Pool, job: Job, share: Vector,
                 left: Fraction) -> dict[Task, Fraction] | None:
        """Actual(t) of all tasks not yet started; None if T_k, `left`, is too short for them."""
        running = _remaining(pool, job)
        if any(remaining > left for _, remaining in running):
            return None
        held = [Held(left - remaining, left, task.stage.demand) for task, remaining in running]
        turn = -1 if self.choices["reverse_tasks"] == "last-first" else 1
        work = {stage: pool.waiting(stage)[::turn] for stage in job.stages}
        before = {stage: stage.children for stage in job.stages}
        ties = {"within": self.within, "reversed": "bfs-from-sinks"}.get(
            self.choices["reverse_ties"], "file")
        box = self._box(pool, share, ranked(job, ties, pool.capacity), held)
        plan = pack(box, work, before, {})
        if plan.end > left:
            return None
        actual = {(stage, index): left - rev - stage.planned[index]
                  for (stage, index), rev in plan.starts.items()}
        if self.choices["overlap"] == "late" and _overlaps(actual, running):
            return None
        return actual

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
        if self.choices["leftover"] == "pack_then_srtf":
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
