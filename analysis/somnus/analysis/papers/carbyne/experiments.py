"""Carbyne: Figures 2, 4 to 7 and 9 to 12, Tables 3 and 4, section 5.6.

Simulates the configs of configs/papers/carbyne and prints which of the paper's claims
hold. Jobs are drawn from the queries of the simulator of the paper's authors, with --seeds seeds;
the logs are measured and removed. Where the paper says nothing of a load it is --load; the page
has other loads.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from somnus.analysis.base.program import REPOSITORY
from somnus.analysis.figures import distributions
from somnus.analysis.papers.carbyne import details, paper, runs
from somnus.analysis.papers.carbyne import figures as draw
from somnus.analysis.papers.carbyne import measures as measure
from somnus.analysis.papers.carbyne.runs import Mix, by_load, outcomes
from somnus.analysis.papers.carbyne.runs import online as online_runs
from somnus.analysis.papers.common import expect
from somnus.analysis.papers.common.command import Lack, Paper, positive
from somnus.analysis.papers.common.results import Result
from somnus.analysis.papers.common.runner import Runner, Settings, Variant
from somnus.analysis.papers.common.sweep import Axis, Swept, of_first

TRACES = REPOSITORY.parent / "shared/traces/carbyne_dags"
# Those that are tried where the paper gives none, beside the tables' own. The more jobs are there at once,
# the longer Carbyne takes to pack them, and jobs like Microsoft's take it longest.
LOADS = (0.7, 2.0, 5.0)
LOADS_OF_PRODUCTION = (2.0,)
LOADS_OF_VARIANTS = (0.7, 2.0)
LOAD = 1.0


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--load", type=positive(float), default=LOAD, metavar="X",
                        help="where the paper gives none: what jobs ask for over what the cluster "
                             "has (default: %(default)g)")
    parser.add_argument("--loads", type=positive(float), nargs="*", metavar="X",
                        help="further ones that are tried, with "
                             f"{runs.SWEPT_SEEDS} seeds (default: {' '.join(f'{each:g}' for each in LOADS)}, "
                             "and fewer where runs are long)")
    parser.add_argument("--keep-logs", action="store_true",
                        help="do not remove them: some gigabytes")
    parser.add_argument("--traces", type=Path, default=TRACES, metavar="DIR",
                        help="where the authors' DAGs are; without them there is only Figure 2 "
                             "(default: ../shared/traces/carbyne_dags beside the checkout)")


def lacks(experiment: str, options: argparse.Namespace) -> Lack | None:
    absent = [name for name in runs.TRACES if not (options.traces / name).exists()]
    if experiment == "example" or not absent:
        return None
    return Lack(f"{', '.join(absent)} in {options.traces}; --traces names the folder", "all but Figure 2")


def example(runner: Runner) -> list[Result]:
    logs, others = (
        runner.logs(name, {each: Variant(f"{name}.toml", settings)
                        for each, settings in runs.EXAMPLES.items()}, seeds=(1,))[0]
        for name in ("figure2", "figure2b")
    )
    return [
        Result(paper.FIGURE_2, expect.stack([measure.example(logs)]),
               {"figure2.png": draw.example(logs)}),
        Result(paper.FIGURE_2B, expect.stack([measure.example(others)]),
               {"figure2b.png": draw.example(others)}),
    ]


def offline(runner: Runner) -> list[Result]:
    return [_tradeoff(runner, paper.FIGURE_4, by_load(
        runner, paper.QUERIES, runs.TRADEOFF, LOADS, offline=True))]


def online(runner: Runner) -> list[Result]:
    found = by_load(runner, paper.QUERIES, runs.TRADEOFF, LOADS)
    measured = {load: expect.stack(map(measure.table_3, seeds)) for load, seeds in found.items()}
    strict = {load: expect.stack(map(measure.section_5_6, seeds)) for load, seeds in found.items()}
    first = found[runner.options.load][0]
    completion = distributions.cdf(
        {title: {paper.TITLES[each]: [first[name][each].log.jobs["response_time"]]
                 for each in runs.COMPARED} for name, title in paper.QUERIES.items()},
        "completion time [s]",
    )
    return [
        _tradeoff(runner, paper.FIGURE_5, found),
        Result(paper.TABLE_3, measured[runner.options.load],
               {"figure6.png": completion, "figure7.png": _factors(first, paper.QUERIES)},
               [details.factors(paper.QUERIES, measured), details.jobs(measured)],
               swept=_swept(runner, paper.TABLE_3, measured)),
        Result(paper.SECTION_5_6, strict[runner.options.load],
               swept=_swept(runner, paper.SECTION_5_6, strict)),
    ]


def production(runner: Runner) -> list[Result]:
    found = by_load(runner, paper.PRODUCTION, runs.COMPARED, LOADS_OF_PRODUCTION)
    measured = {load: expect.stack(map(measure.table_4, seeds)) for load, seeds in found.items()}
    return [Result(paper.TABLE_4, measured[runner.options.load],
                   {"table4.png": _factors(found[runner.options.load][0], paper.PRODUCTION)},
                   [details.factors(paper.PRODUCTION, measured)],
                   swept=_swept(runner, paper.TABLE_4, measured))]


def load(runner: Runner) -> list[Result]:
    policies = {name: runs.POLICIES[name] for name in runs.COMPARED}
    seeds = outcomes(runner, [Mix("tpc-h", each) for each in paper.LOADS], policies)
    measured = expect.stack(
        measure.figure_9({mix.load: found for mix, found in seed.items()}) for seed in seeds
    )
    drawing = draw.sweep(paper.LOADS, measured, "load", {
        each: paper.FIGURE_9.paper_value(key) for each, key in ((1, "claim.1"), (2, "claim.2.most"))})
    return [Result(paper.FIGURE_9, measured, {"figure9.png": drawing})]


def misestimation(runner: Runner) -> list[Result]:
    return [_sweep(
        runner, paper.FIGURE_10, paper.ERRORS,
        {f"{name}{error:+d}": runs.with_demand_error(name, error)
         for name in runs.COMPARED for error in paper.ERRORS},
        lambda name, error: f"{name}{error:+d}", measure.figure_10,
        "error of estimated demands [%]",
    )]


def altruism(runner: Runner) -> list[Result]:
    return [_sweep(
        runner, paper.FIGURE_11, paper.LEVELS,
        {**{name: runs.POLICIES[name] for name in paper.ALTERNATIVES},
         **{f"carbyne-{level:g}": runs.altruism(level) for level in paper.LEVELS}},
        lambda name, level: f"{name}-{level:g}" if name == "carbyne" else name, measure.figure_11,
        "P(Altruism)", {
            each: paper.FIGURE_11.paper_value(key) for each, key in ((0.5, "claim.half"), (1, "claim.all"))},
    )]


def dagps(runner: Runner) -> list[Result]:
    found = _at_loads(runner, {name: runs.POLICIES[name] for name in ("drf", "carbyne", "carbyne+dagps")})
    first = found[runner.options.load][0]
    drawing = distributions.factors(
        {title: [first[name].factors(first["drf"])]
         for name, title in (("carbyne", "Carbyne + Tetris"),
                             ("carbyne+dagps", "Carbyne + DAGPS"))}, "factor of improvement over DRF")
    measured = {each: expect.stack(map(measure.figure_12, seeds)) for each, seeds in found.items()}
    return [Result(paper.FIGURE_12, measured[runner.options.load], {"figure12.png": drawing},
                   swept=_swept(runner, paper.FIGURE_12, measured))]


def _tradeoff(runner: Runner, figure: expect.Figure, found: Mapping[float, list]) -> Result:
    measured = {load: expect.stack(map(measure.tradeoff, seeds)) for load, seeds in found.items()}
    return Result(figure, measured[runner.options.load],
                  {figure.file: draw.tradeoff(figure, measured[runner.options.load], paper.QUERIES)},
                  [details.tradeoff(measured)], swept=_swept(runner, figure, measured))


def _sweep(runner: Runner, figure: expect.Figure, points: Sequence[float],
           policies: Mapping[str, Settings], called: Callable[[str, float], str],
           measured: Callable[[Mapping[float, measure.Runs]], measure.Values], quantity: str,
           published: Mapping[float, float | None] | None = None) -> Result:
    """`called`: the name among the policies of a scheduler at a point."""
    by_load = {
        load: expect.stack(
            measured({point: {name: found[called(name, point)] for name in runs.COMPARED}
                      for point in points})
            for found in seeds)
        for load, seeds in _at_loads(runner, policies).items()
    }
    values = by_load[runner.options.load]
    return Result(figure, values, {figure.file: draw.sweep(points, values, quantity, published)},
                  swept=_swept(runner, figure, by_load))


def _at_loads(runner: Runner, policies: Mapping[str, Settings]) -> dict[float, list[dict[str, runs.Outcome]]]:
    """TPC-H one by one."""
    return {load: online_runs(runs.at_load(runner, load), "tpc-h", policies, load)
            for load in runs.loads(runner, LOADS_OF_VARIANTS)}


def _swept(runner: Runner, figure: expect.Figure, by_load: Mapping[float, expect.Measured]) -> list[Swept]:
    """The paper says of no figure but the ninth what its load was."""
    if len(by_load) < 2:
        return []
    axis = Axis("load", "load", sorted(by_load), runner.options.load)
    return [Swept(axis, figure, {load: of_first(measured, runs.SWEPT_SEEDS)
                                 for load, measured in by_load.items()})]


def _factors(mixes: Mapping[str, measure.Runs], titles: Mapping[str, str]) -> Figure:
    return distributions.factors(
        {f"{paper.TITLES[other]}, {title}": [mixes[name]["carbyne"].factors(mixes[name][other])]
         for name, title in titles.items() for other in paper.ALTERNATIVES},
        "factor of improvement over the scheduler named",
    )


PAPER = Paper(
    name="carbyne",
    about=__doc__,
    configs=runs.CONFIG_NAMES,
    experiments={"example": example, "offline": offline, "online": online,
                 "production": production, "load": load, "misestimation": misestimation,
                 "altruism": altruism, "dagps": dagps},
    seeds=5,
    published=(15, 19, 7),
    seeds_of={"online": 10, "load": 10, "altruism": 15, "dagps": 15},
    add_options=add_options,
    lacks=lacks,
    not_reproduced=paper.NOT_REPRODUCED,
)
