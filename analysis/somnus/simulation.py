"""One simulation of the program, whose order is asked for here: the other end of a Unix socket."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from somnus.toml import as_toml

PROTOCOL = 1  # of `somnus protocol`
NAME = "somnus.Env"
EVENTS = ["submitted", "started", "ended", "job_ended"]
LOOK_S = 0.05  # how often the program is looked at until it has called
CLOSES_LOG_S = 2.0  # for so long a program whose log is kept may go on to close it


def find_program(given: str | Path | None) -> Path:
    """The program asked for; else that of $SOMNUS, the release build, or $PATH."""
    from somnus.analysis.base.program import find_program as find

    return find(None if given is None else Path(given))


class Simulation:
    """`somnus simulate CONFIG` with an order of stages that is asked at this socket.

    Questions are read by next_question(), each of which wants one answer(). Whatever happens, end()
    leaves no process and no file; it is called when the object is collected, too.
    """

    def __init__(self, program: Path, config: str | Path, settings: Mapping[str, Any], seed: int, *,
                 each_launch: bool, log: str | Path | None, patience_s: float):
        self.slots = 0  # of the cluster, once the first question has come
        self.summary: dict[str, Any] | None = None  # of the run, once it is over
        self._each_launch = each_launch
        self._patience_s = patience_s
        self._rest = b""
        self._connection: socket.socket | None = None
        self._folder = tempfile.mkdtemp(prefix="somnus-env-")
        self._listening = socket.socket(socket.AF_UNIX)
        self._out, self._err = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        self._parts: list[Any] = [self._listening, self._out, self._err]
        grace_s = 0.0 if log is None else CLOSES_LOG_S
        self.end = weakref.finalize(self, _clear, os.getpid(), self._folder, self._parts, grace_s)
        path = f"{self._folder}/order"
        given = {**settings, "scheduler.order": "external", "scheduler.external.socket": path,
                 "scheduler.external.command": [], "scheduler.external.tiers": False,
                 "scheduler.external.deadline_s": 86400}
        self.command = [str(program), "simulate", str(config), "--seed", str(seed), "--json", "--quiet"]
        for key, value in given.items():
            self.command += ["--set", f"{key}={as_toml(value)}"]
        if log is not None:
            self.command += ["--log", str(log), "--force"]
        try:
            self._listening.bind(path)
            self._listening.listen(1)
            self._process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=self._out, stderr=self._err)
            self._parts.append(self._process)
        except BaseException:
            self.end()
            raise

    def next_question(self) -> dict[str, Any] | None:
        """What the order is to hear; None: the run is over. Raises ProgramError."""
        if self._connection is None:
            self._accept()
        line = self._line()
        if line is None:
            self._over()
            return None
        question: dict[str, Any] = json.loads(line)
        if "init" not in question:
            return question
        self.slots = question["init"]["slots"]
        self._say({"protocol": PROTOCOL, "name": NAME, "level": "stage", "events": EVENTS,
                   "each_launch": self._each_launch})
        return self.next_question()

    def answer(self, keys: list[tuple[int, float]]) -> None:
        """With the keys that have moved, a stage each."""
        self._say({"keys": keys})

    def _say(self, answer: dict[str, Any]) -> None:
        assert self._connection is not None
        with contextlib.suppress(OSError):  # it has ended: why is said when it is asked next
            self._connection.sendall(json.dumps(answer, separators=(",", ":")).encode() + b"\n")

    def _accept(self) -> None:
        until = time.monotonic() + self._patience_s
        self._listening.settimeout(LOOK_S)
        while self._connection is None:
            try:
                self._connection, _ = self._listening.accept()
            except TimeoutError:
                if self._process.poll() is not None:
                    raise self._failed() from None
                if time.monotonic() >= until:
                    raise self._silent() from None
        self._parts.append(self._connection)
        shutil.rmtree(self._folder, ignore_errors=True)  # so nothing is left if this process is killed
        self._connection.settimeout(self._patience_s)

    def _line(self) -> str | None:
        assert self._connection is not None
        while b"\n" not in self._rest:
            try:
                more = self._connection.recv(1 << 18)
            except TimeoutError:
                raise self._silent() from None
            except OSError:
                more = b""
            if not more:
                return None
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode()

    def _over(self) -> None:
        try:
            code = self._process.wait(self._patience_s)
        except subprocess.TimeoutExpired:
            raise self._silent() from None
        if code != 0:
            raise self._failed()
        self._out.seek(0)
        [summary] = json.loads(self._out.read())
        self.summary = {**summary, "scheduler": NAME}  # what the program says has the socket's path in it
        self.end()

    def _failed(self) -> Exception:
        code = self._process.returncode
        self._err.seek(0)
        said = self._err.read().decode(errors="replace").strip().splitlines()[-20:]
        self.end()
        return self._error("\n".join(said), f"ended with code {code}", code if code in (2, 3, 4) else 3)

    def _silent(self) -> Exception:
        self.end()
        return self._error(f"the program has said nothing for {self._patience_s:g} s, and was ended")

    def _error(self, sentences: str, end: str = "was called", exit_code: int = 3) -> Exception:
        """The ProgramError that somnus.simulate raises, too."""
        from somnus.analysis.base.errors import ProgramError
        from somnus.analysis.base.program import words_of_failure

        return ProgramError(words_of_failure(sentences, self.command[1:], end), exit_code)


def _clear(owner: int, folder: str, parts: list[Any], grace_s: float) -> None:
    """Not in a fork of the process that started it."""
    if os.getpid() != owner:
        return
    for part in parts:
        if not isinstance(part, subprocess.Popen):
            part.close()
    for part in parts:
        if isinstance(part, subprocess.Popen) and part.poll() is None:
            try:  # without its order it ends by itself
                part.wait(grace_s)
            except subprocess.TimeoutExpired:
                part.kill()
                part.wait()
    shutil.rmtree(folder, ignore_errors=True)
