"""Whether real runs kept up with their speed, by the rule of `somnus summary`."""

import math
from collections.abc import Mapping

import numpy as np

from somnus.analysis.base.program import Summary
from somnus.analysis.base.text import number, paragraph
from somnus.analysis.report.facts import LAG_ALLOWED


def judge(runs: Mapping[str, Summary], speed: float) -> str:
    """How late the latest run was, and which speed would have been safe for all of them."""
    shares = {name: _share(summary) for name, summary in runs.items()}
    latest = max(shares, key=lambda name: shares[name])
    safe = [summary["safe_speed"] for summary in runs.values() if math.isfinite(summary["safe_speed"])]
    measured = (
        f"at speed {speed:g} the latest, {latest}, was {number(_late_s(runs[latest]))} s late (p99), "
        f"{number(100 * shares[latest])} % of its median task"
    )
    if not safe:
        return paragraph(f"All {len(runs)} real runs kept up: {measured}.")
    return paragraph(
        f"WARNING: {len(safe)} of {len(runs)} real runs OUTRAN THEIR MACHINE: {measured}, where "
        f"{100 * LAG_ALLOWED:g} % is allowed. Times mislead; speed {min(safe):g} would have been safe."
    )


def _share(summary: Summary) -> float:
    """The latest rank's lag as a share of the median task as intended; 0 where tasks take no time."""
    median = summary["intended_p50_s"]
    return _late_s(summary) / median if median > 0 else 0.0


def _late_s(summary: Summary) -> float:
    """How late rank 0 or a worker did what was due, p99; of the latest rank."""
    return float(np.fmax(summary["lag_p99_s"], summary["worker_late_p99_s"]))
