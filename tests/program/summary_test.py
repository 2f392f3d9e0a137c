"""summary: users one by one, and a log beside a reference run of the same workload."""

import json

from logs import mixed_jobs, write_config, write_workload
from somnus_program import FINE, MISTAKE, Checks, expect, expect_equal, somnus

checks = Checks()

DEVIATION = {"compared", "dvr", "violations", "dsr", "slack", "worst"}
USER = {"user", "weight", "jobs_submitted", "jobs_finished", "slot_time_s", "response_mean_s",
        "response_worst_tenth_s", "slowdown_mean", "slowdown_worst_tenth", "response_change",
        "against"}


def simulate(folder, jobs=None, policy="fair", name="", more=""):
    """A log, named after its policy."""
    name = name or policy
    write_workload(folder, jobs or mixed_jobs(40), f"{name}.jsonl")
    config = write_config(folder, f"{name}.toml", nodes=1, policy=policy, more=more,
                          workload=f"{name}.jsonl")
    somnus(folder, "simulate", config, "--log", f"{name}.h5", "-q").expect(FINE)
    return f"{name}.h5"


def told(folder, *arguments):
    return json.loads(somnus(folder, "summary", *arguments, "--json").expect(FINE).out)


def finish_times(folder, policy):
    """Of a log of one job a user: the user's response time."""
    [summary] = told(folder, f"{policy}.h5")
    return {user["user"]: user["response_mean_s"] for user in summary["users"]}


@checks.add
def users_have_a_table_of_their_own(folder):
    log = simulate(folder)
    plain = somnus(folder, "summary", log).expect(FINE).out
    both = somnus(folder, "summary", log, "--per-user").expect(FINE).out
    expect(both.startswith(plain), "the closing table is another one with --per-user")
    lines = both[len(plain):].strip().splitlines()
    expect_equal([line.split()[0] for line in lines], ["user", "ann", "bob"], "lines")
    expect_equal(lines[1].split()[1:3], ["1", "20"], "weight and jobs of ann")


@checks.add
def logs_have_their_users_side_by_side(folder):
    logs = [simulate(folder, policy=policy) for policy in ("fifo", "cfq")]
    out = somnus(folder, "summary", *logs, "--per-user").expect(FINE).out
    heading, titles, *users = out.rstrip().splitlines()[-4:]
    expect_equal(heading.split(), ["fifo", "cfq"], "labels")
    expect_equal(titles.count("response"), 2, "blocks of columns")
    for line in (titles, *users):
        expect_equal(heading.index("cfq"), line.index("|") + 3, "start of the second block")


@checks.add
def json_has_all_users_and_all_their_figures(folder):
    jobs = [{"job": f"j{at}", "user": f"u{at}", "submit": 0, "durations": [1 + at / 100]}
            for at in range(50)]
    log = simulate(folder, jobs)
    [summary] = told(folder, log)
    expect_equal(summary["user_count"], 50, "users")
    expect_equal([user["user"] for user in summary["users"]],
                 [f"u{at}" for at in reversed(range(50))], "users by slot-time")
    for user in summary["users"]:
        expect_equal(set(user), USER, "figures of a user")
        expect_equal(set(user["against"]), DEVIATION, "figures against a reference")
    expect_equal(summary["users"][0]["response_change"], None, "change without a reference")
    expect_equal(summary["against"], None, "against, without a reference")
    text = somnus(folder, "summary", log, "--per-user").expect(FINE, "10 more users").out
    expect("u10 " in text and "u9 " not in text, "not the 40 users with the most slot-time")


@checks.add
def names_do_not_reach_the_terminal_as_they_are(folder):
    name = "\x1b[31m\u202e" + "z" * 100
    log = simulate(folder, [{"job": "a", "user": name, "submit": 0, "durations": [1]}])
    out = somnus(folder, "summary", log, "--per-user").expect(FINE, "\\u{1b}[31m").out
    expect("\x1b" not in out and "\u202e" not in out, "a control character is printed")
    expect(max(map(len, out.splitlines())) < 100, "a long name makes a long line")
    expect_equal(told(folder, log)[0]["users"][0]["user"], name, "the name in JSON")


@checks.add
def a_reference_tells_who_ends_later(folder):
    # One slot. FIFO: long ends at 4, short at 5. SRPT: short (submitted at once) at 1, long at 5.
    jobs = [{"job": "long", "user": "ann", "submit": 0, "durations": [4]},
            {"job": "short", "user": "bob", "submit": 0, "durations": [1]}]
    write_workload(folder, jobs)
    for policy in ("fifo", "srpt"):
        config = write_config(folder, nodes=1, slots=1, policy=policy)
        somnus(folder, "simulate", config, "--log", f"{policy}.h5", "-q").expect(FINE)
    expect_equal(finish_times(folder, "fifo"), {"ann": 4, "bob": 5}, "FIFO")
    expect_equal(finish_times(folder, "srpt"), {"ann": 5, "bob": 1}, "SRPT")
    [srpt, fifo] = told(folder, "srpt.h5", "fifo.h5", "--against", "fifo.h5")
    late_and_early = {"compared": 2, "dvr": 0.25, "violations": 1, "dsr": 0.8, "slack": 1,
                      "worst": 0.25}
    expect_equal(srpt["against"],
                 {"reference": "fifo", "counting": "jobs", "left_out": 0, "cut_otherwise": 0,
                  "jobs": late_and_early, "users": late_and_early}, "SRPT against FIFO")
    expect_equal({user["user"]: user["response_change"] for user in srpt["users"]},
                 {"ann": 0.25, "bob": -0.8}, "changes")
    expect_equal(fifo["against"]["jobs"],
                 {"compared": 2, "dvr": None, "violations": 0, "dsr": 0, "slack": 2, "worst": 0},
                 "FIFO against itself")
    somnus(folder, "summary", "--against", "fifo.h5", "srpt.h5", "--per-user").expect(
        FINE, "violations, mean (DVR)", "change")


@checks.add
def counting_changes_the_comparison_only(folder):
    logs = [simulate(folder, policy=policy) for policy in ("cfq", "fifo")]
    [once] = told(folder, logs[0], "--against", logs[1])
    [twice] = told(folder, logs[0], "--against", logs[1], "--counting", "uwfq-micro")
    for figure in ("compared", "violations", "slack"):
        expect_equal(twice["against"]["jobs"][figure], 2 * once["against"]["jobs"][figure], figure)
    expect_equal(twice["against"]["users"], once["against"]["users"], "users")
    expect_equal({**twice, "against": 0}, {**once, "against": 0}, "all else")


@checks.add
def jobs_that_did_not_finish_are_left_out(folder):
    whole = simulate(folder, policy="fair")
    cut = simulate(folder, policy="fifo", name="cut", more="[run]\nuntil_s = 2\n")
    [summary] = told(folder, cut, "--against", whole)
    finished = summary["jobs_finished"]
    expect(0 < finished < 40, f"{finished} jobs finished")
    expect_equal(summary["against"]["left_out"], 40 - finished, "jobs left out")
    expect_equal(summary["against"]["jobs"]["compared"], finished, "jobs compared")


def renamed(jobs):
    jobs[7]["job"] = "other"


def of_another_user(jobs):
    jobs[7]["user"] = "eve"


def later(jobs):
    jobs[7]["submit"] += 0.01


def fewer(jobs):
    del jobs[7]


@checks.each({
    "another job": (renamed, "1 of 40 jobs are not in the reference fair.h5", "'other'"),
    "a job too few": (fewer, "1 of 40 jobs are missing that are in the reference", "'j7'"),
    "another user": (of_another_user, "of another user", "'j7': 'eve' here, 'ann' there"),
    "another submit": (later, "at another time", "'j7': 0.71 s after the first one here, 0.7 s"),
})
def a_reference_of_another_workload_is_the_users_mistake(folder, case):
    change, *words = case
    jobs = mixed_jobs(40)
    change(jobs)
    reference = simulate(folder, policy="fair")
    log = simulate(folder, jobs, policy="cfq")
    ended = somnus(folder, "summary", log, "--against", reference).expect(MISTAKE, *words)
    expect(ended.err.startswith("cfq.h5: "), f"the log is not named: {ended.err}")
    expect_equal(ended.out, "", "stdout")


@checks.add
def every_log_that_does_not_fit_is_told(folder):
    reference = simulate(folder, policy="fair")
    logs = [simulate(folder, mixed_jobs(count), name=f"of{count}") for count in (39, 38)]
    ended = somnus(folder, "summary", *logs, "none.h5", "--against", reference).expect(
        MISTAKE, "of39.h5: 1 of 40", "of38.h5: 2 of 40", "none.h5: ")
    expect_equal(len(ended.err.strip().splitlines()), 3, "lines")


@checks.each({
    "counting without a reference": (["--counting", "jobs"], ["--counting", "--against LOG"]),
    "an unknown counting": (["--against", "fair.h5", "--counting", "uwfq-marco"],
                            ["did you mean 'uwfq-macro'?"]),
    "a reference that is not there": (["--against", "no.h5"], ["no.h5"]),
})
def bad_options_are_the_users_mistake(folder, case):
    arguments, words = case
    log = simulate(folder)
    ended = somnus(folder, "summary", log, *arguments).expect(MISTAKE, *words)
    expect_equal(ended.out, "", "stdout")


if __name__ == "__main__":
    checks.main()
