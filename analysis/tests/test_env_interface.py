"""With Gymnasium an environment is one of Gymnasium's. Here a stand-in has the names that Somnus uses of it, so
that this is tested where the package is not installed."""

import os
import subprocess
import sys
from pathlib import Path

from environments import write_config

ANALYSIS = Path(__file__).resolve().parents[1]
STAND_IN = {
    "__init__.py": """
from somnus import plain
registry = {}
class Env(plain.Env):
    pass
def register(id, entry_point):
    registry[id] = entry_point
""",
    "spaces.py": """
from somnus.plain import Box as _Box, Dict, Discrete, Space
class Box(_Box):
    pass
""",
}
SCRIPT = """
import gymnasium, somnus
from gymnasium import spaces
with somnus.Env("config.toml") as env:
    assert isinstance(env, gymnasium.Env) and somnus.Box is spaces.Box
    assert isinstance(env.observation_space["stages"], spaces.Box)
    observation, info = env.reset(seed=1)
    assert env.step(0)[0] in env.observation_space
assert gymnasium.registry == {"somnus/Schedule-v0": "somnus.env:Env"}, gymnasium.registry
"""


def run(folder: Path, somnus: Path, script: str, path: list[Path]) -> None:
    done = subprocess.run([sys.executable, "-B", "-c", script], cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, "SOMNUS": str(somnus), "PYTHONPATH": os.pathsep.join(map(str, path))})
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_environment_is_one_of_gymnasiums_where_that_is_installed(tmp_path, somnus):
    write_config(tmp_path)
    for name, text in STAND_IN.items():
        path = tmp_path / "site/gymnasium" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    run(tmp_path, somnus, SCRIPT, [tmp_path / "site", ANALYSIS])


def test_an_order_that_is_a_process_needs_no_numpy(tmp_path, somnus):
    run(tmp_path, somnus, "import sys\nsys.modules['numpy'] = None\nimport somnus\nassert somnus.Order\n"
        "try:\n    somnus.Enf\n    raise SystemExit('there is no such name')\nexcept AttributeError as error:\n"
        "    assert 'Enf' in str(error)\n", [ANALYSIS])
