"""Simulations and runs from Python, of orders of this process too."""

import contextlib
import copy
import json
import socket
import tempfile
import threading
import weakref
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from somnus.order import Order
from somnus.serving import Dialogue, require_order

if TYPE_CHECKING:  # it needs numpy, pandas and h5py
    from somnus.analysis import Log


def simulate(config: str | Path, *, policy: "str | Order | None" = None, load: float | None = None,
             seed: int | None = None, settings: Mapping[str, Any] | None = None,
             log: str | Path | None = None, force: bool = False,
             program: str | Path | None = None) -> "Log":
    """The log of `somnus simulate CONFIG`.

    policy: the name of a preset, or an order of this process in the place of the config's; a run gets
    a copy of it. load: workload.load. settings: other keys of the config, such as {"cluster.nodes": 8}.
    log: where to write it, a file that is there only with force; none: one that is gone with the returned
    object. Raises FileExistsError, what the order raised, or ProgramError with the program's own sentences.
    """
    return _log_of(None, config, policy, load, seed, settings, log, force, program)


def run(config: str | Path, *, speed: float, policy: "str | Order | None" = None,
        load: float | None = None, seed: int | None = None, settings: Mapping[str, Any] | None = None,
        log: str | Path | None = None, force: bool = False,
        program: str | Path | None = None) -> "Log":
    """The log of `somnus run CONFIG`, in real time over MPI; speed in emulated seconds a second.

    The rest is as of simulate().
    """
    return _log_of(speed, config, policy, load, seed, settings, log, force, program)


def _log_of(speed: float | None, config: str | Path, policy: "str | Order | None", load: float | None,
            seed: int | None, settings: Mapping[str, Any] | None, log: str | Path | None, force: bool,
            program: str | Path | None) -> "Log":
    from somnus.analysis import load as load_log
    from somnus.analysis.base.program import Run, Somnus, find_program

    if log is not None and not force and Path(log).exists():
        raise FileExistsError(f"{log} is there already; force=True replaces it")
    given = dict(settings or {})
    if load is not None:
        given["workload.load"] = load
    if isinstance(policy, str):
        given["scheduler.policy"] = policy
    elif policy is not None:
        require_order(policy)
        if chosen := {key for key in given if key.startswith(("scheduler.order", "scheduler.external"))}:
            raise TypeError(f"policy and settings both choose the order: {', '.join(sorted(chosen))}")
    with contextlib.ExitStack() as stack:
        gone_with_it = stack.enter_context(contextlib.ExitStack())
        if log is None:
            folder = gone_with_it.enter_context(tempfile.TemporaryDirectory(prefix="somnus-"))
            log = Path(folder) / "log.h5"
        if isinstance(policy, Order):
            given |= {"scheduler.order": "external",
                      "scheduler.external.socket": stack.enter_context(_served(policy))}
        Somnus(find_program(None if program is None else Path(program))).write_log(
            Run(Path(config), Path(log), seed, {key: _toml(value) for key, value in given.items()}, speed))
        loaded = load_log(log)
        weakref.finalize(loaded, gone_with_it.pop_all().close)
    return loaded


def _toml(value: Any) -> str:
    """JSON is TOML but for tables, whose keys stand before =."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(each)}" for key, each in value.items()) + "}"
    return json.dumps(value)


@contextlib.contextmanager
def _served(order: Order) -> Iterator[str]:
    """A socket at which copies of the order answer; what one of them raises is raised at the end."""
    raised: list[BaseException] = []

    def serve_one(connection: socket.socket) -> None:
        with connection:
            try:
                dialogue = Dialogue(copy.deepcopy(order))
                for line in _lines_from(connection):
                    answer = dialogue.answer_to(line)
                    with contextlib.suppress(OSError):  # Somnus has ended, and says why
                        connection.sendall(answer)
            except BaseException as error:  # noqa: BLE001
                raised.append(error)

    def accept() -> None:
        with contextlib.suppress(OSError):  # until it is closed
            while True:
                connection, _ = listening.accept()
                threading.Thread(target=serve_one, args=(connection,), daemon=True).start()

    with tempfile.TemporaryDirectory(prefix="somnus-") as folder:
        path = f"{folder}/order"
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(path)
            listening.listen()
            threading.Thread(target=accept, daemon=True).start()
            try:
                yield path
            except Exception as error:
                raise raised[0] if raised else error
            finally:
                with contextlib.suppress(OSError):
                    listening.shutdown(socket.SHUT_RDWR)


def _lines_from(connection: socket.socket) -> Iterator[bytes]:
    """Until its other end is closed."""
    with connection.makefile("rb") as questions:
        while True:
            try:
                line = questions.readline()
            except OSError:
                return
            if not line:
                return
            yield line
