"""Runs over real MPI: decided again from its log, each gives the same, and its audit is clean."""

from logs import FAILED, LOST, emulated, mixed_jobs, rows, write_config, write_workload
from somnus_program import each, expect, expect_equal

import h5py

HEARTBEAT = 'feedback = "heartbeat"'
DELAYS = '[heartbeat]\ninterval_s = 0.2\n[network]\ndelay_ms = 4\njitter = 0.5\n'
THREADS = '[run]\nexecutor = "thread"\n'
JVM = '[jvm]\nmodel = "reuse"\nfactor = 1.5\n'
FAILURES = '[faults]\ntask_failure_probability = 0.3\n'
NODE_LOST = ('[[faults.event]]\nat_s = 0.5\nnode = 1\nkind = "node-lost"\n'
             '[[faults.event]]\nat_s = 1.0\nnode = 1\nkind = "node-returned"\n')


def emulate(folder, ranks=3, mpi_ranks=0, jobs=None, **config):
    """A run that must end well: returns its log, in which every task has finished."""
    jobs = jobs or mixed_jobs()
    write_workload(folder, jobs)
    log = emulated(folder, jobs, write_config(folder, **config), ranks, mpi_ranks)
    with h5py.File(log, "r") as file:
        expect_equal(int(file.attrs["ranks"]), max(2, mpi_ranks or ranks), "ranks in the log")
    return log


def count(log, column, value):
    return int((rows(log, "tasks")[column] == value).sum())


@each({
    "alone, a worker in a thread": dict(ranks=1),
    "alone, a worker in a thread, a thread a slot": dict(ranks=1, more=THREADS),
    "one worker rank, a thread a slot": dict(ranks=2, policy="srpt", more=THREADS),
    "two worker ranks, heartbeats over a slow network":
        dict(ranks=3, scheduler=HEARTBEAT, more=DELAYS),
    "four worker ranks": dict(ranks=5, policy="cfq", nodes=7),
    "as many worker ranks as nodes": dict(ranks=4, policy="fifo", nodes=3, slots=3),
    "plain mpirun": dict(mpi_ranks=3),
    "plain mpirun, one rank": dict(mpi_ranks=1, policy="cfq"),
    "plain mpirun, all at once": dict(mpi_ranks=3, policy="fair", scheduler=HEARTBEAT,
                                      more=DELAYS + JVM + FAILURES + NODE_LOST),
})
def test_replays_and_checks_clean(folder, world):
    emulate(folder, **world)


def test_warm_slots_are_reused(folder):
    log = emulate(folder, more=JVM, jobs=mixed_jobs(16))
    expect(count(log, "warm", 1) > 0, "no task found a warm slot")
    expect(count(log, "warm", 0) >= 2, "two applications, but fewer than two cold starts")
    tasks = rows(log, "tasks")
    cold = tasks[tasks["warm"] == 0]
    expect((cold["intended"] > 1.49 * cold["nominal"]).all(), "a cold task was not slowed down")


def test_failed_tasks_are_tried_again(folder):
    log = emulate(folder, more=FAILURES)
    expect(count(log, "outcome", FAILED) > 0, "of many attempts with p = 0.3 none has failed")


def test_tasks_of_a_lost_node_run_elsewhere(folder):
    # Each task outlasts the node, whose two slots are taken from the start.
    jobs = [{"job": f"j{at}", "submit": 0, "durations": [0.9, 0.9]} for at in range(6)]
    log = emulate(folder, more=NODE_LOST, jobs=jobs)
    expect_equal(count(log, "outcome", LOST), 2, "attempts lost with their node")
