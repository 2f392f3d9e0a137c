"""Public traces, imported, have as many jobs, stages and tasks, and as much work, as a few lines of
Python that know nothing of Somnus find in the same files.

The traces are not ours to distribute; where they are absent, the test says so and is skipped.
"""

import csv
import gzip
import json
import math
from pathlib import Path

import pytest

from somnus_program import FINE, Failure, each, expect_equal, somnus

TRACES = Path(__file__).resolve().parents[3] / "shared/traces"
WORKFLOWS = sorted((TRACES / "wfinstances").glob("*.json.gz"))
SWIM = TRACES / "swim/FB-2009_samples_24_times_1hr_0.tsv.gz"
GOOGLE = TRACES / "google2011_sample/google2011_task-events-sample-1.csv"
pytestmark = pytest.mark.skipif(not (SWIM.exists() and GOOGLE.exists() and WORKFLOWS),
                                reason=f"not all of them are in {TRACES}")


def imported(folder, name, path, *sets) -> list[dict]:
    """Each job's stages as lists of durations; those of equal tasks are written as two numbers."""
    words = [word for setting in sets for word in ("--set", setting)]
    somnus(folder, "workload", "import", name, path, *words, "-o", "w.jsonl", "--force").expect(FINE)
    jobs = []
    for line in (folder / "w.jsonl").read_text().splitlines()[1:]:
        job = json.loads(line)
        job["stages"] = job.get("stages", [job])
        for stage in job["stages"]:
            stage.setdefault("durations", [stage.get("duration")] * stage.get("tasks", 0))
        jobs.append(job)
    return jobs


def expect_near(found: float, wanted: float, what: str):
    if not math.isclose(found, wanted, rel_tol=1e-9):
        raise Failure(f"{what}: expected {wanted}, found {found}")


def seconds(stages) -> float:
    return math.fsum(math.fsum(stage["durations"]) for stage in stages)


def reached(waits_for: dict) -> int:
    """How many pairs of a task and one that it waits for, directly or not."""
    before: dict = {}

    def all_before(task):
        if task not in before:
            before[task] = set(waits_for[task]).union(*map(all_before, waits_for[task]))
        return before[task]

    return sum(len(all_before(task)) for task in waits_for)


@each({path.name: path for path in WORKFLOWS})
def test_a_workflow_keeps_its_tasks_and_who_waits_for_whom(folder, path):
    with gzip.open(path, "rt") as file:
        workflow = json.load(file)["workflow"]
    [job] = imported(folder, "wfformat", path)
    runs = [task["runtimeInSeconds"] for task in workflow["execution"]["tasks"]]
    expect_equal(sum(len(stage["durations"]) for stage in job["stages"]), len(runs), "tasks")
    expect_near(seconds(job["stages"]), math.fsum(runs), "work")
    theirs = {task["id"]: task["parents"] for task in workflow["specification"]["tasks"]}
    tasks = {stage["stage"]: [(stage["stage"], at) for at in range(len(stage["durations"]))]
             for stage in job["stages"]}
    ours = {task: [parent for above in stage.get("parents", []) for parent in tasks[above]]
            for stage in job["stages"] for task in tasks[stage["stage"]]}
    expect_equal(reached(ours), reached(theirs), "pairs of tasks of which one waits for the other")


def test_swim_has_the_tasks_of_its_bytes(folder):
    with gzip.open(SWIM, "rt") as file:
        rows = [[float(cell) for cell in row[1:6]] for row in csv.reader(file, delimiter="\t")]
    maps = reduces = work = 0
    for _, _, read, shuffle, written in rows:
        for_maps = read if shuffle else read + written
        count = max(1, math.ceil(for_maps / 2**26))
        maps, work = maps + count, work + count + for_maps / 5e6
        if shuffle:
            count = max(1, math.ceil((shuffle + written) / 1e9))
            reduces, work = reduces + count, work + count + (shuffle + written) / 2e7
    jobs = imported(folder, "swim", SWIM)
    stages = [stage for job in jobs for stage in job["stages"]]
    expect_equal(len(jobs), len(rows), "jobs")
    expect_equal(sum(len(stage["durations"]) for stage in stages), maps + reduces, "tasks")
    expect_equal(len(stages), len(rows) + sum(row[3] > 0 for row in rows), "stages")
    expect_near(seconds(stages), work, "work")
    expect_equal(jobs[-1]["submit"], rows[-1][0] - rows[0][0], "the last submit")


def test_google_has_the_tasks_that_finished(folder):
    began, took = {}, {}
    for line in GOOGLE.read_text().splitlines():
        if line.startswith("#"):
            continue
        row = line.split(",")
        time, task, event = int(row[0]), (row[2], row[3]), row[5]
        if event == "1":
            began[task] = time
        elif event == "4" and began.get(task):
            took[task] = (time - began[task]) / 1e6
        elif event in "2356":
            began[task] = None
    jobs = imported(folder, "google2011", GOOGLE)
    stages = [stage for job in jobs for stage in job["stages"]]
    expect_equal({job["job"] for job in jobs}, {job for job, _ in took}, "jobs")
    expect_equal(sorted(time for stage in stages for time in stage["durations"]),
                 sorted(took.values()), "what tasks took")
