"""scheduler.cycle_s: decisions are made at its multiples only (docs/policies.md 0)."""

import numpy
import pytest

from backfill_test import TIMED_OUT
from gangs_test import starts_of
from logs import mixed_jobs, rows, write_config, write_workload
from somnus_program import FINE, MISTAKE, expect, expect_equal, somnus

CYCLE_S = 0.7
HEARTBEATS = "[heartbeat]\ninterval_s = 0.3\n"


def launches(log):
    return rows(log, "decisions/launch")["time"]


def beyond_a_multiple(times):
    """Seconds since the last one."""
    return numpy.abs(times - numpy.floor(times / CYCLE_S + 1e-6) * CYCLE_S)


@pytest.mark.parametrize(("policy", "more"), [
    ("fair", ""), ("cfq", ""), ("easy", ""), ("yaq-c", HEARTBEATS), ("yaq-d", HEARTBEATS), ("sparrow", HEARTBEATS),
    ("paf", ""), ("fair", "[faults]\nseed = 3\nnode_mtbf_s = 4\nnode_repair_s = 0.5\ntask_failure_probability = 0.1\n")])
def test_decisions_are_made_at_multiples(folder, policy, more):
    jobs = mixed_jobs(count=40, gap_s=0.25, task_s=0.5)
    for job in jobs:
        job["limit_s"] = 60
    write_workload(folder, jobs)
    config = write_config(folder, policy=policy, scheduler=f"cycle_s = {CYCLE_S}", more=more)
    somnus(folder, "simulate", config, "-q", "--log", "log.h5").expect(FINE)
    for command in ("check", "replay"):
        somnus(folder, command, "log.h5").expect(FINE)
    expect(beyond_a_multiple(launches(folder / "log.h5")).max() < 1e-6, "a launch is between two multiples")
    expect(len(numpy.unique(launches(folder / "log.h5"))) > 10, "there are few rounds")


def test_who_comes_between_waits_for_the_next_round(folder):
    write_workload(folder, [{"job": f"j{at}", "submit": submit, "durations": [time] * 8}
                            for at, (submit, time) in enumerate([(0, 1.5), (0.1, 0.4), (2.6, 1)])])
    config = write_config(folder, policy="fifo", scheduler="cycle_s = 1")
    somnus(folder, "simulate", config, "-q", "--log", "log.h5").expect(FINE)
    expect_equal(starts_of(rows(folder / "log.h5", "tasks")), [0, 2, 3], "starts")


def test_time_limits_do_not_wait(folder):
    write_workload(folder, [{"job": "a", "submit": 0, "durations": [9], "limit_s": 2.5}])
    config = write_config(folder, policy="fcfs", scheduler="cycle_s = 1")
    somnus(folder, "simulate", config, "-q", "--log", "log.h5").expect(FINE)
    expect_equal(rows(folder / "log.h5", "jobs")["state"].tolist(), [TIMED_OUT], "states")
    expect_equal(rows(folder / "log.h5", "tasks")["finish"].tolist(), [2.5], "ends")


@pytest.mark.parametrize("delay", ["scheduler.cycle_s=5", "job_manager.launch_s=5", "job_manager.poll_s=5"])
@pytest.mark.parametrize("kind", ["slots", "resources"])
def test_check_allows_for_starts_that_take_time(folder, kind, delay):
    """Slots are free while tasks wait, and jobs end long after they would in the fluid."""
    demand = {"demand": {"cpu": 2}} if kind == "resources" else {}
    write_workload(folder, [{"job": f"j{at}", "submit": 0.1 + at, "durations": [0.3] * 3, **demand} for at in range(3)],
                   resources=["cpu"] if demand else None)
    cluster = "resources = { cpu = 2 }" if demand else "slots_per_node = 1"
    (folder / "config.toml").write_text(f'[cluster]\nnodes = 2\n{cluster}\n[scheduler]\npolicy = "cfq"\n'
                                        '[workload]\nfile = "workload.jsonl"\n')
    policy = "fair" if demand else "cfq"
    somnus(folder, "simulate", "config.toml", "-q", "--policy", policy, "--set", delay, "--log", "log.h5").expect(FINE)
    somnus(folder, "check", "log.h5").expect(FINE)


@pytest.mark.parametrize("policy", ["easy", "conservative"])
def test_a_reservation_is_kept_at_the_next_multiple(folder, policy):
    """The second job may start at 2.5, when the first has had its time: at 3 the scheduler looks."""
    write_workload(folder, [{"job": "a", "submit": 0, "gang": True, "durations": [2.5] * 8, "limit_s": 2.5},
                            {"job": "b", "submit": 0.5, "gang": True, "durations": [1] * 8, "limit_s": 1}])
    config = write_config(folder, policy=policy, scheduler="cycle_s = 1")
    somnus(folder, "simulate", config, "-q", "--log", "log.h5").expect(FINE)
    expect_equal(rows(folder / "log.h5", "decisions/reservation")["start"].tolist(), [2.5], "reservations")
    expect_equal(starts_of(rows(folder / "log.h5", "tasks")), [0, 3], "starts")
    somnus(folder, "check", "log.h5").expect(FINE)


def test_a_run_over_mpi_decides_then_too(folder):
    write_workload(folder, mixed_jobs(count=12, gap_s=0.3, task_s=0.4))
    config = write_config(folder, policy="fair", scheduler=f"cycle_s = {CYCLE_S}")
    somnus(folder, "run", config, "--ranks", "3", "--log", "log.h5", "-q").expect(FINE)
    for command in ("check", "replay"):
        somnus(folder, command, "log.h5").expect(FINE)
    late = beyond_a_multiple(launches(folder / "log.h5"))
    expect(numpy.median(late) < 0.1, f"decisions are {late} s behind the multiples")


def test_no_cycle_is_below_0(folder):
    write_workload(folder, mixed_jobs(count=2))
    somnus(folder, "simulate", write_config(folder, scheduler="cycle_s = -1")).expect(MISTAKE, "scheduler.cycle_s")
