"""Orders that are processes of their own decide as the built-in ones do."""

import json
import os
import pty
import sys
from pathlib import Path

from logs import (differences, emulated, expect_clean, mixed_jobs, rows, rows_of, simulated, write_config,
                  write_workload)
from orders import begins, external, python
from somnus_program import DIFFERENCE, FINE, MISTAKE, WORLD, each, expect, expect_equal, somnus

ROOT = Path(__file__).resolve().parents[2]
LAS = ROOT / "examples/las/las.py"

FIFO = """
import somnus
class Fifo(somnus.Order):
    def key(self, unit):
        return unit.arrival
somnus.serve(Fifo())
"""
SRPT = """
import somnus
class Srpt(somnus.Order):
    events = ("ended",)
    def key(self, unit):
        return unit.slot_time * (unit.tasks - unit.completed) / unit.tasks
somnus.serve(Srpt())
"""
FAIR = """
import somnus
class Fair(somnus.Order):
    events = ("started", "ended")
    each_launch = True
    def key(self, unit):
        return unit.running / unit.weight
somnus.serve(Fair())
"""
FAIR_STAGES = FAIR.replace("each_launch = True", "each_launch = True\n    level = 'stage'")
# Without the package: the protocol itself, in a few lines.
LARGEST = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if "init" in said:
        answer = {"protocol": 1, "name": "largest", "events": ["submitted"]}
    else:
        answer = {"keys": [[event["unit"], [-event["slot_time"], 0]] for event in said["events"]]}
    print(json.dumps(answer), flush=True)
"""


def jobs_of_all_kinds() -> list[dict]:
    jobs = mixed_jobs(40)
    for at, job in enumerate(jobs):
        job["weight"] = 1 + at % 3
    return jobs


def expect_equal_logs(folder: Path, theirs: str, ours: str, wakes: bool = False) -> None:
    """`wakes`: how often they were woken may differ, as one of them is asked in vain."""
    logs = [rows_of(folder / log) for log in (ours, theirs)]
    if wakes:
        logs = [{name: column for name, column in log.items()
                 if not (name.startswith("events.") and name.endswith(".number"))
                 and not name.startswith(("events.woken", "scheduler.events"))} for log in logs]
    found = differences(*logs)
    expect(not found, "the logs differ:\n" + "\n".join(found))
    expect(len(rows(folder / theirs, "tasks")) > 100, "there is something to compare")


def simulated_both(folder: Path, built_in: str, script: str, more: str = "") -> None:
    (folder / "order.py").write_text(script)
    write_workload(folder, jobs_of_all_kinds())
    for name, order in (("ours", f"{built_in}\n"), ("theirs", external(folder / "order.py"))):
        write_config(folder, f"{name}.toml", scheduler=order, more=more)
        somnus(folder, "simulate", f"{name}.toml", "--log", f"{name}.h5").expect(FINE)
    expect_equal_logs(folder, "theirs.h5", "ours.h5")
    expect_clean(folder, folder / "theirs.h5")
    somnus(folder, "replay", "theirs.h5").expect(FINE)


FAULTS = "[faults]\nnode_mtbf_s = 4\nnode_repair_s = 1\ntask_failure_probability = 0.05\ntask_attempts = 3\n"


@each({"fifo": ('order = "fifo"', FIFO), "srpt": ('order = "srpt"', SRPT), "fair": ('order = "fair"', FAIR),
       "fair among stages": ('order = "fair"\n[scheduler.fair]\nlevel = "stage"', FAIR_STAGES)})
def test_an_order_decides_in_a_process_as_it_does_built_in(folder, order):
    simulated_both(folder, *order)


def test_nodes_and_tasks_that_fail_are_heard_of(folder):
    simulated_both(folder, 'order = "fair"', FAIR, more=FAULTS)


def test_an_order_that_wakes_decides_as_built_in(folder):
    parameters = "threshold_s = 0.3\nqueues = 3\nfactor = 2.5\n"
    write_workload(folder, jobs_of_all_kinds())
    write_config(folder, "ours.toml", scheduler=f'order = "las"\n[scheduler.las]\n{parameters}')
    table = "parameters = { threshold_s = 0.3, queues = 3, factor = 2.5 }"
    write_config(folder, "theirs.toml", scheduler=external(LAS, table))
    for name in ("ours", "theirs"):
        somnus(folder, "simulate", f"{name}.toml", "--log", f"{name}.h5").expect(FINE)
    expect_equal_logs(folder, "theirs.h5", "ours.h5", wakes=True)
    somnus(folder, "replay", "theirs.h5").expect(FINE)


def test_tiers_of_a_process_let_jobs_take_slots(folder):
    write_workload(folder, [{**job, "gang": True} if "stages" not in job else job
                            for job in jobs_of_all_kinds()])
    write_config(folder, "ours.toml", scheduler='order = "las"\npreemption = "requeue"\n'
                 '[scheduler.las]\nthreshold_s = 0.3\n')
    table = "tiers = true\nparameters = { threshold_s = 0.3 }"
    write_config(folder, "theirs.toml", scheduler='preemption = "requeue"\n' + external(LAS, table))
    for name in ("ours", "theirs"):
        somnus(folder, "simulate", f"{name}.toml", "--log", f"{name}.h5").expect(FINE)
    expect(len(rows(folder / "theirs.h5", "decisions/preemption")) > 0, "some job gave up its slots")
    expect_equal_logs(folder, "theirs.h5", "ours.h5", wakes=True)
    write_config(folder, "none.toml", scheduler='preemption = "requeue"\n' + external(LAS))
    somnus(folder, "simulate", "none.toml").expect(MISTAKE, "scheduler.preemption", "tiers")


def test_what_speaks_the_protocol_needs_no_package(folder):
    (folder / "largest.py").write_text(LARGEST)
    simulated(folder, jobs=mixed_jobs(30), scheduler=external(folder / "largest.py"), log="a.h5")
    somnus(folder, "check", "a.h5").expect(FINE)
    somnus(folder, "replay", "a.h5").expect(FINE)


def test_it_decides_over_mpi(folder):
    write_workload(folder, mixed_jobs(20))
    write_config(folder, scheduler=external(LAS, "parameters = { threshold_s = 0.3 }"))
    emulated(folder, mixed_jobs(20), "config.toml")


def test_each_run_of_an_experiment_has_a_process_of_its_own(folder):
    write_workload(folder, mixed_jobs(20))
    write_config(folder, scheduler=external(LAS))
    one = somnus(folder, "simulate", "config.toml", "--seeds", "1,2,3,4", "--json").expect(FINE).out
    again = somnus(folder, "simulate", "config.toml", "--seeds", "1,2,3,4", "--json", "-j", 1).expect(FINE).out
    expect_equal(one, again, "figures")


def test_jobs_that_have_ended_or_failed_are_forgotten(folder):
    (folder / "odd.py").write_text("""
import somnus
class Careful(somnus.Order):
    each_round = True
    def begins(self, cluster):
        self.there, self.ended_jobs = {}, set()
    def submitted(self, now, unit):
        self.there[unit.job] = unit
    def job_ended(self, now, job):
        del self.there[job]
        self.ended_jobs.add(job)
    def key(self, unit):
        assert unit.job not in self.ended_jobs and self.there[unit.job] is unit
        return -unit.arrival
somnus.serve(Careful())
""")
    jobs = [{"job": f"j{at}", "submit": at * 0.1, "tasks": 3, "duration": 0.4} for at in range(40)]
    write_workload(folder, jobs)
    write_config(folder, scheduler=external(folder / "odd.py"),
                 more="[faults]\ntask_failure_probability = 0.3\ntask_attempts = 1\n")
    somnus(folder, "simulate", "config.toml", "--log", "a.h5").expect(FINE)
    states = rows(folder / "a.h5", "jobs")["state"]
    expect(2 <= (states == states.max()).sum() < 40, f"some jobs fail: {states}")


def test_a_launch_moves_no_other_key_in_its_round(folder):
    (folder / "odd.py").write_text("""
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    answer = {"keys": []}
    if "init" in said:
        answer = {"protocol": 1, "name": "odd", "events": ["submitted", "started"], "each_launch": True}
    elif any(each["event"] == "started" and each["unit"] == 0 for each in said["events"]):
        answer["keys"] = [[1, None]]  # it waits, but not in this round
    elif said["now"] >= 10**8:
        answer["keys"] = [[1, 0]]
    print(json.dumps(answer), flush=True)
""")
    write_workload(folder, [{"job": f"j{at}", "submit": 0, "tasks": 1, "duration": 0.1} for at in range(4)])
    write_config(folder, scheduler=external(folder / "odd.py"))
    somnus(folder, "simulate", "config.toml", "--log", "a.h5").expect(FINE)
    starts = rows(folder / "a.h5", "tasks")["start"]
    expect((starts < 0.1).all(), f"starts: {starts}")


def test_an_order_that_draws_is_run_with_each_seed(folder):
    (folder / "odd.py").write_text("""
import random, somnus
class Lottery(somnus.Order):
    def begins(self, cluster):
        self.random = random.Random(cluster.seed)
    def key(self, unit):
        return self.random.random()
somnus.serve(Lottery())
""")
    write_workload(folder, mixed_jobs(30))
    write_config(folder, scheduler=external(folder / "odd.py"))
    (folder / "e.toml").write_text('axes = {cluster.nodes = [2]}\nexperiment = {config = "config.toml", seeds = 3}\n')
    somnus(folder, "experiment", "e.toml", "-o", "out", "-q").expect(FINE)
    figures = [json.loads(somnus(folder, "simulate", "config.toml", "--json", "--set", "cluster.nodes=2",
                                 "--seeds", seed).out)[0]["response_mean_s"] for seed in (1, 1, 2)]
    expect(figures[0] == figures[1] != figures[2], f"by seed: {figures}")
    expect("-  1" not in somnus(folder, "experiment", "e.toml", "-o", "out2").out, "one run stands for all seeds")


def test_a_unit_that_waits_holds_up_those_behind_it(folder):
    (folder / "odd.py").write_text("""
import somnus
class Every10s(somnus.Order):
    # The second job waits until the first second is over, and whoever comes after it.
    def begins(self, cluster):
        self.held = None
    def submitted(self, now, unit):
        if unit.unit == 1:
            self.held = unit
    def round_begins(self, now):
        if self.held and now >= 10**9:
            self.moved(self.held)
            self.held = None
    def key(self, unit):
        return None if unit is self.held else 0
    def wakes_at(self):
        return 10**9 if self.held else None
somnus.serve(Every10s())
""")
    jobs = [{"job": f"j{at}", "submit": 0, "tasks": 1, "duration": 0.1} for at in range(4)]
    write_workload(folder, jobs)
    write_config(folder, scheduler=external(folder / "odd.py"))
    somnus(folder, "simulate", "config.toml", "--log", "a.h5").expect(FINE)
    starts = sorted(rows(folder / "a.h5", "tasks")["start"])
    expect(starts[0] < 0.1 and starts[1] < 1 <= starts[-1], f"starts: {starts}")
    somnus(folder, "check", "a.h5").expect(FINE)
    somnus(folder, "replay", "a.h5").expect(FINE)


def test_the_protocol_is_printed_and_an_order_can_be_tried(folder):
    somnus(folder, "protocol").expect(FINE, '"init"', "work_left", "wakes_at", "whole nanoseconds")
    for line in somnus(folder, "protocol").out.splitlines():
        expect(len(line) <= 80, f"a long line: {line}")
    tried = somnus(folder, "protocol", "--", sys.executable, LAS)
    tried.expect(FINE, '> {"init"', '< {"protocol":1,"name":"Las"', "12 jobs")
    (folder / "odd.py").write_text(begins("say('{}')"))
    somnus(folder, "protocol", sys.executable, "odd.py").expect(FINE, "12 jobs")
    (folder / "odd.py").write_text(begins("say('[]')"))
    somnus(folder, "protocol", sys.executable, "odd.py").expect(MISTAKE, "< []", "one JSON object")
    (folder / "odd.py").write_text(begins("say('{\"keys\": [[0, null]]}')"))
    somnus(folder, "protocol", sys.executable, "odd.py").expect(DIFFERENCE, "can be understood, but",
                                                                "1 of 12 jobs have not ended")


NOTEBOOK = """
import somnus

class Srpt(somnus.Order):
    events = ("ended",)
    def key(self, unit):
        return unit.slot_time * (unit.tasks - unit.completed) / unit.tasks

class Wrong(somnus.Order):
    def key(self, unit):
        return {}["no such key"]

log = somnus.simulate("fair.toml", policy=Srpt(), seed=3, settings={"cluster.nodes": 3}, log="theirs.h5")
assert log.complete and len(log.tasks) > 100
try:
    somnus.simulate("fair.toml", log="theirs.h5")
    raise SystemExit("it replaced a log")
except FileExistsError as error:
    assert "force=True" in str(error)
kept = somnus.simulate("fair.toml", policy="fifo")
assert kept.summary["jobs_finished"] == 40 and kept.path.exists()
path = kept.path
del kept
assert not path.exists()
try:
    somnus.simulate("fair.toml", policy=Wrong())
    raise SystemExit("it raised nothing")
except KeyError as error:
    assert "no such key" in str(error)
class Missing(somnus.Order):
    def key(self, unit):
        open("no such file")

try:
    somnus.simulate("fair.toml", policy=Missing())
    raise SystemExit("it raised nothing")
except FileNotFoundError as error:
    pass
assert somnus.simulate("fair.toml", settings={"run.seed": 7}).summary["seed"] == 7
try:
    somnus.simulate("fair.toml", settings={"cluster.nodse": 3})
    raise SystemExit("it raised nothing")
except somnus.ProgramError as error:
    assert "did you mean 'nodes'" in str(error), error
for wrong, words in ((Srpt, "did you mean Srpt()?"), (7, "found 7"), (lambda unit: 0, "expected an instance")):
    try:
        somnus.simulate("fair.toml", policy=wrong)
        raise SystemExit("it raised nothing")
    except TypeError as error:
        assert words in str(error), error

class Deaf(somnus.Order):
    events = ()
    def key(self, unit):
        return unit.work_left

try:
    somnus.simulate("fair.toml", policy=Deaf())
    raise SystemExit("it raised nothing")
except AttributeError as error:
    assert "events = ('ended',)" in str(error), error
if RUNS:
    emulated = somnus.run("fair.toml", speed=20, policy=Srpt(), log="run.h5")
    assert emulated.complete and (emulated.tasks["outcome"] == 0).sum() > 100
"""


EXPERIMENT = """
import somnus
SRPT
found = somnus.experiment("fair.toml", policies=["srpt", Srpt(), "fair"], axes={"cluster.nodes": [3, 4]}, seeds=2,
                          baseline="fair", folder="out")
table = found.results.pivot(index=["cluster.nodes", "seed", "metric"], columns="policy", values="value")
asked = ("decision", "scheduler")  # how long it took, in real time
table = table[[not name.startswith(asked) for name in table.index.get_level_values("metric")]].dropna()
assert len(table) > 100 and (table["srpt"] == table["Srpt"]).all() and (table["srpt"] != table["fair"]).any()
"""


def test_an_order_of_a_notebook_is_in_experiments_what_it_is_built_in(folder):
    write_workload(folder, jobs_of_all_kinds())
    write_config(folder, "fair.toml")
    order = NOTEBOOK[NOTEBOOK.index("class Srpt"):NOTEBOOK.index("class Wrong")]
    python(folder, EXPERIMENT.replace("SRPT", order))
    tables = {path: path.read_bytes() for path in (folder / "out").iterdir()}
    said = python(folder, "import somnus\ntry:\n    " + 'somnus.experiment("fair.toml", policies=["ujf"], folder="out")\n'
                  "except FileExistsError as error:\n    print(error)\nelse:\n    raise SystemExit('it went on')")
    expect_equal(said, "", "words on standard error")
    expect_equal({path: path.read_bytes() for path in (folder / "out").iterdir()}, tables, "files")


def test_a_run_says_how_far_it_is_at_a_terminal_alone(folder):
    write_workload(folder, [{"job": f"j{at}", "submit": at * 0.02, "tasks": 1, "duration": 0.05} for at in range(180)])
    write_config(folder)
    script = 'import somnus\nsomnus.run("config.toml", speed=1)'
    expect_equal(python(folder, script), "", "words where there is no terminal")
    terminal, end = pty.openpty()
    python(folder, script, stderr=end)
    os.close(end)
    said = os.read(terminal, 1 << 16).decode()
    os.close(terminal)
    expect(" s: " in said and " %, " in said and " s left; at " in said, f"as it ran: {said!r}")
    expect(said.endswith("\r") and not said.split("\r")[-2].strip(), f"at its end: {said!r}")


def test_an_order_of_a_notebook_decides_as_built_in(folder):
    write_workload(folder, jobs_of_all_kinds())
    write_config(folder, "fair.toml")
    python(folder, NOTEBOOK.replace("RUNS", "True"))
    write_config(folder, "ours.toml", nodes=3, scheduler='order = "srpt"\n')
    somnus(folder, "simulate", "ours.toml", "--seed", 3, "--log", "ours.h5").expect(FINE)
    expect_equal_logs(folder, "theirs.h5", "ours.h5")
    somnus(folder, "check", "run.h5").expect(FINE)
    # Who listened there has ended.
    somnus(folder, "replay", "theirs.h5").expect(WORLD, "the order at", "cannot be reached", "--recorded")
    somnus(folder, "replay", "--recorded", "theirs.h5").expect(FINE, "nobody decided them again")
    write_config(folder, "both.toml", scheduler='order = "external"\n[scheduler.external]\n'
                 'command = ["a"]\nsocket = "b"\n')
    somnus(folder, "simulate", "both.toml").expect(MISTAKE, "scheduler.external.socket", "found both")


def test_what_is_called_much_like_a_hook_is_warned_of(folder):
    (folder / "odd.py").write_text(FIFO.replace("    def key", "    def round_begin(self, now):\n        pass\n    def key"))
    simulated(folder, jobs=mixed_jobs(5), scheduler=external(folder / "odd.py"), log="a.h5")
    somnus(folder, "protocol", sys.executable, "odd.py").expect(
        FINE, "Fifo.round_begin is read by nobody; did you mean 'round_begins'?")
