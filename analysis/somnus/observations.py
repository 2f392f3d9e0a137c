"""What a learner is shown: arrays of a fixed size, of the stages that it can choose from.

An observation of one's own is a function of a View and the space that its values are of:

    def observe(view: somnus.View) -> np.ndarray:
        return np.array([view.free, len(view.jobs)], np.float32)

    env = somnus.Env(config, observe=(observe, somnus.Box(0, 1000, (2,))))
"""

from collections.abc import Callable
from math import log1p
from typing import Any

import numpy as np

from somnus.interface import Box, Dict, Space
from somnus.view import NS, View

Observe = Callable[[View], Any]

STAGE_FEATURES = (
    "runnable",  # tasks of the stage that could be launched now
    "running",
    "task_s",  # estimated, of one task
    "work_left_s",  # estimated slot-seconds of the stage's unfinished tasks
    "job_age_s",
    "job_running",  # tasks of its job
    "job_completed",
    "job_work_left_s",  # estimated slot-seconds of its unfinished tasks, also of stages that are not ready
    "job_width",  # most slots that its job can use at once
    "job_stages",  # that have become ready
    "job_stages_to_come",  # that have not
    "job_weight",
)
CLUSTER_FEATURES = ("free", "busy", "jobs", "runnable", "hidden")
LARGEST = 64.0  # of log(1 + x), for any x that there is


def default(max_stages: int) -> tuple[Observe, Space]:
    """Features as log(1 + x), a row a stage, with a mask of the rows that can be chosen.

    `stages`: max_stages rows of STAGE_FEATURES, zeros below the last stage. `cluster`: CLUSTER_FEATURES.
    `action_mask`: 1 for each row of a stage.
    """
    space = Dict({
        "action_mask": Box(0, 1, (max_stages,), np.int8),
        "cluster": Box(0.0, LARGEST, (len(CLUSTER_FEATURES),), np.float32),
        "stages": Box(0.0, LARGEST, (max_stages, len(STAGE_FEATURES)), np.float32),
    })

    def observe(view: View) -> dict[str, np.ndarray]:
        rows: list[float] = []
        of_job: dict[int, tuple[float, ...]] = {}
        for stage in view.rows:
            job = stage.job
            if job.job not in of_job:
                of_job[job.job] = ((view.now - job.arrival) / NS, job.running, job.completed,
                                   max(job.work_left, 0.0) / NS, job.width, len(job.stages),
                                   job.all_stages - len(job.stages), job.weight)
            rows += (stage.runnable, stage.running, stage.task_time / NS, stage.work_left / NS)
            rows += of_job[job.job]
        stages = np.zeros((max_stages, len(STAGE_FEATURES)), np.float32)
        if rows:
            np.log1p(np.array(rows, np.float32).reshape(len(view.rows), -1), out=stages[:len(view.rows)])
        cluster = np.array([log1p(max(view.free, 0)), log1p(view.busy), log1p(len(view.jobs)),
                            log1p(view.runnable), log1p(view.hidden)], np.float32)
        mask = np.zeros(max_stages, np.int8)
        mask[:len(view.rows)] = 1
        return {"action_mask": mask, "cluster": cluster, "stages": stages}

    return observe, space
