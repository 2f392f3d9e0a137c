"""profile and PAF: curves from a workload, into schedulers, logs and replays."""

import json

from logs import expect_clean, rows
from somnus_program import FINE, MISTAKE, expect, expect_equal, somnus

HEADER = {"somnus_workload": 1, "name": "three"}
JOBS = [
    # Its first task takes all its time: slots beyond a few bring nothing.
    {"job": "flat", "submit": 0, "durations": [40] + [1] * 47},
    {"job": "steep", "submit": 0, "tasks": 48, "duration": 10},
    {"job": "chain", "submit": 5, "stages": [{"stage": 0, "tasks": 6, "duration": 4},
                                             {"stage": 1, "parents": [0], "durations": [20]}]},
]
CONFIG = """
[cluster]
nodes = 6
slots_per_node = 4
[workload]
file = "curves.jsonl"
[scheduler]
policy = "paf"
"""


def write_workload(folder, jobs=JOBS):
    lines = [json.dumps(line) for line in [HEADER, *jobs]]
    (folder / "plain.jsonl").write_text("\n".join(lines) + "\n")


def profiled(folder, *more) -> dict:
    ended = somnus(folder, "profile", "plain.jsonl", "-o", "curves.jsonl", "--force", "--json", *more)
    return {job["job"]: job for job in json.loads(ended.expect(FINE).out)["jobs"]}


def curves(folder) -> dict:
    lines = (folder / "curves.jsonl").read_text().splitlines()[1:]
    return {job["job"]: job.get("curve") for job in map(json.loads, lines)}


def test_each_job_is_timed_on_more_and_more_slots(folder):
    write_workload(folder)
    jobs = profiled(folder)
    expect_equal(jobs["steep"]["slots"], [1, 2, 4, 8, 16, 32, 48], "slots")
    expect_equal(jobs["steep"]["time_s"], [480, 240, 120, 60, 30, 20, 10], "times")
    expect_equal(jobs["chain"]["time_s"], [44, 32, 28, 24], "times")
    expect_equal({name: job["curve"] for name, job in jobs.items()}, curves(folder), "curves")


def test_own_slots_and_a_surplus_left_free_are_audited_and_replayed(folder):
    write_workload(folder)
    profiled(folder)
    (folder / "own.toml").write_text(CONFIG)
    settings = ["--set", "jvm.model=reuse", "--set", "jvm.factor=3",
                "--set", "scheduler.placement=own-slots", "--set", "scheduler.paf.surplus=leave"]
    somnus(folder, "simulate", "own.toml", "--log", "run.h5", *settings).expect(FINE)
    expect_clean(folder, folder / "run.h5")


def test_all_else_of_the_workload_stays_as_it_is(folder):
    write_workload(folder)
    profiled(folder)
    lines = (folder / "curves.jsonl").read_text().splitlines()
    again = [{key: value for key, value in json.loads(line).items() if key != "curve"}
             for line in lines]
    somnus(folder, "profile", "curves.jsonl", "-o", "twice.jsonl", "-q").expect(FINE)
    expect_equal((folder / "twice.jsonl").read_text(), (folder / "curves.jsonl").read_text(),
                 "profiled twice")
    expect_equal([job["job"] for job in again[1:]], ["flat", "steep", "chain"], "jobs")
    expect_equal(again[3]["stages"][1]["parents"], [0], "parents")


def test_paf_takes_slots_from_who_needs_them_least(folder):
    write_workload(folder)
    profiled(folder)
    (folder / "paf.toml").write_text(CONFIG)
    somnus(folder, "simulate", "paf.toml", "--log", "run.h5", "-q").expect(FINE)
    expect_clean(folder, folder / "run.h5")
    first = rows(folder / "run.h5", "targets")[:2]
    slots = {JOBS[row["job"]]["job"]: [round(24 * row[column]) for column in
                                       ("entitled", "target", "allocated")] for row in first}
    expect_equal([slots["flat"][0], slots["steep"][0]], [12, 12], "fair shares")
    expect(slots["flat"][1] < 12 < slots["steep"][1], f"targets {slots}")
    expect_equal(sum(target for _, target, _ in slots.values()), 24, "targets")
    expect_equal({name: has for name, (_, _, has) in slots.items()},
                 {name: target for name, (_, target, _) in slots.items()}, "tasks that run")


def test_a_job_that_takes_no_time_has_no_curve(folder):
    write_workload(folder, [{"job": "a", "submit": 0, "durations": [0, 0]},
                            {"job": "b", "submit": 0, "durations": [1]}])
    expect_equal(list(profiled(folder)), ["b"], "jobs with a curve")
    expect_equal(curves(folder)["a"], None, "its curve")


def test_mistakes_are_reported(folder):
    write_workload(folder)
    ended = somnus(folder, "profile", "plain.jsonl").expect(MISTAKE)
    expect("where to write the workload is missing; add -o FILE" in ended.err, ended.err)
    ended = somnus(folder, "profile", "plane.jsonl", "-o", "x.jsonl").expect(MISTAKE)
    expect("plane.jsonl: cannot be opened" in ended.err, ended.err)
    ended = somnus(folder, "profile", "plain.jsonl", "-o", "x.jsonl", "--set", "jvm.model=hot")
    expect("jvm.model" in ended.expect(MISTAKE).err, ended.err)
    expect(not (folder / "x.jsonl").exists(), "x.jsonl was written")
