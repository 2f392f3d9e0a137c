"""What would have helped: the same workload simulated again, with one thing changed.

The log's own config is simulated as it is, and then with one more node, with other orders and with
preemption. Nothing is drawn anew: the jobs, their tasks and all random streams are those of the log's seed,
so each difference is an effect of the change on these very jobs. It says nothing of other seeds.

A simulation is only an answer where it is of the log's own workload; else why_not says so. What does not
fit the config is left out.
"""

import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from somnus.analysis.base.errors import ProgramError
from somnus.analysis.base.program import Run, Somnus
from somnus.analysis.reading.log import Log, load
from somnus.toml import as_toml

ORDERS = ("fifo", "fair", "srpt", "cfq")
PREEMPTIONS = ("requeue", "suspend")
SAME_S = 1e-6


@dataclass(frozen=True)
class Change:
    """One thing that is different; `settings` as --set has them."""

    title: str
    settings: dict[str, str]


@dataclass(frozen=True)
class WhatIf:
    """`responses`: a row a change, the first one that of no change; a column a job, its response time [s].

    NaN: it did not finish. why_not: no simulation of this log was made, for that reason.
    """

    responses: pd.DataFrame
    why_not: str = ""


def what_if(log: Log, somnus: Somnus) -> WhatIf:
    """Raises ProgramError if the log's own config cannot be simulated for another reason than the user's."""
    config = tomllib.loads(str(log.attributes.get("config", "")))
    with tempfile.TemporaryDirectory(prefix="somnus-") as name:
        folder = Path(name)
        file = folder / "config.toml"
        file.write_text(str(log.attributes["config"]))
        rows: dict[str, np.ndarray] = {}
        for change in _changes(config):
            try:
                rows[change.title] = _responses(log, somnus, file, folder, change)
            except ProgramError as error:
                if error.exit_code != 2:
                    raise
                if not rows:
                    return WhatIf(pd.DataFrame(), f"its config cannot be simulated any more: {error}")
            except _OtherWorkload:
                if not rows:
                    return WhatIf(pd.DataFrame(), "the workload is not the log's any more")
    return WhatIf(pd.DataFrame.from_dict(rows, orient="index"))


def effects(found: WhatIf, jobs: Sequence[int]) -> pd.DataFrame:
    """By change: the response time of these jobs and of all that finish, means [s], and how many of these are faster.

    Columns: those, all, faster (of `those`, by more than a millisecond). Jobs that do not finish in some row are
    left out of the means of all rows, so that all are of the same jobs.
    """
    whole = found.responses.loc[:, found.responses.notna().all(axis=0)]
    those = [job for job in jobs if job in whole.columns]
    base = whole.iloc[0]
    return pd.DataFrame({"those": whole[those].mean(axis=1), "all": whole.mean(axis=1),
                         "faster": (whole[those] < base[those] - 1e-3).sum(axis=1)})


class _OtherWorkload(Exception):
    pass


def _responses(log: Log, somnus: Somnus, file: Path, folder: Path, change: Change) -> np.ndarray:
    settings = change.settings | _places(log)
    out = folder / "log.h5"
    somnus.write_log(Run(file, out, int(log.attributes["seed"]), settings))
    simulated = load(out)
    jobs = simulated.jobs
    if not _same_workload(log, simulated):
        raise _OtherWorkload
    return (jobs["finish"] - jobs["submit"]).where(jobs["state_name"] == "finished").to_numpy(float)


def _same_workload(log: Log, simulated: Log) -> bool:
    """Also where times between submits were scaled to a load, and so are rounded in another way."""
    if simulated.attributes["workload_digest"] == log.attributes["workload_digest"]:
        return True
    ours, theirs = log.jobs, simulated.jobs
    return (len(ours) == len(theirs) and bool((ours["tasks"] == theirs["tasks"]).all())
            and bool(np.allclose(ours["submit"], theirs["submit"], rtol=0, atol=SAME_S, equal_nan=True)))


def _places(log: Log) -> dict[str, str]:
    """The workload's file, which is relative to the config's folder."""
    config = tomllib.loads(str(log.attributes["config"]))
    file = config.get("workload", {}).get("file")
    return {"workload.file": as_toml(Path(str(log.attributes["config_path"])).parent / file)} if file else {}


def _same_times(config: dict[str, Any], groups: list[dict], more: list[dict]) -> dict[str, str]:
    """The load that leaves jobs their times of submit on a larger cluster."""
    load = config.get("workload", {}).get("load")
    before, after = (sum(group.get("count", 1) * group.get("slots_per_node", 0) / group.get("slowdown", 1)
                         for group in each) for each in (groups, more))
    return {"workload.load": as_toml(load * before / after)} if load and before else {}


def _changes(config: dict[str, Any]) -> Iterator[Change]:
    yield Change("as it was", {})
    groups = config.get("cluster", {}).get("group", [])
    if groups:
        more = [dict(group) for group in groups]
        more[0]["count"] = int(more[0].get("count", 1)) + 1
        slots = more[0].get("slots_per_node")
        title = f"one more node of {slots} slots" if slots else "one more node"
        yield Change(title, {"cluster.group": as_toml(more)} | _same_times(config, groups, more))
    scheduler = config.get("scheduler", {})
    if "order" not in scheduler:
        return  # a whole policy
    for order in ORDERS:
        if order != scheduler["order"]:
            yield Change(f"order {order}", _exchanged(scheduler, "order", order))
    for preemption in PREEMPTIONS:
        if preemption != scheduler.get("preemption"):
            yield Change(f"preemption {preemption}", _exchanged(scheduler, "preemption", preemption))


def _exchanged(scheduler: dict[str, Any], kind: str, part: str) -> dict[str, str]:
    """Without the parameters of the part that goes."""
    rest = {key: value for key, value in scheduler.items() if key != scheduler.get(kind)}
    return {"scheduler": as_toml(rest | {kind: part})}
