"""The pool simulator against numbers worked out by hand: policies.md, 6.1, 6.5 and 6.6."""

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "program")]

from jobs import parse_workload
from pool import read_settings, trace
from shares import closed_form, dominant_share
from somnus_program import Checks, expect, expect_equal

checks = Checks()


def f(text) -> Fraction:
    return Fraction(str(text))


def workload(jobs: list[dict], kinds: str = "r"):
    header = {"somnus_workload": 1, "resources": list(kinds)}
    return parse_workload("\n".join(json.dumps(line) for line in [header, *jobs]))


def tasks_of(demands: list[str], weights=None, tasks: int = 100, kinds: str = "ab"):
    """One job of long, like tasks for each demand, "1 4" say; jobs are named A, B, C."""
    jobs = []
    for at, demand in enumerate(demands):
        needs = {kind: float(amount) for kind, amount in zip(kinds, demand.split())}
        jobs.append({"job": "ABCDEFGH"[at], "submit": 0, "tasks": tasks, "duration": 1000,
                     "weight": weights[at] if weights else 1, "demand": needs})
    return workload(jobs, kinds)


def numbers(text: str):
    return tuple(Fraction(word) for word in text.split())


# name -> capacity, demands, weights, dominant shares, quotas ("" where the text prints none),
# whole tasks by strict quotas and by progressive filling
CLOSED = {
    "two kinds": ("9 18", ["1 4", "3 1"], None, "2/3 2/3", ["3 12", "6 2"], [3, 2]),
    "weights 2 to 1": ("9 18", ["1 4", "3 1"], [2, 1], "12/13 6/13", None, [4, 1]),
    "one kind, five jobs": ("10", ["1"] * 5, None, "1/5 1/5 1/5 1/5 1/5", ["2"] * 5, [2] * 5),
    "30 and 30": ("30 30", ["1 3", "1 1"], None, "1/2 1/2", ["5 15", "15 15"], [5, 15]),
    "zero demands": ("10 10", ["1 0", "1 0", "0 1"], None, "1/2 1/2 1",
                     ["5 0", "5 0", "0 10"], [5, 5, 10]),
    "three kinds": ("100 100 100", ["1 2 0", "2 1 1", "1 1 4"], None, "4/7 4/7 4/7", None,
                    [28, 28, 14]),
}


@checks.each(CLOSED)
def quotas_by_the_closed_form(folder, case):
    capacity, demands, weights, dominant, quotas, whole = case
    capacity = numbers(capacity)
    found = tasks_of(demands, weights, kinds="abc"[:len(capacity)])
    shares = closed_form(found.jobs, capacity)
    expect_equal([shares.dominant(job, capacity) for job in found.jobs],
                 list(numbers(dominant)), "dominant shares")
    if quotas:
        expect_equal([shares.quotas[job] for job in found.jobs], list(map(numbers, quotas)),
                     "quotas")
    started = started_at_once(found, capacity, "drf-strict")
    expect_equal([started.count(job.name) for job in found.jobs], whole, "tasks within quotas")


def started_at_once(found, capacity, policy, **parameters):
    starts = trace(found, capacity, policy, **parameters).starts
    return [task.job.name for task in starts if task.start == 0]


@checks.add
def progressive_filling_goes_to_the_smallest_dominant_share(folder):
    capacity = numbers("9 18")
    found = tasks_of(["1 4", "3 1"])
    order = started_at_once(found, capacity, "drf")
    expect_equal("".join(order), "ABABA", "order of starts")
    use = {"A": numbers("3 12"), "B": numbers("6 2")}
    for job in "AB":
        expect_equal(dominant_share(use[job], capacity), f("2/3"), f"dominant share of {job}")
    whole = started_at_once(tasks_of(["1 4", "3 1"], [2, 1]), capacity, "drf")
    expect_equal((whole.count("A"), whole.count("B")), (4, 1), "whole tasks by weights 2 to 1")


FIGURE_2 = [
    {"job": "J1", "submit": 0, "stages": [
        {"tasks": 2, "duration": 1.0, "demand": {"r": 0.04}},
        {"tasks": 3, "duration": 1.0, "demand": {"r": 0.21}},
        {"tasks": 1, "duration": 0.1, "demand": {"r": 0.10}, "parents": [0, 1]}]},
    {"job": "J2", "submit": 0, "tasks": 2, "duration": 1.0, "demand": {"r": 0.29}},
]
FIGURE_2B = [
    {"job": "J1", "submit": 0, "stages": [
        {"tasks": 2, "duration": 3, "demand": {"r": 0.2}},
        {"tasks": 1, "duration": 2, "demand": {"r": 0.2}}]},
    {"job": "J2", "submit": 0, "stages": [
        {"tasks": 1, "duration": 3, "demand": {"r": 0.3}},
        {"tasks": 1, "duration": 2, "demand": {"r": 0.4}},
        {"tasks": 3, "duration": 3, "demand": {"r": 0.1}, "parents": [1]}]},
]


def ends(jobs, policy, *settings):
    found = trace(workload(jobs), (f(1),), policy, **read_settings(settings)).ends
    return tuple(str(float(found[job["job"]])) for job in jobs)


# policy and settings -> ends of (J1, J2) in Fig. 2 and in Fig. 2b
FIGURES = {
    "strict": (["drf-strict"], ("2.1", "2.0"), ("5.0", "8.0")),
    "drf": (["drf"], ("1.1", "2.0"), ("3.0", "8.0")),
    "tetris, means over tasks": (["tetris"], ("2.1", "1.0"), ("5.0", "6.0")),
    "tetris, means over stages": (["tetris", "means=stages"], ("2.1", "1.0"), ("5.0", "6.0")),
    "tetris, means over jobs": (["tetris", "means=jobs"], ("2.1", "1.0"), ("5.0", "6.0")),
    "sjf": (["sjf"], ("2.1", "1.0"), ("3.0", "8.0")),
    "sjf by remaining path": (["sjf", "metric=remaining_cpm"], ("2.1", "1.0"), ("3.0", "8.0")),
    "sjf by remaining work": (["sjf", "metric=srtf"], ("2.1", "1.0"), ("3.0", "8.0")),
}
# When Carbyne's jobs are packed anew.
REPLAN = {replan: replan for replan in ("share-change", "each-event")}
for replan in REPLAN:
    carbyne = ["carbyne", f"replan={replan}"]
    FIGURES |= {
        f"selfish jobs, {replan}": ([*carbyne, "altruism=0"], ("1.1", "2.0"), ("3.0", "8.0")),
        f"carbyne, {replan}": (carbyne, ("2.1", "1.0"), ("3.0", "5.0")),
        # By hand, not printed: nothing is lent, so that each job ends when it was promised to.
        f"carbyne, nothing lent, {replan}": (
            [*carbyne, "leftover=none"], ("2.1", "2.0"), ("5.0", "8.0")),
    }


@checks.each(FIGURES)
def ends_in_figures_2_and_2b(folder, case):
    arguments, in_2, in_2b = case
    expect_equal(ends(FIGURE_2, *arguments), in_2, "Fig. 2")
    expect_equal(ends(FIGURE_2B, *arguments), in_2b, "Fig. 2b")


@checks.each({order: order for order in ("file", "bfs", "critical-path")})
def strict_quotas_in_figure_2_do_not_depend_on_the_order_inside_jobs(folder, order):
    found = trace(workload(FIGURE_2), (f(1),), "drf-strict", order).ends
    expect_equal(found, {"J1": f("2.1"), "J2": f(2)}, "ends")


@checks.each(REPLAN)
def carbyne_decides_at_the_beginning_of_figure_2_as_the_paper_says(folder, replan):
    outcome = trace(workload(FIGURE_2), (f(1),), "carbyne", replan=replan)
    first = outcome.policy.decisions[0]
    expect_equal(first["shares"], {"J1": (f("0.5"),), "J2": (f("0.5"),)}, "shares")
    expect_equal(first["promised"], {"J1": f("2.1"), "J2": f(2)}, "T")
    expect_equal(first["must_start"], {"J1": [(1, 0)], "J2": [(0, 0)]}, "must start")
    expect_equal(first["leftover"], (f("0.5"),), "leftover")
    at = {time: sorted((task.job.name, task.stage.name) for task in outcome.starts
                       if task.start == time) for time in (0, 1, 2)}
    expect_equal(at[0], [("J1", 1), ("J1", 1), ("J2", 0), ("J2", 0)], "starts at 0")
    expect_equal(at[1], [("J1", 0), ("J1", 0), ("J1", 1)], "starts at 1")
    expect_equal(at[2], [("J1", 2)], "starts at 2")


@checks.each(REPLAN)
def carbyne_decides_at_the_beginning_of_figure_2b_as_worked_out(folder, replan):
    outcome = trace(workload(FIGURE_2B), (f(1),), "carbyne", replan=replan)
    first = outcome.policy.decisions[0]
    expect_equal(first["promised"], {"J1": f(5), "J2": f(8)}, "T")
    expect_equal(first["must_start"], {"J1": [(1, 0)], "J2": [(1, 0)]}, "must start")
    expect_equal(first["leftover"], (f("0.4"),), "leftover")
    lent = [(task.job.name, task.stage.name) for task in outcome.starts if task.start == 0][2:]
    expect_equal(lent, [("J1", 0), ("J1", 0)], "who gets the leftover")


# What a job is lent takes the last place in its plan away, and packed anew the rest could wait.
# Both shares are .5, so each job runs one task at a time by its plan.
# J1: 2 + 2 + 2 s: T = 6. In reverse the first stage comes first, so that it is last: latest starts
#   S0 4; S1 0 and 2.
# J2: 2 + 1 + 1 s: T = 4; latest starts S0 0; S1 2 and 3.
# At 0 one S1 of J1 and S0 of J2 must start: .5 is left. J2 has the least work left, 2 x .5 against
#   .4 x 2 + .4 x 2, but nothing that it can run: J1's S0 is lent .4, the first of two alike.
# At 2 all three end. T of J1 is 4 from now, and what it has left takes 2.
LENT_THE_LAST = [
    {"job": "J1", "submit": 0, "stages": [
        {"tasks": 1, "duration": 2, "demand": {"r": 0.4}},
        {"tasks": 2, "duration": 2, "demand": {"r": 0.4}}]},
    {"job": "J2", "submit": 0, "stages": [
        {"tasks": 1, "duration": 2, "demand": {"r": 0.1}},
        {"tasks": 2, "duration": 1, "demand": {"r": 0.5}, "parents": [0]}]},
]
# replan -> what must start at 2 and what is left then, starts from 2 on, ends
LENT_THE_LAST_BY = {
    # S1's second latest start is 2, as planned at 0. With J2's first S1, .9 is in use; at 3 that
    # ends, and the second, planned for 3, starts.
    "share-change": ({"J1": [(1, 1)], "J2": [(1, 0)]}, "0.1",
                     [("J1", 1, 2), ("J2", 1, 2), ("J2", 1, 3)], {"J1": 4, "J2": 4}),
    # S1's second can wait until 4. So .5 is lent to J2, which has .5 x 1 left, less than .4 x 2.
    # At 3 J2 has ended, and J1 is lent what it needs.
    "each-event": ({"J1": [], "J2": [(1, 0)]}, "0.5",
                   [("J2", 1, 2), ("J2", 1, 2), ("J1", 1, 3)], {"J1": 5, "J2": 3}),
}


@checks.each({replan: (replan, *LENT_THE_LAST_BY[replan]) for replan in REPLAN})
def what_a_job_was_lent_lets_the_rest_wait_if_it_is_packed_anew(folder, case):
    replan, must, left, starts, expected_ends = case
    outcome = trace(workload(LENT_THE_LAST), (f(1),), "carbyne", replan=replan)
    at_0, at_2 = outcome.policy.decisions[:2]
    expect_equal(at_0["promised"], {"J1": 6, "J2": 4}, "T")
    expect_equal(at_0["actual"], {"J1": {(0, 0): 4, (1, 0): 0, (1, 1): 2},
                                  "J2": {(0, 0): 0, (1, 0): 2, (1, 1): 3}}, "latest starts at 0")
    expect_equal(at_0["must_start"], {"J1": [(1, 0)], "J2": [(0, 0)]}, "must start at 0")
    expect_equal(at_0["leftover"], (f("0.5"),), "leftover at 0")
    expect_equal(at_2["time"], 2, "the next instant")
    expect_equal(at_2["must_start"], must, "must start at 2")
    expect_equal(at_2["leftover"], (f(left),), "leftover at 2")
    found = [(task.job.name, task.stage.name, task.start) for task in outcome.starts]
    expect_equal(found[:3], [("J1", 1, 0), ("J2", 0, 0), ("J1", 0, 0)], "starts at 0")
    expect_equal(found[3:], starts, "starts from 2 on")
    expect_equal(outcome.ends, expected_ends, "ends")


# Both shares are .5. J1: S0, then S1 two and two: T = 3, latest starts 0; 1, 1, 2, 2. J2: one at a
# time: T = 20, latest starts 0, 5, 10, 15. At 0 each starts one, and J2 is lent two more. At 1 S0
# ends, and .1 is free: no S1 fits. At 5 J2's three end. All four S1 are due, but some were missed:
# only two start, J1's share. J2 is lent its last, the best aligned. At 6 the other two start.
MISSED = [
    {"job": "J1", "submit": 0, "stages": [
        {"tasks": 1, "duration": 1, "demand": {"r": 0.1}},
        {"tasks": 4, "duration": 1, "demand": {"r": 0.25}, "parents": [0]}]},
    {"job": "J2", "submit": 0, "tasks": 4, "duration": 5, "demand": {"r": 0.3}},
]
# replan -> for each instant, who missed a latest start, and how many of J1's tasks must start
MISSED_BY = {
    "share-change": [(0, [], 1), (1, [], 2), (5, ["J1"], 4), (6, ["J1"], 2)],
    # At 5 and 6 T is over: J1 starts what is packed forward into its share from now on.
    "each-event": [(0, [], 1), (1, [], 2), (5, [], 2), (6, [], 2)],
}


@checks.each({replan: (replan, MISSED_BY[replan]) for replan in REPLAN})
def a_job_that_missed_a_latest_start_keeps_inside_its_share(folder, case):
    replan, expected = case
    outcome = trace(workload(MISSED), (f(1),), "carbyne", replan=replan,
                    leftover="pack_then_srtf")
    decisions = outcome.policy.decisions
    expect_equal(decisions[0]["promised"], {"J1": 3, "J2": 20}, "T")
    found = [(note["time"], note["missed"], len(note["must_start"]["J1"])) for note in decisions
             if "J1" in note["must_start"]]
    expect_equal(found, expected, "time, who missed, how many of J1 must start")
    at = {job: [task.start for task in outcome.starts if task.job.name == job]
          for job in ("J1", "J2")}
    expect_equal(at, {"J1": [0, 5, 5, 6, 6], "J2": [0, 0, 0, 5]}, "starts")


# Nothing is lent. J1 runs two at once inside .5: T = 6, latest starts 0, 0, 2, 2, 4, 4. At 1 J2
# ends and J1's share is 1: the four that are left fit at once, last from 4 to 6.
GROWS = [
    {"job": "J1", "submit": 0, "tasks": 6, "duration": 2, "demand": {"r": 0.2}},
    {"job": "J2", "submit": 0, "tasks": 1, "duration": 1, "demand": {"r": 0.1}},
]


@checks.each(REPLAN)
def the_end_of_a_job_makes_plans_anew_and_keeps_promises(folder, replan):
    outcome = trace(workload(GROWS), (f(1),), "carbyne", replan=replan, leftover="none")
    at_0, at_1 = outcome.policy.decisions[:2]
    expect_equal(sorted(at_0["actual"]["J1"].values()), [0, 0, 2, 2, 4, 4], "at 0")
    expect_equal(at_1["promised"], {"J1": 5}, "T at 1")
    expect_equal(list(at_1["actual"]["J1"].values()), [3] * 4, "at 1")
    expect_equal(outcome.ends, {"J1": 6, "J2": 1}, "ends")


@checks.each(REPLAN)
def a_promise_is_broken_by_tasks_that_are_not_preempted(folder, replan):
    jobs = [
        {"job": "J1", "submit": 0, "stages": [
            {"tasks": 1, "duration": 1, "demand": {"r": 0.05}},
            {"tasks": 1, "duration": 1, "demand": {"r": 0.5}, "parents": [0]}]},
        {"job": "J2", "submit": 0, "tasks": 3, "duration": 5, "demand": {"r": 0.3}},
    ]
    outcome = trace(workload(jobs), (f(1),), "carbyne", replan=replan)
    expect_equal(outcome.policy.decisions[0]["promised"]["J1"], f(2), "T")
    expect_equal(outcome.ends["J1"], f(6), "end of J1")
    alone = trace(workload(jobs), (f(1),), "carbyne", leftover="none", replan=replan)
    expect_equal(alone.ends["J1"], f(2), "end of J1 if nothing is lent")


@checks.each(REPLAN)
def a_job_alone_may_break_its_promise_with_what_it_lends_itself(folder, replan):
    tasks = [(3, 0.23), (2.5, 0.6), (2.5, 0.2)]
    jobs = [{"job": "J", "submit": 0, "stages": [
        {"tasks": 1, "duration": duration, "demand": {"r": demand}} for duration, demand in tasks]}]
    # The third task must start; the second is lent .6, the best aligned; .23 is more than is left.
    outcome = trace(workload(jobs), (f(1),), "carbyne", replan=replan)
    expect_equal(outcome.policy.decisions[0]["promised"], {"J": f(5)}, "T")
    expect_equal(outcome.policy.decisions[0]["must_start"], {"J": [(2, 0)]}, "must start")
    expect_equal(outcome.ends, {"J": f("5.5")}, "end")
    alone = trace(workload(jobs), (f(1),), "carbyne", leftover="none", replan=replan)
    expect_equal(alone.ends, {"J": f(5)}, "end if nothing is lent")


@checks.add
def a_task_larger_than_the_quota_runs_when_its_job_runs_nothing_else(folder):
    # Averages .35 and .35: both quotas are .5. A's task of .6 waits for its two of .1 to end.
    jobs = [
        {"job": "A", "submit": 0, "stages": [
            {"tasks": 1, "duration": 2, "demand": {"r": 0.1}},
            {"tasks": 1, "duration": 3, "demand": {"r": 0.6}}]},
        {"job": "B", "submit": 0, "tasks": 1, "duration": 9, "demand": {"r": 0.35}},
    ]
    starts = trace(workload(jobs), (f(1),), "drf-strict").starts
    expect_equal([(task.job.name, task.stage.name, int(task.start)) for task in starts],
                 [("A", 0, 0), ("B", 0, 0), ("A", 1, 2)], "starts")


@checks.add
def the_last_tasks_before_a_barrier_go_first(folder):
    jobs = [
        {"job": "A", "submit": 0, "stages": [
            {"tasks": 4, "duration": 1, "demand": {"r": 0.3}},
            {"tasks": 1, "duration": 1, "demand": {"r": 0.1}, "parents": [0]}]},
        {"job": "B", "submit": 1, "tasks": 1, "duration": 1, "demand": {"r": 0.8}},
    ]
    # At 1 three of A's four tasks have ended. B's task is better aligned.
    late = trace(workload(jobs), (f(1),), "tetris", m=f(0))
    expect_equal(late.ends, {"A": f(4), "B": f(2)}, "ends without a rule")
    first = trace(workload(jobs), (f(1),), "tetris", m=f(0), barrier=f("0.75"))
    expect_equal(first.ends, {"A": f(3), "B": f(3)}, "ends with b = 0.75")


@checks.add
def priority_weighs_alignment_by_the_stage_s_place_in_its_job(folder):
    # Alone, with m = 1, a job's eps * p is the mean of a: of .4 and .25, or of .4 and .5.
    jobs = [{"job": "A", "submit": 0, "stages": [
        {"tasks": 1, "duration": 1, "demand": {"r": 0.4}},
        {"tasks": 1, "duration": 1, "demand": {"r": 0.5}}]}]
    for priority, scores, first in ((1, "0.075 -0.075", 0), (0, "-0.05 0.05", 1)):
        found = trace(workload(jobs), (f(1),), "tetris", means="stages", priority=f(priority))
        decision = found.policy.decisions[0]
        expect_equal(tuple(decision["scores"].values()), numbers(scores), "scores")
        expect_equal(decision["start"], ("A", first), "the first start")


def queued(*jobs: tuple):
    """Jobs of like tasks of 1000 s: queue, demand and tasks each; named by their places."""
    found = [{"job": str(at), "queue": queue, "submit": 0, "tasks": tasks, "duration": 1000,
              "demand": dict(zip("ab", map(float, demand.split())))}
             for at, (queue, demand, tasks) in enumerate(jobs)]
    return workload(found, "ab")


# name -> jobs, settings, the jobs of the tasks that start at 0
QUEUES = {
    # Shares by c after each start: A .1, B .3, A .2, A .3, the first of equals, A .4, B .6: full.
    "the least share by capacity": (
        [("A", "1 2", 9), ("B", "3 1", 9)], ["capacities=A=2,B=1"], "010001"),
    # A .2, B .3, A .4, B .6, A .6, A .8: full.
    "all alike": ([("A", "1 2", 9), ("B", "3 1", 9)], ["capacities=A=1,B=1"], "010100"),
    "a queue that borrows": ([("B", "3 1", 9)], ["capacities=A=2,B=1"], "000"),
    # .3 is less than the half, .6 is not.
    "a bound on that": ([("B", "3 1", 9)], ["capacities=A=2,B=1", "max_capacity=1/2"], "00"),
    # The part of a queue alone may be more than the bound: 2/3, then .7.
    "no bound below its part": (
        [("A", "1 0", 9)], ["capacities=A=2,B=1", "max_capacity=1/2"], "0000000"),
    # A .6; of B only the second job fits: .9; of A only its second: .7; then B's third.
    "what does not fit is passed over": (
        [("A", "6 0", 2), ("B", "5 5", 1), ("B", "1 9", 1), ("B", "2 1", 1), ("A", "1 0", 1)],
        ["capacities=A=1,B=1"], "0243"),
}


@checks.each(QUEUES)
def queues_share_by_their_capacities(folder, case):
    jobs, settings, expected = case
    started = started_at_once(queued(*jobs), numbers("10 10"), "capacity",
                              **read_settings(settings))
    expect_equal("".join(started), expected, "starts")


@checks.add
def numbers_are_read_exactly_and_printed_as_fractions(folder):
    path = folder / "workload.jsonl"
    path.write_text('{"somnus_workload": 1, "resources": ["cpu"]}\n'
                    '{"job": "a", "submit": 0.1, "durations": [0.2], "demand": {"cpu": 0.7}}\n'
                    '{"job": "b", "submit": 0, "durations": [1e-1], "demand": {"cpu": 0.3}}\n')
    command = ["/usr/bin/python3", "-B", str(HERE / "pool.py"), str(path), "--capacity", "cpu=1",
               "--policy", "drf", "--within", "file"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    expect_equal([json.loads(line) for line in said.splitlines()], [
        {"job": "b", "stage": 0, "index": 0, "start": "0/1", "finish": "1/10"},
        {"job": "a", "stage": 0, "index": 0, "start": "1/10", "finish": "3/10"}], "lines")
    wrong = subprocess.run([*command, "--set", "colour=red"], capture_output=True, text=True)
    expect(wrong.returncode != 0 and "colour" in wrong.stderr, f"accepted: {wrong.stderr}")


if __name__ == "__main__":
    checks.main()
