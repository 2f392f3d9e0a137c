"""What stands below the tables of the PAF reproduction: other PAFs, other arrivals, warm-up models."""

from collections.abc import Mapping, Sequence

import numpy as np

from somnus.analysis.base.text import number, paragraph, table
from somnus.analysis.papers.common.expect import Expectation, Figure, Measured
from somnus.analysis.papers.paf import paper
from somnus.analysis.papers.paf import measures as measure
from somnus.analysis.papers.paf.runs import SCHEDULERS, TITLES, with_alpha
from somnus.analysis.reading.log import Log


PAFS = ("paf", "paf-own", "paf-authors", "paf-leave", "paf-leave-once")
VARIANTS = {
    "fair": SCHEDULERS["fair"], "fair-own": SCHEDULERS["fair-own"],
    **{f"{name}-{alpha:g}": with_alpha(name, alpha) for name in PAFS for alpha in paper.ALPHAS},
}

INTERARRIVALS = (0.1, 0.5, 1.0)  # seconds
OVER_TIME = {name: SCHEDULERS[name] for name in
             ("fair", "fair-own", "paf", "paf-weight", "paf-own", "paf-leave", "paf-leave-once")}

ABLATION = {name: SCHEDULERS[name] for name in
            ("fair", "fair-own", "cfq", "paf", "paf-own", "paf-leave")}
# Factors are near those of the queries' own lists: cold tasks take twice as long, in the median.
WARMUPS: dict[str, dict[str, object]] = {
    "none": {"jvm.model": "none"},
    "reuse": {"jvm.model": "reuse", "jvm.factor": 2},
    "executor": {"jvm.model": "executor", "jvm.start_s": 1, "jvm.factor": 2,
                 "jvm.decay_tasks": 5},
    "measured": {"jvm.model": "measured"},
}
QUERY_SLOTS = 100  # of the cluster that they run on
EXECUTORS = 50  # that the lists of queries.toml were measured with
ABLATION_FIGURE = Figure(
    "Warm-up models",
    "200 TPC-H queries, one every 15 s, on 100 slots: mean progress rate",
    tuple(Expectation(f"{model}.{name}.progress", f"{model}: {TITLES[name]}")
          for model in WARMUPS for name in ABLATION),
    "not in the paper. A rate above 1: alone a job finds all slots cold; under executor a query's "
    "JVMs stay, and its later jobs find them warm.",
)


def variants(clusters: Mapping[int, Measured]) -> str:
    """Mean progress rate by PAF and cluster, and the gain over fair."""
    rows = [["mean progress rate", *(f"{slots:,} slots" for slots in clusters)]]
    for name in VARIANTS:
        base, _, alpha = name.rpartition("-")
        title = f"{TITLES[base]}, alpha {alpha}" if base in PAFS else TITLES[name]
        rows.append([title, *(_with_gain(measured[f"{slots}.{name}"], measured[f"{slots}.fair"])
                              for slots, measured in clusters.items())])
    return table(rows)


def arrivals(found: Mapping[float, Measured]) -> str:
    """The same where jobs come one by one, on 8,000 slots, alpha = .9."""
    rows = [["jobs come (Poisson)", *(f"every {seconds:g} s" for seconds in found)]]
    for name in OVER_TIME:
        rows.append([TITLES[name], *(_with_gain(measured[name], measured["fair"])
                                     for measured in found.values())])
    return table(rows)


def of_queries(log: Log, least: Mapping[str, float]) -> dict[str, float]:
    return {"progress": float(measure.rates(log, least).mean()),
            "response": float(log.jobs["response_time"].mean()),
            **measure.warmth(log, EXECUTORS)}


def ablation(measured: Mapping[str, Measured]) -> str:
    """Who wins under each model, and what of the gain is warm JVMs'."""
    parts = []
    for key, title in (("response", "mean response time [s]"), ("warm", "attempts on a warm slot [%]")):
        rows = [[title, *measured]]
        rows += [[TITLES[name], *(number(float(np.mean(found[f"{name}.{key}"])))
                                  for found in measured.values())] for name in ABLATION]
        parts.append(table(rows))
    rows = [["gain of the mean progress rate", *measured]]
    for name, over in (("paf", "fair"), ("paf-own", "fair-own"), ("paf-leave", "fair-own"),
                       ("paf-leave", "fair"), ("fair-own", "fair")):
        rows.append([f"{TITLES[name]} over {TITLES[over]}",
                     *(f"{_gain(found[f'{name}.progress'], found[f'{over}.progress']):+.1f} %"
                       for found in measured.values())])
    parts += [table(rows), "What differs from none is the JVMs', gain or loss."]
    found = {key: float(np.mean(measured["measured"][f"fair.{key}"]))
             for key in ("warm", "cold", "listed")}
    parts.append(paragraph(of_warmth(found)))
    return "\n\n".join(parts)


def of_warmth(values: Mapping[str, float]) -> str:
    return (f"{number(values['warm'])} % of the attempts on a warm slot; where warm tasks take a second "
            f"or more, fresh ones took {number(values['cold'])} times as long (median of stages; by the "
            f"workload's lists {number(values['listed'])})")


def _gain(values: Sequence[float], reference: Sequence[float]) -> float:
    return 100 * float(np.mean(values) / np.mean(reference) - 1)


def _with_gain(values: Sequence[float], reference: Sequence[float]) -> str:
    mean = number(float(np.mean(values)))
    return mean if values is reference else f"{mean} ({_gain(values, reference):+.1f} %)"
