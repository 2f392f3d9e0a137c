"""Random compositions of all that Somnus has: each is simulated, checked, replayed and simulated again.

    compositions_fuzz.py [--count N | --seconds N] [--seed N] [--repeat SEED]

A finding is an exit code other than 0 and 2, a command that does not end, a log that `check` calls broken, a
replay that decides something else, or a second simulation that does. It is printed as small as it can be made.
A config that is refused with a sentence is changed as the sentence says, and tried again.
"""

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from composition_runs import Fault, Runner
from compositions import ROOT, Rows, chosen_in, draw, toml_of

BATCH = 20  # compositions that are checked by one process
SHRINK_S = 60


def tried(program: str, seeds: list[int], aside: list[str]) -> tuple[Counter, list[tuple[str, int, str]]]:
    """Counts of what happened, and of each finding its kind, its seed and, of the first of a kind, a page on it."""
    rows, counts = Rows(program), Counter()
    seed_of = {f"s{seed}": seed for seed in seeds}
    compositions = {name: draw(rows, seed) for name, seed in seed_of.items()}
    with tempfile.TemporaryDirectory(prefix="somnus-compositions-") as folder:
        runner = Runner(program, Path(folder))
        faults = runner.simulated(compositions, rows, counts)
        faults |= runner.judged([name for name in compositions if name not in faults])
        counts["compositions"] = len(compositions)
        for composition in compositions.values():
            counts.update(chosen_in(composition))
        found, seen = [], set()
        for name, fault in faults.items():
            is_known = any(each in fault.what for each in aside)
            counts["set aside" if is_known else "findings"] += 1
            page = ""
            if not is_known and fault.kind not in seen:
                page = page_on(seed_of[name], *runner.shrunk(compositions[name], fault, SHRINK_S))
                seen.add(fault.kind)
            found.append((fault.kind, seed_of[name], page))
    return counts, found


def page_on(seed: int, composition: dict, fault: Fault) -> str:
    tables = dict(composition["tables"])
    workload = "\n".join(map(json.dumps, [composition["header"], *composition["jobs"]]))
    return f"""FOUND with seed {seed}: {fault.command}: {fault.what}
{fault.more}

cat > w.jsonl <<'END'
{workload}
END
cat > c.toml <<'END'
{toml_of(tables)}END
somnus simulate c.toml --log c.h5 --force && somnus check -q c.h5 && somnus replay c.h5
This repeats it before it was made small: {sys.argv[0]} --repeat {seed}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, help="so many compositions")
    parser.add_argument("--seconds", type=float, default=60, help="as many as there is time for")
    parser.add_argument("--seed", type=int, help="the first; left out: a fresh one")
    parser.add_argument("--repeat", type=int, metavar="SEED", help="this one alone")
    parser.add_argument("--aside", metavar="TEXT", action="append", default=[],
                        help="findings whose kind has that text are only counted")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="so many at once")
    options = parser.parse_args()
    # Processes that decide find the Python package by it.
    os.environ["PYTHONPATH"] = f"{ROOT / 'analysis'}:{os.environ.get('PYTHONPATH', '')}"
    program = os.environ.get("SOMNUS", str(ROOT / "build/release/emulator/somnus"))
    first = options.seed if options.seed is not None else random.SystemRandom().randrange(10**9)
    if options.repeat is not None:
        first, options.count = options.repeat, 1
    until = time.monotonic() + options.seconds
    counts, seeds_of, done = Counter(), {}, 0
    with ProcessPoolExecutor(options.jobs) as pool:
        running = []
        while True:
            more = done < options.count if options.count else time.monotonic() < until and not counts["findings"] > 30
            if more and len(running) < 2 * options.jobs:
                size = min(BATCH, options.count - done) if options.count else BATCH
                running.append(pool.submit(tried, program, list(range(first + done, first + done + size)), options.aside))
                done += size
                continue
            if not running:
                break
            more_counts, found = running.pop(0).result()
            counts += more_counts
            for kind, seed, page in found:
                if page and kind not in seeds_of:
                    print(page, flush=True)
                seeds_of.setdefault(kind, []).append(seed)
    for kind, seeds in sorted(seeds_of.items(), key=lambda each: -len(each[1])):
        print(f"{len(seeds)} x {kind} (seed {', '.join(map(str, seeds[:5]))})")
    choices = Rows(program).choices()
    missing = sorted(f"{table}.{key} = {value}" for table, key, value in choices if (table, key, value) not in counts)
    print(f"{len(choices) - len(missing)} of {len(choices)} choices took part"
          f"{', not ' + ', '.join(missing[:10]) if missing else ''}")
    print(f"seeds {first} to {first + done - 1}: {counts['compositions']} compositions, {counts['findings']} findings, "
          f"{counts['set aside']} set aside; refused and changed {counts['refused']} times, "
          f"{counts['given up']} given up")
    sys.exit(1 if counts["findings"] or not counts["compositions"] else 0)


if __name__ == "__main__":
    main()
