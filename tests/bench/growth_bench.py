#!/usr/bin/python3
"""How `somnus simulate` grows under every preset: CPU time with n and 4 n tasks, of which the second
should be some 4 times the first.

    growth_bench [--tasks N] [--limit S] [--shapes NAME,...] [--presets NAME,...]

The shapes: one stage of n tasks, one job of n stages side by side, n jobs at once, one job whose n
stages are a chain. It stands in the build folder (tests/bench), from where it finds somnus.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

SOMNUS = Path(__file__).resolve().parents[2] / "emulator" / "somnus"
CLUSTER = """
[cluster]
nodes = 100
slots_per_node = 4
[scheduler]
policy = "{preset}"
[workload]
file = "{workload}"
"""


def stage(number, tasks=1, parents=()):
    made = {"stage": number, "durations": [2.0] * tasks}
    return {**made, "parents": list(parents)} if parents else made


def job(name, stages):
    return {"job": name, "user": f"u{hash(name) % 7}", "submit": 0, "stages": stages}


SHAPES = {
    "stage": lambda n: [job("wide", [stage(0, n)])],
    "stages": lambda n: [job("many", [stage(at) for at in range(n)])],
    "jobs": lambda n: [job(f"j{at}", [stage(0)]) for at in range(n)],
    "chain": lambda n: [job("chain", [stage(at, 1, [at - 1] if at else []) for at in range(n)])],
}


def presets():
    listed = subprocess.run([SOMNUS, "policies"], check=True, capture_output=True, text=True).stdout
    first, *rows = listed.split("\n\n")[0].splitlines()
    assert first.startswith("Presets")
    names = [row.split()[0].rstrip(":") for row in rows if not row.startswith(" ")]
    return [name for name in names if name != "external"]  # which is a process of somebody's


def cpu_s(folder, preset, workload, limit_s):
    """None: longer than the limit."""
    config = folder / "config.toml"
    config.write_text(CLUSTER.format(preset=preset, workload=workload))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    try:
        subprocess.run([SOMNUS, "simulate", config, "-q"], check=True, timeout=limit_s,
                       stdout=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def in_words(seconds, limit_s):
    return f"> {limit_s:.0f}" if seconds is None else f"{seconds:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--tasks", type=int, default=100_000)
    parser.add_argument("--limit", type=float, default=120, metavar="S")
    parser.add_argument("--shapes", default=",".join(SHAPES))
    parser.add_argument("--presets")
    given = parser.parse_args()
    names = given.presets.split(",") if given.presets else presets()
    counts = (given.tasks, 4 * given.tasks)
    print(f"{'':8}{'':12}" + "".join(f"{n:>12,}" for n in counts) + "  [s of CPU]")
    with tempfile.TemporaryDirectory(prefix="somnus-bench-") as name:
        folder = Path(name)
        for shape in given.shapes.split(","):
            files = {}
            for n in counts:
                files[n] = folder / f"{shape}-{n}.jsonl"
                rows = [{"somnus_workload": 1}, *SHAPES[shape](n)]
                files[n].write_text("".join(json.dumps(row) + "\n" for row in rows))
            for preset in names:
                took = []
                for n in counts:
                    took.append(cpu_s(folder, preset, files[n], given.limit))
                    if took[-1] is None:
                        break
                row = "".join(f"{in_words(one, given.limit):>12}" for one in took)
                both = len(took) == 2 and None not in took and took[0] > 0
                print(f"{shape:8}{preset:12}{row}" + (f"  x {took[1] / took[0]:.1f}" if both else ""))
                sys.stdout.flush()


if __name__ == "__main__":
    main()
