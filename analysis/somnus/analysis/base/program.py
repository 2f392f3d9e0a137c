"""The only place that calls the program `somnus`."""

import json
import math
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from somnus.analysis.base.errors import ProgramError
from somnus.analysis.base.progress import STATUS, Progress

REPOSITORY = Path(__file__).resolve().parents[4]  # where the package is not installed
BUILT_PROGRAM = REPOSITORY / "build/release/emulator/somnus"
INSTALLED_PROGRAM = REPOSITORY.parents[1] / "bin/somnus"  # where the package is share/somnus/analysis
ENDS_WITHIN_S = 10
INSTALLED_CONFIGS = "share/somnus/configs"  # below the prefix of an installed program

Summary = dict[str, Any]  # of a run, as `somnus summary --json` names them; NaN: the log has no such value


@dataclass(frozen=True)
class Run:
    """One call of `somnus simulate`, or of `somnus run` where it has a speed."""

    config: Path
    log: Path
    seed: int | None = None  # none: the config's
    settings: Mapping[str, object] = field(default_factory=dict)  # table.key -> value
    speed: float | None = None  # emulated seconds per real second
    policy: str | None = None  # with what is exchanged, "fair+order=srpt"; none: the config's


def find_program(given: Path | None) -> Path:
    """The program asked for; else that of $SOMNUS, the release build, or $PATH."""
    asked = given or (Path(os.environ["SOMNUS"]) if os.environ.get("SOMNUS") else None)
    if asked:
        if not os.access(asked, os.X_OK) or asked.is_dir():
            raise ProgramError(f"{asked}: no such program")
        return asked.resolve()
    if os.access(BUILT_PROGRAM, os.X_OK):
        return BUILT_PROGRAM
    if os.access(INSTALLED_PROGRAM, os.X_OK):
        return INSTALLED_PROGRAM
    if found := shutil.which("somnus"):
        return Path(found)
    raise ProgramError(
        f"no program 'somnus': not at {BUILT_PROGRAM} and not on PATH; build it "
        "(./dev build), or name it with --somnus or the variable SOMNUS"
    )


def find_configs(folder: str) -> Path:
    """A folder of the configs that come with Somnus: of this source tree, or beside the program.

    Where there is neither, what this source tree would have; who reads it says what is missing.
    """
    own = REPOSITORY / "configs" / folder
    if own.is_dir():
        return own
    asked = os.environ.get("SOMNUS") or shutil.which("somnus")
    installed = Path(asked).resolve().parents[1] / INSTALLED_CONFIGS / folder if asked else own
    return installed if installed.is_dir() else own


def words_of_failure(sentences: str, arguments: Sequence[str], end: str = "was called") -> str:
    """What is wrong, and below it the call, which may be long."""
    return f"{sentences.strip()}\n(somnus {' '.join(arguments)}\n{end})"


class Somnus:
    """Runs the program."""

    def __init__(self, program: Path, progress: Progress | None = None):
        """progress: hears what runs and experiments say on standard error, which are quiet without it."""
        self.program = program
        self._progress = progress

    def emulate(self, runs: Iterable[Run], then: Callable[[Path, Summary], Any]) -> list:
        """What `then` returns for each log and its figures, in the order of the runs.

        It is called as soon as the run ends. Simulations run side by side, real runs one by one.
        """
        runs = list(runs)
        workers = 1 if any(run.speed for run in runs) else os.cpu_count() or 1

        def one(run: Run) -> Any:
            return then(run.log, self.write_log(run))

        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(one, runs))

    def make_workload(self, generator: str, settings: Mapping[str, object], seed: int,
                      file: Path) -> Path:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._call(["workload", "make", generator, *_settings(settings), "--seed", str(seed),
                    "-o", str(file), "--force"])
        return file

    def profile(self, config: Path, settings: Mapping[str, object], seed: int, file: Path) -> dict:
        """Writes the config's workload with fitted curves; what `somnus profile --json` says."""
        file.parent.mkdir(parents=True, exist_ok=True)
        return self._json("profile", str(config), *_settings(settings), "--seed", str(seed), "-o",
                          str(file), "--force", "--quiet", "--json")

    def queue_length(self, slots: int, heartbeat_s: float, task_s: float,
                     utilisation: float) -> dict[str, int]:
        """By rule, how long a node's queue must be; utilisation is a share of 1."""
        return self._json("queue-length", "--slots", str(slots), "--heartbeat", str(heartbeat_s),
                          "--task-duration", str(task_s), "--utilization",
                          str(utilisation), "--json")["queue_length"]

    def calibrate(self, config: Path, settings: Mapping[str, object]) -> dict:
        """What `somnus calibrate --json` says."""
        return self._json("calibrate", str(config), *_settings(settings), "--quiet", "--json")

    def presets(self) -> list[dict]:
        """What `policies --json` says of each, by name."""
        return self._json("policies", "--json")["presets"]

    def compare(self, run: Path) -> dict:
        """What `somnus compare --json` says of a run, which may well be that it is not faithful."""
        return self._json("compare", str(run), "--json", differs=True)

    def summary(self, logs: Iterable[Path]) -> list[Summary]:
        """The figures of each log, in one call."""
        return _without_null(self._json("summary", "--json", "--", *map(str, logs)))

    def summary_table(self, logs: Iterable[Path]) -> str:
        """What `somnus summary` prints of the logs, side by side."""
        return self._call(["summary", "--", *map(str, logs)])

    def check(self, log: Path) -> list[dict]:
        """The findings of `somnus check --json`, an object each."""
        return self._json("check", "--json", "--", str(log), differs=True)[0]["findings"]

    def write_log(self, run: Run) -> Summary:
        """Its figures."""
        run.log.parent.mkdir(parents=True, exist_ok=True)
        mode = ["run", "--speed", f"{run.speed:g}"] if run.speed else ["simulate"]
        return _without_null(self._json(
            *mode, str(run.config), *_settings(run.settings), "--log", str(run.log), "--force",
            *([] if run.seed is None else ["--seed", str(run.seed)]),
            *([] if run.policy is None else ["--policy", run.policy]), *self._quiet(), "--json"))[0]

    def experiment(self, file: Path, folder: Path, settings: Mapping[str, object], jobs: int,
                   force: bool) -> None:
        """Writes its tables into the folder. jobs: how many runs at once; 0: one a core."""
        self._call(["experiment", str(file), "-o", str(folder), *_settings(settings), "--jobs", str(jobs),
                    *(["--force"] if force else []), *self._quiet(), "--json"])

    def _quiet(self) -> list[str]:
        return [] if self._progress else ["--quiet"]

    def _json(self, *arguments: str, differs: bool = False) -> Any:
        """What it printed, read."""
        printed = self._call(arguments, differs)
        try:
            return json.loads(printed)
        except ValueError as error:
            raise ProgramError(words_of_failure(f"{self.program} said no JSON ({error}); is that the program somnus?",
                                                arguments), exit_code=3) from None

    def _call(self, arguments: Sequence[str], differs: bool = False) -> str:
        """What it printed. differs: exit code 1, a difference was found, is an answer, too."""
        code, printed, said = self._ended([str(self.program), *arguments])
        if code and not (differs and code == 1):
            reasons = [line for line in said if not STATUS.match(line)] or printed.splitlines()
            raise ProgramError(
                words_of_failure("\n".join(reasons[-20:]), arguments, f"ended with code {code}"),
                exit_code=code if code in (2, 3, 4) else 3,
            )
        return printed

    def _ended(self, command: list[str]) -> tuple[int, str, list[str]]:
        """Its exit code, what it printed, and the lines on standard error. Interrupted it ends, too."""
        said: list[str] = []
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, errors="replace") as process:
            assert process.stdout and process.stderr

            def listen(stream: Iterable[str]) -> None:
                for line in stream:
                    said.append(line.rstrip("\n"))
                    if self._progress:
                        self._progress.hear(said[-1])

            listener = threading.Thread(target=listen, args=(process.stderr,), daemon=True)
            try:
                listener.start()
                printed = process.stdout.read()
                process.wait()
            except BaseException:
                _end(process)
                raise
            finally:  # no stream is closed under its hands
                if listener.ident:
                    listener.join()
        return process.returncode, printed, said


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(ENDS_WITHIN_S)
    except subprocess.TimeoutExpired:
        process.kill()


def _settings(settings: Mapping[str, object]) -> list[str]:
    return [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]


def _without_null(found: Any) -> Any:
    """JSON with NaN in place of null."""
    if isinstance(found, dict):
        return {key: _without_null(value) for key, value in found.items()}
    if isinstance(found, list):
        return [_without_null(value) for value in found]
    return math.nan if found is None else found
