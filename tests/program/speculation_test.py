"""Speculative execution: an example by hand, a simulator that knows nothing of ours, and what logs,
tables and checks say of it."""

import heapq
import json
import random
from fractions import Fraction

from logs import FINISHED, KILLED, expect_clean, rows, slow_node, write_workload
from somnus_program import FINE, each, expect, expect_equal, somnus

FOUR = [{"job": "four", "submit": 0, "durations": [10, 10, 10, 10]}]


def speculation(slowdown="1.5", quantile="0.75", least_s="0"):
    return f"[speculation]\nslowdown = {slowdown}\nquantile = {quantile}\nleast_s = {least_s}\n"


def attempts(log):
    """(task, attempt, node, placed, start, finish, outcome) of a workload of one stage a job."""
    tasks = rows(log, "stages")["tasks"].cumsum() - rows(log, "stages")["tasks"]
    return sorted((int(tasks[row["stage"]] + row["index"]), int(row["attempt"]), int(row["node"]),
                   float(row["placed"]), float(row["start"]), float(row["finish"]), int(row["outcome"]))
                  for row in rows(log, "tasks"))


def test_a_straggler_gets_a_backup_after_one_and_a_half_medians(folder):
    write_workload(folder, FOUR)
    (folder / "config.toml").write_text(slow_node(10) + speculation())
    ended = somnus(folder, "simulate", "config.toml", "--log", "log.h5", "--json").expect(FINE)
    # Three end at 10 s; the fourth would have at 100 s, is due at 15 s, and its backup ends at 25 s.
    expect_equal(attempts(folder / "log.h5"),
                 [(0, 0, 0, 0, 0, 10, FINISHED), (1, 0, 1, 0, 0, 10, FINISHED),
                  (2, 0, 2, 0, 0, 10, FINISHED), (3, 0, 3, 0, 0, 25, KILLED),
                  (3, 1, 0, 15, 15, 25, FINISHED)], "attempts")
    [summary] = json.loads(ended.out)
    expect_equal((summary["backups"], summary["backups_won"], summary["wasted_s"]), (1, 1, 25), "summary")
    expect_equal(summary["response_mean_s"], 25, "response time")
    for table, columns, row in (("backup", ["time", "task", "attempt"], (15, 3, 0)),
                                ("kill", ["time", "node", "attempt"], (25, 3, 0))):
        expect_equal(rows(folder / "log.h5", f"decisions/{table}")[columns].tolist(), [row], table)
    expect_clean(folder, folder / "log.h5")
    expect("backups of attempts that took long" in somnus(folder, "summary", "--all", "log.h5").out, "summary")


def test_the_original_may_win(folder):
    write_workload(folder, FOUR)
    (folder / "config.toml").write_text(slow_node(2) + speculation())
    somnus(folder, "simulate", "config.toml", "--log", "log.h5", "-q").expect(FINE)
    expect_equal(attempts(folder / "log.h5")[3:],
                 [(3, 0, 3, 0, 0, 20, FINISHED), (3, 1, 0, 15, 15, 20, KILLED)], "attempts")
    expect_clean(folder, folder / "log.h5")


def test_a_backup_that_finds_no_slot_is_withdrawn(folder):
    write_workload(folder, [*FOUR, {"job": "long", "submit": 1, "durations": [500] * 3}])
    (folder / "config.toml").write_text(slow_node(10) + speculation())
    somnus(folder, "simulate", "config.toml", "--log", "log.h5", "-q").expect(FINE)
    expect_equal([row[1] for row in attempts(folder / "log.h5")], [0] * 7, "attempts' numbers")
    expect_equal(len(rows(folder / "log.h5", "decisions/backup")), 1, "notes")
    expect_clean(folder, folder / "log.h5")


def test_nothing_happens_without_a_slowdown(folder):
    write_workload(folder, FOUR)
    (folder / "config.toml").write_text(slow_node(10))
    ended = somnus(folder, "simulate", "config.toml", "--log", "log.h5", "--json").expect(FINE)
    [summary] = json.loads(ended.out)
    expect(summary["backups"] is None and summary["makespan_s"] == 100, f"{summary}")
    expect("backups" not in somnus(folder, "summary", "--all", "log.h5").out, "summary speaks of backups")


class Attempt:
    def __init__(self, task, number, node, launched, ends):
        self.task, self.number, self.node, self.launched, self.ends = task, number, node, launched, ends


def fifo_with_backups(jobs, slowdowns, slowdown, quantile, least):
    """What a first-come scheduler does on nodes of one slot that differ in how slow they are;
    (task, attempt, node, start, finish, finished). Free nodes are taken in order of their numbers."""
    stage_of, duration, members = [], [], []
    for at, job in enumerate(jobs):
        members.append(list(range(len(duration), len(duration) + len(job["durations"]))))
        stage_of += [at] * len(job["durations"])
        duration += [Fraction(str(one)) for one in job["durations"]]
    now = Fraction(0)
    free = list(range(len(slowdowns)))
    waiting = [[] for _ in jobs]    # tasks, then backups
    backups = [[] for _ in jobs]
    running, took = [], [[] for _ in jobs]
    done, had_one, ran = set(), set(), []
    to_come = [(Fraction(str(job["submit"])), at) for at, job in enumerate(jobs)]

    def due(attempt):
        stage = stage_of[attempt.task]
        spans = sorted(took[stage])
        if attempt.number > 0 or attempt.task in had_one:
            return None
        if len(spans) < max(1, int(Fraction(str(quantile)) * len(members[stage]))):
            return None
        median = (spans[(len(spans) - 1) // 2] + spans[len(spans) // 2]) / 2
        return attempt.launched + max(Fraction(str(least)), Fraction(str(slowdown)) * median)

    def end(attempt, finished):
        running.remove(attempt)
        heapq.heappush(free, attempt.node)
        ran.append((attempt.task, attempt.number, attempt.node, float(attempt.launched),
                     float(now), finished))

    while len(done) < len(duration):
        moments = [attempt.ends for attempt in running] + [when for when, _ in to_come]
        moments += [when for when in map(due, running) if when is not None]
        now = max(now, min(moments))
        for attempt in sorted((each for each in running if each.ends == now),
                              key=lambda each: each.node):
            if attempt not in running or attempt.task in done:
                continue
            done.add(attempt.task)
            took[stage_of[attempt.task]].append(now - attempt.launched)
            end(attempt, True)
            if attempt.task in backups[stage_of[attempt.task]]:
                backups[stage_of[attempt.task]].remove(attempt.task)
        while to_come and to_come[0][0] <= now:
            _, at = to_come.pop(0)
            waiting[at] = list(members[at])
        for attempt in sorted((each for each in running if due(each) is not None
                               and due(each) <= now and each.task not in done),
                              key=lambda each: (due(each), stage_of[each.task], each.launched)):
            had_one.add(attempt.task)
            backups[stage_of[attempt.task]].append(attempt.task)

        def place():
            for at in range(len(jobs)):
                while free and (waiting[at] or backups[at]):
                    node = heapq.heappop(free)
                    number = 0
                    if waiting[at]:
                        task = waiting[at].pop(0)
                    else:
                        homes = {each.task: each.node for each in running}
                        task = next((each for each in backups[at] if homes[each] != node),
                                    backups[at][0])
                        backups[at].remove(task)
                        number = 1
                    running.append(Attempt(task, number, node, now,
                                           now + duration[task] * slowdowns[node]))

        place()
        for attempt in [each for each in running if each.task in done]:
            end(attempt, False)
        place()
    return sorted(ran)


def any_world(seed):
    """Jobs, how slow each node is, and the rule."""
    draw = random.Random(seed)
    slowdowns = [draw.choice([1, 1, 1, 2, 5]) for _ in range(draw.randint(2, 7))]
    jobs, submit = [], 0.0
    for at in range(draw.randint(1, 6)):
        jobs.append({"job": f"j{at}", "submit": round(submit, 3),
                     "durations": [round(draw.uniform(0.5, 9), 3) for _ in range(draw.randint(1, 9))]})
        submit += draw.uniform(0.01, 12)
    rule = {"slowdown": draw.choice([1, 1.25, 1.5, 2]), "quantile": draw.choice([0.1, 0.5, 0.75]),
            "least_s": draw.choice([0, 1, 4])}
    return jobs, slowdowns, rule


SEEDS = range(1, 41)


def test_most_of_the_worlds_below_have_backups_and_some_of_these_win(folder):
    backups = [row for seed in SEEDS for row in backups_of(seed)]
    won = sum(1 for *_, finished in backups if finished)
    expect(len(backups) > len(SEEDS) and 10 < won < len(backups), f"{len(backups)}, {won} of them won")


def backups_of(seed):
    jobs, slowdowns, rule = any_world(seed)
    expected = fifo_with_backups(jobs, slowdowns, rule["slowdown"], rule["quantile"], rule["least_s"])
    return [row for row in expected if row[1] > 0]


@each({f"seed {seed}": seed for seed in SEEDS})
def test_backups_are_those_of_a_simulator_of_its_own(folder, seed):
    jobs, slowdowns, rule = any_world(seed)
    groups = "".join(f"[[cluster.group]]\ncount = 1\nslots_per_node = 1\nslowdown = {slow}\n"
                     for slow in slowdowns)
    write_workload(folder, jobs)
    (folder / "config.toml").write_text(
        f'[cluster]\n{groups}\n[scheduler]\npolicy = "fifo"\n[workload]\nfile = "workload.jsonl"\n'
        + speculation(**rule))
    somnus(folder, "simulate", "config.toml", "--log", "log.h5", "-q").expect(FINE)
    expected = fifo_with_backups(jobs, slowdowns, rule["slowdown"], rule["quantile"], rule["least_s"])
    found = [(task, number, node, start, finish, outcome == FINISHED)
             for task, number, node, _, start, finish, outcome in attempts(folder / "log.h5")]
    expect_equal([row[:3] + row[5:] for row in found], [row[:3] + row[5:] for row in expected],
                 "who ran where")
    for one, other in zip(found, expected):
        expect(abs(one[3] - other[3]) + abs(one[4] - other[4]) < 1e-6, f"{one} for {other}")
    expect_clean(folder, folder / "log.h5")
