"""However a run is cut off: it says why, ends soon with exit code 3, and its log is worth keeping.

A rank is killed, the program is asked to stop, rank 0 is asked to stop: each once rows are in the
log, so that there is something to lose.
"""

import os
import signal

from logs import expect_recoverable, long_run, row_count
from somnus_program import WORLD, each, expect

ROWS = 20
MOST_S = 30  # from the blow to the end


def expect_cut_off(folder, run, blow, *words, code=WORLD):
    """`blow` hits the run, whose log has rows; then all that this file's first lines say."""
    log = folder / "run.h5"
    blow()
    ended = run.wait(MOST_S).expect(code, *words)
    expect("Traceback" not in ended.err and "our mistake" not in ended.err, ended.err)
    run.expect_nobody_left()
    expect(row_count(log) >= ROWS, "rows that had been seen are gone")
    expect_recoverable(folder, log, ROWS)


def kill_rank(run, rank, number=signal.SIGKILL):
    return lambda: os.kill(run.ranks()[rank], number)


def test_a_worker_rank_is_killed(folder):
    with long_run(folder, ROWS) as run:
        expect_cut_off(folder, run, kill_rank(run, 2), "run.h5", "Killed")


def test_rank_0_is_killed(folder):
    with long_run(folder, ROWS) as run:
        expect_cut_off(folder, run, kill_rank(run, 0), "run.h5", "Killed", "somnus recover")


@each({f"{name}, {ranks} ranks": (number, ranks) for ranks in (3, 1)
       for name, number in (("terminated", signal.SIGTERM), ("interrupted", signal.SIGINT))})
def test_the_program_is(folder, case):
    number, ranks = case
    with long_run(folder, ROWS, ranks=ranks) as run:
        expect_cut_off(folder, run, lambda: run.signal(number), "stopped", "run.h5")


def test_the_program_without_mpi_is_killed(folder):
    with long_run(folder, ROWS, ranks=1) as run:
        expect_cut_off(folder, run, lambda: run.signal(signal.SIGKILL), code=-signal.SIGKILL)


def test_rank_0_is_terminated_under_plain_mpirun(folder):
    with long_run(folder, ROWS, mpi_ranks=3) as run:
        expect_cut_off(folder, run, kill_rank(run, 0, signal.SIGTERM), "Terminated", "run.h5")


def test_a_worker_rank_is_killed_under_plain_mpirun(folder):
    # Who mpirun kills is for mpirun to say: its exit code is the signal's.
    with long_run(folder, ROWS, mpi_ranks=3) as run:
        expect_cut_off(folder, run, kill_rank(run, 1), "signal 9", code=128 + signal.SIGKILL)
