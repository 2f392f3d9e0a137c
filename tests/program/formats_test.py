"""Workloads of other formats, in by `workload import` or a config, out by `workload export`."""

import csv
import json

from logs import summary_of
from somnus_program import FINE, MISTAKE, expect, expect_equal, somnus

SWF = """; MaxProcs: 8
1 5 0 60 2 -1 -1 2 300 -1 1 3 1 9 2 -1 -1 -1
2 9 0 -1 2 -1 -1 2 300 -1 5 3 1 9 2 -1 -1 -1
3 7 0 30 -1 -1 -1 3 -1 -1 1 -1 -1 -1 -1 -1 -1 -1
"""
TABLE = """id;sent (ms);took;cores;who
a;1500;60;2;"Ann; of A"
b;500;30;4;bob
"""


def jobs_in(path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


def imported(folder, name, text, *sets) -> list[dict]:
    (folder / "trace").write_text(text)
    words = [word for setting in sets for word in ("--set", setting)]
    somnus(folder, "workload", "import", name, "trace", *words, "-o", "w.jsonl",
           "--force").expect(FINE)
    return jobs_in(folder / "w.jsonl")


def test_a_log_of_the_parallel_workloads_archive_is_imported(folder):
    (folder / "trace").write_text(SWF)
    somnus(folder, "workload", "import", "swf", "trace", "-o", "w.jsonl").expect(
        MISTAKE, "trace:3:7: run_time: expected 0 to 8300000 s, found '-1'; "
                 "skip_broken = true leaves the job out")
    somnus(folder, "workload", "import", "swf", "trace", "--set", "skip_broken=true", "-o",
           "w.jsonl").expect(FINE, "broken jobs left out: 1)")
    jobs = jobs_in(folder / "w.jsonl")
    expect_equal([(job["job"], job["submit"], job["tasks"], job["duration"]) for job in jobs],
                 [("1", 0, 2, 60), ("3", 2, 3, 30)], "jobs")
    quiet = somnus(folder, "workload", "import", "swf", "trace", "--set", "skip_broken=true", "-q", "-o",
                   "q.jsonl").expect(FINE)
    expect_equal((quiet.out, quiet.err), ("", ""), "what a quiet import says")
    expect_equal(jobs_in(folder / "q.jsonl"), jobs, "its jobs")
    summary = summary_of(folder, 'file = "trace"\nformat = "swf"\nskip_broken = true\njobs = 1')
    expect_equal(summary["tasks_finished"], 2, "tasks of a config that names the log")


def test_a_table_is_imported_by_the_names_of_its_columns(folder):
    mapping = ["submit=sent (ms)/1000", "duration=took", "tasks=cores", "job=id", "user=who",
               "queue==A", "weight=3", "demand.cpu=1"]
    jobs = imported(folder, "csv", TABLE, *mapping)
    expect_equal([(job["job"], job["submit"], job["tasks"], job["user"]) for job in jobs],
                 [("b", 0, 4, "bob"), ("a", 1, 2, "Ann; of A")], "jobs")
    expect_equal((jobs[0]["queue"], jobs[0]["weight"], jobs[0]["demand"]), ("A", 3, {"cpu": 1}),
                 "constants")
    (folder / "trace").write_text("\n".join(TABLE.splitlines()[1:]))
    summary = summary_of(folder, 'file = "trace"\nformat = "csv"\nheader = false\nsubmit = 3\n'
                     'duration = "=5"\ntasks = 4\ndemand = { cpu = "=1" }')
    expect_equal(summary["tasks_finished"], 6, "tasks of a config that names the table")


NATIVE = """{"somnus_workload": 1, "resources": ["cpu"]}
{"job": "a", "user": "ann", "submit": 0, "durations": [1, 2], "demand": {"cpu": 1}}
{"job": "b", "submit": 1, "stages": [{"stage": 0, "durations": [3]}, {"stage": 4, "parents": [0], "durations": [4]}]}
"""


def test_a_workload_goes_out_as_a_table_and_comes_back(folder):
    (folder / "w.jsonl").write_text(NATIVE)
    somnus(folder, "workload", "export", "csv", "w.jsonl", "-o", "out.csv.gz").expect(
        FINE, "out.csv.gz")
    mapping = ["rows=task", *[f"{name}={name}" for name in (
        "job", "user", "submit", "duration", "stage", "parents", "demand.cpu")]]
    words = [word for setting in mapping for word in ("--set", setting)]
    somnus(folder, "workload", "import", "csv", "out.csv.gz", *words, "-o",
           "again.jsonl").expect(FINE)
    expect_equal(jobs_in(folder / "again.jsonl"), jobs_in(folder / "w.jsonl"), "jobs")


def test_names_that_spreadsheets_would_carry_out_are_texts_and_come_back(folder):
    names = ["=1+1", "+cmd|' /C calc'!A0", "-a", "@SUM(A1)", "\t=1", "\r=1", "'=x", "''=x", "'", "-",
             "-5", '=HYPERLINK("x";"y")', "\uff1d1", "plain"]
    jobs = [{"job": name, "user": name, "submit": at, "queue": name, "app": name, "durations": [1]}
            for at, name in enumerate(names)]
    header = {"somnus_workload": 1}
    (folder / "w.jsonl").write_text("".join(json.dumps(line) + "\n" for line in [header, *jobs]))
    somnus(folder, "workload", "export", "csv", "w.jsonl", "-o", "out.csv").expect(FINE)
    with open(folder / "out.csv", newline="") as file:
        for row in csv.reader(file):
            for cell in row:
                expect(cell[:1] not in "=+-@\t\r\uff1d" or len(cell) < 2 or cell == "-5",
                       f"a formula: {cell!r}")
    words = [word for name in ("job", "user", "queue", "app", "submit", "duration")
             for word in ("--set", f"{name}={name}")]
    somnus(folder, "workload", "import", "csv", "out.csv", *words, "-o", "again.jsonl").expect(FINE)
    again = [[job[key] for key in ("job", "user", "queue", "app")]
             for job in jobs_in(folder / "again.jsonl")]
    expect_equal(again, [[name] * 4 for name in names], "names")


def test_what_an_export_loses_or_cannot_say_is_reported(folder):
    (folder / "w.jsonl").write_text(NATIVE)
    somnus(folder, "workload", "export", "swf", "w.jsonl", "-o", "w.swf").expect(
        FINE, "lost: names of users", "lost: demands", "lost: stages",
        "lost: times of tasks that differ")
    expect_equal(shown_jobs(folder, "w.swf"), 2, "jobs of the log")
    somnus(folder, "workload", "export", "tr", "w.jsonl", "-o", "w.tr").expect(
        MISTAKE, "w.jsonl: job 'b': expected one stage, found 2")
    somnus(folder, "workload", "export", "tx", "w.jsonl", "-o", "w.tr").expect(
        MISTAKE, "expected a format to export to, found 'tx'; did you mean 'tr'?")
    somnus(folder, "workload", "export", "tr").expect(
        MISTAKE, "the workload to export is missing", "-o: where to write is missing")
    somnus(folder, "workload", "export").expect(FINE, "tr: ", "csv: ", "swf: ")
    expect_equal(sorted(path.name for path in folder.iterdir()), ["w.jsonl", "w.swf"], "files")


def shown_jobs(folder, file) -> int:
    lines = somnus(folder, "workload", "show", file).expect(FINE).out.splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("jobs "))
