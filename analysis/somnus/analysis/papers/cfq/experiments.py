"""Cluster Fair Queueing: Figures 1, 3 and 5 to 10.

Runs `somnus` on the configs of configs/papers/cfq, prints which of the paper's claims hold and
draws the figures. By default all is simulated. With --real the paper's deployment (all but Figures 3
and 10) is emulated in real time, at --speed.
"""

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from somnus.analysis.base.errors import ProgramError
from somnus.analysis.base.program import REPOSITORY
from somnus.analysis.base.text import number, table
from somnus.analysis.figures import distributions
from somnus.analysis.figures.of_logs.jobs import by_width
from somnus.analysis.papers.cfq import paper
from somnus.analysis.papers.cfq import figures as draw
from somnus.analysis.papers.cfq import measures as measure
from somnus.analysis.papers.cfq import mice as paced_mice
from somnus.analysis.papers.common import expect
from somnus.analysis.papers.common.command import Lack, Paper
from somnus.analysis.papers.common.results import Result
from somnus.analysis.papers.common.runner import Runner, Settings, Variant
from somnus.analysis.papers.common.sweep import Swept, of_first, sweep
from somnus.analysis.reading.width import PAPER_BINS_AT_SCALE

TRACE = REPOSITORY.parent / "shared/traces/hawk_traces/GOOG_subtrace.tr.gz"

# Figures 1 and 9 have tasks of seconds: faster, and the emulation's own milliseconds would show.
SPEED_OF_SHORT_TASKS = 10.0

SWEPT_SEEDS = 20  # of each load; the tables have more

DEPLOYED: dict[str, Settings] = {  # policies, and Fig. 8's profiles of CFQ
    **{policy: {"scheduler.policy": policy} for policy in paper.POLICIES},
    "uniform": {"scheduler.policy": "cfq", "estimate.model": "uniform", "estimate.error": 0.2},
    "naive": {"scheduler.policy": "cfq", "estimate.model": "naive",
              "estimate.default_task_s": paper.FIRST_GUESS.ours},
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--trace", type=Path, metavar="FILE",
                        help="workload of Figure 10 (default: a Google trace if it is there)")


def lacks(experiment: str, options: argparse.Namespace) -> Lack | None:
    if options.trace and not options.trace.exists():
        raise ProgramError(f"{options.trace}: no such workload file")
    if experiment != "10" or options.trace or TRACE.exists():
        return None
    claims = sum(bool(each.claim) for each in paper.FIGURE_10.expectations)
    return Lack(f"the Google trace {TRACE}; --trace names a workload", f"Figure 10 on that trace ({claims} claims)",
                "workloads of the generator `google`")


def under(config: str, policy: str, fastest: float = SPEED_OF_SHORT_TASKS,
          **workload: object) -> Variant:
    return Variant(config, {"scheduler.policy": policy, **{
        f"workload.{key}": value for key, value in workload.items()}}, fastest)


def deployed(runner: Runner, names: Iterable[str], load: float = paper.LOAD.ours) -> list[dict]:
    """Figures 5 to 8: frames of the deployment's jobs, one dict by name a seed."""
    other = {} if load == paper.LOAD.ours else {"workload.load": load}
    seeds = runner.logs(f"deployment-load-{load:g}" if other else "deployment", {
        name: Variant("deployment.toml", {**settings, **other}) for name, settings in DEPLOYED.items()
    }, shared=True)
    return [{name: seed[name].jobs for name in names} for seed in seeds]


def by_load(runner: Runner, figure: expect.Figure, names: Sequence[str], of: Callable[[dict], expect.Values],
            measured: expect.Measured) -> list[Swept]:
    """The figure at other loads, which are simulated only. measured: at ours."""
    if runner.speed:
        return []
    some = runner.with_seeds(SWEPT_SEEDS)
    return [sweep(paper.LOAD, figure, lambda load: of_first(measured, SWEPT_SEEDS) if load == paper.LOAD.ours else (
        expect.stack(map(of, deployed(some, names, load)))))]


def figure_1(runner: Runner) -> list[Result]:
    (logs,) = runner.logs("figure1", {policy: under("figure1.toml", policy)
                                   for policy in ("fair", "cfq")}, seeds=(1,))
    values = measure.figure_1(logs["fair"].jobs, logs["cfq"].jobs)
    drawing = draw.shares({"fair sharing": logs["fair"].tasks,
                           "job 1 prioritised": logs["cfq"].tasks}, logs["fair"].slots)
    return [Result(paper.FIGURE_1, expect.stack([values]), {"figure1.png": drawing},
                   repeats=runner.repeats)]


def figure_3(runner: Runner) -> list[Result]:
    (logs,) = runner.logs("figure3", {policy: under("figure3.toml", policy, fastest=0)
                                   for policy in paper.POLICIES}, seeds=(1,))
    values = measure.figure_3({policy: log.jobs for policy, log in logs.items()})
    drawing = draw.slots_of_jobs({paper.TITLES[policy]: log.tasks for policy, log in logs.items()},
                                 {paper.TITLES[policy]: paper.COMPLETIONS[policy] for policy in logs})
    return [Result(paper.FIGURE_3, expect.stack([values]), {"figure3.png": drawing})]


def figure_5(runner: Runner) -> list[Result]:
    seeds = deployed(runner, paper.POLICIES)
    drawing = distributions.cdf(
        {"": {paper.TITLES[policy]: [seed[policy]["response_time"] for seed in seeds]
              for policy in paper.POLICIES}}, "response time [s]")
    measured = expect.stack(map(measure.figure_5, seeds))
    return [Result(paper.FIGURE_5, measured, {"figure5.png": drawing}, swept=by_load(
        runner, paper.FIGURE_5, paper.POLICIES, measure.figure_5, measured))]


def figure_6(runner: Runner) -> list[Result]:
    seeds = deployed(runner, paper.COMPARED)
    drawing = by_width({paper.TITLES[policy]: [seed[policy] for seed in seeds]
                        for policy in paper.COMPARED})
    measured = expect.stack(map(measure.figure_6, seeds))
    return [Result(paper.FIGURE_6, measured, {"figure6.png": drawing}, swept=by_load(
        runner, paper.FIGURE_6, paper.COMPARED, measure.figure_6, measured))]


def figure_7(runner: Runner) -> list[Result]:
    seeds = deployed(runner, ("fair", "cfq"))
    drawing = draw.normalised_distribution(measure.normalised(seeds[0]["fair"], seeds[0]["cfq"]))
    measured = expect.stack(map(measure.figure_7, seeds))
    return [Result(paper.FIGURE_7, measured, {"figure7.png": drawing}, swept=by_load(
        runner, paper.FIGURE_7, ("fair", "cfq"), measure.figure_7, measured))]


def figure_8(runner: Runner) -> list[Result]:
    profiles = ("cfq", "uniform", "naive")

    def of(jobs: dict) -> expect.Values:
        return measure.figure_8(*(jobs[name] for name in profiles))

    seeds = deployed(runner, profiles)
    measured = expect.stack(map(of, seeds))

    def by_guess(guess: float) -> expect.Measured:
        some = runner.with_seeds(SWEPT_SEEDS)
        logs = some.logs(f"first-guess-{guess:g}", {"naive": Variant("deployment.toml", {
            **DEPLOYED["naive"], "estimate.default_task_s": guess})})
        return expect.stack(of({**jobs, "naive": found["naive"].jobs}) for jobs, found in zip(seeds, logs))

    guesses = [] if runner.speed else [sweep(paper.FIRST_GUESS, paper.FIGURE_8, lambda guess: (
        of_first(measured, SWEPT_SEEDS) if guess == paper.FIRST_GUESS.ours else by_guess(guess)))]
    return [Result(paper.FIGURE_8, measured, {"figure8.png": draw.profiling(measured)},
                   swept=by_load(runner, paper.FIGURE_8, profiles, of, measured) + guesses)]


def figure_9(runner: Runner) -> list[Result]:
    runs = {}
    for seed in runner.seeds:
        for mice in paper.MICE:
            paced = paced_mice.write(runner.file(f"workloads/figure9-{mice}-{seed}.jsonl"), mice, seed)
            for policy in ("srpt", "cfq"):
                for arrivals, variant in (
                    ("paced", under("figure9.toml", policy, file=paced)),
                    ("window", under("figure9-window.toml", policy, mice=mice)),
                ):
                    runs[arrivals, policy, mice, seed] = runner.plan(
                        f"figure9-{arrivals}-{policy}-{mice}", variant, seed)
    response = {key: measure.elephant(log.jobs) for key, log in runner.emulate("figure9", runs).items()}

    def values(arrivals: str, seed: int) -> measure.Values:
        return measure.figure_9({
            policy: {mice: response[arrivals, policy, mice, seed] for mice in paper.MICE}
            for policy in ("srpt", "cfq")
        })

    measured = expect.stack(
        values("paced", seed)
        | {f"window.{key}": value for key, value in values("window", seed).items()}
        for seed in runner.seeds
    )
    return [Result(paper.FIGURE_9, measured, {"figure9.png": draw.elephants(measured)})]


def figure_10(runner: Runner) -> list[Result]:
    trace = runner.options.trace or (TRACE if TRACE.exists() else None)
    remark = paper.REMARK_GOOGLE if trace == TRACE else paper.REMARK_GIVEN if trace else paper.REMARK_GENERATED

    def workload(seed: int) -> Path:
        return trace.resolve() if trace else runner.somnus.make_workload(
            "google", paper.GENERATED_AT_SCALE, seed, runner.file(f"workloads/figure10-{seed}.jsonl.gz"))

    def at(load: float, seed: int) -> dict[str, pd.DataFrame]:
        other = {} if load == paper.LOAD_AT_SCALE.ours else {"load": load}
        (logs,) = runner.logs(f"figure10-load-{load:g}" if other else "figure10", {
            policy: under("figure10.toml", policy, fastest=0, file=workload(seed), **other)
            for policy in paper.POLICIES
        }, seeds=(seed,))
        return {policy: log.jobs for policy, log in logs.items()}

    jobs = at(paper.LOAD_AT_SCALE.ours, 1)
    percentiles = measure.percentiles(jobs)
    measured = expect.stack([measure.figure_10(jobs), *(
        measure.figure_10(at(paper.LOAD_AT_SCALE.ours, seed)) for seed in runner.seeds[1:] if not trace)])
    figure = replace(paper.FIGURE_10, remark=remark.format(name=trace.name if trace else ""))
    by_load = [] if trace != TRACE else [sweep(
        paper.LOAD_AT_SCALE, figure, lambda load: measured if load == paper.LOAD_AT_SCALE.ours else (
            expect.stack([measure.figure_10(at(load, 1))])), repeats=True)]
    return [Result(figure, measured, {"figure10.png": draw.slowdown_boxes(percentiles)},
                   [_percentile_table(percentiles)], repeats=trace is not None, swept=by_load)]


def _percentile_table(percentiles: Mapping[str, Mapping[str, list[float]]]) -> str:
    rows = [["slowdown, percentile", *(str(each) for each in measure.PERCENTILES)]]
    for each in PAPER_BINS_AT_SCALE:
        rows += [
            [f"{each.span}, {paper.TITLES[policy]}", *map(number, by_width[each.name])]
            for policy, by_width in percentiles.items()
        ]
    return table(rows, gap=" | ")


PAPER = Paper(
    name="cfq",
    about=__doc__,
    configs=("figure1.toml", "figure3.toml", "deployment.toml", "figure9.toml",
             "figure9-window.toml", "figure10.toml"),
    experiments={"1": figure_1, "3": figure_3, "5": figure_5, "6": figure_6, "7": figure_7,
                 "8": figure_8, "9": figure_9, "10": figure_10},
    seeds=5,
    published=(37, 8, 1),
    seeds_of=dict.fromkeys("5678", 120),
    speed=60.0,
    seeds_real=1,
    real="emulate the deployment in real time instead of simulating it",
    add_options=add_options,
    lacks=lacks,
)
