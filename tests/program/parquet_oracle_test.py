"""Our Parquet files as hyparquet reads them, which shares no code with us.

It is npm's, and `npm ci` in tests/parquet installs it; without it, or without node, the test is
skipped.
"""

import json
import shutil
import subprocess
from pathlib import Path

from logs import mixed_jobs, simulated
from somnus_program import FINE, expect, expect_equal, somnus

import h5py
import pytest

ORACLE = Path(__file__).resolve().parents[1] / "parquet"
pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not (ORACLE / "node_modules/hyparquet").is_dir(),
    reason=f"no node, or no hyparquet; npm ci in {ORACLE} installs it")

NO_ID = 2**32 - 1


def read(path):
    done = subprocess.run(["node", ORACLE / "read.mjs", path], capture_output=True, check=True)
    return json.loads(done.stdout)


def as_read(number):
    """Null stands for an id that is none, in /jobs.after."""
    number = float(number)
    return None if number == NO_ID else "NaN" if number != number else number


def test_every_table_is_that_of_the_log(folder):
    log = h5py.File(simulated(folder, jobs=mixed_jobs(20), log="a.h5", more="[run]\nuntil_s = 1\n"))
    ended = somnus(folder, "export", "a.h5", "-o", "tables", "--format", "parquet", "--json")
    tables = json.loads(ended.expect(FINE).out)["rows"]
    expect(len(tables) > 8, f"only {list(tables)}")
    for path, rows in tables.items():
        table = log[path]
        found = read(folder / "tables" / (path[1:].replace("/", "_") + ".parquet"))
        expect_equal(found["rows"], rows, f"rows of {path}")
        for column in table.dtype.names:
            column_read = found["columns"][column]
            ours = [one if one in ("NaN", None) else float(one) for one in column_read]
            expect_equal(ours, [as_read(one) for one in table[column]], f"{path}.{column}")
            for what in ("unit", "meaning"):
                expect_equal(found["key_values"].get(f"{column}.{what}", ""),
                             table.attrs[f"{column}.{what}"].decode(), f"{what} of {path}.{column}")
        if "job" in table.dtype.names:
            names = [log["names/jobs"][job].decode() for job in table["job"]]
            expect_equal(found["columns"]["job_name"], names, f"names of jobs in {path}")
