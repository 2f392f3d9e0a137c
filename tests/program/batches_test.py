"""Batch means: an interval from one run, in somnus experiment."""

import json
import math
import statistics

from experiments import (MM1, MM1_RESPONSE_S, answer_of, interval, rows, run, sentences, tables,
                         write)
from logs import SMALL_EXPERIMENT as CONFIG
from logs import mixed_jobs, write_workload
from logs import rows as log_rows
from somnus_program import FINE, MISTAKE, expect, expect_equal, somnus

import h5py

TRACE = CONFIG.split("[workload]")[0] + "[workload]\nfile = 'workload.jsonl'\n"
BATCHES = """
[experiment]
config = "config.toml"
batches = 10
metrics = ["response_mean_s"]
[axes]
policy = ["fair", "srpt"]
[baseline]
policy = "fair"
"""
T_OF_NINE = 2.2621571627409915  # Student's t, 0.975, nine degrees of freedom


def write_trace(folder, experiment=BATCHES):
    write_workload(folder, mixed_jobs(43, gap_s=0.03))  # three too many for ten batches
    write(folder, experiment, TRACE)


def batch_values(folder, policy, metric="response_mean_s"):
    """batch -> value; 0 is the whole run"""
    return {int(row["batch"]): float(row["value"]) for row in rows(folder)
            if (row["metric"], row["policy"]) == (metric, policy)}


def by_hand(folder, policy, batches, left_out=0, until="finish"):
    """Mean response times of the batches, or waits, from the log of one run."""
    somnus(folder, "simulate", "config.toml", "--policy", policy, "--log", f"{policy}.h5", "-q").expect(FINE)
    jobs = sorted(log_rows(folder / f"{policy}.h5", "jobs"), key=lambda job: job["submit"])[left_out:]
    size = len(jobs) // batches
    jobs = jobs[len(jobs) - size * batches:]
    return [statistics.mean(job[until] - job["submit"] for job in jobs[at:at + size])
            for at in range(0, len(jobs), size)]


def test_a_trace_under_two_schedulers_has_an_interval_by_batches(folder):
    write_trace(folder)
    printed = run(folder).expect(FINE, "batches")
    expect("draw nothing at random" not in printed.err, printed.err)
    values = {}
    for policy in ("fair", "srpt"):
        found = batch_values(folder, policy)
        expect_equal(sorted(found), list(range(11)), f"batches of {policy}, and the run")
        values[policy] = [found[batch] for batch in range(1, 11)]
        expected = by_hand(folder, policy, 10)
        expect(all(math.isclose(a, b, rel_tol=1e-9) for a, b in zip(values[policy], expected)),
               f"{policy}: {values[policy]}, by hand {expected}")
    [line] = [row for row in rows(folder, "summary.csv") if (row["policy"], row["metric"]) == ("srpt", "response_mean_s")]
    differences = [ours - theirs for ours, theirs in zip(values["srpt"], values["fair"])]
    whole = statistics.mean(values["fair"])
    for name, expected in (
            ("batches", 10), ("mean", statistics.mean(values["srpt"])),
            ("half_width_95", T_OF_NINE * statistics.stdev(values["srpt"]) / math.sqrt(10)),
            ("difference", statistics.mean(differences) / whole),
            ("difference_half_width_95", T_OF_NINE * statistics.stdev(differences) / math.sqrt(10) / whole)):
        expect(math.isclose(float(line[name]), expected, rel_tol=1e-9), f"{name}: {line[name]}, expected {expected}")
    [compared] = answer_of(folder, "response_mean_s")["comparisons"]
    expect_equal((compared["pairs"], compared["exact"]), (10, False), "pairs of batches")


def test_the_tables_say_what_is_of_batches_and_what_of_the_run(folder):
    write_trace(folder)
    as_json = json.loads(run(folder, "--json").expect(FINE).out)
    counts = {each["metric"]: each["batches"] for each in as_json["figures"]}
    expect_equal((counts["response_p95_s"], counts["makespan_s"]), (10, 1), "what means are over")
    expect_equal({row["batch"] for row in rows(folder) if row["metric"] == "utilisation"}, {"0"}, "of the whole run")
    with h5py.File(folder / "out" / "results.h5") as file:
        table = file["results"][:]
    found = [{name: cell.decode() if isinstance(cell, bytes) else cell for name, cell
              in zip(table.dtype.names, row)} for row in table.tolist()]
    expected = [{**row, "seed": int(row["seed"]), "batch": int(row["batch"]), "value": float(row["value"])}
                for row in rows(folder)]
    expect_equal(found, expected, "rows")
    followed = json.loads(somnus(folder, "follow", "out", "--once", "--json").expect(FINE).out)
    means = {each["point"]["policy"]: [each["half_width"], each["mean"]] for each in as_json["figures"]
             if each["metric"] == "response_mean_s"}
    expect_equal({each["point"]: list(each["figures"]["response_mean_s"].values()) for each in followed["points"]},
                 means, "means as follow shows them")


def test_what_is_left_out_is_at_the_beginning(folder):
    write_trace(folder, BATCHES.replace("batches = 10", "batches = 9\ntruncate_jobs = 5"))
    run(folder).expect(FINE)
    found = batch_values(folder, "fair")
    expected = by_hand(folder, "fair", 9, left_out=5)
    expect(all(math.isclose(found[at + 1], each, rel_tol=1e-9) for at, each in enumerate(expected)),
           f"{found}, by hand {expected}")


def test_gangs_have_waits_by_batch(folder):
    jobs = [{"job": f"g{at}", "submit": at, "gang": True, "durations": [3 + at % 4] * (1 + at % 3)} for at in range(40)]
    write_workload(folder, jobs)
    write(folder, BATCHES.replace('["response_mean_s"]', '["wait_mean_s", "bounded_slowdown_mean"]')
          .replace('["fair", "srpt"]', '["fifo"]').replace('"fair"', '"fifo"'), TRACE)
    run(folder).expect(FINE)
    found = batch_values(folder, "fifo", "wait_mean_s")
    expected = by_hand(folder, "fifo", 10, until="first_start")
    expect(max(expected) > 0, "nobody waits")
    expect(all(math.isclose(found[at + 1], each, rel_tol=1e-9, abs_tol=1e-9) for at, each in enumerate(expected)),
           f"{found}, by hand {expected}")
    expect_equal(len(batch_values(folder, "fifo", "bounded_slowdown_mean")), 11, "batches, and the run")
    expect_equal(len(batch_values(folder, "fifo", "wait_max_s")), 1, "of the run alone")


def test_runs_without_batches_or_with_others_count_as_not_run(folder):
    write_trace(folder, BATCHES.replace("batches = 10\n", ""))
    run(folder).expect(FINE, "2 points, 2 runs of which 0 were there")
    plain = tables(folder)
    expect("batch" not in (folder / "out" / "runs.jsonl").read_text(), "nobody asked for batches")
    write_trace(folder)
    run(folder).expect(FINE, "2 points, 2 runs of which 0 were there")
    of_ten = tables(folder)
    run(folder).expect(FINE, "2 points, 2 runs of which 2 were there")
    expect_equal(tables(folder), of_ten, "bytes of the tables")
    write_trace(folder, BATCHES.replace("batches = 10", "batches = 8"))
    run(folder).expect(FINE, "2 points, 2 runs of which 0 were there")
    write_trace(folder, BATCHES.replace("batches = 10\n", ""))
    run(folder).expect(FINE, "2 points, 2 runs of which 2 were there")
    expect_equal(tables(folder), plain, "bytes of the tables without batches")


def test_shares_and_cores_make_the_same_tables(folder):
    write_trace(folder)
    run(folder, "-q", "-j", "1", out="one").expect(FINE)
    run(folder, "-q", "--share", "1/2").expect(FINE)
    run(folder, "-q", "--share", "2/2").expect(FINE)
    expect_equal(tables(folder), tables(folder, "one"), "bytes of the tables")


def test_what_batches_cannot_do_is_refused_at_its_place(folder):
    write_trace(folder, BATCHES.replace("batches = 10", "batches = 10\nseeds = 5"))
    run(folder).expect(MISTAKE, "experiment.toml:5:9: experiment.seeds: expected 1 beside experiment.batches")
    write_trace(folder, BATCHES.replace("batches = 10", "batches = 10\nprecision = 0.1"))
    run(folder).expect(MISTAKE, "experiment.toml:5:13: experiment.precision")
    write_trace(folder, BATCHES.replace("batches = 10", "batches = 10\ndecide = [\"response_mean_s\"]"))
    run(folder).expect(MISTAKE, "experiment.toml:5:10: experiment.decide")
    write_trace(folder, BATCHES.replace("batches = 10", "batches = 1"))
    run(folder).expect(MISTAKE, "experiment.toml:4:11: experiment.batches: expected at least 2")
    write_trace(folder, BATCHES.replace('["response_mean_s"]', '["response_mean_s", "makespan_s"]'))
    run(folder).expect(MISTAKE, "experiment.toml:5:31: experiment.metrics: makespan_s is of the whole run")
    write_trace(folder)
    run(folder, "--decide").expect(MISTAKE, "--decide", "experiment.batches")
    expect(not (folder / "out").exists(), "nothing is written")


def test_a_run_with_too_few_jobs_is_reported_and_stops_no_other(folder):
    write_trace(folder, BATCHES.replace("[axes]", "[axes]\nworkload.jobs = [12, 40]"))
    printed = run(folder).expect(MISTAKE, "12 fair, seed 1", "10 batches need 20 jobs at least, 12 are left")
    expect("and 1 more runs" in printed.err, printed.err)
    expect_equal({row["workload.jobs"] for row in rows(folder)}, {"40"}, "points with results")


def test_where_nothing_is_random_batches_are_named(folder):
    write_trace(folder, BATCHES.replace("batches = 10\n", ""))
    printed = run(folder).expect(FINE)
    expect("experiment.batches = 20" in sentences(printed.err), printed.err)


MM1_BATCHES = """
[experiment]
config = "config.toml"
batches = 20
truncate_jobs = 1000
metrics = ["response_mean_s"]
"""


def test_one_long_run_of_mm1_holds_the_closed_form(folder):
    write(folder, MM1_BATCHES, MM1.replace("jobs = 2000", "jobs = 21000"))
    printed = run(folder).expect(FINE)
    low, high = interval(folder)
    expect(low < MM1_RESPONSE_S < high, f"{MM1_RESPONSE_S} s is not in {low} to {high}")
    expect(high - low < 0.5 * MM1_RESPONSE_S, f"{low} to {high} says little")
    expect("NOT INDEPENDENT" not in printed.out, printed.out)


def test_batches_that_are_too_short_are_warned_of(folder):
    write(folder, MM1_BATCHES.replace("batches = 20", "batches = 200").replace("1000", "0"),
          MM1.replace("jobs = 2000", "jobs = 4000"))
    printed = run(folder).expect(FINE)
    words = sentences(printed.out)
    expect("BATCHES ARE NOT INDEPENDENT in 1 of 1 points, most in response_mean_s" in words, words)
    expect("Take fewer batches, or a longer workload" in words, words)
    as_json = json.loads(run(folder, "--json").expect(FINE).out)
    expect_equal([each[:7] for each in as_json["warnings"]], ["BATCHES"], "in --json")
