"""What `compare`, `summary` and `follow` say of four runs: a quiet one, one that is too fast, one with a
worker that was stopped, and one that was killed and resumed."""

import json
import os
import re
import signal
import time

from logs import wait_for_rows, write_config, write_workload
from somnus_program import DIFFERENCE, FINE, MISTAKE, WORLD, expect, expect_equal, somnus, start

TRIES = 3  # the machine may be busy with something else
STOPPED_S = 15


def world(folder, jobs=13, task_s=4):
    """No job waits long, and no two things come at once."""
    jobs = [{"job": f"j{at}", "submit": 1.7 * at, "durations": [task_s, task_s + 0.3]} for at in range(jobs)]
    write_workload(folder, jobs)
    return write_config(folder, policy="fifo", more="[run]\nspeed = 1\n")


def run(folder, config, *options):
    somnus(folder, "run", config, "--log", "run.h5", "--force", "--ranks", 3, "-q", *options).expect(FINE)


def compared(folder):
    ended = somnus(folder, "compare", "run.h5", "--json")
    said = json.loads(ended.out)
    expect_equal(ended.code, {"faithful": FINE, "not comparable": MISTAKE}.get(said["verdict"], DIFFERENCE),
                 f"exit code of {said['verdict']}")
    expect_equal(said["faithful"], said["verdict"] == "faithful", "faithful")
    return said


def summary(folder):
    return json.loads(somnus(folder, "summary", "run.h5", "--json").expect(FINE).out)[0]


def verdict_in_tries(folder, config, word, speeds):
    for speed in speeds:
        run(folder, config, "--speed", speed)
        said = compared(folder)
        if said["verdict"] == word:
            return said
    raise AssertionError(f"never {word} in {len(speeds)} tries; at last {said['verdict']}: {said['why']}")


def test_a_quiet_run_is_faithful(folder):
    said = verdict_in_tries(folder, world(folder, jobs=4, task_s=10), "faithful", [1] * TRIES)
    expect(all(line["verdict"] == "faithful" for line in said["figures"]), said["figures"])
    expect(all(line["sensitivity"] < 0.01 for line in said["figures"]), "sensitive to next to nothing")


def test_a_run_that_is_too_fast_is_late_and_shall_be_slower(folder):
    said = verdict_in_tries(folder, world(folder), "late", [200, 400, 800])
    expect("a lower speed mends it" in said["why"], said["why"])
    expect_equal(summary(folder)["pace"], "outran its machine", "pace")
    somnus(folder, "compare", "run.h5").expect(DIFFERENCE, "late: the lateness of the ranks explains")


def test_a_run_with_a_worker_that_was_stopped_is_stalled(folder):
    config = world(folder)
    with start(folder, "run", config, "--log", "run.h5", "--ranks", 3) as process:
        wait_for_rows(process, folder / "run.h5", 2)
        worker = process.ranks()[2]
        os.kill(worker, signal.SIGSTOP)
        time.sleep(STOPPED_S / 2)
        silent = somnus(folder, "follow", "run.h5", "--once").expect(FINE).in_one_line()
        time.sleep(STOPPED_S / 2)
        os.kill(worker, signal.SIGCONT)
        ended = process.wait(60).expect(FINE, "A RANK WAS SILENT: nothing was heard of rank 2 for 1")
    for words in (silent, ended.err):
        expect(re.search(r"%( done at .*)?, rank 2 silent for ([4-9]|1\d) s", words), words)
    said = compared(folder)
    expect_equal(said["verdict"], "stalled", said["why"])
    expect(re.search(r"rank 2 for 1[3-6][.\d]* s of real time, from \d+[.\d]* s", said["why"]), said["why"])
    expect("a lower speed is no remedy" in said["why"], said["why"])
    p99 = next(line for line in said["figures"] if line["figure"] == "response_p99_s")
    expect(p99["difference"] > 1, f"the stall did not move p99: {p99}")
    expect(p99["sensitivity"] < 0.01, f"the stall is taken for sensitivity: {p99}")
    of_run = summary(folder)
    expect_equal((of_run["pace"], of_run["safe_speed"]), ("stalled", None), "pace")


def test_a_run_that_was_resumed_is_not_comparable(folder):
    config = world(folder)
    with start(folder, "run", config, "--log", "run.h5", "--ranks", 3, "-q") as process:
        wait_for_rows(process, folder / "run.h5", 6)
        os.kill(process.ranks()[0], signal.SIGKILL)
        process.wait(30).expect(WORLD)
    somnus(folder, "compare", "run.h5").expect(MISTAKE, "did not come to its end")
    somnus(folder, "run", "--resume", "run.h5", "--ranks", 3).expect(
        FINE, "IS NOT COMPARABLE WITH A SIMULATION: resumed at")
    said = compared(folder)
    expect_equal(said["verdict"], "not comparable", said["why"])
    expect(re.match(r"resumed at \d+[.\d]* s", said["why"]), said["why"])
    expect_equal(said["figures"], [], "figures")
    somnus(folder, "compare", "run.h5", "-q").expect(MISTAKE, "not comparable: resumed at")
    expect_equal(summary(folder)["pace"], "not comparable", "pace")
