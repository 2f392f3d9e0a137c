"""Two runs of one workload, job by job: how far an emulation is from its simulation."""

from __future__ import annotations

import pandas as pd

from somnus_analysis.log import Log, LogError
from somnus_analysis.text import number, table
from somnus_analysis.users import nearest_rank

PERCENTILES = (50, 95, 99, 100)


def response_differences(one: Log, other: Log) -> pd.Series:
    """|response time / that in `other` - 1| of each job that finished in both, by job.

    Raises LogError if the logs are not of the same workload.
    """
    digests = [log.attributes.get("workload_digest") for log in (one, other)]
    if digests[0] != digests[1]:
        raise LogError(f"{one.path} and {other.path} are logs of different workloads")
    both = pd.DataFrame({"one": one.jobs["response_time"], "other": other.jobs["response_time"]})
    both = both.dropna()
    return (both["one"] / both["other"] - 1).abs()


def comparison_table(one: Log, other: Log) -> str:
    """Percentiles (nearest rank; 100 is the largest) of the difference, in percent."""
    differences = response_differences(one, other)
    rows = [["difference of response time", "%"]]
    for each in PERCENTILES:
        name = f"p{each}" if each < 100 else "largest"
        rows.append([name, number(100 * nearest_rank(differences, each / 100))])
    rows.append(["jobs compared", str(len(differences))])
    return table(rows)
