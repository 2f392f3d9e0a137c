#!/usr/bin/python3
"""How much code a task goes through: the lines of this project that cost at least half an instruction a
task, and the instructions, in the event loop of a simulation by callgrind. Not a test: a minute of one core.

    cmake -G Ninja -S . -B FOLDER -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O2 -g -DNDEBUG"
    ninja -C FOLDER simulate_bench
    tests/studies/hot_lines.py FOLDER/tests/bench/simulate_bench [--source .] [--case log_off/fifo_with_delays]

What the compiler has left of a line counts, in whichever function it has put it.
"""

import argparse
import collections
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOOP = "*Loop<*::run()"
sys.path.insert(0, str(ROOT / "tests/bench"))

from paired import items_of  # noqa: E402


def costs_of(bench: Path, case: str) -> tuple[collections.Counter, float, str]:
    """Instructions by (file, line), how many tasks there were, nan: no such case, and of which workload."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        ended = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--dump-line=yes", "--compress-pos=no",
             "--compress-strings=no", "--collect-atstart=no", f"--toggle-collect={LOOP}", bench,
             f"--benchmark_filter={case}$", "--benchmark_min_time=0.001", "--benchmark_format=json"], capture_output=True, text=True)
        if ended.returncode != 0:
            sys.exit(f"valgrind {bench}: exit code {ended.returncode}: {ended.stderr}")
        costs, file, is_call = collections.Counter(), "", False
        for text in out.read_text(errors="replace").splitlines():
            if re.match("f[lie]=", text):
                file = text[3:]
            elif text.startswith("calls="):
                is_call = True  # the next line is what the called function costs, which has lines of its own
            elif cost := re.fullmatch(r"(\d+) (\d+)", text):
                if not is_call:
                    costs[file, int(cost[1])] += int(cost[2])
                is_call = False
    tasks = items_of(ended.stdout)
    return costs, tasks, "" if math.isnan(tasks) else json.loads(ended.stdout)["benchmarks"][0]["label"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", type=Path, help="simulate_bench, built with -O2 -g")
    parser.add_argument("--source", type=Path, default=ROOT, help="that it was built from")
    parser.add_argument("--case", default="log_off/fifo_with_delays")
    given = parser.parse_args()
    costs, tasks, workload = costs_of(given.bench.resolve(), given.case)
    if not costs or math.isnan(tasks):
        sys.exit(f"no instruction was counted: is there a case {given.case}, and {LOOP} in {given.bench}?")
    ours = {line: cost for line, cost in costs.items() if Path(line[0]).is_relative_to(given.source.resolve())}
    hot = {line for line, cost in ours.items() if cost >= tasks / 2}
    print(f"{len(hot)} lines of {len({file for file, _ in hot})} files; {sum(costs.values()) / tasks:.0f} instructions a task, "
          f"{sum(ours.values()) / tasks:.0f} of them in lines of this project ({workload})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
