"""Clusters given by resources: what fits them, what is refused, and what their logs say."""

import json

from logs import expect_clean, raw_datasets, rows, write_workload
from somnus_program import FINE, MISTAKE, each, expect, expect_equal, somnus

CPU_AND_MEMORY = "resources = { cpu = 4, mem_gb = 16 }"
FAIR = 'policy = "fair"'


def write_config(folder, cluster=CPU_AND_MEMORY, scheduler=FAIR, workload="", more="", nodes=2):
    path = folder / "config.toml"
    path.write_text(f"[cluster]\nnodes = {nodes}\n{cluster}\n[scheduler]\n{scheduler}\n"
                    f'[workload]\nfile = "workload.jsonl"\n{workload}\n{more}')
    return path


def write_jobs(folder, demands, gap_s=0.5):
    """A job of three tasks a demand."""
    write_workload(folder, [
        {"job": f"j{at}", "submit": at * gap_s, "user": "ann" if at % 2 else "bob",
         "durations": [1.5, 1.5, 1.8], "demand": demand}
        for at, demand in enumerate(demands)],
        resources=list(dict.fromkeys(kind for demand in demands for kind in demand)))


DEMANDS = [{"cpu": 2, "mem_gb": 4}, {"cpu": 1, "mem_gb": 12}, {"cpu": 3, "mem_gb": 1},
           {"cpu": 0.5, "mem_gb": 6}, {"cpu": 4, "mem_gb": 16}, {"cpu": 1}]
DEMANDS_WITH_IO = [{**demand, "io": 1} for demand in DEMANDS[:2]] + DEMANDS[2:]


def simulate(folder, *arguments):
    """A log that is as it should be."""
    somnus(folder, "simulate", "config.toml", *arguments, "--log", "log.h5", "-q",
           "--force").expect(FINE)
    expect_clean(folder, folder / "log.h5")
    return folder / "log.h5"


def expect_refused(folder, *words):
    ended = somnus(folder, "simulate", "config.toml", "--log", "log.h5", "-q").expect(
        MISTAKE, *words)
    expect_equal(len(ended.err.strip().splitlines()), 1, f"lines in {ended.err!r}")
    expect(not (folder / "log.h5").exists(), "a log of a refused simulation")


def summary_of(log):
    """The closing table's figures."""
    [summary] = json.loads(somnus(log.parent, "summary", log, "--json").expect(FINE).out)
    return summary


def test_a_kind_that_nodes_lack_is_refused_unless_it_is_ignored(folder):
    write_jobs(folder, DEMANDS_WITH_IO)
    write_config(folder)
    expect_refused(folder, "workload.jsonl, job 'j0', stage 0: a task demands 'io'",
                   "they have cpu, mem_gb", 'workload.ignore_kinds = ["io"]')
    write_config(folder, workload='ignore_kinds = ["io"]')
    demands = rows(simulate(folder), "stage_demands")
    expect("io" not in demands.dtype.names, f"{demands.dtype.names} in the log")
    expect_equal([demands["cpu"][0], demands["mem_gb"][0]], [2, 4], "demand of the first")


def test_where_slots_alone_count_demands_that_do_not_are_named(folder):
    write_jobs(folder, DEMANDS_WITH_IO)
    loud = "DEMANDS DO NOT COUNT: tasks demand cpu, mem_gb, io, but the cluster has slots alone"
    write_config(folder, cluster="slots_per_node = 2")
    ended = somnus(folder, "simulate", "config.toml").expect(FINE)
    expect(loud in ended.in_one_line(), ended.out + ended.err)
    write_config(folder, cluster="slots_per_node = 2", workload='ignore_kinds = ["cpu", "mem_gb"]')
    ended = somnus(folder, "simulate", "config.toml").expect(FINE)
    expect("DO NOT COUNT: tasks demand io, but" in ended.in_one_line(), ended.out + ended.err)
    write_config(folder, cluster="slots_per_node = 2",
                 workload='ignore_kinds = ["cpu", "mem_gb", "io"]')
    ended = somnus(folder, "simulate", "config.toml").expect(FINE)
    expect("DEMANDS" not in ended.out + ended.err, "what is meant so is no surprise")


@each({
    "that the workload lacks": ('["io", "net"]', "the workload demands no 'net'; it has cpu, "),
    "that the cluster has": ('["io", "cpu"]', "'cpu' is a kind of the cluster's resources"),
})
def test_to_ignore_a_kind_is_refused(folder, case):
    ignored, words = case
    write_jobs(folder, DEMANDS_WITH_IO)
    write_config(folder, workload=f"ignore_kinds = {ignored}")
    expect_refused(folder, "config.toml: workload.ignore_kinds: ", words)


def test_demands_may_be_shares_of_a_machine(folder):
    write_jobs(folder, [{"cpu": 0.4, "mem": 0.1}, {"cpu": 0.5, "mem": 0.333333},
                        {"cpu": 0.000001, "mem": 1}, {"cpu": 1, "mem": 0}])
    write_config(folder, cluster="resources = { cpu = 1, mem = 1 }")
    [cpu, memory] = summary_of(simulate(folder))["resources"]
    expect(cpu["peak"] <= 1 and memory["peak"] <= 1, f"more than all in use: {cpu}, {memory}")


def test_a_hundred_nodes_may_count_their_memory_in_bytes(folder):
    memory = 137438953472
    write_jobs(folder, [{"mem_b": memory // (1 + at % 5) - at} for at in range(200)],
               gap_s=0.01)
    write_config(folder, cluster=f"resources = {{ mem_b = {memory} }}", nodes=100)
    log = simulate(folder)
    allocated = rows(log, "samples")["allocated_mem_b"]
    expect(allocated.min() >= 0, f"{allocated.min()} in use")
    expect(1e13 < allocated.max() <= 100 * memory, f"{allocated.max()} in use")


def kinds_of(count):
    return ", ".join(f"k{at} = {at + 1}" for at in range(count))


def test_there_may_be_sixteen_kinds(folder):
    write_jobs(folder, [{f"k{at}": (at + 1) / 2 for at in range(16)}, {"k15": 16}, {"k0": 1}])
    write_config(folder, cluster=f"resources = {{ {kinds_of(16)} }}")
    expect_equal([one["resource"] for one in summary_of(simulate(folder))["resources"]],
                 [f"k{at}" for at in range(16)], "kinds in the summary")


def test_cfq_needs_slots(folder):
    write_jobs(folder, DEMANDS)
    write_config(folder, scheduler='policy = "cfq"')
    expect_refused(folder, '"cfq" counts slots, and this cluster has resources and no slots; '
                           "give slots_per_node beside resources, or choose scheduler.order")
    write_config(folder, cluster=f"{CPU_AND_MEMORY}\nslots_per_node = 3",
                 scheduler='policy = "cfq"')
    simulate(folder)


@each({"with slots": "\nslots_per_node = 4", "without": ""})
def test_the_largest_share_of_a_queue_is_of_slots_or_of_resources(folder, slots):
    write_workload(folder, [
        {"job": f"j{at}", "submit": 60 * at, "queue": queue, "durations": [1.5] * 20,
         "demand": {"cpu": 1}} for at, queue in enumerate("ab")], resources=["cpu", "mem_gb"])
    peaks = {}
    for most in (1, 0.5):
        write_config(folder, cluster=CPU_AND_MEMORY + slots, scheduler=(
            f'policy = "fair"\norder = "capacity"\ncapacity.max_capacity = {most}'))
        peaks[most] = summary_of(simulate(folder))["resources"][0]["peak"]
    expect_equal(peaks, {1: 1, 0.5: 0.5}, "part of the cores in use at most")


def test_a_divisible_stage_is_cut_by_slots_or_into_a_number_of_tasks(folder):
    write_workload(folder, [{"job": "a", "submit": 0, "stages": [{"stage": 0, "work": 8}]}])
    write_config(folder)
    expect_refused(folder, "scheduler.by-size: cuts a divisible stage into as many tasks as there "
                           "are slots", "scheduler.by-size.partitions")
    write_config(folder, scheduler=f"{FAIR}\n[scheduler.by-size]\npartitions = 4")
    expect_equal(rows(simulate(folder), "stages")["partitions"][0], 4, "partitions")


@each({"too much": 0.3, "too little": -0.3})
def test_demands_may_be_misjudged(folder, error):
    write_jobs(folder, DEMANDS)
    write_config(folder, more=f"[estimate]\ndemand_error = {error}\n")
    log = simulate(folder)
    said = somnus(folder, "check", log).expect(FINE).out.splitlines()
    [use] = [line for line in said if "really uses no more than it has" in line]
    expect_equal(use.split()[0], "holds" if error > 0 else "noted", f"what is said of use: {use}")
    peaks = [one["peak"] for one in summary_of(log)["resources"]]
    expect_equal(max(peaks) > 1, error < 0, f"some kind is overcommitted at {peaks}")


def test_nothing_to_misjudge_where_only_slots_count(folder):
    write_jobs(folder, DEMANDS)
    write_config(folder, cluster="slots_per_node = 2", more="[estimate]\ndemand_error = 0.3\n")
    expect_refused(folder, "config.toml:10:1: estimate.demand_error: ignored",
                   "it needs cluster.resources = { KIND = AMOUNT }")


def test_settings_of_run_alone_change_nothing(folder):
    write_jobs(folder, DEMANDS)
    write_config(folder)
    one = raw_datasets(simulate(folder))
    other = raw_datasets(simulate(folder, "--set", "run.speed=7", "--set", "run.executor=thread"))
    expect_equal([name for name in one if one[name] != other[name]], [], "tables that differ")


def test_the_closing_table_says_which_kind_binds(folder):
    write_jobs(folder, DEMANDS)
    write_config(folder)
    log = simulate(folder)
    text = somnus(folder, "summary", log, "--all").expect(FINE, "resource ", "\nbinding: ").out
    closing = somnus(folder, "simulate", "config.toml", "--all").expect(FINE).out
    tail = text[text.index("resource "):]
    expect(tail in closing, f"simulate closes with {closing!r}")
    summary = summary_of(log)
    largest = max(summary["resources"], key=lambda one: one["utilisation"])
    for figure in ("utilisation", "utilisation_middle"):
        expect_equal(summary[figure], largest[figure], figure)
    expect("slots" not in text, "a cluster without slots is said to have some")
