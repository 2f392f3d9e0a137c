"""A folder with something for each command to read, and what stands in it."""

import os
import stat
from pathlib import Path

from logs import mixed_jobs, write_config, write_workload
from somnus_program import FINE, somnus

EXPERIMENT = '[experiment]\nconfig = "config.toml"\nseeds = 2\n[axes]\npolicy = ["fifo", "fair"]\n'


def write_world(folder):
    write_workload(folder, mixed_jobs())
    write_config(folder)
    (folder / "experiment.toml").write_text(EXPERIMENT)
    somnus(folder, "simulate", "config.toml", "--log", "a.h5", "-q").expect(FINE)
    profile = somnus(folder, "profile", "config.toml", "-o", "curves.jsonl", "--json").expect(FINE)
    (folder / "profile.json").write_text(profile.out)
    somnus(folder, "experiment", "experiment.toml", "-o", "tables", "-q").expect(FINE)
    somnus(folder, "advise", "config.toml", "-o", "advised", "-q", "--seeds", "2",
           "--set", "workload.resample=2").expect(FINE)


def tree(folder: Path) -> dict[str, object]:
    """What stands there: a text's bytes, where a link leads, of anything else its kind."""
    found = {}
    for path in sorted(folder.rglob("*")):
        facts = path.lstat()
        kind = stat.S_IFMT(facts.st_mode)
        found[str(path.relative_to(folder))] = (
            kind, os.readlink(path) if stat.S_ISLNK(kind) else
            path.read_bytes() if stat.S_ISREG(kind) else facts.st_rdev)
    return found
