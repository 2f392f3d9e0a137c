"""Cluster Fair Queueing: Figures 1, 3 and 5 to 10.

Runs `somnus` on the configs of configs/papers/cfq, prints the paper's numbers beside the measured
ones and draws the figures. By default all is simulated. With --real the paper's deployment (all but
Figures 3 and 10) is emulated in real time, at --speed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from somnus_analysis import distribution_figures
from somnus_analysis.log import Log
from somnus_analysis.log_figures import by_width
from somnus_analysis.reproduce import cfq_figures as draw
from somnus_analysis.reproduce import cfq_measures as measure
from somnus_analysis.reproduce import cfq_paper as paper
from somnus_analysis.reproduce import expect, paced_mice, results
from somnus_analysis.reproduce.options import add_common, add_real, configs_in, positive
from somnus_analysis.reproduce.program import (
    REPOSITORY,
    ProgramError,
    Run,
    Somnus,
    find_configs,
    find_program,
)
from somnus_analysis.reproduce.results import Result
from somnus_analysis.text import number, table
from somnus_analysis.width import PAPER_BINS_AT_SCALE

CONFIGS = find_configs("papers/cfq")
TRACE = REPOSITORY.parent / "shared/traces/hawk_traces/GOOG_subtrace.tr.gz"

SEEDS_SIMULATED = 5
SEEDS_REAL = 1
SPEED = 60.0
# Figures 1 and 9 have tasks of seconds: faster, and the emulation's own milliseconds would show.
SPEED_OF_SHORT_TASKS = 10.0

PROFILES: dict[str, dict[str, Any]] = {  # Fig. 8
    "uniform": {"estimate.model": "uniform", "estimate.error": 0.2},
    "naive": {"estimate.model": "naive"},
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser, __doc__, "cfq", CONFIGS)
    parser.add_argument("--only", type=int, nargs="+", choices=sorted(paper.FIGURES),
                        default=sorted(paper.FIGURES), metavar="N", help="these figures only")
    add_real(parser, SPEED, "emulate the deployment in real time instead of simulating it")
    parser.add_argument("--seeds", type=positive(int), metavar="N",
                        help=f"repetitions (default: {SEEDS_SIMULATED}; {SEEDS_REAL} with --real)")
    parser.add_argument("--trace", type=Path, metavar="FILE",
                        help="workload of Figure 10 (default: a Google trace if it is there)")


def run(options: argparse.Namespace) -> int:
    """Exit code 1 if a figure that is exact arithmetic differs, else 0."""
    if options.trace and not options.trace.exists():
        raise ProgramError(f"{options.trace}: no such workload file")
    lab = Lab(
        configs=configs_in(options.configs, CONFIG_NAMES),
        somnus=Somnus(find_program(options.somnus)),
        out=options.out,
        seeds=options.seeds or (SEEDS_REAL if options.real else SEEDS_SIMULATED),
        speed=options.speed if options.real else None,
        trace=options.trace or (TRACE if TRACE.exists() else None),
    )
    everything, right = {}, True
    for place in options.only:
        result = EXPERIMENTS[place](lab)
        verdicts = results.show(result, lab.out)
        everything[result.figure.name] = results.records(verdicts)
        right &= results.exact_ones_hold(verdicts)
    results.save(everything, lab.out)
    return 0 if right else 1


@dataclass(frozen=True)
class Lab:
    """Runs experiments and keeps the logs that several figures share."""

    somnus: Somnus
    configs: Path
    out: Path
    seeds: int
    speed: float | None  # of real runs; None: simulate
    trace: Path | None

    def seed_range(self) -> range:
        return range(1, self.seeds + 1)

    def logs(self, runs: Mapping[Any, Run], what: str) -> dict:
        """The runs' logs under the same keys."""
        print(f"{what}: {len(runs)} runs", file=sys.stderr)
        return dict(zip(runs, self.somnus.emulate(runs.values())))

    def plan(self, config: str, name: str, seed: int = 1, speed: float | None = None,
             **settings: object) -> Run:
        """A run whose log is named. Settings are written table__key."""
        return Run(
            config=self.configs / config,
            log=(self.out / "logs" / f"{name}.h5").resolve(),
            seed=seed,
            settings={key.replace("__", "."): value for key, value in settings.items()},
            speed=speed,
        )

    @property
    def short_speed(self) -> float | None:
        return min(self.speed, SPEED_OF_SHORT_TASKS) if self.speed else None

    @cached_property
    def deployment(self) -> dict[tuple[str, int], Log]:
        """Figures 5 to 8: logs by policy, or by profile of CFQ, and seed."""
        variants: dict[str, dict[str, Any]] = {
            policy: {"scheduler.policy": policy} for policy in paper.POLICIES
        }
        variants |= {name: {"scheduler.policy": "cfq", **keys} for name, keys in PROFILES.items()}
        runs = {}
        for seed in self.seed_range():
            for name, settings in variants.items():
                plan = self.plan("deployment.toml", f"deployment-{name}-{seed}", seed, self.speed)
                runs[name, seed] = replace(plan, settings=settings)
        return self.logs(runs, "Figures 5 to 8")

    def deployed(self, names: Iterable[str]) -> list[dict]:
        """Frames of the deployment's jobs, one dict by name a seed."""
        return [
            {name: self.deployment[name, seed].jobs for name in names}
            for seed in self.seed_range()
        ]


def figure_1(lab: Lab) -> Result:
    policies = {"fair sharing": "fair", "job 1 prioritised": "cfq"}
    logs = lab.logs(
        {title: lab.plan("figure1.toml", f"figure1-{policy}", speed=lab.short_speed,
                         scheduler__policy=policy)
         for title, policy in policies.items()},
        "Figure 1",
    )
    values = measure.figure_1(*(log.jobs for log in logs.values()))
    slots = next(iter(logs.values())).slots
    drawing = draw.shares({title: log.tasks for title, log in logs.items()}, slots)
    return Result(paper.FIGURE_1, expect.stack([values]), {"figure1.png": drawing})


def figure_3(lab: Lab) -> Result:
    logs = lab.logs(
        {policy: lab.plan("figure3.toml", f"figure3-{policy}", scheduler__policy=policy)
         for policy in paper.POLICIES},
        "Figure 3",
    )
    values = measure.figure_3({policy: log.jobs for policy, log in logs.items()})
    drawing = draw.slots_of_jobs({paper.TITLES[policy]: log.tasks for policy, log in logs.items()})
    return Result(paper.FIGURE_3, expect.stack([values]), {"figure3.png": drawing})


def figure_5(lab: Lab) -> Result:
    seeds = lab.deployed(paper.POLICIES)
    drawing = distribution_figures.cdf(
        {"": {paper.TITLES[policy]: [seed[policy]["response_time"] for seed in seeds]
              for policy in paper.POLICIES}}, "response time [s]")
    return Result(paper.FIGURE_5, expect.stack(map(measure.figure_5, seeds)),
                  {"figure5.png": drawing})


def figure_6(lab: Lab) -> Result:
    seeds = lab.deployed(paper.COMPARED)
    drawing = by_width({paper.TITLES[policy]: [seed[policy] for seed in seeds]
                        for policy in paper.COMPARED})
    return Result(paper.FIGURE_6, expect.stack(map(measure.figure_6, seeds)),
                  {"figure6.png": drawing})


def figure_7(lab: Lab) -> Result:
    seeds = lab.deployed(("fair", "cfq"))
    drawing = draw.normalised_distribution(measure.normalised(seeds[0]["fair"], seeds[0]["cfq"]))
    return Result(paper.FIGURE_7, expect.stack(map(measure.figure_7, seeds)),
                  {"figure7.png": drawing})


def figure_8(lab: Lab) -> Result:
    seeds = lab.deployed(("cfq", *PROFILES))
    measured = expect.stack(
        measure.figure_8(jobs["cfq"], jobs["uniform"], jobs["naive"]) for jobs in seeds
    )
    return Result(paper.FIGURE_8, measured, {"figure8.png": draw.profiling(measured)})


def figure_9(lab: Lab) -> Result:
    runs = {}
    for seed in lab.seed_range():
        for mice in paper.MICE:
            file = (lab.out / f"workloads/figure9-{mice}-{seed}.jsonl").resolve()
            paced = paced_mice.write(file, mice, seed)
            for policy in ("srpt", "cfq"):
                runs["paced", policy, mice, seed] = lab.plan(
                    "figure9.toml", f"figure9-{policy}-{mice}-{seed}", seed, lab.short_speed,
                    scheduler__policy=policy, workload__file=paced,
                )
                runs["window", policy, mice, seed] = lab.plan(
                    "figure9-window.toml", f"figure9-window-{policy}-{mice}-{seed}", seed,
                    lab.short_speed, scheduler__policy=policy, workload__mice=mice,
                )
    response = {
        key: measure.elephant(log.jobs) for key, log in lab.logs(runs, "Figure 9").items()
    }

    def values(arrivals: str, seed: int) -> measure.Values:
        return measure.figure_9({
            policy: {mice: response[arrivals, policy, mice, seed] for mice in paper.MICE}
            for policy in ("srpt", "cfq")
        })

    measured = expect.stack(
        values("paced", seed)
        | {f"window.{key}": value for key, value in values("window", seed).items()}
        for seed in lab.seed_range()
    )
    return Result(paper.FIGURE_9, measured, {"figure9.png": draw.elephants(measured)})


def figure_10(lab: Lab) -> Result:
    if lab.trace:
        trace = lab.trace
        remark = paper.REMARK_GOOGLE if trace == TRACE else paper.REMARK_GIVEN
    else:
        trace = lab.somnus.make_workload("google", paper.GENERATED_AT_SCALE, 1,
                                         lab.out / "workloads/figure10.jsonl.gz")
        remark = paper.REMARK_GENERATED
    logs = lab.logs(
        {policy: lab.plan("figure10.toml", f"figure10-{policy}", scheduler__policy=policy,
                          workload__file=trace.resolve())
         for policy in paper.POLICIES},
        "Figure 10",
    )
    jobs = {policy: log.jobs for policy, log in logs.items()}
    percentiles = measure.percentiles(jobs)
    return Result(
        replace(paper.FIGURE_10, remark=remark.format(name=trace.name)),
        expect.stack([measure.figure_10(jobs)]),
        {"figure10.png": draw.slowdown_boxes(percentiles)},
        [_percentile_table(percentiles)],
    )


EXPERIMENTS = {
    1: figure_1,
    3: figure_3,
    5: figure_5,
    6: figure_6,
    7: figure_7,
    8: figure_8,
    9: figure_9,
    10: figure_10,
}
CONFIG_NAMES = (
    "figure1.toml",
    "figure3.toml",
    "deployment.toml",
    "figure9.toml",
    "figure9-window.toml",
    "figure10.toml",
)


def _percentile_table(percentiles: Mapping[str, Mapping[str, list[float]]]) -> str:
    rows = [["slowdown, percentile", *(str(each) for each in measure.PERCENTILES)]]
    for each in PAPER_BINS_AT_SCALE:
        rows += [
            [f"{each.span}, {paper.TITLES[policy]}", *map(number, by_width[each.name])]
            for policy, by_width in percentiles.items()
        ]
    return table(rows, gap=" | ")
