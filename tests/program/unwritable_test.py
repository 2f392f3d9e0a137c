"""A log that can't be created: exit code 3 and the reason, before any work is done."""

import os
import resource

from logs import mixed_jobs, write_config, write_workload
from somnus_program import FINE, MISTAKE, WORLD, each, expect, expect_equal, somnus


def missing_folder(folder):
    return folder / "none" / "run.h5", "No such file or directory"


def below_a_file(folder):
    (folder / "file").write_text("")
    return folder / "file" / "run.h5", "Not a directory"


def system_file(folder):
    """Not even root may create a file there."""
    return "/proc/run.h5", "No such file or directory"


def write_protected(folder):
    (folder / "locked").mkdir(mode=0o555)
    return folder / "locked" / "run.h5", "Permission denied"


PLACES = {"in a missing folder": missing_folder, "below a file": below_a_file,
          "where the system lets nobody write": system_file}
if os.geteuid() != 0:
    PLACES["in a write-protected folder"] = write_protected


@each({f"{command}, {name}": (command, place) for name, place in PLACES.items()
       for command in ("simulate", "run")})
def test_the_reason_is_reported(folder, case):
    command, place = case
    write_workload(folder, mixed_jobs(3))
    config = write_config(folder)
    log, reason = place(folder)
    before = sorted(folder.rglob("*"))
    more = ["--ranks", 1] if command == "run" else []
    ended = somnus(folder, command, config, "--log", log, *more).expect(WORLD, str(log), reason)
    expect("our mistake" not in ended.err and "HDF5-DIAG" not in ended.err, ended.err)
    expect_equal(sorted(folder.rglob("*")), before, "files")


def limit_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))


@each({"simulate": [], "run": ["--ranks", 1]})
def test_nothing_is_left_of_a_log_too_large_to_begin(folder, more):
    write_workload(folder, mixed_jobs(3))
    config = write_config(folder)
    before = sorted(folder.rglob("*"))
    command = "run" if more else "simulate"
    somnus(folder, command, config, "--log", "run.h5", *more, preexec=limit_file_size).expect(
        WORLD, "run.h5", "File too large")
    expect_equal(sorted(folder.rglob("*")), before, "files")


def test_an_old_log_is_replaced_by_force_only_over_mpi_too(folder):
    write_workload(folder, mixed_jobs(3))
    command = ["run", write_config(folder), "--log", "run.h5", "-q", "--ranks", 2]
    old = "something old, longer than nothing" * 1000
    (folder / "run.h5").write_text(old)
    somnus(folder, *command).expect(MISTAKE, "run.h5: is there already", "--force")
    expect_equal((folder / "run.h5").read_text(), old, "the old log")
    somnus(folder, *command, "--force").expect(FINE)
    somnus(folder, "check", "run.h5").expect(FINE)
    files = sorted(path.name for path in folder.iterdir())
    expect_equal(files, ["config.toml", "run.h5", "workload.jsonl"], "files")


def test_all_old_logs_are_reported_before_anything_is_simulated(folder):
    write_workload(folder, mixed_jobs(3))
    for policy in ("fair", "cfq"):
        (folder / f"{policy}.h5").write_text("old")
    config = write_config(folder)
    before = sorted(folder.rglob("*"))
    somnus(folder, "simulate", config, "--policy", "fifo,fair,cfq", "--log",
           "{policy}.h5").expect(MISTAKE, "fair.h5: is there already", "cfq.h5: is there already")
    expect_equal(sorted(folder.rglob("*")), before, "files")
