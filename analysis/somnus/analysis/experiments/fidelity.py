"""Every preset, emulated at the speed that `somnus calibrate` calls safe, beside its simulation."""

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from somnus.analysis.base.program import Run, Somnus, find_configs

CONFIGS = find_configs("fidelity")

SHOWN = {"response_mean_s": "mean", "response_p50_s": "median", "response_p95_s": "p95",
         "job_deviation_p95": "jobs' p95"}

# A run at no speed that was found to be safe would say nothing of the emulator.
SLOWEST = 0.5


@dataclass(frozen=True)
class Measured:
    """A preset's run: what `somnus calibrate` and `somnus compare` say of it."""

    preset: str
    config: str
    speed: float
    is_safe: bool  # calibrate has found that speed, or a faster one
    word: str  # as `compare --json` has it
    figures: Mapping[str, Mapping[str, Any]]  # as `compare --json` has them, by name

    @property
    def verdict(self) -> str:
        """With the figures that differ."""
        kind = "late" if self.word == "stalled" else self.word
        names = [name for name, line in self.figures.items() if line["verdict"] == kind]
        return self.word if self.is_faithful else f"{self.word}: {', '.join(names)}"

    @property
    def is_faithful(self) -> bool:
        return self.word == "faithful"


def config_of(preset: Mapping[str, Any]) -> str:
    """The name of the config whose workload suits it, by what `policies --json` says of it."""
    if preset["partitioner"] != "by-size":
        return "divisible"
    if preset["settings"]["job_manager"]:  # it launches tasks at nodes, which may have queues
        return "queries"
    if preset["whole"] or preset["within"] != "as-numbered":  # jobs with stages, several resources
        return "resources"
    return "slots"


def measure(somnus: Somnus, presets: Iterable[Mapping[str, Any]],
            speed: float | None = None) -> Iterator[Measured]:
    """Emulates each, one after the other: a minute or two a preset.

    presets: some of somnus.presets().

    speed: of all runs, emulated seconds per real second; None: calibrate each.
    """
    with tempfile.TemporaryDirectory() as folder:
        for preset in presets:
            yield _measure(somnus, preset, speed, Path(folder) / f"{preset['name']}.h5")


def _measure(somnus: Somnus, preset: Mapping[str, Any], speed: float | None, log: Path) -> Measured:
    config = config_of(preset)
    path = CONFIGS / f"{config}.toml"
    settings = {"scheduler.policy": preset["name"]}
    if preset["needs_limits"]:
        settings["limits.model"] = "rounded"
    safe = speed or somnus.calibrate(path, settings)["safe_speed"]
    at = max(safe or SLOWEST, SLOWEST)
    somnus.write_log(Run(path, log, seed=1, settings=settings, speed=at))
    said = somnus.compare(log)
    return Measured(preset["name"], config, at, safe == at, said["verdict"],
                    {line["figure"]: line for line in said["figures"]})


def heads() -> str:
    """The table's first lines, in Markdown."""
    names = ["preset", "config", "speed", *SHOWN.values(), "verdict"]
    return f"{_row(names)}\n{_row(['---'] * 2 + ['---:'] * (1 + len(SHOWN)) + ['---'])}"


def row(one: Measured) -> str:
    """Of each figure the difference in percent, and behind it the scheduler's sensitivity."""
    cells = [_cell(one.figures[name]) if name in one.figures else "" for name in SHOWN]
    speed = f"{one.speed:g}" if one.is_safe else f"{one.speed:g}, not safe"
    return _row([f"`{one.preset}`", one.config, speed, *cells, one.verdict])


def _cell(line: Mapping[str, Any]) -> str:
    return f"{100 * line['difference']:+.2f} ({100 * line['sensitivity']:.2f})"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
