"""Jobs as DAGs of stages, read from the native workload format with exact numbers.

A job's `order` is its place by submit, then by line: the order in which ties are broken. A stage's
`place` is its place in the job's list. `durations` are what tasks take; schedulers believe each to
take the `mean` of its stage. A job that names no queue is in the queue without a name. A kind that
a demand does not name is not needed.
"""

import json
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor

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
    mean: Fraction  # what one stage counts in a path
    job: "Job" = field(repr=False, default=None)
    parents: list["Stage"] = field(repr=False, default_factory=list)
    children: list["Stage"] = field(repr=False, default_factory=list)


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


def parse_workload(text: str, in_whole_ns: bool = False) -> Workload:
    """in_whole_ns: means are rounded to the nearest nanosecond."""
    lines = [json.loads(line, parse_float=Fraction, parse_int=Fraction)
             for line in text.splitlines() if line.strip()]
    header, rows = lines[0], lines[1:]
    if header.get("somnus_workload") != 1:
        raise ValueError("expected a header with \"somnus_workload\": 1 in the first line")
    resources = header.get("resources", [])
    rows.sort(key=lambda row: row["submit"])  # stable: the earlier line stays first
    return Workload(resources,
                    [_job(row, at, resources, in_whole_ns) for at, row in enumerate(rows)])


def _job(row: dict, order: int, resources: list[str], in_whole_ns: bool) -> Job:
    _refuse(row, UNKNOWN_OF_JOBS, f"job {row['job']!r}")
    stages = row.get("stages", [row])  # the only stage of a job may stand in the job itself
    made = [_stage(stage, place, resources, in_whole_ns) for place, stage in enumerate(stages)]
    named = {stage.name: stage for stage in made}
    job = Job(row["job"], order, row["submit"], row.get("weight", Fraction(1)), made,
              row.get("queue", ""))
    for stage, line in zip(made, stages):
        stage.job = job
        stage.parents = [named[int(name)] for name in line.get("parents", [])]
        for parent in stage.parents:
            parent.children.append(stage)
    return job


def _stage(row: dict, place: int, resources: list[str], in_whole_ns: bool) -> Stage:
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
    mean = sum(durations) / len(durations)
    if in_whole_ns:
        mean = Fraction(floor(mean * 10**9 + Fraction(1, 2)), 10**9)
    return Stage(name, place, demand, durations, mean)


def _refuse(row: dict, keys: tuple[str, ...], where: str) -> None:
    if found := [key for key in keys if key in row]:
        raise ValueError(f"{where} has {found}, of which this simulator knows nothing")
