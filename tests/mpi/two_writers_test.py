"""While a log is written nobody else writes it, whatever they are; readers may read it."""

import os
import signal

import helpers  # noqa: F401  must come first
from logs import expect_recoverable, long_jobs, wait_for_rows, write_config, write_workload
from somnus_program import FINE, MISTAKE, Checks, expect, expect_equal, somnus, start

checks = Checks()

ROWS = 20


@checks.each({"in a thread": 1, "by two worker ranks": 3})
def written_by_one_until_it_is_killed(folder, ranks):
    write_workload(folder, long_jobs())
    config = write_config(folder)
    log = folder / "run.h5"
    with start(folder, "run", config, "--log", log, "-q", "--ranks", ranks) as run:
        wait_for_rows(run, log, ROWS)
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
        run.expect_nobody_left()
    expect_recoverable(folder, log, ROWS)
    expect_equal(sorted(path.name for path in folder.iterdir()),
                 ["config.toml", "hard", "run.h5", "workload.jsonl"], "files")


if __name__ == "__main__":
    checks.main()
