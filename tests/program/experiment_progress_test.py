"""An experiment while it goes on, when it was stopped, and when it has many points."""

import json
import signal
import time

from experiments import LOADS, lines_of, run, write
from somnus_program import FINE, MISTAKE, WORLD, Run, expect, expect_equal, program, somnus

MANY = """
[experiment]
config = "config.toml"
seeds = 2
metrics = ["response_mean_s"]
[axes]
policy = ["fair", "srpt"]
cluster.nodes = [{}]
[baseline]
policy = "fair"
[set]
workload.jobs = 3
"""


def followed(folder, *more):
    return json.loads(somnus(folder, "follow", "out", "--once", "--json", *more).expect(FINE).out)


def test_what_was_stopped_prints_no_nan(folder):
    write(folder, LOADS.replace("seeds = 4", "seeds = 400").replace("[baseline]", "[baseline]\nworkload.load = 0.9"))
    command = [program(), "experiment", "experiment.toml", "-o", "out", "-j", "1"]
    with Run(command, folder) as begun:
        while lines_of(folder / "out" / "runs.jsonl") < 4 and begun.process.poll() is None:
            time.sleep(0.002)
        begun.signal(signal.SIGINT)
        printed = begun.wait().expect(WORLD, "stopped early").out
    expect("nan" not in printed and "inf" not in printed, printed)
    for name in ("summary.csv", "answers.json"):
        expect("nan" not in (folder / "out" / name).read_text().lower(), name)
    after = followed(folder)
    expect_equal((after["ended"], after["planned"]), (True, 2400), "ended before its time")
    expect(after["runs"] < 2400, "it was stopped too late")
    somnus(folder, "follow", "out").expect(WORLD, "stopped early")


def test_a_folder_is_followed_while_runs_end(folder):
    write(folder, LOADS.replace("seeds = 4", "seeds = 200"))
    command = [program(), "experiment", "experiment.toml", "-o", "out", "-q", "-j", "1"]
    with Run(command, folder) as begun:
        while lines_of(folder / "out" / "runs.jsonl") < 20 and begun.process.poll() is None:
            time.sleep(0.002)
        early = followed(folder)
        somnus(folder, "follow", "out", "--interval", "0.1").expect(FINE, "1200 runs done, 0 left, ended")
        begun.wait().expect(FINE)
    expect(19 <= early["runs"] <= 1200 and early["planned"] == 1200, f"{early['runs']} of {early['planned']}")
    late = followed(folder)
    expect_equal(late["ended"], True, "ended")
    figures = json.loads(run(folder, "--json").expect(FINE).out)["figures"]
    means = {" ".join(each["point"].values()): (each["mean"], each["half_width"], each["runs"])
             for each in figures if each["metric"] == "response_mean_s"}
    expect_equal({each["point"]: (*each["figures"]["response_mean_s"].values(), each["runs"])
                  for each in late["points"]},
                 {name: (half, mean, runs) for name, (mean, half, runs) in means.items()}, "means")


def test_shares_are_followed_together(folder):
    write(folder)
    run(folder, "--share", "1/2").expect(FINE)
    expect_equal(followed(folder)["runs"], 12, "runs")
    run(folder, "--share", "2/2").expect(FINE)
    expect_equal((followed(folder)["runs"], followed(folder)["planned"]), (24, 24), "runs")


def test_what_is_no_experiments_folder_is_a_mistake(folder):
    (folder / "out").mkdir()
    somnus(folder, "follow", "out").expect(MISTAKE, "found no journal", "-o FOLDER begins one")
    (folder / "out" / "runs.jsonl").write_text("{}\n[]\nnull\n" + '{"somnus_experiment": 1}\n')
    somnus(folder, "follow", "out").expect(MISTAKE, "found no journal")
    somnus(folder, "follow", "out", "--prometheus", "9100").expect(MISTAKE, "--prometheus", "expected a log")


def test_of_many_points_a_dozen_are_shown_unless_all_are_asked_for(folder):
    write(folder, MANY.format(", ".join(str(nodes) for nodes in range(1, 21))))
    few = run(folder).expect(FINE, "and 28 more points; --all has them").out
    for policy in ("fair ", "srpt "):
        expect_equal(sum(line.startswith(policy) for line in few.splitlines()), 6, f"points of {policy}")
    every = run(folder, "--all").expect(FINE).out
    expect_equal(sum(line.startswith(("fair ", "srpt ")) for line in every.splitlines()), 40, "points shown")
    expect(max(map(len, (few + every).splitlines())) <= 80, "a line is too long")
    text = somnus(folder, "follow", "out", "--once").expect(FINE, "80 runs done, 0 left, ended").out
    expect(max(map(len, text.splitlines())) <= 80, text)
