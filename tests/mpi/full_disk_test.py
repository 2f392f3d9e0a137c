"""A log that meets the end of its disk: the run says so and keeps what was written."""

import os
import resource
import subprocess
from contextlib import contextmanager

import pytest

from logs import expect_recoverable, write_config, write_workload
from somnus_program import FINE, WORLD, each, expect, somnus, start

# A task takes some 150 bytes in the log: 20,000 tasks/s fill it in two seconds, four flushes.
LIMIT_BYTES = 6 << 20
JOBS = [{"job": f"j{at}", "submit": at * 0.1, "stages": [{"tasks": 2000, "duration": 0.001}]}
        for at in range(200)]


def limit_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT_BYTES, LIMIT_BYTES))


def write_busy_world(folder):
    write_workload(folder, JOBS)
    return write_config(folder, nodes=50, slots=8, policy="fifo", more="[log]\ncompression = 0\n")


def expect_reported(run, *words):
    run.wait(60).expect(WORLD, "run.h5", *words)
    run.expect_nobody_left()


@each({"without MPI": 1, "with two worker ranks": 3})
def test_a_file_may_not_grow(folder, ranks):
    config = write_busy_world(folder)
    with start(folder, "run", config, "--log", "run.h5", "-q", "--ranks", ranks,
               preexec=limit_file_size) as run:
        expect_reported(run, "File too large")
    expect_recoverable(folder, folder / "run.h5", rows=1)


def test_simulate_tells_it_too(folder):
    config = write_busy_world(folder)
    with start(folder, "simulate", config, "--log", "run.h5", "-q",
               preexec=limit_file_size) as run:
        expect_reported(run, "File too large")
    # It may have been too fast for a single flush; what is there is sound all the same.
    somnus(folder, "recover", "run.h5").expect(FINE)
    somnus(folder, "check", "run.h5").expect(FINE)


@contextmanager
def tiny_disk(folder):
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={LIMIT_BYTES}", "none", folder],
                   check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def may_mount(folder):
    try:
        with tiny_disk(folder / "try"):
            return True
    except (subprocess.CalledProcessError, OSError):
        return False


def test_a_disk_is_full(folder):
    if os.geteuid() != 0 or not may_mount(folder):
        pytest.skip("nobody may mount here")
    config = write_busy_world(folder)
    with tiny_disk(folder / "disk") as disk:
        with start(folder, "run", config, "--log", disk / "run.h5", "-q", "--ranks", 3) as run:
            expect_reported(run, "No space left")
        # The disk is still full: recovery changes the log in place.
        expect((disk / "run.h5").stat().st_size > 0, "an empty log")
        expect_recoverable(folder, disk / "run.h5", rows=1)
