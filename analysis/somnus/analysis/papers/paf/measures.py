"""What PAF's figures show, from logs and profiles."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from somnus.analysis.metrics import progress, users
from somnus.analysis.metrics.curves import Profile
from somnus.analysis.papers.common.expect import Values
from somnus.analysis.reading.log import Log


GROUPS = ("low", "middle", "high")  # thirds of the jobs
FEWEST_TASKS = 20  # of a job whose shape is estimated


def application(job: str) -> str:
    """Of a job called KMeans-1, KMeans-2, ..."""
    return job.rsplit("-", 1)[0]


def least_times(profiles: Sequence[Profile], slots: int) -> dict[str, float]:
    """By job's name, seconds: the least on the numbers of slots, up to `slots`, it was simulated on."""
    return {each.job: float(each.time_s[each.slots <= slots].min()) for each in profiles}


def rates(log: Log, least: Mapping[str, float], since: str = "submit") -> pd.Series:
    """By job: its least time over what it took, 1 at best but for what JVMs of other jobs warmed up.

    The paper's "shortest JCT" is that alone on as many slots as tasks; where all of them are cold a
    job may be faster on fewer. So it is the lesser of the time alone on the cluster and `least`.
    """
    shortest = np.minimum(log.jobs["job_name"].map(least), log.jobs["alone"])
    return shortest / (log.jobs["finish"] - log.jobs[since])


def curves(profiles: Mapping[str, Profile]) -> Values:
    """Simulated progress, `application.slots`, and the worst fit."""
    values = {f"{name}.{slots}": part for name, each in profiles.items()
              for slots, part in zip(each.slots, each.simulated)}
    for name in profiles:
        values[f"{name}.double"] = values[f"{name}.2"] / values[f"{name}.1"]
        values[f"{name}.last"] = values[f"{name}.32"] / values[f"{name}.8"]
        values[f"{name}.24"] = profiles[name].fitted()[24 - 1]  # not among the simulated
    values["error"] = 100 * max(each.error for each in profiles.values())
    return values


def while_all_compete(log: Log, least: Mapping[str, float]) -> pd.Series:
    """Mean progress rate by application, of the jobs that end before the first chain does."""
    names = log.jobs["job_name"].map(application)
    finish = log.jobs["finish"]
    ended = finish <= finish.groupby(names).max().min()
    return rates(log, least)[ended].groupby(names[ended]).mean()


def shared(log: Log, least: Mapping[str, float]) -> Values:
    """`application` progress rates and their mean; `application.slots` by target, where it has any."""
    of_each = while_all_compete(log, least)
    values = {**of_each, "mean": of_each.mean()}
    if len(log.targets):
        names = log.jobs["job_name"].map(application)
        frame = progress.exchanges(log)
        for name, rows in frame.groupby(names.reindex(frame.index)):
            values[f"{name}.fair"] = users.median(rows["fair"])
            values[f"{name}.slots"] = users.median(rows["target"])
    return values


def exchange(log: Log) -> Values:
    """Targets at the first sample, in slots, by job's name."""
    first = log.targets[log.targets["time"] == log.targets["time"].min()]
    return {log.jobs["job_name"][job]: target * log.slots
            for job, target in zip(first["job"], first["target"])}


def promised(log: Log) -> Values:
    """Mean progress by curves on fair shares and on targets, when most jobs are there."""
    at = log.targets.groupby("time").size().idxmax()
    rows = log.targets[log.targets["time"] == at]
    curves_of = progress.Curves(log)
    return {what: float(np.mean([curves_of.progress(job, share * log.slots)
                                 for job, share in zip(rows["job"], rows[column])]))
            for what, column in (("fair", "entitled"), ("target", "target"))}


def shapes(tasks: pd.DataFrame) -> pd.Series:
    """Pareto shapes by job, estimated from its tasks' `nominal` times; NaN of a job of few tasks.

    The unbiased form of the most likely shape, (n - 2) / sum ln(t / least t).
    """
    logs = np.log(tasks["nominal"]).groupby(tasks["job"])
    count = logs.size()
    above = logs.sum() - count * logs.min()
    return ((count - 2) / above).where((count >= FEWEST_TASKS) & (above > 0))


def attributes(log: Log) -> pd.DataFrame:
    """By job, what Figs. 11 and 12 put jobs into groups by."""
    return pd.DataFrame({
        "beta": shapes(log.tasks), "delta": log.jobs["warmup"],
        "ratio": log.jobs["tasks"] / log.jobs["weight"],
    })


def improvement(log: Log, reference: Log, least: Mapping[str, float],
                since: str = "submit") -> float:
    """Of the mean progress rate, %."""
    return 100 * (rates(log, least, since).mean() / rates(reference, least, since).mean() - 1)


def by_group(log: Log, reference: Log, least: Mapping[str, float]) -> Values:
    """`attribute.group`: improvement of the mean progress rate of a third of the jobs, %."""
    frame = attributes(reference)
    ours, theirs = rates(log, least), rates(reference, least)
    values = {}
    for attribute in frame:
        thirds = pd.qcut(frame[attribute], len(GROUPS), labels=GROUPS)
        for group in GROUPS:
            some = thirds == group
            values[f"{attribute}.{group}"] = 100 * (ours[some].mean() / theirs[some].mean() - 1)
    return values


def givers(log: Log, reference: Log) -> Values:
    """Of those that give: how many, and what is left of their progress, promised and realised, %."""
    frame = progress.givers_and_takers(log, reference)
    some = frame[frame["side"] == "gives"]
    return {"givers": float(len(some)), "promised": 100 * some["promised"].min(),
            "realised": 100 * users.median(some["realised"]), "worst": 100 * some["realised"].min()}


def cold_stages(log: Log, executors: int) -> pd.DataFrame:
    """By stage whose warm tasks take a second or more: how many times as long fresh ones take.

    measured: the mean time of its tasks on slots that had run nothing of the job, over that of its
    warm ones. listed: the same of the workload's lists, whether tasks ran so or not. Only stages with
    more tasks than there were `executors`: of others the trace has no warm tasks. No rows where the
    workload has no lists.
    """
    if not len(log.cold_tasks):
        return pd.DataFrame(columns=["measured", "listed"], dtype=float)
    tasks, wide = log.tasks, log.stages["tasks"].to_numpy()
    frame = tasks[["stage", "nominal", "intended"]].assign(
        took=tasks["finish"] - tasks["start"], warm=tasks["warm"].astype(bool),
        fresh=log.cold_tasks["fresh"].to_numpy()[tasks["task"]])
    frame = frame[wide[frame["stage"]] > executors]
    was_fresh = ~frame["warm"] & np.isclose(frame["intended"], frame["fresh"])
    warm = frame[frame["warm"]].groupby("stage")["took"].mean()
    means = frame.groupby("stage")[["fresh", "nominal"]].mean()
    ratios = pd.DataFrame({"measured": frame[was_fresh].groupby("stage")["took"].mean() / warm,
                           "listed": means["fresh"] / means["nominal"]})
    return ratios[warm.reindex(ratios.index) >= 1].dropna()


def warmth(log: Log, executors: int) -> Values:
    """Share of attempts on a warm slot, %; medians of cold_stages()."""
    stages = cold_stages(log, executors)
    return {"warm": 100 * float(log.tasks["warm"].mean()), "cold": users.median(stages["measured"]),
            "listed": users.median(stages["listed"])}
