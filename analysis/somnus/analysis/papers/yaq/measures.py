"""From logs to the numbers of the Yaq paper's figures, by the keys of yaq_paper.

`logs` has a run by variant. Each function takes one seed's runs.
"""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from somnus.analysis.metrics import queues, users
from somnus.analysis.papers.common.expect import Values, ratio
from somnus.analysis.papers.yaq import paper
from somnus.analysis.reading.log import Log

Logs = Mapping[str, Log]
Completion = Callable[..., float]  # of a variant, and a percentile if not the median

# From when a completion time is counted, by the suffix of the key; both end with the last task.
SINCE = {"": "response_time", ".first": "completion_time"}
PERCENTILES = (10, 25, 50, 75, 90, 95)
FULL_AFTER_S = 60.0  # in Fig. 8 the cluster fills up first
SHARE_BIN_S = 10.0
SLIGHT = 0.10  # of all occupied slots: a share farther off is more than slightly violated


def table_1(logs: Mapping[str, Mapping[int, Log]]) -> Values:
    return _utilisation({name: {0: runs[0]} for name, runs in logs.items()})


def figure_9(logs: Mapping[str, Mapping[int, Log]]) -> Values:
    """`logs`: by workload, by length of the queues."""
    values = _utilisation(logs)
    rises = [values[f"{name}.{longer}"] - values[f"{name}.{shorter}"]
             for name in logs for shorter, longer in zip(paper.LENGTHS, paper.LENGTHS[1:])]
    return values | {
        "claim.short": values["5.6"],
        "claim.long": values["50.2"],
        "claim.longer": ratio(values["5.4"], values["5.6"]),
        "claim.saturated": ratio(values["50.10"], values["50.2"]),
        "claim.rising": min(rises),
    }


def table_3(logs: Logs) -> Values:
    values = _of_runs(logs)
    throughput = {name: values[f"{name}.throughput"] for name in logs}
    other = min(values[f"{name}.queuing.mean"] for name in ("unbounded", "no-reorder"))

    def claims(of: Completion) -> Values:
        return {
            "median": ratio(of("yarn"), of("yaq-c")),
            "median.all": ratio(of("yarn"), of("yaq-c-srjf")),
            "everywhere": min(ratio(of("yarn", each), of("yaq-c", each))
                              for each in (10, 25, 50, 75, 90)),
            "naive": ratio(of("yarn+q"), of("yarn")),
        }

    return values | _either_way(logs, claims) | {
        "claim.throughput": ratio(throughput["yaq-c"], throughput["yarn"]),
        "claim.queuing": ratio(values["yaq-c.queuing.mean"], other),
        "claim.unbounded": ratio(throughput["unbounded"], throughput["yarn"]),
        "claim.no-reorder": ratio(throughput["no-reorder"], throughput["yarn"]),
    }


def table_4(logs: Logs) -> Values:
    values = _of_runs(logs)
    ours = values["yaq-d.throughput"]

    def claims(of: Completion) -> Values:
        return {
            f"{other}{suffix}": ratio(of(other), of(own))
            for other in ("sparrow", "mercury")
            for suffix, own in (("", "yaq-d"), (".unstarved", "no-starvation"))
        }

    return values | _either_way(logs, claims) | {
        "claim.throughput.mercury": ratio(ours, values["mercury.throughput"]),
        "claim.throughput.sparrow": ratio(ours, values["sparrow.throughput"]),
        "claim.rebalance": ratio(values["yaq-d.queuing.mean"],
                                  values["no-rebalance.queuing.mean"]),
    }


def figure_8(log: Log) -> Values:
    shares = 100 * full_shares(log)
    off = shares["A"] - paper.SHARES["A"]
    return {
        **{f"{name}.mean": float(shares[name].mean()) for name in paper.SHARES},
        "A.deviation": float(shares["A"].std(ddof=0)),
        "A.farthest": float(off.abs().max()),
        "claim.momentary": 100 * float((off.abs() > 100 * SLIGHT).mean()),
    }


def full_shares(log: Log) -> pd.DataFrame:
    """The queues' shares of 1, means over equal bins of about 10 s, once the cluster is full."""
    first, last = queues.span(log)
    start = min(first + FULL_AFTER_S, last)
    bins = max(round((last - start) / SHARE_BIN_S), 1)
    return queues.shares(log, np.linspace(start, last, bins + 1)).dropna()


def figure_10(logs: Logs) -> Values:
    return _of_runs(logs) | _either_way(logs, lambda of: {
        "rising": ratio(of("QS=10"), of("QS=2")),
        "negative": ratio(of("QS=6"), of("yarn")),
        "tail": ratio(of("MWT=3", 95), of("yarn", 95)),
    })


def figure_11(logs: Logs) -> Values:
    return _of_runs(logs) | _either_way(logs, lambda of: {
        "length": ratio(of("length"), of("wait")),
        "random": ratio(of("random"), of("wait")),
        "tail": ratio(of("random", 95), of("wait", 95)),
    })


def figure_12(logs: Logs) -> Values:
    return _of_runs(logs) | _either_way(logs, lambda of: {
        **{name: ratio(of("yarn"), of(name)) for name in ("srjf", "lrtf", "stf")},
        "job-aware": ratio(of("stf"), min(of("srjf"), of("lrtf"))),
        "low": ratio(of("unbounded", 25), of("srjf", 25)),
        "high": ratio(of("unbounded", 95), of("srjf", 95)),
    })


def figure_13(logs: Logs) -> Values:
    return _of_runs(logs) | _either_way(logs, lambda of: {
        "best": ratio(of("ST=0.5"), min(of("ST=1.5"), of("ST=10"))),
        "detrimental": ratio(of("ST=10"), of("yarn")),
    })


def figure_14(logs: Logs) -> Values:
    return _of_runs(logs) | _either_way(logs, lambda of: {
        "median": ratio(of("yarn"), of("srjf")),
    })


def _either_way(logs: Logs, claims: Callable[[Completion], Values]) -> Values:
    """The claims by completion times from admission, and from first start."""
    percentiles = {
        name: {suffix: dict(zip(PERCENTILES, _percentiles(log, column)))
               for suffix, column in SINCE.items()}
        for name, log in logs.items()
    }
    return {
        f"claim.{key}{suffix}": value
        for suffix in SINCE
        for key, value in claims(
            lambda name, percentile=50, since=suffix: percentiles[name][since][percentile]
        ).items()
    }


def _of_runs(logs: Logs) -> Values:
    return {f"{name}.{column}": value
            for name, log in logs.items() for column, value in of_run(log).items()}


def of_run(log: Log) -> Values:
    """By column. A run in which no task ever waited has no queuing delays."""
    summary = log.summary
    values = {
        "queuing.mean": summary["queuing_mean_s"],
        "queuing.deviation": summary["queuing_deviation_s"],
        "queuing.median": summary["queuing_p50_s"],
        "throughput": summary["jobs_per_minute"],
        "utilisation": 100 * summary["utilisation_middle"],
        "active": _most_jobs(log),
        "slots": log.slots / len(log.nodes),
        "task": float(log.tasks["intended"].mean()),
        "gap": _gap(log.tasks),
    }
    for suffix, column in SINCE.items():
        by = dict(zip(PERCENTILES, _percentiles(log, column)))
        values |= {f"median{suffix}": by[50], f"p95{suffix}": by[95]}
    return values


def _most_jobs(log: Log) -> float:
    """At a time, between admission and end."""
    starts, ends = (np.sort(log.jobs[column].dropna()) for column in ("submit", "finish"))
    return float((np.arange(1, len(starts) + 1) - np.searchsorted(ends, starts, "right")).max())


def _gap(tasks: pd.DataFrame) -> float:
    """How long a slot is idle between two tasks, median in seconds."""
    in_order = tasks.sort_values(["node", "slot", "start"])
    idle = in_order["start"] - in_order.groupby(["node", "slot"])["finish"].shift()
    return users.median(idle)


def _percentiles(log: Log, column: str) -> list[float]:
    known = log.jobs[column].dropna()
    return [float(known.quantile(each / 100)) for each in PERCENTILES]


def _utilisation(logs: Mapping[str, Mapping[int, Log]]) -> Values:
    return {f"{name}.{length}": 100 * log.summary["utilisation_middle"]
            for name, by_length in logs.items() for length, log in by_length.items()}
