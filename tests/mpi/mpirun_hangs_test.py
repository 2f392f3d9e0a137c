"""An mpirun that is stopped, or hangs for want of something, holds nobody up: the run ends in time, says
what happened, and nobody is left, even if the program that started it is killed."""

import os
import resource
import shlex
import shutil
import signal
import time
from pathlib import Path

from logs import (expect_clean, expect_recoverable, long_jobs, mixed_jobs, wait_for_rows,
                  write_config, write_workload)
from somnus_program import FINE, WORLD, each, expect, start

HOST = os.uname().nodename
START_LIMIT_S = 2
os.environ["SOMNUS_START_LIMIT_S"] = str(START_LIMIT_S)
MOST_AT_START_S = START_LIMIT_S + 10  # the machine may be busy
SHORT = "[run]\nsilence_s = 2\n"


def begin(folder, jobs, **how):
    write_workload(folder, jobs)
    config = write_config(folder, more=SHORT)
    return start(folder, "run", config, "--log", "run.h5", "-q", "--ranks", 3, **how)


def stop_mpirun(run, after_s=0):
    run.until(lambda: run.mpirun() is not None, "mpirun lived")
    time.sleep(after_s)
    pid = run.mpirun()
    os.kill(pid, signal.SIGSTOP)
    return pid


def begin_with_mpirun_stopped(folder):
    """mpirun stops itself before it does anything, so that no rank is ever quicker than the stop."""
    bin_folder = folder / "bin"
    bin_folder.mkdir()
    script = bin_folder / "mpirun"
    real = shlex.quote(shutil.which("mpirun"))
    script.write_text(f'#!/bin/sh\necho $$ > {folder}/mpirun.pid.new\n'
                      f'mv {folder}/mpirun.pid.new {folder}/mpirun.pid\nkill -STOP $$\n'
                      f'exec {real} "$@"\n')
    script.chmod(0o755)
    return begin(folder, long_jobs(), environment={"PATH": f"{bin_folder}:{os.environ['PATH']}"})


def stopped_mpirun(run, folder):
    def stopped():
        file = folder / "mpirun.pid"
        if not file.exists():
            return False
        status = Path(f"/proc/{file.read_text().strip()}/stat").read_text()
        return status.rpartition(")")[2].split()[0] == "T"
    run.until(stopped, "mpirun was stopped")
    return int((folder / "mpirun.pid").read_text())


def expect_no_log(folder):
    expect(not (folder / "run.h5").exists(), "a log of a run that never began")


def test_stopped_before_it_has_started_the_ranks(folder):
    with begin_with_mpirun_stopped(folder) as run:
        pid = stopped_mpirun(run, folder)
        run.wait(MOST_AT_START_S).expect(
            WORLD, f"mpirun has not started ranks 0, 1, 2 within {START_LIMIT_S} s: "
                   f"it is stopped (process {pid})")
    expect_no_log(folder)


@each({f"after {after_s} s": after_s for after_s in (0.0, 0.1, 0.4)})
def test_stopped_while_ranks_start(folder, after_s):
    with begin(folder, mixed_jobs(4)) as run:
        pid = stop_mpirun(run, after_s)
        ended = run.wait(MOST_AT_START_S)
        expect(ended.code in (FINE, WORLD), f"exit code {ended.code}: {ended.err}")
        expect(f"process {pid}) is stopped" in ended.err or f"is stopped (process {pid})" in ended.err,
               f"it is not said that mpirun is stopped: {ended.err}")


@each({"few open files": (resource.RLIMIT_NOFILE, 24, "ulimit -n 24"),
       "short files": (resource.RLIMIT_FSIZE, 3000 << 10, "ulimit -f 3000")})
def test_a_limit_of_the_shell_under_which_MPI_hangs(folder, limit):
    what, most, words = limit
    write_workload(folder, mixed_jobs(4))
    config = write_config(folder)
    with start(folder, "run", config, "--log", "run.h5", "-q", "--ranks", 3,
               preexec=lambda: resource.setrlimit(what, (most, most))) as run:
        run.wait(MOST_AT_START_S).expect(WORLD, words)


def test_stopped_when_the_program_is_killed(folder):
    with begin_with_mpirun_stopped(folder) as run:
        stopped_mpirun(run, folder)
        run.signal(signal.SIGKILL)
        run.wait()
        run.expect_nobody_left(8)


def test_stopped_in_mid_run_when_the_program_is_killed(folder):
    with begin(folder, long_jobs()) as run:
        wait_for_rows(run, folder / "run.h5", 5)
        stop_mpirun(run)
        run.signal(signal.SIGKILL)
        run.wait()
        run.expect_nobody_left(8)
    expect_recoverable(folder, folder / "run.h5", 5)


def test_stopped_in_mid_run_it_is_continued_for_the_end(folder):
    with begin(folder, mixed_jobs(24)) as run:
        wait_for_rows(run, folder / "run.h5", 1)
        pid = stop_mpirun(run)
        run.wait(30).expect(FINE, f"mpirun (process {pid}) is stopped, and is continued")
    expect_clean(folder, folder / "run.h5")


def test_stopped_in_mid_run_the_program_can_be_asked_to_end(folder):
    with begin(folder, long_jobs()) as run:
        wait_for_rows(run, folder / "run.h5", 5)
        pid = stop_mpirun(run)
        run.signal(signal.SIGTERM)
        run.wait(8).expect(WORLD, "stopped", f"mpirun (process {pid}) is stopped")
    expect_recoverable(folder, folder / "run.h5", 5)


def test_asked_to_end_before_it_has_started_the_ranks(folder):
    with begin_with_mpirun_stopped(folder) as run:
        stopped_mpirun(run, folder)
        run.signal(signal.SIGTERM)
        run.wait(8).expect(WORLD, "stopped")
    expect_no_log(folder)


@each({"by the program": {}, "by the user": dict(mpi_ranks=3)})
def test_a_rank_that_is_stopped_at_its_start_is_named(folder, how):
    write_workload(folder, long_jobs())
    config = write_config(folder, more=SHORT)
    more = [] if how else ["--ranks", 3]
    with start(folder, "run", config, "--log", "run.h5", "-q", *more, **how) as run:
        run.until(lambda: 1 in run.ranks(), "rank 1 lived")
        pid = run.ranks()[1]
        os.kill(pid, signal.SIGSTOP)
        ended = run.wait(MOST_AT_START_S + 5)
    said = ended.out + ended.err
    expect(f"rank 1 (host {HOST}, process {pid}) is stopped" in said  # MPI waits for it
           or "rank 1 has not come" in said or f"rank 1 (host {HOST}) is lost" in said, said)


def test_a_rank_that_is_killed_is_named(folder):
    for rank in (2, 0):
        with begin(folder, long_jobs()) as run:
            wait_for_rows(run, folder / "run.h5", 5)
            os.kill(run.ranks()[rank], signal.SIGKILL)
            run.wait(30).expect(WORLD, f"rank {rank} (host {HOST}) was killed (Killed)")
        (folder / "run.h5").unlink()
