"""The recipes of CONTRIBUTING.md and the README's policy: parts of one file each, which nobody names.

    pytest recipes_test.py --somnus SOMNUS --build BUILD

The files of recipes/ and the README's are compiled together, as a folder's files are, and linked with what
the program of the build folder is made of. The program that comes of it has to know each part, and the
old one none.
"""

import json
import re
import shlex
import subprocess
from pathlib import Path

import somnus_program
from somnus_program import FINE, MISTAKE, expect, expect_equal, somnus

RECIPES = Path(__file__).parent / "recipes"
README = Path(__file__).resolve().parents[2] / "README.md"
PARTS = {"order": "longest-first", "policy": "all-that-fits", "placement": "last-free"}
CONFIG = """
[cluster]
nodes = 3
slots_per_node = 2
[workload]
generator = "singles"
jobs = 12
[jvm]
model = "first-task"
factor = 4
[scheduler]
policy = "fifo"
"""

MIXED = CONFIG.replace('"singles"\njobs = 12', '"elephant-and-mice"\nmice = 20')  # an order matters


def run(command: list[str]) -> str:
    done = subprocess.run(command, cwd=somnus_program.BUILD, capture_output=True, text=True)
    expect(done.returncode == 0, f"{shlex.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def compile_recipes(folder: Path) -> Path:
    """As the commands are, whose folder may include all others."""
    source, made = folder / "recipes.cpp", folder / "recipes.o"
    [readme] = re.findall(r"^```cpp\n(.*?)^```", README.read_text(), re.MULTILINE | re.DOTALL)
    source.write_text("".join(f'#include "{file}"\n' for file in sorted(RECIPES.glob("*.cpp"))) + readme)
    entries = json.loads((somnus_program.BUILD / "compile_commands.json").read_text())
    words = shlex.split(next(entry["command"] for entry in entries
                             if "/somnus_commands.dir/" in entry["command"]))
    words[words.index("-o") + 1] = str(made)
    words[words.index("-c") + 1] = str(source)
    run(words)
    return made


def link(folder: Path, made: Path) -> Path:
    """What the build does to link the program, with one object more."""
    last = run(["ninja", "-t", "commands", "emulator/somnus"]).strip().splitlines()[-1]
    words = shlex.split(last.removeprefix(": && ").removesuffix(" && :"))
    at = words.index("-o")
    words[at + 1] = str(folder / "somnus")
    words.insert(at, str(made))
    run(words)
    return folder / "somnus"


def test_a_part_is_one_file_that_nobody_names(folder, monkeypatch):
    for words in (["help", "--markdown"], ["policies"]):
        out = somnus(folder, *words).expect(FINE).out
        for name in (*PARTS.values(), "pairs", "singles", "count-jobs", "first-task"):
            expect(name not in out, f"{name} is there already")
    somnus(folder, "policies", "smallest").expect(MISTAKE)
    monkeypatch.setattr(somnus_program, "PROGRAM", str(link(folder, compile_recipes(folder))))

    listed = json.loads(somnus(folder, "policies", "--json").expect(FINE).out)
    there = [(part["kind"], part["name"]) for part in listed["parts"]]
    for part in PARTS.items():
        expect(part in there, f"{part} is not among {there}")
    presets = [preset["name"] for preset in listed["presets"]]
    expect({"longest-first", "all-that-fits"} <= set(presets), f"{presets}")
    somnus(folder, "help", "--markdown").expect(
        FINE, "### somnus count-jobs", "### pairs", "### singles", "\"first-task\"",
        "[scheduler.longest-first]", "smaller jobs are all alike")
    somnus(folder, "--help").expect(FINE, "count-jobs", "how many jobs a workload has")
    somnus(folder, "completion", "bash").expect(FINE, "count-jobs", "longest-first")
    somnus(folder, "workload", "import").expect(FINE, "pairs: one job of one task a line")
    somnus(folder, "workload", "make").expect(FINE, "singles: jobs of one task each")

    (folder / "two.pairs").write_text("PAIR 3 1.5\nPAIR 4 2\n")
    somnus(folder, "workload", "import", "pairs", "two.pairs", "-o", "two.jsonl").expect(FINE)
    somnus(folder, "count-jobs", "two.pairs").expect(FINE, "2 jobs")
    (folder / "c.toml").write_text(CONFIG)
    somnus(folder, "simulate", "c.toml", "--policy", "fifo+placement=last-free,longest-first,all-that-fits",
           "--log", "{policy}.h5").expect(FINE)
    (folder / "mixed.toml").write_text(MIXED)
    result = json.loads(somnus(folder, "simulate", "mixed.toml", "--policy", "fair,fair+order=smallest",
                               "--log", "{policy}.h5", "--json").expect(FINE).out)
    expect_equal([one["scheduler"] for one in result], ["fair", "fair+order=smallest"], "schedulers")
    expect(result[0]["response_mean_s"] != result[1]["response_mean_s"], "the orders do the same")
    somnus(folder, "policies", "smallest").expect(FINE, "least estimated slot-time first")
    somnus(folder, "run", "mixed.toml", "--ranks", 1, "--speed", 50, "--set", "scheduler.order=smallest",
           "--log", "run.h5").expect(FINE)
    logs = sorted(folder.glob("*.h5"))
    expect(len(logs) == 6, f"{logs}")
    somnus(folder, "check", *logs).expect(FINE)
    somnus(folder, "replay", *logs).expect(FINE, "every one equal")
