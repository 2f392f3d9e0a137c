"""Whole policies that are processes and do something wrong: it is told as their mistake, in bounded time, with a log
that opens and holds as far as it goes."""

from logs import open_cut_off, write_config, write_workload
from orders_that_fail_test import NO_ANSWER
from policies import answers, table
from somnus_program import FINE, MISTAKE, WORLD, each, expect, somnus

# Two jobs of two tasks, the second with a stage after the first; a gang of three.
JOBS = [{"job": "a", "submit": 0, "durations": [1, 1]},
        {"job": "b", "submit": 0, "stages": [{"stage": 0, "durations": [1, 1]},
                                             {"stage": 1, "parents": [0], "durations": [1]}]},
        {"job": "c", "submit": 5, "tasks": 3, "duration": 1, "gang": True},
        {"job": "d", "submit": 9, "tasks": 1, "duration": 1}]


def says(answer: str, when: str = "True") -> str:
    """The answer to the first question for which that holds; to those before and after it, nothing."""
    return answers(f"say(r'''{answer}''' if {when} else '{{}}')")


LATER = "said['now'] >= 5 * 10**9"  # when the gang is there


@each({
    "is not there": (None, ["cannot be started", "No such file"]),
    "raises": ("import sys; sys.stdin.readline(); {}['a']", ["KeyError", "has ended with exit code 1"]),
    "is an order": ("import sys; sys.stdin.readline(); print('{\"protocol\": 1, \"name\": \"a\", \"level\": \"job\"}', flush=True)",
                    ["expected \"policy\", found \"job\""]),
    "does not say its level": ("import sys; sys.stdin.readline(); print('{\"protocol\": 1, \"name\": \"a\"}', flush=True)",
                               ["expected level"]),
    "wants unknown events": (answers("say('{}')", '["submitted"]'), ['found "submitted"', '"job_arrived"']),
    "is killed": (answers("os.kill(os.getpid(), signal.SIGKILL)"), ["'odd'", "signal 9"]),
    "dies with words": (answers("print('alas', file=sys.stderr); raise SystemExit(3)"), ["alas", "has ended with exit code 3"]),
    "hangs": (answers("time.sleep(1000)"), ["'odd'", "did not answer within 0.5 s"]),
    "speaks no JSON": (says("hello"), ["'hello'", "one JSON object", "standard error"]),
    "gives keys": (says('{"keys": []}'), ["'keys'", "\"place\"", "no others"]),
    "places in words": (says('{"place": "all"}'), ["a list of [stage, node] or [stage, node, tasks]"]),
    "places nowhere": (says('{"place": [[0, 0], [0]]}'), ["place[1]", "[stage, node]"]),
    "places with too much": (says('{"place": [[0, 0, 1, 1]]}'), ["place[0]", "[stage, node, tasks]"]),
    "places on a negative node": (says('{"place": [[0, -1]]}'), ["place[0] to be"]),
    "places no task": (says('{"place": [[0, 0, 0]]}'), ["placed no task of stage 0 (place[0]"]),
    "places on no node": (says('{"place": [[0, []]]}'), ["placed no task of stage 0 (place[0]"]),
    "places on a full node": (says('{"place": [[0, 0, 2], [1, 0]]}'),
                              ["'odd'", "placed a task of stage 1 on node 0 at 0 s, but the node has no free slot",
                               "(place[1] of its answer)"]),
    "places on an unknown node": (says('{"place": [[0, 4]]}'), ["node 4", "there is no such node", "(place[0] of"]),
    "places on the last number": (says('{"place": [[0, 4294967294]]}'), ["there is no such node", "(place[0] of"]),
    "places on no number": (says('{"place": [[0, 4294967295]]}'), ["place[0] to be"]),
    "places an unknown stage": (says('{"place": [[77, 0]]}'), ["stage 77", "there is no such stage"]),
    "places a stage that has not arrived": (says('{"place": [[3, 0]]}'), ["stage 3", "its job has not arrived"]),
    "places before parents": (says('{"place": [[2, 0]]}'), ["stage 2", "its parents have not ended"]),
    "places what does not wait": (says('{"place": [[0, 0, 2], [0, 1]]}'), ["stage 0", "no runnable task", "(place[1] of"]),
    "places a gang in pieces": (says('{"place": [[3, 0]]}', LATER), ["placed 1 tasks of stage 3, a gang of 3", "(place[0] of"]),
    "places a large gang": (says('{"place": [[3, 0, 4294967290]]}', LATER), ["placed 4294967290 tasks of stage 3", "a gang of 3"]),
    "places a gang on a full node": (says('{"place": [[3, [0, 0, 0]]]}', LATER), ["stage 3 on node 0", "no free slot", "(place[0] of"]),
    "uses a slot that nobody holds": (says('{"place_reserved": [[0, 0]]}'), ["no slot is held for it there", "(place_reserved[0] of"]),
    "preempts who does not run": (says('{"preempt": [[3, 0]]}', LATER), ["preempts stage 3 for stage 0", "not all of it runs", "(preempt[0] of"]),
    "preempts who is not there": (says('{"preempt": [[90, 0]]}'), ["stage 90", "there is no such stage"]),
    "asks": (says('{"ask": [[0, 0, "probe"]]}'), ["asked node 0 for stage 0 (probe)", "scheduler.external.asks is false"]),
    "asks something else": (says('{"ask": [[0, 0, "how"]]}'), ["ask[0] to be"]),
    "takes back where there is no queue": (says('{"revoke": [[0, 1]]}'), ["took tasks back from node 0", "nodes have no queues"]),
    "promises what is not there": (says('{"promise": [[9, 1]]}'), ["speaks of job 9", "has not arrived", "(promise[0] of"]),
    "promises the past": (says('{"promise": [[0, -1]]}'), ["promise[0] to be [job, end]"]),
    "means too much": (says('{"target": [[0, 0.5, 1.5]]}'), ["target[0] to be [job, entitled, target]"]),
    "wakes in the past": (says('{"wakes_at": 0}'), ["not later than now"]),
    "wakes in words": (says('{"wakes_at": "soon"}'), ["\"wakes_at\" to be a time"]),
    "goes wrong after good decisions": (answers("say('{\"place\": [[0, 0, 2]]}' if at == 0 else '{\"place\": [[1, 0], [1, 9]]}')"),
                                        ["stage 1 on node 9 at 1 s", "(place[1] of"]),
})
def test_what_it_does_wrong_is_told_as_its_mistake(folder, wrong):
    script, words = wrong
    if script is not None:
        (folder / "odd.py").write_text(script)
        command = table(folder / "odd.py", "deadline_s = 0.5")
    else:
        command = '[scheduler.external]\ncommand = ["./nowhere"]\n'
    write_workload(folder, JOBS)
    write_config(folder, policy="external", scheduler=command)
    ended = somnus(folder, "simulate", "config.toml", "--log", "a.h5")
    ended.expect(WORLD if any(word.startswith(NO_ANSWER) for word in words) else MISTAKE, "the policy '", *words)
    expect("our mistake" not in ended.err, "it is not ours")
    if (folder / "a.h5").exists():
        open_cut_off(folder / "a.h5").close()
        somnus(folder, "check", "a.h5").expect(FINE)


# Policies that would be asked for ever, on a cluster of one slot.
PREEMPTS = """
import somnus
class Zeno(somnus.Policy):
    def plan(self, now):
        for stage in list(self.waiting()):
            if node := self.first_with_room(stage):
                self.place(stage, node)
            else:
                [runs] = [each for each in self.stages.values() if each.running]
                self.preempt(runs, stage)
somnus.serve(Zeno())
"""
ASKS = """
import somnus
class Asks(somnus.Policy):
    def plan(self, now):
        for stage in self.waiting():
            self.probe(self.nodes[0], stage)
    def node_answered(self, now, answer):
        pass
somnus.serve(Asks())
"""
WAKES = "say('{\"place\": [[0, 0]], \"wakes_at\": %d}' % (said['now'] + 1) if at == 0 else '{\"wakes_at\": %d}' % (said['now'] + 1))"


@each({"preempts": (PREEMPTS, "", "from 1 s to 1 s"),
       "asks nodes": (ASKS, "asks = true\n", "from 0 s to 0 s"),
       "wakes": (answers(WAKES), "", "wanted to be woken")})
def test_one_that_gets_nowhere_is_stopped(folder, wrong):
    script, more, words = wrong
    (folder / "odd.py").write_text(script)
    write_workload(folder, [{"job": name, "submit": at, "durations": [5]} for at, name in enumerate("ab")])
    write_config(folder, nodes=1, slots=1, policy="external",
                 scheduler=('queue = "worker"\n' if more else "") + table(folder / "odd.py", more))
    ended = somnus(folder, "simulate", "config.toml", "--log", "a.h5")
    ended.expect(WORLD, "the policy '", "odd.py", "goes on for ever", words, "no job arrived and no task finished")
    expect("our mistake" not in ended.err, "it is not ours")
    open_cut_off(folder / "a.h5").close()
    somnus(folder, "check", "a.h5").expect(FINE)


# Answers drawn at random, most of which are wrong in some place; "seed" is of the test.
ODD = """
import random
draw = random.Random({seed})
def odd(depth=0):
    numbers = [0, 1, 2, 3, 4, 9, -1, 2**32 - 1, 2**63, 0.5, None, "probe", "decline", True]
    if depth < 2 and draw.random() < 0.2:
        return [odd(depth + 1) for _ in range(draw.randrange(4))]
    return draw.choice(numbers if draw.random() < 0.3 else numbers[:4])
def decision():
    return [odd() for _ in range(draw.choice((2, 2, 2, 3)))]
def answer():
    kinds = ["place", "place_reserved", "preempt", "ask", "revoke", "promise", "target"]
    return {{kind: [decision() for _ in range(draw.randrange(1, 4))]
            for kind in draw.sample(kinds, draw.choice((0, 1, 1, 1, 2))) + ["place"] * draw.randrange(2)}}
"""


@each({str(seed): seed for seed in range(40)})
def test_whatever_it_says_is_not_our_mistake(folder, seed):
    (folder / "odd.py").write_text(ODD.format(seed=seed) + answers("say(json.dumps(answer()))"))
    write_workload(folder, JOBS)
    queues = 'queue = "worker"\n' if seed % 2 else ""
    jobs = 'file = "workload.jsonl"' if not queues else 'generator = "google"\njobs = 9\nspan_s = 5\n'
    config = write_config(folder, policy="external", scheduler=queues + table(folder / "odd.py", "asks = true" if queues else ""))
    config.write_text(config.read_text().replace('file = "workload.jsonl"', jobs))
    ended = somnus(folder, "simulate", "config.toml", "--log", "a.h5")
    expect(ended.code in (FINE, MISTAKE) and "our mistake" not in ended.err, f"exit code {ended.code}: {ended.err}")
    if (folder / "a.h5").exists():
        somnus(folder, "check", "a.h5").expect(FINE)


def test_over_mpi_it_is_told_the_same(folder):
    (folder / "odd.py").write_text(answers("say('{\"place\": [[0, 0, 2]]}' if at == 0 else '{\"place\": [[1, 0], [1, 9]]}')"))
    write_workload(folder, JOBS)
    write_config(folder, policy="external", scheduler=table(folder / "odd.py"))
    ended = somnus(folder, "run", "config.toml", "--ranks", 2, "--log", "a.h5")
    ended.expect(MISTAKE, "the policy '", "'odd'", "stage 1 on node 9", "there is no such node (place[1] of its answer)")
    expect("our mistake" not in ended.err, "it is not ours")
    open_cut_off(folder / "a.h5").close()
    somnus(folder, "check", "a.h5").expect(FINE)


def test_a_task_that_ran_before_is_not_on_a_node_after_a_bad_answer(folder):
    """Over MPI, where what runs when the run ends badly is in the log."""
    lost = "any(each.get('outcome') == 'lost' for each in said['events'])"
    good = '[[0, 0]]'
    (folder / "odd.py").write_text(answers(
        f"say('{{\"place\": {good}}}' if at == 0 else '{{\"place\": [[0, 1], [0, 9]]}}' if {lost} else '{{}}')"))
    write_workload(folder, JOBS)
    write_config(folder, policy="external", scheduler=table(folder / "odd.py"),
                 more="[[faults.event]]\nat_s = 0.3\nnode = 0\nkind = \"node-lost\"\n")
    ended = somnus(folder, "run", "config.toml", "--ranks", 2, "--log", "a.h5")
    ended.expect(MISTAKE, "stage 0 on node 9", "(place[1] of its answer)")
    somnus(folder, "check", "a.h5").expect(FINE)


def test_what_is_missing_in_the_config_is_said_before_anything_starts(folder):
    write_workload(folder, JOBS)
    write_config(folder, policy="external")
    somnus(folder, "simulate", "config.toml").expect(MISTAKE, "scheduler.external.command", "python3")
    write_config(folder, policy="external", scheduler='order = "fifo"\n')
    somnus(folder, "simulate", "config.toml").expect(MISTAKE, "scheduler.order", "whole policy")
    write_config(folder, policy="external", scheduler='[scheduler.external]\ncommand = ["a"]\ntiers = true\n')
    somnus(folder, "simulate", "config.toml").expect(MISTAKE, "scheduler.external.tiers", "unknown key")
