"""Every run comes to its end in time: whatever a worker still had to say when it was asked to stop,
and when there was nothing to emulate after all."""

import os
import signal
import time

from logs import long_jobs, row_count, write_config, write_workload
from somnus_program import FINE, WORLD, each, expect_equal, somnus, start

import h5py

MOST_S = 40
HOW = {"on its own": dict(more=["--ranks", 3]), "under mpirun": dict(more=[], mpi_ranks=3)}


@each(HOW)
def test_while_workers_have_much_to_say(folder, how):
    # Rank 0 says stop while rank 1 stands still. When that goes on it has thousands of heartbeats
    # to report, in a packet so long that it only leaves once somebody receives it.
    write_workload(folder, long_jobs(tasks=700, task_s=5000))
    config = write_config(folder, nodes=400, policy="yarn",
                          more="[run]\nspeed = 500\nuntil_s = 2000\n")
    log = folder / "run.h5"
    with start(folder, "run", config, "--log", log, "-q", *how["more"],
               mpi_ranks=how.get("mpi_ranks", 0)) as run:
        run.until(lambda: row_count(log, "samples") > 1, "it ran")
        worker = run.ranks()[1]
        os.kill(worker, signal.SIGSTOP)
        time.sleep(6)  # the run is over after 4 s
        os.kill(worker, signal.SIGCONT)
        run.wait(MOST_S).expect(FINE)
    with h5py.File(log, "r") as file:
        expect_equal(int(file.attrs["complete"]), 1, "complete")


@each(HOW)
def test_with_a_log_that_can_not_be_created(folder, how):
    write_workload(folder, long_jobs())
    config = write_config(folder)
    before = sorted(folder.rglob("*"))
    somnus(folder, "run", config, "--log", "none/run.h5", "-q", *how["more"], timeout_s=MOST_S,
           mpi_ranks=how.get("mpi_ranks", 0)).expect(
               WORLD, "none/run.h5", "No such file or directory")
    expect_equal(sorted(folder.rglob("*")), before, "files")
