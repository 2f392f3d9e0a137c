"""The user's mistakes, found under mpirun: told once, by one rank, with exit code 2 and no log."""

import helpers  # noqa: F401  must come first
from logs import mixed_jobs, write_config, write_workload
from somnus_program import MISTAKE, Checks, expect_equal, somnus

checks = Checks()


def expect_told_once(folder, config, words, **how):
    ended = somnus(folder, "run", config, "--log", "run.h5", **how).expect(MISTAKE)
    expect_equal((ended.out + ended.err).count(words), 1, f"times that it said {words!r}")
    left = sorted(path.name for path in folder.iterdir())
    expect_equal(left, ["config.toml", "workload.jsonl"], "files")


HOW = {"under mpirun": dict(mpi_ranks=3), "on its own": {}}


@checks.each(HOW)
def a_bad_config(folder, how):
    write_workload(folder, mixed_jobs(2))
    config = write_config(folder, policy="faire")
    expect_told_once(folder, config, "config.toml:6:10: scheduler.policy", **how)


@checks.each(HOW)
def a_bad_workload(folder, how):
    write_workload(folder, [{"job": "a", "submit": 0, "durations": [-1]}])
    expect_told_once(folder, write_config(folder), "workload.jsonl:2:", **how)


@checks.add
def an_option_that_nobody_knows(folder):
    write_workload(folder, mixed_jobs(2))
    config = write_config(folder)
    somnus(folder, "run", config, "--sped", 3, mpi_ranks=3).expect(MISTAKE, "--sped")


if __name__ == "__main__":
    checks.main()
