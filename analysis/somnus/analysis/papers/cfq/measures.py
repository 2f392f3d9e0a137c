"""From the frames of a log's jobs to the numbers of the CFQ paper's figures.

Each function takes one seed's runs and returns values by the keys of cfq_paper. A policy's frame is
`Log.jobs`, one row a job in the order of ids, so frames of one workload match row by row.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from pandas.core.groupby import SeriesGroupBy

from somnus.analysis.metrics import users
from somnus.analysis.papers.cfq.paper import COMPARED, COMPLETIONS, MICE, POLICIES
from somnus.analysis.papers.common.expect import Values, ratio
from somnus.analysis.reading.width import PAPER_BINS, PAPER_BINS_AT_SCALE, width_bins

Jobs = Mapping[str, pd.DataFrame]  # by policy

EQUAL_WITHIN = 0.005  # of each other's response time; finer is noise of the emulation
PERCENTILES = (5, 25, 50, 75, 95)


def figure_1(fair: pd.DataFrame, first: pd.DataFrame) -> Values:
    values: Values = {}
    for job in (1, 2):
        shared, alone = (frame["finish"].iloc[job - 1] for frame in (fair, first))
        values |= {
            f"job{job}.fair": shared,
            f"job{job}.first": alone,
            f"job{job}.ratio": ratio(alone, shared),
        }
    return values


def figure_3(jobs: Jobs) -> Values:
    values = {
        f"{policy}.job{index}": finish
        for policy in POLICIES
        for index, finish in enumerate(jobs[policy]["finish"], start=1)
    }
    values["cfq.off"] = float(np.abs(jobs["cfq"]["finish"].to_numpy() - COMPLETIONS["cfq"]).max())
    mean = _means(jobs)
    values["cfq.fair_mean"] = ratio(mean["cfq"], mean["fair"])
    return values


def figure_5(jobs: Jobs) -> Values:
    mean = _means(jobs)
    return {
        **{f"{policy}.mean": mean[policy] for policy in POLICIES},
        "fifo.worst": ratio(mean["fifo"], max(mean[policy] for policy in COMPARED)),
        "cfq.reduction": 100 * (1 - ratio(mean["cfq"], mean["fair"])),
        "cfq.srpt": ratio(mean["cfq"], mean["srpt"]),
    }


def figure_6(jobs: Jobs) -> Values:
    slowdown = {policy: _by_width(jobs[policy], "slowdown").mean() for policy in COMPARED}
    values = {
        f"{policy}.{each.name}": slowdown[policy][each.name]
        for policy in COMPARED
        for each in PAPER_BINS
    }
    for policy in ("fair", "srpt"):
        for each in PAPER_BINS:
            values[f"{policy}_cfq.{each.name}"] = ratio(
                slowdown[policy][each.name], slowdown["cfq"][each.name]
            )
    overall = ratio(jobs["cfq"]["slowdown"].mean(), jobs["fair"]["slowdown"].mean())
    values["cfq.reduction"] = 100 * (1 - overall)
    return values


def normalised(compared: pd.DataFrame, reference: pd.DataFrame) -> pd.Series:
    """Each job's response time over that in the reference run; jobs that ended in both."""
    return (compared["response_time"] / reference["response_time"]).dropna()


def figure_7(jobs: Jobs) -> Values:
    factor = normalised(jobs["fair"], jobs["cfq"])
    faster = factor[factor > 1 + EQUAL_WITHIN]
    slower = 1 / factor[factor < 1 / (1 + EQUAL_WITHIN)]  # CFQ over FAIR
    return {
        "faster.share": 100 * ratio(len(faster), len(factor)),
        "faster.by": 100 * (faster.mean() - 1),
        "slower.share": 100 * ratio(len(slower), len(factor)),
        "slower.by": 100 * (slower.mean() - 1) if len(slower) else 0.0,
        "slower.much": float((slower > 1.2).sum()),
    }


def figure_8(exact: pd.DataFrame, uniform: pd.DataFrame, naive: pd.DataFrame) -> Values:
    values: Values = {}
    for name, frame in (("uniform", uniform), ("naive", naive)):
        by_width = normalised(frame, exact).groupby(exact["width"], observed=False).mean()
        values |= {f"{name}.{each.name}": by_width[each.name] for each in PAPER_BINS}
    narrow, medium, wide = (values[f"naive.{each.name}"] for each in PAPER_BINS)
    mean = {"naive": naive, "exact": exact}
    values["naive.increase"] = 100 * (ratio(*_means(mean).values()) - 1)
    values["naive.wide_rest"] = ratio(wide, max(narrow, medium))
    values["naive.narrow_rest"] = ratio(narrow, min(medium, wide))
    return values


def elephant(jobs: pd.DataFrame) -> float:
    """Response time of the job with the most work."""
    return float(jobs.loc[jobs["slot_time"].idxmax(), "response_time"])


def figure_9(responses: Mapping[str, Mapping[int, float]]) -> Values:
    """`responses`: the elephant's response time by policy, SRPT and CFQ, and number of mice."""
    values: Values = {}
    for policy, by_mice in responses.items():
        values |= {f"{policy}.{mice}": by_mice[mice] for mice in MICE}
        response = np.array([by_mice[mice] for mice in MICE])
        slope, start = np.polyfit(MICE, response, 1)
        left = ((response - (start + slope * np.array(MICE))) ** 2).sum()
        spread = ((response - response.mean()) ** 2).sum()
        values[f"{policy}.slope"] = float(slope)
        values[f"{policy}.linear"] = float(1 - left / spread) if spread > 0 else 1.0
    values["cfq.slope_share"] = ratio(values["cfq.slope"], values["srpt.slope"])
    return values


def at_scale(jobs: pd.DataFrame) -> pd.DataFrame:
    """The same jobs, their `width` in the bins of Fig. 10."""
    return jobs.assign(width=width_bins(jobs["tasks"], PAPER_BINS_AT_SCALE))


def percentiles(jobs: Jobs) -> dict[str, dict[str, list[float]]]:
    """Slowdown's PERCENTILES by policy and Fig. 10's bin; NaN where a bin is empty."""
    return {
        policy: {
            name: [float(group.quantile(percentile / 100)) for percentile in PERCENTILES]
            for name, group in _by_width(at_scale(frame), "slowdown")
        }
        for policy, frame in jobs.items()
    }


def figure_10(jobs: Jobs) -> Values:
    middle = PERCENTILES.index(50)
    median = {
        policy: {name: values[middle] for name, values in by_width.items()}
        for policy, by_width in percentiles(jobs).items()
    }
    bins = [each.name for each in PAPER_BINS_AT_SCALE]
    values = {f"{policy}.{name}.p50": median[policy][name] for policy in POLICIES for name in bins}
    for name in bins:
        worst = max(median[policy][name] for policy in COMPARED)
        values[f"fifo.worst.{name}"] = ratio(median["fifo"][name], worst)
        for policy in ("cfq", "srpt"):
            values[f"fair_{policy}.{name}"] = ratio(median["fair"][name], median[policy][name])
        values[f"cfq_srpt.{name}"] = ratio(median["cfq"][name], median["srpt"][name])
    values["fifo_cfq"] = ratio(
        *(users.median(jobs[policy]["response_time"]) for policy in ("fifo", "cfq"))
    )
    return values


def _by_width(jobs: pd.DataFrame, column: str) -> SeriesGroupBy:
    return jobs.groupby("width", observed=False)[column]


def _means(jobs: Jobs) -> dict[str, float]:
    return {policy: float(frame["response_time"].mean()) for policy, frame in jobs.items()}
