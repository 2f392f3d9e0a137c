"""What results must not be read without is said wherever they are: rigid jobs that are read as independent
tasks, a load above 1, an order that is not what its name says. And rates count what was done."""

import json
import re

from logs import mixed_jobs, simulated, write_config, write_workload
from somnus_program import FINE, MISTAKE, each, expect, expect_equal, somnus

import h5py

ACCOUNTS = """JobID|User|Submit|Start|End|AllocCPUS
1|ann|2024-05-01T12:00:00|2024-05-01T12:00:00|2024-05-01T12:01:00|4
2|bob|2024-05-01T12:00:30|2024-05-01T12:01:00|2024-05-01T12:02:00|1
3|bob|2024-05-01T12:00:40|2024-05-01T12:01:00|2024-05-01T12:02:00|8
"""
ARCHIVE = """; MaxProcs: 8
1 0 0 60 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1
2 30 0 60 1 -1 -1 1 60 -1 1 2 1 -1 1 -1 -1 -1
3 40 0 60 8 -1 -1 8 60 -1 1 2 1 -1 1 -1 -1 -1
"""
SOURCES = {"sacct": ("jobs.txt", ACCOUNTS), "swf": ("jobs.swf", ARCHIVE)}
LOUD = "2 of 3 jobs are RIGID and run here as independent tasks: response times are too low"
ONE_BY_ONE = ("--set", "rigid=false")
HOW_MUCH = "(18 to 73 % against a real Slurm)"


def imported(folder):
    (folder / "jobs.txt").write_text(ACCOUNTS)
    somnus(folder, "workload", "import", "sacct", "jobs.txt", *ONE_BY_ONE, "-o", "jobs.jsonl").expect(FINE)
    return write_config(folder, nodes=2, slots=4, workload="jobs.jsonl")


def expect_silence(ended):
    ended.expect(FINE)
    expect("RIGID" not in ended.out + ended.err, f"rigid jobs are said: {ended.out}{ended.err}")


@each(list(SOURCES))
def test_import_says_it_and_the_file_keeps_it(folder, kind):
    name, text = SOURCES[kind]
    (folder / name).write_text(text)
    ended = somnus(folder, "workload", "import", kind, name, *ONE_BY_ONE, "-o", "jobs.jsonl")
    ended.expect(FINE, f"WARNING: {LOUD} {HOW_MUCH}")
    header = json.loads((folder / "jobs.jsonl").read_text().splitlines()[0])
    expect_equal(header["rigid"], True, "rigid in the header")
    somnus(folder, "workload", "show", "jobs.jsonl").expect(FINE, LOUD)


@each(list(SOURCES))
def test_a_config_that_reads_the_trace_itself_says_it_too(folder, kind):
    name, text = SOURCES[kind]
    (folder / name).write_text(text)
    config = write_config(folder, nodes=2, slots=4, workload=f'{name}"\nrigid = false\nformat = "{kind}')
    somnus(folder, "simulate", config).expect(FINE, f"WARNING: {LOUD} {HOW_MUCH}")


def test_simulate_run_summary_and_report_say_it(folder):
    config = imported(folder)
    simulated = somnus(folder, "simulate", config, "--policy", "fifo,fair", "--log", "{policy}.h5")
    simulated.expect(FINE)
    expect_equal(simulated.in_one_line().count(LOUD), 1, "times that it is said")
    printed = somnus(folder, "simulate", config, "--json").expect(FINE, LOUD)
    expect_equal(json.loads(printed.out)[0]["rigid_jobs"], 2, "rigid_jobs")
    expect_silence(somnus(folder, "simulate", config, "-q"))
    ran = somnus(folder, "run", config, "--ranks", 1, "--speed", 1000, "--log", "run.h5")
    ran.expect(FINE)
    expect(LOUD in ran.in_one_line(), f"said before the run: {ran.err}")
    for log in ("fifo.h5", "run.h5"):
        with h5py.File(folder / log) as file:
            expect_equal(int(file.attrs["rigid_jobs"]), 2, f"rigid_jobs of {log}")
        somnus(folder, "summary", log).expect(FINE, f"WARNING: {LOUD} {HOW_MUCH}")
        [printed] = json.loads(somnus(folder, "summary", log, "--json").expect(FINE).out)
        expect_equal(printed["rigid_jobs"], 2, "rigid_jobs in JSON")
        somnus(folder, "check", log).expect(FINE)
        somnus(folder, "report", log, "-o", "page.html", "--force").expect(FINE)
        page = (folder / "page.html").read_text()
        expect("2 of 3 jobs are RIGID" in page and HOW_MUCH in page, "the page says it")


def test_a_forged_number_is_found(folder):
    config = imported(folder)
    somnus(folder, "simulate", config, "--log", "a.h5", "-q").expect(FINE)
    with h5py.File(folder / "a.h5", "r+") as file:
        file.attrs["rigid_jobs"] = file.attrs["rigid_jobs"] * 0
    somnus(folder, "check", "a.h5").expect(1, "BROKEN", "rigid_jobs")


def test_an_experiment_says_it_below_its_tables(folder):
    imported(folder)
    (folder / "e.toml").write_text('[experiment]\nconfig = "config.toml"\nseeds = 2\n'
                                   '[axes]\npolicy = ["fifo", "fair"]\nworkload.load = [0.5, 3]\n')
    ended = somnus(folder, "experiment", "e.toml", "-o", "out").expect(FINE)
    expect_equal(ended.in_one_line().count(LOUD), 1, "times that it is said")
    expect("WARNING: OFFERED LOAD up to 3, above 1 in 2 of 4 points" in ended.in_one_line(), ended.out)


def test_what_becomes_of_the_jobs_leaves_them_rigid(folder):
    imported(folder)
    more = "resample = 2\nscale_tasks = 2\nload = 0.5"
    config = write_config(folder, nodes=2, slots=4, workload=f'jobs.jsonl"\n{more}\nformat = "native')
    somnus(folder, "simulate", config).expect(FINE, "jobs are RIGID")
    (folder / "library.toml").write_text(
        "[cluster]\nnodes = 2\nslots_per_node = 4\n[scheduler]\npolicy = \"fair\"\n[workload]\n"
        'generator = "dag-library"\nlibrary = "jobs.jsonl"\njobs = 3\ndraw = "round-robin"\n')
    somnus(folder, "simulate", "library.toml").expect(FINE, LOUD)
    somnus(folder, "profile", "jobs.jsonl", "-o", "curves.jsonl", "-q").expect(FINE)
    somnus(folder, "workload", "show", "curves.jsonl").expect(FINE, LOUD)


def test_jobs_of_one_cpu_are_rigid_and_nothing_is_lost(folder):
    (folder / "jobs.txt").write_text("".join(ACCOUNTS.splitlines(True)[:1]) +
                                     "2|bob|2024-05-01T12:00:30|2024-05-01T12:01:00|"
                                     "2024-05-01T12:02:00|1\n")
    expect_silence(somnus(folder, "workload", "import", "sacct", "jobs.txt", *ONE_BY_ONE, "-o", "jobs.jsonl"))
    expect_silence(somnus(folder, "simulate", write_config(folder, workload="jobs.jsonl")))


def test_other_formats_say_what_they_lose(folder):
    imported(folder)
    for kind, name in (("csv", "a.csv"), ("tr", "a.tr")):
        somnus(folder, "workload", "export", kind, "jobs.jsonl", "-o", name).expect(
            FINE, "lost: that jobs held all their CPUs at once")
    swf = somnus(folder, "workload", "export", "swf", "jobs.jsonl", "-o", "a.swf").expect(FINE)
    expect("CPUs" not in swf.out and "independent" not in swf.out, swf.out)
    columns = [f"{name}={name}" for name in ("submit", "duration", "job", "stage", "parents")]
    sets = [word for column in ["rows=task", "rigid=true", *columns] for word in ("--set", column)]
    somnus(folder, "workload", "import", "csv", "a.csv", *sets, "-o", "b.jsonl").expect(FINE, LOUD)
    write_workload(folder, mixed_jobs(), "ours.jsonl")
    somnus(folder, "workload", "export", "swf", "ours.jsonl", "-o", "b.swf").expect(
        FINE, "lost: that tasks are independent")


def test_a_header_that_is_neither_true_nor_false_is_a_mistake(folder):
    (folder / "jobs.jsonl").write_text('{"somnus_workload": 1, "rigid": 1}\n'
                                       '{"job": "a", "submit": 0, "durations": [1]}\n')
    somnus(folder, "workload", "show", "jobs.jsonl").expect(
        MISTAKE, "jobs.jsonl:1:33: rigid: expected true or false, found a number")


def test_a_load_above_1_is_said(folder):
    write_workload(folder, [{"job": f"j{at}", "submit": at, "durations": [80] * 10}
                            for at in range(20)])
    loud = "OFFERED LOAD 100: work comes that many times as fast as the cluster's slots can do it"
    config = write_config(folder)
    for arguments in (("simulate", config), ("simulate", config, "--json"),
                      ("run", config, "--ranks", 1, "--speed", 10_000)):
        ended = somnus(folder, *arguments, "--log", "a.h5", "--force").expect(FINE, loud)
    [printed] = json.loads(somnus(folder, "summary", "a.h5", "--json").expect(FINE).out)
    expect_equal(printed["offered_load"], 100, "offered_load")
    somnus(folder, "report", "a.h5", "-o", "page.html").expect(FINE)
    expect("OFFERED LOAD 100" in (folder / "page.html").read_text(), "the page says it")
    ended = somnus(folder, "simulate", config, "--set", "workload.load=1").expect(FINE)
    expect("OFFERED" not in ended.out + ended.err, "a load of 1 is no load above 1")


def test_fifo_on_resources_says_that_it_is_first_fit(folder):
    write_workload(folder, [{"job": "a", "submit": 0, "tasks": 2, "duration": 1,
                             "demand": {"cpu": 1}}], resources=["cpu"])
    (folder / "config.toml").write_text(
        '[cluster]\nnodes = 2\nresources = { cpu = 4 }\n[scheduler]\npolicy = "fifo"\n'
        '[workload]\nfile = "workload.jsonl"\n')
    words = "fifo is first-fit"
    somnus(folder, "simulate", "config.toml").expect(FINE, words)
    somnus(folder, "run", "config.toml", "--ranks", 1, "--speed", 1000).expect(FINE, words)
    somnus(folder, "policies", "fifo").expect(FINE, words)
    for more in (("--set", "scheduler.order=drf"), ("-q",)):
        ended = somnus(folder, "simulate", "config.toml", *more).expect(FINE)
        expect(words not in ended.out + ended.err, f"said with {more}")
    on_slots = somnus(folder, "simulate", write_config(folder, "slots.toml", policy="fifo"))
    expect(words not in on_slots.expect(FINE).err, "said of slots")


def test_rates_count_what_was_done(folder):
    write_workload(folder, [{"job": f"j{at}", "submit": 10 + at, "durations": [5] * 10}
                            for at in range(3000)])
    config = write_config(folder)
    ended = somnus(folder, "simulate", config, "--set", "run.until_s=1").expect(FINE)
    expect("0 tasks simulated in" in ended.out and " 0.00 M tasks/s" in ended.out, ended.out)
    part = somnus(folder, "simulate", config, "--set", "run.until_s=100").expect(FINE).out
    done = int(re.search(r"(\d+) tasks simulated", part).group(1))
    expect(0 < done < 200, f"{done} tasks in 90 s on 8 slots")
