#!/usr/bin/python3
"""Stands in for the program where it isn't built: a slow slot scheduler with the same commands.

It knows the policies of the CFQ and the UWFQ paper and writes logs true to the schema, which makes
it an oracle for small examples as well. Those of the Yaq paper it takes for FIFO, those of the
Carbyne paper for FAIR or SRPT on machines with room for a few tasks. Single-stage jobs only.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import heapq
import json
import math
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from logs import Job, Stage, Task, write_log
from two_level import TwoLevel

PARTS = 8  # that a divisible job is cut into by size
ADVISORY_S = 0.5  # of a task, where it is cut by run time
YAQ = ("yarn", "yarn+q", "yaq-c", "mercury", "sparrow", "yaq-d")
CARBYNE = {"drf": "fair", "drf-strict": "fair", "tetris-fair": "fair", "tetris": "srpt",
           "sjf": "srpt", "carbyne": "srpt"}
TASKS_A_MACHINE = 2  # where it has resources and no slots; each takes as much of all kinds


@dataclass
class Submitted:
    """A job of a workload."""

    submit: float
    durations: list[float]
    user: str = "default"
    work: float = 0.0  # > 0: divisible, and no durations
    name: str = ""
    queue: str = "default"

    def cut(self, by_runtime: bool) -> list[float]:
        if not self.work:
            return self.durations
        parts = max(1, math.ceil(self.work / ADVISORY_S)) if by_runtime else PARTS
        return [self.work / parts] * parts


@dataclass
class User:
    running: int = 0


@dataclass
class Running:
    """A job on its way."""

    place: int
    submit: float
    durations: list[float]
    user: User
    started: int = 0
    ended: int = 0
    told: float = 0.0  # slot-time as the scheduler believes it
    virtual_finish: float = 0.0
    deadline: float = 0.0
    finish: float = 0.0
    tasks: list[tuple[float, float, int]] = field(default_factory=list)

    @property
    def work(self) -> float:
        return sum(self.durations)


ORDERS = {
    "fifo": lambda job: (job.submit, job.place),
    "fair": lambda job: (job.started - job.ended, job.submit, job.place),
    "srpt": lambda job: (job.told * (1 - job.ended / len(job.durations)), job.place),
    "cfq": lambda job: (job.virtual_finish, job.place),
    "ujf": lambda job: (job.user.running, job.started - job.ended, job.submit, job.place),
    "uwfq": lambda job: (job.deadline, job.place),
}


class Gps:
    """Virtual time of the fluid reference: dV/dt = slots / active jobs."""

    def __init__(self, slots: int):
        self.slots, self.now, self.virtual, self.active = slots, 0.0, 0.0, []

    def arrive(self, job: Running) -> None:
        while self.active:
            end = self.now + (self.active[0] - self.virtual) * len(self.active) / self.slots
            if end > job.submit:
                self.virtual += (job.submit - self.now) * self.slots / len(self.active)
                break
            self.now, self.virtual = end, heapq.heappop(self.active)
        self.now = job.submit
        job.virtual_finish = self.virtual + job.told
        heapq.heappush(self.active, job.virtual_finish)


def schedule(jobs: list[Running], slots: int, policy: str, profile) -> None:
    """Fills in the jobs' tasks (start, finish, slot) and finishes."""
    free = list(range(slots))
    arrivals = sorted(jobs, key=lambda job: (job.submit, job.place))
    ends: list[tuple[float, int, int]] = []
    gps, two_level, ended = Gps(slots), TwoLevel(slots), []
    waiting: list[Running] = []
    while arrivals or ends:
        now = min([each[0] for each in ends[:1]] + [job.submit for job in arrivals[:1]])
        while ends and ends[0][0] == now:
            _, place, slot = heapq.heappop(ends)
            jobs[place].ended += 1
            jobs[place].user.running -= 1
            jobs[place].finish = now
            ended.append(jobs[place].durations[jobs[place].ended - 1])
            heapq.heappush(free, slot)
        while arrivals and arrivals[0].submit == now:
            job = arrivals.pop(0)
            job.told = profile(job, ended)
            waiting.append(job)
            gps.arrive(job)
            deadlines = two_level.arrive(now, id(job.user), job.place, job.told)
            for place, deadline in deadlines.items():
                jobs[place].deadline = deadline
        while free and waiting:
            job = min(waiting, key=ORDERS[policy])
            finish = now + job.durations[job.started]
            slot = heapq.heappop(free)
            job.started += 1
            if job.started == len(job.durations):
                waiting.remove(job)
            job.user.running += 1
            job.tasks.append((now, finish, slot))
            heapq.heappush(ends, (finish, job.place, slot))


def alone(durations: list[float], slots: int) -> float:
    """Response time in the idle cluster, tasks in order to the first free slot."""
    free = [0.0] * slots
    for duration in durations:
        heapq.heapreplace(free, free[0] + duration)
    return max(free)


def generate(generator: str, keys: dict, seed: int) -> list[Submitted]:
    random = np.random.default_rng(seed)
    match generator:
        case "fixed":
            return [Submitted(place * keys["interval_s"], [keys["duration_s"]] * keys["tasks"])
                    for place in range(keys["jobs"])]
        case "google":
            submits = np.sort(random.uniform(0, keys["span_s"], keys["jobs"]))
            widths = np.minimum(np.ceil(random.pareto(0.8, keys["jobs"]) * 2), 300).astype(int)
            means = np.exp(random.normal(3, 1, keys["jobs"]))
            return [Submitted(at, list(mean * random.uniform(0.8, 1.2, width)))
                    for at, width, mean in zip(submits, widths, means)]
        case "elephant-and-mice":
            mice = [Submitted(at, list(random.uniform(0.8, 1.2, random.integers(8, 13))))
                    for at in random.uniform(0, keys["span_s"], keys["mice"])]
            return sorted([Submitted(keys["span_s"] / 4, [2.0] * 20), *mice],
                          key=lambda job: job.submit)
        case "uwfq-scenario-1":  # fewer and smaller jobs: this scheduler is slow
            bursts = [(at + user / 10, f"user{user + 1}") for at in (0, 5) for user in (0, 1)
                      for _ in range(8)]
            seldom = [(at + user / 10, f"user{user + 1}") for at in (0.2, 3, 6) for user in (2, 3)]
            return _of_users([(at, user, 12.0) for at, user in sorted(bursts + seldom)])
        case "uwfq-scenario-2":
            return _of_users([(user / 10, f"user{user}", 6.0) for user in range(1, 5)
                              for _ in range(6)])
        case "gridmix-fixed" | "gridmix-mixed" | "gridmix-ms" | "hive-ms":
            queues = ("A", "B") if keys.get("queue_b_share") else ("default",)
            return [Submitted(at, list(random.exponential(20, 8)), name=str(place),
                              queue=queues[place % len(queues)])
                    for place, at in enumerate(np.sort(random.uniform(0, 60, 12)))]
        case "dag-library" | "dags":
            submits = np.sort(random.uniform(0, 100, 12)) * (keys.get("arrivals") != "at-once")
            return [Submitted(at, list(random.exponential(20, random.integers(20, 80))),
                              name=str(place)) for place, at in enumerate(submits)]
    sys.exit(2)


def _of_users(jobs: list[tuple[float, str, float]]) -> list[Submitted]:
    return [Submitted(at, [], user, work, f"{user}-{place}")
            for place, (at, user, work) in enumerate(jobs)]


def read(file: Path, keys: dict) -> list[Submitted]:
    if file.name.endswith(".txt.gz"):  # DAGs
        return generate("dags", keys, 1)
    if keys.get("format") == "google-uwfq":
        with gzip.open(file, "rt") as text:
            rows = list(csv.DictReader(text))
        return [
            Submitted(float(row["ts_submit"]) / 1000, [], row["user_id"],
                      keys["scale"] * float(row["resource_run_time"]) / 1000, row["workflow_id"])
            for row in rows
        ]
    return [
        Submitted(job["submit"], job.get("durations") or _durations(job),
                  job.get("user", "default"), _work(job), job.get("job", ""))
        for job in map(json.loads, file.read_text().splitlines()[1:])
    ]


def _durations(job: dict) -> list[float]:
    return [stage["duration"] for stage in job.get("stages", []) if "duration" in stage
            for _ in range(stage["tasks"])]


def _work(job: dict) -> float:
    return sum(stage.get("work", 0) for stage in job.get("stages", []))


def as_line(job: Submitted) -> dict:
    line = {"job": job.name, "user": job.user, "submit": job.submit}
    if job.work:
        return line | {"stages": [{"stage": 0, "work": job.work}]}
    return line | {"durations": job.durations}


def profile_of(config: dict, seed: int):
    estimate, random = config.get("estimate", {}), np.random.default_rng(seed + 1000)
    match estimate.get("model", "exact"):
        case "uniform":
            error = estimate["error"]
            return lambda job, _: job.work * random.uniform(1 - error, 1 + error)
        case "given":
            factor = config["workload"]["estimate_factor"]
            return lambda job, _: job.work * factor
        case "naive":
            return lambda job, ended: len(job.durations) * (np.mean(ended) if ended else 1.0)
    return lambda job, _: job.work


def emulate(options: argparse.Namespace, config: dict) -> None:
    keys, scheduler = config["workload"], config["scheduler"]
    workload = (
        read(options.config.parent / keys["file"], keys) if "file" in keys
        else generate(keys["generator"], keys, options.seed)
    )
    order, _, suffix = ("fifo" if scheduler["policy"] in YAQ else CARBYNE.get(
        scheduler["policy"], scheduler["policy"])).partition("-")
    by_runtime = suffix == "p" or scheduler.get("partitioner") == "by-runtime"
    names = list(dict.fromkeys(job.user for job in workload))
    queues = sorted({job.queue for job in workload})
    users = [User() for _ in names]
    jobs = [
        Running(place, each.submit, each.cut(by_runtime), users[names.index(each.user)])
        for place, each in enumerate(workload)
    ]
    cluster = config["cluster"]
    kinds = tuple(cluster.get("resources", ()))
    room = cluster.get("slots_per_node", TASKS_A_MACHINE)
    slots = room * cluster["nodes"]
    schedule(jobs, slots, order, profile_of(config, options.seed))
    write_log(
        options.log,
        [Job(job.submit, job.finish, len(job.durations), alone(job.durations, slots),
             slot_time=job.work, user=names.index(each.user), name=each.name,
             queue=queues.index(each.queue), first_start=job.tasks[0][0])
         for job, each in zip(jobs, workload)],
        [Task(job.place, start, finish, slot // room, slot % room)
         for job in jobs for start, finish, slot in job.tasks],
        stages=[Stage(job.place, job.submit, job.finish, len(job.durations),
                      (1 / TASKS_A_MACHINE,) * len(kinds)) for job in jobs],
        nodes=[(0, *(1.0 for _ in kinds)) if kinds else room] * cluster["nodes"], resources=kinds,
        policy=scheduler["policy"], seed=options.seed,
        mode=np.bytes_(options.command), speed=options.speed or 1.0, users=names, queues=queues,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("simulate", "run"):
        command = commands.add_parser(name)
        command.add_argument("config", type=Path)
        command.add_argument("--set", action="append", default=[])
        command.add_argument("--log", type=Path, required=True)
        command.add_argument("--seed", type=int, required=True)
        command.add_argument("--speed", type=float)
        command.add_argument("--quiet", action="store_true")
        command.add_argument("--force", action="store_true")
    lengths = commands.add_parser("queue-length")
    for name in ("--slots", "--heartbeat", "--task-duration", "--utilization"):
        lengths.add_argument(name, type=float, required=True)
    lengths.add_argument("--json", action="store_true", required=True)
    workload = commands.add_parser("workload").add_subparsers(dest="action", required=True)
    make = workload.add_parser("make")
    make.add_argument("generator")
    make.add_argument("--seed", type=int, default=1)
    make.add_argument("--set", action="append", default=[])
    make.add_argument("-o", type=Path, required=True)
    make.add_argument("--force", action="store_true")
    options = parser.parse_args(arguments)
    if options.command == "queue-length":
        ends = math.ceil(options.slots * options.heartbeat / options.task_duration)
        print(json.dumps({"queue_length": {"fixed": 0, "chernoff": ends + 2, "erlang": ends + 1,
                                           "utilization": ends}}))
        return 0
    settings = dict(each.split("=", 1) for each in options.set)
    if options.command == "workload":
        keys = {key: float(value) for key, value in settings.items()}
        keys["jobs"] = 40  # what is asked for would take this scheduler too long
        jobs = generate(options.generator, keys, options.seed)
        lines = [{"somnus_workload": 1, "name": "fake"}, *map(as_line, jobs)]
        options.o.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return 0
    config = tomllib.loads(options.config.read_text())
    for key, value in settings.items():
        if key == "scheduler.policy" and value not in YAQ and value not in CARBYNE and (
                value.removesuffix("-p") not in ORDERS):
            print(f"--set {key}={value}: no such policy", file=sys.stderr)
            return 2
        *tables, name = key.split(".")
        table = config
        for each in tables:
            table = table.setdefault(each, {})
        number = value.replace(".", "", 1).isdigit()
        table[name] = (float if "." in value else int)(value) if number else value
    emulate(options, config)
    return 0


if __name__ == "__main__":
    sys.exit(main())
