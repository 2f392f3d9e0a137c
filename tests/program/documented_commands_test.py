"""Every command of the pages of this tree: each block of a page is run as it stands, in a copy of what it names.

    pytest documented_commands_test.py -k PART --somnus SOMNUS --build BUILD     PART: hour, page or papers/FILE

An indented block of a page is commands, unless it looks like a config, a listing or C++; of fenced ones
those marked sh and python are. What cannot be run here is in NOT_RUN with its reason and the test that
covers it, what would take long is in SHORTENED; that all options exist is checked of every command,
wherever it is named.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from logs import expect_narrow
from somnus_program import expect, expect_equal, program, somnus, users_environment

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(program()).parents[1]
PAGES = {path.as_posix(): (ROOT / path).read_text(encoding="utf-8")
         for path in sorted(page.relative_to(ROOT) for page in ROOT.rglob("*.md"))
         if path.name != "CHANGELOG.md" and not {"build", "out", "node_modules"} & {*path.parts}}

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```|(?<=\n\n)((?:^ {4}[^\n]*\n+)+)", re.MULTILINE | re.DOTALL)
# The first line of a config, a listing, or C++.
NO_COMMAND = re.compile(r"[\[{]|[\w.]+ = |\w[\w.*]* {2,}[^\s#]|.*;$", re.MULTILINE)
OTHER_LANGUAGES = {"", "cpp"}
COMMAND = re.compile(r"(?:[^\n]*\\\n)*[^\n]*\n")  # with the lines that it goes on in
INLINE = re.compile(r"`((?:somnus|\./dev)\s[^`]*)`")

# A command: why it cannot run in the copy, and the test, or phase of ./dev test, that runs it or its like.
NOT_RUN = {
    r"\./dev ": ("builds everything, for minutes or hours", "lint.dev"),
    r"cmake --preset dev ": ("builds everything", "ctest_counted"),
    r"tests/studies/advice.py ": ("minutes, with traces of ../shared", "cli.advise"),
    r"build/release/tests/bench/": ("measures for a minute; CI builds it", "build bench"),
    r"python3 -m pytest analysis/tests": ("a phase of its own", "test analysis"),
    r"python3 -m pytest tests/mpi/chaos_test.py .* --seeds 300": ("half an hour", "mpi.chaos"),
    r"cd tests/parquet && npm ci ": ("fetches packages", "cli.parquet_oracle"),
    r"somnus simulate -q large.toml ": ("a minute, and 5 GB", "cli.simulate"),
    r"sbatch ": ("needs Slurm", "slurm.script_decides"),
    r"sacct ": ("needs Slurm's accounting", "unit.formats_test"),
    r"mpirun --oversubscribe -np 64 ": ("64 ranks", "mpi.experiment"),
    r"somnus run --resume ": ("needs a run that was cut off", "mpi.resume"),
    r"somnus calibrate ": ("half a minute alone on a machine", "mpi.compare"),
    r"cmake (-S examples/plugin|--build plugin)": ("needs an installed Somnus", "cli.plugins"),
    r"cmake (-S examples/library|--build what-if)": ("needs an installed Somnus", "cli.library"),
    r"somnus .* --plugin plugin/": ("needs what that builds", "cli.plugins"),
    r"somnus protocol -- ": ("its lines are as long as what is said", "cli.external_order"),
    r"python3 (evaluate|train|learning_curve|steps_per_second)\.py": ("takes minutes", "test analysis"),
    r"somnus analysis fidelity": ("minutes a preset", "test analysis"),
    r"somnus reproduce (all|carbyne(?! --seeds))": ("minutes", "test analysis"),
}
# A command, and what is added to it, so that it takes seconds.
SHORTENED = {
    r"somnus reproduce \w+ --all": "--seeds 1",
    r"somnus reproduce cfq": "--seeds 1 --only 3",
    r"somnus reproduce paf": "--seeds 1 --only exchange",
    r"somnus reproduce uwfq": "--seeds 1 --only scenario-2",
    r"somnus reproduce yaq": "--seeds 1 --only heavy-tail",
    r"somnus experiment configs/experiments/load.toml ": "--set workload.jobs=20",
    r"somnus advise configs/laptop.toml ": "--seeds 2",
}
MAY_DIFFER = "somnus compare "  # a run on a busy machine

# What a page takes for granted: its reader's own files.
GIVEN = {
    "analysis/README.md": """
        somnus simulate configs/papers/paf/figure6.toml --policy fair,cfq,paf,ujf,uwfq --log '{policy}.h5'
        somnus simulate configs/papers/paf/figure6.toml --policy fair,cfq --seeds 1,2 --log '{policy}-{seed}.h5'
        somnus profile configs/papers/paf/figure6.toml -o curves.jsonl --json > profile.json
        somnus advise configs/laptop.toml -o advised --seeds 2 -q
        echo 'axes = {policy = ["fair", "cfq", "srpt"], cluster.nodes = [25, 50]}
        experiment = {config = "configs/experiments/google.toml", seeds = 2}' > e.toml
        somnus experiment e.toml -o out --set workload.jobs=100""",
    "docs/experiments.md": """
        echo 'axes.policy = ["fair", "cfq"]
        experiment = {config = "configs/laptop.toml", seeds = 4}' > load.toml""",
    "docs/faults.md": """
        cp configs/laptop.toml laptop.toml""",
    "docs/fidelity.md": """
        somnus run configs/laptop.toml --ranks 1 --speed 10 --log run.h5""",
    "docs/formats.md": f"""
        somnus workload make google --set jobs=50 -o w.jsonl
        somnus workload export swf w.jsonl -o NASA-iPSC-1993-3.1-cln.swf.gz
        mkdir -p shell/tasks && cp {ROOT}/tests/data/parquet/wta.parquet shell/tasks
        echo 'JobID|Submit|ElapsedRaw|AllocCPUS
        7|2024-05-01T12:30:59|9|2' | sed 's/^ *//' > week.txt
        cp {ROOT}/tests/data/parquet/instants.parquet pods.parquet
        echo 'sent (ms),start,end,cores,owner,memory
        1500,2,3.5,1,bob,8' | sed 's/^ *//' > jobs.csv""",
    "slurm/README.md": """
        echo 'SchedulerParameters=bf_interval=60,bf_continue
        NodeName=n[1-4] CPUs=8
        NodeName=gpu1 CPUs=32 Gres=gpu:4
        PartitionName=batch Nodes=n[1-4] Default=YES
        PartitionName=gpu Nodes=gpu1' | sed 's/^ *//' > slurm.conf
        echo 'JobID|Submit|ElapsedRaw|AllocCPUS|TimelimitRaw
        7|2026-01-01T12:30:59|90|20|2
        8|2026-01-01T12:31:01|30|16|1' | sed 's/^ *//' > jobs.sacct""",
    "src/log/README.md": """
        somnus simulate configs/laptop.toml --log run.h5""",
}
TRACE = "../shared/traces/hawk_traces/GOOG_subtrace.tr.gz"  # where configs have it; not of this repository
GIVEN_TO_ALL = f"""
    mkdir -p {Path(TRACE).parent}
    somnus workload make google --set jobs=300 -o ../google.jsonl
    somnus workload export tr ../google.jsonl -o {TRACE}
"""


def blocks(page: str) -> list[tuple[str, str]]:
    """Of commands: the language, and the text."""
    found = []
    for language, fenced, indented in BLOCK.findall(page):
        text = fenced or re.sub(r"^ {4}", "", indented, flags=re.MULTILINE)
        if fenced:
            expect(language in {"sh", "python"} | OTHER_LANGUAGES, f"a block of which language? {text}")
        elif not NO_COMMAND.match(text):
            language = "python" if text.startswith(("import ", "from ")) else "sh"
        if language in ("sh", "python"):
            found.append((language, text))
    return found


def plain(command: str) -> str:
    """In one line, without its comment."""
    return re.sub(r"(^|\s+)#.*", "", re.sub(r"\\\n\s*", "", command).strip())


def row_of(table: dict, command: str) -> str | None:
    return next((pattern for pattern in table if re.match(pattern, command)), None)


def what_can_run(block: str) -> str:
    def shortened(found: re.Match) -> str:
        command = plain(found[0])
        if row_of(NOT_RUN, command):
            return ""
        row = row_of(SHORTENED, command)
        return f"{command} {SHORTENED[row]}\n" if row else found[0]

    return COMMAND.sub(shortened, block)


class Copy:
    """A checkout in which the program is built, with a shell in it."""

    def __init__(self, folder: Path):
        self.folder, self.root = folder, folder / "somnus"
        for name, target in (("tools/somnus", program()), ("tools/python3", "/usr/bin/python3"),
                             ("somnus/build/release/emulator/somnus", program())):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).symlink_to(target)
        for name in ("configs", "examples", "slurm"):
            shutil.copytree(ROOT / name, self.root / name)
        self.environment = {**users_environment(), "PATH": f"{folder}/tools:{os.environ['PATH']}",
                            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                            "OMPI_MCA_rmaps_base_oversubscribe": "1"}

    def run(self, language: str, text: str) -> str:
        """What it prints. All of it runs, and none of its commands may fail."""
        script, failures = self.folder / "script", self.folder / "failures"
        note = f"shopt -s expand_aliases; trap 'echo \"$? $BASH_COMMAND\" >> {failures}' ERR\n"
        script.write_text((note if language == "sh" else "") + text)
        failures.write_text("")
        words = {"sh": ["bash", "-uo", "pipefail"], "python": ["python3", "-B"]}[language]
        more = {"PYTHONPATH": str(ROOT / "analysis")} if language == "python" else {}
        done = subprocess.run([*words, script], cwd=self.root, env={**self.environment, **more},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=500)
        failed = failures.read_text().splitlines()
        differing = [each for each in failed if MAY_DIFFER in each and each.startswith("1 ")]
        expect(failed == differing and (done.returncode == 0 or differing),
               f"{text}\n{failed}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        expect_narrow(done.stdout + done.stderr, text)
        return done.stdout + done.stderr


def test_the_first_hour_runs_twice_in_a_row(folder):
    copy = Copy(folder)
    copy.run("sh", GIVEN_TO_ALL)
    (folder / "tools/somnus").unlink()  # the README's PATH finds it
    said = copy.run("sh", "".join(what_can_run(text) for _, text in blocks(PAGES["README.md"])) * 2)
    for words in ("slowdown", "every one equal", "report.html"):
        expect(said.count(words) >= 2, f"{words!r} is not there twice in {said}")


@pytest.mark.parametrize("page", [
    pytest.param(page, id=page if page.startswith("docs/papers/") else f"page: {page}")
    for page, text in PAGES.items() if page != "README.md" and blocks(text)])
def test_commands_run(folder, page):
    copy = Copy(folder)
    copy.run("sh", GIVEN_TO_ALL + GIVEN.get(page, ""))
    for language, text in blocks(PAGES[page]):
        copy.run(language, what_can_run(text) if language == "sh" else text)


def all_commands() -> list[str]:
    """Each one that any page, help or config names, be it as an example or in a sentence."""
    found = []
    for page in PAGES.values():
        for language, text in blocks(page):
            found += map(plain, COMMAND.findall(text)) if language == "sh" else []
        found += [" ".join(words.split()) for words in INLINE.findall(re.sub(r"^```.*?^```", "", page,
                                                                            flags=re.M | re.S))]
    found += re.findall(r"^  (somnus .*)", PAGES["docs/reference.md"], re.MULTILINE)
    for config in (ROOT / "configs").rglob("*.toml"):
        comment = re.sub(r"\\\n# *", "", config.read_text())
        found += re.findall(r"^#.*?\b(somnus [a-z].*)", comment, re.MULTILINE)
    return found


@cache
def help_of(folder: Path, command: tuple[str, ...]) -> str:
    if command[0] == "./dev":
        return subprocess.run([ROOT / "dev", "help"], capture_output=True, text=True, check=True).stdout
    ended = somnus(folder, *command[1:], "--help")
    expect(ended.code == 0, f"there is no {' '.join(command)}: {ended.err}")
    return ended.out


def test_every_option_on_any_page_exists(folder):
    for command in all_commands():
        # Slurm's scripts hand their further options on.
        command = re.sub(r"^sbatch .*slurm/\w+\.sbatch", "somnus run" if "somnus.sbatch" in command
                         else "somnus experiment", command)
        found = re.search(r"(?:^|\s)((?:somnus|\./dev) .*)", command)
        words = shlex.split(found[1]) if found else []
        deep = 3 if len(words) > 1 and words[1] in ("workload", "analysis", "reproduce", "new") else 2
        called = tuple(word for word in words[:deep] if re.fullmatch(r"[a-z./-]+", word))
        for word in words:
            if word.startswith("-") and len(called) > 1:
                option = re.match(r"-[\w-]*", word)[0]
                helps = help_of(folder, called) + help_of(folder, called[:1])  # --plugin is of all commands
                expect(re.search(rf"(?<![\w-]){option}(?![\w-])", helps) is not None,
                       f"{command}: {' '.join(called)} has no {option}")
            if re.match(r"(?:configs|slurm|tests)/[\w/.-]*\w", word):
                expect((ROOT / word).exists(), f"{command}: there is no {word}")
        if len(called) == 2 and called[0] == "./dev":
            expect(f"\n  {called[1]} " in help_of(folder, called), f"there is no {command}")
        elif len(called) > 1:
            help_of(folder, called)


def test_every_row_is_of_a_command_on_a_page(folder):
    commands = [plain(command) for page in PAGES.values() for language, text in blocks(page)
                if language == "sh" for command in COMMAND.findall(text)]
    for table in (NOT_RUN, SHORTENED):
        used = {row_of(table, command) for command in commands}
        expect_equal([pattern for pattern in table if pattern not in used], [], "rows of no command")
    tests = subprocess.run(["ctest", "--test-dir", BUILD, "-N"], capture_output=True, text=True, check=True)
    known = tests.stdout + (ROOT / "dev").read_text()
    for pattern, (_, covered_by) in NOT_RUN.items():
        expect(covered_by in known, f"{pattern}: there is no {covered_by}")
