"""How much later or earlier jobs end than in a reference run: the UWFQ paper's DVR and DSR.

Equations (1) to (3), section V-A. The reference is a run under practical user-job fairness with the
same partitioning.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from somnus.analysis.base.errors import UserError
from somnus.analysis.metrics.users import user_means
from somnus.analysis.reading.log import Log

NEAR_ZERO = 1e-9  # a deviation this small is slack: the same end, but for rounding
SAME_TIME_S = 1e-6  # submits of one workload, read from two logs

COUNTINGS = ("jobs", "uwfq-micro", "uwfq-macro")


@dataclass(frozen=True)
class Ratios:
    """DVR and DSR with their counts; shares of 1. NaN where there is nothing to average."""

    compared: int
    dvr: float  # mean of the deviations > 0
    violations: int
    dsr: float  # mean |deviation| of the others
    slack: int
    worst: float  # the largest deviation


def deviations(log: Log, reference: Log) -> pd.Series:
    """D_i = (f_i - f_i of the reference) / response time in the reference, by job name.

    f is the job's end since its run's first submit. Jobs that did not finish in both, or took no
    time in the reference, are left out. Raises UserError where the logs are not of the same jobs:
    other names, users or submits since the first.
    """
    ours, theirs = paired(log, reference)
    late = (ours["end"] - theirs["end"]) / theirs["response_time"]
    known = np.isfinite(late) & ours["response_time"].notna()
    return late[known].rename("deviation")


def paired(log: Log, reference: Log) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The jobs of two runs, by job name in the same order.

    Columns: user_name; tasks; response_time; submitted and end, since the run's first submit. Raises
    UserError where the logs are not of the same jobs: other names, users or submits.
    """
    ours, theirs = (_by_name(each) for each in (log, reference))
    _refuse_other_jobs(log, ours, reference, theirs)
    return ours, theirs.loc[ours.index]


def cut_otherwise(log: Log, reference: Log) -> int:
    """Jobs with another number of tasks in the reference: the ratios compare one partitioning."""
    ours, theirs = paired(log, reference)
    return int((ours["tasks"] != theirs["tasks"]).sum())


def ratios(deviation: pd.Series, counts: pd.Series | None = None) -> Ratios:
    """`counts`: how often each counts, in the same order; once each if not given."""
    each = deviation.to_numpy(float, copy=True)
    if counts is not None:
        each = np.repeat(each, counts.to_numpy(int))
    each[np.abs(each) <= NEAR_ZERO] = 0
    late, slack = each[each > 0], -each[each <= 0]
    return Ratios(
        compared=len(each),
        dvr=float(late.mean()) if len(late) else np.nan,
        violations=len(late),
        dsr=float(slack.mean()) if len(slack) else np.nan,
        slack=len(slack),
        worst=float(each.max()) if len(each) else np.nan,
    )


def multiplicity(jobs: pd.DataFrame, counting: str, users: Iterable[str]) -> pd.Series:
    """How often each of the jobs counts; `users` are the names of all users, with jobs or without.

    jobs: once. uwfq-micro: twice, as in the paper's Table 1, which adds up kinds and users.
    uwfq-macro: once for each user whose name is part of the name of the job's user, as in its
    Table 2, where jobs of user_12 count for user_1 and user_2 too.
    """
    match counting:
        case "jobs":
            return pd.Series(1, index=jobs.index)
        case "uwfq-micro":
            return pd.Series(2, index=jobs.index)
        case "uwfq-macro":
            names, listed = jobs["user_name"], list(users)
            often = {name: sum(part in name for part in listed) for name in names.unique()}
            return names.map(often).astype(int)
    raise ValueError(f"counting {counting!r} is none of {', '.join(COUNTINGS)}")


def counted(log: Log, deviation: pd.Series, counting: str,
            users: Iterable[str] | None = None) -> Ratios:
    """The ratios of `deviations`, each job as often as it counts; `users`: by default the log's."""
    jobs = log.jobs.set_index("job_name").loc[deviation.index]
    names = log.names["users"] if users is None else users
    return ratios(deviation, multiplicity(jobs, counting, names))


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
    frame = jobs[["job_name", "user_name", "tasks", "response_time"]].assign(
        submitted=jobs["submit"] - first, end=jobs["finish"] - first
    )
    return frame.set_index("job_name")


def _refuse_other_jobs(log: Log, ours: pd.DataFrame, reference: Log, theirs: pd.DataFrame) -> None:
    def refuse(what: str) -> None:
        raise UserError(f"{log.path} against {reference.path}: other jobs: {what}")

    for one, these, other, those in ((log, ours, reference, theirs),
                                     (reference, theirs, log, ours)):
        missing = these.index.difference(those.index, sort=False)
        if len(missing):
            refuse(f"'{missing[0]}' of {one.path} is not in {other.path}"
                   + _and_more(missing))
    for one, these in ((log, ours), (reference, theirs)):
        if not these.index.is_unique:
            twice = these.index[these.index.duplicated()]
            raise UserError(f"{one.path}: jobs are compared by name, and '{twice[0]}' is the name "
                           "of several" + _and_more(twice))
    theirs = theirs.loc[ours.index]
    users_differ = ours.index[(ours["user_name"] != theirs["user_name"]).to_numpy()]
    if len(users_differ):
        name = users_differ[0]
        refuse(f"'{name}' is of user '{ours.at[name, 'user_name']}' here, of "
               f"'{theirs.at[name, 'user_name']}' there" + _and_more(users_differ))
    apart = (ours["submitted"] - theirs["submitted"]).abs()
    elsewhen = apart.index[(apart > SAME_TIME_S).to_numpy()]
    if len(elsewhen):
        name = elsewhen[0]
        refuse(f"'{name}' is submitted {ours.at[name, 'submitted']:g} s after the first job here, "
               f"{theirs.at[name, 'submitted']:g} s there" + _and_more(elsewhen)
               + " (jobs that follow others come when those end, and can't be compared so)")


def _and_more(jobs: pd.Index) -> str:
    return f", and {len(jobs) - 1} more" if len(jobs) > 1 else ""
