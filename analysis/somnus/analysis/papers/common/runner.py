"""Where a paper's runs take place: the program, the configs, the seeds and the logs."""

import argparse
import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from somnus.analysis.base.program import Run, Somnus, Summary
from somnus.analysis.base.progress import tell
from somnus.analysis.papers.common import pace
from somnus.analysis.papers.common.expect import Values, stack
from somnus.analysis.reading.log import Log

Settings = Mapping[str, Any]  # table.key -> value
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Variant:
    """A config and what is changed in it."""

    config: str  # file in the paper's folder
    settings: Settings = field(default_factory=dict)
    fastest: float = math.inf  # that it may be emulated at; 0: simulated even among real runs


@dataclass(frozen=True)
class Runner:
    """Runs a paper's experiments."""

    somnus: Somnus
    configs: Path
    out: Path
    seeds: Sequence[int]
    speed: float | None  # of real runs; None: simulate
    options: argparse.Namespace  # the paper's own options
    known: dict[Path, Any] = field(default_factory=dict)  # of shared runs, by log
    notes: list[str] = field(default_factory=list)  # to be printed below the results

    @property
    def repeats(self) -> bool:
        """Whether a run in which nothing is drawn is the same each time: it is, unless it is real."""
        return self.speed is None

    def with_seeds(self, most: int) -> "Runner":
        """The same with at most so many seeds: the first ones."""
        return replace(self, seeds=self.seeds[:most])

    def file(self, name: str) -> Path:
        """Below the output folder."""
        return (self.out / name).resolve()

    def plan(self, name: str, variant: Variant, seed: int = 1) -> Run:
        """A run whose log is named."""
        speed = min(self.speed, variant.fastest) if self.speed else 0.0
        return Run(self.configs / variant.config, self.file(f"logs/{name}-{seed}.h5"), seed,
                   variant.settings, speed or None)

    def emulate(self, what: str, runs: Mapping[Key, Run],
                then: Callable[[Log], Any] | None = None, shared: bool = False) -> dict[Key, Any]:
        """The runs' logs, or what `then` says of each, under the same keys.

        It notes how well real runs kept up. Runs that are `shared` between figures are run once
        and kept.
        """
        missing = {key: run for key, run in runs.items() if run.log not in self.known}
        if missing:
            tell(f"{what}: {len(missing)} runs")
        ended = count(1)

        def one(path: Path, summary: Summary) -> Any:
            tell(f"{what}: {next(ended)} of {len(missing)} runs", often=True)
            log = Log(path)
            log.summary = summary
            return then(log) if then else log

        found = dict(zip(missing, self.somnus.emulate(missing.values(), one)))
        if then is None:
            self._judge_pace(missing, found)
        if shared:
            self.known.update((run.log, found[key]) for key, run in missing.items())
        return {key: found[key] if key in found else self.known[run.log]
                for key, run in runs.items()}

    def logs(self, name: str, variants: Mapping[str, Variant], seeds: Iterable[int] | None = None,
             shared: bool = False) -> list[dict[str, Log]]:
        """One dict a seed, by variant; all seeds if none are given."""
        chosen = list(self.seeds if seeds is None else seeds)
        planned = {(each, seed): self.plan(f"{name}-{each}", variant, seed)
                   for seed in chosen for each, variant in variants.items()}
        found = self.emulate(name, planned, shared=shared)
        return [{each: found[each, seed] for each in variants} for seed in chosen]

    def _judge_pace(self, runs: Mapping[Key, Run], logs: Mapping[Key, Log]) -> None:
        by_speed: dict[float, dict[str, Summary]] = {}
        for key, run in runs.items():
            if run.speed:
                by_speed.setdefault(run.speed, {})[run.log.stem] = logs[key].summary
        for speed, those in by_speed.items():
            self.notes.append(pace.judge(those, speed))


def measured(logs: list[dict[str, Log]], of: Callable[[dict[str, Log]], Values]) -> dict[str, list[float]]:
    """Seed by seed. Lets go of what was read of all logs but the first seed's, which figures show."""
    values = []
    for index, each in enumerate(logs):
        values.append(of(each))
        if index:
            logs[index] = {}
    return stack(values)


def remove(logs: Iterable[Log]) -> None:
    """Their files, once they are measured."""
    for log in logs:
        log.path.unlink()
