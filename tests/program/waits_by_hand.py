"""Why tasks of a small run waited, found by walking through every instant of it.

The definitions are those of analysis/somnus/analysis/report/wait_causes.py and spans.py, of which nothing is
used here: slow, and as plain as can be.
"""

from collections import Counter, defaultdict

import h5py

FINISHED, FAILED, LOST, UNFINISHED, RETURNED, KILLED, SUSPENDED = range(7)
JOB_FAILED = 3
CLOSE = 1e-7  # of amounts


def rows(file, name):
    dataset = file[name]
    return [dict(zip(dataset.dtype.names, row)) for row in dataset[()].tolist()]


def of_jobs(path, free_to_use):
    """By job, a Counter of task-seconds by cause; free_to_use: any node at any time."""
    with h5py.File(path, "r") as file:
        return Walk(file, free_to_use).walk()


class Walk:
    def __init__(self, file, free_to_use):
        self.free_to_use = free_to_use
        self.jobs, self.stages = rows(file, "jobs"), rows(file, "stages")
        self.resources = [name.decode() for name in file.attrs["resources"]]
        self.children = {row["stage"] for row in rows(file, "stage_parents")}
        self.demands = self.read_demands(file)
        self.nodes = self.read_nodes(file)
        self.attempts = self.read_attempts(file)
        self.happenings = self.read_happenings(file)
        self.end = max(time for time, *_ in self.happenings)
        self.end = max([self.end, *(row["finish"] for row in rows(file, "tasks"))])
        self.end = max([self.end, *(row["time"] for row in rows(file, "samples"))])
        self.heard = [dict(node) for node in self.nodes]
        self.truth = [dict(node) for node in self.nodes]
        self.up = [True] * len(self.nodes)
        self.passed_over = set()  # (task, attempt)
        self.over = {True: set(), False: set()}

    def read_demands(self, file):
        rows_of = {row["stage"]: row for row in rows(file, "events/stage_estimated")}
        return [{**({"slots": 1} if not self.resources or self.has_slots(file) else {}),
                 **{name: rows_of[stage][f"demand_{name}"] for name in self.resources
                    if stage in rows_of}}
                for stage in range(len(self.stages))]

    @staticmethod
    def has_slots(file):
        return any(row["slots"] for row in rows(file, "nodes"))

    def read_nodes(self, file):
        kinds = self.resources + (["slots"] if self.has_slots(file) else [])
        return [{kind: row[kind] for kind in kinds} for row in rows(file, "nodes")]

    def read_attempts(self, file):
        """By task, its attempts in turn, up to the one that finished it."""
        first, total = [], 0
        for stage in self.stages:
            first.append(total)
            total += stage["tasks"]
        self.stage_of = [place for place, stage in enumerate(self.stages)
                         for _ in range(stage["tasks"])]
        found = defaultdict(list)
        for row in rows(file, "tasks"):
            found[first[row["stage"]] + row["index"]].append(row)
        for task, those in found.items():
            those.sort(key=lambda row: row["attempt"])
            done = [place for place, row in enumerate(those) if row["outcome"] == FINISHED]
            found[task] = those[:done[0] + 1] if done else those
        self.ended = {(task, row["attempt"]): row for task, those in found.items() for row in those}
        for row in rows(file, "tasks"):
            self.ended[first[row["stage"]] + row["index"], row["attempt"]] = row
        return found

    def read_happenings(self, file):
        """All that changes anything, in the order in which it does: (time, order, what, row)."""
        found = []
        heard_at = {}
        for what in ("task_ended", "node_lost", "node_returned"):
            for row in rows(file, f"events/{what}"):
                found.append((row["time"], (row["round"], 0, row["number"]), what, row))
                if what == "task_ended":
                    heard_at.setdefault((row["task"], row["attempt"]), row)
        for row in rows(file, "decisions/launch"):
            found.append((row["time"], (row["round"], 1, row["number"]), "launch", row))
        self.launch_number = {(row["task"], row["attempt"]): row["number"]
                              for *_, what, row in found if what == "launch"}
        self.heard_at = heard_at
        for key, row in self.ended.items():
            if row["finish"] < heard_at.get(key, {"time": 0})["time"]:
                found.append((row["finish"], (-1, 0, 0), "over", {"key": key, "node": row["node"]}))
        return sorted(found, key=lambda each: (each[0], each[1]))

    def walk(self):
        causes = defaultdict(Counter)
        stamps = {time for time, *_ in self.happenings} | {self.end}
        stamps |= {job["submit"] for job in self.jobs if job["submit"] < self.end}
        stamps |= {job["finish"] for job in self.jobs if job["finish"] < self.end}
        stamps |= {row[stamp] for those in self.attempts.values() for row in those
                   for stamp in ("ready", "placed", "queued", "start") if row[stamp] <= self.end}
        stamps = sorted(stamps)
        coming = iter(self.happenings)
        happening = next(coming, None)
        for begin, end in zip(stamps, stamps[1:]):
            while happening and happening[0] <= begin:
                self.happen(*happening)
                happening = next(coming, None)
            for task, stage in enumerate(self.stage_of):
                cause = self.cause_at(task, stage, begin)
                if cause:
                    causes[self.stages[stage]["job"]][cause] += end - begin
        return causes

    def happen(self, time, _, what, row):
        if what == "node_lost":
            self.up[row["node"]] = False
        elif what == "node_returned":
            self.up[row["node"]] = True
        elif what == "launch":
            self.pass_over(time, row)
            self.give(self.heard, row["node"], row["stage"], -1)
            self.give(self.truth, row["node"], row["stage"], -1)
        elif what == "over":
            self.end_of(self.truth, row["key"], row["node"])
        elif (row["task"], row["attempt"]) in self.launch_number:
            self.end_of(self.heard, (row["task"], row["attempt"]), row["node"])
            self.end_of(self.truth, (row["task"], row["attempt"]), row["node"])

    def end_of(self, free, key, node):
        over = self.over[free is self.truth]
        if key not in over:
            over.add(key)
            self.give(free, node, self.stage_of[key[0]], 1)

    def give(self, free, node, stage, times):
        for kind, amount in self.demands[stage].items():
            free[node][kind] += times * amount

    def pass_over(self, time, launch):
        """One waiting task of each stage, and of those that became ready together."""
        if launch["into"] != 0:
            return
        there = self.heard[launch["node"]]
        waiting = defaultdict(list)
        for task, stage in enumerate(self.stage_of):
            state = self.state_at(task, stage, time, launch["number"])
            if state is None or state[0] != "pending" or (task, state[1]) in self.passed_over:
                continue
            if self.stages[stage]["job"] == self.stages[launch["stage"]]["job"]:
                continue
            if all(there[kind] >= amount - CLOSE for kind, amount in self.demands[stage].items()
                   if kind != "slots"):
                own = self.launch_number.get((task, state[1]), float("inf"))
                waiting[stage, state[2]].append((own, task, state[1]))
        for those in waiting.values():
            self.passed_over.add(min(those)[1:])

    def cause_at(self, task, stage, time):
        state = self.state_at(task, stage, time, None)
        if state is None or state[0] != "pending":
            return state and state[0]
        demand = self.demands[stage]
        is_open = self.has_room(self.heard, demand)
        if is_open and self.free_to_use:
            return "held"
        if (task, state[1]) in self.passed_over:
            return "order"
        if is_open or self.has_room(self.truth, demand):
            return "news"
        if not any(up and self.holds(node, demand) for up, node in zip(self.up, self.nodes)):
            return "lost"
        some = {kind: 10 * CLOSE for kind, amount in demand.items() if amount > CLOSE}
        return "room" if self.has_room(self.heard, some) else "full"

    @staticmethod
    def holds(free, demand):
        return all(free[kind] >= amount - CLOSE for kind, amount in demand.items())

    def has_room(self, free, demand):
        return any(up and self.holds(node, demand) for up, node in zip(self.up, free))

    def state_at(self, task, stage, time, number):
        """What the task waits in, from that instant on: (kind, attempt, ready); None: it does not.

        number: of a launch of that instant, before which it is asked; None: when all is done.
        """
        job = self.jobs[self.stages[stage]["job"]]
        if not job["submit"] <= time:
            return None
        kind, attempt = "parents" if stage in self.children else "news", 0
        for row in self.attempts.get(task, []):
            attempt = row["attempt"]
            if time < row["ready"]:
                return kind, attempt, None
            launched = self.launch_number[task, attempt]
            if time < row["placed"] or (time == row["placed"] and number is not None
                                        and number < launched):
                return "pending", attempt, row["ready"]
            kind = "queue" if row["outcome"] == RETURNED else "again"
        if not self.attempts.get(task):
            return self.never_launched(job, stage, kind, time)
        return self.launched(job, task, row, kind, time)

    def never_launched(self, job, stage, kind, time):
        if job["state"] == JOB_FAILED and time >= job["finish"]:
            return None
        ready = self.stages[stage]["ready"]
        return ("pending", 0, ready) if ready <= time else (kind, 0, None)

    def launched(self, job, task, row, kind, time):
        if row["outcome"] in (FAILED, LOST, RETURNED) and job["state"] != JOB_FAILED:
            ready = self.heard_at[task, row["attempt"]]["time"]
            ready = max(ready, row["placed"])
            return ("pending", row["attempt"] + 1, ready) if ready <= time else (kind, 0, None)
        if time < row["queued"] <= self.end:
            return "news", row["attempt"], None
        if time < row["start"] <= self.end:
            return "queue", row["attempt"], None
        return None
