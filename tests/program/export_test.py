"""What `somnus export` writes is what the log says."""

import csv
import json
import math
from collections import Counter, defaultdict

from logs import mixed_jobs, simulated, write_workload
from somnus_program import FINE, MISTAKE, WORLD, each, expect, expect_equal, somnus

import h5py

NO_ID = 2**32 - 1  # where the log names nobody

CRASHES = '[[faults.event]]\nat_s = 0.5\nkind = "node-lost"\nnode = 1\n'
RESOURCES = [{"job": f"j{at}", "submit": at / 10, "stages": [
    {"tasks": 6, "duration": 0.5, "demand": {"cpu": 1 + at % 3}}]} for at in range(10)]


def write_log(folder, world="slots"):
    if world == "resources":
        write_workload(folder, RESOURCES, resources=["cpu"])
        config = folder / "config.toml"
        config.write_text('[cluster]\nnodes = 3\nresources = { cpu = 7 }\n'
                          '[scheduler]\npolicy = "drf"\n[workload]\nfile = "workload.jsonl"\n')
        somnus(folder, "simulate", config, "--log", "a.h5", "-q").expect(FINE)
    else:
        policy = "yaq-c" if world in ("queues", "crashes") else "fair"
        more = {"cut off": "[run]\nuntil_s = 1\n", "crashes": CRASHES}.get(world, "")
        simulated(folder, jobs=mixed_jobs(20), log="a.h5", policy=policy, more=more)
    return h5py.File(folder / "a.h5", "r")


def trace_of(folder, *options):
    somnus(folder, "export", "a.h5", "-o", "trace.json", "--force", *options).expect(FINE)
    return json.loads((folder / "trace.json").read_text())["traceEvents"]


def microseconds(seconds):
    return round(seconds * 1e9) / 1e3


def by_phase(events):
    found = defaultdict(list)
    for event in events:
        found[event["ph"]].append(event)
    return found


@each(("slots", "queues", "resources", "cut off", "crashes"))
def test_a_trace_has_every_attempt_and_none_overlap(folder, world):
    log = write_log(folder, world)
    tasks = log["tasks"][:]
    events = by_phase(trace_of(folder))
    attempts = [one for one in events["X"] if one["cat"] != "job"]
    started = ~(tasks["start"] != tasks["start"])
    expect_equal(len(attempts), int(started.sum()), "attempts that have started")
    expect_equal(len(events["i"]), int((~started).sum()), "attempts that have not")
    expect(world != "crashes" or events["i"], "no attempt was lost before it started")
    names = [name.rstrip(b"\0").decode() for name in log["names/jobs"][:]]
    expect_equal(Counter(one["name"].split("/")[0] for one in attempts),
                 Counter(names[job] for job in tasks["job"][started]), "attempts by job")
    finished = started & (tasks["outcome"] == 0)
    expect_equal(sorted((one["ts"], round(one["ts"] + one["dur"], 3)) for one in attempts
                        if one["cat"] == "finished"),
                 sorted((microseconds(row["start"]), microseconds(row["finish"]))
                        for row in tasks[finished]), "when they ran")
    lines = defaultdict(list)
    for one in events["X"]:
        lines[one["pid"], one["tid"]].append((round(one["ts"] * 1e3), round(one["dur"] * 1e3)))
    for line, spans in lines.items():
        spans.sort()
        for (begin, length), (following, _) in zip(spans, spans[1:]):
            expect(begin + length <= following, f"spans overlap in {line}, at {following} ns")
    named = {(one["pid"], one["tid"]) for one in events["M"] if one["name"] == "thread_name"}
    drawn = {(one["pid"], one["tid"]) for one in attempts}
    expect(drawn <= named, f"threads without a name: {drawn - named}")
    jobs = log["jobs"][:]
    came = jobs["submit"] == jobs["submit"]
    expect_equal(sum(one["cat"] == "job" for one in events["X"]), int(came.sum()), "jobs")
    ran = int((jobs["first_start"] == jobs["first_start"]).sum())
    expect_equal(Counter(one["id"] for one in events["s"]), Counter(one["id"] for one in events["f"]),
                 "arrows' beginnings and ends")
    expect_equal(len(events["s"]), ran, "arrows, one a job that has started")
    busy = [one["args"]["value"] for one in events["C"] if one["name"] == "busy slots"]
    expect_equal(busy, [int(number) for number in log["samples"]["busy_slots"]], "busy slots")
    if world == "resources":
        cpu = [one["args"]["value"] for one in events["C"] if one["name"] == "allocated cpu"]
        expect_equal(cpu, list(log["samples"]["allocated_cpu"]), "allocated")


def test_a_trace_is_cut_by_time_and_job(folder):
    log = write_log(folder)
    tasks = log["tasks"][:]
    inside = (tasks["start"] <= 1.0) & (tasks["finish"] >= 0.5)
    events = by_phase(trace_of(folder, "--from-s", "0.5", "--until-s", "1"))
    drawn = [one for one in events["X"] if one["cat"] != "job"]
    expect_equal(len(drawn), int(inside.sum()), "attempts in that time")
    expect(0 < len(drawn) < len(tasks), "nothing was cut")
    events = by_phase(trace_of(folder, "--jobs", "j3", "j4"))
    expect_equal({one["name"].split("/")[0] for one in events["X"]}, {"j3", "j4"}, "jobs")
    expect_equal(len(events["s"]), 2, "arrows")


def test_csv_has_the_numbers_and_names_of_the_log(folder):
    log = write_log(folder, "cut off")
    result = json.loads(somnus(folder, "export", "a.h5", "-o", "tables", "--json").expect(FINE).out)
    expect_equal(result["format"], "csv", "format")
    for path, rows in result["rows"].items():
        table = log[path][:]
        expect_equal(len(table), rows, f"rows of {path}")
        with open(folder / "tables" / (path[1:].replace("/", "_") + ".csv"), newline="") as file:
            found = list(csv.DictReader(file))
        expect_equal(len(found), rows, f"lines of {path}")
        for column in table.dtype.names:
            numbers = [float(row[column] or "nan") for row in found]
            same = all(a == b or (math.isnan(a) and (math.isnan(b) or b == NO_ID))
                       for a, b in zip(numbers, table[column]))
            expect(same, f"{path}.{column} differs")
    with open(folder / "tables/columns.csv", newline="") as file:
        columns = {(row["table"], row["column"]): row for row in csv.DictReader(file)}
    expect_equal(columns["/tasks", "intended"]["meaning"],
                 log["tasks"].attrs["intended.meaning"].decode(), "meaning of a column")
    expect_equal(columns["/tasks", "intended"]["unit"], "s", "unit of a column")
    with open(folder / "tables/tasks.csv", newline="") as file:
        row = next(csv.DictReader(file))
    expect_equal(row["job_name"], log["names/jobs"][int(row["job"])].decode(), "name of a job")


def test_an_id_that_is_none_is_empty_and_names_are_texts(folder):
    jobs = [{"job": "=1+1", "user": "@ann", "submit": 0, "durations": [1]},
            {"job": "b", "user": "@ann", "submit": 0, "after": "=1+1", "durations": [1]}]
    simulated(folder, jobs=jobs, log="a.h5")
    somnus(folder, "export", "a.h5", "-o", "tables", "-q").expect(FINE)
    for file in (folder / "tables").iterdir():
        expect(str(NO_ID) not in file.read_text() or file.name == "columns.csv",
               f"{file.name} has the number that stands for none")
    with open(folder / "tables/jobs.csv", newline="") as file:
        rows = {row["job_name"]: row for row in csv.DictReader(file)}
    expect_equal(set(rows), {"'=1+1", "b"}, "names of jobs")
    expect_equal((rows["b"]["after"], rows["b"]["after_name"]), (rows["'=1+1"]["job"], "'=1+1"),
                 "whom it follows")
    expect_equal((rows["'=1+1"]["after"], rows["'=1+1"]["after_name"]), ("", ""), "nobody")
    expect_equal({row["user_name"] for row in rows.values()}, {"'@ann"}, "name of a user")


@each(("csv", "parquet"))
def test_equal_logs_give_equal_tables(folder, form):
    write_log(folder)
    for output in ("one", "two"):
        somnus(folder, "export", "a.h5", "-o", output, "--format", form, "-q").expect(FINE)
    names = sorted(path.name for path in (folder / "one").iterdir())
    expect(len(names) > 10, f"only {names}")
    for name in names:
        expect_equal((folder / "two" / name).read_bytes(), (folder / "one" / name).read_bytes(), name)


def test_all_mistakes_are_reported_at_once_and_nothing_is_written(folder):
    write_log(folder)
    before = sorted(folder.iterdir())
    somnus(folder, "export", "absent.h5").expect(MISTAKE, "absent.h5: there is no such file", "add -o")
    somnus(folder, "export", "a.h5", "-o", "b", "--format", "parket", ).expect(
        MISTAKE, "--format", "did you mean 'parquet'?")
    somnus(folder, "export", "a.h5", "-o", "b", "--from-s", "1", "--jobs", "j1").expect(
        MISTAKE, "--from-s", "--jobs", "tables are always whole")
    somnus(folder, "export", "a.h5", "-o", "b.json", "--from-s", "2", "--until-s", "1").expect(
        MISTAKE, "--until-s: expected at least --from-s 2, found 1")
    somnus(folder, "export", "a.h5", "-o", "b.json", "--jobs", "jj1", "nobody").expect(
        MISTAKE, "the log has no job 'jj1'", "did you mean", "the log has no job 'nobody'")
    expect_equal(sorted(folder.iterdir()), before, "files")


def test_a_folder_of_tables_is_no_file_and_a_file_none(folder):
    write_log(folder)
    somnus(folder, "export", "a.h5", "-o", "tables", "-q").expect(FINE)
    for name in ("jobs.csv", "jobs.parquet"):
        somnus(folder, "export", "a.h5", "-o", name).expect(MISTAKE, f"{name}: is the name of one file", "-o jobs")
    somnus(folder, "export", "a.h5", "-o", "tables", "--format", "perfetto", "--force").expect(
        MISTAKE, "is a folder, expected a file")


def test_where_nothing_can_be_written_nothing_is_left(folder):
    write_log(folder)
    (folder / "file").write_text("")
    for output in ("absent/t.json", "file/tables"):
        somnus(folder, "export", "a.h5", "-o", output).expect(WORLD, "cannot be written")
    expect(not (folder / "absent").exists(), "a folder was left")
