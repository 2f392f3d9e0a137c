"""Rigid jobs, simulated exactly: each takes all its CPUs at once and gives them back at once.

    run(jobs, cpus, "easy", heads=1)      # when each job starts and how it ends

Times are whole numbers of any unit. At an instant first what ends gives its CPUs back, then jobs
arrive, then the scheduler decides, once. Jobs wait in order of `key`, ties by arrival; without a key
in order of arrival. A job that runs longer than its limit is killed when that is over. A scheduler
believes limits, never run times.

What happens when the next one does not fit:

* first-fit: each that fits starts, in order.
* none: all behind it wait.
* easy: the first `heads` that do not fit get a reservation each, in order, for the earliest time at
  which they have room from then on for their limit, beside what runs and the reservations before.
  Another one starts, in order, if it has room from now on for its limit beside all of these.
  Reservations are made anew at each decision. With shortest_first those behind the last reservation
  are tried in order of their limits, ties as before.
* conservative: each has such a reservation. At each decision, in order, each takes the earliest time
  at which it has room beside what runs and all other reservations, those behind it included; so no
  reservation is ever put off.
"""

from dataclasses import dataclass, field


@dataclass
class Job:
    submit: int
    cpus: int
    time: int  # that it needs
    limit: int
    key: tuple = ()


@dataclass
class Outcome:
    start: int
    end: int
    killed: bool
    promises: list = field(default_factory=list)  # (when, start) of each reservation


class Profile:
    """Free CPUs from now on: they only change where something ends or begins."""

    def __init__(self, now: int, cpus: int):
        self.now, self.cpus = now, cpus
        self.held = []  # (from, to, cpus)

    def take(self, begin: int, end: int, cpus: int) -> None:
        self.held.append((begin, end, cpus))

    def free(self, at: int) -> int:
        return self.cpus - sum(cpus for begin, end, cpus in self.held if begin <= at < end)

    def has_room(self, begin: int, end: int, cpus: int) -> bool:
        moments = [begin] + [at for at, _, _ in self.held if begin < at < end]
        return all(self.free(at) >= cpus for at in moments)

    def earliest(self, span: int, cpus: int) -> int:
        moments = sorted({self.now} | {end for _, end, _ in self.held if end > self.now})
        return next(at for at in moments if self.has_room(at, at + span, cpus))


class Cluster:
    """What a scheduler sees, and what it may do."""

    def __init__(self, jobs: list[Job], cpus: int):
        self.jobs, self.cpus = jobs, cpus
        self.now = 0
        self.waiting: list[int] = []
        self.running: dict[int, int] = {}  # when by its limit it has ended
        self.outcomes: dict[int, Outcome] = {}
        self.promises: dict[int, list] = {}

    def in_order(self) -> list[int]:
        return sorted(self.waiting, key=lambda at: (self.jobs[at].key, self.jobs[at].submit, at))

    def free(self) -> int:
        return self.cpus - sum(self.jobs[at].cpus for at in self.running)

    def profile(self) -> Profile:
        profile = Profile(self.now, self.cpus)
        for at, end in self.running.items():
            profile.take(self.now, end, self.jobs[at].cpus)
        return profile

    def start(self, at: int) -> None:
        job = self.jobs[at]
        assert job.cpus <= self.free()
        self.waiting.remove(at)
        self.running[at] = self.now + job.limit
        end = self.now + min(job.time, job.limit)
        self.outcomes[at] = Outcome(self.now, end, job.time > job.limit, self.promises.get(at, []))

    def promise(self, at: int, start: int) -> None:
        self.promises.setdefault(at, []).append((self.now, start))


class FirstFit:
    def decide(self, cluster: Cluster) -> None:
        for at in cluster.in_order():
            if cluster.jobs[at].cpus <= cluster.free():
                cluster.start(at)


class Strict:
    def decide(self, cluster: Cluster) -> None:
        for at in cluster.in_order():
            if cluster.jobs[at].cpus > cluster.free():
                return
            cluster.start(at)


class Easy:
    def __init__(self, heads: int = 1, shortest_first: bool = False):
        self.heads, self.shortest_first = heads, shortest_first

    def decide(self, cluster: Cluster) -> None:
        profile = cluster.profile()
        reserved = 0
        to_try = cluster.in_order()
        while to_try:
            at = to_try.pop(0)
            job = cluster.jobs[at]
            if profile.has_room(cluster.now, cluster.now + job.limit, job.cpus):
                cluster.start(at)
                profile.take(cluster.now, cluster.now + job.limit, job.cpus)
            elif reserved < self.heads:
                start = profile.earliest(job.limit, job.cpus)
                profile.take(start, start + job.limit, job.cpus)
                cluster.promise(at, start)
                reserved += 1
                if self.shortest_first and reserved == self.heads:
                    to_try.sort(key=lambda each: cluster.jobs[each].limit)


class Conservative:
    def __init__(self):
        self.starts: dict[int, int] = {}

    def decide(self, cluster: Cluster) -> None:
        for at in cluster.in_order():
            self.reserve(at, cluster)
            if self.starts[at] == cluster.now:
                del self.starts[at]
                cluster.start(at)

    def reserve(self, at: int, cluster: Cluster) -> None:
        job = cluster.jobs[at]
        before = self.starts.pop(at, None)
        profile = cluster.profile()
        for other, start in self.starts.items():
            profile.take(start, start + cluster.jobs[other].limit, cluster.jobs[other].cpus)
        self.starts[at] = profile.earliest(job.limit, job.cpus)
        if self.starts[at] != before:
            cluster.promise(at, self.starts[at])


BACKFILLS = {"first-fit": FirstFit, "none": Strict, "easy": Easy, "conservative": Conservative}


def run(jobs: list[Job], cpus: int, backfill: str, **parameters) -> list[Outcome]:
    """By job, which come in order of arrival."""
    assert all(job.cpus <= cpus for job in jobs)
    assert all(a.submit <= b.submit for a, b in zip(jobs, jobs[1:]))
    scheduler = BACKFILLS[backfill](**parameters)
    cluster = Cluster(jobs, cpus)
    to_come = list(range(len(jobs)))
    while to_come or cluster.running or cluster.waiting:
        moments = [cluster.outcomes[at].end for at in cluster.running]
        if to_come:
            moments.append(jobs[to_come[0]].submit)
        cluster.now = min(moments)
        for at in list(cluster.running):
            if cluster.outcomes[at].end == cluster.now:
                del cluster.running[at]
        while to_come and jobs[to_come[0]].submit == cluster.now:
            cluster.waiting.append(to_come.pop(0))
        scheduler.decide(cluster)
    return [cluster.outcomes[at] for at in range(len(jobs))]
