"""Rigid jobs under least attained service, with gangs that give up their slots, simulated exactly.

    run(jobs, cpus, Rules(thresholds=(16, 64)), "none")   # when each job starts, for good or not, and ends

A job that has held CPUs for less than the first threshold [CPUs x time], over all its starts, is in queue 0;
for less than the second, in queue 1; and so on. Jobs wait in order of their queue, ties by arrival. At an
instant first what ends gives its CPUs back, then jobs arrive and go on to other queues, then the scheduler
decides.

Of one that does not fit (whichever under first-fit, else the first of them): jobs that run in a later queue
than its own are chosen, those of the last queue first, of a queue the one that started last first, until
there is enough with what is free; then each that is not needed, in that order, is let go on. What is chosen
loses its CPUs and all that it has done, and waits again; its limit counts anew. Under "suspend" it keeps what
it has done, and what it has had of its limit. Nobody else starts until the CPUs are back, which takes no time
here: then all is decided anew. If there is not enough, nobody is chosen.
"""

from dataclasses import dataclass, field
from fractions import Fraction


@dataclass
class Job:
    submit: int
    cpus: int
    time: int
    limit: int


@dataclass
class Rules:
    thresholds: tuple
    preemption: str = "requeue"  # or none, suspend


@dataclass
class State:
    starts: list = field(default_factory=list)
    end: Fraction | None = None
    service: Fraction = Fraction(0)
    since: Fraction | None = None  # runs since then
    done: Fraction = Fraction(0)  # and kept


class Simulation:
    def __init__(self, jobs, cpus, rules, backfill):
        self.jobs, self.cpus, self.rules, self.backfill = jobs, cpus, rules, backfill
        self.states = [State() for _ in jobs]
        self.now = Fraction(0)
        self.waiting, self.launched = [], []  # the latter run, in the order of their starts

    def attained(self, at):
        state = self.states[at]
        held = self.jobs[at].cpus * (self.now - state.since) if state.since is not None else 0
        return state.service + held

    def queue(self, at):
        return sum(self.attained(at) >= threshold for threshold in self.rules.thresholds)

    def left(self, at):
        """When it last started, of its time and of its limit."""
        return self.jobs[at].time - self.states[at].done, self.jobs[at].limit - self.states[at].done

    def free(self):
        return self.cpus - sum(self.jobs[at].cpus for at in self.launched)

    def next_moment(self, to_come):
        moments = [self.jobs[to_come[0]].submit] if to_come else []
        for at in self.launched:
            moments.append(self.states[at].since + self.left(at)[0])
            left = [threshold - self.attained(at) for threshold in self.rules.thresholds]
            moments += [self.now + Fraction(one) / self.jobs[at].cpus for one in left if one > 0]
        return min(moments)

    def stop(self, at):
        self.states[at].service = self.attained(at)
        if self.rules.preemption == "suspend":
            self.states[at].done += self.now - self.states[at].since
        self.states[at].since = None
        self.launched.remove(at)

    def start(self, at):
        self.waiting.remove(at)
        self.launched.append(at)
        self.states[at].since = self.now
        self.states[at].starts.append(self.now)

    def victims(self, at):
        """None if they have not enough."""
        needed = self.jobs[at].cpus - self.free()
        mine = self.queue(at)
        later = [one for one in reversed(self.launched) if self.queue(one) > mine]
        later.sort(key=self.queue, reverse=True)
        chosen = []
        for one in later:
            if needed <= 0:
                break
            chosen.append(one)
            needed -= self.jobs[one].cpus
        if needed > 0 or self.rules.preemption == "none":
            return None
        for one in list(chosen):
            if needed + self.jobs[one].cpus <= 0:
                needed += self.jobs[one].cpus
                chosen.remove(one)
        return chosen

    def has_room(self, at, begin, reserved):
        """Beside what runs, by limits, and reservations (begin, end, CPUs)."""
        held = [(self.now, self.by_limit(one), self.jobs[one].cpus) for one in self.launched] + reserved
        moments = [begin] + [one for one, _, _ in held if begin < one < begin + self.left(at)[1]]
        return all(sum(cpus for b, e, cpus in held if b <= moment < e) + self.jobs[at].cpus <= self.cpus
                   for moment in moments)

    def by_limit(self, at):
        """When one that runs must have ended."""
        return self.states[at].since + self.left(at)[1]

    def decide(self):
        """Whether all is to be decided anew, as CPUs have come back."""
        reserved, first = [], True
        for at in sorted(self.waiting, key=lambda one: (self.queue(one), one)):
            if self.backfill == "easy" and self.has_room(at, self.now, reserved):
                self.start(at)
                continue
            if self.backfill != "easy" and self.jobs[at].cpus <= self.free():
                self.start(at)
                continue
            chosen = self.victims(at) if first or self.backfill == "first-fit" else None
            first = False
            if chosen:
                for one in chosen:
                    self.stop(one)
                    self.waiting.append(one)
                return True
            if self.backfill == "none":
                return False
            if self.backfill == "easy" and not reserved:
                moments = sorted({self.by_limit(one) for one in self.launched})
                begin = next(one for one in moments if self.has_room(at, one, []))
                reserved.append((begin, begin + self.left(at)[1], self.jobs[at].cpus))
        return False

    def run(self):
        to_come = list(range(len(self.jobs)))
        while to_come or self.launched or self.waiting:
            self.now = self.next_moment(to_come)
            for at in list(self.launched):
                if self.states[at].since + self.left(at)[0] == self.now:
                    self.stop(at)
                    self.states[at].end = self.now
            while to_come and self.jobs[to_come[0]].submit == self.now:
                self.waiting.append(to_come.pop(0))
            while self.decide():
                pass
        return self.states


def run(jobs, cpus, rules, backfill):
    """By job, which come in order of arrival and never need more than their limit."""
    assert all(job.cpus <= cpus and job.time <= job.limit for job in jobs)
    return Simulation(jobs, cpus, rules, backfill).run()
