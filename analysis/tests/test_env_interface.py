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
from somnus.interface_stand_in import PlainEnv
registry = {}
class Env(PlainEnv):
    pass
def register(id, entry_point):
    registry[id] = entry_point
""",
    "spaces.py": """
from somnus.spaces import Box as _Box, Dict, Discrete, Space
class Box(_Box):
    pass
""",
    "vector/__init__.py": """
from somnus.interface_stand_in import PlainVectorEnv
class VectorEnv(PlainVectorEnv):
    pass
class AutoresetMode:
    NEXT_STEP = "next of Gymnasium"
""",
    "vector/utils.py": "from somnus.spaces import batch_space\n",
}
SCRIPT = """
import sys, types
# The stand-in's classes are the plain ones, taken before the package is looked for.
sys.modules["gymnasium"] = None
import somnus.interface as plain
sys.modules["somnus.interface_stand_in"] = plain
del sys.modules["gymnasium"], sys.modules["somnus.interface"]
del sys.modules["somnus"].interface

import gymnasium, somnus
with somnus.Env("config.toml") as env:
    assert isinstance(env, gymnasium.Env) and not isinstance(env, somnus.VectorEnv)
    from gymnasium import spaces
    assert isinstance(env.observation_space["stages"], spaces.Box)
    observation, info = env.reset(seed=1)
    assert env.step(0)[0] in env.observation_space
with somnus.vector("config.toml", 2) as envs:
    assert isinstance(envs, gymnasium.vector.VectorEnv)
    assert envs.metadata["autoreset_mode"] == "next of Gymnasium"
    envs.reset(seed=1)
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
