"""examples/learning: what it says of its policy holds, on a few seeds, and each of its scripts runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/learning"


@pytest.fixture
def script(somnus):
    def run(name: str, *words: object) -> str:
        done = subprocess.run([sys.executable, "-B", EXAMPLE / name, *map(str, words)], capture_output=True, text=True,
                              env={**os.environ, "SOMNUS": str(somnus), "PYTHONPATH": str(ROOT / "analysis")},
                              check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def test_what_was_learnt_beats_fifo_and_fair_on_seeds_it_was_not_trained_with(script):
    said = script("evaluate.py", "--seeds", 16)
    verdicts = {line.split()[0]: line.rsplit("  ", 1)[-1] for line in said.splitlines() if "beaten" in line}
    assert verdicts["fifo"] == verdicts["fair"] == "beaten"
    assert verdicts["srpt"].startswith("not beaten")


def test_it_learns_and_draws_its_curve(script, tmp_path):
    script("train.py", "--iterations", 2, "--envs", 4, "--same", 2, "--out", tmp_path)
    again = tmp_path / "again"
    script("train.py", "--iterations", 2, "--envs", 4, "--same", 2, "--out", again)
    assert (tmp_path / "learning_curve.csv").read_bytes() == (again / "learning_curve.csv").read_bytes()
    figure = tmp_path / "curve.png"
    script("learning_curve.py", tmp_path / "learning_curve.csv", "-o", figure)
    assert figure.stat().st_size > 5000
    assert "held-out seeds" in script("evaluate.py", tmp_path / "policy.npz", "--seeds", 2)


def test_steps_are_counted(script):
    said = script("steps_per_second.py", "--steps", 200, "--repeats", 1)
    rates = {line.split()[0]: int(line.split()[1]) for line in said.splitlines()}
    assert rates["steps"] > 0 and rates["resets"] > 0
