"""Experiments from Python, with orders and policies of this process too."""

import contextlib
import re
import tempfile
import tomllib
import warnings
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from somnus.analysis.base.errors import ProgramError, ProgramWarning
from somnus.analysis.base.program import Somnus, find_program
from somnus.analysis.base.progress import Progress
from somnus.analysis.experiments.result import ExperimentResult
from somnus.listening import listening, name_of
from somnus.serving import Served, label_of, require_served
from somnus.toml import as_toml

SOCKET = "scheduler.external.socket"
COMMAND = "scheduler.external.command"
OUTPUTS = ("results.csv", "results.h5", "summary.csv", "answers.json", "runs*.jsonl")

Choice = str | Served


def experiment(config: str | Path, *, policies: Sequence[Choice] | None = None,
               axes: Mapping[str, Sequence[Any]] | None = None, seeds: int | None = None,
               batches: int | None = None, baseline: Choice | Mapping[str, Any] | None = None,
               metrics: Sequence[str] | None = None, settings: Mapping[str, Any] | None = None,
               folder: str | Path | None = None, jobs: int = 0, force: bool = False,
               program: str | Path | None = None) -> ExperimentResult:
    """What `somnus experiment` finds: each combination of policies and axes, with so many seeds.

    config: a config, or an experiment's file, which says by itself all up to metrics. policies: presets or
    orders by name, with what is exchanged ("yaq-c+queue.length=8"), and orders and whole policies of this
    process, of which each run gets a copy. axes: values by key, {"workload.load": [0.5, 0.9]}. batches: of
    the jobs of one run, instead of seeds. baseline: one of the policies, or the values of the points that
    others are compared with. metrics: figures of `somnus summary --json`. settings: keys of the config, in all runs. jobs: runs at once; 0: one a core.

    folder: where the tables go; none: one that is gone with the returned object. The same experiment in
    the same folder goes on with what is there, but not with an order or policy of this process,
    which may be another one by now.
    Raises FileExistsError where results of others would be lost without force; else as simulate() does.
    """
    whole = {"policies": policies, "axes": axes, "seeds": seeds, "batches": batches, "baseline": baseline,
             "metrics": metrics}
    is_file = _is_experiment(Path(config))
    if given := [name for name, value in whole.items() if value is not None and is_file]:
        raise TypeError(f"{config} is an experiment's file, which says its {', '.join(given)} by itself")
    if not (is_file or policies or axes):
        raise TypeError("expected policies or axes: what is to be compared?")
    own = _of_this_process(policies or ())
    if not isinstance(baseline, str | Mapping | None) and not any(baseline is each for each in own):
        raise TypeError(f"baseline: expected one of the policies, found {baseline!r}")
    if folder is not None and own and not force:
        _require_no_results(Path(folder))
    with contextlib.ExitStack() as stack:
        gone_with_it = stack.enter_context(contextlib.ExitStack())
        if folder is None:
            folder = Path(gone_with_it.enter_context(tempfile.TemporaryDirectory(prefix="somnus-"))) / "out"
        file = Path(config)
        if not is_file:
            file = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="somnus-"))) / "experiment.toml"
            sockets = {id(each): stack.enter_context(listening(each)) for each in own}
            external = _external_of(Path(config)) if own else {}
            by_name = [each for each in policies or () if isinstance(each, str)]
            if "command" in external and not any("external" in each for each in by_name):
                del external["command"]
                settings = {COMMAND: []} | dict(settings or {})  # of all runs, so that it is no column of tables
            file.write_text(_text(Path(config), policies or (), sockets, external, axes or {}, seeds, batches,
                                  baseline, metrics))
        try:
            with Progress(f"experiment {config}") as progress:
                Somnus(find_program(None if program is None else Path(program)), progress).experiment(
                    file, Path(folder), {key: as_toml(value) for key, value in (settings or {}).items()}, jobs, force)
        except ProgramError as error:
            raise _in_words_of_python(error, None if is_file else file) from None
        if progress.said:
            warnings.warn("\n".join(progress.said), ProgramWarning, stacklevel=2)
        found = ExperimentResult(folder, metrics)
        weakref.finalize(found, gone_with_it.pop_all().close)
    return found


def _is_experiment(file: Path) -> bool:
    """What is not TOML the program says something about."""
    try:
        return "experiment" in tomllib.loads(file.read_text())
    except (OSError, ValueError):
        return False


def _of_this_process(policies: Sequence[Choice]) -> list[Served]:
    if isinstance(policies, str):
        raise TypeError(f"policies: expected a list, found a text; did you mean [{policies!r}]?")
    for policy in policies:
        if not isinstance(policy, str):
            require_served(policy)
    names = [policy if isinstance(policy, str) else name_of(policy) for policy in policies]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise TypeError(f"two policies are called {twice!r}; its `name` says another one")
    return [policy for policy in policies if not isinstance(policy, str)]


def _require_no_results(folder: Path) -> None:
    for name in OUTPUTS:
        if there := next(folder.glob(name), None):
            raise FileExistsError(f"{there} is there already; force=True replaces it")


def _external_of(config: Path) -> dict[str, Any]:
    """The process or socket that the config names; what is wrong with it the program says."""
    try:
        external = tomllib.loads(config.read_text())["scheduler"]["external"]
        return {key: external[key] for key in ("command", "socket") if key in external}
    except (KeyError, OSError, TypeError, ValueError):
        return {}


def _text(config: Path, policies: Sequence[Choice], sockets: Mapping[int, str], external: Mapping[str, Any],
          axes: Mapping[str, Sequence[Any]], seeds: int | None, batches: int | None,
          baseline: Choice | Mapping[str, Any] | None, metrics: Sequence[str] | None) -> str:
    """The experiment's file. Each axis is a [[zip]], so that policies come first."""
    own = {"config": str(config.resolve()), "seeds": seeds, "batches": batches,
           "metrics": metrics and list(metrics)}
    lines = ["[experiment]", *(f"{key} = {as_toml(value)}" for key, value in own.items() if value is not None)]
    turned = [_of_policies(policies, sockets, external)] if policies else []
    turned += [{key: list(values)} for key, values in axes.items()]
    for keys in turned:
        lines += ["[[zip]]", *(f"{key} = {as_toml(values)}" for key, values in keys.items())]
    if baseline is not None:
        compared = (dict(baseline) if isinstance(baseline, Mapping) else
                    {key: values[0] for key, values in _of_policies([baseline], sockets, external).items()})
        lines += ["[baseline]", *(f"{key} = {as_toml(value)}" for key, value in compared.items())]
    return "\n".join([*lines, ""])


def _of_policies(policies: Sequence[Choice], sockets: Mapping[int, str],
                 external: Mapping[str, Any]) -> dict[str, list[Any]]:
    """An order takes the place of the config's; a policy by name reads what the config says, if anything."""
    keys: dict[str, list[Any]] = {
        "policy": [policy if isinstance(policy, str) else label_of(policy) for policy in policies]}
    if sockets:
        keys[SOCKET] = [sockets.get(id(policy), external.get("socket", "")) for policy in policies]
    if "command" in external:
        keys[COMMAND] = [external["command"] if isinstance(policy, str) else [] for policy in policies]
    return keys


def _in_words_of_python(error: ProgramError, file: Path | None) -> Exception:
    """Without places in a file that the user has never seen."""
    text = str(error) if file is None else re.sub(rf"{re.escape(str(file))}(:\d+:\d+)?: ", "", str(error))
    sentences = text.rpartition("\n(somnus ")[0]
    if error.exit_code == 2 and "--force" in sentences:
        return FileExistsError(sentences.replace("--force", "force=True"))
    return ProgramError(text, error.exit_code)
