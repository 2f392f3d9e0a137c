"""Progress rates, and what jobs gave and took under PAF (sections 2 and 3 of its paper).

A job's progress rate is what it would take alone in the idle cluster, over what it took. Above 1 it is
where alone, on as many slots as it can use, more of them are cold than in the run. It counts from the job's submit, or from its first start, as the simulator of the paper's authors does.

What a job gave is in /targets, each row up to the next sample or the job's end. The progress that it was
promised to keep is p(target) / p(fair share) by the curve that the scheduler has of it.
"""

import numpy as np
import pandas as pd

from somnus.analysis.base.text import known, number, paragraph, table
from somnus.analysis.metrics import fairness
from somnus.analysis.reading.log import Log

SINCE = ("submit", "first_start")
_COLUMNS = paragraph("Means over jobs. promised: what is left of the progress on the fair share, by the "
                     "curve; realised: the progress rate over that in the reference.")
SLOTS_APART = 0.5  # on average, from which on a job gives or takes


def rates(log: Log, since: str = "submit") -> pd.Series:
    """By job; NaN of one that has not finished, and 1 where it took no time."""
    took = log.jobs["finish"] - log.jobs[since]
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = np.where(took > 0, log.jobs["alone"] / took, np.where(took == 0, 1.0, np.nan))
    return pd.Series(rate, index=log.jobs.index, name="progress")


class Curves:
    """Of the jobs that have one."""

    def __init__(self, log: Log) -> None:
        self._corners = {}
        for job, rows in log.curves.groupby("job"):
            slots = np.concatenate([[0], rows["slots"].astype(float)])
            gained = np.cumsum(np.diff(slots) * rows["gain"])
            self._corners[int(job)] = slots, np.concatenate([[0], gained])

    def __contains__(self, job: int) -> bool:
        return job in self._corners

    def progress(self, job: int, slots: np.ndarray) -> np.ndarray:
        """On so many slots, which need not be whole; those beyond the curve add nothing."""
        return np.interp(slots, *self._corners[job])


def exchanges(log: Log) -> pd.DataFrame:
    """Means over the time that a job was there, by job: `fair` and `target` slots, `promised`.

    promised: of its progress on the fair share, what the target's is; NaN of a job without a curve.
    Jobs without rows in /targets are left out.
    """
    curves, total = Curves(log), log.slots
    times = np.unique(np.concatenate([log.samples["time"], log.targets["time"]]))
    finish = log.jobs["finish"].to_numpy()
    found = {}
    for job, rows in log.targets.groupby("job"):
        begin = rows["time"].to_numpy()
        after = np.searchsorted(times, begin, side="right")
        end = np.append(times, np.inf)[after]
        lasts = np.fmin(end, finish[job]) - begin
        lasts = np.where(np.isfinite(lasts) & (lasts > 0), lasts, 0.0)
        if not lasts.sum():
            lasts = np.ones(len(rows))
        fair, target = (rows[column].to_numpy() * total for column in ("entitled", "target"))
        kept = np.nan
        if job in curves:
            had = curves.progress(job, fair)
            part = np.divide(curves.progress(job, target), had, out=np.ones_like(had), where=had > 0)
            kept = np.average(part, weights=lasts)
        found[job] = (np.average(fair, weights=lasts), np.average(target, weights=lasts), kept)
    return pd.DataFrame.from_dict(found, "index", columns=["fair", "target", "promised"])


def givers_and_takers(log: Log, reference: Log) -> pd.DataFrame:
    """`exchanges`, and `realised`: the job's progress rate over that in the reference, without exchange.

    Raises UserError where the logs are not of the same jobs.
    """
    fairness.paired(log, reference)
    frame = exchanges(log)
    theirs = rates(reference).set_axis(reference.jobs["job_name"])
    names = log.jobs["job_name"]
    frame["realised"] = (rates(log) / names.map(theirs)).reindex(frame.index)
    apart = frame["target"] - frame["fair"]
    frame["side"] = np.select([apart < -SLOTS_APART, apart > SLOTS_APART], ["gives", "takes"], "keeps")
    return frame


def figures(log: Log, reference: Log | None = None) -> dict[str, list[dict]]:
    """Mean progress rates by log; with a reference also what givers lost and takers gained."""
    logs = [log, *([reference] if reference else [])]
    means: list[dict] = [{"log": str(each.path), "label": each.label,
                          **{f"mean_from_{since}": known(rates(each, since).mean()) for since in SINCE}}
                         for each in logs]
    if reference is None or not len(log.targets):
        return {"progress": means, "sides": []}
    frame = givers_and_takers(log, reference)
    sides = [{"side": side, "jobs": len(some),
              **{column: known(some[column].mean()) for column in ("fair", "target", "promised", "realised")},
              "least_realised": known(some["realised"].min())}
             for side in ("gives", "keeps", "takes") if len(some := frame[frame["side"] == side])]
    return {"progress": means, "sides": sides}


def progress_table(found: dict[str, list[dict]]) -> str:
    """What `figures` found."""
    means = found["progress"]
    rows = [["progress rate", *(each["label"] for each in means)]]
    for since in SINCE:
        rows.append([f"mean, from {since.replace('_', ' ')}",
                     *(number(each[f"mean_from_{since}"]) for each in means)])
    text = table(rows)
    if not found["sides"]:
        return text
    rows = [["jobs that", "", "fair slots", "target", "promised [%]", "realised [%]",
             "least realised [%]"]]
    for each in found["sides"]:
        shares = (number(each[name] and 100 * each[name]) for name in ("promised", "realised", "least_realised"))
        rows.append([each["side"].removesuffix("s"), f"{each['jobs']:,}", number(each["fair"]),
                     number(each["target"]), *shares])
    return f"{text}\n\n{table(rows)}\n\n{_COLUMNS}"
