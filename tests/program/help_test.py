"""The program teaches its own use, and says what it does not know."""

import json
import re
import subprocess
from pathlib import Path

from logs import expect_narrow
from somnus_program import FINE, MISTAKE, each, expect, program, somnus

GROUPS = ["Runs", "Logs", "Workloads", "Reference"]


def listed(folder, *group):
    """The names of commands that --help has, or those below one of them."""
    lines = somnus(folder, *group, "--help").expect(FINE).out.splitlines()
    heads = [f"{head}:" for head in (*GROUPS, "Subcommands")]
    names = []
    inside = False
    for line in lines:
        inside = line in heads or (inside and line.startswith("  "))
        names += re.findall(r"^  ([\w-]+)  +\w", line) if inside else []
    return names


def named(folder, command):
    """What the Python package lists below a command."""
    return re.findall(r"^    ([a-z][\w-]*)\b", somnus(folder, command, "--help").expect(FINE).out, re.M)


def test_help_names_every_command_by_groups(folder):
    out = somnus(folder, "--help").expect(FINE, "Exit codes", "A first try").out
    expect_narrow(out, "--help")
    expect_narrow(somnus(folder, "help", "simulate").expect(FINE).out, "help simulate")
    at = [out.index(f"\n{group}:\n") for group in GROUPS]
    expect(at == sorted(at), f"groups at {at}")
    for command in ("run", "simulate", "check", "workload", "config", "plot"):
        expect(command in listed(folder), f"no word on {command}")
    expect(listed(folder, "workload") == ["export", "import", "make", "show"], "of workload")


def test_every_listed_command_has_help(folder):
    commands = [[word] for word in listed(folder)]
    commands += [["workload", word] for word in listed(folder, "workload")]
    commands += [["reproduce", word] for word in named(folder, "reproduce")]
    commands += [["analysis", word] for word in named(folder, "analysis")]
    for command in commands:
        usage = "usage: somnus " + " ".join(command)
        ended = somnus(folder, *command, "--help").expect(FINE)
        expect(usage in ended.out.replace("Usage:", "usage:"), f"{command} --help: {ended.out}")
        expect(ended.err == "", f"{command} --help writes to stderr: {ended.err}")
        expect_narrow(ended.out, f"{command} --help")


def test_left_alone_it_says_what_there_is(folder):
    somnus(folder).expect(MISTAKE, "simulate", "A first try")
    somnus(folder, "workload").expect(MISTAKE, "make", "import", "export", "show")


def test_it_knows_its_version(folder):
    ended = somnus(folder, "--version").expect(FINE)
    expect(re.match(r"somnus \d+\.\d+\.\d+", ended.out), ended.out)


@each({
    "no command": [],
    "an unknown command": ["emulate"],
    "an unknown option": ["simulate", "config.toml", "--sped", "3"],
    "an unknown option before the command": ["--sped", "simulate"],
    "a command of workload that is none": ["workload", "mak"],
    "no config": ["simulate"],
    "no log": ["check"],
    "a seed that is no number": ["simulate", "config.toml", "--seed", "one"],
    "ranks below zero": ["run", "config.toml", "--ranks", "-1"],
    "--set without a value": ["simulate", "config.toml", "--set", "run.speed"],
})
def test_bad_usage_is_the_users_mistake(folder, arguments):
    (folder / "config.toml").write_text("[cluster]\nnodes = 1\nslots_per_node = 1\n")
    ended = somnus(folder, *arguments).expect(MISTAKE)
    expect(ended.err.strip() != "", "nothing is said on stderr")
    expect(ended.out == "", f"a mistake is reported on stdout: {ended.out}")


def test_help_command_says_what_the_option_says(folder):
    for command in ([], ["run"], ["workload"], ["workload", "make"]):
        said = somnus(folder, "help", *command).expect(FINE).out
        expect(said == somnus(folder, *command, "--help").out, f"help {command}: {said}")
    somnus(folder, "help", "simulat").expect(MISTAKE, "did you mean 'simulate'?")


def test_the_reference_is_what_the_program_reads(folder):
    written = (Path(__file__).resolve().parents[2] / "docs" / "reference.md").read_text()
    made = somnus(folder, "help", "--markdown").expect(FINE).out
    expect(made == written, "docs/reference.md is stale; ./dev reference writes it anew")


def test_the_manual_has_a_part_for_each_command(folder):
    page = somnus(folder, "help", "--man").expect(FINE).out
    for command in listed(folder):
        expect(f"\n.SH {command}\n" in page, f"no part for {command}")
    expect(not re.search(r"^\.(?!TH|SH|SS|nf|fi)", page, re.M), "a request that is none of ours")


def completed(folder, *words):
    """What bash offers after these words, the last of which is begun."""
    script = f"""source <({program()} completion bash)
COMP_WORDS=(somnus {' '.join(f"'{word}'" for word in words)}); COMP_CWORD={len(words)}
_somnus_words; printf '%s\\n' "${{COMPREPLY[@]}}" """
    done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True)
    expect(done.stderr == "", done.stderr)
    return done.stdout.split()


def test_tab_completes_commands_options_policies_and_keys(folder):
    for words, expected in (
            (["simu"], ["simulate"]),
            (["workload", "im"], ["import"]),
            (["workload", "make", "google", "--ou"], ["--output"]),
            (["simulate", "a.toml", "--policy", "yaq"], ["yaq-c", "yaq-d"]),
            (["simulate", "a.toml", "--set", "heartbeat.i"], ["heartbeat.interval_s="]),
            (["check", "no-option"], [])):
        found = completed(folder, *words)
        expect(found == expected, f"after {words}: {found}")
    somnus(folder, "completion", "fish").expect(MISTAKE, "bash or zsh")


def test_config_tells_every_key_and_what_reads_it(folder):
    somnus(folder, "config").expect(FINE, "[cluster]", "[[faults.event]]", "[scheduler.tetris]")
    one = somnus(folder, "config", "run.speed").expect(FINE, "[run]", "emulated seconds").out
    expect(len(one.splitlines()) == 2, one)
    somnus(folder, "config", "estimate.error").expect(FINE, "only with estimate.model")
    somnus(folder, "config", "run.speeed").expect(MISTAKE, "did you mean 'run.speed'?")
    tables = json.loads(somnus(folder, "config", "--json").expect(FINE).out)
    [run] = [table for table in tables if table["head"] == "[run]"]
    [speed] = [key for key in run["keys"] if key["name"] == "speed"]
    expect(speed["default"] == "1", f"{speed}")
    expect((speed["type"], speed["above"], speed["most"] > 1) == ("number", 0, True), f"{speed}")


def test_a_template_is_a_config_that_runs(folder):
    said = somnus(folder, "config", "--template", "yaq-c+queue.length=8").expect(FINE).out
    (folder / "mine.toml").write_text(said)
    somnus(folder, "simulate", "mine.toml", "--set", "workload.jobs=5").expect(FINE, "yaq-c")
    somnus(folder, "config", "--template", "yaqc").expect(MISTAKE, "did you mean 'yaq-c'?")
