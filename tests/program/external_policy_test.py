"""Whole policies that are processes of their own: what they decide, from where, and how fast it is heard of."""

import json
import sys
from pathlib import Path

from logs import (differences, emulated, expect_clean, mixed_jobs, rows, rows_of, simulated, write_config,
                  write_workload)
from policies import FIRST_FIT, answers, table
from somnus_program import DIFFERENCE, FINE, MISTAKE, WORLD, each, expect, expect_equal, somnus

FAULTS = "[faults]\nnode_mtbf_s = 4\nnode_repair_s = 1\ntask_failure_probability = 0.05\ntask_attempts = 3\n"


def gangs(jobs: list[dict]) -> list[dict]:
    return [job if "stages" in job else {**job, "gang": True} for job in jobs]


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
