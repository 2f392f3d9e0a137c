"""Orders of the stages within a job, and the paths through its DAG.

* file: as the file lists them.
* bfs: by level, the longest way from a root counted in stages; as in the file within a level.
* critical-path: the longest path to the sink first, the stage itself included; a stage counts the
  mean duration of its tasks.
* packing: by the start of a stage's first task when the whole job is packed (packing.py) into the
  capacity of the whole cluster, empty, as one pool; as in the file among equals. Tasks of a stage
  are alike: each takes the mean of its stage.
* dagps: by the same start in the most compact schedule that dagps.py finds for that pool.
"""

from fractions import Fraction
from functools import cache

import dagps
from jobs import Job, Stage
from packing import Box, pack
from vectors import Vector


def level(stage: Stage) -> int:
    return max((level(parent) + 1 for parent in stage.parents), default=0)


def path(stage: Stage) -> Fraction:
    """Longest sum of durations from here to the sink."""
    return stage.mean + max((path(child) for child in stage.children), default=Fraction(0))


def packed(job: Job, capacity: Vector) -> dict[Stage, Fraction]:
    """When each stage's first task starts if the job is packed forward."""
    plan = pack(Box(capacity, capacity, job.stages),
                {stage: list(range(len(stage.durations))) for stage in job.stages},
                {stage: stage.parents for stage in job.stages}, {})
    return {stage: min(start for (of, _), start in plan.starts.items() if of is stage)
            for stage in job.stages}


KEYS = {
    "file": lambda stage: stage.place,
    "bfs": lambda stage: (level(stage), stage.place),
    "critical-path": lambda stage: (-path(stage), stage.place),
}
SCHEDULES = {"packing": packed, "dagps": dagps.begins}


@cache
def ranked(job: Job, order: str, capacity: Vector) -> tuple[Stage, ...]:
    """The job's stages, the first to be served in front, on a cluster of that capacity."""
    if order not in SCHEDULES:
        return tuple(sorted(job.stages, key=KEYS[order]))
    begins = SCHEDULES[order](job, capacity)
    return tuple(sorted(job.stages, key=lambda stage: (begins[stage], stage.place)))
