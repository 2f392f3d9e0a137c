"""No log, however forged, hurts who reads it: each command ends soon, in little memory, and says in
a sentence what is wrong.

By hand, for more than CI has time for: --seeds 5000
"""

import os
import random
import resource
import shutil
from pathlib import Path

import pytest

import forging
from somnus_program import DIFFERENCE, FINE, MISTAKE, expect, somnus

MOST_CPU_S = 10
MOST_BYTES = 2 << 30  # of addresses; MPI's and TBB's libraries take a tenth of it

WORKLOAD = """{"somnus_workload": 1, "name": "few", "users": {"ann": 2}}
{"job": "a", "user": "ann", "queue": "A", "submit": 0, "weight": 2, "progress": [0.5, 0.75, 0.9], \
"stages": [{"stage": 0, "durations": [3, 2, 1.5], "affinity": [1, 0]}, \
{"stage": 1, "parents": [0], "durations": [1, 1.25]}]}
{"job": "b", "user": "bob", "queue": "B", "app": "a", "submit": 0.5, \
"durations": [2, 2, 2, 0.75], "first": [2.5, 2.25, 2.125, 1], "fresh": [4, 3, 2.5, 2]}
{"job": "c", "user": "bob", "queue": "A", "submit": 1.25, "warmup": 1.5, \
"stages": [{"stage": 4, "durations": [1.5, 1]}, {"stage": 5, "durations": [1]}, \
{"stage": 6, "parents": [4, 5], "tasks": 3, "duration": 0.5, "affinity": [2]}]}
{"job": "d", "user": "ann", "queue": "B", "after": "b", "think": 0.25, "submit": 2, \
"durations": [1, 1]}
"""
SLOTS = "nodes = 3\nslots_per_node = 1\n"
RESOURCES = 'nodes = 3\nresources = { cpu = 4, gb = 8 }\n'
FAULTS = ('[faults]\ntask_failure_probability = 0.1\n'
          'event = [{ at_s = 0.7, node = 1, kind = "node-lost" },\n'
          '         { at_s = 2.5, node = 1, kind = "node-returned" }]\n')
WORLDS = {
    "fifo": (SLOTS, 'policy = "fifo"\n' + FAULTS),
    "cfq": (SLOTS, 'policy = "cfq"\n[jvm]\nmodel = "reuse"\nfactor = 2\n'),
    "measured": (SLOTS, 'policy = "srpt"\n[jvm]\nmodel = "measured"\n'),
    "uwfq": (SLOTS, 'policy = "uwfq"\n[network]\ndelay_ms = 20\n'),
    "uwfq-p": (SLOTS, 'policy = "uwfq-p"\n'),
    "paf": (SLOTS, 'policy = "paf"\n'),
    "capacity": (SLOTS, 'policy = "fair"\norder = "capacity"\n'),
    "yaq-c": (SLOTS, 'policy = "yaq-c"\n' + FAULTS),
    "yaq-d": (SLOTS, 'policy = "yaq-d"\n'),
    "mercury": (SLOTS, 'policy = "mercury"\n'),
    "sparrow": (SLOTS, 'policy = "sparrow"\nbatch-sampling.late_binding = true\n' + FAULTS),
    "waking": (SLOTS, 'policy = "carbyne"\ncarbyne.leftover = "none"\n'),
    "carbyne": (RESOURCES, 'policy = "carbyne"\n'),
    "drf": (RESOURCES, 'policy = "drf"\n' + FAULTS),
    "tetris": (RESOURCES, 'policy = "tetris"\n'),
    "dagps": (RESOURCES, 'policy = "dagps"\n'),
}


def workload_of(cluster: str) -> str:
    if cluster == SLOTS:
        return WORKLOAD
    text = WORKLOAD.replace('"name": "few"', '"name": "few", "resources": ["cpu", "gb"]')
    return text.replace('"stage": 0,', '"stage": 0, "demand": {"cpu": 2, "gb": 1.5},').replace(
        '"stage": 6,', '"stage": 6, "demand": {"cpu": 1, "gb": 8},')


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU_S, MOST_CPU_S))
    if "SOMNUS_SANITIZED" not in os.environ:  # whose shadow memory takes all addresses
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


@pytest.fixture(scope="module")
def logs(tmp_path_factory) -> dict[str, Path]:
    """Good ones, by world."""
    folder = tmp_path_factory.mktemp("logs")
    for name, (cluster, scheduler) in WORLDS.items():
        (folder / f"{name}.jsonl").write_text(workload_of(cluster))
        config = folder / f"{name}.toml"
        config.write_text(f'[cluster]\n{cluster}[workload]\nfile = "{name}.jsonl"\n'
                          f"[log]\nsample_interval_s = 0.75\n[scheduler]\n{scheduler}")
        somnus(folder, "simulate", config, "--log", f"{name}.h5", "-q").expect(FINE)
    return {name: folder / f"{name}.h5" for name in WORLDS}


def offence(command: str, code: int, text: str) -> str:
    """What is wrong with how the command ended; empty if nothing is."""
    allowed = (FINE, DIFFERENCE, MISTAKE) if command in ("check", "replay") else (FINE, MISTAKE)
    if code not in allowed:
        return f"exit code {code}"
    if "runtime error" in text or "Sanitizer" in text:
        return "the sanitizers object"
    return "" if code == FINE or text.strip() else "not a word said"


def seeds():
    return range(48)


def test_every_command_ends_soon_and_says_what_is_wrong(folder, logs, seed):
    name = list(logs)[seed % len(logs)]
    forged = folder / "forged.h5"
    shutil.copy(logs[name], forged)
    how = forging.forge(forged, random.Random(seed))
    for command, *more in (["check"], ["replay"], ["summary"], ["export", "-o", "trace.json"],
                           ["export", "-o", "tables", "--format", "parquet"],
                           ["follow", "--once"], ["follow", "--once", "--json"],
                           ["recover"]):  # which writes
        ended = somnus(folder, command, forged, *more, preexec=limited)
        said = ended.out + ended.err
        wrong = offence(command, ended.code, said)
        expect(not wrong, f"{name}: {how}: {command}: {wrong}: {said[-600:]}")
