"""Rigid jobs: what each held and how long it waited, by class of width and time.

A job is rigid if all its stages are gangs; a stage of one task is as good as one. A gang holds its slots
until its last task has ended. Times are emulated seconds since the run's start.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from somnus.analysis.reading.log import Log

BOUND = 10.0  # s, of bounded slowdown: Feitelson and Rudolph, JSSPP 1998
WIDTHS = {"1 slot": 1.0, "2–8 slots": 8.0, "9–64 slots": 64.0, "> 64 slots": np.inf}  # at the most
TIMES = {"≤ 1 min": 60.0, "≤ 1 h": 3600.0, "≤ 8 h": 28800.0, "> 8 h": np.inf}  # s at the most


def jobs(log: Log) -> pd.DataFrame:
    """The rigid jobs that have finished, by number.

    `width`: slots of its widest gang; `wait` = first_start - submit [s]; `time` [s]: to its finish, from its
    first start, or if some of it started again, from the first start of an attempt that finished, and what
    suspended attempts ran before it; `bounded_slowdown` = response time / max(time, BOUND), at least 1;
    `width_class` and `time_class`: of WIDTHS and TIMES.
    """
    stages = log.stages
    is_gang = pd.Series(stages.index.isin(log.gangs["stage"]) | (stages["tasks"] == 1), stages.index)
    rigid = is_gang.groupby(stages["job"]).all()
    widest = stages["tasks"].groupby(stages["job"]).max()
    found = log.jobs.set_index("job", drop=False)
    found = found[rigid.reindex(found.index, fill_value=False) & (found["state_name"] == "finished")]
    again = log.tasks["job"].isin(log.tasks.loc[log.tasks["attempt"] > 0, "job"])
    in_the_end = log.tasks[again & (log.tasks["outcome_name"] == "finished")].groupby("job")["start"].min()
    begin = in_the_end.reindex(found.index).fillna(found["first_start"])
    time = found["finish"] - begin + _suspended(log, begin).reindex(found.index).fillna(0.0)
    slowdown = (found["finish"] - found["submit"]) / time.clip(lower=BOUND)
    width = widest.reindex(found.index)
    return pd.DataFrame({
        "name": found["job_name"], "user": found["user_name"], "width": width,
        "wait": found["first_start"] - found["submit"], "time": time,
        "bounded_slowdown": slowdown.clip(lower=1.0), "width_class": _class(width, WIDTHS),
        "time_class": _class(time, TIMES)})


def _with_whole_nodes(frame: pd.DataFrame, exclusive: pd.Series, slots: pd.Series) -> pd.DataFrame:
    """The same, and of exclusive stages a row for each slot of their nodes."""
    alone = frame[exclusive].drop_duplicates(["unit", "attempt", "node"])
    first = alone["node"].map(slots.cumsum() - slots).astype(int)
    width = alone["node"].map(slots).astype(int)
    all_slots = alone.loc[alone.index.repeat(width)]
    all_slots["place"] = np.concatenate([np.arange(0), *(np.arange(low, low + many) for low, many in zip(first, width))])
    every = frame[exclusive].groupby(["unit", "attempt"])
    spans = every.agg(begin=("begin", "min"), end=("end", "max"), killed=("killed", "any"))
    all_slots = all_slots.drop(columns=["begin", "end", "killed"]).join(spans, on=["unit", "attempt"])
    return pd.concat([frame[~exclusive], all_slots], ignore_index=True)


def _suspended(log: Log, before: pd.Series) -> pd.Series:
    """By job, for how long its suspended attempts ran before that [s], each gang as one."""
    rows = log.tasks[(log.tasks["outcome_name"] == "suspended") & (log.tasks["start"] <= log.tasks["finish"])]
    spans = rows.groupby(["job", "stage", "attempt"]).agg(begin=("start", "min"), end=("finish", "max"))
    ends = np.minimum(spans["end"], before.reindex(spans.index.get_level_values("job")).to_numpy())
    return (ends - spans["begin"]).clip(lower=0.0).groupby("job").sum()


def by_class(found: pd.DataFrame) -> pd.DataFrame:
    """A row for each class that has jobs: `count`, `wait` and `bounded_slowdown`, their means.

    `found` as of jobs(); the index is (width_class, time_class), the narrow and the short ones first.
    """
    groups = found.groupby(["width_class", "time_class"], observed=True)
    return groups.agg(count=("wait", "size"), wait=("wait", "mean"),
                      bounded_slowdown=("bounded_slowdown", "mean"))


def rectangles(log: Log, nodes: Sequence[int] | None = None) -> pd.DataFrame:
    """What each attempt of a gang held, in as few pieces as its slots allow; and all other attempts.

    A row a piece: `job`, `begin` and `end` [s], `low`, its lowest slot, and `slots`, how many from there on;
    `killed`: not all of it finished. Slots are numbered over `nodes` (all) in their order, from 0. A gang
    holds all its slots from the start of its first task to the end of its last; an exclusive one all slots of its
    nodes.
    """
    tasks = log.tasks[log.tasks["start"] <= log.tasks["finish"]]
    own = log.nodes["node"].to_numpy() if nodes is None else np.array(list(dict.fromkeys(nodes)))
    slots = log.nodes.set_index("node")["slots"].reindex(own)
    tasks = tasks[tasks["node"].isin(own)]
    place = (tasks["node"].map(slots.cumsum() - slots) + tasks["slot"]).astype(int)
    together = tasks["stage"].isin(log.gangs["stage"])
    unit = np.where(together, tasks["stage"].astype(np.int64), -1 - tasks["task"].astype(np.int64))
    frame = pd.DataFrame({"unit": unit, "attempt": tasks["attempt"].astype(int), "job": tasks["job"],
                          "place": place, "begin": tasks["start"], "end": tasks["finish"],
                          "killed": tasks["outcome_name"] != "finished"})
    frame["node"] = tasks["node"]
    frame = _with_whole_nodes(frame, tasks["stage"].isin(log.gangs.loc[log.gangs["exclusive"] > 0, "stage"]), slots)
    one = frame.groupby(["unit", "attempt"])
    frame["begin"], frame["end"] = one["begin"].transform("min"), one["end"].transform("max")
    frame["killed"] = one["killed"].transform("any")
    frame = frame.sort_values(["unit", "attempt", "place"], kind="stable")
    moves = frame[["unit", "attempt", "place"]].diff()
    frame["piece"] = ~((moves["unit"] == 0) & (moves["attempt"] == 0) & (moves["place"] == 1))
    frame["piece"] = frame["piece"].cumsum()
    found = frame.groupby("piece").agg(
        job=("job", "first"), begin=("begin", "first"), end=("end", "first"), low=("place", "first"),
        slots=("place", "size"), killed=("killed", "first"))
    return found[found["begin"] < found["end"]].sort_values(["begin", "low"], kind="stable", ignore_index=True)


def _class(values: pd.Series, most: dict[str, float]) -> pd.Categorical:
    return pd.cut(values, [-np.inf, *most.values()], labels=list(most))
