"""Carbyne: Figures 2, 4 to 7 and 9 to 12, Tables 3 and 4, section 5.6.

Simulates the configs of configs/papers/carbyne and prints the paper's numbers beside the measured
ones. Jobs are drawn from the queries of the simulator of the paper's authors, with --seeds seeds;
the logs are measured and removed. Where the paper says nothing of a load it is --load; other loads
stand below the tables.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from matplotlib.figure import Figure

from somnus_analysis import distribution_figures
from somnus_analysis.log import Log
from somnus_analysis.reproduce import carbyne_details as details
from somnus_analysis.reproduce import carbyne_figures as draw
from somnus_analysis.reproduce import carbyne_measures as measure
from somnus_analysis.reproduce import carbyne_paper as paper
from somnus_analysis.reproduce import carbyne_runs as runs
from somnus_analysis.reproduce import expect
from somnus_analysis.reproduce.carbyne_runs import CONFIG_NAMES, Mix, Outcome
from somnus_analysis.reproduce.options import (
    add_common,
    add_only,
    add_seeds,
    configs_in,
    positive,
)
from somnus_analysis.reproduce.program import REPOSITORY, Run, Somnus, find_configs, find_program
from somnus_analysis.reproduce.results import Report, Result

CONFIGS = find_configs("papers/carbyne")
TRACES = REPOSITORY.parent / "shared/traces/carbyne_dags"
SEEDS = 5
LOADS = (1.0, 2.0, 5.0)
LOAD = 1.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser, __doc__, "carbyne", CONFIGS)
    add_only(parser, EXPERIMENTS)
    add_seeds(parser, SEEDS)
    parser.add_argument("--load", type=positive(float), default=LOAD, metavar="X",
                        help="where the paper gives none: what jobs ask for over what the cluster "
                             "has (default: %(default)g)")
    parser.add_argument("--loads", type=positive(float), nargs="*", default=LOADS, metavar="X",
                        help="further ones below the tables (default: 1 2 5)")
    parser.add_argument("--keep-logs", action="store_true",
                        help="do not remove them: some gigabytes")
    parser.add_argument("--traces", type=Path, default=TRACES, metavar="DIR",
                        help="where the authors' DAGs are; without them there is only Figure 2 "
                             "(default: ../shared/traces/carbyne_dags beside the checkout)")


def run(options: argparse.Namespace) -> int:
    lab = Lab(
        configs=configs_in(options.configs, CONFIG_NAMES),
        somnus=Somnus(find_program(options.somnus)),
        out=options.out,
        traces=options.traces.resolve(),
        seeds=range(1, options.seeds + 1),
        load=options.load,
        loads=tuple(sorted({options.load, *options.loads})),
        keep_logs=options.keep_logs,
    )
    absent = [name for name in runs.TRACES if not (lab.traces / name).exists()]
    report = Report(lab.out)
    for name in options.only:
        if absent and name != "example":
            print(f"{name}: left out, no {', '.join(absent)} in {lab.traces}; name the folder with "
                  "--traces\n")
            continue
        report.add(EXPERIMENTS[name](lab))
    print(f"{details.not_reproduced()}\n")
    report.everything["not reproduced"] = paper.NOT_REPRODUCED
    return report.save()


@dataclass(frozen=True)
class Lab:
    """Runs experiments and keeps what several figures share."""

    configs: Path
    somnus: Somnus
    out: Path
    traces: Path
    seeds: Sequence[int]
    load: float
    loads: Sequence[float]
    keep_logs: bool
    known: dict[tuple[Mix, str, int], Outcome] = field(default_factory=dict)

    def example(self, config: str) -> dict[str, Log]:
        """By scheduler."""
        names = list(runs.EXAMPLES)
        logs = self.somnus.emulate(
            Run(self.configs / config, self._log(f"{Path(config).stem}-{name}"), 1,
                runs.EXAMPLES[name])
            for name in names
        )
        return dict(zip(names, logs))

    def outcomes(self, mixes: Iterable[Mix],
                 policies: Mapping[str, runs.Settings]) -> list[dict[Mix, dict[str, Outcome]]]:
        """One dict a seed; a mix that is no draw has the same runs in all of them."""
        mixes = list(mixes)
        planned = {
            key: self._plan(*key, settings)
            for seed in self.seeds for mix in mixes for name, settings in policies.items()
            if (key := (mix, name, self._seed(mix, seed))) not in self.known
        }
        print(f"{len(planned)} runs", file=sys.stderr)
        self.known.update(zip(planned, self.somnus.emulate(planned.values(), self._measure)))
        return [
            {mix: {name: self.known[mix, name, self._seed(mix, seed)] for name in policies}
             for mix in mixes}
            for seed in self.seeds
        ]

    def online(self, workload: str, policies: Mapping[str, runs.Settings]) -> list[
            dict[str, Outcome]]:
        """One workload at the usual load: by scheduler, one dict a seed."""
        mix = Mix(workload, self.load)
        return [seed[mix] for seed in self.outcomes([mix], policies)]

    def by_load(self, workloads: Iterable[str], policies: Iterable[str], offline: bool = False,
                ) -> dict[float, list[dict[str, dict[str, Outcome]]]]:
        """By load a dict a seed, by workload and scheduler."""
        workloads = list(workloads)
        seeds = self.outcomes(
            [Mix(name, load, offline) for name in workloads for load in self.loads],
            {name: runs.POLICIES[name] for name in policies},
        )
        return {load: [{name: seed[Mix(name, load, offline)] for name in workloads}
                       for seed in seeds]
                for load in self.loads}

    def _seed(self, mix: Mix, seed: int) -> int:
        return seed if mix.is_drawn else self.seeds[0]

    def _plan(self, mix: Mix, policy: str, seed: int, settings: runs.Settings) -> Run:
        workload = runs.WORKLOADS[mix.workload]
        traces = {key: self.traces / file for key, file in workload.trace.items()}
        return Run(self.configs / workload.config, self._log(f"{mix.name}-{policy}-{seed}"), seed,
                   {**mix.settings, **traces, **settings})

    def _measure(self, log: Log) -> Outcome:
        kept = runs.outcome(log)
        if not self.keep_logs:
            log.path.unlink()
        return kept

    def _log(self, name: str) -> Path:
        return (self.out / "logs" / f"{name}.h5").resolve()


def example(lab: Lab) -> list[Result]:
    logs, others = lab.example("figure2.toml"), lab.example("figure2b.toml")
    return [
        Result(paper.FIGURE_2, expect.stack([measure.example(logs)]),
               {"figure2.png": draw.example(logs)}),
        Result(paper.FIGURE_2B, expect.stack([measure.example(others)]),
               {"figure2b.png": draw.example(others)}),
    ]


def offline(lab: Lab) -> list[Result]:
    return [_tradeoff(lab, paper.FIGURE_4, lab.by_load(paper.QUERIES, runs.TRADEOFF, offline=True))]


def online(lab: Lab) -> list[Result]:
    by_load = lab.by_load(paper.QUERIES, runs.TRADEOFF)
    measured = {load: expect.stack(map(measure.table_3, seeds)) for load, seeds in by_load.items()}
    first = by_load[lab.load][0]
    completion = distribution_figures.cdf(
        {title: {paper.TITLES[each]: [first[name][each].log.jobs["response_time"]]
                 for each in runs.COMPARED} for name, title in paper.QUERIES.items()},
        "completion time [s]",
    )
    return [
        _tradeoff(lab, paper.FIGURE_5, by_load),
        Result(paper.TABLE_3, measured[lab.load],
               {"figure6.png": completion, "figure7.png": _factors(first, paper.QUERIES)},
               [details.factors(paper.QUERIES, measured), details.jobs(measured)]),
        Result(paper.SECTION_5_6, expect.stack(map(measure.section_5_6, by_load[lab.load]))),
    ]


def production(lab: Lab) -> list[Result]:
    by_load = lab.by_load(paper.PRODUCTION, runs.COMPARED)
    measured = {load: expect.stack(map(measure.table_4, seeds)) for load, seeds in by_load.items()}
    return [Result(paper.TABLE_4, measured[lab.load],
                   {"table4.png": _factors(by_load[lab.load][0], paper.PRODUCTION)},
                   [details.factors(paper.PRODUCTION, measured)])]


def load(lab: Lab) -> list[Result]:
    policies = {name: runs.POLICIES[name] for name in runs.COMPARED}
    seeds = lab.outcomes([Mix("tpc-h", each) for each in paper.LOADS], policies)
    measured = expect.stack(
        measure.figure_9({mix.load: found for mix, found in seed.items()}) for seed in seeds
    )
    drawing = draw.sweep(paper.LOADS, measured, "load", {1: 1.57, 2: 1.91})
    return [Result(paper.FIGURE_9, measured, {"figure9.png": drawing})]


def misestimation(lab: Lab) -> list[Result]:
    return [_sweep(
        lab, paper.FIGURE_10, paper.ERRORS,
        {f"{name}{error:+d}": runs.misled(name, error)
         for name in runs.COMPARED for error in paper.ERRORS},
        lambda name, error: f"{name}{error:+d}", measure.figure_10,
        "error of estimated demands [%]",
    )]


def altruism(lab: Lab) -> list[Result]:
    return [_sweep(
        lab, paper.FIGURE_11, paper.LEVELS,
        {**{name: runs.POLICIES[name] for name in paper.ALTERNATIVES},
         **{f"carbyne-{level:g}": runs.altruism(level) for level in paper.LEVELS}},
        lambda name, level: f"{name}-{level:g}" if name == "carbyne" else name, measure.figure_11,
        "P(Altruism)", {0.5: 1.24, 1: 1.56},
    )]


def dagps(lab: Lab) -> list[Result]:
    seeds = lab.online("tpc-h", {name: runs.POLICIES[name]
                                 for name in ("drf", "carbyne", "carbyne+dagps")})
    drawing = distribution_figures.factors(
        {title: [seeds[0][name].factors(seeds[0]["drf"])]
         for name, title in (("carbyne", "Carbyne + Tetris"),
                             ("carbyne+dagps", "Carbyne + DAGPS"))}, "factor of improvement over DRF")
    return [Result(paper.FIGURE_12, expect.stack(map(measure.figure_12, seeds)),
                   {"figure12.png": drawing})]


def _tradeoff(lab: Lab, figure: expect.Figure, by_load: Mapping[float, list]) -> Result:
    measured = {load: expect.stack(map(measure.tradeoff, seeds)) for load, seeds in by_load.items()}
    return Result(figure, measured[lab.load],
                  {f"{figure.name.lower().replace(' ', '')}.png":
                   draw.tradeoff(measured[lab.load], paper.QUERIES)},
                  [details.tradeoff(measured)])


def _sweep(lab: Lab, figure: expect.Figure, points: Sequence[float],
           policies: Mapping[str, runs.Settings], called: Callable[[str, float], str],
           measured: Callable[[Mapping[float, measure.Runs]], measure.Values], quantity: str,
           said: Mapping[float, float] | None = None) -> Result:
    """`called`: the name among the policies of a scheduler at a point."""
    values = expect.stack(
        measured({point: {name: found[called(name, point)] for name in runs.COMPARED}
                  for point in points})
        for found in lab.online("tpc-h", policies)
    )
    return Result(figure, values, {f"{figure.name.lower().replace(' ', '')}.png":
                                   draw.sweep(points, values, quantity, said)})


def _factors(mixes: Mapping[str, measure.Runs], titles: Mapping[str, str]) -> Figure:
    return distribution_figures.factors(
        {f"{paper.TITLES[other]}, {title}": [mixes[name]["carbyne"].factors(mixes[name][other])]
         for name, title in titles.items() for other in paper.ALTERNATIVES},
        "factor of improvement over the scheduler named",
    )


EXPERIMENTS = {
    "example": example, "offline": offline, "online": online, "production": production,
    "load": load, "misestimation": misestimation, "altruism": altruism, "dagps": dagps,
}
