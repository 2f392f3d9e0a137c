"""Every published system on small clusters where everything goes wrong at once: each run ends, each
task of a job that does not fail finishes exactly once, and check and replay find nothing.

CI tries a seed for each preset, and those that once failed; each draws a world of its own.
"""

import json
import random
from pathlib import Path

from logs import write_workload
from somnus_program import FINE, expect, limits_for, presets, somnus

WITHOUT_BACKUPS = 541  # a node that was never heard again had a slot taken
ONCE_FAILED = {WITHOUT_BACKUPS: "srpt",
               506: "cfq-p"}  # a job fails as the last attempt of a task is given up with its node

ON_MACHINES = ["fifo", "fair", "drf", "drf-strict", "sjf", "carbyne", "tetris", "tetris-fair", "dagps"]


def jobs_of(draw: random.Random, kinds: int) -> list[dict]:
    jobs = []
    submit = 0.0
    for at in range(draw.randint(5, 25)):
        stages = []
        for label in range(draw.randint(1, 4)):
            parents = [parent for parent in range(label) if draw.random() < 0.5]
            durations = [round(draw.uniform(0.1, 6), 3) for _ in range(draw.randint(1, 8))]
            stage = {"stage": label, "parents": parents, "durations": durations}
            if kinds:
                stage["demand"] = {"cpu": draw.randint(1, 4), "mem_gb": draw.randint(1, 8)}
            stages.append(stage)
        jobs.append({"job": f"j{at}", "user": draw.choice(["ann", "bob", "eve"]),
                     "app": draw.choice(["sort", "join", "scan"]), "submit": round(submit, 3),
                     "weight": draw.choice([1, 1, 2, 0.5]), "stages": stages})
        submit += draw.expovariate(1)
    return jobs


def config_of(draw: random.Random, preset: str, kinds: int) -> str:
    cluster = "resources = { cpu = 8, mem_gb = 16 }" if kinds else f"slots_per_node = {draw.randint(1, 4)}"
    listed = ""
    for _ in range(draw.randint(0, 4)):
        listed += (f"[[faults.event]]\nat_s = {draw.uniform(0, 30):.3f}\nnode = {draw.randint(0, 3)}\n"
                   f'kind = "{draw.choice(["node-lost", "node-cut-off"])}"\n'
                   f"for_s = {draw.uniform(0.5, 20):.3f}\n")
    found_out = draw.random() < 0.6
    silence = f"missed_heartbeats = {draw.randint(3, 6)}\n" if found_out else ""
    beats = ""
    if found_out:
        beats = (f"heartbeat_loss_probability = {draw.uniform(0, 0.15):.3f}\n"
                 f"heartbeat_late_probability = {draw.uniform(0, 0.3):.3f}\n"
                 f"heartbeat_late_s = {draw.uniform(0, 1.5):.3f}\n")
    return f"""
[cluster]
nodes = {draw.randint(4, 10)}
{cluster}
[scheduler]
policy = "{preset}"
[workload]
file = "chaos.jsonl"
[network]
delay_ms = {draw.choice([0, 1, 50])}
jitter = {draw.choice([0, 0.5])}
{f"[heartbeat]{chr(10)}interval_s = {draw.uniform(0.2, 2):.3f}" if found_out else ""}
[jvm]
model = "{draw.choice(["none", "reuse", "executor"])}"
[faults]
node_mtbf_s = {draw.uniform(60, 300):.3f}
node_repair_s = {draw.uniform(1, 20):.3f}
cut_off_share = {draw.uniform(0, 1):.3f}
slow_node_probability = 0.2
straggler_probability = {draw.uniform(0, 0.2):.3f}
task_failure_probability = {draw.uniform(0.01, 0.2):.3f}
task_attempts = {draw.choice([0, 1, 2, 3])}
{beats}{silence}{listed}
[run]
seed = {draw.randint(1, 10**6)}
until_s = 100000
"""


def speculation_of(draw: random.Random) -> str:
    """Drawn last, so that the rest of a seed's world is as it was without."""
    if draw.random() < 0.4:
        return ""
    return f"""
[speculation]
slowdown = {draw.choice([1, 1.2, 1.5, 2])}
quantile = {draw.choice([0, 0.25, 0.5, 0.75])}
least_s = {draw.choice([0, 0.1, 1])}
"""


def write_world(folder: Path, seed: int, preset: str) -> list[dict]:
    """Draws chaos.toml and its jobs, and writes them."""
    draw = random.Random(seed)
    kinds = 2 if preset in ON_MACHINES and draw.random() < 0.5 else 0
    jobs = jobs_of(draw, kinds)
    write_workload(folder, jobs, "chaos.jsonl", ["cpu", "mem_gb"] if kinds else None)
    config = config_of(draw, preset, kinds)
    limits = limits_for(preset)
    config += limits or ("" if seed == WITHOUT_BACKUPS else speculation_of(draw))
    (folder / "chaos.toml").write_text(config)
    return jobs


def seeds():
    return [*range(1, 1 + len(presets())), *ONCE_FAILED]


def preset_of(seed: int) -> str:
    return ONCE_FAILED.get(seed) or presets()[seed % len(presets())]


def test_each_run_ends_with_every_task_finished_once(folder, seed):
    jobs = write_world(folder, seed, preset_of(seed))
    ended = somnus(folder, "simulate", "chaos.toml", "--log", "chaos.h5", "--json").expect(FINE)
    [summary] = json.loads(ended.out)
    unfinished = summary["jobs_submitted"] - summary["jobs_finished"] - summary["jobs_failed"]
    expect(unfinished == 0 and summary["jobs_submitted"] == len(jobs),
           f"{unfinished} of {len(jobs)} jobs neither finished nor failed")
    somnus(folder, "check", "chaos.h5", "-q").expect(FINE)
    somnus(folder, "replay", "chaos.h5", "-q").expect(FINE)
    somnus(folder, "replay", "--recorded", "chaos.h5", "-q").expect(FINE)
