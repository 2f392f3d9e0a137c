"""The program teaches its own use, and says what it does not know."""

import re

from somnus_program import FINE, MISTAKE, Checks, expect, somnus

checks = Checks()

COMMANDS = ["run", "simulate", "replay", "check", "recover", "summary", "workload", "policies",
            "compare", "calibrate", "queue-length"]
WORKLOAD_COMMANDS = ["make", "import", "show"]


@checks.add
def help_names_every_command(folder):
    ended = somnus(folder, "--help").expect(FINE)
    for command in COMMANDS:
        expect(re.search(rf"^  {command}  +\w", ended.out, re.MULTILINE), f"no word on {command}")
    listed = re.findall(r"^  ([\w-]+)  +\w", ended.out.split("Subcommands:")[1], re.MULTILINE)
    expect(set(COMMANDS) <= set(listed), f"listed: {listed}")
    ended.expect(FINE, "Exit codes", "A first try")


@checks.add
def every_listed_command_has_help(folder):
    listed = somnus(folder, "--help").out.split("Subcommands:")[1].split("\n\n")[0]
    commands = [[word] for word in re.findall(r"^  ([\w-]+)  +\w", listed, re.MULTILINE)]
    commands += [["workload", word] for word in WORKLOAD_COMMANDS]
    for command in commands:
        usage = "Usage: somnus " + " ".join(command)
        ended = somnus(folder, *command, "--help").expect(FINE, usage)
        expect(ended.err == "", f"{command} --help writes to stderr: {ended.err}")


@checks.add
def help_of_workload_names_its_commands(folder):
    somnus(folder, "workload", "--help").expect(FINE, *WORKLOAD_COMMANDS)


@checks.add
def it_knows_its_version(folder):
    ended = somnus(folder, "--version").expect(FINE)
    expect(re.match(r"somnus \d+\.\d+\.\d+", ended.out), ended.out)


@checks.each({
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
def bad_usage_is_the_users_mistake(folder, arguments):
    (folder / "config.toml").write_text("[cluster]\nnodes = 1\nslots_per_node = 1\n")
    ended = somnus(folder, *arguments).expect(MISTAKE)
    expect(ended.err.strip() != "", "nothing is said on stderr")
    expect(ended.out == "", f"a mistake is told on stdout: {ended.out}")


if __name__ == "__main__":
    checks.main()
