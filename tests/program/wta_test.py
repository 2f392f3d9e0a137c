"""A real trace of the Workflow Trace Archive, held against the same tasks as CSV.

It is not ours to distribute; where it is absent, the test says so and is skipped.
"""

import csv
import gzip
import json
from collections import defaultdict
from pathlib import Path

import pytest

from logs import summary_of
from somnus_program import FINE, expect_equal, somnus

SHELL = Path(__file__).resolve().parents[3] / "shared/traces/wta/shell"
pytestmark = pytest.mark.skipif(not SHELL.exists(), reason=f"no {SHELL}")


def test_each_workflow_is_a_job_with_its_tasks_parents_and_times(folder):
    workflows = defaultdict(list)
    with gzip.open(SHELL / "tasks.csv.gz", "rt") as file:
        for row in csv.DictReader(file):
            workflows[row["workflow_id"]].append(row)
    somnus(folder, "workload", "import", "wta", SHELL, "-o", "w.jsonl").expect(FINE)
    jobs = [json.loads(line) for line in (folder / "w.jsonl").read_text().splitlines()[1:]]
    expect_equal({job["job"] for job in jobs}, set(workflows), "jobs")
    for job in jobs:
        rows = workflows[job["job"]]
        place = {row["id"]: at for at, row in enumerate(rows)}
        parents = [[place[one] for one in row["parents"].split(";") if one] for row in rows]
        expect_equal(job["submit"], min(int(row["ts_submit"]) for row in rows) / 1000,
                     f"submit of {job['job']}")
        expect_equal([stage["durations"] if "durations" in stage else [stage["duration"]]
                      for stage in job["stages"]],
                     [[int(row["runtime"]) / 1000] for row in rows], f"times of {job['job']}")
        expect_equal([stage.get("parents", []) for stage in job["stages"]], parents,
                     f"parents in {job['job']}")


def test_a_config_can_name_the_folder(folder):
    summary = summary_of(folder, f'file = "{SHELL}"\nformat = "wta"\njobs = 100')
    expect_equal((summary["jobs_finished"], summary["tasks_finished"]), (100, 300), "what finished")
