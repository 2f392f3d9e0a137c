"""Gangs: tasks that start together, and hold what they have until the last of them has ended."""

import random
import sys
from pathlib import Path

import numpy
import pytest

from logs import FINISHED, KILLED, rows, write_config, write_workload
from somnus_program import FINE, MISTAKE, expect, expect_equal, limits_for, presets, somnus

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "oracles"))
from rigid_jobs import Job, run  # noqa: E402

CPUS = 8


def simulated(folder, jobs, checks=("check", "replay"), **of_config):
    """The rows of /tasks, after the log has been checked and replayed."""
    write_workload(folder, jobs, resources=of_config.pop("resources", None))
    config = write_config(folder, **{"nodes": 4, "slots": 2, "policy": "fifo", **of_config})
    somnus(folder, "simulate", config, "-q", "--log", "log.h5", "--force").expect(FINE)
    for command in checks:
        somnus(folder, command, "log.h5").expect(FINE)
    if "replay" in checks:
        somnus(folder, "replay", "--recorded", "log.h5").expect(FINE)
    return rows(folder / "log.h5", "tasks")


def starts_of(tasks):
    """By job, when all its tasks have started."""
    starts = {}
    for row in tasks:
        expect_equal(row["start"], starts.setdefault(int(row["job"]), row["start"]), "start of a task of a gang")
    return [starts[job] for job in sorted(starts)]


def drawn(seed):
    draws = random.Random(seed)
    return [Job(submit, draws.randint(1, CPUS), draws.randint(1, 12), limit=12)
            for submit in sorted(draws.randint(0, 40) for _ in range(14))]


def as_gangs(jobs):
    """The job's tasks end at different times, the longest after its time."""
    return [{"job": f"j{at}", "submit": job.submit, "gang": True,
             "durations": [job.time] + [1 + (7 * each) % job.time for each in range(1, job.cpus)]}
            for at, job in enumerate(jobs)]


@pytest.mark.parametrize("block", range(10))
def test_each_job_starts_when_an_exact_simulator_of_rigid_jobs_starts_it(folder, block):
    for seed in range(block * 20, block * 20 + 20):
        jobs = drawn(seed)
        expected = [one.start for one in run(jobs, CPUS, "first-fit")]
        tasks = simulated(folder, as_gangs(jobs), checks=("check",) if seed % 5 == 0 else (),
                          nodes=(1, 2, 4, 8)[seed % 4], slots=(8, 4, 2, 1)[seed % 4])
        expect_equal(starts_of(tasks), expected, f"starts of workload {seed}")


def test_what_a_gang_has_comes_back_with_its_last_task(folder):
    jobs = [{"job": "wide", "submit": 0, "durations": [1, 1, 5]}, {"job": "late", "submit": 0.5, "durations": [1, 1]}]
    for gang, expected in ((True, 5), (False, 1)):
        jobs[0]["gang"] = gang
        tasks = simulated(folder, jobs, nodes=1, slots=3)
        expect_equal(tasks["start"][tasks["job"] == 1].tolist(), [expected] * 2, f"start behind, gang: {gang}")


def test_a_gang_of_one_task_is_a_task(folder):
    jobs = [{"job": f"j{at}", "submit": at * 0.5, "durations": [1 + at % 3]} for at in range(30)]
    plain = simulated(folder, jobs)
    expect_equal(simulated(folder, [{**job, "gang": True} for job in jobs]).tobytes(), plain.tobytes(), "rows")


def test_a_graph_may_have_gangs_and_other_stages(folder):
    jobs = [{"job": "graph", "submit": 0, "stages": [
        {"stage": 0, "durations": [1, 2, 3, 4, 1, 1, 1, 1, 1, 1]},
        {"stage": 1, "parents": [0], "durations": [2, 2, 2, 2, 2], "gang": True},
        {"stage": 2, "parents": [1], "durations": [1] * 3}]},
            {"job": "beside", "submit": 1, "durations": [2] * 8, "gang": True}]
    tasks = simulated(folder, jobs)
    gang = tasks[(tasks["job"] == 0) & (tasks["stage"] == 1)]
    expect_equal(len(set(gang["placed"])), 1, "instants at which the gang is placed")
    after = tasks[(tasks["job"] == 0) & (tasks["stage"] == 2)]
    expect(after["placed"].min() >= gang["finish"].max(), "the last stage starts before the gang has ended")


def test_a_gang_of_which_a_task_fails_starts_again_as_one(folder):
    jobs = [{"job": f"j{at}", "submit": at, "tasks": 2 + at % 5, "duration": 2, "gang": True} for at in range(40)]
    tasks = simulated(folder, jobs, more="[faults]\ntask_failure_probability = 0.1\ntask_attempts = 0\n")
    for job in range(40):
        of_job = tasks[tasks["job"] == job]
        width = 2 + job % 5
        expect_equal(numpy.count_nonzero(of_job["outcome"] == FINISHED), width, "tasks that finished")
        for attempt in range(of_job["attempt"].max() + 1):
            together = of_job[of_job["attempt"] == attempt]
            expect_equal(len(together), width, f"attempts {attempt} of job {job}")
            expect_equal(len(set(together["placed"])), 1, "instants at which they were placed")
    expect((tasks["outcome"] == KILLED).any(), "no task was killed because another one had failed")


@pytest.mark.parametrize("missed", [0, 3])
def test_a_gang_on_a_lost_node_starts_again_as_one(folder, missed):
    jobs = [{"job": f"j{at}", "submit": at * 0.1, "durations": [0.5, 4, 4, 4], "gang": True} for at in range(4)]
    faults = "[[faults.event]]\nkind = \"node-lost\"\nnode = 1\nat_s = 1.5\nfor_s = 3\n"
    if missed:
        faults = f"[faults]\nmissed_heartbeats = {missed}\n" + faults + "[heartbeat]\ninterval_s = 0.2\n"
    tasks = simulated(folder, jobs, more=faults)
    expect_equal(numpy.count_nonzero(tasks["outcome"] == FINISHED), 16, "tasks that finished")
    again = tasks[tasks["attempt"] > 0]
    expect(len(again) > 0, "no gang was on the lost node")
    for job in set(again["job"]):
        expect_equal(numpy.count_nonzero(again["job"] == job) % 4, 0, "tasks that started again")


def test_gangs_heed_several_resources(folder):
    jobs = [{"job": "a", "submit": 0, "tasks": 5, "duration": 3, "gang": True, "demand": {"cpu": 2, "gb": 1}},
            {"job": "b", "submit": 1, "tasks": 2, "duration": 1, "gang": True, "demand": {"cpu": 2, "gb": 3}}]
    write_workload(folder, jobs, resources=["cpu", "gb"])
    config = folder / "config.toml"
    config.write_text("[cluster]\nnodes = 3\nresources = { cpu = 4, gb = 4 }\n[scheduler]\npolicy = \"drf\"\n"
                      "[workload]\nfile = \"workload.jsonl\"\n")
    somnus(folder, "simulate", config, "-q", "--log", "log.h5").expect(FINE)
    somnus(folder, "check", "log.h5").expect(FINE)
    tasks = rows(folder / "log.h5", "tasks")
    expect_equal(starts_of(tasks), [0, 3], "starts")  # from 1 on only one task of b would fit


def test_a_run_over_mpi_starts_them_together_too(folder):
    jobs = [{"job": f"j{at}", "submit": at * 0.05, "durations": [0.1, 0.2, 0.1][:1 + at % 3], "gang": True}
            for at in range(12)]
    write_workload(folder, jobs)
    config = write_config(folder, policy="fifo")
    somnus(folder, "run", config, "--ranks", "3", "--log", "log.h5", "-q").expect(FINE)
    somnus(folder, "check", "log.h5").expect(FINE)
    somnus(folder, "replay", "log.h5").expect(FINE)
    tasks = rows(folder / "log.h5", "tasks")
    for job in range(12):
        expect_equal(len(set(tasks["placed"][tasks["job"] == job])), 1, "instants at which the gang is placed")


def test_a_gang_for_which_there_is_never_room_is_a_mistake(folder):
    write_workload(folder, [{"job": "wide", "submit": 0, "tasks": 9, "duration": 1, "gang": True}])
    somnus(folder, "simulate", write_config(folder)).expect(
        MISTAKE, "is a gang of 9 tasks, and the cluster has room for 8 of them at once")


def test_parts_that_know_tasks_one_by_one_are_refused(folder):
    write_workload(folder, [{"job": "wide", "submit": 0, "tasks": 3, "duration": 1, "gang": True}])
    served, refused = [], []
    for preset in presets():
        ended = somnus(folder, "simulate", write_config(folder, policy=preset, more=limits_for(preset)), "-q")
        if ended.code == FINE:
            served.append(preset)
        else:
            ended.expect(MISTAKE, "the tasks of a gang start together")
            refused.append(preset)
    expect({"fifo", "fair", "srpt", "cfq", "ujf", "uwfq", "drf", "sjf"} <= set(served), f"served: {served}")
    expect({"yarn", "sparrow", "tetris", "carbyne", "drf-strict", "paf", "mercury"} <= set(refused), f"refused: {refused}")
    somnus(folder, "simulate", write_config(folder, policy="fifo", more="[speculation]\nslowdown = 1.5\n")).expect(
        MISTAKE, "a backup is a task that starts by itself")


@pytest.mark.parametrize("kind", ["swf", "sacct", "csv"])
def test_rigid_jobs_of_others_run_as_gangs(folder, kind):
    """4 CPUs from 0 to 60 s, 1 from 30 to 90 s, and 8 that come at 40 s."""
    (folder / "jobs.swf").write_text("; MaxProcs: 8\n"
                                     "1 0 0 60 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1\n"
                                     "2 30 0 60 1 -1 -1 1 60 -1 1 2 1 -1 1 -1 -1 -1\n"
                                     "3 40 0 60 8 -1 -1 8 60 -1 1 2 1 -1 1 -1 -1 -1\n")
    (folder / "jobs.sacct").write_text("JobID|User|Submit|Start|End|AllocCPUS\n"
                                       "1|ann|2024-05-01T12:00:00|2024-05-01T12:00:00|2024-05-01T12:01:00|4\n"
                                       "2|bob|2024-05-01T12:00:30|2024-05-01T12:00:30|2024-05-01T12:01:30|1\n"
                                       "3|bob|2024-05-01T12:00:40|2024-05-01T12:01:30|2024-05-01T12:02:30|8\n")
    (folder / "jobs.csv").write_text("job,submit,duration,cpus\n1,0,60,4\n2,30,60,1\n3,40,60,8\n")
    columns = 'submit = "submit"\nduration = "duration"\ntasks = "cpus"\nrigid = true\ngangs = true\n' if kind == "csv" else ""
    source = f'jobs.{kind}"\nformat = "{kind}"\n{columns}#"'
    ended = somnus(folder, "simulate", write_config(folder, policy="fifo", workload=source), "--log", "log.h5")
    ended.expect(FINE)
    expect("RIGID" not in ended.out + ended.err, f"they are said to run as independent tasks: {ended.out}")
    somnus(folder, "check", "log.h5").expect(FINE)
    expect_equal(starts_of(rows(folder / "log.h5", "tasks")), [0, 30, 90], "starts")


def drawn_graphs(draws):
    """Jobs of one to three stages, most of them gangs, some of whose tasks take no time."""
    submit = 0.0
    for job in range(draws.randint(5, 40)):
        submit = round(submit + draws.choice([0, 0.1, 0.5, 1]), 2)
        stages = []
        for stage in range(draws.choice([1, 1, 2, 3])):
            stages.append({"stage": stage, "gang": draws.random() < 0.6,
                           "durations": [draws.choice([0, 0.5, 1, 2, 3]) for _ in range(draws.randint(1, 6))]})
            if stage > 0 and draws.random() < 0.7:
                stages[-1]["parents"] = [stage - 1]
        yield {"job": f"j{job}", "submit": submit, "user": draws.choice("ab"), "stages": stages}


def drawn_conditions(draws, seed):
    """Failures, lost nodes that say so or have to be missed, delays, warm-up: each now and then."""
    faults = [line for line in ("task_failure_probability = 0.05\ntask_attempts = 3\n",
                                "task_failure_probability = 0.05\n", "") if draws.random() < 0.5][:1]
    faults += ["node_mtbf_s = 30\nnode_repair_s = 3\n"] * (draws.random() < 0.5)
    missed = draws.random() < 0.4
    faults += ["missed_heartbeats = 3\n"] * missed
    return (f"[run]\nseed = {seed}\n" + "[faults]\n" * any(faults) + "".join(faults)
            + "[heartbeat]\ninterval_s = 0.5\n" * missed
            + "[network]\ndelay_ms = 50\njitter = 0.5\n" * (draws.random() < 0.5)
            + "[jvm]\nmodel = \"reuse\"\nfactor = 2\n" * (draws.random() < 0.3))


FAST_LOSSES = ("[faults]\nnode_mtbf_s = 30\nnode_repair_s = 0.5\nmissed_heartbeats = 3\n[heartbeat]\ninterval_s = 1\n"
               "[network]\ndelay_ms = 3000\njitter = 1\n[jvm]\nmodel = \"reuse\"\n")


@pytest.mark.parametrize("gang", [True, False])
def test_nothing_of_an_earlier_life_of_a_node_starts(folder, gang):
    """Nodes are lost and back in less time than messages take, which overtake each other."""
    for seed in range(2):
        jobs = [{"job": f"j{at}", "submit": at, "durations": [19, 8, 1], "gang": gang} for at in range(3)]
        simulated(folder, jobs, nodes=6, slots=1, more=FAST_LOSSES + f"[run]\nseed = {seed}\nuntil_s = 2500\n")
        lost = {node: [] for node in range(6)}
        for event in rows(folder / "log.h5", "events/node_lost"):
            lost[int(event["node"])].append(event["time"])
        for row in rows(folder / "log.h5", "tasks"):
            given_up = [time for time in lost[int(row["node"])] if time > row["placed"]][:1]
            back = [event["time"] for event in rows(folder / "log.h5", "events/node_returned")
                    if event["node"] == row["node"] and given_up and event["time"] > given_up[0]][:1]
            expect(not back or not row["start"] >= back[0], f"{row} was given up at {given_up}, and starts after {back}")


def test_a_task_that_is_given_up_holds_no_node_of_its_exclusive_gang(folder):
    jobs = [{"job": f"j{at}", "submit": 10 * at, "durations": [12, 8, 5, 10, 3], "gang": True, "exclusive": at % 2 == 1}
            for at in range(6)]
    more = ("[faults]\nnode_mtbf_s = 300\nnode_repair_s = 20\nmissed_heartbeats = 5\nheartbeat_loss_probability = 0.5\n"
            "[run]\nuntil_s = 2000\n")
    for seed in range(3):
        simulated(folder, jobs, nodes=5, slots=2, more=more + f"seed = {seed}\n")


@pytest.mark.parametrize("block", range(4))
def test_gangs_keep_their_rules_under_drawn_faults(folder, block):
    for seed in range(block * 15, block * 15 + 15):
        draws = random.Random(seed)
        jobs = list(drawn_graphs(draws))
        policy = draws.choice(["fifo", "fair", "srpt", "cfq", "ujf", "uwfq", "sjf"])
        simulated(folder, jobs, nodes=draws.choice([6, 8]), slots=draws.choice([1, 2]), policy=policy,
                  more=drawn_conditions(draws, seed))
