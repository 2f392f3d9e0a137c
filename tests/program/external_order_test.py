"""Orders that are processes of their own: they decide as the built-in ones do, and what they do wrong
is told as their mistake, in bounded time, with a log that opens."""

import os
import subprocess
import sys
from pathlib import Path

from logs import (differences, emulated, expect_clean, mixed_jobs, open_cut_off, rows, rows_of, simulated,
                  write_config, write_workload)
from somnus_program import FINE, MISTAKE, WORLD, each, expect, expect_equal, program, somnus

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


def external(script: Path, more: str = "") -> str:
    return f'order = "external"\n[scheduler.external]\ncommand = ["{sys.executable}", "{script}"]\n{more}\n'


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


def begins(rest: str) -> str:
    """A process that says what it is, and then does `rest` for each question."""
    return f"""
import os, signal, sys, time
def say(text):
    print(text, flush=True)
sys.stdin.readline()
say('{{"protocol": 1, "name": "odd", "events": ["submitted"]}}')
for line in sys.stdin:
    {rest}
"""


@each({
    "is not there": (None, ["cannot be started", "No such file"]),
    "ends at once": ("raise SystemExit(7)", ["has ended with exit code 7"]),
    "raises": ("import sys; sys.stdin.readline(); {}['a']", ["KeyError", "has ended with exit code 1"]),
    "is killed": (begins("os.kill(os.getpid(), signal.SIGKILL)"), ["'odd'", "signal 9"]),
    "hangs": (begins("time.sleep(1000)"), ["'odd'", "did not answer within 0.5 s"]),
    "hangs before it has said a word": ("import time; time.sleep(1000)", ["did not answer within 0.5 s"]),
    "hangs and will not end": (begins("signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(1000)"),
                               ["did not answer within 0.5 s"]),
    "closes its output": (begins("os.close(1); time.sleep(1000)"), ["has closed its input or output"]),
    "speaks no JSON": (begins("say('hello')"), ["'hello'", "one JSON object", "standard error"]),
    "says nothing": (begins("say('')"), ["one JSON object"]),
    "says a list": (begins("say('[1]')"), ["one JSON object"]),
    "says no end of line": (begins("print('{', end='', flush=True); time.sleep(1000)"), ["did not answer"]),
    "speaks another version": ("import sys; sys.stdin.readline(); print('{\"protocol\": 2, \"name\": \"a\"}', flush=True)",
                               ["\"protocol\": 1"]),
    "has no name": ("import sys; sys.stdin.readline(); print('{\"protocol\": 1}', flush=True)", ["expected name"]),
    "misspells": ("import sys; sys.stdin.readline(); print('{\"protocol\": 1, \"name\": \"a\", \"event\": []}', flush=True)",
                  ["event", "did you mean 'events'?"]),
    "wants unknown events": ("import sys; sys.stdin.readline(); print('{\"protocol\": 1, \"name\": \"a\", \"events\": [\"end\"]}', flush=True)",
                             ['found "end"', '"ended"']),
    "answers another question": (begins("say('{\"key\": []}')"), ["'key'", "\"keys\""]),
    "ranks who is not there": (begins("say('{\"keys\": [[77, 1]]}')"), ["unit 77", "not been submitted"]),
    "gives words for keys": (begins("say('{\"keys\": [[0, \"a\"]]}')"), ["a number, a list"]),
    "gives long keys": (begins("say('{\"keys\": [[0, [1, 2, 3, 4, 5]]]}')"), ["at most 4 numbers"]),
    "gives large keys": (begins("say('{\"keys\": [[0, 9007199254740993]]}')"), ["within 2^53"]),
    "gives a negative unit": (begins("say('{\"keys\": [[-1, 0]]}')"), ["[unit, key]"]),
    "wakes in the past": (begins("say('{\"keys\": [], \"wakes_at\": 0}')"), ["not later than now"]),
    "wakes without a word": (begins("say('{\"keys\": [], \"wakes_at\": 999999999999}')"), ["\"wakes\": true"]),
})
def test_what_it_does_wrong_is_told_as_its_mistake(folder, wrong):
    script, words = wrong
    if script is not None:
        (folder / "odd.py").write_text(script)
        command = external(folder / "odd.py", "deadline_s = 0.5")
    else:
        command = 'order = "external"\n[scheduler.external]\ncommand = ["./nowhere"]\n'
    write_workload(folder, mixed_jobs(10))
    write_config(folder, scheduler=command)
    ended = somnus(folder, "simulate", "config.toml", "--log", "a.h5")
    ended.expect(WORLD, "the order '", *words)
    expect("our mistake" not in ended.err, "it is not ours")
    if (folder / "a.h5").exists():
        open_cut_off(folder / "a.h5").close()


def test_a_process_that_dies_over_mpi_ends_the_run(folder):
    (folder / "odd.py").write_text(begins("raise SystemExit(3)"))
    write_workload(folder, mixed_jobs(10))
    write_config(folder, scheduler=external(folder / "odd.py"))
    ended = somnus(folder, "run", "config.toml", "--ranks", 2, "--log", "a.h5")
    ended.expect(WORLD, "'odd'", "has ended with exit code 3")
    open_cut_off(folder / "a.h5").close()


def test_long_lines_and_chatter_do_not_hold_each_other_up(folder):
    (folder / "odd.py").write_text(begins(
        "sys.stderr.write('x' * 100_000 + '\\n'); say(' ' * 300_000 + '{\"keys\": []}')"))
    jobs = [{"job": f"j{at}", "submit": 0, "tasks": 1, "duration": 0.1} for at in range(3000)]
    write_workload(folder, jobs)
    write_config(folder, scheduler=external(folder / "odd.py"))
    somnus(folder, "simulate", "config.toml").expect(FINE)


def test_what_is_missing_in_the_config_is_said_before_anything_starts(folder):
    write_workload(folder, mixed_jobs(10))
    write_config(folder, scheduler='order = "external"\n')
    somnus(folder, "simulate", "config.toml").expect(MISTAKE, "scheduler.external.command", "python3")
    write_config(folder, scheduler='order = "external"\n[scheduler.external]\ncommand = "las.py"\n')
    somnus(folder, "simulate", "config.toml").expect(MISTAKE, "config.toml", "scheduler.external.command", "list")


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
    somnus(folder, "protocol", sys.executable, "odd.py").expect(WORLD, "< []", "one JSON object")


NOTEBOOK = """
import somnus
from somnus_analysis.base.errors import ProgramError

class Srpt(somnus.Order):
    events = ("ended",)
    def key(self, unit):
        return unit.slot_time * (unit.tasks - unit.completed) / unit.tasks

class Wrong(somnus.Order):
    def key(self, unit):
        return {}["no such key"]

log = somnus.simulate("fair.toml", policy=Srpt(), seed=3, settings={"cluster.nodes": 3}, log="theirs.h5")
assert log.complete and len(log.tasks) > 100
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
try:
    somnus.simulate("fair.toml", settings={"cluster.nodse": 3})
    raise SystemExit("it raised nothing")
except ProgramError as error:
    assert "did you mean 'nodes'" in str(error), error
if RUNS:
    emulated = somnus.run("fair.toml", speed=20, policy=Srpt(), log="run.h5")
    assert emulated.complete and (emulated.tasks["outcome"] == 0).sum() > 100
"""


def python(folder: Path, script: str) -> None:
    done = subprocess.run([sys.executable, "-B", "-c", script], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "SOMNUS": program(), "PYTHONPATH": str(ROOT / "analysis")})
    expect(done.returncode == 0, done.stdout + done.stderr)


def test_an_order_of_a_notebook_decides_as_built_in(folder):
    write_workload(folder, jobs_of_all_kinds())
    write_config(folder, "fair.toml")
    python(folder, NOTEBOOK.replace("RUNS", "True"))
    write_config(folder, "ours.toml", nodes=3, scheduler='order = "srpt"\n')
    somnus(folder, "simulate", "ours.toml", "--seed", 3, "--log", "ours.h5").expect(FINE)
    expect_equal_logs(folder, "theirs.h5", "ours.h5")
    somnus(folder, "check", "run.h5").expect(FINE)
    # Who listened there has ended.
    somnus(folder, "replay", "theirs.h5").expect(WORLD, "the order at", "cannot be reached")
    write_config(folder, "both.toml", scheduler='order = "external"\n[scheduler.external]\n'
                 'command = ["a"]\nsocket = "b"\n')
    somnus(folder, "simulate", "both.toml").expect(MISTAKE, "scheduler.external.socket", "found both")
