"""One config and seed, emulated and simulated: the same work is done. Nothing is said of timing."""

from logs import FINISHED, finished_tasks, mixed_jobs, rows, tasks_of, write_config, write_workload
from somnus_program import FINE, each, expect, expect_equal, somnus

import h5py
import numpy


def by_task(log):
    """The rows of /tasks that finished, in order of task."""
    tasks = rows(log, "tasks")
    tasks = tasks[tasks["outcome"] == FINISHED]
    return tasks[numpy.lexsort((tasks["index"], tasks["stage"], tasks["job"]))]


@each({
    "fair": dict(policy="fair"),
    "cfq with bad estimates, on three nodes":
        dict(policy="cfq", nodes=3, more='[estimate]\nmodel = "uniform"\n'),
})
def test_run_and_simulate_do_the_same_work(folder, world):
    jobs = mixed_jobs()
    write_workload(folder, jobs)
    config = write_config(folder, **world)
    run, simulated = folder / "run.h5", folder / "simulated.h5"
    somnus(folder, "simulate", config, "--log", simulated, "-q", "--seed", 7).expect(FINE)
    somnus(folder, "run", config, "--log", run, "-q", "--seed", 7, "--ranks", 3).expect(FINE)

    expect_equal(len(finished_tasks(run)), tasks_of(jobs), "tasks that finished")
    expect_equal(finished_tasks(run), finished_tasks(simulated), "tasks that finished")
    emulated, virtual = by_task(run), by_task(simulated)
    expect((emulated["nominal"] == virtual["nominal"]).all(), "nominal times differ")

    took = emulated["finish"] - emulated["start"]
    early = took < emulated["intended"] - 1e-6  # a real microsecond, for speed is 1
    expect(not early.any(), f"slept too little: {emulated[early]}")

    with h5py.File(run, "r") as one, h5py.File(simulated, "r") as other:
        for attribute in ("workload_digest", "workload_name", "seed"):
            expect_equal(one.attrs[attribute], other.attrs[attribute], attribute)
        for column in ("job", "user", "submit", "tasks", "stages", "slot_time", "estimate",
                       "critical_path", "state"):
            same = (one["jobs"][column] == other["jobs"][column]).all()
            expect(same, f"/jobs {column} differs between run and simulate")
