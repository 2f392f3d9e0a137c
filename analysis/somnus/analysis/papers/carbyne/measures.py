"""From runs to the numbers of the Carbyne paper's figures, by the keys of carbyne_paper.

Each function takes one seed's runs: by workload, or load, error or level, and scheduler.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from somnus.analysis.metrics import improvement
from somnus.analysis.papers.carbyne import paper
from somnus.analysis.papers.carbyne.runs import Outcome
from somnus.analysis.papers.common.expect import Values
from somnus.analysis.reading.log import Log

Runs = Mapping[str, Outcome]  # by scheduler

SLOWER = 0.8  # a factor below that is a slowdown that the paper counts


def example(logs: Mapping[str, Log]) -> Values:
    """Figures 2 and 2b: when jobs end, by scheduler."""
    values: Values = {}
    for name, log in logs.items():
        ends = log.jobs.set_index("job_name")["response_time"]
        values |= {f"{name}.{job}": float(ends[job]) for job in paper.JOBS}
        values[f"{name}.mean"] = float(ends.mean())
    return values


def tradeoff(mixes: Mapping[str, Runs]) -> Values:
    """Figures 4 and 5, by workload."""
    values: Values = {}
    worst: Values = {}
    for name, runs in mixes.items():
        values |= {f"{name}.{key}": value for key, value in of_mix(runs).items()}
        response = {each: run.response for each, run in runs.items()}
        makespan = {each: run.makespan for each, run in runs.items()}
        for key, value in {
            **_fairness({each: run.jain["mean"] for each, run in runs.items()}),
            **_fairness({each: run.jain_running for each, run in runs.items()}, ".running"),
            "fastest": min(response[each] for each in ("carbyne", "tetris", "drf"))
            / response["sjf"],
            "fast": min(response["drf"], response["tetris"]) / response["carbyne"],
            "densest": min(makespan[each] for each in ("carbyne", "drf", "sjf"))
            / makespan["tetris"],
            "dense": min(makespan["drf"], makespan["sjf"]) / makespan["carbyne"],
        }.items():
            worst[f"claim.{key}"] = min(value, worst.get(f"claim.{key}", np.inf))
    return values | worst


def _fairness(of: Mapping[str, float], suffix: str = "") -> Values:
    return {
        f"fairest{suffix}": of["drf"] - max(of[each] for each in ("carbyne", "tetris", "sjf")),
        f"fair{suffix}": of["carbyne"] - max(of["tetris"], of["sjf"]),
    }


def of_mix(runs: Runs) -> Values:
    """Fairness, completion and efficiency of each scheduler, and against Carbyne's."""
    ours = runs["carbyne"]
    values: Values = {}
    for name, run in runs.items():
        values |= {
            f"jain.{name}": run.jain["mean"],
            f"jain-min.{name}": run.jain["min"],
            f"jain-max.{name}": run.jain["max"],
            f"unfair.{name}": run.jain["mean"] - runs["drf"].jain["mean"],
            f"jain-running.{name}": run.jain_running,
            f"unfair-running.{name}": run.jain_running - runs["drf"].jain_running,
            f"seconds.{name}": run.response,
            f"end.{name}": run.makespan,
            f"in-use.{name}": 100 * run.in_use,
            f"last-arrival.{name}": 100 * _last_arrival(run),
            f"response.{name}": run.response / ours.response,
            f"makespan.{name}": run.makespan / ours.makespan,
        }
    return values


def _last_arrival(run: Outcome) -> float:
    """When the last job comes, as a share of the makespan."""
    submits = run.log.jobs["submit"]
    return float(submits.max() - submits.min()) / run.makespan


def factors(mixes: Mapping[str, Runs]) -> Values:
    """Percentiles of jobs' factors of improvement, by workload; Tables 3 and 4.

    Also as the ratio of the percentiles of completion times, under of_completion; and what there is
    to gain, jobs' slowdown against the idle cluster under the other scheduler, under room.
    """
    values: Values = {}
    for name, runs in mixes.items():
        for other in paper.ALTERNATIVES:
            found = improvement.factors(runs["carbyne"].log, runs[other].log)
            values |= {f"{name}.{other}.p{each}": found.at[each, "of_jobs"]
                       for each in improvement.PERCENTILES}
            values |= {f"of_completion.{name}.{other}.p{each}": found.at[each, "of_completion"]
                       for each in improvement.PERCENTILES}
            room = improvement.percentiles(runs[other].log.jobs["slowdown"])
            values |= {f"room.{name}.{other}.p{each}": float(room[each])
                       for each in improvement.PERCENTILES}
    return values


def table_3(mixes: Mapping[str, Runs]) -> Values:
    values = factors(mixes)
    for other in paper.ALTERNATIVES:
        each = pooled(mixes, other)
        values |= {
            f"claim.faster.{other}": 100 * float((each > 1).mean()),
            f"claim.least.{other}": float(each.min()),
            f"claim.beyond.{other}": 100 * float((each < SLOWER).mean()),
        }
    return values


def table_4(mixes: Mapping[str, Runs]) -> Values:
    values = factors(mixes)
    values["claim.larger"] = (min(values[f"{name}.drf.p50"] for name in ("facebook", "microsoft"))
                              / values["tpc-ds.drf.p50"])
    return values


def pooled(mixes: Mapping[str, Runs], other: str) -> pd.Series:
    """Factors over another scheduler of the jobs of all workloads."""
    return pd.concat([runs["carbyne"].factors(runs[other]) for runs in mixes.values()],
                     ignore_index=True)


def mean_factor(runs: Runs, other: str) -> float:
    return runs[other].response / runs["carbyne"].response


def sweep(points: Mapping[float, Runs]) -> Values:
    """The factors of the mean completion time by load, error or level."""
    return {f"{point:g}.{other}": mean_factor(runs, other)
            for point, runs in points.items() for other in paper.ALTERNATIVES}


def figure_9(loads: Mapping[float, Runs]) -> Values:
    values = sweep(loads)

    def at(load: int) -> list[float]:
        return [values[f"{load}.{other}"] for other in paper.ALTERNATIVES]

    def rise(load: int, before: int) -> list[float]:
        return [after / once for after, once in zip(at(load), at(before))]

    return values | {
        "claim.1": max(at(1)),
        "claim.2.least": min(at(2)),
        "claim.2.most": max(at(2)),
        "claim.4": min(rise(4, 2)),
        "claim.6": _farthest(rise(6, 4)),
    }


def figure_10(errors: Mapping[float, Runs]) -> Values:
    values = sweep(errors)
    return values | {
        "claim.over": min(values[f"{error}.{other}"] for error in paper.ERRORS if error >= 0
                          for other in paper.ALTERNATIVES),
        "claim.under": _farthest([values[f"{paper.ERRORS[0]}.{other}"]
                                  for other in paper.ALTERNATIVES]),
    }


def figure_11(levels: Mapping[float, Runs]) -> Values:
    values = sweep(levels)

    def at(level: float) -> list[float]:
        return [values[f"{level:g}.{other}"] for other in paper.ALTERNATIVES]

    return values | {
        "claim.rising": min(higher - lower
                            for one, two in zip(paper.LEVELS, paper.LEVELS[1:])
                            for lower, higher in zip(at(one), at(two))),
        "claim.half": max(at(0.5)),
        "claim.all": max(at(1)),
        "claim.none": _farthest(at(0)),
    }


def figure_12(runs: Runs) -> Values:
    values: Values = {}
    for name in ("carbyne", "carbyne+dagps"):
        found = improvement.percentiles(runs[name].factors(runs["drf"]))
        values |= {f"{name}.p{each}": float(factor) for each, factor in found.items()}
    gained = runs["carbyne+dagps"].factors(runs["carbyne"])
    return values | {
        "claim.better": 100 * float((gained >= 1).mean()),
        "claim.quarter": values["carbyne+dagps.p75"] / values["carbyne.p75"],
    }


def section_5_6(mixes: Mapping[str, Runs]) -> Values:
    values: Values = {}
    for name, runs in mixes.items():
        found = of_mix(runs)
        found["tail.tetris-fair"] = float(
            improvement.percentiles(runs["carbyne"].factors(runs["tetris-fair"]))[95])
        values |= {f"{name}.{key}": value for key, value in found.items()}
    return values | {
        **{f"claim.fair{suffix.replace('-', '.')}": max(
            values[f"{name}.jain{suffix}.tetris-fair"] - values[f"{name}.jain{suffix}.carbyne"]
            for name in mixes) for suffix in ("", "-running")},
        "claim.fast": min(values[f"{name}.response.tetris-fair"] for name in mixes),
        "claim.dense": min(values[f"{name}.makespan.tetris-fair"] for name in mixes),
    }


def _farthest(factors: list[float]) -> float:
    """The one farthest from 1."""
    return max(factors, key=lambda factor: abs(factor - 1))
