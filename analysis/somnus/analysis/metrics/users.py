"""Response times as multi-user papers report them: the worst tenth, percentile groups, users.

Definitions are those of `somnus summary`; the figures are of the UWFQ paper's Tables 1 and 2.
`jobs` is `Log.jobs`, one row a job; times are emulated seconds. Jobs that did not finish (NaN) are
left out; a mean of nothing is NaN. Where `counts` is given, a job counts that often.
"""

import math

import numpy as np
import pandas as pd

from somnus.analysis.reading.log import Log

WORST_SHARE = 0.1
GROUPS = (("0-80", 0.0, 0.80), ("80-95", 0.80, 0.95), ("95-100", 0.95, 1.0))


def ranked(values: pd.Series, counts: pd.Series | None = None) -> np.ndarray:
    """The finite values in ascending order, each as often as it counts."""
    known = values.notna().to_numpy()
    each = values.to_numpy(float)[known]
    if counts is not None:
        each = np.repeat(each, counts.to_numpy(int)[known])
    return np.sort(each)


def mean(values: pd.Series, counts: pd.Series | None = None) -> float:
    return _mean(ranked(values, counts))


def median(values: pd.Series) -> float:
    """The middle value, or the mean of the two; NaN of none, where pandas' own may warn."""
    each = ranked(values)
    return float(np.median(each)) if len(each) else np.nan


def worst_tenth(values: pd.Series, counts: pd.Series | None = None) -> float:
    """Mean of the int(0.1 n) largest of n values; NaN of fewer than ten."""
    each = ranked(values, counts)
    return _mean(each[len(each) - int(WORST_SHARE * len(each)):])


def nearest_rank(values: pd.Series, share: float) -> float:
    """The smallest value that `share` of all values do not exceed; NaN of none."""
    known = np.sort(values.dropna().to_numpy())
    if not len(known):
        return np.nan
    rank = math.ceil(share * len(known) - 1e-9)  # 0.95 * 20 is 19, not a little more
    return float(known[max(rank, 1) - 1])


def group_means(values: pd.Series, counts: pd.Series | None = None) -> dict[str, float]:
    """Means of the values between percentiles, by group ("0-80", "80-95", "95-100").

    Of n values in ascending order, the groups are the places [0, int(0.8 n)),
    [int(0.8 n), int(0.95 n)) and the rest (UWFQ paper, Table 2).
    """
    each = ranked(values, counts)
    count = len(each)
    return {name: _mean(each[int(low * count): int(high * count)]) for name, low, high in GROUPS}


def per_user(log: Log) -> pd.DataFrame:
    """One row a user with a job submitted, by name, those with the most work first.

    Columns: weight; jobs_submitted, jobs_finished; slot_time_s of the jobs submitted;
    response_mean_s, response_worst_tenth_s; slowdown_mean, slowdown_worst_tenth.
    """
    jobs = log.jobs[log.jobs["state_name"] != "not submitted"]
    by_user = jobs.groupby("user_name")
    table = pd.DataFrame({
        "weight": log.users.set_index("user_name")["weight"].reindex(by_user.groups),
        "jobs_submitted": by_user.size(),
        "jobs_finished": by_user["response_time"].count(),
        "slot_time_s": by_user["slot_time"].sum(),
        "response_mean_s": by_user["response_time"].mean(),
        "response_worst_tenth_s": by_user["response_time"].agg(worst_tenth),
        "slowdown_mean": by_user["slowdown"].mean(),
        "slowdown_worst_tenth": by_user["slowdown"].agg(worst_tenth),
    })
    return table.rename_axis("user").sort_values("slot_time_s", ascending=False, kind="stable")


def user_means(jobs: pd.DataFrame) -> pd.Series:
    """Mean response time of each user that finished a job, by user name."""
    return jobs.groupby("user_name")["response_time"].mean().dropna()


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else np.nan
