"""Who starts a run may go at any moment, and what it runs on may run out: it ends soon, says why, and
leaves neither processes nor files behind."""

import os
import resource
import shutil
import signal
import tempfile
import time
from pathlib import Path

import pytest

from logs import expect_recoverable, long_jobs, long_run, write_config, write_workload
from somnus_program import WORLD, each, expect, program, somnus, start

ROWS = 20


def temporary_files():
    return {path.name for path in Path(tempfile.gettempdir()).glob("somnus-exit*")}


def test_the_program_is_killed(folder):
    before = temporary_files()
    with long_run(folder, ROWS) as run:
        run.signal(signal.SIGKILL)
        run.wait(10)
        run.expect_nobody_left(8)
    expect(temporary_files() <= before, f"left behind: {temporary_files() - before}")
    expect_recoverable(folder, folder / "run.h5", ROWS)


@each({"started by the program": {}, "started by the user": dict(mpi_ranks=3)})
def test_mpirun_is_killed(folder, how):
    with long_run(folder, ROWS, **how) as run:
        os.kill(run.mpirun(), signal.SIGKILL)
        ended = run.wait(10)
        expect(ended.code in (WORLD, -signal.SIGKILL), f"exit code {ended.code}")
        run.expect_nobody_left(8)
    expect_recoverable(folder, folder / "run.h5", ROWS)


@each({"MPI": 3, "threads": 1})
def test_the_terminal_is_gone(folder, ranks):
    with long_run(folder, ROWS, ranks=ranks) as run:
        run.signal(signal.SIGHUP)
        run.wait(10).expect(WORLD, "stopped", "run.h5")
    expect_recoverable(folder, folder / "run.h5", ROWS)


def test_asked_twice_it_ends_at_once(folder):
    with long_run(folder, ROWS, ranks=1) as run:
        run.signal(signal.SIGSTOP)  # so that both come together
        run.signal(signal.SIGINT)
        run.signal(signal.SIGTERM)
        run.signal(signal.SIGCONT)
        run.wait(5).expect(WORLD, "asked to end again")
    expect_recoverable(folder, folder / "run.h5", ROWS)


@each({f"after {after_s} s": after_s for after_s in (0.1, 0.4)})
def test_a_signal_before_anything_has_happened(folder, after_s):
    write_workload(folder, long_jobs())
    command = ("run", write_config(folder), "--log", "run.h5", "-q", "--ranks", 3)
    with start(folder, *command) as run:
        run.until(lambda: run.mpirun() is not None, "mpirun lived")
        time.sleep(after_s)
        run.signal(signal.SIGTERM)
        run.wait(10).expect(WORLD, "stopped")
    if (folder / "run.h5").exists():
        somnus(folder, "check", "run.h5").expect(0)


@each({"MPI": 3, "threads": 1})
def test_the_folder_of_the_log_is_removed(folder, ranks):
    logs = folder / "logs"
    logs.mkdir()
    with long_run(folder, ROWS, log="logs/run.h5", ranks=ranks) as run:
        shutil.rmtree(logs)
        run.wait(10).expect(WORLD, "logs/run.h5", "the file has been removed or replaced")


def test_memory_runs_out(folder):
    if b"__asan_init" in Path(program()).read_bytes():
        pytest.skip("with a sanitizer the program takes up terabytes of addresses")

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (200 << 20, 200 << 20))

    write_workload(folder, long_jobs(tasks=20_000_000))
    config = write_config(folder)
    with start(folder, "run", config, "--log", "run.h5", "-q", "--ranks", 1, preexec=limit) as run:
        run.wait(30).expect(WORLD, "out of memory")
    expect(not (folder / "run.h5").exists(), "a log of a run that never began")
