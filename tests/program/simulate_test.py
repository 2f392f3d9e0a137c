"""simulate: one seed gives one log; many configs, policies and seeds at once."""

from fractions import Fraction
from itertools import product

from logs import (expect_clean, finished_tasks, mixed_jobs, raw_datasets, rows, simulated,
                  tasks_of, write_config, write_workload)
from somnus_program import FINE, MISTAKE, each, expect, expect_equal, somnus

import h5py

UNIFORM = '[estimate]\nmodel = "uniform"\nerror = 0.5\n'
EVERYTHING = (UNIFORM + '[heartbeat]\ninterval_s = 0.2\n[network]\ndelay_ms = 3\njitter = 0.5\n'
              '[jvm]\nmodel = "reuse"\nfactor = 1.5\n[faults]\ntask_failure_probability = 0.1\n'
              '[[faults.event]]\nat_s = 0.7\nnode = 1\nkind = "node-lost"\n'
              '[[faults.event]]\nat_s = 1.6\nnode = 1\nkind = "node-returned"\n')
HEARTBEAT = 'feedback = "heartbeat"'


@each(("fifo", "fair", "srpt", "cfq"))
def test_one_seed_gives_one_log_byte_for_byte(folder, policy):
    jobs = mixed_jobs(40)
    write_workload(folder, jobs)
    config = write_config(folder, policy=policy, scheduler=HEARTBEAT, more=EVERYTHING)
    logs = [folder / "a.h5", folder / "b.h5"]
    for log in logs:
        somnus(folder, "simulate", config, "--seed", 5, "--log", log, "-q").expect(FINE)
    first, second = map(raw_datasets, logs)
    expect_equal(sorted(first), sorted(second), "datasets")
    for name in first:
        expect(first[name] == second[name], f"/{name} differs between two runs of one seed")
    expect_clean(folder, logs[0])
    expect_equal(len(finished_tasks(logs[0])), tasks_of(jobs), "finished tasks")


WARM_UPS = {
    "none": "",
    "reuse": "factor = 2\n",
    "executor": "start_s = 0.05\nfactor = 2\ndecay_tasks = 3\n",
    "measured": "",
}


@each(list(WARM_UPS))
def test_every_warm_up_model_is_checked_and_replayed(folder, model):
    jobs = mixed_jobs(40)
    for job in jobs:
        if "durations" in job:
            job["first"] = [1.5 * one for one in job["durations"]]
            job["fresh"] = [2 * one for one in job["durations"]]
    expect(any("fresh" in job for job in jobs), "no job lists its durations")
    log = simulated(folder, jobs=jobs, more=f'[jvm]\nmodel = "{model}"\n{WARM_UPS[model]}')
    expect_clean(folder, log)
    (folder / "workload.jsonl").unlink(missing_ok=True)
    somnus(folder, "check", "log.h5").expect(FINE)  # from what the log says alone
    somnus(folder, "replay", "log.h5").expect(FINE, "every one equal")
    tasks = rows(log, "tasks")
    longer = tasks["intended"] > tasks["nominal"]
    expect_equal(bool(longer.any()), model != "none", "some task took longer")
    expect_equal(bool(tasks["warm"].any()), model != "none", "some slot was warm")
    expect(not (longer & (tasks["warm"] == 1)).any(), "a warm task took longer")


def test_another_seed_gives_other_estimates(folder):
    write_workload(folder, mixed_jobs(40))
    config = write_config(folder, policy="srpt", more=UNIFORM)
    for seed in (1, 2):
        somnus(folder, "simulate", config, "--seed", seed, "--log", f"{seed}.h5", "-q").expect(FINE)
    with h5py.File(folder / "1.h5", "r") as one, h5py.File(folder / "2.h5", "r") as two:
        expect_equal((int(one.attrs["seed"]), int(two.attrs["seed"])), (1, 2), "seeds in the logs")
        same = (one["jobs"]["estimate"] == two["jobs"]["estimate"]).sum()
        expect(same < 4, f"{same} of 40 estimates are equal")
        expect((one["jobs"]["slot_time"] == two["jobs"]["slot_time"]).all(), "the truth differs")


def test_a_job_may_have_more_stages_than_sixteen_bits_count(folder):
    stages = [{"stage": at, "tasks": 1, "duration": 0.001, "parents": [at - 1] if at > 0 else []}
              for at in range(70_000)]
    log = simulated(folder, jobs=[{"job": "chain", "submit": 0, "stages": stages}])
    expect_clean(folder, log)
    expect_equal(int(rows(log, "jobs")["stages"][0]), 70_000, "stages in the log")


def two_configs(folder):
    write_workload(folder, mixed_jobs())
    write_config(folder, "small.toml", nodes=2)
    write_config(folder, "large.toml", nodes=9)
    return ["simulate", "small.toml", "large.toml", "--policy", "fifo,cfq", "--seeds", "1,2,3"]


def test_each_config_policy_and_seed_has_its_log(folder):
    pattern = "{config}-{policy}-{seed}.h5"
    somnus(folder, *two_configs(folder), "--log", pattern, "-q").expect(FINE)
    for config, policy, seed in product(["small", "large"], ["fifo", "cfq"], [1, 2, 3]):
        log = folder / f"{config}-{policy}-{seed}.h5"
        expect(log.exists(), f"{log.name} is missing")
        with h5py.File(log, "r") as file:
            expect_equal(int(file.attrs["seed"]), seed, f"seed in {log.name}")
            expect(f'policy = "{policy}"' in file.attrs["config"].decode(), f"policy of {log.name}")
            expect_equal(file["nodes"].shape[0], 2 if config == "small" else 9, "nodes")
            expect_equal(int(file.attrs["complete"]), 1, "complete")
    expect_equal(len(list(folder.glob("*.h5"))), 12, "logs")


def test_one_at_a_time_or_all_at_once_is_the_same(folder):
    command = two_configs(folder)
    one_by_one = somnus(folder, *command, "--json", "-j", 1).expect(FINE)
    at_once = somnus(folder, *command, "--json").expect(FINE)
    expect_equal(at_once.out, one_by_one.out, "results")


def test_a_log_name_without_pattern_gets_policy_and_seed(folder):
    simulated(folder, "--policy", "fifo,fair", log="x.h5")
    expect_equal(sorted(path.name for path in folder.glob("*.h5")), ["x-fair-1.h5", "x-fifo-1.h5"],
                 "logs")


def test_two_runs_may_not_write_one_file(folder):
    somnus(folder, *two_configs(folder), "--log", "{policy}-{seed}.h5").expect(
        MISTAKE, "two runs would write fifo-1.h5", "{config}")
    expect_equal(list(folder.glob("*.h5")), [], "logs left")


def test_a_run_ends_on_request(folder):
    jobs = mixed_jobs(20)
    write_workload(folder, jobs)
    config = write_config(folder, more="[run]\nuntil_s = 1\n")
    somnus(folder, "simulate", config, "--log", "run.h5").expect(FINE, "unfinished")
    tasks = rows(folder / "run.h5", "tasks")
    expect(0 < (tasks["outcome"] == 0).sum() < tasks_of(jobs), "it did not stop in between")
    expect((tasks["outcome"] == 3).any(), "no attempt was cut off")
    expect((tasks["finish"][tasks["outcome"] == 0] <= 1).all(), "a task ended after the end")
    expect((tasks["placed"] <= 1).all(), "a task was placed after the end")
    expect_equal(len(rows(folder / "run.h5", "jobs")), len(jobs), "jobs")
    expect_clean(folder, folder / "run.h5")


def test_a_run_whose_nodes_are_lost_for_good_ends_and_says_so(folder):
    write_workload(folder, mixed_jobs(20))
    lost = "".join(f'[[faults.event]]\nat_s = 1\nnode = {node}\nkind = "node-lost"\n'
                   for node in range(2))
    config = write_config(folder, nodes=2, more=lost)
    somnus(folder, "simulate", config, "--log", "run.h5").expect(
        FINE, "nothing can happen any more", "2 of 2 nodes are lost for good")
    expect_clean(folder, folder / "run.h5")


def test_estimates_asked_for_but_not_given_are_reported(folder):
    words = "no job of the workload has an `estimate`"
    jobs = mixed_jobs()
    command = ["simulate", write_config(folder), "--set", "estimate.model=given"]
    write_workload(folder, jobs)
    somnus(folder, *command).expect(FINE, words)
    jobs[3]["estimate"] = 2.5
    write_workload(folder, jobs)
    ended = somnus(folder, *command).expect(FINE)
    expect(words not in ended.out + ended.err, "an estimate was overlooked")


def test_months_of_emulated_time(folder):
    log = simulated(folder, jobs=[{"job": "j", "submit": 0, "durations": [1234567.891] * 12}],
                    nodes=1, slots=1)
    expect_clean(folder, log)
    times = rows(log, "samples")["time"]
    expect(1000 < len(times) < 12_000, f"{len(times)} samples")
    expect(times[-1] > 12e6, f"the last sample is of {times[-1]} s")
    expect(log.stat().st_size < 2e7, "the log is large")


def nanoseconds(seconds):
    return round(Fraction(float(seconds)) * 10**9)  # as floats the product would be rounded, too


def test_nanoseconds_are_kept_for_as_long_as_workloads_may_be(folder):
    submits = [0, 4194304.000000048, 4503599.627370497, 8299999.123456789]
    log = simulated(folder, jobs=[{"job": f"j{at}", "submit": submit, "durations": [0.000000001] * 3}
                                  for at, submit in enumerate(submits)])
    expect_clean(folder, log)
    jobs = rows(log, "jobs")
    expect_equal(list(jobs["submit"]), submits, "submits")
    ends = [nanoseconds(submit) + 1 for submit in submits]
    expect_equal([nanoseconds(end) for end in jobs["finish"]], ends, "ends, ns")
