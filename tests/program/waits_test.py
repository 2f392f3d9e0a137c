"""Why each job waited, as the report says it, against an explanation that walks every instant."""

import random
import sys
from pathlib import Path

from logs import write_workload
from somnus_program import FINE, each, expect, limits_for, presets, somnus

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "analysis"))

import waits_by_hand
from somnus.analysis import load
from somnus.analysis.report import wait_causes

OF_RESOURCES = ("drf", "drf-strict", "sjf", "carbyne", "tetris", "tetris-fair", "dagps")
FAULTS = """
[heartbeat]
interval_s = 2
[faults]
node_mtbf_s = 60
node_repair_s = 9
cut_off_share = 0.3
missed_heartbeats = 2
task_failure_probability = 0.1
task_attempts = 2
straggler_probability = 0.1
straggler_factor = 8
"""


def jobs(with_resources: bool, count: int = 14) -> list[dict]:
    """Of one to three stages, some wide, some that need much."""
    draw = random.Random(7)
    found = []
    for at in range(count):
        stages = []
        for stage in range(draw.randint(1, 3)):
            stages.append({
                "stage": stage, "parents": [stage - 1] if stage else [],
                "durations": [round(draw.uniform(0.5, 9), 3) for _ in range(draw.randint(1, 9))],
                **({"demand": {"cpu": draw.choice((1, 2, 3)), "mem": draw.choice((0, 1, 5))}}
                   if with_resources else {}),
            })
        found.append({"job": f"j{at}", "submit": round(at * 1.3, 3), "user": f"u{at % 3}",
                      "stages": stages})
    return found


def agrees(folder: Path, preset: str, more: str = "") -> set[str]:
    """Holds the report's causes to those found by hand; returns which there are."""
    with_resources = preset in OF_RESOURCES
    write_workload(folder, jobs(with_resources), resources=["cpu", "mem"] if with_resources else None)
    nodes = ('nodes = 5\nresources = { cpu = 4, mem = 8 }' if with_resources
             else 'nodes = 5\nslots_per_node = 2')
    (folder / "config.toml").write_text(
        f'[cluster]\n{nodes}\n[scheduler]\npolicy = "{preset}"\n'
        f'[workload]\nfile = "workload.jsonl"\n[network]\ndelay_ms = 20\n{more}')
    somnus(folder, "simulate", "config.toml", "--log", "log.h5", "--force", "--quiet").expect(FINE)
    log = load(folder / "log.h5")
    found = wait_causes.by_job(log)
    free_to_use = log.config["scheduler"]["feedback"] == "at-once"
    by_hand = waits_by_hand.of_jobs(folder / "log.h5", free_to_use)
    for job in range(len(log.jobs)):
        for cause in wait_causes.CAUSES:
            ours, theirs = found.at[job, cause], by_hand[job][cause]
            expect(abs(ours - theirs) < 1e-5, f"{preset}: job {job}, {cause}: the report says "
                                              f"{ours:.6f} s, by hand it is {theirs:.6f} s")
    waits = log.tasks[log.tasks["outcome_name"] == "finished"]
    if len(waits) == log.stages["tasks"].sum():
        whole = waits["start"].sum() - log.jobs["submit"].to_numpy()[waits["job"]].sum()
        expect(abs(found.to_numpy().sum() - whole) < 1e-4, f"{preset}: causes do not add up")
    return {cause for cause in wait_causes.CAUSES if found[cause].sum() > 1e-3}


@each(presets())
def test_of_every_preset(folder, preset):
    agrees(folder, preset, limits_for(preset))


@each(("fair", "yarn", "yaq-c", "mercury", "tetris"))
def test_where_all_goes_wrong(folder, preset):
    faults = FAULTS
    expect("again" in agrees(folder, preset, faults), "nothing was tried again")


def test_with_backups_of_stragglers(folder):
    faults = "[faults]\nstraggler_probability = 0.2\nstraggler_factor = 9\n"
    expect("again" in agrees(folder, "fair", faults + "[speculation]\nslowdown = 1.5\n"), "no backup")


def test_of_a_run_that_ends_early(folder):
    for preset in ("fifo", "yaq-c", "drf"):
        agrees(folder, preset, "[run]\nuntil_s = 11\n")


def test_causes_are_distinguished(folder):
    expect({"order", "full", "parents", "news"} <= agrees(folder, "fifo"), "fifo")
    expect({"room", "order"} <= agrees(folder, "tetris"), "tetris")
    expect("held" in agrees(folder, "drf-strict"), "drf-strict keeps jobs within their shares")
    expect("queue" in agrees(folder, "yaq-c"), "yaq-c")
