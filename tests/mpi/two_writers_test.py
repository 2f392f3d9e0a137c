"""While a log is written nobody else writes it, whatever they are; readers may read it. Who resumes a
run waits a little for those who still write its log."""

import os
import signal

from logs import (expect_clean, expect_recoverable, finished_tasks, long_run, mixed_jobs, running,
                  tasks_of, write_config, write_workload)
from somnus_program import FINE, MISTAKE, WORLD, each, expect, expect_equal, somnus, start

ROWS = 20


@each({"in a thread": 1, "by two worker ranks": 3})
def test_written_by_one_until_it_is_killed(folder, ranks):
    config, log = folder / "config.toml", folder / "run.h5"
    with long_run(folder, ROWS, ranks=ranks) as run:
        writer = run.ranks()[0] if ranks > 1 else run.process.pid
        inode = log.stat().st_ino
        (folder / "hard").mkdir()
        os.link(log, folder / "hard" / "run.h5")
        (folder / "hard" / "link-to-run.h5").symlink_to(log)
        for command in (["recover", log], ["recover", "hard/run.h5"], ["recover", "hard/link-to-run.h5"],
                        ["run", "--resume", "hard/run.h5", "--ranks", ranks],
                        ["run", config, "--log", log, "--force", "--ranks", ranks],
                        ["simulate", config, "--log", log, "--force"],
                        ["simulate", config, "--log", log]):
            somnus(folder, *command).expect(
                MISTAKE, f"run.h5: is being written by process {writer} on {os.uname().nodename}")
        expect_equal(log.stat().st_ino, inode, "inode of the log")
        somnus(folder, "check", log).expect(FINE)
        somnus(folder, "summary", log).expect(FINE, "unfinished")
        expect(run.process.poll() is None, "the run has ended")
        os.kill(writer, signal.SIGKILL)
        run.wait(30)
    expect_recoverable(folder, log, ROWS)
    expect_equal(sorted(path.name for path in folder.iterdir()),
                 ["config.toml", "hard", "run.h5", "workload.jsonl"], "files")


def write_world(folder):
    jobs = mixed_jobs(count=16, gap_s=0.25, task_s=0.5)  # some five seconds
    write_workload(folder, jobs)
    return jobs, write_config(folder)


def test_right_after_a_kill_of_the_starter_it_goes_on(folder):
    jobs, config = write_world(folder)
    log = folder / "run.h5"
    with running(folder, config, rows=8, ranks=3) as run:
        run.signal(signal.SIGKILL)
        run.wait()
        somnus(folder, "run", "--resume", log, "-q", "--ranks", 2).expect(FINE)
    expect_clean(folder, log)
    expect_equal(len(finished_tasks(log)), tasks_of(jobs), "tasks that finished")


def test_it_waits_for_who_writes_on_and_says_so(folder):
    _, config = write_world(folder)
    log = folder / "run.h5"
    with running(folder, config, rows=8, ranks=1) as run:
        run.signal(signal.SIGSTOP)
        with start(folder, "run", "--resume", log, "--ranks", 2) as resumed:
            resumed.until(lambda: "waiting for up to 5 s" in resumed.said(), "it waited")
            run.signal(signal.SIGKILL)
            run.wait()
            resumed.wait().expect(FINE, f"run.h5 is being written by process {run.process.pid} on")
    expect_clean(folder, log)


def test_a_log_that_is_still_written_after_that_is_refused_naming_who_does(folder):
    _, config = write_world(folder)
    log = folder / "run.h5"
    with running(folder, config, rows=8, ranks=1) as run:
        run.signal(signal.SIGSTOP)
        refused = somnus(folder, "run", "--resume", log, "--ranks", 1)
        refused.expect(MISTAKE, f"run.h5: is being written by process {run.process.pid} on")
        expect(refused.took_s > 4.5, f"it waited only {refused.took_s:.1f} s")
        run.signal(signal.SIGCONT)
        run.wait().expect(FINE)
    somnus(folder, "run", "--resume", "run.h5").expect(MISTAKE, "has come to its end")


def test_a_wait_for_the_ranks_can_be_broken_off(folder):
    _, config = write_world(folder)
    log = folder / "run.h5"
    with running(folder, config, rows=1, ranks=1) as run:
        with start(folder, "run", "--resume", log, "--ranks", 1) as waiting:
            waiting.until(lambda: "waiting for up to 5 s" in waiting.said(), "it waited")
            waiting.signal(signal.SIGTERM)
            waiting.wait(3).expect(WORLD, "stopped by Terminated while it waited for")
        run.wait().expect(FINE)
