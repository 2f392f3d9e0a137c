"""Jobs as DAGs of stages, read from the native workload format with exact numbers.

A job's `order` is its place by submit, then by line: the order in which ties are broken. A stage's
`place` is its place in the job's list. `durations` are what tasks take; `planned` is what
schedulers believe: the same, or for each task the mean of its stage. A job that names no queue
is in the queue without a name. A kind that a demand does not name is not needed.
"""

import json
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from pathlib import Path

from vectors import Vector

# These keys of the format say what this simulator does not know.
UNKNOWN_OF_JOBS = ("after", "think")
UNKNOWN_OF_STAGES = ("work", "skew", "affinity")


@dataclass(eq=False)
class Stage:
    name: int  # the number that the file gives it
    place: int
    demand: Vector
    durations: tuple[Fraction, ...]
    planned: tuple[Fraction, ...]
    job: "Job" = field(repr=False, default=None)
    parents: list["Stage"] = field(repr=False, default_factory=list)
    children: list["Stage"] = field(repr=False, default_factory=list)

    @property
    def mean(self) -> Fraction:
        """The mean duration of its tasks: what one stage counts in a path."""
        return sum(self.planned) / len(self.planned)


@dataclass(eq=False)
class Job:
    name: str
    order: int
    submit: Fraction
    weight: Fraction
    stages: list[Stage]
    queue: str = ""

    @property
    def tasks(self) -> int:
        return sum(len(stage.durations) for stage in self.stages)


@dataclass
class Workload:
    resources: list[str]
    jobs: list[Job]  # in their order


def read_workload(path: Path | str, plan: str = "own") -> Workload:
    return parse_workload(Path(path).read_text(), plan)


def parse_workload(text: str, plan: str = "own") -> Workload:
    """`plan`: schedulers know each task's "own" duration, only the "mean" of its stage, or
    that to the nearest nanosecond, "whole-ns"."""
    lines = [json.loads(line, parse_float=Fraction, parse_int=Fraction)
             for line in text.splitlines() if line.strip()]
    header, rows = lines[0], lines[1:]
    if header.get("somnus_workload") != 1:
        raise ValueError("expected a header with \"somnus_workload\": 1 in the first line")
    resources = header.get("resources", [])
    rows.sort(key=lambda row: row["submit"])  # stable: the earlier line stays first
    return Workload(resources, [_job(row, at, resources, plan) for at, row in enumerate(rows)])


def _job(row: dict, order: int, resources: list[str], plan: str) -> Job:
    _refuse(row, UNKNOWN_OF_JOBS, f"job {row['job']!r}")
    stages = row.get("stages", [row])  # the only stage of a job may stand in the job itself
    made = [_stage(stage, place, resources, plan) for place, stage in enumerate(stages)]
    named = {stage.name: stage for stage in made}
    job = Job(row["job"], order, row["submit"], row.get("weight", Fraction(1)), made,
              row.get("queue", ""))
    for stage, line in zip(made, stages):
        stage.job = job
        stage.parents = [named[int(name)] for name in line.get("parents", [])]
        for parent in stage.parents:
            parent.children.append(stage)
    return job


def _stage(row: dict, place: int, resources: list[str], plan: str) -> Stage:
    name = int(row.get("stage", place))
    _refuse(row, UNKNOWN_OF_STAGES, f"stage {name}")
    if "durations" in row:
        durations = tuple(row["durations"])
    else:
        durations = (row["duration"],) * int(row["tasks"])
    needs = row.get("demand", {})
    if strange := set(needs) - set(resources):
        raise ValueError(f"stage {name} demands {sorted(strange)}, which the header does not name")
    demand = tuple(needs.get(kind, Fraction(0)) for kind in resources)
    return Stage(name, place, demand, durations, _planned(durations, plan))


def _planned(durations: tuple[Fraction, ...], plan: str) -> tuple[Fraction, ...]:
    if plan not in ("own", "mean", "whole-ns"):
        raise ValueError(f"expected plan own, mean or whole-ns, found {plan}")
    if plan == "own":
        return durations
    mean = sum(durations) / len(durations)
    if plan == "whole-ns":
        mean = Fraction(floor(mean * 10**9 + Fraction(1, 2)), 10**9)
    return (mean,) * len(durations)


def _refuse(row: dict, keys: tuple[str, ...], where: str) -> None:
    if found := [key for key in keys if key in row]:
        raise ValueError(f"{where} has {found}, of which this simulator knows nothing")
