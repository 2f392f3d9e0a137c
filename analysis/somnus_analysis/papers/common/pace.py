"""Whether real runs kept up with their speed, by the rule of `somnus summary`."""

from collections.abc import Mapping

from somnus_analysis.base.text import number, paragraph
from somnus_analysis.metrics import users
from somnus_analysis.reading.log import Log

LAG_ALLOWED = 0.01  # of the median task: the latest rank's lag, p99


def judge(runs: Mapping[str, Log], speed: float) -> str:
    """How late the latest run was, and which speed would have been safe for all of them."""
    shares = {name: _share(log) for name, log in runs.items()}
    latest = max(shares, key=lambda name: shares[name])
    lag = _lag(runs[latest])
    outran = sum(share > LAG_ALLOWED for share in shares.values())
    measured = (
        f"at speed {speed:g} the latest, {latest}, was {number(lag)} s late (p99), "
        f"{number(100 * shares[latest])} % of its median task"
    )
    if not outran:
        return paragraph(f"All {len(runs)} real runs kept up: {measured}.")
    safe = speed * LAG_ALLOWED / shares[latest]
    return paragraph(
        f"WARNING: {outran} of {len(runs)} real runs OUTRAN THEIR MACHINE: {measured}, where "
        f"{100 * LAG_ALLOWED:g} % is allowed. Times mislead; speed {safe:.2g} would have been safe."
    )


def _share(log: Log) -> float:
    """The latest rank's lag of the run's median task as intended; 0 where tasks take no time."""
    median = users.median(log.tasks["intended"])
    return _lag(log) / median if median > 0 else 0.0


def _lag(log: Log) -> float:
    """How late rank 0 or a worker did what was due, p99; of the latest rank."""
    return max(float(log.scheduler["lag_p99"].iloc[0]), float(log.ranks["late_p99"].max()))
