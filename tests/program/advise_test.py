"""somnus advise: races all schedulers that fit, and says no more than fresh seeds show."""

import json
import math
import random
import signal
import statistics

from logs import rows, write_workload
from somnus_program import FINE, MISTAKE, WORLD, expect, expect_equal, somnus, start

import scipy.stats

CONFIG = """
[cluster]
nodes = 10
slots_per_node = 4
[scheduler]
policy = "fifo"
[workload]
generator = "google"
jobs = 150
load = 0.7
"""
FRESH = 1_000_001  # the first of the seeds that the search does not see


def write(folder, config=CONFIG):
    (folder / "config.toml").write_text(config)


def advise(folder, *more, out="out"):
    return somnus(folder, "advise", "config.toml", "-o", out, "--seeds", "8", *more)


def advice(folder, *more, out="out"):
    return json.loads(advise(folder, "--json", *more, out=out).expect(FINE).out)


def by_policy(found):
    return {each["policy"]: each for each in found["finalists"] + found["presets"]}


def test_the_best_is_better_than_fifo_and_says_by_how_much(folder):
    write(folder)
    said = advise(folder).expect(FINE).out
    found = json.loads((folder / "out/advice.json").read_text())
    best = found["finalists"][0]
    expect_equal(best["policy"], found["best"], "the best one")
    expect(best["difference"]["mean"] + best["difference"]["half_width"] < 0, found)
    expect_equal(best["than_own"], "less", "than the config's own")
    expect(f"{found['best']} is best for response_mean_s" in said, said)
    expect(all(len(line) <= 80 for line in said.splitlines()), said)


def test_its_figures_are_those_of_an_experiment_with_the_same_seeds(folder):
    write(folder)
    found = by_policy(advice(folder))
    (folder / "experiment.toml").write_text(f"""
[experiment]
config = "config.toml"
seeds = 8
first_seed = {FRESH}
metrics = ["response_mean_s", "slowdown_worst_tenth"]
[axes]
policy = {json.dumps(sorted(found))}
""")
    runs = json.loads(somnus(folder, "experiment", "experiment.toml", "-o", "again", "--json").expect(FINE).out)["figures"]
    means = {(each["metric"], each["point"]["policy"]): each["mean"] for each in runs}
    for policy, each in found.items():
        expect_equal(each["aim"]["mean"], means["response_mean_s", policy], "mean of the aim")
        expect_equal(each["beside"]["mean"], means["slowdown_worst_tenth", policy], "mean of what is beside")


def test_one_seed_one_advice_however_many_runs_go_at_once(folder):
    write(folder)
    one = advice(folder, "-j", "1")
    two = advice(folder, "-j", "2", out="again")
    expect_equal(one, two, "advice with -j 2")
    expect_equal((folder / "out/advised.toml").read_bytes(), (folder / "again/advised.toml").read_bytes(), "its config")


def test_what_was_stopped_goes_on(folder):
    write(folder)
    whole = advice(folder, out="whole")
    journal = folder / "out/runs.jsonl"
    with start(folder, "advise", "config.toml", "-o", "out", "--seeds", "8", "-j", "1") as running:
        running.until(lambda: journal.exists() and journal.read_bytes().count(b"\n") >= 20, "twenty runs")
        running.signal(signal.SIGINT)
        running.wait().expect(WORLD, "the same command goes on")
    kept = journal.read_text().splitlines()[1:]
    expect_equal(advice(folder), whole, "advice that was stopped and went on")
    expect(set(kept) <= set(journal.read_text().splitlines()), "runs that were there are gone")


def test_advised_toml_is_the_best_ones_config(folder):
    write(folder)
    found = advice(folder)
    figures = [json.loads(somnus(folder, "simulate", "out/advised.toml", "--seed", str(FRESH + run), "--json")
                          .expect(FINE).out)[0]["response_mean_s"] for run in range(8)]
    best = found["finalists"][0]
    expect(abs(statistics.mean(figures) / best["aim"]["mean"] - 1) < 1e-12, figures)


def test_a_file_is_found_from_the_advised_config(folder):
    somnus(folder, "workload", "make", "google", "--set", "jobs=30", "-o", "jobs.jsonl").expect(FINE)
    write(folder, CONFIG.replace('generator = "google"\njobs = 150', 'file = "jobs.jsonl"\nresample = 2'))
    found = advice(folder)
    expect(found["best"] in somnus(folder, "simulate", "out/advised.toml").expect(FINE).out, found)


def test_a_limit_is_kept(folder):
    write(folder)
    free = advice(folder)
    free_best = by_policy(free)[free["best"]]
    bound = by_policy(free)["cfq"]["beside"]["mean"]
    limit = f"slowdown_worst_tenth <= {bound * 1.001}"
    kept = advice(folder, "--limit", limit, out="kept")
    expect_equal(kept["limits"], [limit], "the limit")
    best = by_policy(kept)[kept["best"]]
    expect(best["keeps_limits"] != "no", kept)
    if free_best["beside"]["mean"] > bound * 1.05:
        expect(kept["best"] != free["best"], kept)
    relative = advice(folder, "--limit", "slowdown_worst_tenth <= 1.001 fair", out="relative")
    expect_equal(relative["limits"], ["slowdown_worst_tenth <= 1.001 fair"], "the other limit")
    expect(by_policy(relative)[relative["best"]]["keeps_limits"] != "no", relative)
    expect_equal(by_policy(relative)["fifo"]["keeps_limits"], "no", "whether FIFO keeps it")


def test_kept_parts_stay(folder):
    write(folder)
    found = advice(folder, "--keep", "order")
    orders = {each["policy"].split("+")[0] for each in found["finalists"]}
    expect(orders <= {"fifo", "fcfs", "easy", "conservative", "slurm-builtin", "slurm-backfill", "yarn", "yaq-c",
                      "yaq-d", "mercury", "sparrow"}, found["finalists"])
    expect(all(part["kind"] != "order" for part in found["parts"]), found["parts"])


def test_parts_say_what_they_bring(folder):
    write(folder)
    found = advice(folder)
    order = [part for part in found["parts"] if part["kind"] == "order"]
    expect_equal(len(order), 1, "parts of that kind")
    expect_equal(order[0]["own"], "fifo", "FIFO's part")
    expect(order[0]["difference"]["mean"] < 0, found["parts"])


def test_what_draws_nothing_is_refused(folder):
    somnus(folder, "workload", "make", "google", "--set", "jobs=30", "-o", "jobs.jsonl").expect(FINE)
    write(folder, '[cluster]\nnodes = 4\nslots_per_node = 4\n[scheduler]\npolicy = "fair"\n'
                  '[workload]\nfile = "jobs.jsonl"\n')
    said = advise(folder).expect(MISTAKE).err
    expect("nothing is drawn at random" in said and "workload.resample" in said, said)
    expect(not (folder / "out").exists(), "half-written")


def test_all_mistakes_in_one_go(folder):
    write(folder)
    said = somnus(folder, "advise", "config.toml", "--aim", "mena", "--beside", "utilisation", "--keep", "ordr",
                  "--limit", "slowdown_mean < 3", "--limit", "slowdwn <= 3").expect(MISTAKE).err
    for words in ("-o: the folder", "--aim: expected mean", "did you mean", "better neither way", "--keep: expected",
                  "'slowdown_mean < 3'", "no figure is called 'slowdwn'"):
        expect(words in said, said)
    said = advise(folder, "--limit", "slowdown_mean <= 1.1 fairr").expect(MISTAKE).err
    expect("unknown policy 'fairr'" in said, said)
    expect(not (folder / "out").exists(), "half-written")


def test_other_files_are_not_replaced(folder):
    write(folder)
    (folder / "out").mkdir()
    for name in ("advice.json", "advised.toml", "runs.jsonl"):
        (folder / "out" / name).write_text("mine")
        said = advise(folder).expect(MISTAKE).err
        expect(name in said, said)
        expect_equal((folder / "out" / name).read_text(), "mine", "what was there")
        (folder / "out" / name).unlink()


def test_ranks_of_an_mpi_job_advise_the_same(folder):
    write(folder)
    alone = advice(folder)
    words = ("advise", "config.toml", "-o", "ranks", "--seeds", "8", "--json")
    ranks = json.loads(somnus(folder, *words, mpi_ranks=3).expect(FINE).out)
    expect_equal(ranks, alone, "advice over ranks")


def test_ones_own_scheduler_has_to_run(folder):
    write(folder, CONFIG.replace('"fifo"', '"easy"'))
    advise(folder).expect(MISTAKE, '"easy" counts on time limits')
    expect(not (folder / "out/advice.json").exists(), "advice beside a scheduler that cannot run")


def test_who_finishes_fewer_jobs_now_and_then_is_not_out(folder):
    """Limits end some jobs of any scheduler, and not the same ones."""
    write(folder, CONFIG.replace('"fifo"', '"easy"') + '[limits]\nmodel = "rounded"\n')
    found = advice(folder)
    expect(len(found["finalists"]) > 1, found)
    best = by_policy(found)[found["best"]]
    expect(best["aim"]["mean"] < by_policy(found)["easy"]["aim"]["mean"], found)


USERS = """
[cluster]
nodes = 5
slots_per_node = 4
[scheduler]
policy = "fair"
[workload]
file = "jobs.jsonl"
resample = 1
load = 0.9
"""
EACH_USER = "each user response_mean_s <= 1 fair"


def write_users(folder, users=("ann", "bob", "big")):
    """Users whose jobs are wide, and one of a few that are narrow and long, who waits where others go first."""
    draw = random.Random(5)
    jobs = []
    for at in range(120):
        user = users[-1] if at % 6 == 0 else users[at % 2]
        tasks, task_s = (3, 200) if at % 6 == 0 else (20, draw.uniform(5, 15))
        jobs.append({"job": f"j{at}", "user": user, "submit": round(draw.uniform(0, 2000), 3),
                     "stages": [{"stage": 0, "durations": [task_s] * tasks}]})
    write_workload(folder, sorted(jobs, key=lambda job: job["submit"]), "jobs.jsonl")
    write(folder, USERS)


def means_by_user(folder, policy, seeds=8):
    """user -> seed -> mean response time, from logs."""
    means = {}
    for seed in range(FRESH, FRESH + seeds):
        somnus(folder, "simulate", "config.toml", "--policy", policy, "--seed", str(seed), "--log", "one.h5", "-q",
               "--force").expect(FINE)
        users = rows(folder / "one.h5", "names/users")
        times = {}
        for job in rows(folder / "one.h5", "jobs"):
            times.setdefault(users[job["user"]].decode(), []).append(float(job["finish"] - job["submit"]))
        for user, of_user in times.items():
            means.setdefault(user, {})[seed] = statistics.mean(of_user)
    return means


def by_hand(ours, theirs, bound):
    """What is to be said of the limit, of whom, and how far that user is beyond it, as a share."""
    tests = []
    for user in sorted(ours):
        seeds = sorted(ours[user].keys() & theirs[user].keys())
        beyond = [ours[user][seed] - bound * theirs[user][seed] for seed in seeds]
        mean = statistics.mean(beyond)
        p = scipy.stats.ttest_1samp(beyond, 0).pvalue
        tests.append((p, user, mean, mean / (bound * statistics.mean(theirs[user][seed] for seed in seeds))))
    broken, adjusted = [], 0
    for at, (p, user, mean, share) in enumerate(sorted(tests)):
        adjusted = max(adjusted, (len(tests) - at) * p)
        if mean > 0 and adjusted <= 0.05:
            broken.append((share, user))
    unsure = [(share, user) for p, user, mean, share in tests if not (mean < 0 and p / 2 <= 0.05)]
    said = "no" if broken else "not decided" if unsure else "yes"
    return said, *max(broken or unsure or [(share, user) for _, user, _, share in tests])


def test_a_limit_of_each_user_is_decided_as_by_hand(folder):
    write_users(folder)
    found = by_policy(advice(folder, "--limit", EACH_USER))
    fair = means_by_user(folder, "fair")
    said = set()
    for policy, each in found.items():
        if policy == "fair":
            expect_equal(each["limits"][0]["keeps"], "yes", "whether FAIR keeps its own")
            continue
        [limit] = each["limits"]
        keeps, share, user = by_hand(means_by_user(folder, policy), fair, 1)
        expect_equal((limit["keeps"], limit["user"]), (keeps, user), f"what is said of {policy}")
        expect(math.isclose(limit["beyond"]["mean"], share, rel_tol=1e-9), (policy, limit, share))
        said.add(keeps)
    expect_equal(found["srpt"]["limits"][0]["keeps"], "no", "whether SRPT keeps it")
    expect_equal(found["srpt"]["limits"][0]["user"], "big", "who is worst off under SRPT")
    expect("no" in said and len(said) > 1, said)


def test_a_limit_of_each_user_rules_out_who_harms_one(folder):
    write_users(folder)
    free = advice(folder)
    kept = advice(folder, "--limit", EACH_USER, out="kept")
    expect_equal(by_policy(free)[free["best"]]["limits"], [], "verdicts without a limit")
    best = by_policy(kept)[kept["best"]]
    expect(best["keeps_limits"] != "no", best)
    expect(kept["best"] != free["best"], (kept["best"], free["best"]))


def test_the_text_names_the_worst_user(folder):
    write_users(folder)
    said = advise(folder, "--limit", EACH_USER).expect(FINE).out
    expect(f"The worst user, beyond '{EACH_USER}' by" in said, said)
    [line] = [line for line in said.splitlines() if line.startswith("! srpt ")]
    expect(" big " in line and " % +- " in line, said)
    expect(all(len(line) <= 80 for line in said.splitlines()), said)


def test_users_are_kept_only_where_they_are_asked_for(folder):
    write_users(folder)
    free = advice(folder)
    journal = folder / "out/runs.jsonl"
    before = journal.read_text()
    expect('"users"' not in before, "users in a journal of who does not ask")
    advice(folder)
    expect_equal(sorted(journal.read_text().splitlines()), sorted(before.splitlines()), "runs after the same command")
    asked = advice(folder, "--limit", EACH_USER)
    expect_equal(asked, advice(folder, "--limit", EACH_USER, out="anew"), "advice beside runs without users")
    runs = [json.loads(line) for line in (folder / "anew/runs.jsonl").read_text().splitlines()[1:]]
    expect(all(run["users"].keys() <= {"ann", "bob", "big"} for run in runs), runs[0])
    expect_equal(advice(folder), free, "advice beside runs with users")


def test_a_limit_of_each_user_goes_on_after_a_stop(folder):
    write_users(folder)
    whole = advice(folder, "--limit", EACH_USER, out="whole")
    journal = folder / "out/runs.jsonl"
    with start(folder, "advise", "config.toml", "-o", "out", "--seeds", "8", "-j", "1", "--limit",
               EACH_USER) as running:
        running.until(lambda: journal.exists() and journal.read_bytes().count(b"\n") >= 20, "twenty runs")
        running.signal(signal.SIGINT)
        running.wait().expect(WORLD, "the same command goes on")
    expect_equal(advice(folder, "--limit", EACH_USER), whole, "advice that was stopped and went on")


def test_ranks_send_users(folder):
    write_users(folder)
    words = ("advise", "config.toml", "-o", "ranks", "--seeds", "8", "--json", "--limit", EACH_USER)
    ranks = json.loads(somnus(folder, *words, mpi_ranks=3).expect(FINE).out)
    expect_equal(ranks, advice(folder, "--limit", EACH_USER), "advice over ranks")


def test_a_limit_of_each_user_wants_several(folder):
    write_users(folder, users=("ann", "ann"))
    advise(folder, "--limit", EACH_USER).expect(MISTAKE, "all jobs are of one user")
    expect(not (folder / "out").exists(), "half-written")
    said = advise(folder, "--limit", "each user wait_mean_s <= 1.05 fair").expect(MISTAKE).err
    expect("no figure of each user is called 'wait_mean_s'" in said and "response_mean_s, slowdown_mean" in said, said)
