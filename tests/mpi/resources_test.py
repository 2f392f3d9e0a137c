"""Schedulers of several resources over real MPI, on nodes without slots: each run is audited, and
decided again from its log."""

from logs import LOST, emulated, rows, write_workload
from somnus_program import each, expect, expect_equal

LOSS = ('[[faults.event]]\nat_s = 1\nnode = 1\nkind = "node-lost"\n'
        '[[faults.event]]\nat_s = 2\nnode = 1\nkind = "node-returned"\n')
WORLDS = {
    "DRF, a lost node": ('policy = "drf"', LOSS),
    "strict DRF": ('policy = "drf-strict"', ""),
    "Carbyne, that wakes by itself": ('policy = "carbyne"\ncarbyne.leftover = "none"', ""),
    "Carbyne, a lost node": ('policy = "carbyne"', LOSS),
    "SJF at heartbeats": ('policy = "sjf"\nfeedback = "heartbeat"', "[heartbeat]\ninterval_s = 0.3\n"),
    "Tetris, a slow network": ('policy = "tetris"', "[network]\ndelay_ms = 20\njitter = 0.5\n"),
    "fair, an OS thread a task": ('policy = "fair"\nwithin = "critical-path"',
                                  '[run]\nexecutor = "thread"\n'),
}


def dags() -> list[dict]:
    """Unlike demands, and a stage that stands before its parents."""
    jobs = []
    for at in range(8):
        jobs.append({"job": f"q{at}", "submit": round(0.1 * at, 6), "stages": [
            {"stage": 0, "parents": [1, 2], "tasks": 2, "duration": 0.4,
             "demand": {"cpu": 2, "mem_gb": 1.5}},
            {"stage": 1, "tasks": 4, "duration": round(0.3 + 0.05 * at, 6),
             "demand": {"cpu": 1, "mem_gb": 0.5 + at % 3}},
            {"stage": 2, "durations": [0.2, 0.5], "demand": {"cpu": 0.5, "mem_gb": 4}}]})
    return jobs


@each(WORLDS)
def test_checks_clean_and_replays(folder, world):
    scheduler, more = world
    write_workload(folder, dags(), "dags.jsonl", ["cpu", "mem_gb"])
    if "[run]" not in more:
        more += "[run]\n"
    (folder / "config.toml").write_text(
        "[cluster]\nnodes = 3\nresources = { cpu = 4, mem_gb = 6 }\n"
        f'[scheduler]\n{scheduler}\n[workload]\nfile = "dags.jsonl"\n{more}speed = 2\n')
    log = emulated(folder, dags(), "config.toml")
    lost = int((rows(log, "tasks")["outcome"] == LOST).sum())
    expect_equal(set(rows(log, "nodes")["slots"]), {0}, "slots")
    expect(lost == 0 or more.startswith("[[faults"), f"{lost} attempts were lost")
