"""A log that can't be created: exit code 3 and the reason, before any work is done."""

import os

from logs import mixed_jobs, write_config, write_workload
from somnus_program import FINE, WORLD, Checks, expect, expect_equal, somnus

checks = Checks()


def missing_folder(folder):
    return folder / "none" / "run.h5", "No such file or directory"


def directory(folder):
    (folder / "run.h5").mkdir()
    return folder / "run.h5", "Is a directory"


def below_a_file(folder):
    (folder / "file").write_text("")
    return folder / "file" / "run.h5", "Not a directory"


def system_file(folder):
    """Not even root may create a file there."""
    return "/proc/run.h5", "No such file or directory"


def write_protected(folder):
    (folder / "locked").mkdir(mode=0o555)
    return folder / "locked" / "run.h5", "Permission denied"


PLACES = {"in a missing folder": missing_folder, "a directory": directory,
          "below a file": below_a_file, "where the system lets nobody write": system_file}
if os.geteuid() != 0:
    PLACES["in a write-protected folder"] = write_protected


@checks.each({f"{command}, {name}": (command, place) for name, place in PLACES.items()
              for command in ("simulate", "run")})
def the_reason_is_told(folder, case):
    command, place = case
    write_workload(folder, mixed_jobs(3))
    config = write_config(folder)
    log, reason = place(folder)
    before = sorted(folder.rglob("*"))
    more = ["--ranks", 1] if command == "run" else []
    ended = somnus(folder, command, config, "--log", log, *more).expect(WORLD, str(log), reason)
    expect("our mistake" not in ended.err and "HDF5-DIAG" not in ended.err, ended.err)
    expect_equal(sorted(folder.rglob("*")), before, "files")


@checks.each(PLACES)
def a_workload_can_not_be_written_there_either(folder, place):
    output, reason = place(folder)
    before = sorted(folder.rglob("*"))
    somnus(folder, "workload", "make", "fixed", "-o", output).expect(WORLD, reason)
    expect_equal(sorted(folder.rglob("*")), before, "files")


@checks.add
def an_old_log_is_replaced(folder):
    write_workload(folder, mixed_jobs(3))
    config = write_config(folder)
    (folder / "run.h5").write_text("something old, longer than nothing" * 1000)
    somnus(folder, "simulate", config, "--log", "run.h5", "-q").expect(FINE)
    somnus(folder, "check", "run.h5").expect(FINE)


if __name__ == "__main__":
    checks.main()
