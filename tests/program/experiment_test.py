"""somnus experiment: one file, many runs, the same table whatever happens on the way."""

import fcntl
import json
import math
import os
import signal
import statistics
import time

from experiments import LOADS, lines_of, rows, run, tables, values, write
from logs import SMALL_EXPERIMENT as CONFIG
from logs import mixed_jobs, write_workload
from somnus_program import (FINE, MISTAKE, RIGHT_TO_WRITE, WORLD, Run, expect, expect_equal,
                            program, somnus)

import h5py


def test_shares_do_each_run_once_and_the_last_writes_the_tables_of_all(folder):
    write(folder)
    run(folder, out="whole").expect(FINE)
    journals = []
    for share in (2, 3, 1):  # they may come in any order
        if share != 1:
            run(folder, "--share", f"{share}/3").expect(FINE, "runs of other shares are not there yet")
            expect(not (folder / "out" / "results.csv").exists(), "no table before all are there")
        else:
            run(folder, "--share", "1/3").expect(FINE, "6 points, 24 runs")
        journal = (folder / "out" / f"runs-{share}-of-3.jsonl").read_text().splitlines()
        journals += [(run["digest"], run["seed"]) for run in map(json.loads, journal[1:])]
    expect_equal(len(journals), 24, "runs in all journals")
    expect_equal(len(set(journals)), 24, "different runs")
    expect_equal(tables(folder), tables(folder, out="whole"), "tables")


def test_what_shares_lack_is_done_by_the_whole_and_the_other_way_round(folder):
    write(folder)
    run(folder, out="whole").expect(FINE)
    run(folder, "--share", "1/2").expect(FINE)
    run(folder).expect(FINE, "24 runs of which 12 were there")
    expect_equal(tables(folder), tables(folder, out="whole"), "tables")
    run(folder, "--share", "2/2").expect(FINE, "24 runs of which 24 were there")


def test_shares_that_go_on_at_once_leave_each_other_alone(folder):
    write(folder)
    run(folder, out="whole").expect(FINE)
    run(folder, "--share", "1/2").expect(FINE)
    (folder / "out" / "results.csv.new").write_text("half of what another one is writing")
    (folder / "out" / "runs-2-of-2.jsonl").touch()
    with open(folder / "out" / "runs-2-of-2.jsonl", "r+") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX, 1, RIGHT_TO_WRITE)
        run(folder, "--share", "2/2").expect(MISTAKE, "runs-2-of-2.jsonl",
                                             "being written by another process")
    run(folder, "--share", "2/2").expect(FINE, "6 points, 24 runs of which 12 were there")
    expect_equal((folder / "out" / "results.csv.new").read_text(),
                 "half of what another one is writing", "what another one is writing")
    expect_equal(tables(folder), tables(folder, out="whole"), "tables")


def test_what_is_run_anew_counts_more_than_what_a_share_did(folder):
    write(folder)
    run(folder, out="whole").expect(FINE)
    run(folder, "--share", "1/2").expect(FINE)
    journal = folder / "out" / "runs-1-of-2.jsonl"
    header, *runs = map(json.loads, journal.read_text().splitlines())
    for each in runs:
        each["figures"]["response_mean_s"] = 1e9  # by an emulation that was late, say
    journal.write_text("".join(json.dumps(line) + "\n" for line in (header, *runs)))
    run(folder, "--force").expect(FINE, "24 runs of which 0 were there")
    expect_equal(tables(folder), tables(folder, out="whole"), "tables")


def test_a_share_that_is_none_is_a_mistake(folder):
    write(folder)
    for share in ("0/3", "4/3", "3", "a/b", "1/2/3", "1/", "/2", "1/100001", "-1/3"):
        run(folder, f"--share={share}").expect(MISTAKE, "--share", "expected K/N")
    write(folder, LOADS.replace("seeds = 4", "seeds = 4\nprecision = 0.5"))
    run(folder, "--share", "1/2").expect(MISTAKE, "experiment.precision", "do without --share")
    expect(not (folder / "out").exists(), "nothing is written")


def test_every_point_runs_with_every_seed_and_is_compared_pair_by_pair(folder):
    write(folder)
    run(folder).expect(FINE, "response_mean_s", "baseline", "6 points, 24 runs of which 0 were there")
    for policy in ("fair", "cfq", "srpt"):
        for load in ("0.5", "0.9"):
            found = values(folder, "response_mean_s", **{"policy": policy, "workload.load": load})
            expect_equal(sorted(found), [1, 2, 3, 4], f"seeds of {policy} at {load}")
            # As by hand: the same config, key by key, through another command.
            printed = json.loads(somnus(
                folder, "simulate", "config.toml", "--policy", policy, "--set",
                f"workload.load={load}", "--seed", "3", "--json").expect(FINE).out)
            expect_equal(found[3], printed[0]["response_mean_s"], f"{policy} at {load}, seed 3")
    ours = values(folder, "response_mean_s", **{"policy": "cfq", "workload.load": "0.9"})
    base = values(folder, "response_mean_s", **{"policy": "fair", "workload.load": "0.9"})
    [line] = [row for row in rows(folder, "summary.csv")
              if (row["policy"], row["workload.load"], row["metric"])
              == ("cfq", "0.9", "response_mean_s")]
    t_of_three = 3.182446305284263  # Student's t, 0.975, three degrees of freedom

    def half_width(sample):
        return t_of_three * statistics.stdev(sample) / math.sqrt(len(sample))

    differences = [ours[seed] - base[seed] for seed in sorted(ours)]
    whole = statistics.mean(base.values())
    for name, expected in (("mean", statistics.mean(ours.values())),
                           ("half_width_95", half_width(list(ours.values()))),
                           ("difference", statistics.mean(differences) / whole),
                           ("difference_half_width_95", half_width(differences) / whole)):
        expect(math.isclose(float(line[name]), expected, rel_tol=1e-9),
               f"{name}: {line[name]}, expected {expected}")


def test_the_hdf5_table_says_what_the_csv_says(folder):
    write(folder)
    run(folder, "-q").expect(FINE)
    with h5py.File(folder / "out" / "results.h5") as file:
        table = file["results"][:]
    found = [{name: cell.decode() if isinstance(cell, bytes) else cell for name, cell
              in zip(table.dtype.names, row)} for row in table.tolist()]
    expected = [{**row, "seed": int(row["seed"]), "value": float(row["value"])}
                for row in rows(folder)]
    expect_equal(found, expected, "rows")


def test_the_table_does_not_depend_on_how_many_run_at_once(folder):
    write(folder)
    run(folder, "-q", "-j", "1").expect(FINE)
    run(folder, "-q", "-j", "4", out="four").expect(FINE)
    expect_equal(tables(folder, "four"), tables(folder), "bytes of the tables")


def test_killed_and_started_again_it_goes_on_to_the_same_table(folder):
    write(folder, LOADS.replace("seeds = 4", "seeds = 300"))
    run(folder, "-q", out="whole").expect(FINE)
    command = [program(), "experiment", "experiment.toml", "-o", "out", "-q", "-j", "1"]
    for number in (signal.SIGKILL, signal.SIGINT):
        with Run(command, folder) as begun:
            journal = folder / "out" / "runs.jsonl"
            before = lines_of(journal)
            while lines_of(journal) < before + 20 and begun.process.poll() is None:
                time.sleep(0.002)
            begun.signal(number)
            code = begun.process.wait()
        expect_equal(code, -signal.SIGKILL if number == signal.SIGKILL else WORLD, "exit code")
        expect(lines_of(journal) < 1800, "it ended before it could be stopped")
    with open(journal, "a") as file:
        file.write('{"point": "cfq 0.9", "seed": 300, "figu')  # half a line
    again = run(folder).expect(FINE, "6 points, 1800 runs of which ")
    expect("of which 0 were" not in again.out, "nothing was taken over")
    expect_equal(tables(folder), tables(folder, "whole"), "bytes of the tables")


def test_a_key_that_a_points_parts_ignore_is_left_out_there(folder):
    write(folder, LOADS.replace("policy = [\"fair\", \"cfq\", \"srpt\"]", "policy = [\"fair\", \"yarn\"]")
          .replace("workload.load = [0.5, 0.9]", "heartbeat.interval_s = [1, 3]"))
    run(folder).expect(FINE, "3 points, 12 runs")
    found = {(row["policy"], row["heartbeat.interval_s"]) for row in rows(folder)}
    expect_equal(found, {("fair", "-"), ("yarn", "1"), ("yarn", "3")}, "points")
    [difference] = [row["difference"] for row in rows(folder, "summary.csv")
                    if (row["policy"], row["heartbeat.interval_s"], row["metric"])
                    == ("yarn", "3", "response_mean_s")]
    expect(difference != "", "yarn is not compared with fair, which reads no heartbeats")


def test_mistakes_are_reported_where_they_were_written(folder):
    write(folder, LOADS.replace("0.9]", "-1]").replace('"srpt"', '"srtp"'))
    printed = run(folder).expect(
        MISTAKE, "experiment.toml:7:26: policy: unknown policy 'srtp'; did you mean 'srpt'?",
        "experiment.toml:8:23: workload.load: expected a number")
    expect(not (folder / "out").exists(), "a folder was made for nothing")
    expect_equal(printed.err.count("workload.load"), 1, "how often a mistake is reported")
    write(folder, LOADS + "[set]\nheartbeat.interval_s = 1\n")
    run(folder).expect(MISTAKE, "heartbeat", "no point of this experiment reads it")
    write(folder, LOADS.replace("response_mean_s", "respones_mean_s"))
    run(folder).expect(MISTAKE, "experiment.toml:5:12: experiment.metrics", "did you mean 'response_mean_s'?")
    write(folder, LOADS.replace("[axes]", "margin = -1\nmargins = {respones_mean_s = 0.1}\n[axes]"))
    run(folder).expect(MISTAKE, "experiment.toml:6:10: experiment.margin: expected a number")
    write(folder, LOADS.replace("[axes]", "margins = {respones_mean_s = 0.1}\n[axes]"))
    run(folder).expect(MISTAKE, "experiment.toml:6:30: experiment.margins", "did you mean 'response_mean_s'?")
    write(folder)
    somnus(folder, "experiment", "experiment.toml").expect(MISTAKE, "-o FOLDER")
    somnus(folder, "experiment", "nowhere.toml", "-o", "out").expect(MISTAKE, "no such file")


def test_a_point_that_fails_is_reported_and_stops_no_other(folder):
    write_workload(folder, mixed_jobs())
    write(folder, """
[experiment]
config = "config.toml"
[axes]
workload.file = ["workload.jsonl", "missing.jsonl"]
""", CONFIG.split("[workload]")[0] + "[workload]\nfile = 'workload.jsonl'\n")
    run(folder).expect(MISTAKE, "missing.jsonl, seed 1: ", "No such file",
                       "2 of 2 points draw nothing at random: one run each")
    expect_equal({(row["workload.file"], row["seed"]) for row in rows(folder)},
                 {("workload.jsonl", "1")}, "runs")


def test_seeds_are_added_until_the_interval_is_narrow_enough(folder):
    write(folder, LOADS.replace("seeds = 4", "seeds = 4\nprecision = 0.1\nmost_seeds = 60"))
    run(folder, "-q").expect(FINE)
    lines = [row for row in rows(folder, "summary.csv") if row["metric"] == "response_mean_s"]
    expect(any(int(row["runs"]) > 4 for row in lines), "no seed was added")
    for row in lines:
        narrow = float(row["half_width_95"]) <= 0.1 * float(row["mean"])
        expect(narrow or int(row["runs"]) == 60, f"{row} is neither narrow nor at the limit")


def test_a_folder_of_another_experiment_is_not_touched(folder):
    write(folder)
    run(folder, "-q").expect(FINE)
    before = tables(folder)
    run(folder, "--set", "workload.jobs=30").expect(MISTAKE, "another experiment's results", "--force")
    expect_equal(tables(folder), before, "tables")
    run(folder, "-q", "--set", "workload.jobs=30", "--force").expect(FINE)
    expect(tables(folder) != before, "the tables are the old ones")


def test_pipes_are_not_waited_at(folder):
    write(folder)
    (folder / "out").mkdir()
    os.mkfifo(folder / "out/runs-2-of-3.jsonl")
    somnus(folder, "experiment", "experiment.toml", "-o", "out", timeout_s=60).expect(
        MISTAKE, "runs-2-of-3.jsonl: is not a file, expected the journal of an experiment")
    os.mkfifo(folder / "pipe.jsonl")
    config = CONFIG.partition("[workload]")[0] + '[workload]\nfile = "pipe.jsonl"\n'
    write(folder, LOADS.replace("workload.load = [0.5, 0.9]", ""), config)
    somnus(folder, "experiment", "experiment.toml", "-o", "other", timeout_s=60).expect(
        MISTAKE, "workload.file: expected a file, which is read more than once")


def test_more_seeds_and_points_go_on_from_those_that_are_there(folder):
    write(folder)
    run(folder, "-q").expect(FINE)
    write(folder, LOADS.replace("seeds = 4", "seeds = 6"))
    run(folder).expect(FINE, "36 runs of which 24 were there")
    write(folder, LOADS.replace("seeds = 4", "seeds = 6").replace("[0.5, 0.9]", "[0.5, 0.7, 0.9]"))
    run(folder).expect(FINE, "54 runs of which 36 were there")
    write(folder, LOADS.replace("seeds = 4", "seeds = 6"))  # what is left out is not forgotten
    run(folder, "-q").expect(FINE)
    write(folder, LOADS.replace("seeds = 4", "seeds = 6").replace("[0.5, 0.9]", "[0.5, 0.7, 0.9]"))
    run(folder).expect(FINE, "54 runs of which 54 were there")


def test_logs_are_kept_where_they_are_asked_for(folder):
    write(folder, LOADS.replace("seeds = 4", 'seeds = 2\nkeep = "first"'))
    run(folder, "-q").expect(FINE)
    logs = sorted((folder / "out" / "logs").iterdir())
    expect_equal([log.name for log in logs],
                 sorted(f"{policy}_{load}-1.h5" for policy in ("fair", "cfq", "srpt")
                        for load in ("0.5", "0.9")), "logs")
    somnus(folder, "check", *map(str, logs), "-q").expect(FINE)


def test_zipped_keys_turn_together_and_json_tells_all(folder):
    write(folder, """
[experiment]
config = "config.toml"
seeds = 2
[[zip]]
cluster.nodes = [2, 4]
workload.scale_tasks = [0.5, 1]
""")
    printed = json.loads(run(folder, "--json").expect(FINE).out)["figures"]
    points = {tuple(sorted(one["point"].items())) for one in printed}
    expect_equal(points, {(("cluster.nodes", "2"), ("workload.scale_tasks", "0.5")),
                          (("cluster.nodes", "4"), ("workload.scale_tasks", "1"))}, "points")


LIMITS = """
[cluster]
nodes = 10
slots_per_node = 4
[scheduler]
policy = "fifo"
[workload]
generator = "google"
jobs = 30
load = 0.9
"""


def test_points_that_differ_in_limits_alone_do_not_share_a_workload(folder):
    write(folder, """
[experiment]
config = "config.toml"
seeds = 2
metrics = ["jobs_timed_out"]
[set]
limits.factor = 1.0
[axes]
limits.model = ["rounded", "none", "factor"]
""", LIMITS)
    run(folder).expect(FINE)
    for model in ("rounded", "none", "factor"):
        alone = [json.loads(somnus(folder, "simulate", "config.toml", "--json", "--seed", seed,
                                   "--set", f"limits.model={model}",
                                   *(() if model == "none" else ("--set", "limits.factor=1.0")))
                            .expect(FINE).out)[0]["jobs_timed_out"] for seed in (1, 2)]
        expect_equal(values(folder, "jobs_timed_out", **{"limits.model": model}), dict(zip((1, 2), alone)),
                     f"jobs timed out with limits.model = {model}")


def test_who_does_not_fit_the_workload_of_others_is_refused(folder):
    """EASY needs limits, and FIFO, of the same workload, does not."""
    write(folder, """
[experiment]
config = "config.toml"
seeds = 2
metrics = ["response_mean_s"]
[axes]
policy = ["fifo", "easy"]
""", LIMITS)
    run(folder).expect(MISTAKE, '"easy" counts on time limits')
    expect_equal({row["policy"] for row in rows(folder)}, {"fifo"}, "policies with results")
    somnus(folder, "simulate", "config.toml", "--policy", "fifo,easy").expect(MISTAKE, '"easy" counts on time limits')
