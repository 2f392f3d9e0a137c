#!/usr/bin/python3
"""Whether two builds of somnus decide alike: fifty fixed configs simulated by both, logs compared row
by row, all but the seals. Not a test: a minute of one core.

    tests/studies/equal_logs.py OLD_SOMNUS NEW_SOMNUS [--rename tasks.old_name=new_name ...]

The configs are each published system on the workload of configs/fidelity that suits it, and worlds of
tests/program/chaos_test.py, in which nodes, attempts and heartbeats fail. A table or column that only one
of the logs has is named, unless it is empty. Exit code 1: some log differs.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/program"))
sys.path.insert(0, str(ROOT / "analysis"))
CONFIGS = 50

from chaos_test import write_world  # noqa: E402
from logs import differences, rows_of  # noqa: E402
from somnus.analysis.experiments.fidelity import config_of as fidelity_config_of  # noqa: E402


def simulate(program: str, folder: Path, config: Path, log: str, *settings: str) -> None:
    given = [part for setting in settings for part in ("--set", setting)]
    ended = subprocess.run([program, "simulate", config, "--log", log, "-q", *given], cwd=folder,
                           capture_output=True, text=True)
    if ended.returncode != 0:
        raise RuntimeError(f"{program} simulate {config}: exit code {ended.returncode}: {ended.stderr}")


def one(number: int, presets: list[dict], old: str, new: str, renamed: dict[str, str]) -> tuple[int, str]:
    """How many rows of /tasks were compared, and what differs."""
    described = presets[number % len(presets)]
    preset = described["name"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if number < len(presets):
            config = ROOT / "configs/fidelity" / f"{fidelity_config_of(described)}.toml"
            settings = [f"scheduler.policy={preset}"] + ["limits.model=rounded"] * described.get("needs_limits", False)
        else:
            write_world(folder, number, preset)
            config, settings = folder / "chaos.toml", []
        simulate(old, folder, config, "old.h5", *settings)
        simulate(new, folder, config, "new.h5", *settings)
        before = {renamed.get(column, column): rows for column, rows in rows_of(folder / "old.h5").items()}
        now = rows_of(folder / "new.h5")
        lines = differences(before, now)
    return len(next(rows for column, rows in now.items() if column.startswith("tasks."))), "\n    ".join(
        [f"{number} {preset}", *lines]) if lines else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--rename", action="append", default=[], metavar="TABLE.OLD=NEW",
                        help="a column that has another name now")
    given = parser.parse_args()
    renamed = {}
    for rename in given.rename:
        before, _, now = rename.partition("=")
        renamed[before] = f"{before.rpartition('.')[0]}.{now}"
    old, new = (str(Path(program).resolve()) for program in (given.old, given.new))
    listed = subprocess.run([old, "policies", "--json"], capture_output=True, text=True, check=True)
    presets = [preset for preset in json.loads(listed.stdout)["presets"]
               if "external" not in (preset["whole"], preset["order"])]  # who decides is not in these builds
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda number: one(number, presets, old, new, renamed), range(CONFIGS)))
    different = [lines for _, lines in found if lines]
    print("\n".join(different))
    print(f"{CONFIGS - len(different)} of {CONFIGS} logs are equal, "
          f"{sum(rows for rows, _ in found):,} attempts in all")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
