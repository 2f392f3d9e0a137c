"""Shortest job first. policies.md, 6.3.

All resources to the shortest job, what it can't use to the next. How long a job is:

* cpm: its longest path, once and for all; a stage counts the mean duration of its tasks.
* remaining_cpm: the longest path among stages that have not ended; a stage counts in full until its
  last task has ended.
* srtf: the remaining work of tasks not yet started, as Tetris has it, reckoned anew after each
  start.
"""

from fractions import Fraction

from engine import Pool
from jobs import Job
from orders import path
from tetris import candidates, remaining_work


def _cpm(_: Pool, job: Job) -> Fraction:
    return max(path(stage) for stage in job.stages)


def _remaining_cpm(pool: Pool, job: Job) -> Fraction:
    # No stage ends before its parents, so a path from an unfinished stage is unfinished.
    return max(path(stage) for stage in job.stages if pool.unfinished(stage) > 0)


METRICS = {"cpm": _cpm, "remaining_cpm": _remaining_cpm, "srtf": remaining_work}


class Sjf:
    def __init__(self, within: str = "bfs", metric: str = "cpm"):
        self.within = within
        self.length = METRICS[metric]

    def place(self, pool: Pool) -> None:
        while stages := self._by_length(pool):
            pool.start(stages[0])

    def _by_length(self, pool: Pool):
        jobs = sorted(pool.active, key=lambda job: (self.length(pool, job), job.order))
        return candidates(pool, jobs, self.within)
