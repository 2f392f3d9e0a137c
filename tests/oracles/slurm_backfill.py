"""Slurm's sched/backfill on a few nodes, simulated exactly as far as it is known from outside: its manual, and
trials with a real one (22.05, select/cons_tres, CR_CPU, priority/basic).

    starts(jobs, nodes=2, cpus=32, rules=Rules(phase=5))

* At each submit and end: jobs start in order up to the first that does not fit.
* At multiples of `interval`, if a job has come or ended since the last time, the backfill tries all in
  order. One that fits now starts. Each other one gets a reservation, made anew each time, which keeps whole
  nodes from then on for the job's limit: nobody else may be there at that time. It begins and ends at
  multiples of `resolution`; there is none for a start after `window`.
* When does a job fit? Running jobs are taken away in order of their limits' ends, some at a time: the
  first, and all whose end is within a window of it, where ends count as multiples of 30 s. The window is
  30 s and doubles each time. The job starts at the last end of those that were taken away. (Trials: of two
  jobs that fill a node each, a third of that width was planned for the end of the second, when the ends,
  rounded down to 30 s, were at most 30 s apart, and else for the first. The manual says of bf_window_linear
  that precision is 30 s at first.)
* Where: on the node with the fewest free CPUs that suffice, else on as few nodes as can be.

Who runs for longer than its limit is believed to end now: what waits for nothing else keeps its nodes.

Times are seconds; `phase` is what the clock's seconds, modulo 30, are at time 0.
"""

import heapq
from dataclasses import dataclass

GRID_S = 30


@dataclass
class Job:
    submit: float
    cpus: int
    held: float  # for which it holds its CPUs
    limit: float


@dataclass
class Rules:
    phase: float = 0
    interval: float = 1
    resolution: float = 1
    window: float = 86400


class Slurm:
    def __init__(self, jobs, nodes, cpus, rules):
        self.jobs, self.rules = jobs, rules
        self.free = [cpus] * nodes
        self.waiting = []
        self.running = {}  # job: (start, CPUs by node)
        self.ends = []
        self.starts = [None] * len(jobs)

    def where(self, free, cpus, nodes):
        """CPUs by node; None: it does not fit on these."""
        enough = [node for node in nodes if free[node] >= cpus]
        chosen = [0] * len(free)
        if enough:
            chosen[min(enough, key=lambda node: free[node])] = cpus
            return chosen
        for node in sorted(nodes, key=lambda node: -free[node]):
            chosen[node] = min(free[node], cpus - sum(chosen))
        return chosen if sum(chosen) == cpus else None

    def start(self, now, at, chosen):
        self.free = [free - taken for free, taken in zip(self.free, chosen)]
        self.waiting.remove(at)
        self.running[at] = (now, chosen)
        self.starts[at] = now
        heapq.heappush(self.ends, (now + self.jobs[at].held, at))

    def end(self, at):
        self.free = [free + taken for free, taken in zip(self.free, self.running.pop(at)[1])]

    def start_in_order(self, now):
        while self.waiting:
            chosen = self.where(self.free, self.jobs[self.waiting[0]].cpus, range(len(self.free)))
            if chosen is None:
                return
            self.start(now, self.waiting[0], chosen)

    def earliest(self, now, at, nodes):
        """When it would start on these nodes, and where."""
        cpus, free, window = self.jobs[at].cpus, list(self.free), GRID_S
        chosen = self.where(free, cpus, nodes)
        by_end = sorted((self.rounded(start, 1) + self.jobs[other].limit, other) for other, (start, _) in self.running.items())
        start = now
        while chosen is None and by_end:
            first = self.rounded(by_end[0][0], GRID_S)
            while by_end and self.rounded(by_end[0][0], GRID_S) <= first + window:
                start, other = by_end.pop(0)
                free = [one + taken for one, taken in zip(free, self.running[other][1])]
            window *= 2
            chosen = self.where(free, cpus, nodes)
        return start, chosen

    def rounded(self, time, multiple):
        """Down to a multiple, as the clock shows it."""
        return (time + self.rules.phase) // multiple * multiple - self.rules.phase

    def backfill(self, now):
        reserved = []  # (from, to, nodes)
        for at in list(self.waiting):
            limit, begin = self.jobs[at].limit, now
            for _ in range(100):  # later and later
                taken = [one for one in reserved if one[0] < begin + limit and one[1] > begin]
                nodes = set(range(len(self.free))).difference(*(nodes for _, _, nodes in taken))
                ends = min((to for _, to, _ in taken), default=None)
                start, chosen = self.earliest(now, at, sorted(nodes)) if nodes else (None, None)
                if chosen is None and ends is None:
                    break
                if chosen is None:
                    begin = ends
                    continue
                start = max(start, begin)
                if start <= now and self.where(self.free, self.jobs[at].cpus, sorted(nodes)):
                    self.start(now, at, chosen)
                    break
                if ends is not None and start > ends:
                    begin = ends
                    continue
                used = {node for node, cpus in enumerate(chosen) if cpus}
                if any(one[0] < start + limit and one[1] > start and one[2] & used for one in reserved):
                    begin = max(start, begin + 1)
                    continue
                if start - now <= self.rules.window:
                    every = self.rules.resolution
                    reserved.append((self.rounded(start, every), self.rounded(start + limit + every - 1e-9, every), used))
                break


def starts(jobs, nodes, cpus, rules):
    """By job, which come in order of submit."""
    slurm = Slurm(jobs, nodes, cpus, rules)
    to_come = list(range(len(jobs)))
    cycle, has_changed = None, False
    while to_come or slurm.ends or cycle is not None:
        now = min([jobs[at].submit for at in to_come[:1]] + [end for end, _ in slurm.ends[:1]]
                  + [cycle] * (cycle is not None))
        while slurm.ends and slurm.ends[0][0] <= now:
            slurm.end(heapq.heappop(slurm.ends)[1])
            has_changed = True
        while to_come and jobs[to_come[0]].submit <= now:
            slurm.waiting.append(to_come.pop(0))
            has_changed = True
        if cycle is not None and cycle <= now:
            cycle, has_changed = None, False
            slurm.backfill(now)
        else:
            slurm.start_in_order(now)
        has_changed = has_changed and bool(slurm.waiting)
        if has_changed and cycle is None:
            cycle = (now // rules.interval + 1) * rules.interval
    return slurm.starts
