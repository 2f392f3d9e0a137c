"""What is printed: tables for people, JSON for machines, nothing when asked to be quiet."""

import json

from logs import mixed_jobs, simulated, tasks_of, write_config, write_workload
from somnus_program import FINE, MISTAKE, expect, expect_equal, somnus

import h5py


def write_world(folder, jobs=None):
    write_workload(folder, jobs or mixed_jobs())
    return write_config(folder)


def rows(table: str) -> dict[str, str]:
    """Label -> value of a closing table with one column."""
    found = {}
    for line in table.splitlines():
        label, _, value = line.strip().rpartition("  ")
        found[label.strip()] = value.strip()
    return found


def test_json_agrees_with_the_text(folder):
    jobs = mixed_jobs()
    config = write_world(folder, jobs)
    text = rows(somnus(folder, "simulate", config, "--log", "run.h5", "--all").expect(FINE).out)
    [printed] = json.loads(somnus(folder, "simulate", config, "--json").expect(FINE).out)
    expect_equal(printed["scheduler"], text["scheduler"], "scheduler")
    expect_equal(printed["seed"], int(text["seed"]), "seed")
    expect_equal(printed["jobs_submitted"], int(text["jobs submitted"]), "jobs")
    expect_equal(printed["tasks_submitted"], int(text["tasks submitted"]), "tasks")
    expect_equal(printed["tasks_finished"], tasks_of(jobs), "tasks that finished")
    expect_equal(printed["jobs_submitted"], len(jobs), "jobs")
    expect(printed["complete"] and printed["conserved"], "neither complete nor conserved")
    [again] = json.loads(somnus(folder, "summary", "run.h5", "--json").expect(FINE).out)
    expect_equal({**again, "label": ""}, {**printed, "label": ""}, "summary of the log")


def test_a_scheduler_is_called_by_its_preset_and_what_was_exchanged(folder):
    config = write_world(folder)
    policies = "fair,fair+order=srpt,job-queue"
    ended = somnus(folder, "simulate", config, "--policy", policies, "--log", "{policy}.h5")
    called = ["fair", "fair+order=srpt", "fair+order=job-queue"]
    ended.expect(FINE, "fair:1  fair (2):1  fair (3):1", "\nfair (2): order=srpt\n", "\nfair (3): order=job-queue\n",
                 "\nfair (2), seed 1:")
    logs = [f"{one}.h5" for one in policies.split(",")]
    printed = json.loads(somnus(folder, "summary", *logs, "--json").expect(FINE).out)
    expect_equal([one["scheduler"] for one in printed], called, "schedulers")
    somnus(folder, "simulate", config, "--policy", "fair+ordr=srpt").expect(
        MISTAKE, "scheduler.ordr", "did you mean 'order'?")
    somnus(folder, "simulate", config, "--policy", "fair,job-qeue").expect(
        MISTAKE, "--policy", "unknown policy 'job-qeue'", "did you mean 'job-queue'?")


def test_a_label_can_not_upset_the_terminal(folder):
    write_workload(folder, mixed_jobs())
    config = write_config(folder, scheduler='label = "two\\nlines \\u001b[31m"')
    ended = somnus(folder, "simulate", config).expect(FINE, r"two\u{a}lines \u{1b}[31m, seed 1")
    expect("\x1b" not in ended.out + ended.err, "an escape sequence reached the terminal")
    [printed] = json.loads(somnus(folder, "simulate", config, "--json").expect(FINE).out)
    expect_equal(printed["scheduler"], "two\nlines \x1b[31m", "scheduler")


def test_every_result_is_json_when_asked(folder):
    simulated(folder, log="run.h5")
    [replayed] = json.loads(somnus(folder, "replay", "run.h5", "--json").expect(FINE).out)
    expect_equal(replayed["difference"], "", "difference")
    expect(replayed["decisions"] > 0, "no decision")
    [checked] = json.loads(somnus(folder, "check", "run.h5", "--json").expect(FINE).out)
    expect(len(checked["findings"]) > 10, f"only {len(checked['findings'])} invariants")
    lines = somnus(folder, "check", "run.h5").expect(FINE).out.splitlines()
    verdicts = [line for line in lines if line.startswith(("holds ", "noted "))]
    expect_equal(len(verdicts), len(checked["findings"]), "lines of check")
    [recovered] = json.loads(somnus(folder, "recover", "run.h5", "--json").expect(FINE).out)
    expect(recovered["was_complete"], "a complete log")
    with h5py.File(folder / "run.h5", "r") as log:
        for figure, said in (("tasks", len(log["tasks"])), ("finished_tasks", len(log["tasks"])),
                             ("arrived_jobs", len(log["jobs"])), ("active_jobs", 0)):
            expect_equal(recovered[figure], said, figure)
        last = max(log["tasks"]["finish"].max(), log["samples"]["time"].max())
        expect(recovered["time_s"] >= last, f"it has come to {recovered['time_s']} s only")


def test_policies_are_printed_as_text_and_json(folder):
    text = somnus(folder, "policies").expect(FINE, "Presets", "Parts").in_one_line()
    printed = json.loads(somnus(folder, "policies", "--json").expect(FINE).out)
    presets = {preset["name"] for preset in printed["presets"]}
    expect({"fifo", "fair", "srpt", "cfq"} <= presets, f"presets: {presets}")
    parts = {(part["kind"], part["name"]) for part in printed["parts"]}
    for preset in printed["presets"]:
        kind = "policy" if preset["whole"] else "order"
        expect((kind, preset["whole"] or preset["order"]) in parts,
               f"no part decides for {preset['name']}")
        expect(preset["summary"] in text, f"the text lacks the summary of {preset['name']}")
    for part in printed["parts"]:
        expect(f"{part['name']}, {part['kind']}: {part['summary']}" in text,
               f"the text lacks {part['name']}")
        for parameter in part["parameters"]:
            expect(f"[scheduler.{part['name']}] {parameter['name']} =" in text, parameter["name"])
            if parameter["name"] == "starvation_s":
                expect_equal(parameter["default"], "inf", "starvation_s")


def test_one_policy_is_printed_alone(folder):
    ended = somnus(folder, "policies", "cfq").expect(FINE, "Cluster Fair Queueing")
    expect("shortest remaining" not in ended.out, "it describes other policies too")
    ended = somnus(folder, "policies", "uwfq-p").expect(
        FINE, "partitioner by-runtime", "exact2lv", "advisory_task_runtime_s")
    expect("by-size" not in ended.out, "it describes a part that the preset does not have")
    ended = somnus(folder, "policies", "by-runtime").expect(FINE, "launch_overhead_s")
    expect("Presets" not in ended.out, "a heading with nothing below it")
    somnus(folder, "policies", "cfqq").expect(MISTAKE, "cfqq", "did you mean 'cfq'?")
