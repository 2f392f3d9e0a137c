"""The runs that the Carbyne paper's figures take, and what is kept of each.

Load is what jobs ask for over what the cluster has, of the kind that they want most: at load 1 a
job every 20 s keeps all machines busy on average. The paper changes it by the number of machines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from somnus.analysis.metrics import improvement, jain
from somnus.analysis.papers.common.runner import Runner, Settings, Variant, remove
from somnus.analysis.reading.log import Log


SWEPT_SEEDS = 3  # at other loads than the tables'


@dataclass(frozen=True)
class Workload:
    """Jobs from a config, and how many machines they keep busy."""

    config: str
    machines: int  # at load 1
    settings: Settings = field(default_factory=dict)
    trace: Mapping[str, str] = field(default_factory=dict)  # key: file in the folder of traces


WORKLOADS = {
    "tpc-ds": Workload("synthetic.toml", 76),
    "tpc-h": Workload("queries.toml", 86, trace={"workload.library": "queries_tpch.txt.gz"}),
    "bigbench": Workload("queries.toml", 72, trace={"workload.library": "queries_bb.txt.gz"}),
    "facebook": Workload("facebook.toml", 1298, trace={"workload.file": "400Jobs.txt.gz"}),
    "microsoft": Workload("synthetic.toml", 258, {"workload.like": "ms", "workload.jobs": 100}),
}
TRACES = tuple(file for workload in WORKLOADS.values() for file in workload.trace.values())
CONFIG_NAMES = tuple(sorted({"figure2.toml", "figure2b.toml",
                             *(workload.config for workload in WORKLOADS.values())}))


@dataclass(frozen=True)
class Mix:
    """A workload on a cluster."""

    workload: str
    load: float
    offline: bool = False

    @property
    def machines(self) -> int:
        return max(1, round(WORKLOADS[self.workload].machines / self.load))

    @property
    def name(self) -> str:
        return f"{'offline' if self.offline else 'online'}-{self.workload}-{self.load:g}"

    @property
    def settings(self) -> dict[str, object]:
        workload = WORKLOADS[self.workload]
        arrivals = {"workload.arrivals": "at-once"} if self.offline else {}
        return {"cluster.nodes": self.machines, **workload.settings, **arrivals}

    @property
    def is_drawn(self) -> bool:
        """Whether seeds make other jobs of it."""
        return "workload.file" not in WORKLOADS[self.workload].trace


# The paper's Tetris baseline has its fairness knob at 0; the preset has what Tetris recommends.
POLICIES: dict[str, Settings] = {
    "drf": {"scheduler.policy": "drf"},
    "tetris": {"scheduler.policy": "tetris", "scheduler.tetris.fairness": 0},
    "sjf": {"scheduler.policy": "sjf"},
    "carbyne": {"scheduler.policy": "carbyne"},
    "tetris-fair": {"scheduler.policy": "tetris-fair"},
    "carbyne+dagps": {"scheduler.policy": "carbyne", "scheduler.within": "dagps"},
}
COMPARED = ("drf", "tetris", "carbyne")
TRADEOFF = ("drf", "tetris", "sjf", "carbyne", "tetris-fair")

STRICT = {f"drf-strict+{within}": {"scheduler.policy": "drf-strict", "scheduler.within": within}
          for within in ("breadth-first", "critical-path", "packing")}
EXAMPLES: dict[str, Settings] = {
    **STRICT,
    **{name: {"scheduler.policy": name} for name in ("drf", "sjf", "carbyne")},
    "tetris": POLICIES["tetris"],
    "carbyne+altruism=0": {"scheduler.policy": "carbyne", "scheduler.carbyne.altruism": 0},
}


def altruism(level: float) -> Settings:
    return {**POLICIES["carbyne"], "scheduler.carbyne.altruism": level}


def with_demand_error(policy: str, percent: float) -> Settings:
    """All tasks' demands are estimated to be so much larger or, negative, smaller."""
    return {**POLICIES[policy], "estimate.demand_error": percent / 100}


@dataclass(frozen=True)
class Outcome:
    """What is kept of a run."""

    log: Log  # of its frames only the jobs
    jain: Mapping[str, float]  # mean, min, max over windows, of the jobs with demand
    jain_running: float  # mean over windows, of the jobs that run something

    @property
    def makespan(self) -> float:
        """Seconds."""
        return self.log.summary["makespan_s"]

    @property
    def in_use(self) -> float:
        """Of the kind used most, over the makespan; a share of 1."""
        return float(np.fmax.reduce([each["utilisation"] for each in self.log.summary["resources"]]))

    @property
    def response(self) -> float:
        return float(self.log.jobs["response_time"].mean())

    def factors(self, reference: Outcome) -> pd.Series:
        """Of improvement over the reference, by job."""
        return improvement.speedups(self.log, reference.log)


def outcome(log: Log) -> Outcome:
    shares = jain.dominant_shares(log, jain.windows(log)).to_numpy()
    by_window = pd.Series([jain.index(row[~np.isnan(row)]) for row in shares])
    running = pd.Series([jain.index(row[row > 0]) for row in shares])
    kept = Log(log.path)
    kept.summary = log.summary
    assert len(kept.jobs)  # read now: the file may go
    return Outcome(kept, {what: float(getattr(by_window, what)()) for what in ("mean", "min", "max")},
                   float(running.mean()))


def outcomes(runner: Runner, mixes: Iterable[Mix],
             policies: Mapping[str, Settings]) -> list[dict[Mix, dict[str, Outcome]]]:
    """One dict a seed; a mix that is no draw has the same runs in all of them."""
    mixes = list(mixes)
    planned = {
        (mix, name, seed): runner.plan(f"{mix.name}-{name}", _variant(runner, mix, settings), seed)
        for mix in mixes for seed in (runner.seeds if mix.is_drawn else runner.seeds[:1])
        for name, settings in policies.items()
    }

    def measure(log: Log) -> Outcome:
        kept = outcome(log)
        if not runner.options.keep_logs:
            remove([log])
        return kept

    found = runner.emulate(", ".join(mix.name for mix in mixes), planned, measure, shared=True)
    return [
        {mix: {name: found[mix, name, seed if mix.is_drawn else runner.seeds[0]]
               for name in policies} for mix in mixes}
        for seed in runner.seeds
    ]


def online(runner: Runner, workload: str, policies: Mapping[str, Settings],
           load: float) -> list[dict[str, Outcome]]:
    """One workload: by scheduler, one dict a seed."""
    mix = Mix(workload, load)
    return [seed[mix] for seed in outcomes(runner, [mix], policies)]


def loads(runner: Runner, usual: Iterable[float]) -> list[float]:
    """The tables' load, and the others that the user asks for, if not the usual ones."""
    asked = runner.options.loads
    return sorted({runner.options.load, *(usual if asked is None else asked)})


def at_load(runner: Runner, load: float) -> Runner:
    """With as many seeds as runs at that load have."""
    return runner if load == runner.options.load else runner.with_seeds(SWEPT_SEEDS)


def by_load(runner: Runner, workloads: Iterable[str], policies: Iterable[str], usual: Iterable[float],
            offline: bool = False) -> dict[float, list[dict[str, dict[str, Outcome]]]]:
    """By load a dict a seed, by workload and scheduler."""
    workloads = list(workloads)
    settings = {name: POLICIES[name] for name in policies}
    return {load: [{name: seed[Mix(name, load, offline)] for name in workloads}
                   for seed in outcomes(at_load(runner, load),
                                        [Mix(name, load, offline) for name in workloads], settings)]
            for load in loads(runner, usual)}


def _variant(runner: Runner, mix: Mix, settings: Settings) -> Variant:
    workload = WORKLOADS[mix.workload]
    folder: Path = runner.options.traces
    traces = {key: folder.resolve() / file for key, file in workload.trace.items()}
    return Variant(workload.config, {**mix.settings, **traces, **settings})
