"""Runs a fuzz target from its seeds; of a finding it prints the command that repeats it.

    fuzz.py PROGRAM [--seconds N] [--seed N] [--corpus FOLDER] [--jobs N]

Without a corpus the seeds are made in a folder that goes away, and so does what was found to be of
interest; a finding stays in build/findings either way.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FINDINGS = Path(__file__).resolve().parents[2] / "build" / "findings"
LEAKS = Path(__file__).resolve().parents[1] / "lsan.supp"
# An input is a finding, too, if it takes longer, or that much memory at once or in all.
LIMITS = ["-timeout=5", "-malloc_limit_mb=1024", "-rss_limit_mb=2048", "-max_len=120000"]
WORDS = Path(__file__).with_name("words.dict")


def environment() -> dict[str, str]:
    return {**os.environ,
            "ASAN_OPTIONS": "strict_string_checks=1:detect_stack_use_after_return=0:"
                            "malloc_context_size=12",
            "LSAN_OPTIONS": f"suppressions={LEAKS}:print_suppressions=0",
            "UBSAN_OPTIONS": "print_stacktrace=1"}


def run(program: Path, corpus: Path, options: argparse.Namespace) -> int:
    seeds = corpus / "seeds"
    subprocess.run([program, f"--seeds={seeds}"], check=True, env=environment())
    found = corpus / "found"
    found.mkdir(exist_ok=True)
    FINDINGS.mkdir(parents=True, exist_ok=True)
    prefix = FINDINGS / f"{program.name}-"
    length = f"-max_total_time={options.seconds}" if options.seconds else "-runs=0"
    command = [program, length, f"-artifact_prefix={prefix}",
               f"-dict={WORDS}", "-print_final_stats=1", *LIMITS]
    if options.seed:
        command.append(f"-seed={options.seed}")
    if options.jobs > 1:
        command += [f"-fork={options.jobs}", "-ignore_crashes=1", "-ignore_timeouts=1"]
    done = subprocess.run([*command, found, seeds], env=environment(), text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    lines = done.stdout.splitlines()
    print("\n".join(lines[-90:] if done.returncode else lines[-5:]))
    findings = re.findall(rf"{re.escape(str(prefix))}\w[\w-]*", done.stdout)
    for finding in dict.fromkeys(findings):
        print(f"\nfound; this repeats it:\n  {program} {' '.join(LIMITS)} {finding}")
    return 1 if done.returncode or findings else 0


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    parser.add_argument("--seconds", type=int, default=60, help="0: the seeds alone")
    parser.add_argument("--seed", type=int, default=0, help="of the mutations; 0: another each time")
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--jobs", type=int, default=1, help="so many at once, on beyond findings")
    options = parser.parse_args()
    if options.corpus:
        options.corpus.mkdir(parents=True, exist_ok=True)
        sys.exit(run(options.program.resolve(), options.corpus, options))
    with tempfile.TemporaryDirectory(prefix="somnus-fuzz-") as folder:
        sys.exit(run(options.program.resolve(), Path(folder), options))


if __name__ == "__main__":
    main()
