"""A file system without file locks: logs are written and read there; where HDF5 insists on a lock, the error names it."""

import subprocess

from logs import mixed_jobs, write_config, write_workload
from somnus_program import FINE, MISTAKE, WORLD, each, expect, somnus

SHIM = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>
int flock(int file, int operation) { errno = REASON; return -1; }
int fcntl64(int file, int command, ...) {
  va_list more;
  va_start(more, command);
  void* argument = va_arg(more, void*);
  va_end(more);
  if (command == F_SETLK || command == F_OFD_SETLK) { errno = REASON; return -1; }
  return syscall(SYS_fcntl, file, command, argument);
}
int fcntl(int file, int command, ...) __attribute__((alias("fcntl64")));
"""

COMMANDS = [["check", "a.h5"], ["summary", "a.h5"], ["replay", "a.h5"], ["recover", "a.h5"], ["follow", "a.h5"],
            ["export", "a.h5", "-o", "tables"], ["export", "a.h5", "--format", "parquet", "-o", "parquet"],
            ["report", "a.h5"], ["plot", "a.h5", "-o", "figures"], ["analysis", "summary", "a.h5"],
            ["simulate", "config.toml", "--log", "b.h5"], ["check", "b.h5"],
            ["run", "config.toml", "--ranks", 1, "--speed", 20, "--log", "c.h5"], ["compare", "c.h5"],
            ["experiment", "experiment.toml", "-o", "results"]]


def without_locks(folder, reason):
    write_workload(folder, mixed_jobs(4))
    write_config(folder)
    (folder / "experiment.toml").write_text('[experiment]\nconfig = "config.toml"\nseeds = 2\n')
    somnus(folder, "simulate", "config.toml", "--log", "a.h5", "-q").expect(FINE)
    (folder / "shim.c").write_text(SHIM)
    subprocess.run(["cc", "-shared", "-fPIC", f"-DREASON={reason}", "-o", "shim.so", "shim.c"], cwd=folder, check=True)
    return {"LD_PRELOAD": str(folder / "shim.so")}


@each(["ENOLCK", "EAGAIN", "ENOSYS"])
def test_all_commands_read_and_write_logs(folder, reason):
    environment = without_locks(folder, reason)
    for words in COMMANDS:
        ended = somnus(folder, *words, "-q", environment=environment)
        expect(ended.code == FINE or words[0] == "compare" and ended.code == 1, f"{words}: {ended.code}: {ended.err}")


def test_hdf5_that_insists_on_locks_is_named(folder):
    environment = without_locks(folder, "ENOLCK") | {"HDF5_USE_FILE_LOCKING": "TRUE"}
    for words, code in ((["check", "a.h5"], MISTAKE), (["analysis", "summary", "a.h5"], MISTAKE),
                        (["simulate", "config.toml", "--log", "b.h5"], WORLD)):
        ended = somnus(folder, *words, environment=environment).expect(
            code, "cannot lock the file", "No locks available", "set HDF5_USE_FILE_LOCKING=FALSE")
        expect("recover" not in ended.err, f"{words} blames the log: {ended.err}")
