"""The figures of `somnus summary` on an axis: their names, their units, and what they can be."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from somnus.analysis.figures import style

# What figures of `somnus summary --json` are of, by how their names begin, and what they are of it.
SUBJECTS = {
    "response": "response time", "jct": "completion time", "slowdown": "slowdown",
    "queuing": "wait in a node's queue", "lateness": "task lateness",
    "placement": "time from placed to started", "lag": "lag of rank 0", "decision": "round of decisions",
}
STATISTICS = {
    "mean": "mean {}", "p50": "median {}", "p95": "95th percentile of {}", "p99": "99th percentile of {}",
    "max": "largest {}", "worst_tenth": "mean {}, worst 10 %", "0_80_mean": "mean {}, fastest 80 %",
    "80_95_mean": "mean {}, next 15 %", "95_100_mean": "mean {}, slowest 5 %",
}
WORDS = {  # of the others
    "speed": "speed of emulation",
    "resumed": "times resumed",
    "tasks_failed": "tasks of failed jobs",
    "user_count": "users",
    "progress_mean": "mean progress rate",
    "progress_from_start_mean": "mean progress rate from start",
    **{key: text for width in ("narrow", "medium", "wide") for key, text in (
        (f"{width}_jobs", f"{width} jobs finished"),
        (f"{width}_response_mean_s", f"mean response time, {width} jobs"),
        (f"{width}_slowdown_mean", f"mean slowdown, {width} jobs"))},
    "jobs_per_minute": "jobs finished per minute",
    "utilisation_middle": "utilisation, middle 80 %",
    "queuing_deviation_s": "std. deviation of queue wait",
    "queuing_p95_s": "95th percentile of queue wait",
    "attempts_lost": "attempts lost with their node",
    "backups": "backups started",
    "backups_won": "backups that won",
    "wasted_s": "wasted slot-time",
    "warm_share": "attempts on a warm slot",
    "placement_p99_s": "99th percentile, placed to started",
    "lag_p99_s": "99th percentile of rank 0's lag",
    "worker_late_p99_s": "latest worker's lag, 99th percentile",
    "worker_late_max_s": "largest lag of a worker",
    "latest_rank": "rank with the largest lag",
    "decision_p99_s": "99th percentile, round of decisions",
    "silent_max_s": "longest silence of a rank",
    "intended_p50_s": "median task as intended",
    "rigid_jobs": "jobs that hold all their CPUs at once",
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
        subject, _, statistic = self.name.removesuffix("_s").partition("_")
        if self.name in WORDS:
            return WORDS[self.name]
        if subject in SUBJECTS and statistic in STATISTICS:
            return STATISTICS[statistic].format(SUBJECTS[subject])
        return _words(self.name.removesuffix("_s"))

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


def step_words(key: str, value: str, names: Mapping[str, str] | None = None) -> str:
    """What a line or panel of that value is called. `names`: by label a policy's word, which says that it is one."""
    if key == "policy":
        return (names or {}).get(value, value)
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
