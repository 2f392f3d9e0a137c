"""What somnus experiment answers: verdicts, crossings, ties, and the seeds that it adds to decide."""

import json
import math
import signal
import statistics
import time

from experiments import answer_of, lines_of, run, sentences, tables, values, write
from logs import SMALL_EXPERIMENT as CONFIG
from logs import mixed_jobs, write_workload
from somnus_program import FINE, MISTAKE, Run, expect, expect_equal, program


ANSWERED = """
[experiment]
config = "config.toml"
seeds = 12
metrics = ["response_mean_s", "utilisation"]
margin = 0.05
margins = {utilisation = 0.2}
[axes]
policy = ["fair", "srpt"]
workload.load = [0.3, 0.6, 0.9]
[baseline]
policy = "fair"
"""


def test_what_is_decided_is_what_the_tables_hold(folder):
    """Each verdict that 0 differs, by hand: Student's t over pairs, and Holm over the three loads."""
    write(folder, ANSWERED)
    printed = run(folder).expect(FINE, "response_mean_s (less is better), by workload.load",
                                 "utilisation (better neither way), by")
    found = answer_of(folder, "response_mean_s")
    expect_equal((found["axis"], found["better"], found["margin"]), ("workload.load", "less", 0.05), "answer")
    expect_equal(answer_of(folder, "utilisation")["margin"], 0.2, "margin of its own")
    for each in found["comparisons"]:
        load = each["point"]["workload.load"]
        ours = values(folder, "response_mean_s", **each["point"])
        theirs = values(folder, "response_mean_s", **each["reference"])
        for asked in each["than"]:
            contrast = [ours[seed] - (1 + asked["share"]) * theirs[seed] for seed in sorted(ours)]
            t = statistics.mean(contrast) / statistics.stdev(contrast) * math.sqrt(len(contrast))
            t_of_eleven = 2.2009851600829  # Student's t, 0.975, eleven degrees of freedom
            if asked["decided"] is not None:
                expect(abs(t) > t_of_eleven, f"{load}: decided by a t of {t}")
                expect_equal(asked["decided"], "less" if t < 0 else "more", f"{load}, than {asked['share']}")
            elif "seeds_needed" in asked:
                expect(asked["seeds_needed"] > 12, f"{load}: {asked}")
    for sentence in found["words"]:
        expect(sentences(sentence) in sentences(printed.out), f"not printed: {sentence}")
    expect("by Holm's correction for the 3 comparisons" in sentences(printed.out), "no word on the correction")
    as_json = json.loads(run(folder, "--json").expect(FINE).out)
    expect_equal(as_json["answers"], json.loads((folder / "out" / "answers.json").read_text()), "--json")


def test_one_seed_decides_nothing(folder):
    write(folder, ANSWERED.replace("seeds = 12", "seeds = 1"))
    printed = run(folder).expect(FINE)
    expect("a single seed decides nothing" in sentences(printed.out), printed.out)
    verdicts = [asked["decided"] for each in answer_of(folder, "response_mean_s")["comparisons"]
                for asked in each["than"]]
    expect_equal(verdicts, [None] * 9, "verdicts")


def test_what_draws_nothing_is_compared_exactly(folder):
    write_workload(folder, mixed_jobs())
    write(folder, ANSWERED.replace("workload.load = [0.3, 0.6, 0.9]", "").replace('"srpt"]', '"srpt", "fifo"]'),
          CONFIG.split("[workload]")[0] + "[workload]\nfile = 'workload.jsonl'\n")
    run(folder).expect(FINE, "Best: ")
    found = answer_of(folder, "response_mean_s")
    means = {each["point"]["policy"]: each["difference"] for each in found["comparisons"]
             if each["reference"]["policy"] == "fair"}
    expect(all(each["exact"] for each in found["comparisons"]), "nothing was drawn")
    best = min(means | {"fair": 0}, key=(means | {"fair": 0}).get)
    expect(best in found["best"][0]["names"], f"{best} is best: {found['best']}")


def test_without_a_baseline_the_best_is_named(folder):
    write(folder, ANSWERED.split("[baseline]")[0])
    run(folder).expect(FINE, "Best: ")
    expect_equal(answer_of(folder, "response_mean_s")["crossings"], [], "crossings of nothing")
    write(folder, ANSWERED.split("[baseline]")[0].replace('policy = ["fair", "srpt"]', ""))
    run(folder, "--force").expect(FINE)
    expect_equal(json.loads((folder / "out" / "answers.json").read_text()), [], "nothing is compared")


DECIDED = """
[experiment]
config = "config.toml"
seeds = 4
most_seeds = 64
decide = ["response_mean_s"]
[axes]
policy = ["fair", "srpt"]
workload.load = [0.3, 0.9]
[baseline]
policy = "fair"
"""


def test_seeds_are_added_until_it_is_decided(folder):
    write(folder, DECIDED)
    printed = run(folder).expect(FINE)
    expect("count that each round was looked at" in sentences(printed.out), "no word on the looks")
    for each in answer_of(folder, "response_mean_s")["comparisons"]:
        [asked] = each["than"]
        expect(asked["decided"] is not None or each["pairs"] == 64, f"{each} is neither decided nor at the limit")
        expect((asked["decided"] is not None) == (asked["p"] <= 0.05), f"{each}")
    expect_equal(answer_of(folder, "response_mean_s")["test"], "sequential", "test")
    # By hand: the e value of the pairs, as docs and mean_test.hpp have it, and Holm over two.
    found = answer_of(folder, "response_mean_s")["comparisons"]
    p = []
    for each in found:
        ours, theirs = (values(folder, "response_mean_s", **each[which]) for which in ("point", "reference"))
        pairs = [ours[seed] - theirs[seed] for seed in sorted(set(ours) & set(theirs))]
        n, total, squares = len(pairs), sum(pairs), sum(x * x for x in pairs)
        p.append(min(1, math.sqrt(1 + n) * ((squares - total * total / (1 + n)) / squares) ** (n / 2)))
    low, high = sorted(p)
    expected = {low: min(1, 2 * low), high: min(1, max(2 * low, high))}
    for each, own in zip(found, p):
        expect(math.isclose(each["than"][0]["p"], expected[own], rel_tol=1e-6), f"{each}, expected {expected[own]}")


def test_the_flag_decides_the_first_metric_and_goes_on_as_if_never_stopped(folder):
    write(folder, DECIDED.replace('decide = ["response_mean_s"]', 'metrics = ["response_mean_s"]'))
    run(folder, "-q", "--decide", out="whole").expect(FINE)
    run(folder, "-q").expect(FINE)  # the seeds of the first round, and no more
    run(folder, "-q", "--decide").expect(FINE)
    expect_equal(tables(folder), tables(folder, "whole"), "bytes of the tables")
    command = [program(), "experiment", "experiment.toml", "-o", "killed", "-q", "-j", "1", "--decide"]
    with Run(command, folder) as begun:
        while lines_of(folder / "killed" / "runs.jsonl") < 10 and begun.process.poll() is None:
            time.sleep(0.002)
        begun.signal(signal.SIGKILL)
        begun.process.wait()
    run(folder, "-q", "--decide", out="killed").expect(FINE)
    expect_equal(tables(folder, "killed"), tables(folder, "whole"), "bytes of the tables")


def test_a_share_cannot_decide(folder):
    write(folder, DECIDED)
    run(folder, "--share", "1/2").expect(MISTAKE, "experiment.decide", "do without --share")
    write(folder, DECIDED.replace("response_mean_s", "response_maen_s"))
    run(folder).expect(MISTAKE, "experiment.toml:6:11: experiment.decide", "did you mean 'response_mean_s'?")
    expect(not (folder / "out").exists(), "nothing is written")
