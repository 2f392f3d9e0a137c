"""The figures of `somnus summary` on an axis: their names, their units, and what they can be."""

import math
from dataclasses import dataclass

from somnus_analysis.figures import style

RESPONSE = "response time"
# By name in `somnus summary --json`, without the unit.
WORDS = {
    "speed": "speed of emulation",
    "resumed": "times resumed",
    "jobs_submitted": "jobs submitted",
    "jobs_finished": "jobs finished",
    "jobs_failed": "jobs failed",
    "jobs_unfinished": "jobs unfinished",
    "tasks_submitted": "tasks submitted",
    "tasks_finished": "tasks finished",
    "tasks_failed": "tasks of failed jobs",
    "tasks_unfinished": "tasks unfinished",
    "user_count": "users",
    "response_mean_s": f"mean {RESPONSE}",
    "response_p50_s": f"median {RESPONSE}",
    "response_p95_s": f"95th percentile of {RESPONSE}",
    "response_p99_s": f"99th percentile of {RESPONSE}",
    "response_worst_tenth_s": f"mean {RESPONSE}, worst 10 %",
    "response_0_80_mean_s": f"mean {RESPONSE}, fastest 80 %",
    "response_80_95_mean_s": f"mean {RESPONSE}, next 15 %",
    "response_95_100_mean_s": f"mean {RESPONSE}, slowest 5 %",
    "jct_mean_s": "mean completion time",
    "jct_p50_s": "median completion time",
    "jct_p95_s": "95th percentile of completion time",
    "slowdown_mean": "mean slowdown",
    "slowdown_p50": "median slowdown",
    "slowdown_p95": "95th percentile of slowdown",
    "slowdown_p99": "99th percentile of slowdown",
    "slowdown_worst_tenth": "mean slowdown, worst 10 %",
    "progress_mean": "mean progress rate",
    "progress_from_start_mean": "mean progress rate from start",
    "narrow_jobs": "narrow jobs finished",
    "narrow_response_mean_s": f"mean {RESPONSE}, narrow jobs",
    "narrow_slowdown_mean": "mean slowdown, narrow jobs",
    "medium_jobs": "medium jobs finished",
    "medium_response_mean_s": f"mean {RESPONSE}, medium jobs",
    "medium_slowdown_mean": "mean slowdown, medium jobs",
    "wide_jobs": "wide jobs finished",
    "wide_response_mean_s": f"mean {RESPONSE}, wide jobs",
    "wide_slowdown_mean": "mean slowdown, wide jobs",
    "makespan_s": "makespan",
    "jobs_per_minute": "jobs finished per minute",
    "utilisation": "utilisation",
    "utilisation_middle": "utilisation, middle 80 %",
    "queuing_mean_s": "mean wait in a node's queue",
    "queuing_deviation_s": "std. deviation of queue wait",
    "queuing_p50_s": "median wait in a node's queue",
    "queuing_p95_s": "95th percentile of queue wait",
    "attempts_failed": "attempts failed",
    "attempts_lost": "attempts lost with their node",
    "attempts_returned": "attempts returned",
    "attempts_killed": "attempts killed",
    "backups": "backups started",
    "backups_won": "backups that won",
    "wasted_s": "wasted slot-time",
    "warm_share": "attempts on a warm slot",
    "lateness_p50_s": "median task lateness",
    "lateness_p99_s": "99th percentile of task lateness",
    "lateness_max_s": "largest task lateness",
    "placement_p50_s": "median time from placed to started",
    "placement_p99_s": "99th percentile, placed to started",
    "lag_p50_s": "median lag of rank 0",
    "lag_p99_s": "99th percentile of rank 0's lag",
    "lag_max_s": "largest lag of rank 0",
    "worker_late_p99_s": "latest worker's lag, 99th percentile",
    "worker_late_max_s": "largest lag of a worker",
    "latest_rank": "rank with the largest lag",
    "decision_p50_s": "median round of decisions",
    "decision_p99_s": "99th percentile, round of decisions",
    "clock_uncertainty_s": "clock uncertainty",
    "silent_max_s": "longest silence of a rank",
    "most_silent_rank": "most silent rank",
    "intended_p50_s": "median task as intended",
    "safe_speed": "safe speed",
    "rigid_jobs": "jobs that hold all their CPUs at once",
    "offered_load": "offered load",
}
SIGNED = ("lateness_p50_s", "lateness_p99_s", "lateness_max_s")
AXES = {
    "cluster.nodes": "nodes",
    "cluster.slots_per_node": "slots per node",
    "policy": "policy",
    "workload.load": "offered load [share of capacity]",
    "workload.jobs": "jobs",
}
KEY_UNITS = {"_s": "s", "_ms": "ms", "_us": "µs"}  # by how a key ends


@dataclass(frozen=True)
class Metric:
    """A figure of a run. Shares are of 1, times in seconds."""

    name: str
    unit: str

    @property
    def words(self) -> str:
        return WORDS.get(self.name, self.name.removesuffix("_s").replace("_", " "))

    @property
    def floor(self) -> float:
        """The least that it can be: no job is faster than alone, nothing takes negative time."""
        if self.name in SIGNED:
            return -math.inf
        return 1.0 if "slowdown" in self.name else 0.0

    @property
    def ceiling(self) -> float:
        return 1.0 if self.unit == "%" else math.inf

    def scale(self, largest: float) -> tuple[str, float]:
        """The unit of an axis up to there, none for counts and ratios, and what it divides by."""
        if self.unit == "%":
            return "%", 0.01
        if self.unit == "s":
            return _time_unit(largest)
        return ("" if self.unit in ("1", "x") else self.unit), 1.0

    def label(self, unit: str) -> str:
        """Of an axis; a slowdown's tells what it is a ratio of."""
        if self.unit == "x" and "slowdown" in self.name:
            return f"{self.words} (response / alone)"
        return f"{self.words} [{unit}]" if unit else self.words


def axis_words(key: str) -> str:
    """A key of a config as an axis's label, with its unit where the key tells one."""
    if key in AXES:
        return AXES[key]
    for suffix, unit in KEY_UNITS.items():
        if key.endswith(suffix):
            return f"{_words(key.removesuffix(suffix))} [{unit}]"
    return _words(key)


def step_words(key: str, value: str) -> str:
    """What a line or panel of that value is called; a policy's name says that it is one."""
    if key == "policy":
        return value
    name = key.rpartition(".")[2]
    for suffix, unit in KEY_UNITS.items():
        if name.endswith(suffix):
            return f"{_words(name.removesuffix(suffix))} = {value} {unit}"
    return f"{_words(name)} = {value}"


def _words(key: str) -> str:
    return key.replace("_", " ")


def _time_unit(largest: float) -> tuple[str, float]:
    if 0 < largest < 1e-3:
        return "µs", 1e-6
    if 0 < largest < 1:
        return "ms", 1e-3
    return style.time_unit(largest)
