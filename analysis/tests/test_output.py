"""Nothing of the user's is replaced: what tests/program/nothing_lost_test.py does not try with each output."""

import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from logs import Job, Task, ask, write_log
from somnus.analysis.base import output
from somnus.analysis.base.output import OutputError, objection
from somnus.analysis.base.text import csv_text
from somnus.analysis.figures import files

SOURCE = Path(__file__).resolve().parents[2] / "src/output"


def test_permissions_are_those_of_the_old_file(tmp_path):
    mask = os.umask(0o027)
    try:
        file = output.write(tmp_path / "file", "one")
        assert stat.S_IMODE(file.stat().st_mode) == 0o640
        file.chmod(0o604)
        output.write(file, "two", force=True)
        assert stat.S_IMODE(file.stat().st_mode) == 0o604
    finally:
        os.umask(mask)


def device_that_is_full(folder):
    full = folder / "full"
    try:
        os.mknod(full, stat.S_IFCHR | 0o600, os.makedev(1, 7))  # as /dev/full
    except PermissionError:
        pytest.skip("nobody may make devices here")
    return full


def test_a_device_is_written_into_and_never_replaced(tmp_path):
    full = device_that_is_full(tmp_path)
    with pytest.raises(OSError, match="No space left"):
        output.write(full, "x", force=True)
    assert full.is_char_device() and os.listdir(tmp_path) == ["full"]


def test_what_is_cut_off_leaves_nothing(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("dear")

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        output.write(tmp_path / "file", "new", force=True)
    assert os.listdir(tmp_path) == ["file"] and (tmp_path / "file").read_text() == "dear"


@pytest.mark.parametrize("kind", files.FORMATS)
def test_a_figure_of_ours_is_drawn_again_and_no_other_file(tmp_path, kind):
    from matplotlib.figure import Figure

    file = tmp_path / f"a.{kind}"
    for _ in range(2):
        files.save(Figure(), file)
    drawn = file.read_bytes()
    file.write_text("dear")
    with pytest.raises(OutputError, match="is there already"):
        files.save(Figure(), file)
    assert file.read_text() == "dear"
    files.save(Figure(), file, force=True)
    assert len(file.read_bytes()) == len(drawn)


def test_a_log_that_is_locked_is_being_written(tmp_path):
    log = tmp_path / "a.h5"
    log.write_text("x")
    hard = tmp_path / "hard.h5"
    os.link(log, hard)
    assert not output.is_being_written(log) and not output.is_being_written(tmp_path / "absent")
    holder = subprocess.Popen(
        [sys.executable, "-c", f"import fcntl; file = open({str(log)!r}, 'r+');"
         f"fcntl.lockf(file, fcntl.LOCK_EX, 1, {output.RIGHT_TO_WRITE}); print(flush=True); input()"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    holder.stdout.readline()
    assert output.is_being_written(log) and output.is_being_written(hard)
    holder.communicate(b"\n")
    assert not output.is_being_written(log)


@pytest.mark.parametrize("name", ["old", "folder", "circle", "input", "link", "socket"])
def test_the_program_says_the_same(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)  # a socket's path may not be long
    read = Path("input")
    read.write_text('{"somnus_workload": 1, "name": "none"}\n{"job": "a", "submit": 0, "durations": [1]}\n')
    Path("old").write_text("dear")
    Path("folder").mkdir()
    Path("circle").symlink_to("circle")
    Path("link").symlink_to("input")
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("socket")
    done = ask("workload", "import", "native", read, "-o", name)
    assert (done.returncode, done.stderr) == (2, f"{objection(Path(name), [read])}\n")


def test_the_program_has_its_lock_at_the_same_byte():
    assert "right_to_write = off_t{1} << 62" in (SOURCE / "file_lock.cpp").read_text()
    assert output.RIGHT_TO_WRITE == 1 << 62


@pytest.mark.parametrize("cell, text", [("'=1+1", "=1+1"), ("''-a", "'-a"), ("'", "'"), ("'a", "'a"),
                                        ("-5", "-5"), ("'\t=", "\t="), ("cfq", "cfq")])
def test_a_cell_gives_its_text_back(cell, text):
    assert csv_text(cell) == text


@pytest.mark.parametrize("command", ["plot", "--help"])
@pytest.mark.parametrize("unbuffered", ["", "1"])  # it is noticed as Python ends, or at the first line
def test_who_reads_no_further_ends_it_without_a_word(tmp_path, command, unbuffered):
    log = write_log(tmp_path / "a.h5", [Job(0, 4)], [Task(0, 0, 4)])
    here, there = os.pipe()
    os.close(here)
    words = {"plot": ["plot", log, "-o", tmp_path / "figures"], "--help": ["--help"]}[command]
    ended = subprocess.run([sys.executable, "-m", "somnus.analysis", *words], stdout=there,
                           stderr=subprocess.PIPE, text=True, check=False,
                           env={**os.environ, "PYTHONUNBUFFERED": unbuffered})
    os.close(there)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("command", ["plot", "--help"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_what_it_cannot_write_is_a_failure_in_one_sentence(tmp_path, command, unbuffered):
    log = write_log(tmp_path / "a.h5", [Job(0, 4)], [Task(0, 0, 4)])
    full = device_that_is_full(tmp_path)
    words = {"plot": ["plot", log, "-o", tmp_path / "figures"], "--help": ["--help"]}[command]
    with full.open("w") as there:
        ended = subprocess.run([sys.executable, "-m", "somnus.analysis", *words], stdout=there,
                               stderr=subprocess.PIPE, text=True, check=False,
                               env={**os.environ, "PYTHONUNBUFFERED": unbuffered})
    assert ended.returncode == 3
    assert ended.stderr.startswith("somnus analysis: ") and "No space left" in ended.stderr
    assert ended.stderr.count("\n") == 1
