"""The runs that PAF's figures take: schedulers as settings, and jobs with the curves of `profile`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from somnus.analysis.base import output
from somnus.analysis.metrics import curves
from somnus.analysis.metrics.curves import Profile
from somnus.analysis.papers.common.runner import Runner, Settings, Variant
from somnus.analysis.reading.log import Log

WITH_CURVES = "with-curves.toml"
CONFIG_NAMES = ("figure1.toml", "figure4.toml", "figure6.toml", "queries.toml", "simulation.toml",
                WITH_CURVES)

OWN = {"scheduler.placement": "own-slots"}
ONCE = {"scheduler.paf.recompute": "once"}
# What is beyond all targets stays free, and slots come by weight until jobs have theirs.
LEAVE = {"scheduler.paf.surplus": "leave", "scheduler.paf.fill": "weight"}
PAF = {"scheduler.policy": "paf"}

# The simulator of the paper's authors makes targets once, lets a job keep its slots while it has
# tasks, and hands free slots out to whoever is furthest below its target, or least above it.
SCHEDULERS: dict[str, Settings] = {
    "fair": {"scheduler.policy": "fair"},
    "fair-own": {"scheduler.policy": "fair", **OWN},
    "cfq": {"scheduler.policy": "cfq"},
    "paf": PAF,
    "paf-weight": {**PAF, "scheduler.paf.fill": "weight"},
    "paf-own": {**PAF, **OWN},
    "paf-authors": {**PAF, **OWN, **ONCE},
    "paf-leave": {**PAF, **OWN, **LEAVE},
    "paf-leave-once": {**PAF, **OWN, **LEAVE, **ONCE},
}
TITLES = {
    "fair": "fair",
    "fair-own": "fair, own slots",
    "cfq": "CFQ",
    "paf": "PAF",
    "paf-weight": "PAF, fill = weight",
    "paf-own": "PAF, own slots",
    "paf-authors": "PAF as its authors simulate it: own slots, once",
    "paf-leave": "PAF, own slots, surplus left",
    "paf-leave-once": "PAF, own slots, surplus left, once",
}


def with_alpha(name: str, alpha: float) -> Settings:
    """Of one of the PAFs."""
    return {**SCHEDULERS[name], "scheduler.paf.alpha": alpha}


@dataclass(frozen=True)
class Jobs:
    """Jobs of a config, profiled on its cluster; runs may be on other clusters."""

    config: str
    settings: Settings = field(default_factory=dict)  # of the cluster, the JVMs and the workload

    @property
    def elsewhere(self) -> dict[str, object]:
        """What of these settings a run of the profiled jobs takes over."""
        return {key: value for key, value in self.settings.items()
                if not key.startswith("workload.")}


def profile(runner: Runner, name: str, jobs: Jobs, seed: int) -> list[Profile]:
    """Simulates each job alone and writes the workload with the curves found."""
    file = workload_file(runner, name, seed)
    found = runner.somnus.profile(runner.configs / jobs.config, jobs.settings, seed, file)
    return curves.read(output.write(file.with_suffix(".json"), json.dumps(found), force=True))


def workload_file(runner: Runner, name: str, seed: int) -> Path:
    return runner.file(f"curves/{name}-{seed}.jsonl")


def together(runner: Runner, name: str, jobs: Jobs, schedulers: Mapping[str, Settings], seed: int,
             cluster: Settings, workload: str = "", fastest: float = 0.0) -> dict[str, Log]:
    """Logs by scheduler, of the jobs profiled under the name `workload`, which is `name` if not given.

    Simulated, unless they may be emulated at some speed.
    """
    file = workload_file(runner, workload or name, seed)
    (logs,) = runner.logs(name, {
        each: Variant(WITH_CURVES, {**jobs.elsewhere, **cluster, "workload.file": file, **settings},
                      fastest)
        for each, settings in schedulers.items()
    }, seeds=(seed,))
    return logs
