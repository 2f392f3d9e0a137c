"""Runs the program as a user does, and looks at what is left: exit code, words, log, processes.

Every process gets a mark of its own run in its environment. So the ranks that mpirun started are
found in /proc even when mpirun is gone, and nobody else's process is ever touched.
"""

import inspect
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

# A reader that holds a lock at the wrong moment would disturb the writer that we test.
os.environ.setdefault("HDF5_USE_FILE_LOCKING", "FALSE")

FINE, DIFFERENCE, MISTAKE, WORLD, BUG = range(5)  # exit codes

MARK = "SOMNUS_TEST_RUN"

RIGHT_TO_WRITE = 1 << 62  # the byte on which a writer has its lock: src/output/file_lock.hpp


PROGRAM = BUILD = None  # what pytest was given as --somnus and --build


def program() -> str:
    return PROGRAM or str(Path(sys.argv[1]).resolve())


@cache
def _presets() -> list[dict]:
    listed = subprocess.run([program(), "policies", "--json"], capture_output=True, check=True).stdout
    return json.loads(listed)["presets"]


def presets() -> list[str]:
    """The names of all published systems, and not of those that a process of somebody's decides for."""
    return [preset["name"] for preset in _presets() if preset["name"] != "external"]


def limits_for(name: str) -> str:
    """What a config says beside a preset of batch systems, where jobs have no limits of their own, as TOML."""
    [preset] = [preset for preset in _presets() if preset["name"] == name]
    fills = preset.get("backfill", "") not in ("", "first-fit")
    return '[limits]\nmodel = "rounded"\n' if fills else ""


def each(cases):
    """One test a case, which is the test's second argument; by name, or a list of what names itself."""
    named = cases if isinstance(cases, dict) else {str(case): case for case in cases}

    def parametrized(test):
        _, name = inspect.signature(test).parameters
        return pytest.mark.parametrize(name, named.values(), ids=named)(test)

    return parametrized


class Failure(Exception):
    """A check that did not hold; its text says what was found instead."""


def expect(holds: bool, what: str) -> None:
    if not holds:
        raise Failure(what)


def expect_equal(found, expected, what: str) -> None:
    expect(found == expected, f"{what}: expected {expected!r}, found {found!r}")


@dataclass(frozen=True)
class Ended:
    """A process that has ended, with all that it said."""

    code: int
    out: str
    err: str
    took_s: float

    def expect(self, code: int, *words: str) -> "Ended":
        """Ended so, and each of `words` stands in what it said."""
        said = f"stdout: {self.out[-2000:]}\nstderr: {self.err[-2000:]}"
        expect(self.code == code, f"exit code {self.code}, expected {code}\n{said}")
        for word in words:
            expect(word in self.out + self.err or word in self.in_one_line(),
                   f"nothing is said of {word!r}\n{said}")
        return self

    def in_one_line(self) -> str:
        """All that it said, wherever lines were broken."""
        return " ".join((self.out + " " + self.err).split())


class Run:
    """A process that we started, with all its descendants.

    Use it with `with`: of a process that has ended nobody may be left then; of any other, what is still
    alive is killed, each by its own process id.
    """

    def __init__(self, command: list[str], folder: Path, preexec=None, environment=None):
        self.mark = uuid.uuid4().hex
        self._said = [tempfile.TemporaryFile("w+", errors="replace") for _ in range(2)]
        self._began = time.monotonic()
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env={**users_environment(), **(environment or {}), MARK: self.mark},
            stdin=subprocess.DEVNULL,
            stdout=self._said[0],
            stderr=self._said[1],
            preexec_fn=preexec,
        )

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, failure, *_) -> None:
        try:
            if failure is None and self.process.poll() is not None:
                self.expect_nobody_left()
        finally:
            for pid in self.alive():
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass  # it ended by itself in between
            self.process.wait()
            for said in self._said:
                said.close()

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def alive(self) -> list[int]:
        """Process ids of this run that still live: the program, mpirun, ranks."""
        return [pid for pid, _ in self._processes()]

    def ranks(self) -> dict[int, int]:
        """MPI rank -> process id, of the ranks that live now."""
        ranks = {}
        for pid, environment in self._processes():
            executable = _executable(pid)
            if b"OMPI_COMM_WORLD_RANK" in environment and executable == program():
                ranks[int(environment[b"OMPI_COMM_WORLD_RANK"])] = pid
        return ranks

    def mpirun(self) -> int | None:
        """Process id of the mpirun of this run; None while there is none."""
        for pid in self.alive():
            if Path(_executable(pid)).name in ("mpirun", "orterun", "prterun", "mpirun.openmpi"):
                return pid
        return None

    def said(self) -> str:
        return "".join(self._texts())

    def _texts(self) -> list[str]:
        for file in self._said:
            file.seek(0)
        return [file.read() for file in self._said]

    def wait(self, timeout_s: float = 120) -> Ended:
        """Until the process that we started has ended. Failure if it does not."""
        try:
            code = self.process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            raise Failure(f"still runs after {timeout_s} s; it said: {self.said()}") from None
        took_s = time.monotonic() - self._began
        return Ended(code, *self._texts(), took_s)

    def until(self, holds, what: str, timeout_s: float = 60) -> None:
        """Polls until holds() is true, while the process lives."""
        limit = time.monotonic() + timeout_s
        while not holds():
            expect(self.process.poll() is None,
                   f"ended with {self.process.poll()} before {what}; it said: {self.said()}")
            expect(time.monotonic() < limit, f"waited {timeout_s} s in vain until {what}")
            time.sleep(0.05)

    def expect_nobody_left(self, timeout_s: float = 15) -> None:
        """A process that is ending may take its time, but not forever."""
        limit = time.monotonic() + timeout_s
        while self.alive():
            expect(time.monotonic() < limit, f"left behind: {self._describe()}")
            time.sleep(0.05)

    def _describe(self) -> str:
        return ", ".join(f"{pid} {_executable(pid)}" for pid in self.alive())

    def _processes(self):
        wanted = self.mark.encode()
        for entry in os.listdir("/proc"):
            if not entry.isdigit() or int(entry) == os.getpid():
                continue
            try:
                # A zombie's environment is empty, so only the living are found.
                words = Path("/proc", entry, "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            environment = dict(word.split(b"=", 1) for word in words if b"=" in word)
            if environment.get(MARK.encode()) == wanted:
                yield int(entry), environment


def users_environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key != "HDF5_USE_FILE_LOCKING"}


def _executable(pid: int) -> str:
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return "(gone)"


def start(folder: Path, *arguments, mpi_ranks: int = 0, preexec=None, environment=None) -> Run:
    """The program, under `mpirun -np mpi_ranks` if that is not 0; environment: beside ours."""
    words = [str(argument) for argument in arguments]
    launcher = ["mpirun", "-np", str(mpi_ranks)] if mpi_ranks else []
    return Run([*launcher, program(), *words], folder, preexec, environment)


def somnus(folder: Path, *arguments, timeout_s: float = 120, mpi_ranks: int = 0,
           preexec=None, environment=None) -> Ended:
    """The same to its end; nothing may be left running."""
    with start(folder, *arguments, mpi_ranks=mpi_ranks, preexec=preexec, environment=environment) as run:
        return run.wait(timeout_s)
