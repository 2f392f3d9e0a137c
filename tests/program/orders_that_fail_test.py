"""Orders that are processes and do something wrong: it is told as their mistake, in bounded time, with a log that opens,
and nobody is left."""

import signal
import sys
import time
from pathlib import Path

from logs import mixed_jobs, open_cut_off, write_config, write_workload
from orders import begins, external
from somnus_program import FINE, MISTAKE, WORLD, each, expect, somnus, start

# Sentences of a process that does not answer, which is no mistake of its author.
NO_ANSWER = ("cannot be started", "has ended", "signal", "did not answer", "has closed")


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
    "ends and leaves a child": (begins("os.fork() or time.sleep(1000); os._exit(7)"), ["has ended with exit code 7"]),
    "says what is no text": (begins("say('a\\0\\33b')"), ["'a\\u{0}\\u{1b}b': expected one JSON object"]),
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
    "gives long keys": (begins("say('{\"keys\": [[0, [1, 2, 3, 4, 5]]]}')"), ["1 to 4 numbers"]),
    "gives large keys": (begins("say('{\"keys\": [[0, 9007199254740993]]}')"), ["within 2^53"]),
    "gives a negative unit": (begins("say('{\"keys\": [[-1, 0]]}')"), ["[unit, key]"]),
    "says more than it was asked": (begins("say('{}\\n{}')"), ["said more than it was asked"]),
    "gives keys that no double holds": (begins("say('{\"keys\": [[0, 18446744073709551615]]}')"), ["within 2^53"]),
    "gives infinite keys": (begins("say('{\"keys\": [[0, Infinity]]}')"), ["neither Infinity nor NaN"]),
    "gives empty keys": (begins("say('{\"keys\": [[0, []]]}')"), ["1 to 4 numbers"]),
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
    ended.expect(WORLD if any(word.startswith(NO_ANSWER) for word in words) else MISTAKE, "the order '", *words)
    expect("our mistake" not in ended.err, "it is not ours")
    if (folder / "a.h5").exists():
        open_cut_off(folder / "a.h5").close()


def test_no_more_is_kept_than_an_answer_may_have(folder):
    (folder / "odd.py").write_text(begins("print('x' * 80_000_000, end='', flush=True); time.sleep(1000)"))
    write_workload(folder, mixed_jobs(10))
    write_config(folder, scheduler=external(folder / "odd.py", "deadline_s = 100"))
    somnus(folder, "simulate", "config.toml").expect(MISTAKE, "'odd'", "bytes without an end of the line")


def ignore_signals():
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def test_it_gets_the_usual_signals_though_a_shell_has_ignored_them(folder):
    (folder / "odd.py").write_text(begins(
        "print(*(signal.getsignal(each) for each in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)), file=open('signals', 'w'))"
        "; say('{}')"))
    write_workload(folder, mixed_jobs(2))
    write_config(folder, scheduler=external(folder / "odd.py"))
    somnus(folder, "simulate", "config.toml", preexec=ignore_signals)
    expect("SIG_IGN" not in (folder / "signals").read_text(), (folder / "signals").read_text())


def still_runs(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:1]
    except FileNotFoundError:
        return False


def test_nobody_whom_it_has_started_is_left(folder):
    (folder / "odd.py").write_text("import os\nopen('pid', 'w').write(str(os.getpid()))\n"
                                   + begins("time.sleep(1000)"))
    write_workload(folder, mixed_jobs(10))
    write_config(folder, scheduler='order = "external"\n[scheduler.external]\ndeadline_s = 0.5\n'
                 f'command = ["sh", "-c", "{sys.executable} odd.py; true"]\n')
    somnus(folder, "simulate", "config.toml").expect(WORLD, "did not answer")
    end = time.monotonic() + 5
    while still_runs(int((folder / "pid").read_text())):
        expect(time.monotonic() < end, "a process of the order goes on")
        time.sleep(0.05)


def test_ctrl_c_ends_it_while_it_is_waited_for(folder):
    (folder / "odd.py").write_text(begins("open('asked', 'w'); time.sleep(1000)"))
    write_workload(folder, mixed_jobs(10))
    write_config(folder, scheduler=external(folder / "odd.py", "deadline_s = 100"))
    with start(folder, "simulate", "config.toml") as run:
        run.until((folder / "asked").exists, "it has been asked")
        began = time.monotonic()
        run.signal(signal.SIGINT)
        run.wait(20).expect(WORLD, "was waited for when this program was asked to end")
    expect(time.monotonic() < began + 10, "it ends at once")


def test_a_process_that_dies_over_mpi_ends_the_run(folder):
    (folder / "odd.py").write_text(begins("raise SystemExit(3)"))
    write_workload(folder, mixed_jobs(10))
    write_config(folder, scheduler=external(folder / "odd.py"))
    ended = somnus(folder, "run", "config.toml", "--ranks", 2, "--log", "a.h5")
    ended.expect(WORLD, "'odd'", "has ended with exit code 3")
    open_cut_off(folder / "a.h5").close()


def test_an_order_that_wants_to_be_woken_at_every_nanosecond_is_stopped(folder):
    (folder / "odd.py").write_text("""
import json, sys
sys.stdin.readline()
print('{"protocol": 1, "name": "odd", "events": ["submitted"], "wakes": true}', flush=True)
for line in sys.stdin:
    print('{"keys": [], "wakes_at": %d}' % (json.loads(line)["now"] + 1), flush=True)
""")
    write_workload(folder, mixed_jobs(10, task_s=5))
    write_config(folder, nodes=1, slots=1, scheduler=external(folder / "odd.py"))
    ended = somnus(folder, "simulate", "config.toml", "--log", "a.h5")
    ended.expect(WORLD, "the order '", "('odd') goes on for ever", "wanted to be woken")
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


def key_of(folder, key):
    """An order in Python with that key."""
    (folder / "order.py").write_text("import numpy, somnus\nclass Odd(somnus.Order):\n    def key(self, unit):\n"
                                     f"        return {key}\nsomnus.serve(Odd())\n")
    write_workload(folder, mixed_jobs(5))
    write_config(folder, scheduler=external(folder / "order.py"))
    return somnus(folder, "simulate", "config.toml")


@each(["True", "numpy.bool_(True)", "numpy.int64(3)", "numpy.float32(0.5)", "(numpy.float64(1), False)", "numpy.arange(2)"])
def test_a_key_in_python_may_be(folder, key):
    key_of(folder, key).expect(FINE)


@each({"float('inf')": "JSON has neither Infinity nor NaN", "'soon'": "a key to be a number, a list of 1 to 4 numbers",
       "object()": "a key to be a number", "(1, 'b')": "a key to be a number"}.items())
def test_a_key_in_python_that_is_no_number_is_a_mistake(folder, key_and_words):
    key, words = key_and_words
    key_of(folder, key).expect(MISTAKE, "('Odd') said", words)
