"""Ranks whose monotonic clocks are minutes apart, as those of hosts that were booted at other times:
the offsets are found, and nothing else of the run is any different.

Each rank has a time namespace of its own, for which one must be root.
"""

import subprocess

from logs import expect_clean, finished_tasks, mixed_jobs, tasks_of, write_config, write_workload
from somnus_program import FINE, Run, each, expect, expect_equal, program, somnus

import h5py
import pytest


def shifted(seconds: float, *command) -> list[str]:
    return ["unshare", "--time", "--monotonic", str(seconds), *map(str, command)]


def may_shift() -> bool:
    tried = subprocess.run(shifted(300, "cat", "/proc/self/timens_offsets"), capture_output=True,
                           text=True)
    return tried.returncode == 0 and "300" in tried.stdout


def under_mpirun(folder, clocks, *words):
    """One rank for each clock, that many seconds ahead."""
    command = ["mpirun"]
    for at, seconds in enumerate(clocks):
        command += [":"] * (at > 0) + ["-np", "1", *shifted(seconds, program(), *words)]
    with Run(list(map(str, command)), folder) as run:
        ended = run.wait()
        return ended


@pytest.mark.skipif(not may_shift(), reason="no right to make a time namespace")
@each({
    "workers ahead of rank 0": [0, 300, 7200],
    "workers behind it": [3600, 0, 120],
})
def test_clocks_are_apart(folder, clocks):
    jobs = mixed_jobs(count=30)
    write_workload(folder, jobs)
    heartbeats = "[heartbeat]\ninterval_s = 0.1\n"
    config = write_config(folder, policy="cfq", scheduler='feedback = "heartbeat"\n', more=heartbeats)
    log, simulated = folder / "run.h5", folder / "simulated.h5"
    under_mpirun(folder, clocks, "run", config, "--log", log, "-q").expect(FINE)
    somnus(folder, "simulate", config, "--log", simulated, "-q").expect(FINE)
    expect_clean(folder, log)
    expect_equal(len(finished_tasks(log)), tasks_of(jobs), "tasks that finished")
    with h5py.File(log, "r") as file, h5py.File(simulated, "r") as other:
        for row in file["ranks"][()]:
            if row["rank"] == 0:
                continue
            # It is one clock in truth, so the offsets are exact.
            apart = clocks[row["rank"]] - clocks[0]
            off = abs(row["clock_offset"] - apart)
            expect(off <= row["clock_uncertainty"] + 1e-9,
                   f"rank {row['rank']}: offset {row['clock_offset']}, is {apart} "
                   f"+- {row['clock_uncertainty']}")
            expect(row["clock_uncertainty"] < 0.1, f"uncertainty {row['clock_uncertainty']}")
        ends = [one["jobs"]["finish"].max() for one in (file, other)]
        expect(abs(ends[0] - ends[1]) < 2, f"the run took {ends[0]} s, its simulation {ends[1]}")
