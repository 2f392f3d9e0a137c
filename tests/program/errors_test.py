"""How errors read: with --json as JSON, too; what was meant in place of an unknown word; nothing that steers a terminal."""

import json
import re

from logs import change, mixed_jobs, simulated, write_config, write_workload
from somnus_program import DIFFERENCE, FINE, MISTAKE, WORLD, each, expect, expect_equal, somnus


@each({
    "unknown policy": (["simulate", "config.toml", "--policy", "fairr"], MISTAKE, "did you mean 'fair'?"),
    "unknown option": (["check", "log.h5", "--fast"], MISTAKE, "--fast"),
    "no log": (["check", "none.h5"], MISTAKE, "no such file"),
    "a folder that is missing": (["simulate", "config.toml", "--log", "none/a.h5"], WORLD, "none"),
    "over MPI": (["run", "config.toml", "--ranks", 2, "--set", "workload.file=none.jsonl"], MISTAKE, "none.jsonl"),
    "report": (["report", "none.h5"], MISTAKE, "no such file"),
    "plot": (["plot", "none.h5"], MISTAKE, "no such file"),
    "unknown option of plot": (["plot", "log.h5", "--fast"], MISTAKE, "--fast"),
})
def test_with_json_an_error_is_json_too(folder, case):
    words, code, sentence = case
    simulated(folder)
    ended = somnus(folder, *words, "--json").expect(code, sentence)
    expect(sentence in ended.err, f"people read nothing of it: {ended.err}")
    error = json.loads(ended.out)["error"]
    expect_equal(error["exit_code"], code, "exit code")
    expect(sentence in error["text"], f"{error}")


@each({
    "an option": (["simulate", "config.toml", "--polcy", "fair"], ["--polcy: no such option of `somnus simulate`",
                                                                  "did you mean '--policy'?"]),
    "an option with a value": (["simulate", "config.toml", "--sead=3"], ["--sead:", "did you mean '--seed'?"]),
    "an option of a command below another": (["workload", "make", "google", "--outptu", "a"],
                                             ["`somnus workload make`", "did you mean '--output'?"]),
    "several": (["check", "log.h5", "--jsn", "--quite"], ["did you mean '--json'?", "did you mean '--quiet'?"]),
    "an option of Python": (["plot", "log.h5", "--ouput", "a"], ["--ouput", "did you mean '--output'?"]),
    "capitals": (["simulate", "config.toml", "--policy", "FAIR"], ["did you mean 'fair'?"]),
    "policies with a space": (["simulate", "config.toml", "--policy", "fair", "cfq"],
                              ["cfq: no such file", "names a policy", "--policy A,B"]),
    "policies of a run": (["run", "config.toml", "--policy", "fair", "cfq"], ["cfq", "lists are one word, as in fair,cfq"]),
    "a range of seeds": (["simulate", "config.toml", "--seeds", "1-10"], ["--seeds = 1-10", "1,2,3"]),
})
def test_what_was_meant_is_said(folder, case):
    words, said = case
    write_workload(folder, mixed_jobs(3))
    write_config(folder)
    somnus(folder, *words).expect(MISTAKE, *said)


def test_check_ends_with_a_line_of_verdict(folder):
    log = simulated(folder)
    expect_equal(somnus(folder, "check", log).expect(FINE).out.splitlines()[-1], "sound: no invariant is broken", "last")
    [said] = json.loads(somnus(folder, "check", log, "--json").expect(FINE).out)
    expect_equal(said["sound"], True, "sound")
    change(log, "tasks", "finish", 0, lambda time: time + 1)
    last = somnus(folder, "check", log).expect(DIFFERENCE).out.splitlines()[-1]
    expect(re.fullmatch(r"BROKEN: \d+ of \d+ invariants", last), last)


def test_nothing_of_a_file_steers_a_terminal(folder):
    steers = "\x1b[2J\x1b[31m"
    write_workload(folder, [{"job": f"a{steers}", "submit": 0, "durations": [1], "user": steers, "affinity": [99]}])
    write_config(folder)
    (folder / "cells.csv").write_text(f"submit,duration,user\n0,1{steers},a\n1,2,b\n")
    (folder / "odd.toml").write_text(f'[cluster]\n"nodes\\u001b[2J" = 1\n')
    for words in (["simulate", "config.toml"], ["simulate", "odd.toml"], ["import", "cells.csv"],
                  ["workload", "import", "csv", "cells.csv", "-o", "a.jsonl"], ["workload", "show", "workload.jsonl"],
                  ["simulate", f"{steers}.toml"], ["check", f"{steers}.h5"], ["simulate", "config.toml", f"--{steers}"],
                  ["plot", f"{steers}.h5"], [steers]):
        ended = somnus(folder, *words)
        expect(ended.out + ended.err != "" and "\x1b" not in ended.out + ended.err, f"{words}: {ended.err!r} {ended.out!r}")


def test_a_run_that_ends_before_its_first_event_is_replayed(folder):
    write_workload(folder, [{"job": "late", "submit": 10, "durations": [1]}])
    write_config(folder, more="[run]\nuntil_s = 1\n")
    somnus(folder, "simulate", "config.toml", "--log", "a.h5").expect(FINE)
    somnus(folder, "replay", "a.h5").expect(FINE, "0 decisions of 0 events")


def test_a_line_of_progress_in_a_file_is_whole(folder):
    """Lines end, whole, however long a name is: no return, nothing that a terminal alone reads."""
    write_workload(folder, mixed_jobs(50))
    name = "a-name-that-is-longer-than-any-line-of-a-terminal-of-eighty-columns-and-has-an-end.toml"
    write_config(folder, name)
    ended = somnus(folder, "run", name, "--ranks", 1, "--speed", 1, "--set", "scheduler.label='" + "x" * 90 + "'")
    lines = [line for line in ended.expect(FINE).err.split("\n") if "left" in line]
    expect(lines != [] and "\r" not in ended.err and "\x1b" not in ended.err, ended.err)
    expect(all("x" * 90 in line and "lag p99" in line for line in lines), ended.err)
