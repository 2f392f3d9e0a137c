"""Papers side by side, each in a process of its own: half of the time one measures on a single core."""

import argparse
import ctypes
import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from typing import TextIO

from somnus.analysis.base.errors import ProgramError, UserError
from somnus.analysis.base.program import ENDS_WITHIN_S
from somnus.analysis.base.progress import AGAIN
from somnus.analysis.papers.common.command import Paper

_FORK = multiprocessing.get_context("fork")  # others pickle, papers have lambdas
_SIGNAL_WHEN_PARENT_ENDS = 1  # PR_SET_PDEATHSIG of prctl(2)


def outcomes(papers: Sequence[Paper], options: Mapping[str, argparse.Namespace]) -> Iterator[tuple[int, str]]:
    """Each paper's exit code and what it printed, in order. By name, the options of each.

    As many run at once as there are cores. Raises what a paper raises; then the others end, too.
    """
    started: dict[Connection, ForkProcess] = {}
    place: dict[Connection, int] = {}
    ended: dict[int, tuple[int, str]] = {}
    try:
        waiting = list(enumerate(papers))
        given = 0
        while given < len(papers):
            while waiting and len(place) < (os.cpu_count() or 1):
                index, paper = waiting.pop(0)
                here, there = _FORK.Pipe(duplex=False)
                process = _FORK.Process(target=_run, args=(paper, options[paper.name], there))
                with _interrupts_held():
                    process.start()
                there.close()
                started[here], place[here] = process, index
            for pipe in wait(list(place)):
                assert isinstance(pipe, Connection)
                index = place.pop(pipe)
                ended[index] = _received(pipe, papers[index].name)
            while given in ended:
                yield ended.pop(given)
                given += 1
    except Exception:
        for process in started.values():
            if process.is_alive() and process.pid:
                os.kill(process.pid, signal.SIGINT)
        raise
    finally:
        for process in started.values():
            process.join(ENDS_WITHIN_S)
            process.kill()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """A process that is interrupted before _run() begins would go on as a copy of this one."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _received(pipe: Connection, name: str) -> tuple[int, str]:
    try:
        found: tuple[int, str] | Exception = pipe.recv()
    except EOFError:
        raise ProgramError(f"{name}: its process ended without a word; was there enough memory?",
                           exit_code=3) from None
    if isinstance(found, Exception):
        raise found
    return found


def _run(paper: Paper, options: argparse.Namespace, there: Connection) -> None:
    """In the process of the paper."""
    ctypes.CDLL(None).prctl(_SIGNAL_WHEN_PARENT_ENDS, signal.SIGINT)
    printed = StringIO()
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        with redirect_stdout(printed), redirect_stderr(_Named(sys.stderr, paper.name)):
            code = paper.run(options)
        there.send((code, printed.getvalue()))
    except KeyboardInterrupt:
        return  # the parent says so
    except Exception as error:
        if not isinstance(error, (ProgramError, UserError)):
            error.add_note(traceback.format_exc())  # of itself it has none in another process
        there.send(error)


class _Named(StringIO):
    """Lines with a name before each, so that it is seen whose they are."""

    def __init__(self, stream: TextIO, name: str):
        super().__init__()
        self._stream, self._name, self._line = stream, name, ""

    def write(self, text: str) -> int:
        if text.startswith(AGAIN):
            return self._stream.write(text.replace(AGAIN, f"{AGAIN}{self._name}: "))
        *whole, self._line = (self._line + text).split("\n")
        self._stream.write("".join(f"{self._name}: {line}\n" for line in whole))
        self._stream.flush()
        return len(text)
