"""Gangs that give up their slots, under least attained service: beside an exact simulator that shares no
code (tests/oracles/las.py), by hand, over MPI, and what is refused."""

import json
import random
import sys
from pathlib import Path

import pytest

from logs import FINISHED, KILLED, SUSPENDED, rows, write_workload
from somnus_program import FINE, MISTAKE, expect, expect_equal, somnus

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "oracles"))
import las  # noqa: E402

CPUS = 8
WORKLOADS = 200  # in one simulation, one after the other
APART_S = 4096  # from one to the next: by then all has ended
THRESHOLDS = (16, 64)  # slot-time after which a job leaves the first queue and the second
LAS = 'order = "las"\nplacement = "any-free"\nlas = { queues = 3, threshold_s = 16, factor = 4 }'


def drawn(seed):
    """Of widths that are powers of two, so that all instants are whole nanoseconds."""
    draws = random.Random(seed)
    jobs = []
    for submit in sorted(draws.choice([draws.randint(0, 60), 8 * draws.randint(0, 7)]) for _ in range(12)):
        time = draws.choice([draws.randint(1, 6), 4, draws.randint(10, 30)])
        jobs.append(las.Job(submit, draws.choice([1, 2, 4, 8]), time, time + draws.choice([0, 0, 5, 40])))
    return jobs


def as_gangs(jobs, number=0):
    return [{"job": f"w{number}j{at}", "submit": number * APART_S + job.submit, "gang": True, "limit_s": job.limit,
             "durations": [job.time] + [1 + (7 * each) % job.time for each in range(1, job.cpus)]}
            for at, job in enumerate(jobs)]


def config(scheduler, nodes=4, slots=2, more=""):
    return (f"[cluster]\nnodes = {nodes}\nslots_per_node = {slots}\n[scheduler]\n{scheduler}\n"
            f"[workload]\nfile = \"workload.jsonl\"\n{more}")


def simulated(folder, jobs, scheduler, more="", command=("simulate", "config.toml")):
    """The log, after it has been checked and replayed."""
    write_workload(folder, jobs)
    (folder / "config.toml").write_text(config(scheduler, more=more))
    somnus(folder, *command, "-q", "--log", "log.h5", "--force").expect(FINE)
    for each in ("check", "replay"):
        somnus(folder, each, "log.h5").expect(FINE)
    return folder / "log.h5"


def spans(log):
    """By job, of each of its attempts: when it starts, and whether it finishes."""
    found = {}
    for row in rows(log, "tasks"):
        found.setdefault(int(row["job"]), {})[int(row["attempt"])] = (float(row["start"]), int(row["outcome"]) == FINISHED)
    return [[of[attempt] for attempt in sorted(of)] for _, of in sorted(found.items())]


@pytest.mark.parametrize("preemption", ["none", "requeue", "suspend"])
@pytest.mark.parametrize("backfill", ["first-fit", "none", "easy"])
def test_each_attempt_starts_when_the_exact_simulator_starts_it(folder, backfill, preemption):
    workloads = [drawn(number) for number in range(WORKLOADS)]
    log = simulated(folder, [job for number, jobs in enumerate(workloads) for job in as_gangs(jobs, number)],
                    f'{LAS}\nbackfill = "{backfill}"\npreemption = "{preemption}"')
    found = spans(log)
    preempted = 0
    for number, jobs in enumerate(workloads):
        states = las.run(jobs, CPUS, las.Rules(THRESHOLDS, preemption), backfill)
        expected = [[(float(start), each + 1 == len(state.starts)) for each, start in enumerate(state.starts)]
                    for state in states]
        mine = found[number * len(jobs):(number + 1) * len(jobs)]
        mine = [[(round(start - number * APART_S, 6), finished) for start, finished in job] for job in mine]
        expect_equal(mine, expected, f"starts of {jobs}")
        preempted += sum(len(job) - 1 for job in mine)
    expect(preempted > WORKLOADS if preemption != "none" else preempted == 0, f"{preempted} were preempted")
    expect_equal(len(rows(log, "decisions/preemption")) if preempted else 0, preempted, "rows of /decisions/preemption")


# Job a has attained 16 slot-seconds at 2 and goes to the second queue, where b takes its slots.
BY_HAND = [las.Job(0, 8, 10, 10), las.Job(1, 4, 3, 3), las.Job(6, 2, 2, 2)]


def test_by_hand(folder):
    log = simulated(folder, as_gangs(BY_HAND), f'{LAS}\npreemption = "requeue"')
    expect_equal(spans(log), [[(0, False), (5, False), (8, True)], [(2, True)], [(6, True)]], "starts")
    made = [(row["time"], int(row["stage"]), int(row["by"])) for row in rows(log, "decisions/preemption")]
    expect_equal(made, [(2, 0, 1), (6, 0, 2)], "preemptions")
    tasks = rows(log, "tasks")
    expect_equal(int((tasks["outcome"] == KILLED).sum()), 16, "killed attempts")
    figures = json.loads(somnus(folder, "summary", "log.h5", "--json").expect(FINE).out)
    figures = figures[0] if isinstance(figures, list) else figures
    expect_equal(figures["bounded_slowdown_mean"], (1.8 + 1 + 1) / 3, "bounded slowdown: a needs 10 s and takes 18")


def test_by_hand_with_what_was_done_kept(folder):
    """a has done 2 s at 2, and 1 s more at 6: 7 are left at 8."""
    log = simulated(folder, as_gangs(BY_HAND), f'{LAS}\npreemption = "suspend"')
    expect_equal(spans(log), [[(0, False), (5, False), (8, True)], [(2, True)], [(6, True)]], "starts")
    expect_equal(max(float(row["finish"]) for row in rows(log, "tasks") if row["job"] == 0), 15, "end of a")
    tasks = rows(log, "tasks")
    expect_equal(int((tasks["outcome"] == SUSPENDED).sum()), 16, "suspended attempts")
    expect_equal(int((tasks["outcome"] == KILLED).sum()), 0, "killed attempts")


def test_of_a_queue_the_last_to_start_and_nobody_for_nothing(folder):
    """At 70 all are in the last queue, and c needs four slots: of y one, then of b two are not enough, so a is
    chosen too; then y and b are not needed."""
    jobs = [las.Job(0, 5, 100, 100), las.Job(0, 2, 120, 120), las.Job(0, 1, 120, 120), las.Job(70, 4, 1, 1)]
    log = simulated(folder, as_gangs(jobs), f'{LAS}\npreemption = "requeue"')
    made = [(row["time"], int(row["stage"]), int(row["by"])) for row in rows(log, "decisions/preemption")]
    expect_equal(made, [(70, 0, 3)], "preemptions")
    expect_equal(spans(log), [[(0, False), (71, True)], [(0, True)], [(0, True)], [(70, True)]], "starts")


@pytest.mark.parametrize("preemption", ["requeue", "suspend"])
def test_over_mpi(folder, preemption):
    """Kills and ends travel, so nothing else starts until the slots are back."""
    draws = random.Random(5)
    jobs = [las.Job(at, draws.choice([1, 2, 4, 8]), draws.choice([1, 2, 12]), 40) for at in range(30)]
    log = simulated(folder, as_gangs(jobs), f'{LAS}\npreemption = "{preemption}"', "[run]\nspeed = 8\n",
                    command=("run", "config.toml", "--ranks", "3"))
    preempted = rows(log, "decisions/preemption")
    expect(len(preempted) > 3, f"{len(preempted)} were preempted")
    expect_equal(sum(1 for job in spans(log) if job[-1][1]), len(jobs), "jobs that finished")


@pytest.mark.parametrize("backfill", ["first-fit", "none", "easy", "conservative", "slurm"])
def test_who_leaves_its_queue_gives_up_its_slots_at_once(folder, backfill):
    """Also those are asked that have a reservation already: as by hand."""
    log = simulated(folder, as_gangs(BY_HAND), f'{LAS}\nbackfill = "{backfill}"\npreemption = "requeue"')
    first = rows(log, "decisions/preemption")[0]
    expect_equal((first["time"], int(first["stage"]), int(first["by"])), (2, 0, 1), "first preemption")


@pytest.mark.parametrize("preemption", ["requeue", "suspend"])
@pytest.mark.parametrize("seed", range(6))
def test_with_failing_tasks_and_lost_nodes(folder, seed, preemption):
    jobs = as_gangs(drawn(100 + seed) + drawn(200 + seed))
    for job in jobs:
        job.pop("limit_s")
    jobs = sorted(({**job, "job": f"j{at}"} for at, job in enumerate(jobs)), key=lambda job: job["submit"])
    backfill = ("first-fit", "none")[seed % 2]
    more = f"[faults]\ntask_failure_probability = 0.02\nnode_mtbf_s = 300\nnode_repair_s = 5\n[run]\nseed = {seed}\n"
    log = simulated(folder, jobs, f'{LAS}\nbackfill = "{backfill}"\npreemption = "{preemption}"', more)
    expect(len(rows(log, "decisions/preemption")) > 3 and len(rows(log, "events/node_lost")) > 0, "too little happened")


@pytest.mark.parametrize("scheduler, words", [
    ('policy = "fifo"\npreemption = "requeue"', ["scheduler.preemption", "\"fifo\"", "\"las\" or \"priority\""]),
    ('policy = "tetris"\npreemption = "requeue"', ["scheduler.preemption", "is a whole policy"]),
    (f'{LAS}\npreemption = "reque"', ["requeue"]),
    (f'{LAS}\npreemption = "requeue"'.replace("queues = 3", "queues = 1"), ["order \"las\" nobody", "make tiers by scheduler.las.queues"]),
    (f'{LAS}\npreemption = "requeue"\nfeedback = "heartbeat"', ["scheduler.feedback", "scheduler.preemption"])])
def test_what_does_not_go_together_is_refused(folder, scheduler, words):
    write_workload(folder, as_gangs(BY_HAND))
    (folder / "config.toml").write_text(config(scheduler))
    somnus(folder, "simulate", "config.toml").expect(MISTAKE, *words)


def test_where_nobody_can_give_up_anything_it_is_refused(folder):
    write_workload(folder, [{"job": "j", "submit": 0, "durations": [1, 2, 3]}])
    (folder / "config.toml").write_text(config(f'{LAS}\npreemption = "requeue"'))
    somnus(folder, "simulate", "config.toml").expect(MISTAKE, "takes slots from gangs and stages of one task alone")


def test_the_limit_of_who_gave_up_its_slots_counts_anew(folder):
    """At 2 b takes all slots of a's wide gang, at 4 c half of them, so a's narrow gang starts, and a has until 13."""
    a = {"job": "a", "submit": 0, "limit_s": 9, "stages": [{"stage": 0, "gang": True, "durations": [10] * 8},
                                                           {"stage": 1, "gang": True, "durations": [3] * 4}]}
    jobs = [a, *as_gangs([las.Job(1, 8, 2, 99), las.Job(2, 4, 50, 99)])]
    log = simulated(folder, jobs, f'{LAS}\npreemption = "requeue"')
    expect_equal([(row["time"], int(row["job"])) for row in rows(log, "decisions/timeout")], [(13, 0)], "killed at their limits")


def test_the_limit_of_who_was_suspended_stands_still(folder):
    """a has had 2 s of its limit when it stops, so it has 7 more when it goes on at 5."""
    a = {"job": "a", "submit": 0, "limit_s": 9, "stages": [{"stage": 0, "gang": True, "durations": [10] * 8}]}
    jobs = [a, *as_gangs([las.Job(1, 8, 2, 99), las.Job(2, 4, 1, 99)])]
    log = simulated(folder, jobs, f'{LAS}\npreemption = "suspend"')
    expect_equal([(row["time"], int(row["job"])) for row in rows(log, "decisions/timeout")], [(12, 0)], "killed at their limits")


def test_who_has_no_time_left_when_it_stops_fails(folder):
    """a loses its slots at 1.5, which is known at 2, when its limit is over: it is not launched again."""
    jobs = as_gangs([las.Job(0, 8, 10, 2), las.Job(1, 8, 2, 99)])
    for job in jobs:
        job["durations"] = [job["durations"][0]] * 8
    log = simulated(folder, jobs, LAS.replace("threshold_s = 16", "threshold_s = 12") + '\npreemption = "suspend"',
                    "[network]\ndelay_ms = 250\n")
    expect_equal([(row["time"], int(row["job"])) for row in rows(log, "decisions/timeout")], [(2, 0)], "killed at their limits")
    expect_equal([len(job) for job in spans(log)], [1, 1], "attempts")


def test_the_time_of_a_job_has_what_was_suspended_before_what_finished(folder):
    """a's first gang runs for 2 s, stops, and runs for 8 from 4 on; its second begins at 12 and ends at 18."""
    a = {"job": "a", "submit": 0, "stages": [{"stage": 0, "gang": True, "durations": [10] * 8},
                                             {"stage": 1, "gang": True, "parents": [0], "durations": [6] * 8}]}
    simulated(folder, [a, *as_gangs([las.Job(1, 8, 2, 99)])], f'{LAS}\npreemption = "suspend"')
    figures = json.loads(somnus(folder, "summary", "log.h5", "--json").expect(FINE).out)
    figures = figures[0] if isinstance(figures, list) else figures
    expect_equal(round(figures["bounded_slowdown_mean"], 9), round((18 / 16 + 1) / 2, 9), "bounded slowdown")
    expect_equal((figures["attempts_suspended"], figures.get("attempts_killed", 0)), (8, 0), "attempts")


def test_a_job_of_several_stages_is_in_one_queue(folder):
    """Which queue a job is in goes with its job, not its stage: two gangs of 8 slots, 2 s each."""
    job = {"job": "two", "submit": 0, "stages": [{"stage": 0, "gang": True, "durations": [2] * 8},
                                                 {"stage": 1, "gang": True, "parents": [0], "durations": [9] * 8}]}
    late = {"job": "late", "submit": 3, "gang": True, "durations": [1] * 8}
    log = simulated(folder, [job, late], f'{LAS}\npreemption = "requeue"')
    made = [(row["time"], int(row["stage"]), int(row["by"])) for row in rows(log, "decisions/preemption")]
    expect_equal(made, [(3, 1, 2)], "preemptions")
    starts = [[float(row["start"]) for row in rows(log, "tasks") if row["stage"] == stage] for stage in range(3)]
    expect_equal([(min(one), max(one)) for one in starts], [(0, 0), (2, 4), (3, 3)], "starts, first and last, by stage")
