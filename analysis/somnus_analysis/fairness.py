"""How much later or earlier jobs end than in a reference run: the UWFQ paper's DVR and DSR.

Equations (1) to (3), section V-A. The reference is a run under practical user-job fairness with the
same partitioning. Definitions are those of `somnus summary --against`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from somnus_analysis.log import Log, LogError
from somnus_analysis.users import user_means

NEAR_ZERO = 1e-9  # a deviation this small is slack: the same end, but for rounding
SAME_TIME_S = 1e-6  # submits of one workload, read from two logs

COUNTINGS = ("jobs", "uwfq-micro", "uwfq-macro")

_NUMBERED = re.compile(r"(.*?[A-Za-z_])([1-9][0-9]*)\Z", re.DOTALL)


@dataclass(frozen=True)
class Ratios:
    """DVR and DSR with their counts; shares of 1. NaN where there is nothing to average."""

    dvr: float  # mean of the deviations > 0
    violations: int
    dsr: float  # mean |deviation| of the others
    slack: int
    worst: float  # the largest deviation


def deviations(log: Log, reference: Log) -> pd.Series:
    """D_i = (f_i - f_i of the reference) / response time in the reference, by job name.

    f is the job's end since its run's first submit. Jobs that did not finish in both are left out.
    Raises LogError where the logs are not of the same jobs: other names, users or submits (these
    may differ within one workload, where a job is submitted when another has ended).
    """
    ours, theirs = (_by_name(each) for each in (log, reference))
    _refuse_other_jobs(log, ours, reference, theirs)
    theirs = theirs.loc[ours.index]
    late = (ours["end"] - theirs["end"]) / theirs["response_time"]
    return late[ours["response_time"].notna()].dropna().rename("deviation")


def ratios(deviation: pd.Series, counts: pd.Series | None = None) -> Ratios:
    """`counts`: how often each counts, in the same order; once each if not given."""
    each = deviation.to_numpy(float)
    if counts is not None:
        each = np.repeat(each, counts.to_numpy(int))
    violation = each > NEAR_ZERO
    late, slack = each[violation], -each[~violation]
    return Ratios(
        dvr=float(late.mean()) if len(late) else np.nan,
        violations=len(late),
        dsr=float(np.abs(slack).mean()) if len(slack) else np.nan,
        slack=len(slack),
        worst=float(each.max()) if len(each) else np.nan,
    )


def multiplicity(user_names: pd.Series, counting: str) -> pd.Series:
    """How often each job counts; `user_names` has the user of each job.

    jobs: once. uwfq-micro: twice, as in the paper's Table 1, which adds up types and users.
    uwfq-macro: once for each user whose name is part of the name of the job's user, as in its
    Table 2. Its list of users is numbered without gaps, whoever submits no job included; so users
    named alike up to a number (user_17) are taken to be all from the first (user_1) on.
    """
    match counting:
        case "jobs":
            return pd.Series(1, index=user_names.index)
        case "uwfq-micro":
            return pd.Series(2, index=user_names.index)
        case "uwfq-macro":
            names = set(user_names)
            return user_names.map({name: len(_matching(name, names)) for name in names}).astype(int)
    raise ValueError(f"counting {counting!r} is none of {', '.join(COUNTINGS)}")


def per_user(log: Log, reference: Log) -> pd.DataFrame:
    """Ratios over each user's own jobs; one row a user by name, columns as in Ratios."""
    deviation = deviations(log, reference)
    users = log.jobs.set_index("job_name")["user_name"].loc[deviation.index]
    rows = {name: vars(ratios(of_user)) for name, of_user in deviation.groupby(users, sort=False)}
    columns = list(Ratios.__dataclass_fields__)
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("user")


def between_users(means: pd.Series, reference: pd.Series) -> pd.Series:
    """Each user's mean response time against that in the reference, minus 1, by user name.

    The deviation behind the paper's Fig. 7, "between user average response times rather than job
    runtimes"; `ratios` of it are that figure's DVR and DSR. See users.user_means.
    """
    return (means / reference - 1).dropna().rename("deviation")


def between_users_of(log: Log, reference: Log) -> pd.Series:
    """The same of two logs, over the jobs that finished in both."""
    finished = deviations(log, reference).index
    means = (
        user_means(each.jobs[each.jobs["job_name"].isin(finished)]) for each in (log, reference)
    )
    return between_users(*means)


def _by_name(log: Log) -> pd.DataFrame:
    jobs = log.jobs
    first = jobs["submit"].min()
    frame = jobs[["job_name", "user_name", "response_time"]].assign(
        submitted=jobs["submit"] - first, end=jobs["finish"] - first
    )
    return frame.set_index("job_name")


def _refuse_other_jobs(log: Log, ours: pd.DataFrame, reference: Log, theirs: pd.DataFrame) -> None:
    def refuse(what: str) -> None:
        raise LogError(f"{log.path} against {reference.path}: other jobs: {what}")

    for one, these, other, those in ((log, ours, reference, theirs),
                                     (reference, theirs, log, ours)):
        missing = these.index.difference(those.index, sort=False)
        if len(missing):
            refuse(f"'{missing[0]}' of {one.path} is not in {other.path}"
                   + _and_more(missing))
    theirs = theirs.loc[ours.index]
    users_differ = ours.index[(ours["user_name"] != theirs["user_name"]).to_numpy()]
    if len(users_differ):
        name = users_differ[0]
        refuse(f"'{name}' is of user '{ours.at[name, 'user_name']}' here, of "
               f"'{theirs.at[name, 'user_name']}' there" + _and_more(users_differ))
    if log.attributes.get("workload_digest") == reference.attributes.get("workload_digest"):
        return
    apart = (ours["submitted"] - theirs["submitted"]).abs()
    elsewhen = apart.index[(apart > SAME_TIME_S).to_numpy()]
    if len(elsewhen):
        name = elsewhen[0]
        refuse(f"'{name}' is submitted {ours.at[name, 'submitted']:g} s after the first job here, "
               f"{theirs.at[name, 'submitted']:g} s there" + _and_more(elsewhen))


def _and_more(jobs: pd.Index) -> str:
    return f", and {len(jobs) - 1} more" if len(jobs) > 1 else ""


def _matching(name: str, names: Iterable[str]) -> set[str]:
    """The users whose name is part of this one, those without a job included."""
    matching = {other for other in names if other in name}
    if found := _NUMBERED.fullmatch(name):
        stem, digits = found.groups()
        matching |= {stem + digits[:length] for length in range(1, len(digits) + 1)}
    return matching
