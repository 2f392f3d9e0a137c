"""PAF: Figures 1, 4, 6 and 8 to 12, and what warm JVMs have to do with it.

Profiles the jobs of configs/papers/paf alone, simulates them together with the curves found, and prints
which of the paper's claims hold, with --seeds seeds. The logs are measured and removed.
With --real the TPC-H queries also run over MPI, at --speed.
"""

import argparse
import math
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from somnus.analysis.base.program import REPOSITORY
from somnus.analysis.figures import curves as curve_figures
from somnus.analysis.papers.common import expect
from somnus.analysis.papers.common.command import Lack, Paper
from somnus.analysis.papers.common.results import Result
from somnus.analysis.papers.common.runner import Runner, Settings, Variant, remove
from somnus.analysis.papers.common.sweep import Swept, of_first, sweep
from somnus.analysis.papers.paf import details, paper, runs
from somnus.analysis.papers.paf import figures as draw
from somnus.analysis.papers.paf import measures as measure
from somnus.analysis.papers.paf.runs import SCHEDULERS, Jobs, profile, together, with_alpha
from somnus.analysis.reading.log import Log

TRACE = REPOSITORY.parent / "shared/traces/decima_tpch/decima_tpch.jsonl.gz"

APPLICATIONS = Jobs("figure1.toml")
PAIR = Jobs("figure4.toml")
TESTBED = Jobs("figure4.toml", {
    "cluster.nodes": 64, "workload.applications": "[]", "workload.tasks": 128,
    "workload.jobs": 60, "workload.weights": "paper",
})
SIMULATION = Jobs("simulation.toml")


SWEPT_SEEDS = 5  # of each value of an axis


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--trace", type=Path, default=TRACE, metavar="FILE",
                        help="Decima's queries; without it `warmup` is left out (default: "
                             "../shared/traces/decima_tpch/decima_tpch.jsonl.gz beside the checkout)")


def lacks(experiment: str, options: argparse.Namespace) -> Lack | None:
    if experiment != "warmup" or options.trace.exists():
        return None
    return Lack(f"Decima's queries {options.trace}; --trace names the file", "the schedulers under each warm-up model")


def curves(runner: Runner) -> list[Result]:
    seeds = [profile(runner, "figure1", APPLICATIONS, seed) for seed in runner.seeds]
    measured = [measure.curves({measure.application(each.job): each for each in found})
                for found in seeds]
    return [Result(paper.FIGURE_1, expect.stack(measured),
                   {"figure1.png": curve_figures.of_jobs(seeds[0])})]


def exchange(runner: Runner) -> list[Result]:
    (logs,) = runner.logs("figure6", {"paf": Variant("figure6.toml", fastest=0)}, seeds=(1,))
    measured = expect.stack([measure.exchange(logs["paf"])])
    remove(logs.values())
    return [Result(paper.FIGURE_6, measured)]


def pair(runner: Runner) -> list[Result]:
    names = ("fair", "fair-own", "paf", "paf-own", "paf-leave")
    seeds = _shared(runner, "pair", PAIR, {name: SCHEDULERS[name] for name in names},
                    {"cluster.nodes": 16})
    for values in seeds:
        values["paf-leave.gain"] = _gain(values, "paf-leave")
        values["paf-leave.gain-own"] = _gain(values, "paf-leave", "fair-own")
        values["paf-leave.moved"] = values["paf-leave.KMeans.fair"] - values["paf-leave.KMeans.slots"]
    return [Result(paper.FIGURE_4, expect.stack(seeds))]


def testbed(runner: Runner) -> list[Result]:
    plain = {name: SCHEDULERS[name] for name in ("fair", "fair-own")}
    pafs = {f"{name}-{alpha:g}": with_alpha(name, alpha)
            for name in ("paf", "paf-leave") for alpha in paper.ALPHAS}
    seeds = _shared(runner, "testbed", TESTBED, {**plain, **pafs}, {"cluster.nodes": 64})
    for values in seeds:
        for alpha in paper.ALPHAS:
            for key, over in (("gain", "fair"), ("gain-own", "fair-own")):
                name = f"paf-leave-{alpha:g}"
                values[f"{name}.{key}"] = _gain(values, name, over)
    measured = expect.stack(seeds)
    return [Result(paper.FIGURE_8, measured),
            Result(paper.FIGURE_9, measured, {"figure9.png": draw.testbed(measured)})]


def _shared(runner: Runner, name: str, jobs: Jobs, schedulers: Mapping[str, Settings],
            cluster: Settings) -> list[dict[str, float]]:
    """`scheduler.quantity`, one dict a seed."""
    seeds = []
    for seed in runner.seeds:
        least = measure.least_times(profile(runner, name, jobs, seed), 2 * cluster["cluster.nodes"])
        logs = together(runner, name, jobs, schedulers, seed, cluster)
        seeds.append({f"{scheduler}.{key}": value for scheduler, log in logs.items()
                      for key, value in measure.shared(log, least).items()})
        remove(logs.values())
    return seeds


def _gain(values: Mapping[str, float], scheduler: str, over: str = "fair") -> float:
    return 100 * (values[f"{scheduler}.mean"] / values[f"{over}.mean"] - 1)


def simulation(runner: Runner) -> list[Result]:
    """As the authors simulate, and in the details every other PAF, at once and as jobs come."""
    seeds, others, groups = [], [], []
    for seed in runner.seeds:
        least = measure.least_times(profile(runner, "simulation", SIMULATION, seed), min(paper.CLUSTERS))
        values: dict[str, float] = {}
        for slots in paper.CLUSTERS:
            logs = together(runner, f"simulation-{slots}", SIMULATION, details.VARIANTS, seed,
                           {"cluster.nodes": slots, "cluster.slots_per_node": 1},
                           workload="simulation")
            values |= _of_cluster(slots, logs, least)
            others.append({f"{slots}.{name}": measure.rates(log, least).mean()
                           for name, log in logs.items()})
            if slots == paper.CLUSTERS[0]:
                groups.append(measure.by_group(logs["paf-authors-0.9"], logs["fair"], least))
            remove(logs.values())
        for slots in paper.CLUSTERS[1:]:
            values[f"less.{slots}"] = values[f"{slots}.gain-0.9"] - values["8000.gain-0.9"]
        seeds.append(values)
    for values in groups:
        values |= {"claim.beta": values["beta.low"] - values["beta.high"],
                   "claim.delta": values["delta.high"] - values["delta.low"],
                   "claim.ratio": values["ratio.high"] - values["ratio.low"]}
    measured, by_third = expect.stack(seeds), expect.stack(groups)
    authors = {name: details.VARIANTS[name] for name in ("fair", "paf-authors-0.9", "paf-authors-0.99")}
    arrivals, others_then = _arrivals(runner, authors)
    swept = [
        Swept(paper.BETWEEN_JOBS, paper.FIGURE_10, {0: of_first(measured, SWEPT_SEEDS), **arrivals}),
        sweep(paper.WARMUP, paper.FIGURE_10, lambda factor: of_first(measured, SWEPT_SEEDS) if (
            factor == paper.WARMUP.ours) else _by_warmup(runner, factor, authors)),
    ]
    clusters = {slots: expect.stack(each for each in others if f"{slots}.fair" in each)
                for slots in paper.CLUSTERS}
    return [
        Result(paper.FIGURE_10, measured, {"figure10.png": draw.clusters(clusters)},
               [details.variants(clusters), details.arrivals(others_then)], swept=swept),
        Result(paper.FIGURE_11, by_third, {"figure11.png": draw.groups(by_third)}),
        Result(paper.FIGURE_12, by_third),
    ]


def _of_cluster(slots: int, logs: Mapping[str, Log],
                least: Mapping[str, float]) -> dict[str, float]:
    fair = logs["fair"]
    values = {"fair": measure.rates(fair, least).mean()}
    for alpha in paper.ALPHAS:
        name = f"paf-authors-{alpha:g}"
        values[name] = measure.rates(logs[name], least).mean()
        values[f"gain-{alpha:g}"] = measure.improvement(logs[name], fair, least)
        values[f"gain-first-{alpha:g}"] = measure.improvement(logs[name], fair, least,
                                                              "first_start")
    log = logs["paf-authors-0.9"]
    promised, gave = measure.promised(log), measure.givers(log, fair)
    values |= {"promised": 100 * (promised["target"] / promised["fair"] - 1), "givers": gave["givers"],
               "promised-worst": gave["promised"], "realised": gave["realised"],
               "worst": gave["worst"]}
    return {f"{slots}.{key}": value for key, value in values.items()}


def _arrivals(runner: Runner, authors: Mapping[str, Settings]) -> tuple[dict[float, expect.Measured],
                                                                        dict[float, expect.Measured]]:
    """By seconds between jobs, which come one by one, on 8,000 slots: Figure 10, and mean progress rates."""
    figure: dict[float, expect.Measured] = {}
    rates: dict[float, expect.Measured] = {}
    for interarrival in paper.BETWEEN_JOBS.values[1:]:
        jobs = Jobs("simulation.toml", {"workload.arrivals": "poisson",
                                        "workload.interarrival_s": interarrival})
        more = details.OVER_TIME if interarrival in details.INTERARRIVALS else {}
        seeds = _on_8000(runner, f"arrivals-{interarrival:g}", jobs, {**authors, **more})
        figure[interarrival] = expect.stack(values for values, _ in seeds)
        if more:
            rates[interarrival] = expect.stack(each for _, each in seeds)
    return figure, rates


def _by_warmup(runner: Runner, factor: float, authors: Mapping[str, Settings]) -> expect.Measured:
    jobs = Jobs("simulation.toml", {"workload.max_delta": factor})
    return expect.stack(values for values, _ in _on_8000(runner, f"warm-up-{factor:g}", jobs, authors))


def _on_8000(runner: Runner, name: str, jobs: Jobs,
             schedulers: Mapping[str, Settings]) -> list[tuple[dict[str, float], dict[str, float]]]:
    """Of the first seeds: Figure 10's values, and mean progress rates by scheduler."""
    seeds = []
    for seed in runner.with_seeds(SWEPT_SEEDS).seeds:
        least = measure.least_times(profile(runner, name, jobs, seed), max(paper.CLUSTERS))
        logs = together(runner, name, jobs, schedulers, seed,
                        {"cluster.nodes": max(paper.CLUSTERS), "cluster.slots_per_node": 1})
        seeds.append((_of_cluster(max(paper.CLUSTERS), logs, least),
                      {each: float(measure.rates(log, least).mean()) for each, log in logs.items()}))
        remove(logs.values())
    return seeds


def warmup(runner: Runner) -> list[Result]:
    """Not in the paper: who wins under which warm-up model."""
    seeds: dict[str, list[dict[str, float]]] = {name: [] for name in details.WARMUPS}
    cold: dict[str, pd.DataFrame] = {}
    for model, settings in details.WARMUPS.items():
        jobs = Jobs("queries.toml", {"workload.library": runner.options.trace.resolve(), **settings})
        for seed in runner.seeds:
            name = f"queries-{model}"
            least = measure.least_times(profile(runner, name, jobs, seed), details.QUERY_SLOTS)
            logs = together(runner, name, jobs, details.ABLATION, seed, {"cluster.nodes": 50})
            seeds[model].append({f"{each}.{key}": value for each, log in logs.items()
                                 for key, value in details.of_queries(log, least).items()})
            if model == "measured" and seed == runner.seeds[0]:
                cold["simulated"] = measure.cold_stages(logs["fair"], details.EXECUTORS)
            remove(logs.values())
            if runner.speed and model == "measured" and seed == runner.seeds[0]:
                real = together(runner, f"{name}-real", jobs, {"fair": SCHEDULERS["fair"]}, seed,
                               {"cluster.nodes": 50}, workload=name, fastest=math.inf)["fair"]
                title = f"over MPI, {runner.speed:g} times as fast"
                cold[title] = measure.cold_stages(real, details.EXECUTORS)
                runner.notes.append(f"{title}: {details.of_warmth(measure.warmth(real, details.EXECUTORS))}")
                remove([real])
    measured = {model: expect.stack(values) for model, values in seeds.items()}
    flat = {f"{model}.{key}": values for model, found in measured.items()
            for key, values in found.items()}
    return [Result(details.ABLATION_FIGURE, flat,
                   {"warmup.png": draw.warmups(measured), "cold.png": draw.cold(cold)},
                   [details.ablation(measured)])]


PAPER = Paper(
    name="paf",
    about=__doc__,
    configs=runs.CONFIG_NAMES,
    experiments={"curves": curves, "exchange": exchange, "pair": pair, "testbed": testbed,
                 "simulation": simulation, "warmup": warmup},
    seeds=5,
    published=(12, 6, 3),
    seeds_of={"pair": 20, "testbed": 20, "simulation": 10},
    speed=20.0,
    real="also emulate the queries in real time",
    add_options=add_options,
    lacks=lacks,
)
