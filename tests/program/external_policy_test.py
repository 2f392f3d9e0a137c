"""Whole policies that are processes of their own: what they decide, from where, and how fast it is heard of."""

import json
import re
import sys
from pathlib import Path

from logs import differences, emulated, expect_clean, mixed_jobs, rows, rows_of, write_config, write_workload
from orders import python
from policies import FIRST_FIT, answers, table
from somnus_program import DIFFERENCE, FINE, MISTAKE, WORLD, each, expect, expect_equal, somnus

FAULTS = "[faults]\nnode_mtbf_s = 4\nnode_repair_s = 1\ntask_failure_probability = 0.05\ntask_attempts = 3\n"


def gangs(jobs: list[dict]) -> list[dict]:
    return [job if "stages" in job else {**job, "gang": True} for job in jobs]


def exclusive(jobs: list[dict]) -> list[dict]:
    """Those of one stage: gangs, or each its only task, beside others."""
    return [job if "stages" in job or at % 3 == 0 else {**job, "exclusive": True} for at, job in enumerate(jobs)]


def single(jobs: list[dict]) -> list[dict]:
    """A third of those of one stage has one task."""
    return [{**{key: value for key, value in job.items() if key != "durations"}, "tasks": 1, "duration": 0.2}
            if "stages" not in job and at % 3 else job for at, job in enumerate(jobs)]


def demanding(jobs: list[dict]) -> list[dict]:
    def with_demand(at: int, stage: dict) -> dict:
        return {**stage, "demand": {"cpu": 0.7 + at % 3, "mem": 1 + at % 5 / 10}}

    return [{**job, "stages": [with_demand(at, stage) for stage in job["stages"]]} if "stages" in job
            else with_demand(at, job) for at, job in enumerate(jobs)]


def preferring(jobs: list[dict]) -> list[dict]:
    return [{**job, "affinity": [3, 1]} if at % 2 and "stages" not in job else job for at, job in enumerate(jobs)]


def expect_as_fifo(folder: Path, jobs: list[dict], scheduler: str = "", more: str = "",
                   resources: list[str] | None = None, change=lambda config: config) -> None:
    """Row by row, but for the config, and for how often it was woken where nothing came of it."""
    (folder / "first_fit.py").write_text(FIRST_FIT)
    write_workload(folder, jobs, resources=resources)
    for name, policy, parameters in (("ours", "fifo", ""), ("theirs", "external", table(folder / "first_fit.py"))):
        config = write_config(folder, f"{name}.toml", policy=policy, scheduler=scheduler + parameters, more=more)
        config.write_text(change(config.read_text()))
        somnus(folder, "simulate", config, "--log", f"{name}.h5").expect(FINE)
    ours, theirs = rows_of(folder / "ours.h5"), rows_of(folder / "theirs.h5")
    found = differences(ours, theirs)
    expect(not found, "the logs differ:\n" + "\n".join(found))
    expect(len(theirs["tasks.job"]) > 100, "there is something to compare")
    expect_clean(folder, folder / "theirs.h5")


ON_RESOURCES = "nodes = 6\nresources = { cpu = 3, mem = 4.3 }\n"


@each({
    "slots": {},
    "faults": {"more": FAULTS},
    "backups": {"more": "[speculation]\nslowdown = 1.2\nleast_s = 0.1\nquantile = 0.3\n"},
    "heartbeats": {"scheduler": 'feedback = "heartbeat"\n'},
    "any heartbeat": {"scheduler": 'feedback = "any-heartbeat"\n'},
    "heartbeats and faults": {"scheduler": 'feedback = "heartbeat"\n', "more": FAULTS},
    "a cycle": {"scheduler": "cycle_s = 0.25\n"},
    "breadth first": {"scheduler": 'within = "breadth-first"\n'},
    "gangs": {"jobs": gangs(mixed_jobs(60))},
    "gangs and faults": {"jobs": gangs(mixed_jobs(60)), "more": FAULTS},
    "exclusive": {"jobs": exclusive(single(mixed_jobs(60)))},
    "exclusive gangs": {"jobs": exclusive(gangs(mixed_jobs(60)))},
    "exclusive gangs on resources": {
        "jobs": exclusive(gangs(demanding(mixed_jobs(60)))), "resources": ["cpu", "mem"],
        "change": lambda text: text.replace("nodes = 4\nslots_per_node = 2\n", ON_RESOURCES)},
    "preferences": {"jobs": preferring(mixed_jobs(60))},
    "resources": {"jobs": demanding(mixed_jobs(60)), "resources": ["cpu", "mem"],
                  "change": lambda text: text.replace("nodes = 4\nslots_per_node = 2\n", ON_RESOURCES)},
    "gangs on resources": {"jobs": gangs(demanding(mixed_jobs(60))), "resources": ["cpu", "mem"],
                           "change": lambda text: text.replace("nodes = 4\nslots_per_node = 2\n", ON_RESOURCES)},
    "slots and resources": {"jobs": demanding(mixed_jobs(60)), "resources": ["cpu", "mem"], "more": FAULTS,
                            "change": lambda text: text.replace("nodes = 4\n", ON_RESOURCES)},
})
def test_first_fit_in_a_process_decides_as_fifo(folder, world):
    expect_as_fifo(folder, **{"jobs": mixed_jobs(60), **world})


LOTTERY = """
import random, somnus
class Lottery(somnus.Policy):
    def begins(self, cluster):
        self.random = random.Random(cluster.seed)
    def plan(self, now):
        while self.any_ready and (waiting := list(self.waiting())):
            self.place(self.random.choice(waiting), self.random.choice(list(self.ready_nodes())))
somnus.serve(Lottery())
"""
# Only on the second, and then as many as there is room for at once.
ON_THE_SECOND = """
import somnus
class OnTheSecond(somnus.Policy):
    next = 0
    def plan(self, now):
        if now < self.next:
            return self.wake_at(self.next)
        self.next = now - now % 10**9 + 10**9
        for stage in self.waiting():
            for node in self.ready_nodes():
                if tasks := node.room(stage.demand, stage.runnable):
                    self.place(stage, node, tasks)
        self.wake_at(self.next)
somnus.serve(OnTheSecond())
"""
# The latest first, who takes the slots of those that came before, each job's once.
LATEST = """
import somnus
class Latest(somnus.Policy):
    def begins(self, cluster):
        self.preempted = set()
    def plan(self, now):
        for stage in reversed(list(self.waiting())):
            nodes = self.nodes_for_gang(stage) if stage.gang else [self.first_with_room(stage)]
            if all(nodes) and nodes:
                self.place_gang(stage, nodes) if stage.gang else self.place(stage, nodes[0])
                continue
            for other in self.stages.values():
                whole = (other.gang or other.tasks == 1) and other.running == other.tasks
                if whole and other.job.job < stage.job.job and other.job.job not in self.preempted:
                    self.preempted.add(other.job.job)
                    self.preempt(other, stage)
                    break
    def job_ended(self, now, job):
        self.promise(job, now)
somnus.serve(Latest())
"""
# Each stage takes places in the queues of two nodes a task, and the first that come.
SPARROW = """
import random, somnus
class Sparrow(somnus.Policy):
    def begins(self, cluster):
        self.random, self.turns, self.asked = random.Random(cluster.seed), [], {}
    def stage_runnable(self, now, stage):
        self.asked[stage.stage] = stage
    def node_answered(self, now, answer):
        if answer.reply == "ready":
            self.turns.append((answer.node, answer.stage))
        elif answer.stage:
            self.asked[answer.stage.stage] = answer.stage
    def plan(self, now):
        for node, stage in self.turns:
            if stage is None or not node.up:
                continue
            self.place_reserved(stage, node) if stage.runnable else self.decline(node, stage)
        self.turns = []
        up = [node for node in self.nodes if node.up]
        for stage in list(self.asked.values()) if up else []:
            del self.asked[stage.stage]
            for _ in range(2 * stage.runnable):
                self.reserve(self.random.choice(up), stage)
somnus.serve(Sparrow())
"""
# Where nodes have queues: to the shortest, and back from those that are longer than two.
SHORTEST_QUEUE = """
import somnus
class ShortestQueue(somnus.Policy):
    def begins(self, cluster):
        self.long = []
    def node_offered(self, now, report):
        if report.queued > 2:
            self.long.append(report.node)
    def plan(self, now):
        for node in self.long:
            self.take_back(node, 2)
        self.long = []
        for stage in self.waiting():
            while stage.runnable and self.any_ready:
                self.place(stage, min(self.ready_nodes(), key=lambda node: (node.queued - node.free_slots, node.wait)))
            self.target(stage.job, 0.5, 0.25)
somnus.serve(ShortestQueue())
"""


def of_script(folder: Path, script: str, more: str = "", parameters: str = "", config: str = "config.toml") -> Path:
    (folder / "policy.py").write_text(script)
    return write_config(folder, config, policy="external", scheduler=more + table(folder / "policy.py", parameters))


def test_a_policy_that_draws_can_be_repeated_by_its_seed(folder):
    write_workload(folder, mixed_jobs(40))
    of_script(folder, LOTTERY)
    means = [json.loads(somnus(folder, "simulate", "config.toml", "--json", "--set", "cluster.nodes=2", "--seed", seed,
                               "--log", f"{at}.h5").expect(FINE).out)[0]["response_mean_s"]
             for at, seed in enumerate((1, 1, 2))]
    expect(means[0] == means[1] != means[2], f"by seed: {means}")
    expect(not differences(rows_of(folder / "0.h5"), rows_of(folder / "1.h5")), "one seed, one log")
    expect_clean(folder, folder / "2.h5")


def test_each_run_of_an_experiment_has_a_process_of_its_own(folder):
    write_workload(folder, mixed_jobs(20))
    of_script(folder, LOTTERY)
    seeds = ("simulate", "config.toml", "--seeds", "1,2,3,4", "--json")
    expect_equal(somnus(folder, *seeds).expect(FINE).out, somnus(folder, *seeds, "-j", 1).expect(FINE).out, "figures")
    (folder / "e.toml").write_text('axes = {cluster.nodes = [2, 4]}\nexperiment = {config = "config.toml", seeds = 3}\n')
    somnus(folder, "experiment", "e.toml", "-o", "out", "-q").expect(FINE)


@each({"first fit": (FIRST_FIT, ""), "on the second": (ON_THE_SECOND, ""),
       "with queues": (SHORTEST_QUEUE, 'queue = "worker"\nfeedback = "heartbeat"\n')})
def test_it_decides_over_mpi(folder, how):
    of_script(folder, *how)
    write_workload(folder, mixed_jobs(20))
    emulated(folder, mixed_jobs(20), "config.toml")


def test_a_policy_that_wakes_decides_then(folder):
    of_script(folder, ON_THE_SECOND)
    write_workload(folder, mixed_jobs(40))
    somnus(folder, "simulate", "config.toml", "--log", "a.h5").expect(FINE)
    starts = rows(folder / "a.h5", "tasks")["start"]
    expect((starts % 1 == 0).all() and len(set(starts)) > 3, f"starts: {sorted(set(starts))}")
    expect_clean(folder, folder / "a.h5")


@each({"whose work is lost": ("", 5), "whose work is kept": ('preempted_work = "kept"', 6)})
def test_who_goes_first_may_take_slots(folder, work):
    of_script(folder, LATEST, "", work[0])
    write_workload(folder, gangs(mixed_jobs(40)))
    somnus(folder, "simulate", "config.toml", "--log", "a.h5").expect(FINE)
    expect(len(rows(folder / "a.h5", "decisions/preemption")) > 5, "some gave up their slots")
    expect(len(rows(folder / "a.h5", "decisions/promise")) > 5, "promises were made")
    ends = {row["outcome"] for row in rows(folder / "a.h5", "tasks")}
    expect_equal(ends, {0, work[1]}, "outcomes: finished, and killed or suspended")
    expect_clean(folder, folder / "a.h5")


@each({"plain": "", "with faults": FAULTS})
def test_it_may_reserve_places_in_queues(folder, faults):
    write_workload(folder, mixed_jobs(40))
    of_script(folder, SPARROW, 'queue = "worker"\n', "asks = true")
    (folder / "config.toml").write_text((folder / "config.toml").read_text() + faults)
    somnus(folder, "simulate", "config.toml", "--log", "a.h5").expect(FINE)
    expect(len(rows(folder / "a.h5", "decisions/ask")) > 100, "it asked")
    expect_clean(folder, folder / "a.h5")
    of_script(folder, SPARROW, "", "asks = true", "none.toml")
    somnus(folder, "simulate", "none.toml").expect(MISTAKE, "scheduler.policy", "scheduler.queue = \"worker\"")


def test_it_may_take_back_what_is_queued(folder):
    write_workload(folder, mixed_jobs(60, gap_s=0.03))
    of_script(folder, SHORTEST_QUEUE, 'queue = "worker"\nfeedback = "any-heartbeat"\n')
    somnus(folder, "simulate", "config.toml", "--log", "a.h5").expect(FINE)
    expect(len(rows(folder / "a.h5", "decisions/revoke")) > 0, "it took some back")
    expect_clean(folder, folder / "a.h5")


def test_jobs_that_have_ended_or_failed_are_forgotten(folder):
    of_script(folder, FIRST_FIT.replace("    def plan", """
    def job_ended(self, now, job):
        assert job.job not in self.jobs and not any(stage.stage in self.stages for stage in job.stages)
        if job.failed:
            open("failed", "w")
    def plan""", 1))
    jobs = [{"job": f"j{at}", "submit": at * 0.1, "tasks": 3, "duration": 0.4} for at in range(40)]
    write_workload(folder, jobs)
    (folder / "config.toml").write_text((folder / "config.toml").read_text()
                                        + "[faults]\ntask_failure_probability = 0.3\ntask_attempts = 1\n")
    somnus(folder, "simulate", "config.toml", "--log", "a.h5").expect(FINE)
    expect((folder / "failed").exists(), "some job failed")
    expect_clean(folder, folder / "a.h5")


def test_a_process_of_the_other_level_is_told_so(folder):
    write_workload(folder, mixed_jobs(5))
    of_script(folder, "import somnus\nclass Fifo(somnus.Order):\n    def key(self, unit):\n        return 0\nsomnus.serve(Fifo())\n")
    somnus(folder, "simulate", "config.toml").expect(WORLD, 'Fifo is an order: scheduler.order = "external"')
    (folder / "policy.py").write_text(FIRST_FIT)
    write_config(folder, policy="fair", scheduler='order = "external"\n' + table(folder / "policy.py"))
    somnus(folder, "simulate", "config.toml").expect(WORLD, 'FirstFit is a whole policy: scheduler.policy = "external"')
    write_config(folder, policy="fair", scheduler=table(folder / "policy.py"))
    somnus(folder, "simulate", "config.toml").expect(MISTAKE, 'scheduler.policy = "external", or scheduler.order = "external"')


def test_the_protocol_is_printed_and_a_policy_can_be_tried(folder):
    both = somnus(folder, "protocol").expect(FINE, "An order that is a process", "A whole policy that is a process").out
    for line in both.splitlines():
        expect(len(line) <= 80, f"a long line: {line}")
    for level in ("order", "policy"):
        alone = somnus(folder, "protocol", "--level", level).expect(FINE).out
        expect(alone in both and alone != both, f"--level {level} is a part of both")
    somnus(folder, "protocol", "--level", "task").expect(MISTAKE, "expected order or policy, found 'task'")
    (folder / "first_fit.py").write_text(FIRST_FIT)
    tried = somnus(folder, "protocol", "--level", "policy", "--", sys.executable, "first_fit.py")
    tried.expect(FINE, '> {"init"', '< {"protocol":1,"level":"policy","name":"FirstFit"', "12 jobs")
    (folder / "odd.py").write_text(answers("say('{}')"))
    somnus(folder, "protocol", "--level", "policy", sys.executable, "odd.py").expect(
        DIFFERENCE, "can be understood, but", "12 of 12 jobs have not ended")
    (folder / "odd.py").write_text(answers("say('{\"place\": [[0, 99]]}')"))
    somnus(folder, "protocol", "--level", "policy", sys.executable, "odd.py").expect(
        MISTAKE, "< {\"place\": [[0, 99]]}", "there is no such node (place[0] of its answer)")


TWO_JOBS = [{"job": "a", "submit": 0, "user": "ann", "durations": [2, 3, 2]},
            {"job": "b", "submit": 1, "user": "bob", "stages": [
                {"stage": 0, "durations": [1]}, {"stage": 1, "parents": [0], "tasks": 2, "duration": 1, "gang": True}]}]
SRPT = """
import somnus
class Srpt(somnus.Order):
    events = ("ended",)
    def key(self, unit):
        return unit.work_left / 1e9
somnus.serve(Srpt())
"""


@each({"order": ("order", "fair", 'order = "external"\n', SRPT), "policy": ("policy", "external", "", FIRST_FIT)})
def test_the_session_that_is_printed_is_what_is_said(folder, how):
    level, policy, chosen, script = how
    (folder / "it.py").write_text(script)
    write_workload(folder, TWO_JOBS)
    write_config(folder, nodes=2, slots=1, policy=policy, scheduler=chosen + table(folder / "it.py", "trace = true"))
    err = somnus(folder, "simulate", "config.toml", "-q").expect(FINE).err
    said = [line for line in err.splitlines() if line[:2] in ("> ", "< ")]
    words = somnus(folder, "protocol", "--level", level).out
    printed = re.sub(r",\n    ", ",", words[words.index('  > {"init"'):]).splitlines()
    expect_equal([line.strip() for line in printed], said, "lines")


def test_a_policy_is_begun_by_a_command(folder):
    somnus(folder, "new", "policy", "mine", "-o", "here").expect(FINE, "here/README.md")
    somnus(folder / "here", "simulate", "compare.toml", "--policy", "fair,external").expect(FINE, "mine.py")
    somnus(folder / "here", "protocol", "--level", "policy", "python3", "mine.py").expect(FINE, "12 jobs")
    for name, words in (("tetris", "is there already"), ("A", "small letters"), ("here", "is there already")):
        somnus(folder, "new", "policy", name).expect(MISTAKE, words)
    somnus(folder, "new", "policy", "fine", "--language", "java").expect(MISTAKE, "expected cpp or python", "java")


def test_replay_says_where_another_process_decides_otherwise(folder):
    write_workload(folder, mixed_jobs(20))
    of_script(folder, FIRST_FIT)
    somnus(folder, "simulate", "config.toml", "--log", "a.h5").expect(FINE)
    of_script(folder, LOTTERY)
    somnus(folder, "replay", "a.h5").expect(DIFFERENCE, "round")
    of_script(folder, answers("say('{\"place\": [[0, 99]]}')"))
    somnus(folder, "replay", "a.h5").expect(MISTAKE, "'odd'", "node 99", "there is no such node (place[0] of its answer)")
    (folder / "policy.py").unlink()
    somnus(folder, "check", "a.h5").expect(FINE)


NOTEBOOK = """
import somnus

class FirstFit(somnus.Policy):
    def plan(self, now):
        for stage in self.waiting():
            while stage.runnable and (node := self.first_with_room(stage)):
                self.place(stage, node)

class Twice(FirstFit):
    def plan(self, now):
        node = next(self.ready_nodes())
        for stage in self.waiting():
            self.place(stage, node, stage.runnable)

theirs = somnus.simulate("ours.toml", policy=FirstFit(), log="theirs.h5")
assert theirs.complete and len(theirs.tasks) > 100
try:
    somnus.simulate("ours.toml", policy=Twice())
    raise SystemExit("it raised nothing")
except ValueError as error:
    assert "has no room for" in str(error) or "is not ready" in str(error), error
for wrong, words in ((FirstFit, "did you mean FirstFit()?"), (7, "found 7")):
    try:
        somnus.simulate("ours.toml", policy=wrong)
        raise SystemExit("it raised nothing")
    except TypeError as error:
        assert words in str(error), error
emulated = somnus.run("ours.toml", speed=20, policy=FirstFit(), log="run.h5")
assert emulated.complete
"""


def test_a_policy_of_a_notebook_decides_as_built_in(folder):
    write_workload(folder, mixed_jobs(40))
    write_config(folder, "ours.toml", policy="fifo")
    python(folder, NOTEBOOK)
    somnus(folder, "simulate", "ours.toml", "--log", "ours.h5").expect(FINE)
    found = differences(rows_of(folder / "ours.h5"), rows_of(folder / "theirs.h5"))
    expect(not found, "the logs differ:\n" + "\n".join(found))
    somnus(folder, "check", "run.h5").expect(FINE)


def test_what_is_called_much_like_a_hook_is_warned_of(folder):
    of_script(folder, FIRST_FIT.replace("    def plan", "    def task_end(self, now, end):\n        pass\n    def plan", 1))
    write_workload(folder, mixed_jobs(5))
    somnus(folder, "simulate", "config.toml").expect(FINE, "FirstFit.task_end is read by nobody; did you mean 'task_ended'?")
