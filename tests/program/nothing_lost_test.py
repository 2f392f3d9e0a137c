"""Every output of every command, pointed at whatever may stand there: nothing of the user's is lost.

The outputs are those that the program and the analysis say they have: one that is new has to be named
here, with what its command reads, and is tried against all of it then.
"""

import argparse
import contextlib
import io
import os
import re
import shutil
import stat
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from somnus_program import FINE, MISTAKE, each, expect, expect_equal, program, somnus
from standing import tree, write_world

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "analysis"))
from somnus.analysis import __main__ as analysis  # noqa: E402

@dataclass(frozen=True)
class Output:
    """An output of a command: its words without it, and what it reads."""

    words: list[str]
    option: str
    inputs: list[str]
    text: bool = True  # goes into a pipe or device; else it is refused
    name: str = "out"
    inside: str = ""  # the option names a folder, and this is a file that comes to be in it
    own: bool = False  # what it has written itself it replaces without --force
    tidy: Callable[[Path], None] = field(default=lambda folder: None)  # before the next try

    def file(self) -> str:
        return f"{self.name}/{self.inside}" if self.inside else self.name


def removed(*patterns: str) -> Callable[[Path], None]:
    def tidy(folder: Path) -> None:
        for pattern in patterns:
            for each in folder.glob(pattern):
                each.unlink()
    return tidy


PYTHON = "python"

# (command, option): how to try it. `somnus report` is Python's, which answers for it.
TRIED = {
    ("run", "--log"): Output(["run", "config.toml", "--ranks", "1", "-q"], "--log",
                             ["config.toml", "workload.jsonl"], text=False),
    ("simulate", "--log"): Output(["simulate", "config.toml", "-q"], "--log",
                                  ["config.toml", "workload.jsonl"], text=False),
    ("workload make", "--output"): Output(
        ["workload", "make", "dag-library", "--set", "library=workload.jsonl", "--set", "jobs=5", "-q"],
        "-o", ["workload.jsonl"]),
    ("workload import", "--output"): Output(["workload", "import", "native", "workload.jsonl", "-q"],
                                            "-o", ["workload.jsonl"]),
    ("import", "--output"): Output(["import", "workload.jsonl", "-q"], "-o", ["workload.jsonl"]),
    ("workload export", "--output"): Output(["workload", "export", "csv", "workload.jsonl", "-q"],
                                            "-o", ["workload.jsonl"], name="out.csv"),
    ("profile", "--output"): Output(["profile", "config.toml", "-q"], "-o",
                                    ["config.toml", "workload.jsonl"]),
    ("export", "--output"): Output(["export", "a.h5", "--format", "perfetto", "-q"], "-o", ["a.h5"]),
    ("experiment", "--output"): Output(
        ["experiment", "experiment.toml", "-q"], "-o",
        ["experiment.toml", "config.toml", "workload.jsonl"], text=False, name="results",
        inside="summary.csv",
        tidy=removed("results/[ar]*")),
    ("advise", "--output"): Output(
        ["advise", "config.toml", "--set", "workload.resample=2", "--seeds", "2", "-q"], "-o",
        ["config.toml", "workload.jsonl"], text=False, name="advice", inside="advice.json",
        tidy=removed("advice/runs.jsonl", "advice/advised.toml")),
    (PYTHON, "report", "output"): Output([PYTHON, "report", "a.h5", "-q"], "-o", ["a.h5"]),
    (PYTHON, "plot", "output"): Output([PYTHON, "plot", "a.h5"], "-o", ["a.h5"], name="plots",
                                       inside="cdf.png", own=True),
    (PYTHON, "figure", "output"): Output([PYTHON, "figure", "cdf", "a.h5"], "-o", ["a.h5"],
                                         name="out.png", own=True),
    (PYTHON, "curves", "output"): Output([PYTHON, "curves", "profile.json", "--job", "j1"], "-o", ["profile.json"],
                                         name="plots", inside="curves.png", own=True),
    (PYTHON, "advice", "output"): Output([PYTHON, "advice", "advised"], "-o", ["advised/advice.json"], name="plots",
                                         inside="front.png", own=True),
    (PYTHON, "experiment", "output"): Output(
        [PYTHON, "experiment", "tables", "--metric", "response_mean_s"], "-o",
        ["tables/summary.csv"], name="plots", inside="response_mean_s.png", own=True),
}
# Too long to try here: what they write goes by the same function, which tests/test_output.py tries.
TRUSTED = {(PYTHON, "reproduce", "report"), (PYTHON, "reproduce", "out")}
# Are refused where there is anything; cli.plugins and cli.external_policy try them.
NEW = {("new order", "--output"), ("new policy", "--output")}
# Options that name what is read, or a program.
READ = {("", "--plugin"), ("run", "--resume"), (PYTHON, "report", "somnus"), (PYTHON, "fidelity", "somnus"),
        (PYTHON, "reproduce", "somnus"), (PYTHON, "reproduce", "configs"), (PYTHON, "reproduce", "trace"),
        (PYTHON, "reproduce", "traces"), (PYTHON, "summary", "against"),
        (PYTHON, "progress", "against"), (PYTHON, "plot", "against"), (PYTHON, "figure", "against")}

OF_FILES = re.compile(r"^(FILE|FOLDER|FILE\|FOLDER|DIR|PATH|LOG|CONFIG|WORKLOAD)\b")


def options_of_program(folder) -> set[tuple[str, str]]:
    """(command, option) of each option that takes the name of a file or folder."""
    found, command = set(), ""
    for line in somnus(folder, "help", "--markdown").expect(FINE).out.splitlines():
        if heading := re.match(r"### somnus (.+)", line):
            command = heading[1]
        elif option := re.match(r"  (?:-\w,)?(--[\w-]+) (\S+)", line):
            if OF_FILES.match(option[2]) or option[1] in ("--output", "--log"):
                found.add((command, option[1]))
    return found


def options_of_analysis() -> set[tuple[str, str, str]]:
    def of(parser: argparse.ArgumentParser, name: str):
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                for word, below in action.choices.items():
                    yield from of(below, name or word)
            elif action.option_strings and action.type is Path:
                yield PYTHON, name, action.dest

    return set(of(analysis._parser(), ""))


def test_every_output_is_tried(folder):
    known = TRIED.keys() | TRUSTED | NEW | READ
    expect_equal(options_of_program(folder) | options_of_analysis(), set(known),
                 "options that name files")


@dataclass(frozen=True)
class Said:
    code: int
    text: str


def run(folder: Path, output: Output, *more: str, at: str | None = None) -> Said:
    """The command, with its output at a place in the folder."""
    words = [*output.words, output.option, at or output.name, *more]
    if words[0] != PYTHON:
        ended = somnus(folder, *words)
        return Said(ended.code, ended.out + ended.err)
    said = io.StringIO()
    before = Path.cwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = analysis.main(words[1:] + (["--somnus", program()] if "report" in words else []))
    finally:
        os.chdir(before)
    return Said(code, said.getvalue())


def refuses(folder: Path, output: Output, *words: str, force: bool, at: str | None = None) -> None:
    said = run(folder, output, *(["--force"] if force else []), at=at)
    expect(said.code == MISTAKE, f"exit code {said.code}, expected {MISTAKE}: {said.text}")
    for word in words:
        expect(word in said.text, f"nothing is said of {word!r}: {said.text}")


def writes(folder: Path, output: Output, *more: str) -> None:
    said = run(folder, output, *more)
    expect(said.code == FINE, f"exit code {said.code}: {said.text}")


def at_file(folder: Path, output: Output) -> Path:
    path = folder / output.file()
    path.parent.mkdir(exist_ok=True)
    if path.is_symlink() or path.exists():
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    for each in ("target", "pipe", "device"):
        (folder / each).unlink(missing_ok=True)
    output.tidy(folder)
    return path


def link_to(path: Path, target: Path) -> None:
    path.symlink_to(os.path.relpath(target, path.parent))


@each({" ".join(key): each for key, each in TRIED.items()})
def test_nothing_is_lost(folder, output):
    write_world(folder)
    an_input(folder, output)
    an_existing_file(folder, output)
    a_folder(folder, output)
    a_pipe(folder, output)
    a_device(folder, output)
    a_link(folder, output)


def an_input(folder, output):
    for name in output.inputs:
        for make in (link_to, lambda path, target: os.link(target, path)):
            path = at_file(folder, output)
            make(path, folder / name)
            before = tree(folder)
            for force in (False, True):
                refuses(folder, output, "same file as", "would be lost", force=force)
            expect_equal(tree(folder), before, f"what stands there, when {name} is the output")
        if not output.inside:
            before = tree(folder)
            if output.name.endswith(".png"):
                continue  # a figure's name says what it is
            for force in (False, True):
                refuses(folder, output, "this command", force=force, at=name)
            expect_equal(tree(folder), before, f"what stands there, when {name} is the output")
    at_file(folder, output)


def an_existing_file(folder, output):
    path = at_file(folder, output)
    path.write_text("dear")
    before = tree(folder)
    refuses(folder, output, "is there already and would be lost", "--force", force=False)
    expect_equal(tree(folder), before, "what stands there")
    writes(folder, output, "--force")
    expect(path.read_bytes() != b"dear", "it was not written")
    if output.own:
        writes(folder, output)
    others = set(tree(folder)) - set(before)
    expect(all(output.inside and each.startswith(output.name) and "/." not in each for each in others),
           f"left behind: {others}")
    path = at_file(folder, output)
    path.touch()  # an empty one is nobody's loss
    writes(folder, output)


def a_folder(folder, output):
    path = at_file(folder, output)
    path.mkdir()
    (path / "thesis").write_text("dear")
    before = tree(folder)
    refuses(folder, output, "is a folder, expected a file", force=True)
    expect_equal(tree(folder), before, "what stands there")
    shutil.rmtree(path)
    (folder / "other").mkdir(exist_ok=True)
    link_to(path, folder / "other")
    before = tree(folder)
    refuses(folder, output, "is a folder, expected a file", force=True)
    expect_equal(tree(folder), before, "what stands there")


def a_pipe(folder, output):
    for linked in (False, True):
        path = at_file(folder, output)
        pipe = folder / "pipe" if linked else path
        os.mkfifo(pipe)
        if linked:
            link_to(path, pipe)
        before = tree(folder)
        if not output.text:
            refuses(folder, output, "is a pipe, expected a plain file", force=True)
            expect_equal(tree(folder), before, "what stands there")
            continue
        found = []
        reader = threading.Thread(target=lambda p=pipe, f=found: f.append(p.read_bytes()), daemon=True)
        reader.start()
        writes(folder, output)
        reader.join(60)
        expect(found and len(found[0]) > 100, "nothing came out of the pipe")
        expect(pipe.is_fifo() and path.is_symlink() == linked, "the pipe or its link is gone")


def a_device(folder, output):
    for linked in (False, True):
        path = at_file(folder, output)
        device = folder / "device" if linked else path
        try:
            os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))  # as /dev/null
        except PermissionError:
            return  # nobody may make one here
        if linked:
            link_to(path, device)
        before = tree(folder)
        if output.text:
            writes(folder, output, "--force")
        else:
            refuses(folder, output, "is a device, expected a plain file", force=True)
            expect_equal(tree(folder), before, "what stands there")
        expect(device.is_char_device(), "the device was replaced")
        expect_equal(path.is_symlink(), linked, "a link")


def a_link(folder, output):
    path = at_file(folder, output)
    target = folder / "target"
    link_to(path, target)
    writes(folder, output)  # nothing is there yet
    expect(path.is_symlink() and target.stat().st_size > 0, "a dangling link was not followed")
    target.write_text("dear")
    output.tidy(folder)
    refuses(folder, output, "is there already and would be lost", force=False)
    expect_equal(target.read_text(), "dear", "what stands there")
    writes(folder, output, "--force")
    expect(path.is_symlink() and target.read_bytes() != b"dear", "the link was not followed")
    path = at_file(folder, output)
    link_to(path, path)
    refuses(folder, output, "in a circle", force=True)
