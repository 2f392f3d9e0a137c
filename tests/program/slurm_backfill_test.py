"""scheduler.backfill = "slurm", beside an exact simulator of Slurm's rules that shares no code (tests/oracles)."""

import random
import sys
from collections import Counter
from pathlib import Path

import pytest

from gangs_test import starts_of
from logs import rows, write_config, write_workload
from somnus_program import FINE, MISTAKE, expect, expect_equal, somnus

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "oracles"))
from slurm_backfill import Job, Rules, starts  # noqa: E402

APART_S = 42_000  # from one workload of a simulation to the next: a multiple of all intervals
WORKLOADS = 100


def drawn(draws, nodes, cpus):
    """Up to all CPUs, for up to minutes; many come, end and have limits at equal times."""
    jobs = []
    every = draws.choice([1, 5, 30])
    for submit in sorted(every * draws.randint(0, 300 // every) for _ in range(draws.randint(5, 25))):
        time = draws.choice([draws.randint(1, 60), draws.randint(1, 300), 30])
        limit = time + draws.choice([0, draws.randint(0, 60), draws.randint(0, 600)])
        jobs.append(Job(submit, draws.choice([draws.randint(1, cpus), draws.randint(1, nodes * cpus)]), time, limit))
    return jobs


def config_of(folder, nodes, cpus, rules, more=""):
    return write_config(folder, nodes=nodes, slots=cpus, policy="slurm-backfill", more=(
        f"[scheduler.slurm]\nbf_interval_s = {rules.interval}\nbf_resolution_s = {rules.resolution}\n"
        f"bf_window_s = {rules.window}\nclock_s = {rules.phase}\n{more}"))


@pytest.mark.parametrize("seed", range(20))
def test_each_job_starts_when_the_exact_simulator_starts_it(folder, seed):
    draws = random.Random(seed)
    nodes, cpus = draws.randint(1, 5), draws.randint(1, 8)
    rules = Rules(draws.randint(0, 59) / 2, draws.choice([1, 7, 30]), draws.choice([1, 60]), draws.choice([86400, 120]))
    workloads = [drawn(draws, nodes, cpus) for _ in range(WORKLOADS)]
    write_workload(folder, [{"job": f"w{number}j{at}", "submit": number * APART_S + job.submit, "gang": True,
                             "limit_s": job.limit, "tasks": job.cpus, "duration": job.held}
                            for number, jobs in enumerate(workloads) for at, job in enumerate(jobs)])
    config = config_of(folder, nodes, cpus, rules)
    somnus(folder, "simulate", config, "-q", "--log", "log.h5").expect(FINE)
    for command in ("check", "replay"):
        somnus(folder, command, "log.h5").expect(FINE)
    found = list(starts_of(rows(folder / "log.h5", "tasks")))
    for number, jobs in enumerate(workloads):
        mine, found = [start - number * APART_S for start in found[:len(jobs)]], found[len(jobs):]
        expect_equal(mine, starts(jobs, nodes, cpus, rules), f"starts of {jobs} on {nodes} nodes of {cpus} under {rules}")


def test_a_cycle_and_a_pass_look_at_so_many(folder):
    """Seven jobs come while all is taken, to 10 s; each of them would fit from then on."""
    jobs = [{"job": "first", "submit": 0, "gang": True, "tasks": 8, "duration": 10, "limit_s": 10}]
    jobs += [{"job": f"j{at}", "submit": 1, "durations": [100], "limit_s": 100} for at in range(7)]
    write_workload(folder, jobs)

    def found(more):
        somnus(folder, "simulate", config_of(folder, 1, 8, Rules(interval=30), more), "-q", "--log", "log.h5",
               "--force").expect(FINE)
        for command in ("check", "replay"):
            somnus(folder, command, "log.h5").expect(FINE)
        return list(starts_of(rows(folder / "log.h5", "tasks")))[1:]

    expect_equal(found(""), [10] * 7, "all in the pass at that end")
    expect_equal(found("default_queue_depth = 3\n"), [10] * 3 + [30] * 4, "three in a pass, the rest in the cycle")
    expect_equal(found("default_queue_depth = 3\nsched_interval_s = 4\n"), [10] * 3 + [12] * 4, "a whole pass every 4 s")
    expect_equal(found("default_queue_depth = 1\nbf_max_job_test = 2\nsched_interval_s = 1000\n"),
                 [10, 30, 30, 110, 120, 120, 130], "one in a pass, two in a cycle")


@pytest.mark.parametrize("clock", [0, 0.5, 5, 29.5])
def test_limits_that_end_in_the_first_half_minute(folder, clock):
    jobs = [Job(0, 3, 10, 10), Job(0, 4, 1000, 1000), Job(1, 4, 50, 50), Job(2, 1, 500, 500)]
    write_workload(folder, [{"job": f"j{at}", "submit": job.submit, "gang": True, "limit_s": job.limit, "tasks": job.cpus,
                             "duration": job.held} for at, job in enumerate(jobs)])
    somnus(folder, "simulate", config_of(folder, 2, 4, Rules(clock)), "-q", "--log", "log.h5").expect(FINE)
    expect_equal(list(starts_of(rows(folder / "log.h5", "tasks"))), starts(jobs, 2, 4, Rules(clock)), f"clock at {clock}")


def test_a_whole_pass_comes_before_a_cycle_of_that_instant(folder):
    """With Slurm's defaults each pass over all falls on a cycle's time."""
    write_workload(folder, [{"job": f"j{at}", "submit": 0, "durations": [40 if at == 0 else 1000], "limit_s": 2000}
                            for at in range(2000)])
    config = write_config(folder, nodes=20, slots=100, policy="slurm-backfill")
    somnus(folder, "simulate", config, "-q", "--log", "log.h5").expect(FINE)
    found = Counter(starts_of(rows(folder / "log.h5", "tasks")))
    expect_equal(found, {0: 100, 30: 500, 40: 100, 60: 1300}, "so many start when")


def test_a_node_that_comes_back_is_looked_at_in_a_cycle(folder):
    """Both are lost; on the first that is back the second job has room, and the first one waits for the other."""
    write_workload(folder, [{"job": name, "submit": 2, "gang": True, "tasks": tasks, "duration": 10, "limit_s": 20}
                            for name, tasks in (("wide", 8), ("narrow", 4))])
    config = config_of(folder, 2, 4, Rules(), "".join(
        f"[[faults.event]]\nnode = {node}\nat_s = 1\nfor_s = {span}\n" for node, span in ((0, 100), (1, 5000))))
    somnus(folder, "simulate", config, "-q", "--log", "log.h5").expect(FINE)
    found = list(starts_of(rows(folder / "log.h5", "tasks")))
    expect(101 <= found[1] <= 103 and found[0] >= 5001, f"starts {found}")


def test_who_would_start_after_the_window_keeps_no_nodes(folder):
    """The second waits for both nodes until 1000 s; the third, which may run for longer, is narrow."""
    write_workload(folder, [
        {"job": "a", "submit": 0, "gang": True, "tasks": 4, "duration": 100, "limit_s": 1000},
        {"job": "b", "submit": 1, "gang": True, "tasks": 8, "duration": 10, "limit_s": 10},
        {"job": "c", "submit": 2, "gang": True, "tasks": 4, "duration": 500, "limit_s": 3000}])
    for window, expected in ((86400, [0, 100, 110]), (900, [0, 502, 2])):
        config = config_of(folder, 2, 4, Rules(interval=1, window=window))
        somnus(folder, "simulate", config, "-q", "--log", "log.h5", "--force").expect(FINE)
        expect_equal(list(starts_of(rows(folder / "log.h5", "tasks"))), expected, f"starts with a window of {window} s")


def test_who_runs_for_longer_is_believed_to_end_now(folder):
    """b keeps the node for which it waits, while a runs on; c starts on the other one."""
    write_workload(folder, [
        {"job": "a", "submit": 0, "gang": True, "tasks": 4, "duration": 100, "limit_s": 10},
        {"job": "d", "submit": 0, "gang": True, "tasks": 3, "duration": 200, "limit_s": 200},
        {"job": "b", "submit": 1, "gang": True, "tasks": 4, "duration": 10, "limit_s": 50},
        {"job": "c", "submit": 50, "durations": [10], "limit_s": 10}])
    config = config_of(folder, 2, 4, Rules(interval=1), "[limits]\ngrace_s = 1000\n")
    somnus(folder, "simulate", config, "-q", "--log", "log.h5").expect(FINE)
    for command in ("check", "replay"):
        somnus(folder, command, "log.h5").expect(FINE)
    expect_equal(list(starts_of(rows(folder / "log.h5", "tasks"))), [0, 0, 100, 51], "starts")


@pytest.mark.parametrize(("more", "says"), [
    ("bf_interval_s = 0", "bf_interval_s"), ("bf_windows_s = 3", "did you mean"), ("clock_s = 31", "clock_s")])
def test_mistakes_are_said(folder, more, says):
    write_workload(folder, [{"job": "a", "submit": 0, "durations": [1], "limit_s": 1}])
    config = write_config(folder, policy="slurm-backfill", more=f"[scheduler.slurm]\n{more}\n")
    somnus(folder, "simulate", config).expect(MISTAKE, says)
