"""Faults that are emulated: a run and a simulation with the same seed lose the same nodes at the same
moments, and a run in which everything goes wrong keeps every invariant and is decided again."""

from logs import (FINISHED, KILLED, UNFINISHED, expect_clean, finished_tasks, mixed_jobs, rows,
                  slow_node, tasks_of, write_config, write_workload)
from somnus_program import FINE, expect, expect_equal, somnus

FAULTS = """
[faults]
seed = 5
node_mtbf_s = 4
node_repair_s = 0.7
straggler_probability = 0.1
slow_node_probability = 0.25
task_failure_probability = 0.1
"""
# A node that is cut off for two seconds is given up, and what it did meanwhile is refused.
FOUND_OUT = """
missed_heartbeats = 4
heartbeat_loss_probability = 0.1
[[faults.event]]
at_s = 0.6
node = 1
kind = "node-cut-off"
for_s = 2
[heartbeat]
interval_s = 0.2
"""
LATE_S = 1.0  # the machine may be busy with something else


def losses(log):
    """(time, node, kind) of what the scheduler heard of nodes, in order."""
    return sorted((float(row["time"]), int(row["node"]), kind)
                  for kind in ("node_lost", "node_returned") for row in rows(log, f"events/{kind}"))


def both(folder, more, policy="fair"):
    jobs = mixed_jobs(count=24, gap_s=0.25, task_s=0.4)
    write_workload(folder, jobs)
    config = write_config(folder, policy=policy, more=more)
    run, simulated = folder / "run.h5", folder / "simulated.h5"
    somnus(folder, "simulate", config, "--log", simulated, "-q").expect(FINE)
    somnus(folder, "run", config, "--log", run, "-q", "--ranks", 3).expect(FINE)
    for log in (run, simulated):
        expect_equal(len(finished_tasks(log)), tasks_of(jobs), f"tasks of {log.name} that finished")
        expect_clean(folder, log)
        somnus(folder, "replay", log).expect(FINE)
    return run, simulated


def test_run_and_simulate_lose_the_same_nodes_at_the_same_moments(folder):
    run, simulated = both(folder, FAULTS)
    emulated, virtual = losses(run), losses(simulated)
    common = min(len(emulated), len(virtual))
    expect(common >= 4, f"nodes were hardly ever lost: {virtual}")
    for node in range(4):
        of_node = [[each for each in all_of if each[1] == node][: common // 4]
                   for all_of in (emulated, virtual)]
        for (heard, _, kind), (due, _, same_kind) in zip(*of_node):
            expect_equal(kind, same_kind, f"node {node} at {due} s")
            expect(-1e-3 <= heard - due <= LATE_S, f"node {node}: {kind} at {heard} s for {due} s")


def test_a_node_that_is_cut_off_is_given_up_and_begins_anew(folder):
    run, simulated = both(folder, FAULTS + FOUND_OUT)
    for log in (run, simulated):
        of_node = [(time, kind) for time, node, kind in losses(log) if node == 1]
        given_up = [time for time, kind in of_node if kind == "node_lost" and time > 0.6]
        expect(given_up and given_up[0] <= 1.4 + 0.2 + LATE_S, f"{log.name}: node 1 {of_node}")


SLOW_NODE = slow_node(20) + "[speculation]\nslowdown = 1.5\nleast_s = 0\n"


def test_a_straggler_is_killed_when_its_backup_has_finished(folder):
    """On a node of another rank: it would have slept for 20 s."""
    write_workload(folder, [{"job": "four", "submit": 0, "durations": [1, 1, 1, 1]}])
    (folder / "config.toml").write_text(SLOW_NODE)
    run, simulated = folder / "run.h5", folder / "simulated.h5"
    somnus(folder, "simulate", "config.toml", "--log", simulated, "-q").expect(FINE)
    somnus(folder, "run", "config.toml", "--log", run, "-q", "--ranks", 3).expect(FINE)
    ends = {}
    for log in (run, simulated):
        expect_clean(folder, log)
        tasks, [scheduler] = rows(log, "tasks"), rows(log, "scheduler")
        ends[log] = sorted(tasks[["index", "attempt", "node", "outcome"]].tolist())
        killed = tasks[tasks["outcome"] == KILLED]
        ran = (killed["finish"] - killed["start"]).tolist()
        expect_equal((int(scheduler["backups"]), int(scheduler["backups_won"])), (1, 1),
                     f"backups in {log.name}")
        expect(len(ran) == 1 and 2.5 - 1e-3 <= ran[0] <= 2.5 + LATE_S, f"{log.name}: killed {ran}")
        expect(abs(float(scheduler["wasted"]) - ran[0]) < 1e-6, f"{log.name}: {scheduler}")
    expect_equal(ends[run], ends[simulated], "attempts, their nodes and outcomes")


def test_nobody_waits_for_the_end_of_a_straggler_that_cannot_be_reached(folder):
    write_workload(folder, [{"job": "four", "submit": 0, "durations": [1, 1, 1, 1]}])
    (folder / "config.toml").write_text(
        SLOW_NODE + '[[faults.event]]\nat_s = 1.2\nnode = 3\nkind = "node-cut-off"\n')
    for command in (["simulate"], ["run", "--ranks", 3]):
        log = folder / f"{command[0]}.h5"
        somnus(folder, command[0], "config.toml", "--log", log, "-q", *command[1:]).expect(FINE)
        expect_clean(folder, log)
        expect_equal(sorted(rows(log, "tasks")[["index", "attempt", "outcome"]].tolist())[3:],
                     [(3, 0, UNFINISHED), (3, 1, FINISHED)], f"attempts in {log.name}")
