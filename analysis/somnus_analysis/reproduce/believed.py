"""A workload whose jobs come with an estimate of their slot-time, right or wrong."""

from __future__ import annotations

import json
from pathlib import Path


def write(source: Path, factor: float, target: Path) -> Path:
    """Copies a native workload file; each job's estimate is `factor` times its work."""
    head, *jobs = source.read_text().splitlines()
    lines = [head]
    for line in jobs:
        job = json.loads(line)
        lines.append(json.dumps({**job, "estimate": factor * slot_time(job)}))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n".join(lines) + "\n")
    return target


def slot_time(job: dict) -> float:
    """Seconds of all the job's tasks, in each way that the format has to say them."""
    stages = job.get("stages", [job])
    return sum(
        sum(stage.get("durations", ())) + stage.get("tasks", 0) * stage.get("duration", 0)
        + stage.get("work", 0)
        for stage in stages
    )
