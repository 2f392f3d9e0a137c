"""Simulations and runs from Python, of orders and policies of this process too."""

import contextlib
import tempfile
import warnings
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from somnus.listening import listening, name_of
from somnus.packages import packages_of_others
from somnus.serving import Served, choice_of, label_of, require_served
from somnus.toml import as_toml

if TYPE_CHECKING:  # it needs numpy, pandas and h5py
    from somnus.analysis.reading.log import Log

PLACES = ("scheduler.external.socket", "scheduler.external.command")  # where who decides is reached


def simulate(config: str | Path, *, policy: "str | Served | None" = None, load: float | None = None,
             seed: int | None = None, settings: Mapping[str, Any] | None = None,
             log: str | Path | None = None, force: bool = False,
             program: str | Path | None = None) -> "Log":
    """The log of `somnus simulate CONFIG`.

    policy: a preset or an order by name, with what is exchanged ("fair+order=srpt"; "+order=srpt": the
    config's own, with that); or an order or a whole policy of this process in the place of the config's, of
    which a run gets a copy. What the config says of a scheduler in whose place another one is, such as the
    order beside a whole policy, nobody reads. load: workload.load. settings: other keys of the config, such
    as {"cluster.nodes": 8}. log: where to write it, a file that is there only with force; none: one that is
    gone with the returned object. Raises FileExistsError, what the order or policy raised, or ProgramError
    with the program's own sentences, and warns of what the program warns of with ProgramWarning. At a
    terminal and in a notebook a line says how far it is, from two seconds on.
    """
    return _log_of(None, config, policy, load, seed, settings, log, force, program)


def run(config: str | Path, *, speed: float, policy: "str | Served | None" = None,
        load: float | None = None, seed: int | None = None, settings: Mapping[str, Any] | None = None,
        log: str | Path | None = None, force: bool = False,
        program: str | Path | None = None) -> "Log":
    """The log of `somnus run CONFIG`, in real time over MPI; speed in emulated seconds a second.

    The rest is as of simulate().
    """
    return _log_of(speed, config, policy, load, seed, settings, log, force, program)


def _log_of(speed: float | None, config: str | Path, policy: "str | Served | None", load: float | None,
            seed: int | None, settings: Mapping[str, Any] | None, log: str | Path | None, force: bool,
            program: str | Path | None) -> "Log":
    with packages_of_others():
        from somnus.analysis.base.errors import ProgramWarning
        from somnus.analysis.base.program import Run, Somnus, find_program
        from somnus.analysis.base.progress import Progress
        from somnus.analysis.reading.log import load as load_log

    if log is not None and not force and Path(log).exists():
        raise FileExistsError(f"{log} is there already; force=True replaces it")
    given = {key: as_toml(value) for key, value in (settings or {}).items()}
    if load is not None:
        given["workload.load"] = as_toml(load)
    if policy is not None and not isinstance(policy, str):
        require_served(policy)
        if chosen := {key for key in given if key.startswith(choice_of(policy)) or key in PLACES}:
            raise TypeError(f"policy and settings both choose who decides: {', '.join(sorted(chosen))}")
    with contextlib.ExitStack() as stack:
        gone_with_it = stack.enter_context(contextlib.ExitStack())
        if log is None:
            folder = gone_with_it.enter_context(tempfile.TemporaryDirectory(prefix="somnus-"))
            log = Path(folder) / "log.h5"
        with Progress(f"{'simulate' if speed is None else 'run'} {config}") as progress:
            somnus = Somnus(find_program(None if program is None else Path(program)), progress)
            if policy is not None and not isinstance(policy, str):
                socket = stack.enter_context(listening(policy))
                given = {"scheduler.label": as_toml(name_of(policy))} | given | {
                    "scheduler.external.socket": as_toml(socket), "scheduler.external.command": "[]"}
            label = policy if policy is None or isinstance(policy, str) else label_of(policy)
            summary = somnus.write_log(Run(Path(config), Path(log), seed, given, speed, label))
        if progress.said:
            warnings.warn("\n".join(progress.said), ProgramWarning, stacklevel=3)
        loaded = load_log(log)
        loaded.summary = summary
        weakref.finalize(loaded, gone_with_it.pop_all().close)
    return loaded
