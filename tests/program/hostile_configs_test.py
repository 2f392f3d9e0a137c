"""Configs and workloads that mean harm are refused with a sentence, in little memory, and the program
ends when it is asked to, whatever it does."""

import gzip
import os
import resource
import signal

from logs import write_config
from somnus_program import MISTAKE, WORLD, each, expect, somnus, start

MB = 1 << 20


def limited(megabytes):
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes * MB, megabytes * MB))


DEEP = {
    "dotted": ("[run]\n" + "a" + ".a" * 13_999 + " = 1\n", "2: expected a key of at most 32 names"),
    "a table": ("[" + "a." * 14_000 + "a]\n", "1: expected a key of at most 32 names"),
    "inline tables": ("x = " + "{a = " * 100_000, "1:1285: Error while parsing value: exceeded maximum nested value depth of 256"),
    "lists": ("x = " + "[" * 100_000, "1:261: Error while parsing value: exceeded maximum nested value depth of 256"),
    "dotted inline tables": ("x = " + "{a.a.a.a = " * 5_000, "exceeded maximum nested value depth of 256"),
}
READERS = {
    "simulate": ("simulate", "c.toml"),
    "run": ("run", "c.toml", "--ranks", 1),
    "show": ("workload", "show", "c.toml"),
    "profile": ("profile", "c.toml", "-o", "p.jsonl"),
    "experiment": ("experiment", "c.toml", "-o", "out"),
}


@each({f"{name} by {command}": (text, words, reader)
       for name, (text, words) in DEEP.items() for command, reader in READERS.items()})
def test_depth_is_refused_with_its_place(folder, case):
    text, words, reader = case
    (folder / "c.toml").write_text(text)
    somnus(folder, *reader).expect(MISTAKE, f"c.toml:{words}" if words[0].isdigit() else words)


@each({"jobs": '{"job": ' + "[" * 1_000_000 + "\n",
       "closed jobs": '{"job": ' + "[" * 1_000_000 + "]" * 1_000_000 + "}\n",
       "objects": '{"a":' * 1_000_000 + "\n"})
def test_depth_of_json_is_refused_too(folder, line):
    (folder / "w.jsonl").write_text('{"somnus_workload": 1}\n' + line)
    ended = somnus(folder, "workload", "show", "w.jsonl", preexec=limited(500))
    ended.expect(MISTAKE, "w.jsonl:2")


def test_a_chain_of_100_000_stages_is_walked_not_dived_into(folder):
    stages = ", ".join(f'{{"stage": {at}, "parents": [{at - 1}], "durations": [1]}}'
                       for at in range(1, 100_000))
    (folder / "w.jsonl").write_text(
        '{"somnus_workload": 1}\n{"job": "a", "submit": 0, "stages": [{"stage": 0, "durations": [1]}, '
        + stages + "]}\n")
    for policy in ("fifo", "sjf", "cfq"):
        config = write_config(folder, workload="w.jsonl", policy="fair",
                              scheduler=f'order = "{policy}"')
        somnus(folder, "simulate", config, "-q").expect(0)
    ring = (folder / "w.jsonl").read_text().replace('{"stage": 0,', '{"stage": 0, "parents": [99999],')
    (folder / "w.jsonl").write_text(ring)
    somnus(folder, "simulate", config, "-q").expect(MISTAKE, "cycle")


BOMBS = {
    "one line": b"0 100000000 1 " + b"1 " * (256 * MB),
    "many lines": b"0 1 1 1\n" * (64 * MB),
    "blanks": b" " * (512 * MB),
}


@each(list(BOMBS))
def test_a_small_file_that_unpacks_to_much_takes_little(folder, name):
    with gzip.open(folder / "w.tr.gz", "wb", compresslevel=6) as file:
        file.write(BOMBS[name])
    expect(os.path.getsize(folder / "w.tr.gz") < 3 * MB, "it is small")
    most = 2_500 if name == "many lines" else 500  # two million jobs take their room
    ended = somnus(folder, "workload", "show", "w.tr.gz", preexec=limited(most))
    ended.expect(MISTAKE, "w.tr.gz: the gzip data unpack to more than 100 times their size")


@each({"SIGTERM": signal.SIGTERM, "SIGINT": signal.SIGINT, "SIGHUP": signal.SIGHUP})
def test_asked_to_end_while_it_reads_it_ends_at_once(folder, number):
    os.mkfifo(folder / "w.jsonl")  # which nobody writes: reading it would last for ever
    config = write_config(folder, workload="w.jsonl")
    writers = []

    def is_read() -> bool:
        """A writer that does not wait for one finds a reader; while it stays, the reader waits."""
        try:
            writers.append(os.open(folder / "w.jsonl", os.O_WRONLY | os.O_NONBLOCK))
        except OSError:
            return False
        return True

    with start(folder, "simulate", config) as run:
        run.until(is_read, "it reads")
        run.signal(number)
        run.wait(20).expect(WORLD, "asked to end, and ends at once")
    os.close(writers[0])
