"""Slurm's multifactor priority (docs/policies.md 9.5), beside a simulator of its rules that shares no code: usage as
the sum of its jobs' closed forms, strict order."""

import json
import math
import random

import pytest

from backfill_test import Job
from gangs_test import starts_of
from logs import rows, write_workload
from somnus_program import FINE, MISTAKE, expect_equal, somnus

CPUS, NODES = 8, 4
DEFAULTS = {"weight_age": 1000, "weight_fairshare": 10000, "weight_job_size": 1000, "max_age_s": 604800,
            "decay_half_life_s": 604800, "calc_period_s": 300, "fair_share": "tree", "dampening": 1, "favor_small": False,
            "weight_partition": 0, "partition_factors": {}, "tiers": {}}


class Priorities:
    """What has run, and what the last computation made of it."""

    def __init__(self, rules, weights):
        self.rules = DEFAULTS | rules
        self.weights = weights  # by user
        self.held = {user: [] for user in weights}  # (start, end, cpus)
        self.since = {}  # the first job, by user
        self.computed = 0
        self.factors = {}

    def usage(self, user, at):
        life, total = self.rules["decay_half_life_s"], 0
        for start, end, cpus in self.held[user]:
            start, end = min(start, at), min(end, at)
            if life == 0:
                total += cpus * (end - start)
            else:
                total += cpus * life / math.log(2) * (2 ** ((end - at) / life) - 2 ** ((start - at) / life))
        return total

    def pass_to(self, now):
        due = now // self.rules["calc_period_s"] * self.rules["calc_period_s"]
        if due <= self.computed:
            return
        self.computed = due
        used = {user: self.usage(user, due) for user in self.weights if self.since.get(user, due) < due}
        if self.rules["fair_share"] == "tree":
            level = {user: round(used[user] / self.weights[user], 6) for user in used}
            self.factors = {user: sum(one >= level[user] for one in level.values()) / len(level) for user in used}
        else:
            shares = {user: self.weights[user] / sum(self.weights[one] for one in used) for user in used}
            total = sum(used.values())
            self.factors = {user: 2 ** -((used[user] / total if total else 0) / shares[user] / self.rules["dampening"])
                            for user in used}

    def of(self, job, user, queue):
        size = (1 / NODES + job.cpus / CPUS) / 2
        factors = {one: self.rules["partition_factors"].get(one, 1) for one in QUEUES}
        return math.floor(max(1, self.rules["weight_age"] * min(max(self.computed - job.submit, 0) / self.rules["max_age_s"], 1)
                          + self.rules["weight_fairshare"] * self.factors.get(user, 1)
                          + self.rules["weight_job_size"] * (1 - size if self.rules["favor_small"] else size)
                          + self.rules["weight_partition"] * factors[queue] / max(factors.values())))

    def tier(self, queue):
        return self.rules["tiers"].get(queue, 1)


def expected_starts(jobs, users, rules, weights, queues=None):
    """Strictly in order: the first that does not fit holds up all others. While some wait, each computation is looked at."""
    priorities = Priorities(rules, weights)
    queues = queues or [QUEUES[0]] * len(jobs)
    starts, ends, waiting, now = [None] * len(jobs), {}, [], 0
    to_come = list(range(len(jobs)))
    while to_come or waiting:
        computation = priorities.computed + priorities.rules["calc_period_s"]
        now = min([jobs[at].submit for at in to_come[:1]] + list(ends.values()) + [computation] * bool(waiting))
        for job in [job for job, end in ends.items() if end <= now]:
            del ends[job]
        while to_come and jobs[to_come[0]].submit <= now:
            waiting.append(to_come.pop(0))
            priorities.since.setdefault(users[waiting[-1]], now)
        priorities.pass_to(now)
        while waiting:
            first = min(waiting, key=lambda at: (-priorities.tier(queues[at]),
                                                 -priorities.of(jobs[at], users[at], queues[at]), at))
            if jobs[first].cpus > CPUS - sum(jobs[at].cpus for at in ends):
                break
            waiting.remove(first)
            starts[first], ends[first] = now, now + jobs[first].time
            priorities.held[users[first]].append((now, ends[first], jobs[first].cpus))
    return starts


QUEUES = ["batch", "debug", "long"]
WEIGHTS = {"ann": 1, "bob": 2, "eve": 0.5}
RULES = {
    "age and size": {"weight_fairshare": 0, "max_age_s": 50, "calc_period_s": 7},
    "small first": {"weight_fairshare": 0, "max_age_s": 200, "calc_period_s": 5, "favor_small": True},
    "fair tree": {"max_age_s": 100, "calc_period_s": 4, "decay_half_life_s": 60},
    "for ever": {"max_age_s": 100, "calc_period_s": 4, "decay_half_life_s": 0},
    "classic": {"fair_share": "classic", "calc_period_s": 3, "decay_half_life_s": 40, "max_age_s": 1000},
    "dampened": {"fair_share": "classic", "calc_period_s": 3, "decay_half_life_s": 40, "dampening": 3.5},
    "seldom": {},
}


def chosen(rules):
    def toml(value):
        return f"{{ {', '.join(f'{key} = {one}' for key, one in value.items())} }}" if isinstance(value, dict) else json.dumps(value)
    parameters = "".join(f"priority.{key} = {toml(value)}\n" for key, value in rules.items())
    return f"order = \"priority\"\nplacement = \"any-free\"\n{parameters}"


def started(folder, jobs, users, rules, backfill="none", checks=(), queues=None):
    """When each job started."""
    queues = queues or [QUEUES[0]] * len(jobs)
    header = {"somnus_workload": 1, "name": "w", "users": {user: WEIGHTS[user] for user in users}}
    lines = [{"job": f"j{at}", "submit": job.submit, "gang": True, "user": user, "queue": queue, "limit_s": job.limit,
              "tasks": job.cpus, "duration": job.time} for at, (job, user, queue) in enumerate(zip(jobs, users, queues))]
    (folder / "workload.jsonl").write_text("".join(json.dumps(line) + "\n" for line in [header, *lines]))
    (folder / "config.toml").write_text(
        f"[cluster]\nnodes = {NODES}\nslots_per_node = {CPUS // NODES}\n[scheduler]\n{chosen(rules)}backfill = \"{backfill}\"\n"
        "[workload]\nfile = \"workload.jsonl\"\n")
    somnus(folder, "simulate", "config.toml", "-q", "--log", "log.h5", "--force").expect(FINE)
    for command in checks:
        somnus(folder, command, "log.h5").expect(FINE)
    return starts_of(rows(folder / "log.h5", "tasks"))


@pytest.mark.parametrize("name", RULES)
def test_each_job_starts_when_the_rules_say(folder, name):
    for seed in range(25):
        draws = random.Random(seed)
        jobs = [Job(submit, draws.randint(1, CPUS), draws.randint(1, 20), 99)
                for submit in sorted(draws.randint(0, 250) for _ in range(60))]
        users = [draws.choice(list(WEIGHTS)) for _ in jobs]
        expect_equal(started(folder, jobs, users, RULES[name], checks=("check", "replay") if seed == 0 else ()),
                     expected_starts(jobs, users, RULES[name], WEIGHTS), f"starts of seed {seed}")


@pytest.mark.parametrize("rules", [
    {"weight_fairshare": 0, "max_age_s": 50, "calc_period_s": 7, "weight_partition": 400, "partition_factors": {"debug": 10, "long": 0}},
    {"max_age_s": 100, "calc_period_s": 4, "tiers": {"debug": 3, "long": 0}},
    {"weight_age": 0, "weight_fairshare": 0, "weight_job_size": 0, "tiers": {"long": 2}}])
def test_queues_count_as_partitions(folder, rules):
    for seed in range(12):
        draws = random.Random(seed)
        jobs = [Job(submit, draws.randint(1, CPUS), draws.randint(1, 20), 99)
                for submit in sorted(draws.randint(0, 250) for _ in range(60))]
        users = [draws.choice(list(WEIGHTS)) for _ in jobs]
        queues = QUEUES + [draws.choice(QUEUES) for _ in jobs[len(QUEUES):]]
        expect_equal(started(folder, jobs, users, rules, checks=("check", "replay") if seed == 0 else (), queues=queues),
                     expected_starts(jobs, users, rules, WEIGHTS, queues), f"starts of seed {seed}")


def test_a_higher_tier_takes_the_slots_of_a_lower_one(folder):
    """The long one runs alone; debug takes its slots at 3 and again at 5."""
    jobs = [Job(0, 6, 20, 20), Job(1, 2, 30, 30), Job(3, 4, 1, 1), Job(5, 4, 2, 2)]
    header = {"somnus_workload": 1, "name": "w"}
    lines = [{"job": f"j{at}", "submit": job.submit, "gang": True, "tasks": job.cpus, "duration": job.time,
              "queue": QUEUES[at > 1]} for at, job in enumerate(jobs)]
    (folder / "workload.jsonl").write_text("".join(json.dumps(line) + "\n" for line in [header, *lines]))
    (folder / "config.toml").write_text(
        f"[cluster]\nnodes = {NODES}\nslots_per_node = {CPUS // NODES}\n[scheduler]\n{chosen({'tiers': {'debug': 2}})}"
        "preemption = \"requeue\"\n[workload]\nfile = \"workload.jsonl\"\n")
    somnus(folder, "simulate", "config.toml", "-q", "--log", "log.h5").expect(FINE)
    for command in ("check", "replay"):
        somnus(folder, command, "log.h5").expect(FINE)
    made = [(row["time"], int(row["stage"]), int(row["by"])) for row in rows(folder / "log.h5", "decisions/preemption")]
    expect_equal(made, [(3, 0, 2), (5, 0, 3)], "preemptions")


def test_a_queue_that_is_not_there_is_refused(folder):
    write_workload(folder, [{"job": "j", "submit": 0, "durations": [1], "queue": "batch"}])
    for parameters, words in (("priority.tiers = { bach = 2 }", ["there is no queue 'bach'", "batch"]),
                              ("preemption = \"requeue\"", ["order \"priority\" nobody", "make tiers by scheduler.priority.tiers"]),
                              ("priority.tiers = { batch = 1 }\npreemption = \"requeue\"", ["order \"priority\" nobody"])):
        (folder / "config.toml").write_text(
            f"[cluster]\nnodes = 2\nslots_per_node = 2\n[scheduler]\norder = \"priority\"\nplacement = \"any-free\"\n{parameters}\n"
            "[workload]\nfile = \"workload.jsonl\"\n")
        somnus(folder, "simulate", "config.toml").expect(MISTAKE, *words)


def test_who_has_used_less_for_its_weight_goes_first(folder):
    """All slots each, usage over weight: at 30 ann and bob have 80 and her job is the earlier one; at 35 eve has none; at
    40 she and bob have 80, and then ann's 120 is the least that is left."""
    jobs = [Job(0, 8, 10, 10), Job(1, 8, 5, 5), Job(2, 8, 20, 20), Job(3, 8, 5, 5), Job(31, 8, 5, 5), Job(31, 8, 5, 5)]
    users = ["ann", "ann", "bob", "bob", "ann", "eve"]
    rules = {"weight_age": 0, "weight_job_size": 0, "decay_half_life_s": 0, "calc_period_s": 1}
    expect_equal(started(folder, jobs, users, rules), [0, 30, 10, 40, 45, 35], "starts")


@pytest.mark.parametrize("backfill", ["none", "easy", "slurm"])
def test_a_computation_is_followed_by_a_round(folder, backfill):
    """From 10 on bob is before ann, who has used slots, and he fits."""
    jobs = [Job(0, 2, 500, 1000), Job(1, 8, 10, 1000), Job(2, 2, 10, 2000)]
    rules = {"weight_age": 0, "weight_job_size": 0, "decay_half_life_s": 0, "calc_period_s": 10}
    expect_equal(started(folder, jobs, ["ann", "ann", "bob"], rules, backfill), [0, 500, 10], "starts")


def test_backfilling_reserves_for_the_first_by_priority(folder):
    """The wide one has the greater size factor: it has the reservation, and the one that came before runs behind it."""
    jobs = [Job(0, 6, 10, 10), Job(1, 4, 20, 20), Job(2, 8, 5, 5), Job(3, 2, 7, 7), Job(3, 2, 8, 8)]
    rules = {"weight_age": 0, "weight_fairshare": 0}
    expect_equal(started(folder, jobs, ["ann"] * 5, rules, "easy"), [0, 15, 10, 3, 15], "starts")


def test_priority_counts_slots(folder):
    (folder / "config.toml").write_text(
        "[cluster]\nnodes = 2\n[cluster.resources]\ncpu = 4\n[scheduler]\norder = \"priority\"\nplacement = \"any-free\"\n"
        "[workload]\ngenerator = \"fixed\"\njobs = 2\ntasks = 2\nduration_s = 1\ninterval_s = 1\n")
    somnus(folder, "simulate", "config.toml").expect(MISTAKE, "priority")
