"""Runs compositions: each is simulated with a log, checked, replayed and simulated again; a fault is made small."""

import json
import random
import re
import subprocess
import time
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

from compositions import Rows, repair, write
from logs import differences, raw_datasets, rows_of

HANG_S = 60  # of a machine that has other work, too
FINE, DIFFERENCE, MISTAKE = range(3)
MEASURED = ("scheduler.", "ranks.", "samples.lag")  # by the machine's clock
MEASURED_TABLES = {"scheduler", "ranks", "seals"}
MOST_REPAIRS = 12


@dataclass
class Fault:
    """What went wrong. Two faults of one kind differ in numbers alone."""

    command: str
    what: str
    more: str = ""

    @property
    def kind(self) -> str:
        return f"{self.command}: " + re.sub(r"[\d.]+", "N", self.what)[:90]


class Runner:
    """Runs the program on compositions in a folder, each NAME.toml with NAME.jsonl. Many are given to one process,
    as starting it takes longer than most simulations do; where it fails, to one for each half of them."""

    def __init__(self, program: str, folder: Path):
        self.program, self.folder, self.hang_s = program, folder, HANG_S

    def somnus(self, *words: str) -> subprocess.CompletedProcess | None:
        """None: it was still running after some time."""
        try:
            return subprocess.run([self.program, *words], cwd=self.folder, capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL, timeout=self.hang_s + len(words), errors="replace")
        except subprocess.TimeoutExpired:
            return None

    def simulate(self, names: list[str], log: str = "{config}.h5") -> subprocess.CompletedProcess | None:
        for name in names:
            (self.folder / log.replace("{config}", name)).unlink(missing_ok=True)
        return self.somnus("simulate", *(f"{name}.toml" for name in names), "--log", log, "-q")

    def simulated(self, compositions: dict[str, dict], rows: Rows, counts: Counter) -> dict[str, Fault]:
        """Until each has a log; those that are refused are changed, and leave `compositions` if that does not help."""
        faults: dict[str, Fault] = {}
        refused: Counter = Counter()
        fine: list[str] = []  # but not simulated, as others were refused
        queue = [list(compositions)]
        for name in compositions:
            write(compositions[name], self.folder, name)
        while queue:
            names = queue.pop()
            ended = self.simulate(names)
            blamed = [name for name in names if is_refusal(ended) and
                      (len(names) == 1 or re.search(rf"\b{name}\b", ended.stderr))]
            for name in blamed:
                refused[name] += 1
                counts["refused"] += 1
                chance = random.Random(f"{name} refused {refused[name]} times")
                lines = [line for line in ended.stderr.splitlines() if len(names) == 1 or re.search(rf"\b{name}\b", line)]
                repair(compositions[name], lines, rows, chance)
                write(compositions[name], self.folder, name)
                if refused[name] > MOST_REPAIRS:
                    del compositions[name]
                    counts["given up"] += 1
            if blamed:
                fine += [name for name in names if name not in blamed]
                queue.append([name for name in blamed if name in compositions])
            elif fault := fault_of("simulate", ended):
                if len(names) == 1:
                    faults[names[0]] = fault
                else:
                    queue += halves(names)
            queue = [each for each in queue if each]
            if not queue and fine:
                queue, fine = [fine], []
        return faults

    def judged(self, names: list[str]) -> dict[str, Fault]:
        """What is wrong with logs of simulations."""
        found: dict[str, Fault] = {}
        for judge in (self.check, self.replay, self.again):
            queue = [[name for name in names if name not in found]]
            while queue:
                some = queue.pop()
                said = judge(some) if some else {}
                if isinstance(said, dict):
                    found |= said
                elif len(some) == 1:
                    found[some[0]] = said
                else:
                    queue += halves(some)
        return found

    def check(self, names: list[str]) -> dict[str, Fault] | Fault:
        ended = self.somnus("check", "--json", *(f"{name}.h5" for name in names))
        if fault := fault_of("check", ended, DIFFERENCE):
            return fault
        found = {}
        for name, said in zip(names, json.loads(ended.stdout), strict=True):
            broken = [each for each in said["findings"] if each["asserted"] and each["offences"]]
            if broken:
                found[name] = Fault("check", broken[0]["invariant"], broken[0]["first"])
        return found

    def replay(self, names: list[str]) -> dict[str, Fault] | Fault:
        ended = self.somnus("replay", "--json", *(f"{name}.h5" for name in names))
        if fault := fault_of("replay", ended, DIFFERENCE):
            return fault
        return {name: Fault("replay", said["difference"])
                for name, said in zip(names, json.loads(ended.stdout), strict=True) if said["difference"]}

    def again(self, names: list[str]) -> dict[str, Fault] | Fault:
        if fault := fault_of("simulate again", self.simulate(names, "again-{config}.h5")):
            return fault
        found = {}
        for name in names:
            logs = [self.folder / log for log in (f"{name}.h5", f"again-{name}.h5")]
            old, new = (raw_datasets(log) for log in logs)
            if {table for table in old | new if old.get(table) != new.get(table)} <= MEASURED_TABLES:
                continue
            rows = [{column: rows for column, rows in rows_of(log).items() if not column.startswith(MEASURED)}
                    for log in logs]
            if different := differences(*rows):
                found[name] = Fault("simulate again", different[0])
        return found

    def fault(self, composition: dict) -> Fault | None:
        """Of one that is alone; a refusal is none."""
        write(composition, self.folder, "small")
        ended = self.simulate(["small"])
        if is_refusal(ended):
            return None
        return fault_of("simulate", ended) or self.judged(["small"]).get("small")

    def shrunk(self, composition: dict, fault: Fault, seconds: float) -> tuple[dict, Fault]:
        """As little as can be with a fault of the same kind."""
        until = time.monotonic() + seconds
        self.hang_s = HANG_S / 6
        smaller = True
        while smaller:
            smaller = False
            for path in list(paths_of(composition)):
                for less in less_of(composition, path):
                    if time.monotonic() > until:
                        return composition, fault
                    found = self.fault(less)
                    if found and found.kind == fault.kind:
                        composition, fault, smaller = less, found, True
                        break
        return composition, fault


def halves(names: list[str]) -> list[list[str]]:
    return [names[:len(names) // 2], names[len(names) // 2:]]


def is_refusal(ended: subprocess.CompletedProcess | None) -> bool:
    return ended is not None and ended.returncode == MISTAKE and bool(ended.stderr.strip())


def fault_of(command: str, ended: subprocess.CompletedProcess | None, *fine: int) -> Fault | None:
    if ended is None:
        return Fault(command, "has not ended in time")
    if ended.returncode in (FINE, *fine):
        return None
    said = re.sub("^somnus: (our mistake: )?", "", ended.stderr.strip()) or "no word"
    return Fault(command, f"exit code {ended.returncode}: {said}")


# --- making it small ---


def paths_of(value, path: tuple = ()):
    """Of all parts of a composition, those with much in them first."""
    if isinstance(value, dict):
        keys = list(value)
    elif isinstance(value, list):
        keys = list(range(len(value)))
    else:
        keys = []
    if path:
        yield path
    for key in keys:
        yield from paths_of(value[key], (*path, key))


def at(composition: dict, path: tuple):
    for key in path:
        composition = composition[key]
    return composition


def less_of(composition: dict, path: tuple):
    """The composition without that part, or with less there."""
    try:
        value = at(composition, path)
    except (KeyError, IndexError):
        return  # it went with another
    changes = []
    if isinstance(value, list) and len(value) > 2:
        half = len(value) // 2
        changes += [value[:half], value[half:]]
    if path[0] != "header" and len(path) > 1:
        changes.append(None)
    if isinstance(value, bool):
        pass
    elif isinstance(value, (int, float)) and value > 1:
        changes += [each for each in (1, round(value), round(value / 2)) if each < value]
    for change in changes:
        less = deepcopy(composition)
        if change is None:
            del at(less, path[:-1])[path[-1]]
        else:
            at(less, path[:-1])[path[-1]] = change
        yield less
