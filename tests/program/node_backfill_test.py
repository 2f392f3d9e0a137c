"""Backfilling where resources count, or some have nodes for themselves: beside an exact simulator of rigid jobs on nodes that shares no code
(tests/oracles/rigid_nodes.py), by hand, with ordinary stages, faults and delays, and over MPI."""

import random
import sys
from pathlib import Path

import pytest

from gangs_test import drawn_conditions, drawn_graphs
from logs import rows, write_workload
from somnus_program import FINE, MISTAKE, expect, expect_equal, somnus

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "oracles"))
from rigid_nodes import Job, run  # noqa: E402

KINDS = ("slots", "cpu", "gb")
NODES = [(2, 4, 8), (2, 4, 8), (4, 4, 4), (1, 8, 16)]  # of each kind
SLOTS = [node[:1] for node in NODES]
APART_S = 1000
WORKLOADS = 150
BACKFILLS = {"none": {}, "easy": {}, "easy 2": {"heads": 2}, "conservative": {}}


def drawn(seed, exclusive=0.0):
    """A share of them has nodes for itself; then all that is asked for is slots."""
    draws = random.Random(seed)
    jobs = []
    for submit in sorted(draws.choice([draws.randint(0, 30), 10 * draws.randint(0, 3)]) for _ in range(10)):
        time = draws.choice([draws.randint(1, 10), 4])
        demand = (1, draws.choice([1, 1, 2, 4]), draws.choice([0, 1, 2, 4, 8]))
        limit = time + draws.choice([0, 0, 3, 10])
        if exclusive:
            demand = demand[:1]
        jobs.append(Job(submit, draws.randint(1, 6), demand, time, limit, draws.random() < exclusive))
    return [job for job in jobs if fits(job)]


def fits(job):
    """On the idle cluster."""
    return sum(min(has // needs for has, needs in zip(node, job.demand) if needs) for node in NODES) >= job.tasks


def as_gangs(jobs, number=0):
    return [{"job": f"w{number}j{at}", "submit": number * APART_S + job.submit, "gang": True, "limit_s": job.limit,
             "durations": [job.time] + [1 + (7 * each) % job.time for each in range(1, job.tasks)],
             **({"demand": dict(zip(KINDS[1:], job.demand[1:]))} if len(job.demand) > 1 else {}),
             **({"exclusive": True} if job.exclusive else {})}
            for at, job in enumerate(jobs)]


def config(backfill, more="", policy="policy = \"fifo\"", nodes=NODES):
    name, *heads = backfill.split()
    groups = "".join(f"[[cluster.group]]\ncount = 1\nslots_per_node = {slots}\n"
                     + (f"resources = {{ cpu = {kinds[0]}, gb = {kinds[1]} }}\n" if kinds else "")
                     for slots, *kinds in nodes)
    return (f"{groups}[scheduler]\n{policy}\nplacement = \"any-free\"\nbackfill = \"{name}\"\n"
            + "".join(f"{name}.heads = {one}\n" for one in heads) + f"[workload]\nfile = \"workload.jsonl\"\n{more}")


def simulated(folder, jobs, backfill, more="", policy="policy = \"fifo\"", nodes=NODES, command=("simulate", "config.toml")):
    """The log, after it has been checked and replayed."""
    write_workload(folder, jobs, resources=list(KINDS[1:]) if len(nodes[0]) > 1 else None)
    (folder / "config.toml").write_text(config(backfill, more, policy, nodes))
    somnus(folder, *command, "-q", "--log", "log.h5", "--force").expect(FINE)
    for each in (["check"], ["replay"], ["replay", "--recorded"]):
        somnus(folder, *each, "log.h5").expect(FINE)
    return folder / "log.h5"


def placed(log):
    """By job: when it started, and on which nodes."""
    found = {}
    for row in rows(log, "tasks"):
        start, nodes = found.setdefault(int(row["job"]), (float(row["start"]), []))
        expect_equal(row["start"], start, "start of a task of a gang")
        nodes.append(int(row["node"]))
    return [(start, sorted(nodes)) for _, (start, nodes) in sorted(found.items())]


@pytest.mark.parametrize("backfill", BACKFILLS)
@pytest.mark.parametrize("nodes, exclusive", [(NODES, 0), (SLOTS, 0.4)], ids=["resources", "exclusive"])
@pytest.mark.parametrize("block", range(2))
def test_each_job_starts_where_and_when_the_exact_simulator_starts_it(folder, backfill, nodes, exclusive, block):
    workloads = [drawn(block * WORKLOADS + number, exclusive) for number in range(WORKLOADS)]
    gangs = [job for number, jobs in enumerate(workloads) for job in as_gangs(jobs, number)]
    log = simulated(folder, gangs, backfill, nodes=nodes)
    found = placed(log)
    place = waited = 0
    for number, jobs in enumerate(workloads):
        expected = [(start, sorted(nodes)) for start, nodes in run(jobs, nodes, backfill.split()[0], **BACKFILLS[backfill])]
        mine = [(start - number * APART_S, nodes) for start, nodes in found[place:place + len(jobs)]]
        place += len(jobs)
        expect_equal(mine, expected, f"starts and nodes of {jobs}")
        waited += sum(start > job.submit for (start, _), job in zip(mine, jobs))
    expect(waited > 2 * WORKLOADS, f"only {waited} jobs had to wait")


def test_what_is_free_on_several_nodes_fits_on_none(folder):
    """At 1 node 0 is full, node 1 has 2 of its 4 CPUs, node 2 has 4 and takes c. So d has a reservation at 6, on node 1 and
    twice on node 2; e would need node 1 until 10, and starts then, on node 0. f needs 3 CPUs: at 10
    there are 4, but 2 on each of two nodes."""
    jobs = [Job(0, 3, (1, 2, 0), 10, 10), Job(0, 1, (1, 7, 0), 20, 20), Job(1, 1, (1, 4, 0), 5, 5), Job(2, 3, (1, 2, 0), 9, 9),
            Job(3, 1, (1, 2, 0), 7, 7), Job(4, 1, (1, 3, 0), 1, 1)]
    log = simulated(folder, as_gangs(jobs), "easy")
    expect_equal(placed(log), [(0, [0, 0, 1]), (0, [3]), (1, [2]), (6, [1, 2, 2]), (10, [0]), (15, [1])], "starts and nodes")


def test_who_has_a_node_for_itself_waits_until_it_is_idle(folder):
    """a is on node 0 until 4, so b, of one task, takes node 1, of which it uses half; c finds one slot on node 0 and d none
    until 4, although 2 are free."""
    jobs = [Job(0, 1, (1,), 4, 4), Job(1, 1, (1,), 6, 6, True), Job(2, 1, (1,), 1, 1), Job(2, 2, (1,), 3, 3)]
    for backfill in ("first-fit", "none", "easy", "conservative", "slurm"):
        more = "[scheduler.slurm]\nbf_interval_s = 1\n" if backfill == "slurm" else ""
        log = simulated(folder, as_gangs(jobs), backfill, more, nodes=[(2,), (2,)])
        expect_equal(placed(log), [(0, [0]), (1, [1]), (2, [0]), (4, [0, 0])], f"starts and nodes under {backfill}")


@pytest.mark.parametrize("backfill", ["first-fit", "none", "easy 2", "conservative", "slurm"])
def test_exclusive_with_drawn_faults_and_ordinary_stages(folder, backfill):
    for seed in range(12):
        draws = random.Random(f"{backfill} {seed}")
        jobs = list(drawn_graphs(draws))
        for job in jobs:
            job["limit_s"] = draws.choice([2, 5, 20, 100])
            for stage in job["stages"]:
                single = len(stage["durations"]) == 1
                if (stage["gang"] or single) and draws.random() < 0.5:
                    stage["exclusive"] = True
        simulated(folder, jobs, backfill, drawn_conditions(draws, seed), nodes=[(2,), (2,), (3,), (1,)] * 2)


@pytest.mark.parametrize("backfill", ["none", "easy 2", "conservative"])
@pytest.mark.parametrize("policy", ["fifo", "srpt", "drf", "fair"])
def test_with_other_orders_drawn_faults_and_ordinary_stages(folder, backfill, policy):
    for seed in range(6):
        draws = random.Random(f"{backfill} {policy} {seed}")
        jobs = list(drawn_graphs(draws))
        for job in jobs:
            job["limit_s"] = draws.choice([2, 5, 20, 100])
            for stage in job["stages"] if "stages" in job else [job]:
                stage["demand"] = {"cpu": draws.choice([1, 2]), "gb": draws.choice([1, 2])}
                if draws.random() < 0.3:
                    stage["affinity"] = draws.sample(range(len(NODES)), 2)
        simulated(folder, jobs, backfill, drawn_conditions(draws, seed), f"policy = \"{policy}\"")


@pytest.mark.parametrize("backfill", ["first-fit", *BACKFILLS])
@pytest.mark.parametrize("policy", ["fifo", "fair", "srpt"])
def test_a_task_is_not_placed_on_a_full_node_that_it_prefers(folder, backfill, policy):
    """The other node is too small for a and b, and has a free slot at 1 when b comes."""
    jobs = [{"job": "a", "submit": 0, "durations": [9, 9], "demand": {"cpu": 2}, "affinity": [0]},
            {"job": "b", "submit": 1, "durations": [9], "demand": {"cpu": 2}, "affinity": [0]},
            {"job": "c", "submit": 10, "durations": [9, 9], "demand": {"cpu": 1}, "affinity": [0]}]
    for gang in (False, True):
        log = simulated(folder, [{**job, "limit_s": 10, "gang": gang and len(job["durations"]) > 1} for job in jobs], backfill,
                        policy=f"policy = \"{policy}\"", nodes=[(8, 4, 4), (8, 1, 1)])
        expect_equal(rows(log, "tasks")["placed"].tolist(), [0, 0, 9, 10, 10], "starts")


@pytest.mark.parametrize("nodes, exclusive", [(NODES, 0), (SLOTS, 0.4)], ids=["resources", "exclusive"])
def test_over_mpi(folder, nodes, exclusive):
    jobs = as_gangs(drawn(7, exclusive) + drawn(8, exclusive))
    jobs = sorted(({**job, "job": f"j{at}"} for at, job in enumerate(jobs)), key=lambda job: job["submit"])
    log = simulated(folder, jobs, "easy", "[run]\nspeed = 16\n", nodes=nodes, command=("run", "config.toml", "--ranks", "3"))
    expect_equal(len(rows(log, "tasks")), sum(len(job["durations"]) for job in jobs), "tasks")


def test_what_counts_slots_is_refused(folder):
    write_workload(folder, as_gangs(drawn(1)), resources=list(KINDS[1:]))
    (folder / "config.toml").write_text(config("slurm"))
    somnus(folder, "simulate", "config.toml").expect(MISTAKE, "\"slurm\" counts slots, and this cluster has resources")


@pytest.mark.parametrize("scheduler, stage, words", [
    ("backfill = \"easy\"", {"durations": [1, 2], "exclusive": True}, ["exclusive", "expected a gang or a single task"]),
    ("order = \"las\"\npreemption = \"requeue\"", {"durations": [1], "exclusive": True}, ["scheduler.preemption", "whole nodes"]),
    ("placement = \"random\"", {"durations": [1], "exclusive": True}, ["scheduler.placement", "nodes for itself"])])
def test_what_can_have_no_node_for_itself_is_refused(folder, scheduler, stage, words):
    write_workload(folder, [{"job": "j", "submit": 0, "limit_s": 9, **stage}])
    (folder / "config.toml").write_text(f"[cluster]\nnodes = 2\nslots_per_node = 2\n[scheduler]\npolicy = \"fifo\"\n{scheduler}\n"
                                        "[workload]\nfile = \"workload.jsonl\"\n")
    somnus(folder, "simulate", "config.toml").expect(MISTAKE, *words)
