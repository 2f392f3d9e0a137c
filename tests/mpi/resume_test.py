"""A run that was cut off goes on: killed at drawn moments, resumed with other numbers of ranks, and in
the end one log, which check and replay take for the log of one run, with each task finished once.

A seed draws the moments; CI tries some kinds of worlds, --seeds 11 all of them.
"""

import os
import random
import signal
import time

from logs import (UNFINISHED, expect_clean, finished_tasks, mixed_jobs, open_cut_off, row_count,
                  running, tasks_of, write_config, write_workload)
from somnus_program import FINE, MISTAKE, WORLD, expect, expect_equal, somnus, start

import h5py

JOBS = dict(count=30, gap_s=0.25, task_s=0.5)  # some eight seconds

YAQ = '[heartbeat]\ninterval_s = 0.3\n'
FAULTS = """
[faults]
seed = 5
node_mtbf_s = 4
node_repair_s = 0.7
straggler_probability = 0.1
task_failure_probability = 0.1
"""
FOUND_OUT = FAULTS + """
missed_heartbeats = 3
heartbeat_loss_probability = 0.1
cut_off_share = 0.3
[heartbeat]
interval_s = 0.2
"""
BACKUPS = FAULTS + """
straggler_factor = 8
[speculation]
slowdown = 1.2
quantile = 0.3
least_s = 0
"""
WORLDS = {
    "fair": dict(policy="fair"),
    "cfq, with warm slots and the naive estimator":
        dict(policy="cfq", more='[jvm]\nmodel = "reuse"\nfactor = 2\n[estimate]\nmodel = "naive"\n'),
    "queues at nodes": dict(policy="yaq-c", more=YAQ),
    "reservations": dict(policy="sparrow", more=YAQ),
    "each job's own view of nodes": dict(policy="yaq-d", more=YAQ),
    "faults that are reported": dict(policy="fair", more=FAULTS),
    "faults that have to be found out": dict(policy="fair", more=FOUND_OUT),
    "faults and queues": dict(policy="yaq-c", more=FOUND_OUT),
    "backups": dict(policy="fair", more=BACKUPS),
    "backups and queues": dict(policy="yaq-c", more=BACKUPS + YAQ),
    "kept reservations of gangs": dict(policy="conservative", rigid=True),
    "gangs by priority, and faults":
        dict(policy="easy", scheduler='order = "priority"\npriority.calc_period_s = 0.5', rigid=True, more=FAULTS),
    "cycles": dict(policy="slurm-backfill", scheduler="slurm.bf_interval_s = 0.3", rigid=True),
    "targets": dict(policy="carbyne", more="[log]\nsample_interval_s = 0.1\n"),
}


def seeds():
    return [list(WORLDS).index(name) for name in ("fair", "reservations", "faults and queues", "kept reservations of gangs")]


def cut_off(run, dice):
    """Rank 0 is killed, or the program is asked to end, within a second."""
    time.sleep(dice.uniform(0, 1))
    if dice.random() < 0.3:
        run.signal(signal.SIGTERM)
    else:
        os.kill(run.ranks()[0], signal.SIGKILL)
    run.wait(30).expect(WORLD)


def wait_for_resumption(run, log, rows):
    """The log has taken the place of the one before, and has grown."""
    run.until(lambda: row_count(log, "resumes") > 0 and row_count(log) >= rows,
              "the resumed log had grown")


def rows_of(log, table):
    with h5py.File(log, "r") as file:
        return file[table][()] if table in file else []


def finished_jobs(log):
    """(job, finish) of those that have."""
    with open_cut_off(log) as file:
        return {(int(row["job"]), float(row["finish"])) for row in file["jobs"][()]
                if row["finish"] == row["finish"]}


def write_world(folder, rigid=False, **how):
    jobs = mixed_jobs(**JOBS)
    for job in jobs if rigid else []:
        job["limit_s"] = 30
        for stage in job.get("stages", [job]):
            stage["gang"] = True
    write_workload(folder, jobs)
    return jobs, write_config(folder, **how)


def test_a_run_that_is_cut_off_twice_goes_on_to_its_end(folder, seed):
    dice = random.Random(seed)
    jobs, config = write_world(folder, **list(WORLDS.values())[seed % len(WORLDS)])
    log = folder / "run.h5"
    with running(folder, config, rows=8, ranks=3) as run:
        cut_off(run, dice)
    with start(folder, "run", "--resume", log, "-q", "--ranks", 4) as run:
        wait_for_resumption(run, log, row_count(log) + 5)
        cut_off(run, dice)
    finished_before = finished_jobs(log)
    somnus(folder, "run", "--resume", log, "-q", "--ranks", 2).expect(FINE)
    expect_clean(folder, log)
    other = finished_before - finished_jobs(log)
    expect(not other, f"jobs that had finished did so otherwise: {other}")
    undisturbed = folder / "simulated.h5"
    somnus(folder, "simulate", config, "--log", undisturbed, "-q").expect(FINE)
    expect_equal(finished_tasks(log), finished_tasks(undisturbed), "tasks that finished")
    expect_equal(len(finished_tasks(log)), tasks_of(jobs), "their number")
    resumes = rows_of(log, "resumes")
    expect_equal([(int(row["ranks_before"]), int(row["ranks"])) for row in resumes],
                 [(3, 4), (4, 2)], "ranks before and after")
    expect(all(row["outcome"] != UNFINISHED for row in rows_of(log, "tasks")), "some are unfinished")
    somnus(folder, "summary", log).expect(FINE, "resumed")


def test_arrivals_go_on_where_the_clock_had_stopped(folder):
    _, config = write_world(folder)
    log = folder / "run.h5"
    with running(folder, config, rows=8, ranks=2) as run:
        run.signal(signal.SIGTERM)
        run.wait(30).expect(WORLD)
    paused_s = 5
    time.sleep(paused_s)  # real time, which does not count
    somnus(folder, "run", "--resume", log, "-q", "--ranks", 2).expect(FINE)
    submit = {int(row["job"]): float(row["submit"]) for row in rows_of(log, "jobs")}
    late = max(float(row["time"]) - submit[int(row["job"])]
               for row in rows_of(log, "events/job_arrived"))
    expect(late < paused_s, f"a job arrived {late} s late")


def test_another_log_goes_on_and_the_first_stays(folder):
    jobs, config = write_world(folder)
    log, other = folder / "run.h5", folder / "other.h5"
    with running(folder, config, rows=8, ranks=1) as run:
        run.signal(signal.SIGKILL)
        run.wait(30)
    somnus(folder, "run", "--resume", log, "--log", other, "-q", "--ranks", 1).expect(FINE)
    expect_equal(len(finished_tasks(other)), tasks_of(jobs), "tasks that finished")
    expect_clean(folder, other)
    expect_clean(folder, log, complete=False)


def cut_off_log(folder, more=""):
    _, config = write_world(folder, more=more)
    with running(folder, config, rows=3, ranks=1) as run:
        run.signal(signal.SIGTERM)
        run.wait(30)


def test_what_cannot_be_resumed_is_refused(folder):
    cut_off_log(folder)
    resume = ["run", "--ranks", 1, "--resume"]
    somnus(folder, *resume, "run.h5", "--speed", 2).expect(MISTAKE, "takes no other")
    somnus(folder, *resume, "run.h5", "--set", "run.seed=2").expect(MISTAKE, "takes no other")
    somnus(folder, *resume, "run.h5", "--policy", "srpt").expect(MISTAKE, "takes no other")
    somnus(folder, "run", "config.toml", "--resume", "run.h5").expect(MISTAKE, "takes no other")
    somnus(folder, "run").expect(MISTAKE, "needs a config")
    somnus(folder, *resume, "none.h5").expect(MISTAKE, "there is no such file")
    somnus(folder, *resume, "config.toml").expect(MISTAKE, "is not an HDF5 file")
    somnus(folder, "simulate", "config.toml", "--log", "simulated.h5", "-q").expect(FINE)
    somnus(folder, *resume, "simulated.h5").expect(MISTAKE, "the log of a simulation")
    write_workload(folder, mixed_jobs(count=29))
    somnus(folder, *resume, "run.h5", mpi_ranks=2).expect(MISTAKE, "the workload is not the one")
    with h5py.File(folder / "run.h5", "r+") as file:
        file.attrs.modify("somnus_version", b"0.0.1")
    somnus(folder, *resume, "run.h5").expect(MISTAKE, "somnus 0.0.1 wrote it")


def test_a_log_without_events_is_refused(folder):
    cut_off_log(folder, more="[log]\nreplay = false\n")
    somnus(folder, "run", "--ranks", 1, "--resume", "run.h5").expect(MISTAKE, "it has no events")
