"""The workload of the CFQ paper's Fig. 9, mice arriving evenly.

One elephant, 20 tasks of 2 s; a mouse each 0.5 s has 8 to 12 tasks of 0.8 to 1.2 s, which just
fills 20 slots. The elephant comes at 1 s, when mice are there already: an idle cluster would run
it at once under any scheduler.
"""

import json
import random
from pathlib import Path
from typing import Any

from somnus.analysis.base import output

INTERVAL_S = 0.5
ELEPHANT_AT_S = 1.0


def write(file: Path, mice: int, seed: int) -> Path:
    """Writes the workload file; one seed, one file, and the first mice of each are the same."""
    stream = random.Random(seed)
    jobs: list[dict[str, Any]] = [
        {"job": "elephant", "submit": ELEPHANT_AT_S, "durations": [2.0] * 20}]
    for index in range(mice):
        jobs.append({
            "job": f"mouse{index}",
            "submit": (index + 0.5) * INTERVAL_S,
            "durations": [round(stream.uniform(0.8, 1.2), 3) for _ in range(stream.randint(8, 12))],
        })
    jobs.sort(key=lambda job: job["submit"])
    lines = [{"somnus_workload": 1, "name": f"CFQ paper, Fig. 9, {mice} mice"}, *jobs]
    return output.write(file, "".join(json.dumps(line) + "\n" for line in lines), force=True)
