"""`somnus import`: any table or trace, from the file to a simulated run in two commands; what it cannot know it
asks for, and writes nothing."""

import json
import lzma
import pickle
import sqlite3
import zipfile
from pathlib import Path

from logs import expect_narrow, rows, write_config
from somnus_program import FINE, MISTAKE, each, expect, expect_equal, somnus

ROOT = Path(__file__).resolve().parents[2]
CLUSTER = """[cluster]
nodes = 4
slots_per_node = 4
[scheduler]
policy = "fifo"
"""
# Tables in forms that nobody here has seen before.
SLURM = """\
Job;User;Partition;Submitted;Started;Ended;Elapsed;Cores;State;Timelimit
4711;ann;batch;28.04.2024 23:59:10;29.04.2024 00:00:10;29.04.2024 00:30:10;00:30:00;4;COMPLETED;01:00:00
4712;bob;batch;29.04.2024 00:01:00;29.04.2024 00:01:00;30.04.2024 00:01:30;1-00:00:30;1;COMPLETED;2-00:00:00
4713;ann;short;29.04.2024 00:02:00;29.04.2024 00:02:05;29.04.2024 00:02:35;00:00:30;2;FAILED;00:10:00
"""
PODS = """\
namespace,owner_job,pod,created,run_duration,phase
etl,load,load-x1,2024-05-01T14:00:00+02:00,PT1M30S,Succeeded
etl,load,load-x2,2024-05-01T14:00:01+02:00,PT2M,Succeeded
web,index,index-a,2024-05-01T12:05:00Z,PT1H0.5S,Succeeded
"""
SPARK = """\
App ID;App Name;User;Submitted;Duration (s);Cores
app-1;täglicher Bericht;müller;1714564800;12,5;4
app-2;Abgleich;bob;1714564830;0,75;2
app-3;Abgleich;bob;1714564890;61,25;2
"""
TABLES = {
    "Slurm's, with European dates": (
        SLURM.encode(), ["gangs=true"],
        ["Elapsed: lengths of time", "dates without a zone, read as they are",
         "a row is a job: Job has no name twice", "State: rows become jobs whatever it says: COMPLETED (2), FAILED (1)",
         "--set \"limit=Timelimit\""],
        [("4711", 0, 4, 1800), ("4712", 110, 1, 86430), ("4713", 170, 2, 30)]),
    "of pods, with zones and ISO durations": (
        PODS.encode(), ["job=owner_job"],
        ["created: dates with a zone", "some have 2 rows", "the tasks of a job wait for nothing"],
        [("load", 0, 2, None), ("index", 300, 1, 3600.5)]),
    "Spark's, UTF-16 with decimal commas": (
        SPARK.encode("utf-16"), [],
        ["commas are decimal points, as in 12,5", "Submitted: seconds since 1970, by the size of its numbers",
         "Duration (s): seconds, by its name", "Cores: as many tasks"],
        [("app-1", 0, 4, 12.5), ("app-2", 30, 2, 0.75), ("app-3", 90, 2, 61.25)]),
}


def jobs_in(path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def plain(job: dict) -> tuple:
    durations = job.get("durations", [])
    return (job["job"], job["submit"], job.get("tasks", len(durations)), job.get("duration", None if len(durations) != 1 else durations[0]))


def sets(settings: list[str]) -> list[str]:
    return [word for setting in settings for word in ("--set", setting)]


@each(TABLES)
def test_a_table_is_simulated_in_two_commands(folder, case):
    table, settings, said, expected = case
    (folder / "jobs.csv").write_bytes(table)
    (folder / "cluster.toml").write_text(CLUSTER)
    ended = somnus(folder, "import", "jobs.csv", "-o", "jobs.jsonl", *sets(settings)).expect(FINE)
    expect_narrow(ended.out, "what import prints")
    words = " ".join(ended.out.split())
    for each_said in said:
        expect(each_said in words, f"nothing is said of {each_said!r}: {ended.out}")
    somnus(folder, "simulate", "cluster.toml", "--set", "workload.file=jobs.jsonl").expect(FINE)
    expect_equal([plain(job) for job in jobs_in(folder / "jobs.jsonl")], expected, "jobs")


@each(TABLES)
def test_what_it_prints_is_a_config_that_does_the_same(folder, case):
    table, settings, _, _ = case
    (folder / "jobs.csv").write_bytes(table)
    found = json.loads(somnus(folder, "import", "jobs.csv", "--json", *sets(settings)).expect(FINE).out)
    (folder / "own.toml").write_text(CLUSTER + found["config"])
    (folder / "other.toml").write_text(CLUSTER)
    somnus(folder, "import", "jobs.csv", "-o", "jobs.jsonl", "-q", *sets(settings)).expect(FINE)
    own = somnus(folder, "simulate", "own.toml", "--json").expect(FINE).out
    other = somnus(folder, "simulate", "other.toml", "--set", "workload.file=jobs.jsonl", "--json").expect(FINE).out
    expect_equal(without_names(own), without_names(other), "the figures of both")


def without_names(text: str) -> object:
    def plain_value(value):
        if isinstance(value, dict):
            return {key: plain_value(each) for key, each in value.items()
                    if not any(word in key for word in ("name", "config", "file", "workload", "wall", "real"))}
        return [plain_value(each) for each in value] if isinstance(value, list) else value

    return plain_value(json.loads(text))


def test_a_table_as_parquet_is_taken_by_the_same_words(folder):
    source = ROOT / "tests/data/parquet/instants.parquet"
    ended = somnus(folder, "import", source, "--set", "duration=took", "--set", "skip_broken=true",
                   "-o", "w.jsonl").expect(FINE, "created: dates with a zone")
    expect('format = "parquet"' in ended.out, ended.out)
    expect_equal([plain(job)[1:] for job in jobs_in(folder / "w.jsonl")], [(0, 2, 5.5), (30.25, 1, 0.75)], "jobs")


def test_what_only_the_user_knows_is_asked_for_and_nothing_is_written(folder):
    (folder / "jobs.csv").write_text("created,duration,cores,slots\n1714564800000,500,1,2\n1714564800500,600,1,2\n")
    ended = somnus(folder, "import", "jobs.csv", "-o", "w.jsonl").expect(
        MISTAKE, "jobs.csv:1: duration: expected the unit of duration",
        '--set "duration=duration" or --set "duration=duration/1000"',
        '--set "tasks=cores" or --set "tasks=slots"')
    expect(not (folder / "w.jsonl").exists(), "something was written")
    choices = json.loads(somnus(folder, "import", "jobs.csv", "--json").expect(MISTAKE).out)["choices"]
    expect_equal([(choice["parameter"], choice["candidates"]) for choice in choices],
                 [("duration", ["duration", "duration/1000"]), ("tasks", ["cores", "slots"])], "choices")
    somnus(folder, "import", "jobs.csv", "-o", "w.jsonl", "--set", "duration=duration/1000", "--set",
           "tasks=cores").expect(FINE)
    expect_equal([plain(job) for job in jobs_in(folder / "w.jsonl")], [("0", 0, 1, 0.5), ("1", 0.5, 1, 0.6)], "jobs")
    expect("duration" in ended.err, ended.err)


def test_with_json_a_late_cell_that_is_not_read_is_one_object(folder):
    (folder / "jobs.csv").write_text("submit,duration\n" + "0,1\n" * 10_001 + "1,x\n")
    error = json.loads(somnus(folder, "import", "jobs.csv", "--json").expect(MISTAKE).out)["error"]
    expect("jobs.csv:10003" in error["text"], error["text"])


SACCT = """\
JobID,User,Partition,Submit,Start,End,State,NCPUS,Timelimit
7,ann,long,2024-04-25T08:00:00,2024-04-25T08:05:00,2024-04-25T08:06:00,COMPLETED,2,01:00:00
7.batch,,,2024-04-25T08:05:00,2024-04-25T08:05:00,2024-04-25T08:06:00,COMPLETED,2,
7.0,,,2024-04-25T08:05:00,2024-04-25T08:05:01,2024-04-25T08:06:00,COMPLETED,2,
"""


def test_steps_of_slurms_jobs_are_no_jobs_whatever_stands_between_the_cells(folder):
    for delimiter in ",;|":
        (folder / "jobs.csv").write_text(SACCT.replace(",", delimiter))
        ended = somnus(folder, "import", "jobs.csv", "-o", "w.jsonl", "--force").expect(FINE)
        expect('format = "sacct"' in ended.out, ended.out)
        expect_equal([plain(job) for job in jobs_in(folder / "w.jsonl")], [("7", 0, 2, 60)], "jobs")


CANCELLED = """\
JobID|User|Submit|Start|End|ElapsedRaw|AllocCPUS|State|TimelimitRaw|NodeList
1|ann|2021-01-01T00:00:00|2021-01-01T00:00:00|2021-01-01T10:00:00|36000|6|COMPLETED|600|n1
2_7|bob|2021-01-01T01:00:00|2021-01-05T00:00:00|2021-01-05T00:00:00|0|12|CANCELLED by 9|2880|None assigned
3|eve|2021-01-01T02:00:00|2021-01-01T02:00:00|2021-01-01T22:00:00|72000|6|COMPLETED|1200|n1
"""


def test_a_job_that_was_cancelled_before_it_started_keeps_nobody_waiting(folder):
    (folder / "jobs.txt").write_text(CANCELLED)
    somnus(folder, "import", "jobs.txt", "-o", "w.jsonl").expect(FINE, "jobs that never started left out: 1")
    config = write_config(folder, nodes=1, slots=12, policy="easy", workload="w.jsonl")
    ended = somnus(folder, "simulate", config, "--json", "--log", "log.h5").expect(FINE)
    tasks = rows(folder / "log.h5", "tasks")
    expect_equal(sorted(set(zip(tasks["job"].tolist(), tasks["start"].tolist()))), [(0, 0), (1, 7200)], "starts, as recorded")
    expect_equal(json.loads(ended.out)[0]["wait_mean_s"], 0, "mean wait")


def test_tasks_wait_for_those_that_write_what_they_read(folder):
    task = '{{"id": "{}", "parents": [], "runtimeInSeconds": {}, "files": [{{"link": "{}", "name": "/w/trimmed"}}]}}'
    (folder / "flow.json").write_text('{"schemaVersion": "1.4", "workflow": {"tasks": [%s, %s]}}' % (
        task.format(1, 10, "output"), task.format(2, 20, "input")))
    somnus(folder, "import", "flow.json", "-o", "w.jsonl").expect(FINE, "edges by files, to tasks without parents: 1")
    (folder / "flow.toml").write_text('[cluster]\nnodes = 2\n[cluster.resources]\ncpu = 8\nmem_gb = 8\n'
                                      '[scheduler]\npolicy = "fifo"\n[workload]\nfile = "w.jsonl"\n')
    somnus(folder, "simulate", "flow.toml", "-q", "--log", "log.h5").expect(FINE)
    expect_equal(rows(folder / "log.h5", "jobs")["finish"].tolist(), [30], "end")


def test_without_an_output_the_rows_are_read_too(folder):
    (folder / "jobs.csv").write_text("submit,duration_s,memory\n0,5,4\n1,x,4\n2,7,4\n")
    somnus(folder, "import", "jobs.csv", "--set", "user=nobody").expect(
        MISTAKE, "jobs.csv:1: user: expected a column, found 'nobody'")
    somnus(folder, "import", "jobs.csv").expect(MISTAKE, "jobs.csv:3:3: duration_s: duration: expected a number")
    ended = somnus(folder, "import", "jobs.csv", "--set", "skip_broken=true").expect(
        FINE, "1: duration_s: duration: expected a number or a length of time, found 'x', line 3")
    expect("WARNING" in ended.out, ended.out)


def test_jobs_that_outlive_their_limits_are_a_warning(folder):
    (folder / "jobs.csv").write_text("submit,duration_s,limit\n0,500,10\n1,600,10\n")
    (folder / "cluster.toml").write_text(CLUSTER)
    ended = somnus(folder, "import", "jobs.csv", "--set", "limit=limit", "-o", "w.jsonl").expect(
        FINE, "WARNING", "2 of 2 jobs with a limit run longer than it")
    expect('--set "limit=limit' not in ended.out, ended.out)
    somnus(folder, "import", "jobs.csv").expect(FINE, '--set "limit=limit*60"')


def test_a_table_without_parameters_is_sent_to_import(folder):
    (folder / "jobs.csv").write_text("submit,duration_s\n0,5\n1,6\n")
    somnus(folder, "workload", "show", "jobs.csv").expect(MISTAKE, "somnus import finds which it may be")


def test_json_of_something_else_is_named(folder):
    (folder / "jobs.jsonl").write_text('{"name": "a", "created": "2024-05-01T12:00:00Z"}\n')
    somnus(folder, "import", "jobs.jsonl").expect(MISTAKE, "JSON of something else, with name, created", "jq -r")


def test_known_formats_need_no_name(folder):
    somnus(folder, "workload", "make", "google", "--set", "jobs=5", "-o", "w.jsonl", "-q").expect(FINE)
    somnus(folder, "workload", "export", "swf", "w.jsonl", "-o", "w.swf", "-q").expect(FINE)
    (folder / "trace").write_bytes(lzma.compress((folder / "w.swf").read_bytes()))
    ended = somnus(folder, "import", "trace", "-o", "again.jsonl").expect(FINE)
    expect('format = "swf"' in ended.out, ended.out)
    expect_equal(len(jobs_in(folder / "again.jsonl")), 5, "jobs")
    somnus(folder, "import", "trace", "--format", "tr", "-o", "no.jsonl").expect(MISTAKE, "looks like swf")
    somnus(folder, "import", "trace", "--format", "swff", "-o", "no.jsonl").expect(MISTAKE, "did you mean 'swf'")
    somnus(folder, "import", "trace", "--set", "jbs=2", "-o", "no.jsonl").expect(MISTAKE, "did you mean 'jobs'")
    somnus(folder, "import", "trace", "-o", "again.jsonl").expect(MISTAKE, "is there already")
    expect(not (folder / "no.jsonl").exists(), "something was written")


def write_sqlite(path):
    with sqlite3.connect(path) as base:
        base.execute("create table jobs (a)")


def write_sheet(path):
    with zipfile.ZipFile(path, "w") as sheet:
        sheet.writestr("[Content_Types].xml", "<Types/>")
        sheet.writestr("xl/workbook.xml", "<workbook/>")


BINARIES = {
    "a pickle": (lambda path: path.write_bytes(pickle.dumps({"a": [1, 2]})), "a Python pickle"),
    "sqlite": (write_sqlite, "an SQLite database"),
    "xlsx": (write_sheet, "an Excel workbook"),
    "hdf5": (lambda path: path.write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100)), "an HDF5 file"),
    "zeros": (lambda path: path.write_bytes(bytes(1000)), "no text: byte 1 is 0"),
}


@each(BINARIES)
def test_a_binary_is_named_in_one_sentence(folder, case):
    write, name = case
    write(folder / "jobs.csv")
    for words in (["import", "jobs.csv"], ["workload", "show", "jobs.csv"],
                  ["workload", "import", "csv", "jobs.csv", "-o", "w.jsonl"]):
        ended = somnus(folder, *words).expect(MISTAKE, f"jobs.csv: format: expected a workload, found {name}")
        expect_equal(ended.err.count("expected"), 1, "mistakes")


FAILURES = """# event_id component_id node_id platform_id node_name event_type event_start_time event_stop_time event_end_reason
0\t0\t3\t0\tn3\t1\t1000\t1002\tNULL
1\t0\t3\t0\tn3\t0\t1002\t1005\t1
2\t0\t5\t0\tn5\t0\t1004\t1010\tNULL
"""


def test_failures_of_a_real_cluster_are_faults_of_an_emulated_one(folder):
    (folder / "event_trace.tab").write_text(FAILURES.replace(" ", "\t").replace("#\t", "# "))
    (folder / "node.tab").write_text("# node_id\tplatform_id\tnode_name\n3\t0\tn3\n4\t0\tn4\n5\t0\tn5\n")
    for trace in ("event_trace.tab", "."):
        ended = somnus(folder, "import", trace, "-o", "faults.toml", "--force").expect(FINE)
        expect("3 nodes, 2 losses" in ended.out, ended.out)
    found = json.loads(somnus(folder, "import", ".", "--json").expect(FINE).out)
    expect_equal((found["losses"], found["nodes"]), (2, ["3 n3", "4 n4", "5 n5"]), "what was found")
    somnus(folder, "workload", "make", "fixed", "--set", "jobs=30", "-o", "w.jsonl", "-q").expect(FINE)
    config = CLUSTER + '[workload]\nfile = "w.jsonl"\n'
    (folder / "faulty.toml").write_text(config + (folder / "faults.toml").read_text())
    somnus(folder, "simulate", "faulty.toml", "--log", "f.h5").expect(FINE)
    somnus(folder, "check", "f.h5").expect(FINE)
    import h5py
    with h5py.File(folder / "f.h5") as log:
        lost = log["events/node_lost"]
        expect_equal(sorted(lost["node"][:].tolist()), [0, 2], "nodes that were lost")
    somnus(folder, "workload", "show", "event_trace.tab").expect(MISTAKE, "a table of the Failure Trace Archive")


def test_workload_show_has_json(folder):
    somnus(folder, "workload", "make", "google", "--set", "jobs=5", "-o", "w.jsonl", "-q").expect(FINE)
    shown = json.loads(somnus(folder, "workload", "show", "w.jsonl", "--json").expect(FINE).out)
    expect_equal(shown["jobs"], 5, "jobs")
