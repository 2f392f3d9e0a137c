"""Damages logs, experiments and profiles, and has the Python package read them.

    analysis_fuzz.py [--seconds N] [--seed N] [--repeat CASE]

Of a sound log the structure is changed (tables, columns, attributes and links are removed, renamed, made
anew with other types, lengths and ways to be kept, led in circles and out of the file), or its numbers,
or its bytes; of an experiment's table and a profile the text. Then a command reads it. It ends with exit
code 0, or with 2 or 3 and a sentence: no traceback, no hang, and no file but its own is opened (those
that links name are FIFOs, which whoever opens waits at). Other bytes are read in a process of their own,
for it is libhdf5 that reads them, and may crash (README.md).
"""

import argparse
import contextlib
import io
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "analysis"), str(ROOT / "analysis/tests")]
os.environ.setdefault("MPLBACKEND", "Agg")

import h5py  # noqa: E402
import numpy as np  # noqa: E402
from logs import ACTIVE, Job, Stage, Task, write_log  # noqa: E402
from somnus.analysis.__main__ import main as command_line  # noqa: E402
from somnus.analysis.figures.files import FIGURES  # noqa: E402
from somnus.analysis.reading.schema import TABLES  # noqa: E402

HANG_S = 60  # of a machine that has other work, too
MOST_BYTES = 4 << 30
NUMBERS = (0, 1, -1, 2, 7, 255, 2**31, 2**32 - 1, 2**40, -0.5, 0.001, 1e-300, 5e9, 9.3e9, 1e12, 1e18,
           1e300, float("inf"), float("-inf"), float("nan"))
TEXTS = (b"", b"x", b"-1", b"1e400", b"\xff\xfe", b"\0", b"nan", b"a=1", b"[scheduler]\npolicy = 3\n",
         b"scheduler = 1\n", b"[" * 5000, b'[scheduler]\nfeedback = []\n[jvm]\nmodel = {}\n')
TYPES = ("u1", "i4", "f4", ">f8", ">u4", "S3", "S0", h5py.string_dtype(), h5py.ref_dtype,
         h5py.vlen_dtype("u4"), np.dtype((np.void, 7)), np.dtype([("job", "u4", (3,))]),
         np.dtype([("time", "f8"), ("job", h5py.string_dtype())]))


class Finding(Exception):
    """What should not have happened."""


# --- sound things ---

def write_sound(folder: Path) -> None:
    jobs = [Job(at, at + 4, tasks=2, user=at % 2, queue=at % 2, first_start=at + 0.5, name=f"j{at}")
            for at in range(5)]
    jobs.append(Job(5, np.nan, tasks=2, state=ACTIVE))
    tasks = [Task(at, at + 0.5, at + 3, node=at % 2, slot=at % 2, ready=at) for at in range(5)]
    tasks += [Task(at, at + 1, at + 4, node=1, attempt=1, ready=at, outcome=at % 3) for at in range(5)]
    common = dict(jobs=jobs, tasks=tasks, targets=[(1, 0, 0.5, 0.5, 0.25), (2, 1, 0.5, 0.75, 0.5)],
                  queues=("a", "b"), stages=[Stage(at, at, at + 4, 2, (1, 2)) for at in range(6)])
    write_log(folder / "slots.h5", **common, nodes=(2, 2), samples=[(0, 1), (2, 2), (4, 0)],
              curves=[(0, 1, 0.6), (0, 2, 0.3)])
    write_log(folder / "resources.h5", **common, resources=("cpu", "mem"), complete=False,
              nodes=[(0, 4, 8), (0, 4, 8)], samples=[(0, 0, 1, 2), (2, 0, 2, 2)])
    (folder / "experiment").mkdir()
    rows = [f"{nodes},{policy},{metric},s,3,{10 / nodes},0.5,{-0.5 if policy == 'cfq' else ''},"
            f"{0.1 if policy == 'cfq' else ''}" for nodes in (1, 2, 4) for policy in ("fair", "cfq")
            for metric in ("response_mean_s", "utilisation")]
    (folder / "experiment/summary.csv").write_text("\n".join([
        "cluster.nodes,policy,metric,unit,runs,mean,half_width_95,difference,difference_half_width_95",
        *rows]) + "\n")
    (folder / "profile.json").write_text(json.dumps({"jobs": [
        {"job": f"j{at}", "slots": [1, 2, 4], "time_s": [8, 5, 3], "curve": [0.1, 0.01, 0.9, 0],
         "error": 0.02} for at in range(3)]}))


LOGS = ("slots.h5", "resources.h5")


# --- damage ---

class Damage:
    """Changes a file in one way or several, by chance."""

    def __init__(self, chance: random.Random, folder: Path):
        self.chance = chance
        self.folder = folder
        self.steps: list[str] = []

    def structure(self, path: Path) -> None:
        with h5py.File(path, "r+") as file:
            names: list[str] = []
            file.visit(names.append)
            for _ in range(self.chance.choice((1, 1, 1, 2))):
                change = self.chance.choice((self._remove, self._rename, self._retype, self._reshape,
                                             self._link, self._column, self._attribute, self._attribute))
                name = self.chance.choice(names)
                self.steps.append(f"{change.__name__} {name}")
                with contextlib.suppress(KeyError, OSError, ValueError, TypeError, RuntimeError, IndexError,
                                         AttributeError, OverflowError):  # it can't be so
                    change(file, name)

    def numbers(self, path: Path) -> None:
        with h5py.File(path, "r+") as file:
            tables = [name for name in TABLES if len(file.get(name, ()))]
            for _ in range(self.chance.choice((1, 1, 2, 4))):
                name = self.chance.choice([*tables, "tasks", "jobs", "stages"])
                self.steps.append(name)
                self._number(file, name)

    def _remove(self, file, name):
        del file[name]

    def _rename(self, file, name):
        file.move(name, self.chance.choice([f"{name}x", "events/more", "names/more", "tables"]))

    def _retype(self, file, name):
        kind = self.chance.choice(TYPES)
        rows = self.chance.choice([len(file[name]), 0, 1, 3])
        del file[name]
        file.create_dataset(name, shape=(rows,), dtype=kind)

    def _reshape(self, file, name):
        kind = file[name].dtype
        shape = self.chance.choice([(), (0,), (1,), (2, 2), (1000,), (10**6,), (2**40,), None])
        del file[name]
        more = {}
        if shape:
            more = self.chance.choice([{}, {"chunks": True}, {"chunks": True, "compression": "lzf"},
                                       {"chunks": True, "compression": 1, "shuffle": True},
                                       {"external": [(str(self.folder / "fifo"), 0, 2**40)]}])
        if shape is None:
            file.create_dataset(name, data=h5py.Empty(kind))
        else:
            file.create_dataset(name, shape=shape, dtype=kind, **more)

    def _link(self, file, name):
        fifo, other = str(self.folder / "fifo"), str(self.folder / "other.h5")
        kind = self.chance.choice(("soft", "loop", "above", "hard", "external", "fifo", "virtual"))
        self.steps[-1] += f" {kind}"
        dtype, rows = getattr(file[name], "dtype", None), getattr(file[name], "shape", None)
        del file[name]
        if kind == "virtual":
            layout = h5py.VirtualLayout(rows, dtype)
            layout[:] = h5py.VirtualSource(fifo, "tasks", rows)
            file.create_virtual_dataset(name, layout)
            return
        file[name] = {"soft": h5py.SoftLink("/jobs"), "loop": h5py.SoftLink(f"/{name}"),
                      "above": file["/"], "hard": file[self.chance.choice(["/names", "/jobs", "/users"])],
                      "external": h5py.ExternalLink(other, "/tasks"),
                      "fifo": h5py.ExternalLink(fifo, "/tasks")}[kind]

    def _column(self, file, name):
        rows = file[name][()]
        columns = list(rows.dtype.names)
        column = self.chance.choice(columns)
        kind = self.chance.choice(["gone", "f8", "u4", "i8", "S4", "f4", ">f8", ">u4", "u1"])
        self.steps[-1] += f".{column} {kind}"
        columns = [(each, kind if each == column else rows.dtype[each]) for each in columns
                   if each != column or kind != "gone"]
        new = np.zeros(len(rows), columns)
        for each, _ in columns:
            new[each] = rows[each]
        said = dict(file[name].attrs)
        del file[name]
        file.create_dataset(name, data=new).attrs.update(said)

    def _attribute(self, file, name):
        owner = self.chance.choice([file, file, file[name]])
        which = self.chance.choice(list(owner.attrs))
        self.steps[-1] += f" @{which}"
        del owner.attrs[which]
        value = self.chance.choice([None, *NUMBERS, *TEXTS, h5py.Empty("f8"), ["a", "b"],
                                    np.zeros((2, 2)), [b"cpu", b"cpu"], [b"cpu"], [b""] * 40,
                                    np.zeros(0, "S4"), file["jobs"].ref, "any length", [1, 2]])
        if value is not None:
            owner.attrs[which] = np.bytes_(value) if isinstance(value, bytes) and value else value

    def _number(self, file, name):
        rows = file[name][()]
        column = self.chance.choice(rows.dtype.names)
        row = self.chance.randrange(len(rows))
        value = self.chance.choice(NUMBERS)
        self.steps[-1] += f".{column}[{row}] = {value}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what is no whole number
            rows[column][row] = np.array(value).astype(rows.dtype[column])
        file[name][()] = rows

    def bytes(self, path: Path) -> None:
        """Flipped, overwritten, cut out or cut off."""
        content = bytearray(path.read_bytes())
        for _ in range(self.chance.choice((1, 1, 2, 8, 64))):
            at = self.chance.randrange(max(len(content), 1))
            match self.chance.randrange(5):
                case 0:
                    content[at:at + 1] = [content[at] ^ 1 << self.chance.randrange(8)] if content else b""
                case 1:
                    content[at:at + 4] = self.chance.choice((b"\xff" * 4, bytes(4), b"\x7f\xff\xff\xff"))
                case 2:
                    del content[at:at + self.chance.choice((1, 3, 64, 1000))]
                case 3:
                    content[at:at] = content[at:at + 8]
                case 4 if self.chance.randrange(4) == 0:
                    del content[at:]
            self.steps.append(f"at {at}")
        path.write_bytes(content)

    def text(self, path: Path) -> None:
        """Cells and lines of it, or its bytes."""
        if self.chance.randrange(3) == 0:
            return self.bytes(path)
        parts = re.split(r"([,\n:\[\]{}])", path.read_text())
        for _ in range(self.chance.choice((1, 1, 2, 5))):
            at = self.chance.randrange(len(parts))
            parts[at] = self.chance.choice(["", "x", "-1", "0", "1e999", "nan", "-", '"', "\0", "é", "1e308",
                                            "1" * 400, parts[self.chance.randrange(len(parts))], "null",
                                            "[]", "{}", ",,,,", "\n", "99999999999999999999"])
            self.steps.append(f"part {at} = {parts[at][:30]!r}")
        path.write_text("".join(parts))


# --- reading ---

def any_command(chance: random.Random, log: Path, folder: Path) -> list[str]:
    out, sound = str(folder / "out"), str(folder / "slots-sound.h5")
    return chance.choice([
        ["summary", str(log), "--per-user", "--per-queue"], ["summary", str(log), "--json"],
        ["summary", sound, "--against", str(log), "--per-user"], ["progress", str(log)],
        ["progress", str(log), "--against", sound],
        *([["report", str(log), "-o", f"{out}/page.html"]] * 3),
        ["figure", chance.choice(FIGURES).name, str(log), "-o", f"{out}/one.svg"],
        ["figure", chance.choice(FIGURES).name, str(log), "--against", sound, "-o", f"{out}/one.svg"],
    ])


def called(words: list[str]) -> tuple[int, str]:
    """In this process, which is the quicker way."""

    def too_long(*_):
        raise Finding(f"still at it after {HANG_S} s")

    said = io.StringIO()
    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(HANG_S)
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), \
                warnings.catch_warnings():
            warnings.simplefilter("default")
            try:
                code = command_line(words)
            except SystemExit as end:
                code = end.code
            except Finding:
                raise
            except BaseException:
                raise Finding(f"{said.getvalue()}\n{traceback.format_exc()}") from None
    finally:
        signal.alarm(0)
    return code, said.getvalue()


def called_apart(words: list[str]) -> tuple[int, str]:
    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    try:
        done = subprocess.run([sys.executable, "-B", "-m", "somnus.analysis", *words], cwd=ROOT / "analysis",
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=HANG_S, text=True, errors="replace", preexec_fn=limited,
                              check=False)
    except subprocess.TimeoutExpired:
        raise Finding(f"still at it after {HANG_S} s") from None
    return done.returncode, done.stdout


def require_an_end(code: int, said: str) -> str:
    """In which way it ended well."""
    if code < 0:
        return "libhdf5 crashed"
    if "Traceback" in said or code not in (0, 2, 3) or "RuntimeWarning" in said:
        raise Finding(f"exit code {code}\n{said}")
    if code and not re.search(r"^(somnus analysis: |usage: ).{10,}", said, re.MULTILINE):
        raise Finding(f"exit code {code}, and no sentence: {said!r}")
    return "read" if code == 0 else "refused"


def case(number: int, seed: int, folder: Path, sound: Path) -> tuple[str, str]:
    """What was damaged, and how it ended. Raises Finding."""
    chance = random.Random(f"{seed}.{number}")
    kind = chance.choices(("structure", "bytes", "numbers", "experiment", "profile"),
                          (8, 1, 8, 3, 3))[0]
    damage = Damage(chance, folder)
    words = []
    try:
        if kind in ("structure", "bytes", "numbers"):
            log = folder / chance.choice(LOGS)
            shutil.copy(sound / log.name, log)
            getattr(damage, kind)(log)
            words = any_command(chance, log, folder)
        elif kind == "experiment":
            shutil.copytree(sound / "experiment", folder / "experiment", dirs_exist_ok=True)
            damage.text(folder / "experiment/summary.csv")
            words = ["experiment", str(folder / "experiment"), "-o", str(folder / "out")]
            words += chance.choice([[], ["--metric", "utilisation"], ["--x", "policy"]])
        else:
            shutil.copy(sound / "profile.json", folder)
            damage.text(folder / "profile.json")
            words = ["curves", str(folder / "profile.json"), "-o", str(folder / "out")]
        return kind, require_an_end(*(called_apart if kind == "bytes" else called)(words))
    except Finding as finding:
        raise Finding(f"{kind}: {'; '.join(damage.steps)}\n$ {' '.join(words)}\n{finding}") from None


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0, help="0: another each time")
    parser.add_argument("--repeat", type=int, metavar="CASE", help="this one alone")
    options = parser.parse_args()
    seed = options.seed or random.SystemRandom().randrange(10**9)
    ends: Counter = Counter()
    findings = 0
    with tempfile.TemporaryDirectory(prefix="somnus-fuzz-") as name:
        folder, sound = Path(name), Path(name, "sound")
        sound.mkdir()
        write_sound(sound)
        os.mkfifo(folder / "fifo")
        shutil.copy(sound / "slots.h5", folder / "other.h5")
        shutil.copy(sound / "slots.h5", folder / "slots-sound.h5")
        until = time.monotonic() + options.seconds
        number = options.repeat or 0
        while time.monotonic() < until:
            try:
                ends[case(number, seed, folder, sound)] += 1
            except Finding as finding:
                findings += 1
                print(f"FOUND {finding}\nthis repeats it: {sys.argv[0]} --seed {seed} --repeat {number}\n")
            if options.repeat is not None or findings >= 10:
                break
            number += 1
    print(", ".join(f"{kind} {end}: {count}" for (kind, end), count in sorted(ends.items())))
    sys.exit(1 if findings or not ends else 0)


if __name__ == "__main__":
    main()
