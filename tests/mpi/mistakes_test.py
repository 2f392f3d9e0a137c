"""The user's mistakes, found under mpirun: printed once, by one rank, exit code 2, no log."""

import os

from logs import mixed_jobs, write_config, write_workload
from somnus_program import FINE, MISTAKE, WORLD, Run, each, expect, expect_equal, program, somnus


def expect_reported_once(folder, config, words, **how):
    ended = somnus(folder, "run", config, "--log", "run.h5", **how).expect(MISTAKE)
    expect_equal((ended.out + ended.err).count(words), 1, f"times that it said {words!r}")
    left = sorted(path.name for path in folder.iterdir())
    expect_equal(left, ["config.toml", "workload.jsonl"], "files")


HOW = {"under mpirun": dict(mpi_ranks=3), "on its own": {}}


@each(HOW)
def test_a_bad_config(folder, how):
    write_workload(folder, mixed_jobs(2))
    config = write_config(folder, policy="faire")
    expect_reported_once(folder, config, "config.toml:6:10: scheduler.policy", **how)


@each(HOW)
def test_a_bad_workload(folder, how):
    write_workload(folder, [{"job": "a", "submit": 0, "durations": [-1]}])
    expect_reported_once(folder, write_config(folder), "workload.jsonl:2:", **how)


@each({"under mpirun": (dict(mpi_ranks=4), ()), "on its own": ({}, ("--ranks", 4))})
def test_more_ranks_than_nodes(folder, how):
    run_by, options = how
    write_workload(folder, mixed_jobs(2))
    ended = somnus(folder, "run", write_config(folder, nodes=2), "--log", "run.h5", *options, **run_by).expect(MISTAKE)
    expect_equal(ended.err.count("has 4 ranks for 2 nodes; start at most 3"), 1, f"times that it said so; {ended.err}")
    expect(not (folder / "run.h5").exists(), "there is a log")


def test_an_option_that_nobody_knows(folder):
    write_workload(folder, mixed_jobs(2))
    config = write_config(folder)
    somnus(folder, "run", config, "--sped", 3, mpi_ranks=3).expect(MISTAKE, "--sped")


def test_a_launcher_of_another_mpi(folder):
    """It starts ranks that do not find each other; by its variables they know that there are others."""
    write_workload(folder, mixed_jobs(2))
    config = write_config(folder)
    for rank in range(3):
        alone = ["env", f"PMI_RANK={rank}", "PMI_SIZE=3", program(), "run", str(config), "--log", "run.h5"]
        with Run(alone, folder) as run:
            ended = run.wait().expect(MISTAKE)
        said = "3 ranks were started, and each finds itself alone: this program was built with"
        expect_equal(ended.err.count(said), int(rank == 0), f"times that rank {rank} said it; {ended.err}")
    expect(not (folder / "run.h5").exists(), "there is a log")


def test_one_rank_of_another_mpi_is_what_was_asked_for(folder):
    write_workload(folder, mixed_jobs(2, task_s=0.01))
    alone = ["env", "PMI_RANK=0", "PMI_SIZE=1", program(), "run", str(write_config(folder)), "--quiet"]
    with Run(alone, folder) as run:
        run.wait().expect(FINE)


def test_an_mpirun_that_takes_other_words(folder):
    write_workload(folder, mixed_jobs(2))
    other = folder / "bin/mpirun"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\necho unrecognized argument quiet >&2\nexit 255\n")
    other.chmod(0o755)
    run_it = ["env", f"PATH={other.parent}:{os.environ['PATH']}", program(), "run",
              str(write_config(folder)), "--ranks", "3"]
    with Run(run_it, folder) as run:
        run.wait().expect(WORLD, "mpirun ended with exit code 255; is it that of Open MPI v")
