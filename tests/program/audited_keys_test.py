"""run.audit_keys: an order from outside whose keys move without an event that it gets is told of."""

import json

from logs import mixed_jobs, write_config, write_workload
from orders import begins, external
from somnus_program import FINE, MISTAKE, expect, somnus

STALE = """
import somnus
class Stale(somnus.Order):
    EVENTS
    def __init__(self):
        super().__init__()
        self.jobs = {}
    def submitted(self, now, unit):
        self.jobs[unit.user] = self.jobs.get(unit.user, 0) + 1
        MOVES
    def key(self, unit):
        return self.jobs[unit.user], unit.slot_time
somnus.serve(Stale())
"""


def test_an_audit_of_keys_finds_those_that_move_unnoticed(folder):
    write_workload(folder, [{**job, "user": "one"} for job in mixed_jobs(20)])
    write_config(folder, scheduler=external(folder / "stale.py"))
    (folder / "stale.py").write_text(STALE.replace("EVENTS", "events = ()").replace("MOVES", "pass"))
    somnus(folder, "simulate", "config.toml").expect(FINE)
    audit = ("--set", "run.audit_keys=true")
    somnus(folder, "simulate", "config.toml", *audit).expect(
        MISTAKE, "stale.py' ('Stale') has job ", "at the key [1, ", "asked for all keys at ", "it gives [2, ", "moved()")
    # All of a user's jobs are said to have moved.
    moved = STALE.replace("EVENTS", "events = ()").replace(
        "MOVES", "self.live[unit.job] = unit; [self.moved(each) for each in self.live.values()]").replace(
        "self.jobs = {}", "self.jobs, self.live = {}, {}")
    (folder / "stale.py").write_text(moved.replace("    def key", "    def job_ended(self, now, job):\n"
                                                   "        del self.live[job]\n    def key"))
    somnus(folder, "simulate", "config.toml", *audit, "--log", "a.h5").expect(FINE)
    somnus(folder, "replay", "a.h5").expect(FINE)


def test_an_audit_of_keys_is_refused_where_nobody_could_answer(folder):
    (folder / "odd.py").write_text(begins("say('{}')"))
    write_workload(folder, mixed_jobs(5))
    write_config(folder, scheduler=external(folder / "odd.py"))
    somnus(folder, "simulate", "config.toml", "--set", "run.audit_keys=true").expect(
        MISTAKE, "'odd'", "run.audit_keys", '"all_keys": true')
    somnus(folder, "simulate", "config.toml", "--policy", "tetris", "--set", "run.audit_keys=true").expect(
        MISTAKE, "run.audit_keys", "ignored with scheduler.policy = \"tetris\"")


def test_no_order_of_this_program_has_keys_that_move_unnoticed(folder):
    write_workload(folder, mixed_jobs(40))
    write_config(folder, more="[faults]\nnode_mtbf_s = 4\nnode_repair_s = 1\ntask_failure_probability = 0.05\n")
    parts = json.loads(somnus(folder, "policies", "--json").out)["parts"]
    orders = [part["name"] for part in parts if part["kind"] == "order" and part["name"] != "external"]
    audited = []
    for name in orders:
        ended = somnus(folder, "simulate", "config.toml", "--policy", f"fair+order={name}", "-q", "--set", "run.audit_keys=true")
        if ended.code != MISTAKE:  # it wants what this config does not have
            ended.expect(FINE)
            audited.append(name)
    expect(len(audited) > len(orders) / 2, f"audited {audited} of {orders}")
