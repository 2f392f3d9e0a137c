"""From logs to the numbers of the UWFQ paper's tables, by the keys of uwfq_paper.

`logs` has a run by scheduler; one with -p is measured against ujf-p, the others against ujf. Each
function takes one iteration's runs.
"""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from somnus.analysis.metrics import fairness, users
from somnus.analysis.papers.common.expect import Values, ratio
from somnus.analysis.papers.uwfq import paper
from somnus.analysis.reading.log import Log

Logs = Mapping[str, Log]


def scenario_1(logs: Logs, counting: str = "uwfq-micro") -> Values:
    values = _micro(logs, counting, frequent_and_infrequent)
    return values | claims_of_scenario_1(values)


def scenario_2(logs: Logs, counting: str = "uwfq-micro") -> Values:
    values = _micro(logs, counting, best_and_worst_off)
    halves = {name: half_time(log.jobs) for name, log in logs.items()}
    return values | claims_of_scenario_2(values) | {
        "claim.gradual": ratio(halves["uwfq"], halves["ujf"])
    }


def macro(logs: Logs, counting: str = "uwfq-macro") -> Values:
    values: Values = {}
    for name, log in logs.items():
        response = log.jobs["response_time"]
        counts = fairness.multiplicity(log.jobs, counting, paper.MACRO_USERS)
        values |= {
            f"{name}.makespan": makespan(log.jobs),
            f"{name}.response": users.mean(response, counts),
            **{f"{name}.{group}": value
               for group, value in users.group_means(response, counts).items()},
            **_against(name, log, logs, counting),
        }
    return values | claims_of_macro(values)


def figure_7(logs: Logs) -> Values:
    values: Values = {}
    for name in logs:
        if name not in ("ujf", "ujf-p"):
            values |= user_ratios(name, between_users(name, logs))
    return values | claims_of_figure_7(values)


def between_users(name: str, logs: Logs) -> pd.Series:
    """Each user's mean response time against that under UJF, minus 1."""
    return fairness.between_users_of(logs[name], logs[reference_of(name)])


def user_ratios(name: str, deviation: pd.Series) -> Values:
    found = fairness.ratios(deviation)
    return {f"{name}.{column}": getattr(found, column) for column in paper.USER_COLUMNS}


def reference_of(name: str) -> str:
    return "ujf-p" if name.endswith("-p") else "ujf"


def makespan(jobs: pd.DataFrame) -> float:
    """From the first submit to the last end."""
    return float(jobs["finish"].max() - jobs["submit"].min())


def half_time(jobs: pd.DataFrame) -> float:
    """From the first submit until half the jobs have ended."""
    return float(users.median(jobs["finish"]) - jobs["submit"].min())


def claims_of_scenario_1(values: Values) -> Values:
    dvr = min(values["fair.dvr"], values["cfq.dvr"])
    return {
        **_claims_of_means(values),
        "claim.ujf": -_percent(values["uwfq.response"], values["ujf.response"]),
        "claim.infrequent": -_percent(values["uwfq.group.2"], values["fair.group.2"]),
        "claim.infrequent.cfq": ratio(values["cfq.group.2"], values["uwfq.group.2"]),
        "claim.dvr": ratio(values["uwfq.dvr"], dvr),
        "claim.violations": ratio(
            values["uwfq.violations"], min(values["fair.violations"], values["cfq.violations"])
        ),
        "claim.six": ratio(dvr, values["uwfq.dvr"]),
    }


def claims_of_scenario_2(values: Values) -> Values:
    others = ("fair", "ujf", "uwfq")
    return {
        **_claims_of_means(values),
        "claim.worst": ratio(
            values["cfq.response"], max(values[f"{name}.response"] for name in others)
        ),
        "claim.first": _against_best(values, "group.1"),
        "claim.last": _against_best(values, "group.2"),
    }


def claims_of_macro(values: Values) -> Values:
    columns = ("makespan", "response", "0-80", "80-95", "95-100")
    claims = {
        f"claim.{name}{suffix}.{column}": _percent(
            values[f"{name}{suffix}.{column}"], values[f"ujf{suffix}.{column}"]
        )
        for name in ("cfq", "uwfq")
        for suffix in ("", "-p")
        for column in columns
    }
    for name in ("cfq", "uwfq"):
        for column in ("violations", "dvr"):
            claims[f"claim.{name}-p.{column}"] = ratio(
                values[f"{name}-p.{column}"], values[f"{name}.{column}"]
            )
    return {
        **_claims_of_means(values),
        **claims,
        "claim.same": ratio(values["fair.makespan"], values["ujf.makespan"]),
        "claim.dvr": ratio(values["uwfq.dvr"], values["cfq.dvr"]),
        "claim.dsr": ratio(values["cfq.dsr"], values["uwfq.dsr"]),
    }


def claims_of_figure_7(values: Values) -> Values:
    def dvr(name: str) -> float:
        return np.nan_to_num(values[f"{name}.dvr"])  # no user later than under UJF

    return {
        "claim.dvr": ratio(dvr("uwfq"), dvr("cfq")),
        "claim.cfq-p": ratio(dvr("cfq-p"), dvr("cfq")),
        "claim.uwfq-p": ratio(dvr("uwfq-p"), dvr("uwfq")),
    }


def frequent_and_infrequent(means: pd.Series) -> tuple[float, float]:
    """Of the users' mean response times in scenario 1: those of the two pairs of users."""
    frequent, infrequent = (float(means.reindex(pair).mean())
                            for pair in (paper.FREQUENT, paper.INFREQUENT))
    return frequent, infrequent


def best_and_worst_off(means: pd.Series) -> tuple[float, float]:
    """The least and the greatest: what the paper's scenario 2 has as the first and last user."""
    return float(means.min()), float(means.max())


def _micro(logs: Logs, counting: str, groups: Callable[[pd.Series], tuple]) -> Values:
    values: Values = {}
    for name, log in logs.items():
        jobs = log.jobs
        counts = fairness.multiplicity(jobs, counting, ())
        of_groups = groups(users.user_means(jobs))
        values |= {
            f"{name}.makespan": makespan(jobs),
            f"{name}.response": users.mean(jobs["response_time"], counts),
            f"{name}.slowdown": users.mean(jobs["slowdown"], counts),
            f"{name}.worst.response": users.worst_tenth(jobs["response_time"], counts),
            f"{name}.worst.slowdown": users.worst_tenth(jobs["slowdown"], counts),
            **{f"{name}.group.{index}": mean for index, mean in enumerate(of_groups, start=1)},
            **_against(name, log, logs, counting),
        }
    return values


def _against(name: str, log: Log, logs: Logs, counting: str) -> Values:
    deviation = fairness.deviations(log, logs[reference_of(name)])
    found = fairness.counted(log, deviation, counting, paper.MACRO_USERS)
    return {f"{name}.{column}": getattr(found, column) for column in paper.AGAINST}


def _claims_of_means(values: Values) -> Values:
    return {
        "claim.best": _against_best(values, "response"),
        "claim.cfq": ratio(values["uwfq.response"], values["cfq.response"]),
        "claim.fair": ratio(values["uwfq.response"], values["fair.response"]),
    }


def _against_best(values: Values, column: str) -> float:
    """UWFQ's over the least of the paper's other schedulers."""
    best = min(values[f"{name}.{column}"] for name in ("fair", "ujf", "cfq"))
    return ratio(values[f"uwfq.{column}"], best)


def _percent(value: float, reference: float) -> float:
    """How far above the reference, in percent of it."""
    return 100 * (ratio(value, reference) - 1)
