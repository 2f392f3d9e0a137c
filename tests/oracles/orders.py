"""Orders of the stages within a job, and the paths through its DAG.

* file: as the file lists them.
* bfs: by level, the longest way from a root counted in stages; as in the file within a level.
* critical-path: the longest path to the sink first, the stage itself included; a stage counts the
  mean duration of its tasks.
"""

from fractions import Fraction

from jobs import Job, Stage


def level(stage: Stage) -> int:
    return max((level(parent) + 1 for parent in stage.parents), default=0)


def level_from_sinks(stage: Stage) -> int:
    """The level in the DAG with all arrows turned."""
    return max((level_from_sinks(child) + 1 for child in stage.children), default=0)


def path(stage: Stage) -> Fraction:
    """Longest sum of durations from here to the sink."""
    return stage.mean + max((path(child) for child in stage.children), default=Fraction(0))


KEYS = {
    "file": lambda stage: stage.place,
    "bfs": lambda stage: (level(stage), stage.place),
    "critical-path": lambda stage: (-path(stage), stage.place),
    "bfs-from-sinks": lambda stage: (level_from_sinks(stage), stage.place),
}


def ranked(job: Job, order: str) -> list[Stage]:
    """The job's stages, the first to be served in front."""
    return sorted(job.stages, key=KEYS[order])
