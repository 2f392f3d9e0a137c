"""Accounts, qualities of service and nice (docs/policies.md 9.5): fair share beside a computation that shares no code, in
fractions, and orders of jobs that say which factors they had."""

import itertools
import json
import math
import random
from fractions import Fraction

import pytest

from logs import FINISHED, rows, write_workload
from somnus_program import FINE, MISTAKE, expect_equal, somnus

# A computation at each second, and nothing but fair share.
FAIR_SHARE = {"weight_age": 0, "weight_job_size": 0, "decay_half_life_s": 0, "calc_period_s": 1, "weight_fairshare": 1000000}


def toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {one}" for key, one in value.items()) + " }"
    return json.dumps(value)


def write_config(folder, rules, slots=1, preemption="none"):
    parameters = "".join(f"priority.{key} = {toml(value)}\n" for key, value in rules.items())
    (folder / "config.toml").write_text(
        f"[cluster]\nnodes = 1\nslots_per_node = {slots}\n[scheduler]\norder = \"priority\"\nplacement = \"any-free\"\n"
        f"backfill = \"none\"\npreemption = \"{preemption}\"\n{parameters}[workload]\nfile = \"workload.jsonl\"\n")


def starts(folder, jobs, rules, weights=None, slots=1):
    """When each job started."""
    header = {"somnus_workload": 1, "name": "w", "users": weights or {}}
    (folder / "workload.jsonl").write_text("".join(json.dumps(line) + "\n" for line in [header, *jobs]))
    write_config(folder, rules, slots)
    somnus(folder, "simulate", "config.toml", "-q", "--log", "log.h5", "--force").expect(FINE)
    for command in ("check", "replay"):
        somnus(folder, command, "log.h5").expect(FINE)
    found = {int(row["job"]): row["start"] for row in rows(folder / "log.h5", "tasks")}
    return [found[job] for job in range(len(jobs))]


def tree_of(accounts, shares):
    """Parent by account, and shares among siblings by account; the root is ""."""
    parents, among = {}, {}
    for path in shares:
        names = path.split("/")
        parents.update(zip(names, ["", *names]))
        among[names[-1]] = shares[path]
    for account in accounts:
        parents.setdefault(account, "")
    return parents, {account: Fraction(among.get(account, 1)) for account in parents}


class Tree:
    """Users are pairs of account ("": none) and name, with a weight and what they have used."""

    def __init__(self, users, accounts, shares):
        self.users = users  # (weight, usage) by user
        self.parents, self.shares = tree_of(accounts, shares)

    def children(self, account):
        below = [(user, *self.users[user]) for user in self.users if user[0] == account]
        return below + [(child, self.shares[child], self.used(child)) for child in self.parents if self.parents[child] == account]

    def used(self, account):
        return sum(usage for _, _, usage in self.children(account))

    def ranks(self):
        """Groups of users that tie, the first before the others."""
        groups = []

        def visit(accounts, shared):
            siblings = []
            for account in accounts:
                below = self.children(account)
                usage, shares = sum(one[2] for one in below), sum(one[1] for one in below)
                siblings += [((used / usage if usage else 0) / (among / shares), isinstance(name, str), name)
                             for name, among, used in below]
            for _, tied in itertools.groupby(sorted(siblings, key=lambda one: one[:2]), key=lambda one: one[0]):
                tied = list(tied)
                users = [name for _, is_account, name in tied if not is_account]
                if users:
                    if shared is None:
                        shared = []
                        groups.append(shared)
                    shared += users
                before = sum(map(len, groups))
                names = [name for _, is_account, name in tied if is_account]
                if names:
                    visit(names, shared)
                if users or sum(map(len, groups)) > before:
                    shared = None

        visit([""], None)
        return groups

    def factors(self):
        factors, before = {}, 0
        for group in self.ranks():
            factors |= dict.fromkeys(group, Fraction(len(self.users) - before, len(self.users)))
            before += len(group)
        return factors

    def classic(self):
        total = self.used("")

        def walk(account, share, effective):
            below = self.children(account)
            among = sum(one[1] for one in below)
            for name, shares, used in below:
                part = Fraction(used) / total if total else Fraction(0)
                mine = part if account == "" else part + (effective - part) * shares / among
                if isinstance(name, str):
                    yield from walk(name, share * shares / among, mine)
                else:
                    yield name, 2 ** -float(mine / (share * shares / among))

        return dict(walk("", Fraction(1), Fraction(1)))


def expected_starts(jobs, weights, accounts, shares, fair_share, slots):
    """A computation each second with what ran until then; users are known from the computation after their first."""
    users, known, waiting, order, now = {}, {}, [], [None] * len(jobs), 0
    to_come, ends = list(range(len(jobs))), {}
    factors = {}
    while to_come or waiting:
        tree = Tree({user: (Fraction(weights.get(user[1], 1)), used) for user, used in users.items() if known[user] < now},
                    accounts, shares)
        if tree.users:
            factors = tree.factors() if fair_share == "tree" else tree.classic()
        while to_come and jobs[to_come[0]]["submit"] <= now:
            at = to_come.pop(0)
            waiting.append(at)
            user = (jobs[at].get("account", ""), jobs[at]["user"])
            users.setdefault(user, Fraction(0))
            known.setdefault(user, now)
        ends = {at: end for at, end in ends.items() if end > now}
        while len(ends) < slots and waiting:
            def key(at):
                factor = factors.get((jobs[at].get("account", ""), jobs[at]["user"]), 1)
                return -math.floor(max(1, 1000000 * float(factor))), at
            first = min(waiting, key=key)
            waiting.remove(first)
            order[first] = now
            ends[first] = now + jobs[first]["durations"][0]
        for at in ends:
            users[jobs[at].get("account", ""), jobs[at]["user"]] += 1
        now += 1
    return order


TREES = {
    "alike": {},
    "two levels": {"physics": 3, "physics/theory": 2, "physics/lab": 1, "chemistry": 2, "idle": 5},
    "three levels": {"uni": 4, "uni/physics": 1, "uni/physics/theory": 1, "uni/physics/lab": 1, "uni/chemistry": 1},
}


@pytest.mark.parametrize("fair_share", ["tree", "classic"])
@pytest.mark.parametrize("name", TREES)
def test_each_job_starts_when_the_tree_says(folder, name, fair_share):
    accounts = ["theory", "lab", "chemistry", "physics"]
    weights = {"ann": 1, "bob": 2, "eve": 0.5}
    for seed in range(25):
        draws = random.Random(seed)
        slots = 1 + seed % 3
        submits = sorted(draws.randint(0, 60 // slots) for _ in range(30))
        jobs = [{"job": f"j{at}", "submit": submit, "durations": [draws.randint(1, 4)], "user": draws.choice(list(weights))}
                for at, submit in enumerate(submits)]
        for job in jobs:
            account = draws.choice([*accounts, ""])
            job |= {"account": account} if account else {}
        expect_equal(starts(folder, jobs, {**FAIR_SHARE, "fair_share": fair_share, "account_shares": TREES[name]}, weights, slots),
                     expected_starts(jobs, weights, accounts, TREES[name], fair_share, slots), f"starts of seed {seed}")


def test_all_below_an_account_go_where_it_does(folder):
    """When the first has ended, physics has used 10 and chemistry nothing: eve goes first, then again, as 10 are more than
    her 2 + 3; dan of physics has used nothing, and goes before ann."""
    jobs = [{"job": "a", "submit": 0, "durations": [10], "user": "ann", "account": "physics"},
            {"job": "b", "submit": 1, "durations": [4], "user": "ann", "account": "physics"},
            {"job": "c", "submit": 2, "durations": [5], "user": "dan", "account": "physics"},
            {"job": "d", "submit": 3, "durations": [2], "user": "eve", "account": "chemistry"},
            {"job": "e", "submit": 4, "durations": [3], "user": "eve", "account": "chemistry"}]
    expect_equal(starts(folder, jobs, FAIR_SHARE), [0, 20, 15, 10, 12], "starts")


def test_a_user_that_ties_with_an_account_shares_the_place_of_the_first_below_it(folder):
    """At 10 both have used 5; nobody is in the account that goes before ann in hers, and her job is the earlier one."""
    jobs = [{"job": "a", "submit": 0, "durations": [5], "user": "bob"},
            {"job": "b", "submit": 1, "durations": [5], "user": "ann", "account": "physics"},
            {"job": "c", "submit": 6, "durations": [1], "user": "ann", "account": "physics"},
            {"job": "d", "submit": 7, "durations": [1], "user": "bob"}]
    rules = {**FAIR_SHARE, "account_shares": {"physics": 1, "physics/idle": 1}}
    expect_equal(starts(folder, jobs, rules), [0, 5, 10, 11], "starts")


@pytest.mark.parametrize("shares", [0.001, 1, 4000000000])
def test_shares_are_relative(folder, shares):
    """The same, whatever the shares are that both have."""
    jobs = [{"job": "a", "submit": 0, "durations": [10], "user": "ann", "account": "physics"},
            {"job": "b", "submit": 1, "durations": [4], "user": "ann", "account": "physics"},
            {"job": "c", "submit": 2, "durations": [5], "user": "dan", "account": "physics"},
            {"job": "d", "submit": 3, "durations": [2], "user": "eve", "account": "chemistry"}]
    expect_equal(starts(folder, jobs, {**FAIR_SHARE, "account_shares": {"physics": shares, "chemistry": shares}}), [0, 17, 12, 10], "starts")


def test_each_of_a_users_accounts_has_used_what_ran_for_it(folder):
    """Until 4 each of ann's two jobs has held a slot, so that the accounts tie, and dan's is the earlier job."""
    jobs = [{"job": "a", "submit": 0, "durations": [10], "user": "ann", "account": "physics"},
            {"job": "b", "submit": 0, "durations": [4], "user": "ann", "account": "chemistry"},
            {"job": "c", "submit": 1, "durations": [3], "user": "dan", "account": "chemistry"},
            {"job": "d", "submit": 2, "durations": [3], "user": "bob", "account": "physics"}]
    expect_equal(starts(folder, jobs, FAIR_SHARE, slots=2), [0, 0, 4, 7], "starts")


def test_who_submits_for_two_accounts_is_two_users(folder):
    """Of 10 she has used as ann of physics, ann of chemistry knows nothing."""
    jobs = [{"job": "a", "submit": 0, "durations": [10], "user": "ann", "account": "physics"},
            {"job": "b", "submit": 1, "durations": [4], "user": "bob", "account": "physics"},
            {"job": "c", "submit": 2, "durations": [5], "user": "ann", "account": "chemistry"}]
    expect_equal(starts(folder, jobs, FAIR_SHARE), [0, 15, 10], "starts")


def test_qos_and_nice_count(folder):
    """high has 10 / 10, low 5 / 10 and who says nothing 0; nice takes 600 away, and -700 gives."""
    jobs = [{"job": "a", "submit": 0, "durations": [1]}, {"job": "b", "submit": 0.5, "durations": [1]},
            {"job": "c", "submit": 0.5, "durations": [1], "qos": "low"},
            {"job": "d", "submit": 0.5, "durations": [1], "qos": "high", "nice": 600},
            {"job": "e", "submit": 0.5, "durations": [1], "nice": -700}, {"job": "f", "submit": 0.5, "durations": [1], "qos": "high"}]
    rules = {"weight_age": 0, "weight_job_size": 0, "weight_fairshare": 0, "weight_qos": 1000, "qos_factors": {"high": 10, "low": 5}}
    expect_equal(starts(folder, jobs, rules), [0, 5, 3, 4, 2, 1], "starts")
    found = [(int(row["job"]), int(row["account"]), int(row["qos"]), row["nice"]) for row in rows(folder / "log.h5", "accounting")]
    none = 4294967295
    expect_equal(found, [(2, none, 0, 0), (3, none, 1, 600), (4, none, none, -700), (5, none, 1, 0)], "rows of /accounting")


def test_the_greatest_factor_may_be_of_a_qos_without_jobs(folder):
    """normal is worth 1000 / 10, less than 200 of nice."""
    jobs = [{"job": "a", "submit": 0, "durations": [1]}, {"job": "b", "submit": 0.5, "durations": [1], "qos": "normal"},
            {"job": "c", "submit": 0.5, "durations": [1], "nice": -200}]
    rules = {"weight_age": 0, "weight_job_size": 0, "weight_fairshare": 0, "weight_qos": 1000, "qos_factors": {"urgent": 1000, "normal": 100}}
    expect_equal(starts(folder, jobs, rules), [0, 2, 1], "starts")


PREEMPTED = [{"job": "a", "submit": 0, "durations": [10], "qos": "low"}, {"job": "b", "submit": 1, "durations": [4]},
             {"job": "c", "submit": 2, "durations": [3], "qos": "high"}, {"job": "d", "submit": 3, "durations": [1], "qos": "high", "nice": -9}]


def test_a_higher_qos_goes_first_whatever_else_counts(folder):
    rules = {"weight_age": 0, "weight_job_size": 0, "weight_fairshare": 0, "qos_tiers": {"high": 2, "low": 0}}
    expect_equal(starts(folder, PREEMPTED, rules), [0, 14, 11, 10], "starts")


@pytest.mark.parametrize("preemption, ends", [("requeue", [20, 10, 5, 6]), ("suspend", [18, 9, 5, 6])])
def test_a_higher_qos_takes_the_slots_of_a_lower_one(folder, preemption, ends):
    """b takes the slot from a at 1, c from b at 2, and d waits for c, as both are of one QOS."""
    write_workload(folder, PREEMPTED)
    write_config(folder, {"weight_fairshare": 0, "qos_tiers": {"high": 2, "low": 0}}, preemption=preemption)
    somnus(folder, "simulate", "config.toml", "-q", "--log", "log.h5").expect(FINE)
    for each in ("check", "replay"):
        somnus(folder, each, "log.h5").expect(FINE)
    found = {int(row["job"]): float(row["finish"]) for row in rows(folder / "log.h5", "tasks") if row["outcome"] == FINISHED}
    expect_equal([found[job] for job in range(4)], ends, "ends")


def test_what_cannot_be_meant_is_refused(folder):
    write_workload(folder, [{"job": "j", "submit": 0, "durations": [1], "account": "lab", "qos": "high"}])
    for rules, words in (({"qos_factors": {"hihg": 2}}, ["QOS 'high' has no factor"]),
                         ({"qos_tiers": {"hihg": 2}}, ["QOS 'high' has no tier"]),
                         ({"account_shares": {"physics": 2}}, ["account 'lab' has no place"]),
                         ({"account_shares": {"physics/lab": 2, "lab": 1}}, ["account 'lab' has two places", "physics/lab"]),
                         ({"account_shares": {"physics//lab": 2}}, ["expected names with '/'", "physics//lab"])):
        write_config(folder, rules)
        somnus(folder, "simulate", "config.toml").expect(MISTAKE, *words)
    write_workload(folder, [{"job": "j", "submit": 0, "durations": [1], "nice": 0.5}])
    somnus(folder, "workload", "show", "workload.jsonl").expect(MISTAKE, "nice", "whole number")


def test_formats_carry_them(folder):
    jobs = [{"job": "j0", "submit": 0, "durations": [1], "account": "lab", "qos": "high", "nice": -5},
            {"job": "j1", "submit": 1, "durations": [1]}]
    write_workload(folder, jobs)
    somnus(folder, "workload", "export", "csv", "workload.jsonl", "-o", "w.csv").expect(FINE)
    columns = [f"{key}={key}" for key in ("submit", "duration", "job", "account", "qos", "nice")]
    somnus(folder, "workload", "import", "csv", "w.csv", "-o", "again.jsonl",
           *(word for one in ["rows=task", *columns] for word in ("--set", one))).expect(FINE)
    lines = [json.loads(line) for line in (folder / "again.jsonl").read_text().splitlines()][1:]
    expect_equal([(one.get("account"), one.get("qos"), one.get("nice")) for one in lines], [("lab", "high", -5), (None, None, None)],
                 "jobs read again")
    somnus(folder, "workload", "export", "swf", "workload.jsonl", "-o", "w.swf").expect(FINE, "accounts, QOS and nice")
    (folder / "w.sacct").write_text("JobID|Submit|Start|End|AllocCPUS|User|Account|QOS|State\n"
                                    "1|10|10|20|2|ann|lab|high|COMPLETED\n2|11|20|30|1|bob|||COMPLETED\n")
    somnus(folder, "workload", "import", "sacct", "w.sacct", "-o", "sacct.jsonl").expect(FINE)
    lines = [json.loads(line) for line in (folder / "sacct.jsonl").read_text().splitlines()][1:]
    expect_equal([(one.get("account"), one.get("qos")) for one in lines], [("lab", "high"), (None, None)], "jobs of sacct")
