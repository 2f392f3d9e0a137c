"""Yaq: Tables 1, 3 and 4, Figures 2 and 5 to 14.

Runs `somnus` on the configs of configs/papers/yaq and prints which of the paper's claims hold. By
default all is simulated, with --seeds seeds; with --real it is emulated, at --speed.
"""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from somnus.analysis.figures import over_time
from somnus.analysis.papers.common import expect
from somnus.analysis.papers.common.command import Paper, positive
from somnus.analysis.papers.common.results import Result
from somnus.analysis.papers.common.runner import Runner, Settings, Variant, measured
from somnus.analysis.papers.common.sweep import Axis, Swept, of_first, sweep
from somnus.analysis.papers.yaq import details, paper, runs
from somnus.analysis.papers.yaq import figures as draw
from somnus.analysis.papers.yaq import measures as measure
from somnus.analysis.reading.log import Log

HEARTBEAT_S = 3.0
SLOTS = 10  # of a node, in the paper's analysis
LEAST_JOBS = 2  # at a time, of a sweep
SWEPT_SEEDS = 8  # of each value; the tables have more
FIGURE_5_ENDS = (0.5, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30)
FIGURE_5_TARGETS = (0.90, 0.95, 0.99)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--slots", type=positive(int), metavar="N",
                        help="of a machine, in all runs; the paper does not say (default: those of "
                             "the configs)")
    parser.add_argument("--jobs-active", type=positive(int), metavar="N",
                        help="at a time, in all runs but that of Figure 8; the paper does not say "
                             "(default: those of the configs)")
    parser.add_argument("--order", metavar="NAME",
                        help="of jobs at the resource manager in Figures 10 to 14, such as fair "
                             "(default: fifo)")


def logs_of(runner: Runner, name: str, variants: Mapping[str, Variant],
            ordered: bool = False) -> list[dict[str, Log]]:
    """With what the user asks for; ordered: the order at the resource manager, too."""
    settings: Settings = {"cluster.slots_per_node": runner.options.slots,
                          "workload.jobs_active": runner.options.jobs_active,
                          "scheduler.order": runner.options.order if ordered else None}
    overrides = {key: value for key, value in settings.items() if value}
    return runner.logs(name, {each: replace(how, settings={**how.settings, **overrides})
                           for each, how in variants.items()})


def utilisation(runner: Runner) -> list[Result]:
    variants = {
        f"{name}.{length}": Variant(how.config, {**how.settings, **runs.queued(length)})
        for name, how in runs.UTILISED.items() for length in paper.LENGTHS
    }

    def of(logs: Mapping[str, Log]) -> expect.Values:
        by_length = {name: {length: logs[f"{name}.{length}"] for length in paper.LENGTHS}
                     for name in runs.UTILISED}
        return measure.table_1(by_length) | measure.figure_9(by_length)

    found = measured(logs_of(runner, "utilisation", variants), of)
    return [
        Result(paper.TABLE_1, found),
        Result(paper.FIGURE_9, found, {"figure9.png": draw.utilisation(found)},
               [details.utilisation(found)]),
    ]


def queue_length(runner: Runner) -> list[Result]:
    def chernoff(ends: float, target: float) -> int:
        lengths = runner.somnus.queue_length(SLOTS, HEARTBEAT_S, SLOTS * HEARTBEAT_S / ends, target)
        return lengths["chernoff"]

    found = {
        f"{rule}.{duration:g}": [float(length)]
        for duration in paper.FIGURE_5_DURATIONS
        for rule, length in runner.somnus.queue_length(SLOTS, HEARTBEAT_S, duration, 0.95).items()
    }
    lengths = {target: {ends: chernoff(ends, target) for ends in FIGURE_5_ENDS}
               for target in FIGURE_5_TARGETS}
    return [Result(paper.FIGURE_5, found, {"figure5.png": draw.queue_lengths(lengths)})]


def swept(runner: Runner, axis: Axis, figure: expect.Figure, name: str, variants: Mapping[str, Variant],
          of: Callable[[Mapping[str, Log]], expect.Values], found: expect.Measured,
          settings: Callable[[float], Settings]) -> list[Swept]:
    """The figure at the axis' other values, which are simulated only; unless the user asks for one."""
    options = runner.options
    if runner.speed or options.slots or options.jobs_active or options.order:
        return []
    some = runner.with_seeds(SWEPT_SEEDS)

    def at(value: float) -> expect.Measured:
        if value == axis.ours:
            return of_first(found, SWEPT_SEEDS)
        logs = some.logs(f"{name}-{axis.title.split()[0]}-{value:g}", {
            each: replace(how, settings={**how.settings, **settings(value)})
            for each, how in variants.items()})
        files = [log.path for each in logs for log in each.values()]
        values = measured(logs, of)
        for file in files:
            file.unlink()
        return values

    return [sweep(axis, figure, at)]


def hive(runner: Runner) -> list[Result]:
    centralized = logs_of(runner, "centralized", runs.CENTRALIZED)
    distributed = logs_of(runner, "distributed", runs.DISTRIBUTED)
    table_3 = measured(centralized, measure.table_3)
    table_4 = measured(distributed, measure.table_4)

    def by_jobs(name: str, figure: expect.Figure, variants: Mapping[str, Variant],
                of: Callable[[Mapping[str, Log]], expect.Values], found: expect.Measured) -> list[Swept]:
        return swept(runner, paper.JOBS_AT_A_TIME[name], figure, name, variants, of, found,
                     lambda jobs: {"workload.jobs_active": int(jobs)})

    return [
        Result(paper.TABLE_3, table_3,
               {"figure6.png": draw.completion(centralized[0], paper.CENTRALIZED)},
               [details.variants(paper.CENTRALIZED, paper.OF_HIVE, table_3)],
               swept=by_jobs("centralized", paper.TABLE_3, runs.CENTRALIZED, measure.table_3, table_3)),
        Result(paper.TABLE_4, table_4,
               {"figure7.png": draw.completion(distributed[0], paper.DISTRIBUTED)},
               [details.variants(paper.DISTRIBUTED, paper.OF_HIVE, table_4)],
               swept=by_jobs("distributed", paper.TABLE_4, runs.DISTRIBUTED, measure.table_4, table_4)),
    ]


def sharing(runner: Runner) -> list[Result]:
    logs = runner.logs("sharing", runs.SHARING)
    drawing = over_time.panels(
        {"Yaq-c": [measure.full_shares(logs[0]["yaq-c"])]}, "share of occupied slots",
        {name: share / 100 for name, share in paper.SHARES.items()},
    )
    return [Result(paper.FIGURE_8, measured(logs, lambda each: measure.figure_8(each["yaq-c"])),
                   {"figure8.png": drawing})]


# By experiment: its runs, the figure, what they are called in it, and its numbers.
GRIDMIX: dict[str, tuple[Mapping[str, Variant], expect.Figure, Mapping[str, str],
                         Callable[[Mapping[str, Log]], dict[str, float]]]] = {
    "bounds": (runs.BOUNDS, paper.FIGURE_10, paper.BOUNDS, measure.figure_10),
    "placement": (runs.PLACEMENTS, paper.FIGURE_11, paper.PLACEMENTS, measure.figure_11),
    "reordering": (runs.ORDERS, paper.FIGURE_12, paper.ORDERS, measure.figure_12),
    "starvation": (runs.THRESHOLDS, paper.FIGURE_13, paper.THRESHOLDS, measure.figure_13),
    "heavy-tail": (runs.HEAVY, paper.FIGURE_14, paper.HEAVY, measure.figure_14),
}


def gridmix(runner: Runner, name: str) -> list[Result]:
    variants, figure, titles, of = GRIDMIX[name]
    logs = logs_of(runner, name, variants, ordered=True)
    values = measured(logs, of)
    jobs = logs[0][next(iter(variants))].config["workload"]["jobs_active"]

    def with_slots(slots: float) -> Settings:
        return {"cluster.slots_per_node": int(slots),
                "workload.jobs_active": max(LEAST_JOBS, round(jobs * slots / paper.SLOTS.ours))}

    return [Result(figure, values, {figure.file: draw.completion(logs[0], titles)},
                   [details.variants(titles, paper.OF_GRIDMIX, values)],
                   swept=swept(runner, paper.SLOTS, figure, name, variants, of, values, with_slots))]


PAPER = Paper(
    name="yaq",
    about=__doc__,
    configs=sorted({
        how.config
        for variants in (runs.UTILISED, runs.CENTRALIZED, runs.DISTRIBUTED, runs.SHARING,
                         *(variants for variants, *_ in GRIDMIX.values()))
        for how in variants.values()
    }),
    experiments={"utilisation": utilisation, "queue-length": queue_length, "hive": hive,
                 "sharing": sharing, **{name: partial(gridmix, name=name) for name in GRIDMIX}},
    seeds=5,
    published=(19, 17, 0),
    seeds_of={"utilisation": 10, "hive": 20, "sharing": 20, **dict.fromkeys(GRIDMIX, 20)},
    speed=20.0,  # a task of 5 s sleeps 250 ms then
    add_options=add_options,
)
