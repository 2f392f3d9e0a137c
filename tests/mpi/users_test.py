"""Fairness between users, over real MPI: each run is audited, and decided again from its log."""

import json

from logs import expect_clean, finished_tasks, rows, write_config
from somnus_program import FINE, each, expect, expect_equal, somnus

import numpy as np

# What a name may hold: anything but bytes that are no Unicode text.
NAMES = ["ann", "b o b", "quo\"te", "new\nline", "nul\u0000inside", "tab\t", "back\\slash", "用户",
         "\U0001f980", "e\u0301", "a.b[0]", "-", "x" * 300]


def chain(job, user, submit, work_s, **more):
    """A job as the paper's: a task, divisible work, a task."""
    return {"job": job, "user": user, "submit": submit, **more,
            "stages": [{"stage": 0, "durations": [0.02]},
                       {"stage": 1, "parents": [0], "work": work_s, "skew": [1, 1, 5, 1]},
                       {"stage": 2, "parents": [1], "durations": [0.01]}]}


def jobs_of_all():
    """Odd names, weights, jobs that overtake, users that come back, and a closed loop."""
    jobs = [chain(f"first {at}", user, round(0.02 * at, 6), 0.8) for at, user in enumerate(NAMES)]
    jobs += [chain(f"short {at}", user, round(0.3 + 0.02 * at, 6), 0.1)
             for at, user in enumerate(NAMES)]
    before = "first 0"
    for at in range(3):
        jobs.append(chain(f"loop {at}", "ann", 0.6, 0.2, after=before, think=0.05))
        before = f"loop {at}"
    jobs.append(chain("late", "用户", 4, 0.3))
    return jobs


def write_users(folder, jobs, weights=None):
    header = {"somnus_workload": 1, "name": "users", "users": weights or {}}
    path = folder / "workload.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in [header, *jobs]))


def emulate(folder, policy, scheduler="", more="", jobs=None, weights=None):
    write_users(folder, jobs or jobs_of_all(), weights)
    path = write_config(folder, policy=policy, scheduler=scheduler, nodes=3,
                        more=more + "[run]\nspeed = 3\n")
    log = folder / "run.h5"
    somnus(folder, "run", path, "--log", log, "-q", "--ranks", 3).expect(FINE)
    expect_clean(folder, log)
    return log


@each({
    "practical UJF": dict(policy="ujf"),
    "UJF over jobs, keys at rest in a round": dict(
        policy="ujf", scheduler='ujf = { level = "job", resort_per_task = false }'),
    "FAIR over stages, with a minimum share": dict(
        policy="fair", scheduler='fair = { level = "stage", min_share = 2, resort_per_task = false }'),
    "CFQ over stages": dict(policy="cfq", scheduler='cfq.level = "stage"'),
    "UWFQ as published": dict(policy="uwfq"),
    "UWFQ, exact chain, the paper's scalar": dict(
        policy="uwfq", scheduler='uwfq = { chain = "exact2lv", weight_mode = "paper-scalar" }'),
    "UWFQ with runtime partitioning": dict(
        policy="uwfq-p", scheduler="by-runtime = { advisory_task_runtime_s = 0.05, "
                                   "launch_overhead_s = 0.001 }"),
    "UJF with runtime partitioning, by wrong estimates": dict(
        policy="ujf-p", scheduler="by-runtime.advisory_task_runtime_s = 0.1",
        more='[estimate]\nmodel = "uniform"\nerror = 0.5\n'),
    "UWFQ over heartbeats and a slow network": dict(
        policy="uwfq", scheduler='feedback = "heartbeat"',
        more="[heartbeat]\ninterval_s = 0.1\n[network]\ndelay_ms = 3\njitter = 0.5\n"),
})
def test_replays_and_checks_clean(folder, world):
    emulate(folder, weights={"ann": 2, "用户": 0.5}, **world)


def test_names_weights_and_followers_are_in_the_log(folder):
    log = emulate(folder, "uwfq", weights={"nul\u0000inside": 3})
    names, job_names = ([name.decode() for name in rows(log, f"names/{kind}")]
                        for kind in ("users", "jobs"))
    jobs, weights, stages = rows(log, "jobs"), rows(log, "users")["weight"], rows(log, "stages")
    expect_equal(sorted(name.rstrip("\0") for name in names), sorted(NAMES), "users")
    expect_equal(weights[names.index("nul\u0000inside")], 3.0, "weight")
    expect_equal(int((weights != 1).sum()), 1, "users with a weight")
    expect(np.isfinite(jobs["ujf_finish"]).all(), "a job has no end in the fluid")
    # A worker's clock says when a job has ended, rank 0's when the next one comes. They may be apart by what
    # `check` allows: six times what the log says of its clocks [real s], at the run's speed of 3.
    apart_s = 6 * 3 * rows(log, "ranks")["clock_uncertainty"].max()
    for at in range(3):
        follower = jobs[job_names.index(f"loop {at}")]
        expect(follower["submit"] >= jobs["finish"][follower["after"]] + 0.05 - apart_s,
               f"loop {at} came before its time")
    expect_equal(set(stages["partitions"].tolist()), {0, 6}, "partitions of stages")
    expect_equal(len(finished_tasks(log)), (6 + 2) * len(jobs), "tasks")


@each({
    # By an estimate of a hundredth of their work, jobs leave the fluid at once: all further stages
    # are late.
    "inside the grace": dict(policy="uwfq", scheduler="uwfq.grace_s = 1000"),
    "outside the grace": dict(policy="uwfq", scheduler="uwfq.grace_s = 0"),
    "first of all": dict(policy="uwfq", scheduler='uwfq.late_stage = "zero"'),
})
def test_late_stages(folder, world):
    jobs = [{**job, "estimate": 0.01} for job in jobs_of_all()]
    emulate(folder, more='[estimate]\nmodel = "given"\n', jobs=jobs, **world)


def test_thousands_of_users(folder):
    path = folder / "many.toml"
    path.write_text(
        '[cluster]\nnodes = 200\nslots_per_node = 20\n[scheduler]\npolicy = "uwfq"\n[workload]\n'
        'generator = "multi-user"\npoisson_users = 2500\nburst_users = 100\nclosed_users = 500\n'
        "closed_jobs = 3\nburst_jobs = 5\njobs_per_minute = 2\nspan_s = 60\nweight_low = 0.5\n"
        "weight_high = 4\n[scheduler.by-size]\npartitions = 4\n[run]\nspeed = 20\n")
    log = folder / "many.h5"
    somnus(folder, "run", path, "--log", log, "-q", "--ranks", 3).expect(FINE)
    expect_clean(folder, log)
    expect(len(rows(log, "users")) > 2500, "fewer than 2,500 users have come")
    expect(np.isfinite(rows(log, "jobs")["finish"]).all(), "a job has not finished")
