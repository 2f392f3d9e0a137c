"""What was run, and whether it was faithful: rows of a table, a column a log."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from somnus_analysis.base.text import count, number, percent
from somnus_analysis.metrics.users import nearest_rank
from somnus_analysis.reading.log import Log

PARTS = ("order", "within", "placement", "feedback", "queue", "partitioner")
LAG_ALLOWED = 0.01  # of the median task, as the program warns
LOAD_ROUNDING = 1e-3
NO_JOB = 2**32 - 1


def what_was_run(log: Log) -> dict[str, str]:
    """In words, by what is said."""
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
    rigid = int(log.attributes.get("rigid_jobs", 0))  # older logs have none
    if not rigid:
        return ""
    return (f"{count(rigid)} of {count(len(log.jobs))} jobs are RIGID and ran here as independent "
            "tasks: response times are too low (18 to 73 % against a real Slurm).")


def overload(log: Log) -> str:
    """What `somnus summary` warns of too: an offered load above 1; empty: none, or not defined."""
    jobs, slowdown = log.jobs, log.nodes["slowdown"]
    span = jobs["submit"].max() - jobs["submit"].min()
    followers = "after" in jobs and (jobs["after"] != NO_JOB).any()
    if len(jobs) < 2 or followers or jobs["submit"].isna().any() or not span > 0:
        return ""
    span *= len(jobs) / (len(jobs) - 1)  # one mean interval more than there are
    slot_time = log.stages["slot_time"]
    work = log.stage_demands.mul(slot_time.to_numpy(), axis=0).sum()
    capacity = log.capacities.div(slowdown.to_numpy(), axis=0).sum()
    if log.slots:
        work["slots"], capacity["slots"] = slot_time.sum(), (log.nodes["slots"] / slowdown).sum()
    shares = (work / span / capacity).where((work > 0) & (capacity > 0), 0)
    if not shares.max() > 1 + LOAD_ROUNDING:
        return ""
    return (f"OFFERED LOAD {shares.max():.3g}: work comes that many times as fast as the cluster's "
            f"{shares.idxmax()} can do it, so jobs wait longer the later they come.")


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
    """Of one run. Seconds are emulated where they are not said to be real; NaN: not measured."""

    simulated: bool
    lag_p50: float
    lag_p99: float
    lag_max: float
    worker_late_p99: float
    task_late_p50: float
    task_late_p99: float
    clock_uncertainty: float  # real
    decision_p99: float  # real
    cpu: float  # of rank 0, of one core
    resumed: int
    allowed: float  # the lateness that moves nothing
    safe_speed: float  # NaN: it was

    @property
    def verdict(self) -> str:
        if self.simulated:
            return "exact"
        if not np.isfinite(self.allowed) or not np.isfinite(self.lag_p99):
            return "not measured"
        return "outran its machine" if np.isfinite(self.safe_speed) else "faithful"

    @property
    def sentence(self) -> str:
        if self.simulated:
            return "A simulation under the virtual clock: nothing can be late in it."
        if self.verdict == "not measured":
            return "Too little was written to say how late its ranks were; a whole run says it."
        late = f"late by {number(max(self.lag_p99, self.worker_late_p99))} s at p99"
        rule = f"1 % of the median task is {number(self.allowed)} s"
        if self.verdict == "faithful":
            return f"Its ranks were {late}; {rule}, so no result is moved by it."
        return (f"Its ranks were {late}, and {rule}: its times may mislead. Speed {self.safe_speed:g} "
                "would have been safe; `somnus compare` tells what it moved.")


def faithfulness(log: Log) -> Faithfulness:
    """By the rules of `somnus summary`: late is who is so by more than LAG_ALLOWED of the median task."""
    simulated = log.attributes.get("mode") == "simulate"
    scheduler, ranks = log.scheduler, log.ranks
    own = scheduler.iloc[0] if len(scheduler) else pd.Series(dtype=float)
    has_measures = simulated or own.get("events", 0) > 0
    workers = ranks[ranks["rank"] > 0] if len(ranks) else ranks
    finished = log.tasks[log.tasks["outcome_name"] == "finished"]

    def measured(value: float) -> float:
        return float(value) if has_measures else np.nan

    lag, late = measured(own.get("lag_p99", np.nan)), measured(workers["late_p99"].max()
                                                               if len(workers) else 0.0)
    allowed = LAG_ALLOWED * (nearest_rank(finished["intended"], 0.5) or np.nan)
    latest = np.fmax(lag, late)
    speed = float(log.attributes.get("speed", 1))
    outran = not simulated and latest > allowed > 0
    return Faithfulness(
        simulated, measured(own.get("lag_p50", np.nan)), lag, measured(own.get("lag_max", np.nan)),
        late, nearest_rank(finished["lateness"], 0.5), nearest_rank(finished["lateness"], 0.99),
        measured(ranks["clock_uncertainty"].max() if len(ranks) else np.nan),
        measured(own.get("decision_p99", np.nan)),
        measured(ranks["cpu"].iloc[0] if len(ranks) else np.nan), len(log.resumes), allowed,
        float(f"{speed * allowed / latest:.2g}") if outran else np.nan)


def thousandths(value: float) -> str:
    return number(1000 * value)


FAITHFUL_ROWS: tuple[tuple[str, str, Callable[[Any], str]], ...] = (
    ("verdict", "verdict", str),
    ("lag_p50", "rank 0 handled events late, median [s]", number),
    ("lag_p99", "rank 0 handled events late, p99 [s]", number),
    ("lag_max", "rank 0 handled events late, most [s]", number),
    ("worker_late_p99", "workers did what was due late, p99 [s]", number),
    ("allowed", "1 % of the median task [s]", number),
    ("task_late_p50", "tasks took longer than intended, median [s]", number),
    ("task_late_p99", "tasks took longer than intended, p99 [s]", number),
    ("clock_uncertainty", "clocks agree within [real ms]", thousandths),
    ("decision_p99", "a round of decisions, p99 [real ms]", thousandths),
    ("cpu", "rank 0, of one core", percent),
    ("resumed", "times resumed", count),
)
