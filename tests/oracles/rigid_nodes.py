"""Rigid jobs on nodes with several resources, simulated exactly, second by second.

    run(jobs, nodes, "easy", heads=1)      # when each job starts, and on which nodes

A job's tasks all ask for the same, are all placed at once, each on one node, and all go back at once. Of the
nodes in order of their numbers each takes as many as it has room for. Times are whole seconds. At an instant
first what ends gives back, then jobs arrive, then the scheduler decides, once, in order of arrival. It believes
limits; no job here takes longer than its own. An exclusive job's nodes have no tasks of others.

* none: all behind one that does not fit wait.
* easy: the first `heads` that do not fit have a reservation each, in order: the earliest second from which on
  there is room for all tasks for the job's limit, beside what runs and the reservations before; and there its
  nodes. Another one starts if there is room for it beside all of these.
* conservative: each has one. At each decision, in order, each is taken out and put at the earliest second beside
  all others; at the same one it stays on its nodes.
"""

from dataclasses import dataclass


@dataclass
class Job:
    submit: int
    tasks: int
    demand: tuple  # of a task, by resource
    time: int
    limit: int
    exclusive: bool = False


class Calendar:
    def __init__(self, nodes, jobs):
        self.nodes, self.jobs = nodes, jobs  # capacities by resource, by node
        self.held = {}  # by whom: from, to, node of each task

    def take(self, whom, begin, end, places):
        self.held[whom] = (begin, end, places)

    def room(self, node, job, begin):
        """For how many tasks, in the worst of the seconds of its limit."""
        last = max([end for _, end, _ in self.held.values()], default=begin)
        worst = None
        for second in range(begin, max(begin + 1, min(begin + job.limit, last + 1))):
            left, others = list(self.nodes[node]), False
            for whom, (start, end, places) in self.held.items():
                if start <= second < end and node in places:
                    others |= job.exclusive or self.jobs[whom].exclusive
                    for kind, amount in enumerate(self.jobs[whom].demand):
                        left[kind] -= amount * places.count(node)
            fits = min(max(0, free // amount) for free, amount in zip(left, job.demand) if amount)
            fits = 0 if others else fits
            worst = fits if worst is None else min(worst, fits)
        return worst

    def places(self, job, begin):
        """A node for each task from then on; None: there is no room for all."""
        found = []
        for node in range(len(self.nodes)):
            room = self.room(node, job, begin)
            found += [node] * min(room, job.tasks - len(found))
        return found if len(found) == job.tasks else None

    def earliest(self, job, now):
        begin = now
        while (found := self.places(job, begin)) is None:
            begin += 1
        return begin, found


class Run:
    def __init__(self, jobs, nodes):
        self.jobs, self.nodes, self.now = jobs, nodes, 0
        self.waiting, self.ends, self.started = [], {}, {}
        self.kept = {}  # conservative: begin and places

    def calendar(self):
        calendar = Calendar(self.nodes, self.jobs)
        for at in self.ends:
            begin, places = self.started[at]
            calendar.take(at, begin, begin + self.jobs[at].limit, places)
        return calendar

    def start(self, at, places):
        self.waiting.remove(at)
        self.ends[at] = self.now + self.jobs[at].time
        self.started[at] = (self.now, places)

    def none(self):
        for at in list(self.waiting):
            places = self.calendar().places(self.jobs[at], self.now)
            if places is None:
                return
            self.start(at, places)

    def easy(self, heads=1):
        calendar, reserved = self.calendar(), 0
        for at in list(self.waiting):
            job = self.jobs[at]
            places, begin = calendar.places(job, self.now), self.now
            if places is not None:
                self.start(at, places)
            elif reserved < heads:
                begin, places = calendar.earliest(job, self.now)
                reserved += 1
            else:
                continue
            calendar.take(at, begin, begin + job.limit, places)

    def conservative(self):
        for at in list(self.waiting):
            job, before = self.jobs[at], self.kept.pop(at, None)
            calendar = self.calendar()
            for other, (begin, places) in self.kept.items():
                calendar.take(other, begin, begin + self.jobs[other].limit, places)
            begin, places = calendar.earliest(job, self.now)
            if begin == self.now:
                self.start(at, places)
            else:
                self.kept[at] = before if before is not None and before[0] == begin else (begin, places)


def run(jobs, nodes, backfill, **parameters):
    """By job, which come in order of arrival: its start, and the node of each of its tasks."""
    world, to_come = Run(jobs, nodes), list(range(len(jobs)))
    while to_come or world.ends:
        world.now = min([jobs[at].submit for at in to_come[:1]] + list(world.ends.values()))
        world.ends = {at: end for at, end in world.ends.items() if end > world.now}
        while to_come and jobs[to_come[0]].submit == world.now:
            world.waiting.append(to_come.pop(0))
        getattr(world, backfill)(**parameters)
    return [world.started[at] for at in range(len(jobs))]
