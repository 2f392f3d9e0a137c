"""somnus experiment over the ranks of an MPI job: the same table, whoever is lost on the way."""

import csv
import json
import os
import signal

from logs import SMALL_EXPERIMENT as CONFIG
from somnus_program import FINE, MISTAKE, WORLD, each, expect, expect_equal, somnus, start

EXPERIMENT = """
[experiment]
config = "config.toml"
seeds = 5
precision = 0.2
most_seeds = 12
[axes]
policy = ["fair", "cfq", "yaq-c"]
workload.load = [0.5, 0.9]
[baseline]
policy = "fair"
"""

COMMAND = ("experiment", "experiment.toml", "-q")


def write(folder, experiment=EXPERIMENT):
    (folder / "config.toml").write_text(CONFIG)
    (folder / "experiment.toml").write_text(experiment)


def tables(folder):
    return [(folder / name).read_bytes() for name in ("results.csv", "summary.csv", "results.h5")]


def test_three_ranks_make_the_table_of_one_process(folder):
    write(folder)
    somnus(folder, *COMMAND, "-o", "alone").expect(FINE)
    somnus(folder, *COMMAND, "-o", "three", mpi_ranks=3).expect(FINE)
    expect_equal(tables(folder / "three"), tables(folder / "alone"), "bytes of the tables")


def test_three_ranks_make_the_batches_of_one_process(folder):
    write(folder, EXPERIMENT.replace("seeds = 5\nprecision = 0.2\nmost_seeds = 12", "batches = 10"))
    somnus(folder, *COMMAND, "-o", "alone").expect(FINE)
    somnus(folder, *COMMAND, "-o", "three", mpi_ranks=3).expect(FINE)
    expect_equal(tables(folder / "three"), tables(folder / "alone"), "bytes of the tables")


def test_a_run_that_fails_on_another_rank_is_reported_as_at_home(folder):
    write(folder, EXPERIMENT + "[set]\nworkload.max_task_s = 10\n")  # below the median
    alone = somnus(folder, *COMMAND, "-o", "alone").expect(MISTAKE, "max_task_s")
    three = somnus(folder, *COMMAND, "-o", "three", mpi_ranks=3).expect(MISTAKE, "max_task_s")
    expect(alone.err.strip().splitlines()[-1] in three.err, f"{alone.err}\nand over ranks\n{three.err}")


def test_what_is_wrong_with_the_file_is_reported_once(folder):
    write(folder, EXPERIMENT.replace("0.9]", "-1]"))
    ended = somnus(folder, *COMMAND, "-o", "out", mpi_ranks=3).expect(MISTAKE, "experiment.toml:9:23")
    expect_equal(ended.err.count("workload.load"), 1, "how often it is reported")


def done(folder):
    journal = folder / "out" / "runs.jsonl"
    return journal.read_text().count("\n") - 1 if journal.exists() else 0


def long_one(folder):
    write(folder, EXPERIMENT.replace("seeds = 5", "seeds = 2000").replace("precision = 0.2\n", ""))


@each({"a worker is killed": (1, signal.SIGKILL), "rank 0 is killed": (0, signal.SIGKILL),
       "a worker is stopped": (2, signal.SIGSTOP), "mpirun is asked to end": (None, signal.SIGINT)})
def test_what_was_done_is_kept_when(folder, loss):
    rank, number = loss
    long_one(folder)
    with start(folder, *COMMAND, "-o", "out", mpi_ranks=3) as run:
        run.until(lambda: done(folder) > 50, "fifty runs are done")
        if rank is None:
            os.kill(run.process.pid, number)
        else:
            os.kill(run.ranks()[rank], number)
        ended = run.wait(60)
        expect(ended.code != FINE, "nobody missed the rank")
        expect(rank != 2 or ended.code == WORLD, f"exit code {ended.code}: {ended.err}")
        for pid in run.alive():
            if rank == 2:
                os.kill(pid, signal.SIGKILL)  # a stopped process can't end by itself
    kept = done(folder)
    expect(50 < kept < 12_000, f"{kept} runs are kept")
    lines = (folder / "out" / "runs.jsonl").read_text().splitlines()
    whole = {(line["point"], line["seed"]): line["figures"]
             for line in (json.loads(text) for text in lines[1:-1])}
    # It goes on, by one process and with fewer seeds, and finds what it would have made.
    write(folder, EXPERIMENT)
    somnus(folder, *COMMAND, "-o", "fresh").expect(FINE)
    somnus(folder, *COMMAND, "-o", "out").expect(FINE)
    expect_equal(tables(folder / "out"), tables(folder / "fresh"), "bytes of the tables")
    expect(len(whole) >= 50, "the journal can't be read")


def test_it_emulates_one_run_after_another(folder):
    write(folder, """
[experiment]
config = "config.toml"
mode = "run"
seeds = 2
keep = "all"
[set]
run.speed = 1000
workload.jobs = 10
workload.load = 0.8
[axes]
policy = ["fair", "srpt"]
""")
    somnus(folder, *COMMAND, "-o", "out").expect(FINE)
    with open(folder / "out" / "results.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for metric, expected in (("jobs_finished", 10), ("speed", 1000)):
        expect_equal([float(row["value"]) for row in rows if row["metric"] == metric],
                     [expected] * 4, metric)
    late = [float(row["value"]) for row in rows if row["metric"] == "lateness_p99_s"]
    expect(len(late) == 4 and all(value > 0 for value in late), f"lateness {late}: nobody slept")
    logs = sorted((folder / "out" / "logs").iterdir())
    somnus(folder, "check", *logs, "-q").expect(FINE)
    expect_equal(sorted(path.name for path in (folder / "out").iterdir()),
                 ["answers.json", "logs", "results.csv", "results.h5", "runs.jsonl", "summary.csv"], "files")
    somnus(folder, *COMMAND, "-o", "other", mpi_ranks=2).expect(MISTAKE, "without mpirun")
