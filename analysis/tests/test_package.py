"""The package as others get it: typed, and installed by pip."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from experiments import CONFIG

ANALYSIS = Path(__file__).resolve().parents[1]
BARE = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "SOMNUS")}
PIP = [sys.executable, "-m", "pip", "--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir",
       "--isolated"]
ORDER = """
import somnus
class Smallest(somnus.Order):
    def key(self, unit):
        return unit.slot_time
somnus.serve(Smallest())
"""
SAID = (  # `somnus protocol`
    {"init": {"protocol": 1, "seed": 1, "nodes": 1, "slots": 1, "queues": [], "accounts": [], "qos": [],
              "parameters": {}}},
    {"now": 0, "events": [{"event": "submitted", "time": 0, "unit": 7, "job": 7, "user": 0, "arrival": 0, "weight": 1,
                           "weight_of_user": 1, "tasks": 1, "width": 1, "slot_time": 3, "work_left": 3}]},
)


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


TOOLS = [name for name in ("pip", "setuptools", "wheel") if not importlib.util.find_spec(name)]


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> tuple[Path, Path]:
    """The sdist, built without a network, and the wheel that is built from it alone."""
    if TOOLS:
        pytest.skip(f"not installed: {', '.join(TOOLS)}")
    folder = tmp_path_factory.mktemp("built")
    source = folder / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ANALYSIS / name, source)
    shutil.copytree(ANALYSIS / "somnus", source / "somnus", ignore=shutil.ignore_patterns("__pycache__"))
    ended([sys.executable, "-c", f"import setuptools.build_meta as it; it.build_sdist({str(folder)!r})"], cwd=source,
          env=BARE)
    [sdist] = folder.glob("*.tar.gz")
    ended([*PIP, "wheel", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, sdist], cwd=folder, env=BARE)
    [wheel] = folder.glob("*.whl")
    return sdist, wheel


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory) -> Path:
    target = tmp_path_factory.mktemp("target")
    ended([*PIP, "install", "--no-index", "--no-deps", "--no-compile", "--target", target, built[1]], cwd=target, env=BARE)
    return target


def test_sdist_and_wheel_have_every_file_of_the_package(built):
    sdist, wheel = built
    version = tomllib.loads((ANALYSIS / "pyproject.toml").read_text())["project"]["version"]
    assert (sdist.name, wheel.name) == (f"somnus-{version}.tar.gz", f"somnus-{version}-py3-none-any.whl")
    own = {path.relative_to(ANALYSIS).as_posix() for path in (ANALYSIS / "somnus").rglob("*")
           if path.is_file() and "__pycache__" not in path.parts}
    own -= {path for path in own if path.endswith("README.md")}  # are for who changes it
    with zipfile.ZipFile(wheel) as file:
        in_wheel = {name for name in file.namelist() if ".dist-info/" not in name}
    assert own <= in_wheel and {name.split("/")[0] for name in in_wheel} == {"somnus"}
    with tarfile.open(sdist) as tar:
        assert own | {"pyproject.toml", "README.md"} <= {name.partition("/")[2] for name in tar.getnames()}


def test_the_package_has_the_programs_version():
    listed = (ANALYSIS.parent / "CMakeLists.txt").read_text()
    version = tomllib.loads((ANALYSIS / "pyproject.toml").read_text())["project"]["version"]
    assert re.search(r"VERSION (\d+\.\d+\.\d+)", listed.partition("project(")[2])[1] == version


def test_an_order_runs_from_the_wheel(installed, tmp_path):
    (tmp_path / "order.py").write_text(ORDER)
    said = ended([sys.executable, "order.py"], cwd=tmp_path, env=BARE | {"PYTHONPATH": str(installed)},
                 input="".join(f"{json.dumps(line)}\n" for line in SAID))
    about, keys = map(json.loads, said.splitlines())
    assert about["name"] == "Smallest" and keys == {"keys": [[7, 3]]}


def test_the_wheel_has_the_commands_and_finds_the_programs_configs(installed, tmp_path):
    bare = BARE | {"PYTHONPATH": str(installed)}
    said = ended([sys.executable, "-m", "somnus.analysis", "--help"], cwd=tmp_path, env=bare)
    assert said.startswith("usage: somnus analysis") and "reproduce" in said
    # As `cmake --install` leaves it.
    shutil.copytree(ANALYSIS.parent / "configs/papers/cfq", tmp_path / "share/somnus/configs/papers/cfq")
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin/somnus"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    found = ended([sys.executable, "-c", "from somnus.analysis.papers.cfq.experiments import PAPER; print(PAPER.folder)"],
                  cwd=tmp_path, env=bare | {"SOMNUS": str(program)})
    assert Path(found.strip()) == tmp_path / "share/somnus/configs/papers/cfq"


def test_the_wheel_simulates_with_an_order_of_its_process(installed, tmp_path, somnus):
    (tmp_path / "config.toml").write_text(CONFIG)
    ended([sys.executable, "-c", f"{ORDER.partition('somnus.serve')[0]}\n"
           "log = somnus.simulate('config.toml', policy=Smallest())\n"
           "assert log.label == 'Smallest' and log.summary['jobs_finished'] == len(log.jobs) > 5"], cwd=tmp_path,
          env=BARE | {"PYTHONPATH": str(installed), "SOMNUS": str(somnus)})
