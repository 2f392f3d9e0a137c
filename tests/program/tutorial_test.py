"""The README's own policy in ten minutes, followed to the letter in a copy of the sources.

What it adds is compiled and linked by the build's own commands, then described, compared, audited
and replayed as the README promises.
"""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from logs import mixed_jobs, write_config, write_workload
from somnus_program import FINE, Checks, Run, expect, expect_equal, program

checks = Checks()

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(program()).parents[1]


def tutorial() -> tuple[str, str, str]:
    """The header's path, the header, and the lines for registry_orders.cpp."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    [section] = re.findall(r"^## Your own policy in ten minutes\n(.*?)^## ", text, re.M | re.S)
    header, rows = re.findall(r"^```cpp\n(.*?)^```", section, re.M | re.S)
    path = re.search(r"`(src/policy/\w+\.hpp)`", section)
    expect(path is not None, "the section names no header")
    return path[1], header, rows


def with_rows(registry: str, rows: str) -> str:
    """The include among the includes, the row among the orders."""
    include, row = rows.strip().split("\n", 1)
    expect(include.startswith("#include ") and row.startswith("order<"), f"found {rows}")
    registry = registry.replace('#include "policy/', f'{include}\n#include "policy/', 1)
    expect("      order<" in registry, "registry_orders.cpp has no orders")
    return registry.replace("      order<", f"      {row}\n      order<", 1)


def compile_command(source: Path) -> list[str]:
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    [found] = [each["command"] for each in commands if Path(each["file"]) == source]
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
    path, header, rows = tutorial()
    shutil.copytree(ROOT / "src", folder / "src")
    (folder / path).write_text(header)
    registry = folder / "src/policy/registry_orders.cpp"
    registry.write_text(with_rows(registry.read_text(), rows))

    compiled = folder / "registry.o"
    words = compile_command(ROOT / "src/policy/registry_orders.cpp")
    words[words.index("-o") + 1] = str(compiled)
    words[words.index("-c") + 1] = str(registry)
    words[1:1] = [f"-I{folder / 'src'}"]  # before the tree's own
    must(words, BUILD)

    built = folder / "somnus"
    words = link_command()
    words[words.index("-o") + 1] = str(built)
    words.insert(words.index("-o"), str(compiled))  # before the library that has the other one
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
    told = json.loads(somnus("simulate", config, "--policy", "fair,fair+order=smallest", "--log",
                             log, "--json").out)
    expect_equal([one["scheduler"] for one in told], ["fair", "fair+order=smallest"], "schedulers")
    expect(told[0]["response_mean_s"] != told[1]["response_mean_s"], "the orders do the same")
    somnus("run", config, "--ranks", 1, "--set", "scheduler.order=smallest", "--log", "run.h5", "-q")
    for each in ("fair+order=smallest.h5", "run.h5"):
        somnus("check", each)
        somnus("replay", each)


checks.main()
