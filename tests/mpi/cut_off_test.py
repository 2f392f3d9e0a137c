"""However a run is cut off: it says why, ends soon with exit code 3, and its log is worth keeping.

A rank is killed, the program is asked to stop, rank 0 is asked to stop: each once rows are in the
log, so that there is something to lose.
"""

import os
import signal

import helpers  # noqa: F401  must come first
from logs import (expect_recoverable, long_jobs, row_count, wait_for_rows, write_config,
                  write_workload)
from somnus_program import WORLD, Checks, expect, start

checks = Checks()

ROWS = 20
MOST_S = 30  # from the blow to the end


def start_long_run(folder, **how):
    write_workload(folder, long_jobs())
    config = write_config(folder)
    more = [] if "mpi_ranks" in how else ["--ranks", 3]
    return start(folder, "run", config, "--log", "run.h5", "-q", *more, **how)


def expect_cut_off(folder, run, blow, *words, code=WORLD):
    """`blow` hits the run when its log has rows; then all that this file's first lines say."""
    log = folder / "run.h5"
    wait_for_rows(run, log, ROWS)
    blow()
    ended = run.wait(MOST_S).expect(code, *words)
    expect("Traceback" not in ended.err and "our mistake" not in ended.err, ended.err)
    run.expect_nobody_left()
    expect(row_count(log) >= ROWS, "rows that had been seen are gone")
    expect_recoverable(folder, log, ROWS)


def kill_rank(run, rank, number=signal.SIGKILL):
    return lambda: os.kill(run.ranks()[rank], number)


@checks.add
def a_worker_rank_is_killed(folder):
    with start_long_run(folder) as run:
        expect_cut_off(folder, run, kill_rank(run, 2), "run.h5", "Killed")


@checks.add
def rank_0_is_killed(folder):
    with start_long_run(folder) as run:
        expect_cut_off(folder, run, kill_rank(run, 0), "run.h5", "Killed", "somnus recover")


@checks.each({"terminated": signal.SIGTERM, "interrupted": signal.SIGINT})
def the_program_is(folder, number):
    with start_long_run(folder) as run:
        expect_cut_off(folder, run, lambda: run.signal(number), "stopped", "run.h5")


@checks.each({"terminated": signal.SIGTERM, "interrupted": signal.SIGINT})
def the_program_without_mpi_is(folder, number):
    write_workload(folder, long_jobs())
    config = write_config(folder)
    with start(folder, "run", config, "--log", "run.h5", "-q", "--ranks", 1) as run:
        expect_cut_off(folder, run, lambda: run.signal(number), "stopped", "run.h5")


@checks.add
def the_program_without_mpi_is_killed(folder):
    write_workload(folder, long_jobs())
    config = write_config(folder)
    with start(folder, "run", config, "--log", "run.h5", "-q", "--ranks", 1) as run:
        expect_cut_off(folder, run, lambda: run.signal(signal.SIGKILL), code=-signal.SIGKILL)


@checks.add
def rank_0_is_terminated_under_plain_mpirun(folder):
    with start_long_run(folder, mpi_ranks=3) as run:
        expect_cut_off(folder, run, kill_rank(run, 0, signal.SIGTERM), "Terminated", "run.h5")


@checks.add
def a_worker_rank_is_killed_under_plain_mpirun(folder):
    # Who mpirun kills is for mpirun to say: its exit code is the signal's.
    with start_long_run(folder, mpi_ranks=3) as run:
        expect_cut_off(folder, run, kill_rank(run, 1), "signal 9", code=128 + signal.SIGKILL)


if __name__ == "__main__":
    checks.main()
