#!/usr/bin/python3
"""Stands in for the program where it isn't built: a slow slot scheduler with the same commands.

It knows the four policies of the CFQ paper and writes logs true to the schema, which makes it an
oracle for small examples as well. Single-stage jobs only.
"""

from __future__ import annotations

import argparse
import heapq
import json
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from logs import Job, Task, write_log


@dataclass
class Running:
    """A job on its way."""

    place: int
    submit: float
    durations: list[float]
    started: int = 0
    ended: int = 0
    told: float = 0.0  # slot-time as the scheduler believes it
    virtual_finish: float = 0.0
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
    gps, ended = Gps(slots), []
    while arrivals or ends:
        now = min([each[0] for each in ends[:1]] + [job.submit for job in arrivals[:1]])
        while ends and ends[0][0] == now:
            _, place, slot = heapq.heappop(ends)
            jobs[place].ended += 1
            jobs[place].finish = now
            ended.append(jobs[place].durations[jobs[place].ended - 1])
            heapq.heappush(free, slot)
        while arrivals and arrivals[0].submit == now:
            job = arrivals.pop(0)
            job.told = profile(job, ended)
            gps.arrive(job)
        while free:
            waiting = [
                job for job in jobs if job.submit <= now and job.started < len(job.durations)
            ]
            if not waiting:
                break
            job = min(waiting, key=ORDERS[policy])
            finish = now + job.durations[job.started]
            slot = heapq.heappop(free)
            job.started += 1
            job.tasks.append((now, finish, slot))
            heapq.heappush(ends, (finish, job.place, slot))


def alone(durations: list[float], slots: int) -> float:
    """Response time in the idle cluster, tasks in order to the first free slot."""
    free = [0.0] * slots
    for duration in durations:
        heapq.heapreplace(free, free[0] + duration)
    return max(free)


def generate(generator: str, keys: dict, seed: int) -> list[tuple[float, list[float]]]:
    random = np.random.default_rng(seed)
    if generator == "fixed":
        return [(place * keys["interval_s"], [keys["duration_s"]] * keys["tasks"])
                for place in range(keys["jobs"])]
    if generator == "google":
        submits = np.sort(random.uniform(0, keys["span_s"], keys["jobs"]))
        widths = np.minimum(np.ceil(random.pareto(0.8, keys["jobs"]) * 2), 300).astype(int)
        means = np.exp(random.normal(3, 1, keys["jobs"]))
        return [(at, list(mean * random.uniform(0.8, 1.2, width)))
                for at, width, mean in zip(submits, widths, means)]
    if generator == "elephant-and-mice":
        mice = [(at, list(random.uniform(0.8, 1.2, random.integers(8, 13))))
                for at in random.uniform(0, keys["span_s"], keys["mice"])]
        return sorted([(keys["span_s"] / 4, [2.0] * 20), *mice])
    sys.exit(2)


def read(file: Path) -> list[tuple[float, list[float]]]:
    return [(job["submit"], job["durations"])
            for job in map(json.loads, file.read_text().splitlines()[1:])]


def profile_of(config: dict, seed: int):
    estimate, random = config.get("estimate", {}), np.random.default_rng(seed + 1000)
    match estimate.get("model", "exact"):
        case "uniform":
            error = estimate["error"]
            return lambda job, _: job.work * random.uniform(1 - error, 1 + error)
        case "naive":
            return lambda job, ended: len(job.durations) * (np.mean(ended) if ended else 1.0)
    return lambda job, _: job.work


def emulate(options: argparse.Namespace, config: dict) -> None:
    keys = config["workload"]
    workload = (
        read(options.config.parent / keys["file"]) if "file" in keys
        else generate(keys["generator"], keys, options.seed)
    )
    jobs = [Running(place, at, durations) for place, (at, durations) in enumerate(workload)]
    nodes = [config["cluster"]["slots_per_node"]] * config["cluster"]["nodes"]
    policy = config["scheduler"]["policy"]
    schedule(jobs, sum(nodes), policy, profile_of(config, options.seed))
    write_log(
        options.log,
        [Job(job.submit, job.finish, len(job.durations), alone(job.durations, sum(nodes)),
             slot_time=job.work) for job in jobs],
        [Task(job.place, start, finish, slot // nodes[0], slot % nodes[0])
         for job in jobs for start, finish, slot in job.tasks],
        nodes=nodes, policy=policy, seed=options.seed, mode=np.bytes_(options.command),
        speed=options.speed or 1.0,
    )


def main() -> int:
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
    make = commands.add_parser("workload").add_subparsers(required=True).add_parser("make")
    make.add_argument("generator")
    make.add_argument("--set", action="append", default=[])
    make.add_argument("--seed", type=int, default=1)
    make.add_argument("-o", type=Path, required=True)
    options = parser.parse_args()
    settings = dict(each.split("=", 1) for each in options.set)
    if options.command == "workload":
        keys = {key: float(value) for key, value in settings.items()}
        keys["jobs"] = 40  # what is asked for would take this scheduler too long
        lines = [{"somnus_workload": 1, "name": options.generator}]
        jobs = generate(options.generator, keys, options.seed)
        lines += [{"job": str(place), "submit": at, "durations": durations}
                  for place, (at, durations) in enumerate(jobs)]
        options.o.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return 0
    config = tomllib.loads(options.config.read_text())
    for key, value in settings.items():
        section, name = key.split(".", 1)
        if section == "scheduler" and value not in ORDERS:
            print(f"--set {key}={value}: no such policy", file=sys.stderr)
            return 2
        number = value.replace(".", "", 1).isdigit()
        config.setdefault(section, {})[name] = (
            (float if "." in value else int)(value) if number else value
        )
    emulate(options, config)
    return 0


if __name__ == "__main__":
    sys.exit(main())
