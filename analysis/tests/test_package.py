"""The package as others get it: typed, and installed by pip."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ANALYSIS = Path(__file__).resolve().parents[1]


def ended(command, **more):
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True, check=False,
                          **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(not shutil.which("mypy"), reason="mypy is not installed")
def test_every_type_holds(tmp_path):
    said = ended(["mypy", "--python-executable", sys.executable, "--cache-dir", tmp_path],
                 cwd=ANALYSIS)
    assert said.startswith("Success: no issues found")


@pytest.mark.skipif(not importlib.util.find_spec("pip"), reason="pip is not installed")
def test_pip_installs_it_and_it_finds_the_programs_configs(tmp_path):
    source, target, prefix = (tmp_path / name for name in ("source", "target", "prefix"))
    source.mkdir()
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ANALYSIS / name, source)
    for package in ("somnus",):
        shutil.copytree(ANALYSIS / package, source / package,
                        ignore=shutil.ignore_patterns("__pycache__"))
    ended([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
           "--no-build-isolation", "--no-compile", "--target", target, source],
          env={**os.environ, "PYTHONPATH": ""})
    assert (target / "somnus/py.typed").exists()
    assert (target / "somnus/analysis/papers/cfq/experiments.py").exists()
    assert (target / "somnus/analysis/papers/common/scoreboard.html").exists()
    # As `cmake --install` leaves it.
    shutil.copytree(ANALYSIS.parent / "configs/papers/cfq", prefix / "share/somnus/configs/papers/cfq")
    (prefix / "bin").mkdir()
    program = prefix / "bin/somnus"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    found = ended([sys.executable, "-c",
                   "from somnus.analysis.papers.cfq.experiments import PAPER; print(PAPER.folder)"], cwd=tmp_path,
                  env={**os.environ, "PYTHONPATH": str(target), "SOMNUS": str(program)})
    assert Path(found.strip()) == prefix / "share/somnus/configs/papers/cfq"
