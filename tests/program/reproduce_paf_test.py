"""The reproduction of PAF's figures, with this program; the quick ones of them."""

import json
import os
import subprocess
import sys
from pathlib import Path

from somnus_program import FINE, expect, expect_equal, program

REPOSITORY = Path(__file__).resolve().parents[2]


def reproduced(folder, *only) -> tuple[str, dict]:
    """What it printed, and measured.json."""
    done = subprocess.run(
        [sys.executable, "-B", "-m", "somnus_analysis", "reproduce", "paf", "--somnus", program(),
         "--out", str(folder / "out"), "--seeds", "1", "--only", *only],
        capture_output=True, text=True, check=False, timeout=200,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY / "analysis")})
    expect_equal(done.returncode, FINE, f"exit code; it said {done.stdout[-2000:]}{done.stderr}")
    return done.stdout, json.loads((folder / "out/measured.json").read_text())


def rows(figure) -> dict:
    return {row["quantity"]: row for row in figure["rows"]}


def test_the_example_moves_two_slots(folder):
    said, measured = reproduced(folder, "exchange")
    expect(all(row["holds"] for row in measured["Figure 6"]["rows"]), said)


def test_curves_and_shared_clusters_are_as_the_paper_says(folder):
    said, measured = reproduced(folder, "curves", "pair")
    first = rows(measured["Figure 1"])
    expect(first["KMeans, p(2) / p(1)"]["holds"], said)
    expect(first["worst fit of Ernest's form [%]"]["holds"], said)
    pair = measured["Figure 4"]["measured"]
    expect(pair["paf-leave.mean"][0] > 1.05 * pair["fair.mean"][0], said)
    expect(pair["paf-leave.KMeans.slots"][0] < 16 < pair["paf-leave.PageRank.slots"][0], said)
    expect((folder / "out/figure1.png").stat().st_size > 10_000, "figure1.png")
