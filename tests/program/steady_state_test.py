"""The transient of runs in experiments: cut, held to M/M/1's closed form, and said where there is no end of it."""

import json

from experiments import MM1, MM1_RESPONSE_S, interval, run, sentences, values, write
from logs import SMALL_EXPERIMENT
from somnus_program import FINE, MISTAKE, expect, expect_equal

SEEDS = """
[experiment]
config = "config.toml"
seeds = 40
metrics = ["response_mean_s"]
"""


def test_the_mean_of_mm1_is_the_closed_form_after_the_transient(folder):
    write(folder, SEEDS + "truncate_jobs = 500\n", MM1)
    run(folder, "-q").expect(FINE)
    low, high = interval(folder)
    expect(low < MM1_RESPONSE_S < high, f"{MM1_RESPONSE_S} s is not in {low} to {high}")
    expect_equal(set(values(folder, "jobs_truncated").values()), {500.0}, "jobs left out")


def test_short_runs_that_begin_empty_are_too_fast_until_the_beginning_is_cut(folder):
    short = MM1.replace("jobs = 2000", "jobs = 300")
    write(folder, SEEDS.replace("seeds = 40", "seeds = 300"), short)
    run(folder, "-q").expect(FINE)
    _, whole = interval(folder)
    expect(whole < MM1_RESPONSE_S, f"{MM1_RESPONSE_S} s is not above {whole}")
    write(folder, SEEDS.replace("seeds = 40", "seeds = 300") + "truncate_jobs = 150\n", short)
    run(folder, "-q", "--force").expect(FINE)
    low, high = interval(folder)
    expect(low < MM1_RESPONSE_S < high, f"{MM1_RESPONSE_S} s is not in {low} to {high}")


def test_mser_5_cuts_batches_of_five_and_only_what_it_is_for(folder):
    write(folder, SEEDS.replace("seeds = 40", "seeds = 4"), MM1)
    run(folder, "-q").expect(FINE)
    whole = {metric: values(folder, metric) for metric in ("response_mean_s", "wait_mean_s", "jobs_finished")}
    write(folder, SEEDS.replace("seeds = 40", "seeds = 4") + 'truncate = "mser-5"\n', MM1)
    run(folder, "-q").expect(MISTAKE, "another experiment's results")  # its runs are other runs
    run(folder, "-q", "--force").expect(FINE)
    cut = values(folder, "jobs_truncated")
    expect(all(each % 5 == 0 and each <= 1000 for each in cut.values()), f"{cut}")
    for seed, jobs in cut.items():
        same = values(folder, "response_mean_s")[seed] == whole["response_mean_s"][seed]
        expect_equal(same, jobs == 0, f"the mean of seed {seed} stays, of which {jobs} are cut")
    for metric in ("wait_mean_s", "jobs_finished"):
        expect_equal(values(folder, metric), whole[metric], metric)


def test_two_ways_to_cut_are_a_mistake(folder):
    write(folder, SEEDS + 'truncate = "mser-5"\ntruncate_jobs = 500\n', MM1)
    run(folder).expect(MISTAKE, "experiment.toml:7:17: experiment.truncate_jobs", "found both")
    write(folder, SEEDS + 'truncate = "mser"\n', MM1)
    run(folder).expect(MISTAKE, "experiment.toml:6:12: experiment.truncate", "mser-5")


def test_jobs_that_pile_up_are_told_once_with_the_points(folder):
    write(folder, SEEDS.replace("seeds = 40", "seeds = 5") + "[axes]\njobs_per_minute = [4.8, 12]\n".replace(
        "jobs_per_minute", "workload.jobs_per_minute"), MM1.replace("jobs_per_minute = 4.8\n", ""))
    printed = run(folder).expect(FINE)
    words = sentences(printed.out)
    expect("OFFERED LOAD up to 1.97" in words and "above 1 in 1 of 2 points" in words, words)
    expect("JOBS PILE UP in 1 of 2 points, most at 12:" in words, words)
    expect_equal(printed.out.count("JOBS PILE UP"), 1, "how often")
    as_json = json.loads(run(folder, "--json").expect(FINE).out)
    expect_equal([each[:4] for each in as_json["warnings"]], ["OFFE", "JOBS"], "in --json")


def test_a_cluster_with_room_has_no_warning(folder):
    write(folder, SEEDS.replace("seeds = 40", "seeds = 5") + "[set]\nworkload.load = 0.3\n", SMALL_EXPERIMENT)
    printed = run(folder).expect(FINE)
    expect("WARNING" not in printed.out, printed.out)
