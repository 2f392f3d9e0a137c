"""The README's own policy in ten minutes, followed to the letter in a copy of the sources.

What it adds is compiled and linked by the build's own commands, then described, compared, audited
and replayed as the README promises.
"""

import json
import re
import shlex
import subprocess
from pathlib import Path

from logs import mixed_jobs, write_config, write_workload
from somnus_program import FINE, Checks, Run, expect, expect_equal, program

checks = Checks()

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(program()).parents[1]


def tutorial() -> tuple[str, str]:
    """The path of the README's policy, and its text."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    [section] = re.findall(r"^## Your own policy in ten minutes\n(.*?)^## ", text, re.M | re.S)
    [source] = re.findall(r"^```cpp\n(.*?)^```", section, re.M | re.S)
    path = re.search(r"`(src/policies/\w+\.cpp)`", section)
    expect(path is not None, "the section names no file")
    return path[1], source


def compile_command(layer: Path) -> list[str]:
    """How the build compiles a source of that folder."""
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    marks = f"{layer.relative_to(ROOT)}/CMakeFiles"
    found = next(each["command"] for each in commands
                 if marks in each["command"] and "pch" not in Path(each["file"]).name)
    words = shlex.split(found)
    return words[1:] if Path(words[0]).name == "ccache" else words


def link_command() -> list[str]:
    asked = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", "emulator/somnus"],
                           capture_output=True, text=True, check=True)
    words = shlex.split(asked.stdout.strip().split("\n")[-1])
    return [word for word in words if word not in (":", "&&")]  # ninja's frame around it


def must(command: list, folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    expect(done.returncode == 0, f"{shlex.join(map(str, command))}\n{done.stderr[-3000:]}")


def build_with_tutorial(folder: Path) -> Path:
    path, text = tutorial()
    source = folder / Path(path).name
    source.write_text(text)

    compiled = folder / "policy.o"
    words = compile_command((ROOT / path).parent)
    words[words.index("-o") + 1] = str(compiled)
    words[words.index("-c") + 1] = str(source)
    must(words, BUILD)

    built = folder / "somnus"
    words = link_command()
    words[words.index("-o") + 1] = str(built)
    words.insert(words.index("-o"), str(compiled))
    must(words, BUILD)
    return built


@checks.add
def the_readmes_own_policy_builds_and_runs(folder):
    built = build_with_tutorial(folder)
    write_workload(folder, mixed_jobs())
    config = write_config(folder, nodes=1)  # few enough slots that an order matters

    def somnus(*words):
        with Run([str(built), *map(str, words)], folder) as run:
            return run.wait().expect(FINE)

    expect("least estimated slot-time first" in somnus("policies", "smallest").out, "policies")
    log = folder / "{policy}.h5"
    result = json.loads(somnus("simulate", config, "--policy", "fair,fair+order=smallest", "--log",
                             log, "--json").out)
    expect_equal([one["scheduler"] for one in result], ["fair", "fair+order=smallest"],
                 "schedulers")
    expect(result[0]["response_mean_s"] != result[1]["response_mean_s"], "the orders do the same")
    somnus("run", config, "--ranks", 1, "--set", "scheduler.order=smallest", "--log", "run.h5", "-q")
    for each in ("fair+order=smallest.h5", "run.h5"):
        somnus("check", each)
        somnus("replay", each)


checks.main()
