"""What was run, and whether it was faithful: rows of a table, a column a log."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from somnus.analysis.base.text import count, number, percent
from somnus.analysis.reading.log import Log

PARTS = ("order", "within", "backfill", "placement", "feedback", "queue", "partitioner")
LAG_ALLOWED = 0.01  # of the median task: what the program calls kept up
LOAD_ROUNDING = 1e-3


def what_was_run(log: Log) -> dict[str, str]:
    """In words, by heading."""
    attributes, scheduler = log.attributes, log.config.get("scheduler", {})
    jobs = log.jobs
    simulated = attributes.get("mode") == "simulate"
    return {
        "how": "simulated, virtual clock" if simulated else
               f"emulated, {attributes.get('ranks')} ranks at {attributes.get('speed'):g} x real time",
        "scheduler": str(scheduler.get("policy", log.label)),
        **{part: str(scheduler.get(part, "–")) for part in PARTS},
        "workload": str(attributes.get("workload_name") or "–"),
        "jobs and tasks": f"{count(len(jobs))} jobs, {count(int(jobs['tasks'].sum()))} tasks",
        "attempts that ended": count(len(log.tasks)),
        "cluster": _cluster(log),
        "seed": str(attributes.get("seed", "–")),
        "estimates": _model(log, "estimate"),
        "warm-up": _model(log, "jvm"),
        "faults": _faults(log),
        "program": f"somnus {attributes.get('somnus_version')} ({attributes.get('commit')})",
        "log": str(log.path),
    }


def rigid_jobs(log: Log) -> str:
    """What `somnus summary` warns of too: rigid jobs that ran as independent tasks; empty: none."""
    rigid = int(log.summary["rigid_jobs"])
    if not rigid:
        return ""
    return (f"{count(rigid)} of {count(len(log.jobs))} jobs are RIGID and ran here as independent "
            "tasks: response times are too low (18 to 73 % against a real Slurm).")


def overload(log: Log) -> str:
    """What `somnus summary` warns of too: an offered load above 1; empty: none, or not defined."""
    load = log.summary["offered_load"]
    if not load > 1 + LOAD_ROUNDING:
        return ""
    return (f"OFFERED LOAD {load:.3g}: work comes that many times as fast as the cluster's "
            f"{log.summary['most_loaded']} can do it, so jobs wait longer the later they come.")


def _cluster(log: Log) -> str:
    nodes = f"{count(len(log.nodes))} nodes"
    if not log.resources:
        return f"{nodes}, {count(log.slots)} slots"
    amounts = ", ".join(f"{amount:g} {kind}" for kind, amount in log.capacity.items())
    return f"{nodes}, {count(log.slots)} slots, {amounts}" if log.slots else f"{nodes}, {amounts}"


def _model(log: Log, table: str) -> str:
    settings = log.config.get(table, {})
    rest = [f"{key} {value}" for key, value in settings.items() if key != "model" and value]
    return ", ".join([str(settings.get("model", "–")), *rest])


def _faults(log: Log) -> str:
    settings = {key: value for key, value in log.config.get("faults", {}).items()
                if key != "seed" and value}
    return ", ".join(f"{key} {'given' if key == 'event' else value}"
                     for key, value in settings.items()) or "none"


@dataclass(frozen=True)
class Faithfulness:
    """Of one run: what `somnus summary` says of its pace, and the numbers of FAITHFUL_ROWS; NaN: not measured."""

    verdict: str
    sentence: str
    figures: Mapping[str, float]

    @property
    def simulated(self) -> bool:
        return self.verdict == "exact"


def faithfulness(log: Log) -> Faithfulness:
    """A run that was cut off has not written how late its ranks were."""
    summary, scheduler, ranks = log.summary, log.scheduler, log.ranks
    was_measured = len(scheduler) and scheduler["events"].iloc[0] > 0
    figures = {key: float(summary[key]) if was_measured else np.nan for key in (
        "lag_p50_s", "lag_p99_s", "lag_max_s", "worker_late_p99_s", "clock_uncertainty_s", "decision_p99_s")}
    figures |= {key: summary[key] for key in ("lateness_p50_s", "lateness_p99_s")}
    figures |= {"cpu": float(ranks["cpu"].iloc[0]) if was_measured and len(ranks) else np.nan,
                "resumed": len(log.resumes), "allowed": LAG_ALLOWED * (summary["intended_p50_s"] or np.nan)}
    return Faithfulness(summary["pace"], summary["pace_in_words"], figures)


def thousandths(value: float) -> str:
    return number(1000 * value)


# Seconds are emulated where they are not said to be real.
FAITHFUL_ROWS: tuple[tuple[str, str, Callable[[Any], str]], ...] = (
    ("lag_p50_s", "rank 0 handled events late, median [s]", number),
    ("lag_p99_s", "rank 0 handled events late, p99 [s]", number),
    ("lag_max_s", "rank 0 handled events late, most [s]", number),
    ("worker_late_p99_s", "workers did what was due late, p99 [s]", number),
    ("allowed", "1 % of the median task [s]", number),
    ("lateness_p50_s", "tasks took longer than intended, median [s]", number),
    ("lateness_p99_s", "tasks took longer than intended, p99 [s]", number),
    ("clock_uncertainty_s", "clocks agree within [real ms]", thousandths),
    ("decision_p99_s", "a round of decisions, p99 [real ms]", thousandths),
    ("cpu", "rank 0, of one core", percent),
    ("resumed", "times resumed", count),
)
