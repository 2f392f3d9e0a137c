"""The log that a killed run leaves is sound: rank 0 is killed at a drawn moment, among faults, queues
and backups, and recover, check, replay and summary find nothing wrong with what was flushed.

CI tries some kinds of worlds, --seeds 200 all of them in turn.
"""

import os
import random
import signal
import time

from logs import expect_recoverable, mixed_jobs, open_cut_off, row_count, running, write_config, write_workload
from somnus_program import FINE, expect, somnus

FAULTS = """
[faults]
node_mtbf_s = 8
node_repair_s = 1
straggler_probability = 0.2
straggler_factor = 5
task_failure_probability = 0.1
"""
FOUND_OUT = FAULTS + "missed_heartbeats = 4\ncut_off_share = 0.4\nheartbeat_loss_probability = 0.1\n"
BEATS = "[heartbeat]\ninterval_s = 0.2\n"
BACKUPS = "[speculation]\nslowdown = 1.2\nquantile = 0.3\nleast_s = 0\n"
JVM = '[jvm]\nmodel = "reuse"\nfactor = 2\n'
WORLDS = {
    "fair, nodes that are given up": dict(policy="fair", more=FOUND_OUT + BEATS + JVM),
    "backups": dict(policy="cfq", more=FAULTS + BACKUPS + JVM),
    "queues": dict(policy="yaq-c", more=FOUND_OUT + BEATS + BACKUPS),
    "fair, faults that are reported": dict(policy="uwfq", more=FAULTS + JVM),
    "reservations": dict(policy="sparrow", more=FOUND_OUT + BEATS),
    "each job's own view of nodes": dict(policy="yaq-d", more=FOUND_OUT + BEATS),
    "probes": dict(policy="mercury", more=FAULTS + BEATS),
    "targets": dict(policy="carbyne", more=FOUND_OUT + BEATS + "[log]\nsample_interval_s = 0.1\n"),
}
SPEED = 8


def jobs_of() -> list[dict]:
    jobs = mixed_jobs(count=120, gap_s=0.5, task_s=1.2)
    for at, job in enumerate(jobs):
        if at % 5 == 4:
            job.update(after=jobs[at - 1]["job"], think=0.25)
    return jobs


def seeds():
    return range(3)


def test_a_killed_run_leaves_a_sound_log(folder, seed):
    dice = random.Random(seed)
    world = dict(list(WORLDS.values())[seed % len(WORLDS)])
    world["more"] += f"[run]\nseed = {seed}\nspeed = {SPEED}\n"
    write_workload(folder, jobs_of())
    config = write_config(folder, **world)
    log = folder / "run.h5"
    with running(folder, config, rows=4) as run:
        time.sleep(dice.uniform(0, 4))  # any moment will do
        seen = row_count(log)
        os.kill(run.ranks()[0], signal.SIGKILL)
        run.wait(30)
    with open_cut_off(log) as file:
        uncertain = file["ranks"]["clock_uncertainty"][1:]
    expect(all(uncertain > 0), f"clocks are said to be certain within {uncertain} s")
    somnus(folder, "check", log).expect(FINE, "holds")  # as it was left
    somnus(folder, "summary", log).expect(FINE)
    expect_recoverable(folder, log, seen)
    somnus(folder, "summary", log).expect(FINE)
