#!/usr/bin/python3
"""This tree and an earlier revision measured in turn: the ratio of each figure with its 95 % interval.

    ./dev bench --against REV [--rounds N | --instructions] [--record] [NAME...]

REV is built from an archive of its own in build/against, beside this tree's release build. Each round
runs every program of both builds, and the first one of a round is the second one of the next, so that
what else the machine does falls on both. A ratio is that of speeds, new to old, round by round: above 1
this tree is faster. Its interval is Student's t over the logarithms of the rounds.

With --instructions nothing is timed: each figure is one iteration under callgrind, and what is counted are
the instructions of the event loop (src/runtime/loop.hpp) on its thread, for each item. No neighbour disturbs
that, and it is the same on each machine of a kind; what memory costs is not in it.

NAMEs are programs (simulate_bench) or figures of them (simulate_bench/log_off/cfq); default: those of
docs/speed.md. A figure that only one build has is named and left out.
"""

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from scipy import stats

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SPEED_PAGE = ROOT / "docs/speed.md"
DEFAULT = ["simulate_bench", "resources_bench", "run_bench"]
# Scripts measure any revision's program, so both builds are measured by the script of this revision.
SCRIPTS = {"run_bench": HERE / "run_bench.py"}

# What docs/speed.md keeps of a build: the heading of its column, a figure, and the floor of the same run.
RECORDED = [
    ("FIFO, 0.5 ms", "simulate_bench/log_off/fifo_with_delays", "simulate_bench/floor_fifo/with_delays"),
    ("FAIR", "simulate_bench/log_off/fair", "simulate_bench/floor_fifo/with_delays"),
    ("SRPT", "simulate_bench/log_off/srpt", "simulate_bench/floor_fifo/with_delays"),
    ("CFQ", "simulate_bench/log_off/cfq", "simulate_bench/floor_cfq"),
    ("FIFO, log", "simulate_bench/log_on/fifo_with_delays", "simulate_bench/floor_append"),
    ("CFQ, log", "simulate_bench/log_on/cfq", "simulate_bench/floor_append"),
    ("run, MPI", "run_bench/tasks_per_s", "run_bench/floor_tasks_per_s"),
]
COUNTED = ["fifo_with_delays", "fifo", "fair", "srpt", "cfq"]  # with the log off; and the first with it on
COUNTED_FIGURES = [f"simulate_bench/log_off/{one}" for one in COUNTED] + [f"simulate_bench/log_on/{COUNTED[0]}"]
COUNTED_HEADS = ["commit", "FIFO, 0.5 ms", "FIFO", "FAIR", "SRPT", "CFQ", "FIFO, 0.5 ms, log"]
COUNTED_PAGE_HEAD = """
## Instructions a task

In the event loop, by callgrind: what no neighbour disturbs, and what memory costs is not in.

    ./dev bench --against REV --instructions --record

"""
FILE_HEAD = """# Speed, by commit

**Has a change cost speed?** Each row is one build, measured on two cores: M tasks/s, and in brackets the
share of the floor of the same run, which the load of the machine changes least. Floors: a bare heap loop
for FIFO, FAIR and SRPT, bare heaps for CFQ, fwrite of the same rows for the log, batches echoed over MPI
for the run ([what each figure means](../tests/bench/README.md)). Rows of one `measured with` were measured
in turn.

    ./dev bench --against REV --record      # appends a row for REV and one for this commit

"""


@dataclass
class Build:
    label: str
    folder: Path


def call(*words: object, usage_error: str = "") -> str:
    done = subprocess.run([str(word) for word in words], text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)
    if done.returncode != 0 and usage_error:
        print(f"./dev: bench: {usage_error}", file=sys.stderr)
        sys.exit(2)
    if done.returncode != 0:
        sys.exit(f"paired: exit code {done.returncode} from {' '.join(map(str, words))}\n{done.stderr}")
    return done.stdout


def this_build() -> Build:
    """The release build of this tree; the label ends in + where the tree has changes."""
    label = call("git", "describe", "--always", "--exclude", "*", "--dirty=+").strip()
    return Build(label, ROOT / "build/release")


def build_of(revision: str, jobs: int, targets: list[str]) -> Build:
    commit = call("git", "rev-parse", "--verify", "--quiet", "--short", f"{revision}^{{commit}}",
                  usage_error=f"there is no commit '{revision}'").strip()
    source = ROOT / "build/against" / commit
    folder = source / "build/release"
    if not source.exists():
        source.mkdir(parents=True)
        call("sh", "-c", f"git archive {commit} | tar -x -C {source}")
        shared = source.parent / "shared"  # where the benchmark trace is looked for
        if not shared.is_symlink():
            shared.symlink_to("../../../shared")
    print(f"building {commit} in {source.relative_to(ROOT)}", file=sys.stderr, flush=True)
    call("cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
         "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG")
    call("cmake", "--build", folder, "--parallel", jobs, "--target", *targets)
    return Build(commit, folder)


def speeds_of_script(build: Build, program: str) -> dict[str, float]:
    somnus = build.folder / "emulator" / "somnus"
    return json.loads(call(sys.executable, SCRIPTS[program], "--json", "--somnus", somnus,
                           "--floors", ROOT / "build/release/tests/bench/parts"))


def speeds_of_program(build: Build, program: str, only: str) -> dict[str, float]:
    """Items a second where the benchmark counts them, else times a second."""
    given = ["--benchmark_format=json"] + ([f"--benchmark_filter={only}"] if only else [])
    rows = json.loads(call(build.folder / "tests/bench" / program, *given))["benchmarks"]
    return {row["name"].removesuffix("/real_time"):
            row.get("items_per_second") or 1e9 / row["real_time"]
            for row in rows if not row.get("error_occurred")}


def measure(build: Build, asked: dict[str, list[str]]) -> dict[str, float]:
    found = {}
    for program, figures in asked.items():
        if program in SCRIPTS:
            speeds = speeds_of_script(build, program)
        else:
            only = "|".join(f"^{re.escape(each)}($|/)" for each in figures)
            speeds = speeds_of_program(build, program, only)
        found |= {f"{program}/{name}": speed for name, speed in speeds.items()
                  if not figures or any(name.startswith(each) for each in figures)}
    return found


def items_of(done: str) -> float:
    """Of all iterations of the one benchmark that said this in JSON; nan if there is none, or it failed."""
    rows = json.loads(done)["benchmarks"] if done.strip() else []
    if not rows or rows[0].get("error_occurred"):
        return math.nan
    time = rows[0]["real_time"] if rows[0]["name"].endswith("/real_time") else rows[0]["cpu_time"]
    items = rows[0]["items_per_second"] * time * {"ms": 1e-3, "us": 1e-6, "ns": 1e-9}[rows[0]["time_unit"]]
    return items * rows[0]["iterations"]


def instructions(build: Build, figure: str) -> float:
    """For each item, of the event loop; nan where the build has no such figure."""
    program, _, name = figure.partition("/")
    out = build.folder / "callgrind.out"
    out.unlink(missing_ok=True)
    done = call("valgrind", "--tool=callgrind", "--collect-atstart=no", "--separate-threads=no",
                "--toggle-collect=*Loop<*::run()", f"--callgrind-out-file={out}",
                build.folder / "tests/bench" / program, "--benchmark_min_time=0.001",
                "--benchmark_format=json", f"--benchmark_filter=^{re.escape(name)}(/real_time)?$")
    items = items_of(done)
    if math.isnan(items):
        return math.nan
    counted = int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.MULTILINE)[1])
    return counted / items


def count(builds: list[Build], figures: list[str]) -> dict[str, list[float]]:
    """By figure, of each build."""
    counts = {figure: [instructions(build, figure) for build in builds] for figure in figures}
    unknown = [figure for figure, found in counts.items() if all(math.isnan(one) for one in found)]
    if unknown:
        sys.exit(f"bench: neither build has {', '.join(unknown)}")
    width = max(len(figure) for figure in figures)
    print(f"{'instructions an item':<{width}}  {'  '.join(f'{build.label:>10}' for build in builds)}  ratio")
    for figure, (before, after) in counts.items():
        print(f"{figure:<{width}}  {before:10,.0f}  {after:10,.0f}  {after / before:5.3f}")
    return counts


def add_rows(file: Path, heads: list[str], rows: list[list[str]], page_head: str) -> None:
    """Rows at the end of the table with those headings; a file or a table that is not there is made."""
    lines = (file.read_text() if file.exists() else FILE_HEAD).splitlines()
    head = f"| {' | '.join(heads)} |"
    if head not in lines:
        lines += [*page_head.splitlines(), head, "|" + "".join("---|" if "commit" in one or "with" in one else "---:|"
                                                               for one in heads)]
    at = lines.index(head)
    while at < len(lines) and lines[at].startswith("|"):
        at += 1
    lines[at:at] = [row for row in (f"| {' | '.join(cells)} |" for cells in rows) if row not in lines]
    file.write_text("\n".join(lines) + "\n")


def record_counts(file: Path, builds: list[Build], counts: dict[str, list[float]]) -> None:
    rows = []
    for at, build in enumerate(builds):
        cells = [counts[figure][at] for figure in COUNTED_FIGURES]
        rows.append([build.label, *("" if math.isnan(one) else f"{one:,.0f}" for one in cells)])
    add_rows(file, COUNTED_HEADS, rows, COUNTED_PAGE_HEAD)


def asked_for(names: list[str]) -> dict[str, list[str]]:
    """By program the figures that were named; none: all."""
    asked: dict[str, list[str]] = defaultdict(list)
    for name in names:
        program, _, figure = name.partition("/")
        asked[program] += [figure] if figure else []
    return dict(asked)


def interval(ratios: list[float]) -> tuple[float, float, float]:
    """Geometric mean and both ends of its 95 % interval; of one round the ends are nan."""
    logs = [math.log(each) for each in ratios]
    mean = statistics.fmean(logs)
    if len(logs) < 2:
        return math.exp(mean), math.nan, math.nan
    half = stats.t.ppf(0.975, len(logs) - 1) * statistics.stdev(logs) / math.sqrt(len(logs))
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)


def verdict(low: float, high: float) -> str:
    if low > 1.02:
        return "faster"
    if high < 0.98:
        return "SLOWER"
    if low >= 0.98 and high <= 1.02:
        return "equal"
    return "not decided within 2 %"


def in_words(speed: float) -> str:
    for scale, unit in ((1e6, " M"), (1e3, " k"), (1, "  ")):
        if speed >= scale:
            return f"{speed / scale:8.3g}{unit}"
    return f"{speed:8.3g}  "


def print_table(old: Build, new: Build, rounds: dict[str, list[dict[str, float]]]) -> None:
    names = [name for name in rounds[old.label][0] if name in rounds[new.label][0]]
    width = max((len(name) for name in names), default=0)
    print(f"{'median, a second':<{width}}  {old.label:>10}  {new.label:>10}  ratio   95 % interval")
    for name in names:
        pairs = [(before[name], after[name])
                 for before, after in zip(rounds[old.label], rounds[new.label])]
        ratio, low, high = interval([after / before for before, after in pairs])
        olds, news = zip(*pairs)
        print(f"{name:<{width}}  {in_words(statistics.median(olds))}  "
              f"{in_words(statistics.median(news))}  {ratio:5.3f}   {low:.3f} to {high:.3f}  "
              f"{verdict(low, high)}")
    for one, other in ((old, new), (new, old)):
        lacking = [name for name in rounds[one.label][0] if name not in rounds[other.label][0]]
        if lacking:
            print(f"only {one.label} has: {', '.join(lacking)}")


def record(file: Path, builds: list[Build], rounds: dict[str, list[dict[str, float]]]) -> None:
    rows = []
    for build, other in zip(builds, reversed(builds)):
        cells = []
        for _, figure, floor in RECORDED:
            runs = [run for run in rounds[build.label] if figure in run and floor in run]
            speed = statistics.median(run[figure] for run in runs) if runs else math.nan
            share = statistics.median(run[figure] / run[floor] for run in runs) if runs else 0
            cells.append(f"{speed / 1e6:.2f} ({share:.2f})" if runs else "")
        rows.append([build.label, other.label, *cells])
    add_rows(file, ["commit", "measured with", *(head for head, _, _ in RECORDED)], rows, "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", required=True, metavar="REV")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--rounds", type=int, default=5, help="how often each build is measured")
    parser.add_argument("--instructions", action="store_true", help="count them, and time nothing")
    parser.add_argument("--record", action="store_true", help="also a row a build in docs/speed.md")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at once")
    options = parser.parse_args()
    if options.instructions:
        figures = options.names or COUNTED_FIGURES
        programs = sorted({figure.split("/")[0] for figure in figures})
        builds = [build_of(options.against, options.jobs, programs), this_build()]
        counts = count(builds, figures)
        if options.record:
            record_counts(SPEED_PAGE, builds, counts)
        return
    asked = asked_for(options.names or DEFAULT)
    builds = [build_of(options.against, options.jobs, ["somnus", "tests/bench/all"]), this_build()]
    rounds: dict[str, list[dict[str, float]]] = {build.label: [] for build in builds}
    for number in range(options.rounds):
        for build in builds if number % 2 == 0 else reversed(builds):
            print(f"round {number + 1} of {options.rounds}: {build.label}, load "
                  f"{os.getloadavg()[0]:.1f}", file=sys.stderr, flush=True)
            rounds[build.label].append(measure(build, asked))
    print_table(*builds, rounds)
    if options.record:
        record(SPEED_PAGE, builds, rounds)


if __name__ == "__main__":
    main()
