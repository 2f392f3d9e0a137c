"""What the UWFQ paper's authors measured: the run data that they released, where it is at hand.

Files NAME_run_data.csv.gz hold one line a scheduler and iteration, of three; times are seconds, DSR
is negative. A column of a user's fairness includes all users before it, so it is of no use here;
a column of a user's response time is of the jobs whose user's name has this user's name as a part.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from somnus.analysis.papers.uwfq import paper
from somnus.analysis.papers.uwfq.measures import best_and_worst_off, frequent_and_infrequent

SCHEDULERS = {
    "fair": "DEFAULT_FAIR",
    "ujf": "CUSTOM_FAIR",
    "cfq": "CUSTOM_CLUSTERFAIR",
    "uwfq": "CUSTOM_USERCLUSTERFAIR",
    "fifo": "TRUE_FIFO",
}
SCHEDULERS |= {f"{name}-p": f"{theirs}_PARTITIONER" for name, theirs in SCHEDULERS.items()}

SCENARIO_1 = "micro_2_power_2_small_users"
SCENARIO_2 = "micro_4_super_small_users"
MACRO = "homo_macro"

_COMMON = {
    "makespan": "total time",
    "response": "average response time",
    "dvr": "Total DVR",
    "violations": "Total violations",
    "dsr": "Total DSR",
    "slack": "Total gains",
}
_MICRO = _COMMON | {
    "slowdown": "average proportional slowdown",
    "worst.response": "average response time (worst10%)",
    "worst.slowdown": "average proportional slowdown (worst10%)",
}
_MACRO = _COMMON | {
    "0-80": "average response time (worst80)",
    "80-95": "average response time (worst95)",
    "95-100": "average response time (worst100)",
}


def scenario_1(folder: Path) -> dict[str, float]:
    """Values by the keys of uwfq_paper; empty where the data are absent."""
    return _micro(folder, SCENARIO_1, {
        "user1": "user1_power_", "user2": "user2_power_",
        "user3": "user3_small_", "user4": "user4_small_",
    }, frequent_and_infrequent)


def scenario_2(folder: Path) -> dict[str, float]:
    users = {f"user{index}": f"user{index}_supersmall_" for index in range(1, 5)}
    return _micro(folder, SCENARIO_2, users, best_and_worst_off)


def macro(folder: Path) -> dict[str, float]:
    return _values(_means(folder, MACRO), _MACRO)


def macro_user_means(folder: Path) -> dict[str, pd.Series]:
    """By scheduler: each user's mean response time over the user's own jobs, by user name."""
    means, jobs = _means(folder, MACRO), folder / "homo_macro_jobs.csv"
    if means is None or not jobs.exists():
        return {}
    count = pd.read_csv(jobs, comment="#")["user"].value_counts()
    return {
        name: _own_jobs(means.loc[theirs], count)
        for name, theirs in SCHEDULERS.items() if theirs in means.index
    }


def macro_mean(folder: Path) -> dict[str, float]:
    """By scheduler: the mean response time over all jobs, each counted once."""
    jobs = folder / "homo_macro_jobs.csv"
    if not jobs.exists():
        return {}
    count = pd.read_csv(jobs, comment="#")["user"].value_counts()
    return {
        name: float(np.average(means, weights=count[means.index]))
        for name, means in macro_user_means(folder).items()
    }


def repeated_ujf(folder: Path, name: str) -> dict[str, float]:
    """DVR and the like of UJF itself, run again, against its first iteration: what noise does."""
    file = folder / f"{name}_run_data.csv.gz"
    if not file.exists():
        return {}
    rows = pd.read_csv(file)
    again = rows[(rows["Scheduler"] == SCHEDULERS["ujf"]) & (rows["Iteration"] > 0)]
    found = {key: float(again[_COMMON[key]].mean()) for key in paper.AGAINST}
    return found | {"dsr": -found["dsr"]}


def _own_jobs(row: pd.Series, count: pd.Series) -> pd.Series:
    """Undoes that user_1 also has the jobs of user_10 to user_19."""
    total = {
        user: row[f"{user} average response time"] * count[[user in each for each in count.index]]
        .sum()
        for user in count.index
    }
    own = {
        user: (total[user] - sum(total[other] for other in total if user in other != user))
        / count[user]
        for user in total
    }
    return pd.Series(own)


def _micro(folder: Path, name: str, users: dict[str, str],
           groups: Callable[[pd.Series], tuple]) -> dict[str, float]:
    """`users`: what theirs are called, by our name."""
    means = _means(folder, name)
    values = _values(means, _MICRO)
    if means is None:
        return values
    for ours, theirs in SCHEDULERS.items():
        of_users = pd.Series({
            user: means.at[theirs, f"{their_user} average response time"]
            for user, their_user in users.items()
        })
        values |= {f"{ours}.group.{index}": mean
                   for index, mean in enumerate(groups(of_users), start=1)}
    return values


def _means(folder: Path, name: str) -> pd.DataFrame | None:
    """The mean of the iterations; one row a scheduler."""
    file = folder / f"{name}_run_data.csv.gz"
    if not file.exists():
        return None
    return pd.read_csv(file).groupby("Scheduler").mean(numeric_only=True)


def _values(means: pd.DataFrame | None, columns: dict[str, str]) -> dict[str, float]:
    if means is None:
        return {}
    values: dict[str, float] = {}
    for ours, theirs in SCHEDULERS.items():
        if theirs in means.index:
            values |= {f"{ours}.{key}": float(means.at[theirs, column])
                       for key, column in columns.items()}
            values[f"{ours}.dsr"] *= -1
    return values
