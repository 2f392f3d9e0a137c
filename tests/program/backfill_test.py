"""What happens when the next one does not fit: scheduler.backfill, beside an exact simulator of rigid jobs
that shares no code (tests/oracles)."""

import math
import random
import sys
from pathlib import Path

import numpy
import pytest

from gangs_test import drawn_conditions, starts_of
from logs import rows, write_config, write_workload
from somnus_program import FINE, MISTAKE, expect, expect_equal, somnus

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "oracles"))
from rigid_jobs import Job, run  # noqa: E402

CPUS = 8
TIMED_OUT = 4  # state of a job
WORKLOADS = 500  # in one simulation, one after the other
APART_S = 1000  # from one to the next: by then all has ended
PARAMETER = {"easy": "heads", "slurm": "bf_interval_s"}  # of which a backfill's name may have the value
BACKFILLS = {"first-fit": {}, "none": {}, "easy": {}, "easy 3": {"heads": 3}, "conservative": {},
             "easy 1 shortest_first": {"shortest_first": True}, "easy 2 shortest_first": {"heads": 2, "shortest_first": True}}


def drawn(seed):
    """Times and limits of which many are equal; some jobs take longer than theirs."""
    draws = random.Random(seed)
    jobs = []
    for submit in sorted(draws.choice([draws.randint(0, 40), 10 * draws.randint(0, 4)]) for _ in range(14)):
        time = draws.choice([draws.randint(1, 12), 4])
        limit = time + draws.choice([0, 0, 3, 10])
        if draws.random() < 0.1:
            limit = max(1, time - 2)
        jobs.append(Job(submit, draws.randint(1, CPUS), time, limit))
    return jobs


def as_gangs(jobs, number=0):
    """The job's tasks end at different times, the longest after its time."""
    return [{"job": f"w{number}j{at}", "submit": number * APART_S + job.submit, "gang": True, "limit_s": job.limit,
             "durations": [job.time] + [1 + (7 * each) % job.time for each in range(1, job.cpus)]}
            for at, job in enumerate(jobs)]


def simulated(folder, jobs, backfill, checks=("check", "replay"), nodes=4, slots=2, more="", order="policy = \"fifo\"",
              cpus=None):
    """The log, after it has been checked and replayed. cpus: of each node, of which each task has one."""
    write_workload(folder, [{**job, "demand": {"cpu": 1}} for job in jobs] if cpus else jobs, resources=["cpu"] if cpus else None)
    name, *value = backfill.split()
    parameters = f"{name}.{PARAMETER[name]} = {value[0]}\n" if value else ""
    parameters += "".join(f"{name}.{switch} = true\n" for switch in value[1:])
    (folder / "config.toml").write_text(
        f"[cluster]\nnodes = {nodes}\n" + (f"resources = {{ cpu = {cpus} }}\n" if cpus else f"slots_per_node = {slots}\n") +
        f"[scheduler]\n{order}\nbackfill = \"{name}\"\n"
        f"{parameters}[workload]\nfile = \"workload.jsonl\"\n{more}")
    somnus(folder, "simulate", "config.toml", "-q", "--log", "log.h5", "--force").expect(FINE)
    for command in checks:
        somnus(folder, command, "log.h5").expect(FINE)
    if "replay" in checks:
        somnus(folder, "replay", "--recorded", "log.h5").expect(FINE)
    return folder / "log.h5"


@pytest.mark.parametrize("backfill", BACKFILLS)
@pytest.mark.parametrize("block", range(2))
def test_each_job_starts_when_the_exact_simulator_starts_it(folder, backfill, block):
    workloads = [drawn(block * WORKLOADS + number) for number in range(WORKLOADS)]
    if backfill == "first-fit":  # it starts others in the nanosecond before killed jobs' slots are back
        workloads = [[Job(job.submit, job.cpus, job.time, max(job.time, job.limit)) for job in jobs] for jobs in workloads]
    log = simulated(folder, [job for number, jobs in enumerate(workloads) for job in as_gangs(jobs, number)], backfill)
    found = starts_of(rows(log, "tasks"))
    states = rows(log, "jobs")["state"]
    place = 0
    for number, jobs in enumerate(workloads):
        outcomes = run(jobs, CPUS, backfill.split()[0], **BACKFILLS[backfill])
        mine = slice(place, place + len(jobs))
        place += len(jobs)
        expect_equal([start - number * APART_S for start in found[mine]], [one.start for one in outcomes],
                     f"starts of {jobs}")
        expect_equal((states[mine] == TIMED_OUT).tolist(), [one.killed for one in outcomes], f"killed of {jobs}")


# (submit, slots, time, limit): the ten jobs of docs/policies.md 9.3.
TEN = [Job(0, 4, 4, 4), Job(0, 3, 6, 8), Job(1, 6, 3, 3), Job(1, 2, 5, 6), Job(2, 1, 2, 3), Job(3, 8, 2, 2),
       Job(3, 2, 9, 9), Job(4, 1, 4, 5), Job(5, 3, 3, 4), Job(6, 1, 1, 1)]
STARTS = {"none": [0, 0, 6, 6, 9, 11, 13, 13, 13, 13],
          "easy": [0, 0, 6, 4, 2, 9, 11, 11, 11, 11],
          "conservative": [0, 0, 6, 4, 2, 10, 12, 12, 12, 9]}


@pytest.mark.parametrize("backfill", STARTS)
def test_ten_jobs(folder, backfill):
    log = simulated(folder, as_gangs(TEN), backfill)
    expect_equal(starts_of(rows(log, "tasks")), STARTS[backfill], "starts")


def test_reservations_are_logged_with_each_change(folder):
    """The second needs all slots from 4 on; the first one ends at 3."""
    log = simulated(folder, as_gangs([Job(0, 6, 3, 4), Job(1, 8, 1, 1), Job(1, 2, 9, 9)]), "easy")
    made = [(row["time"], int(row["stage"]), row["start"]) for row in rows(log, "decisions/reservation")]
    expect_equal(made, [(1, 1, 4), (3, 2, 4)], "reservations")
    expect_equal(starts_of(rows(log, "tasks")), [0, 3, 4], "starts")


def test_who_is_no_longer_first_has_no_reservation(folder):
    jobs = [{**job, "user": "ann"} for job in as_gangs([Job(0, 8, 4, 4), Job(1, 8, 9, 9), Job(2, 8, 1, 1)])]
    log = simulated(folder, jobs, "easy", order="policy = \"srpt\"")
    made = [(row["time"], int(row["stage"]), row["start"]) for row in rows(log, "decisions/reservation")]
    expect_equal(made, [(1, 1, 4), (2, 2, 4), (2, 1, float("inf")), (4, 1, 5)], "reservations")
    expect_equal(starts_of(rows(log, "tasks")), [0, 5, 4], "starts")


def with_two_gangs(name, submit, limit_s, *gangs):
    return {"job": name, "submit": submit, "limit_s": limit_s,
            "stages": [{"stage": at, "gang": True, "durations": durations} for at, durations in enumerate(gangs)]}


def first_starts(log):
    """Of each stage; inf: killed before."""
    tasks = rows(log, "tasks")
    return [float(tasks["start"][tasks["stage"] == stage].min(initial=math.inf)) for stage in range(len(rows(log, "stages")))]


@pytest.mark.parametrize("order", ["fifo", "srpt", "ujf"])
@pytest.mark.parametrize("backfill", ["easy", "easy 1 shortest_first"])
def test_a_gang_starts_though_another_of_its_job_is_the_head(folder, backfill, order):
    """Two of eight slots are free from 0 on, and h's second gang needs no more."""
    jobs = [with_two_gangs("a", 0, 10, [10] * 6), with_two_gangs("h", 1, 8, [3] * 8, [3] * 2)]
    log = simulated(folder, jobs, backfill, order=f"order = \"{order}\"\nplacement = \"any-free\"")
    expect_equal(first_starts(log), [0, math.inf, 1], "starts")  # by its limit h has ended at 9


@pytest.mark.parametrize("order", ["fifo", "priority"])
def test_with_equal_limits_the_shortest_first_is_in_order(folder, order):
    """Jobs of several gangs, which need different slots: as without, start by start."""
    draws = random.Random(7)
    jobs = [with_two_gangs(f"w{number}j{at}", number * APART_S + draws.randint(0, 30), 12,
                           *([draws.randint(1, 12)] * draws.randint(1, CPUS) for _ in range(draws.randint(1, 3))))
            for number in range(60) for at in range(10)]
    jobs.sort(key=lambda job: job["submit"])
    found = [first_starts(simulated(folder, jobs, backfill, order=f"order = \"{order}\"\nplacement = \"any-free\""))
             for backfill in ("easy", "easy 1 shortest_first")]
    expect_equal(found[1], found[0], "starts")


@pytest.mark.parametrize("backfill", ["easy", "conservative"])
def test_the_shortest_limit_first(folder, backfill):
    """Limits that differ, as equal ones go by arrival in both."""
    draws = random.Random(1)
    workloads = []
    for _ in range(100):
        limits = draws.sample(range(1, 40), 14)
        workloads.append([Job(submit, draws.randint(1, CPUS), draws.randint(1, limit), limit, (limit,))
                          for submit, limit in zip(sorted(draws.randint(0, 40) for _ in limits), limits)])
    jobs = [job for number, some in enumerate(workloads) for job in as_gangs(some, number)]
    order = "order = \"shortest-limit\"\nplacement = \"any-free\""
    found = starts_of(rows(simulated(folder, jobs, backfill, order=order), "tasks"))
    expected = [number * APART_S + one.start for number, some in enumerate(workloads) for one in run(some, CPUS, backfill)]
    expect_equal(found, expected, "starts")


KEYS = {  # of a job that waits, the least first: limit r, width n, submit s, wait w
    "shortest-limit": lambda r, n, s, w: r,
    "wfp3": lambda r, n, s, w: -((w / r) ** 3) * n,
    "unicef": lambda r, n, s, w: -w / (math.log2(n) * r),
    "f1": lambda r, n, s, w: math.log10(r) * n + 870 * math.log10(max(s, 1)),
}


@pytest.mark.parametrize("order", KEYS)
def test_batch_orders_are_their_formulas(folder, order):
    """Of jobs that need more than half of the slots one runs at a time: at each end the formula says which is next."""
    draws = random.Random(2)
    jobs = [Job(submit, draws.randint(5, CPUS), draws.randint(1, 9), draws.randint(10, 99))
            for submit in sorted(draws.randint(0, 300) for _ in range(120))]
    waiting, to_come, now, expected = [], list(range(len(jobs))), 0, {}
    while waiting or to_come:
        if not waiting:
            now = max(now, jobs[to_come[0]].submit)
        while to_come and jobs[to_come[0]].submit <= now:
            waiting.append(to_come.pop(0))
        best = min(waiting, key=lambda at: (KEYS[order](jobs[at].limit, jobs[at].cpus, jobs[at].submit,
                                                       now - jobs[at].submit), at))
        waiting.remove(best)
        expected[best] = now
        now += jobs[best].time
    chosen = f"order = \"{order}\"\nplacement = \"any-free\""
    found = starts_of(rows(simulated(folder, as_gangs(jobs), "none", order=chosen), "tasks"))
    expect_equal(found, [expected[at] for at in range(len(jobs))], "starts")


@pytest.mark.parametrize("order", KEYS)
def test_batch_orders_need_limits(folder, order):
    write_workload(folder, [{"job": "a", "submit": 0, "durations": [1]}])
    (folder / "config.toml").write_text(
        f"[cluster]\nnodes = 4\nslots_per_node = 2\n[scheduler]\norder = \"{order}\"\nplacement = \"any-free\"\n"
        "[workload]\nfile = \"workload.jsonl\"\n")
    somnus(folder, "simulate", "config.toml").expect(
        MISTAKE, f"scheduler.order: \"{order}\" counts on time limits, and 1 of 1 jobs have none")


def test_with_exact_limits_conservative_is_no_later_than_fcfs(folder):
    jobs = []
    for number in range(300):
        exact = [Job(job.submit, job.cpus, job.time, job.time) for job in drawn(number)]
        jobs += as_gangs(exact, number)
    strict = starts_of(rows(simulated(folder, jobs, "none"), "tasks"))
    filled = starts_of(rows(simulated(folder, jobs, "conservative"), "tasks"))
    later = [job for job, (a, b) in enumerate(zip(filled, strict)) if a > b]
    expect(not later, f"jobs {later[:5]} start later than under FCFS")
    expect(sum(strict) > sum(filled), "no job starts earlier than under FCFS")


@pytest.mark.parametrize("backfill", ["easy", "easy 3", "conservative"])
@pytest.mark.parametrize("cpus", [None, 2])
def test_under_heartbeats_a_reservation_says_no_earlier_than_the_next_one(folder, backfill, cpus):
    """No job reaches its limit before its end is heard, so all reservations count."""
    made = 0
    for seed in range(4):
        jobs = [Job(job.submit, job.cpus, job.time, job.time + 9) for job in drawn(seed)]
        log = simulated(folder, as_gangs(jobs), backfill, more=f"[run]\nseed = {seed}\n",
                        order="policy = \"fifo\"\nfeedback = \"any-heartbeat\"" + ("\ncycle_s = 0.7" if seed % 4 == 3 else ""),
                        cpus=cpus)
        made += len(rows(log, "decisions/reservation"))
        if seed % 4 < 3:
            expect(set(rows(log, "decisions/reservation")["time"]) <= set(rows(log, "events/node_offered")["time"]),
                   "a reservation between heartbeats")
    expect(made > 25, f"only {made} reservations")


def test_under_heartbeats_nothing_is_reserved_for_a_free_cluster(folder):
    jobs = [{"job": name, "submit": 0, "durations": [5], "limit_s": 10} for name in "ab"]
    for backfill in ("easy", "conservative"):
        log = simulated(folder, jobs, backfill, nodes=2, slots=1, order="policy = \"fifo\"\nfeedback = \"any-heartbeat\"")
        expect_equal(len(rows(log, "decisions/reservation")), 0, "reservations")
        expect_equal(len(set(rows(log, "tasks")["start"])), 1, "starts, at the first heartbeat")


@pytest.mark.parametrize("feedback", ["at-once", "any-heartbeat"])
@pytest.mark.parametrize("backfill", ["none", "easy", "easy 4", "conservative", "slurm 0.5"])
def test_orders_and_faults_keep_the_rules(folder, backfill, feedback):
    """Graphs of gangs and other stages, nodes that are lost, tasks that fail, jobs beyond their limits."""
    for seed in range(12 if feedback == "at-once" else 4):
        draws = random.Random(seed)
        jobs, submit = [], 0.0
        for job in range(draws.randint(5, 40)):
            submit = round(submit + draws.choice([0, 0.1, 0.5, 1]), 2)
            stages = [{"stage": stage, "gang": draws.random() < 0.6, "parents": [stage - 1] if stage else [],
                       "durations": [draws.choice([0, 0.5, 1, 2, 3]) for _ in range(draws.randint(1, 6))]}
                      for stage in range(draws.choice([1, 1, 2, 3]))]
            jobs.append({"job": f"j{job}", "submit": submit, "user": draws.choice("ab"),
                         "limit_s": draws.choice([2, 5, 20]), "stages": stages})
        policy = draws.choice(["fifo", "fair", "srpt", "cfq", "ujf", "uwfq", "sjf"])
        simulated(folder, jobs, backfill, nodes=draws.choice([6, 8]), slots=draws.choice([1, 2]),
                  order=f"policy = \"{policy}\"\nfeedback = \"{feedback}\"",
                  more=drawn_conditions(draws, seed) + "[limits]\ngrace_s = 0.5\n")


def test_a_job_beyond_its_limit_is_killed_and_counted(folder):
    jobs = [{"job": "long", "submit": 0, "durations": [9, 1], "gang": True, "limit_s": 5},
            {"job": "short", "submit": 0, "durations": [5], "limit_s": 5}]
    log = simulated(folder, jobs, "none")
    expect_equal(rows(log, "jobs")["state"].tolist(), [TIMED_OUT, 2], "states")
    expect_equal([(row["time"], int(row["job"])) for row in rows(log, "decisions/timeout")], [(5, 0)], "decisions")
    expect_equal(numpy.unique(rows(log, "tasks")["finish"]).tolist(), [1, 5], "ends")
    ended = somnus(folder, "summary", "log.h5").expect(FINE)
    expect("of these at their limit" in ended.out, ended.out)


@pytest.mark.parametrize(("model", "limits"), [
    ("factor", [20, 150000, 2]), ("rounded", [300, 172800, 300]), ("none", None)])
def test_limits_that_the_workload_does_not_give(folder, model, limits):
    jobs = [{"job": "a", "submit": 0, "durations": [10, 3], "gang": True, "limit_s": 7},
            {"job": "b", "submit": 0, "durations": [75000]}, {"job": "c", "submit": 0, "durations": [1]}]
    factor = "factor = 2\n" if model != "none" else ""
    log = simulated(folder, jobs, "none", more=f"[limits]\nmodel = \"{model}\"\n{factor}")
    if limits is None:
        with pytest.raises(KeyError):
            rows(log, "limits")
    else:
        expect_equal(rows(log, "limits")["limit"].tolist(), limits, "limits")


def test_a_run_over_mpi_backfills_too(folder):
    draws = random.Random(3)
    jobs = [{"job": f"j{at}", "submit": at * 0.05, "tasks": draws.randint(1, 8), "limit_s": 0.5 + at % 2,
             "duration": 0.1 + at % 3 * 0.1, "gang": True} for at in range(20)]
    write_workload(folder, jobs)
    for policy in ("easy", "conservative", "slurm-backfill"):
        cycles = "[scheduler.slurm]\nbf_interval_s = 0.1\n" if policy == "slurm-backfill" else ""
        config = write_config(folder, policy=policy, more=cycles)
        somnus(folder, "run", config, "--ranks", "3", "--log", "log.h5", "-q", "--force").expect(FINE)
        somnus(folder, "check", "log.h5").expect(FINE)
        somnus(folder, "replay", "log.h5").expect(FINE)


def test_a_run_that_ends_amid_reservations_is_checked_and_replayed(folder):
    jobs = as_gangs(drawn(5))
    write_workload(folder, jobs)
    config = write_config(folder, policy="conservative", more="[run]\nspeed = 20\nuntil_s = 20\n")
    somnus(folder, "run", config, "--ranks", "3", "--log", "log.h5", "-q").expect(FINE)
    somnus(folder, "check", "log.h5").expect(FINE)
    somnus(folder, "replay", "log.h5").expect(FINE)


@pytest.mark.parametrize("backfill", ["easy", "conservative", "slurm-backfill"])
def test_jobs_without_limits_are_refused(folder, backfill):
    jobs = as_gangs([Job(0, 2, 3, 3), Job(0, 2, 3, 3)])
    del jobs[1]["limit_s"]
    write_workload(folder, jobs)
    somnus(folder, "simulate", write_config(folder, policy=backfill)).expect(
        MISTAKE, "counts on time limits, and 1 of 2 jobs have none", "'w0j1'", "limits.model = \"factor\"")


@pytest.mark.parametrize(("scheduler", "says"), [
    ("policy = \"drf-strict\"\nbackfill = \"easy\"", "lets a job have so many tasks and no more"),
    ("order = \"fifo\"\nplacement = \"random\"\nbackfill = \"none\"", "places tasks one by one"),
    ("policy = \"tetris\"\nbackfill = \"easy\"", "ignored with scheduler.policy"),
    ("policy = \"fifo\"\nbackfill = \"eassy\"", "did you mean"),
    ("policy = \"easy\"\nconservative.heads = 2", "has no parameters"),
    ("policy = \"conservative\"\neasy.heads = 2", "ignored with scheduler.backfill = \"conservative\"")])
def test_what_does_not_go_together_is_refused(folder, scheduler, says):
    write_workload(folder, as_gangs([Job(0, 2, 3, 3)]))
    (folder / "config.toml").write_text(f"[cluster]\nnodes = 4\nslots_per_node = 2\n[scheduler]\n{scheduler}\n"
                                        "[workload]\nfile = \"workload.jsonl\"\n")
    somnus(folder, "simulate", "config.toml").expect(MISTAKE, says)
