"""What any command prints can be read in a terminal of 80 columns, be left out, or be had as JSON."""

import json
from pathlib import Path

from logs import expect_narrow, mixed_jobs, write_config, write_workload
from somnus_program import DIFFERENCE, FINE, expect, expect_equal, somnus
from standing import write_world

CONFIGS = Path(__file__).resolve().parents[2] / "configs"
RESOURCES = CONFIGS / "fidelity/resources.toml"
LONG = "fair,fair+order=srpt+placement=random,cfq,uwfq,srpt,job-queue,fair+order=cfq"

# Each command that prints what it found, under what a user may give it. JSON: a document a command.
COMMANDS = {
    "simulate": ["simulate", "config.toml"],
    "simulate, all figures of many": ["simulate", "config.toml", "--policy", LONG, "--all"],
    "simulate, resources": ["simulate", RESOURCES, "--set", "workload.jobs=8", "--policy",
                            "drf,carbyne,tetris", "--all"],
    "run": ["run", "config.toml", "--ranks", 1, "--speed", 20, "--log", "again.h5", "--force"],
    "run without a log": ["run", "config.toml", "--ranks", 1, "--speed", 20],
    "replay": ["replay", "a.h5"],
    "check": ["check", "a.h5"],
    "recover": ["recover", "a.h5"],
    "summary": ["summary", "a.h5"],
    "summary of several": ["summary", "--all", *["a.h5"] * 9],
    "compare": ["compare", "run.h5", "--simulations", 2],
    "export": ["export", "a.h5", "-o", "exported", "--force"],
    "experiment": ["experiment", "experiment.toml", "-o", "results", "--force"],
    "experiment of many axes": ["experiment", "axes.toml", "-o", "axes", "--force"],
    "follow": ["follow", "a.h5"],
    "follow once": ["follow", "a.h5", "--once"],
    "workload make": ["workload", "make", "google", "-o", "google.jsonl", "--force"],
    "workload make, list": ["workload", "make"],
    "workload import": ["workload", "import", "native", "workload.jsonl", "-o", "w.jsonl", "--force"],
    "workload import, list": ["workload", "import"],
    "workload export": ["workload", "export", "csv", "workload.jsonl", "-o", "w.csv", "--force"],
    "workload export, list": ["workload", "export"],
    "workload show": ["workload", "show", "workload.jsonl"],
    "workload show, config": ["workload", "show", CONFIGS / "papers/yaq/sharing.toml"],
    "profile": ["profile", "config.toml", "-o", "again.jsonl", "--force"],
    "policies": ["policies"],
    "config": ["config"],
    "queue-length": ["queue-length", "--slots", 10, "--task-duration", 10],
    "report": ["report", "a.h5", "-o", "page.html", "--force"],
    "plot": ["plot", "a.h5", "-o", "figures", "--force"],
    "figure": ["figure", "cdf", "a.h5", "-o", "cdf.png", "--force"],
    "reproduce": ["reproduce", "cfq", "--only", "3", "--seeds", 1, "--out", "paper"],
    "analysis curves": ["analysis", "curves", "profile.json", "-o", "figures", "--force"],
    "analysis summary": ["analysis", "summary", "a.h5"],
    "analysis progress": ["analysis", "progress", "a.h5"],
}
NOT_FAITHFUL = ("run", "compare")  # a run on a busy machine may differ

AXES = """[experiment]
config = "config.toml"
seeds = 2
metrics = ["response_mean_s", "slowdown_mean"]
[axes]
policy = ["fair", "fair+order=srpt+placement=random"]
workload.load = [0.5, 0.9]
cluster.nodes = [4, 8]
faults.task_failure_probability = [0, 0.1]
[baseline]
policy = "fair"
"""


def prepared(folder: Path) -> None:
    write_world(folder)
    (folder / "axes.toml").write_text(AXES)
    somnus(folder, "run", "config.toml", "--ranks", 1, "--speed", 20, "--log", "run.h5",
           "-q").expect(FINE)


def ran(folder: Path, words: list):
    ended = somnus(folder, *words)
    codes = (FINE, DIFFERENCE) if words[0] in NOT_FAITHFUL else (FINE,)
    expect(ended.code in codes, f"{words}: exit code {ended.code}\n{ended.err}")
    return ended


def test_no_line_is_wider_than_a_terminal(folder):
    prepared(folder)
    for name, words in COMMANDS.items():
        ended = ran(folder, words)
        expect(ended.out != "", f"{name} prints nothing")
        expect_narrow(ended.out + ended.err, name)


def test_quiet_says_nothing_where_nothing_is_wrong(folder):
    prepared(folder)
    for name, words in COMMANDS.items():
        ended = ran(folder, [*words, "-q"])
        if ended.code == FINE:
            expect_equal(ended.out + ended.err, "", f"what {name} -q says")


def test_json_is_there_for_every_result(folder):
    prepared(folder)
    for name, words in COMMANDS.items():
        out = ran(folder, [*words, "--json", "-q"]).out
        try:
            json.loads(out)
        except ValueError as error:
            expect(False, f"{name} --json: no JSON: {error}: {out[:300]}")


def test_a_simulation_leaves_a_log_only_where_it_is_asked_for(folder):
    write_workload(folder, mixed_jobs())
    config = write_config(folder, more='[log]\nfile = "run.h5"\n')
    for _ in range(2):
        somnus(folder, "simulate", config).expect(FINE)
    expect_equal(list(folder.glob("*.h5")), [], "logs")
    somnus(folder, "simulate", config, "--log", "one.h5").expect(FINE)
    somnus(folder, "simulate", config, "--set", "log.file=two.h5").expect(FINE)
    somnus(folder, "run", config, "--ranks", 1, "--speed", 20).expect(FINE)
    expect_equal(sorted(path.name for path in folder.glob("*.h5")), ["one.h5", "run.h5", "two.h5"],
                 "logs")
