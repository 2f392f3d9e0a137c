"""`import somnus`: what is there, what it loads, and how runs and logs look in a notebook."""

import io
import math
import signal
import subprocess
import sys
import time
import tomllib
import types
from pathlib import Path

import numpy as np
import pytest

import somnus as package
from logs import Job, write_log
from somnus import load
from somnus.analysis.base.progress import Progress
from somnus.analysis.base.text import html_table
from somnus.toml import as_toml

ANALYSIS = Path(__file__).resolve().parents[1]


def python(*script: str) -> None:
    done = subprocess.run([sys.executable, "-B", "-c", "\n".join(script)], cwd=ANALYSIS, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_an_order_in_a_process_loads_nothing_but_python():
    python("import sys",
           "for name in ('numpy', 'pandas', 'h5py', 'matplotlib', 'scipy'): sys.modules[name] = None",
           "import somnus",
           "class Smallest(somnus.Order):",
           "    def key(self, unit): return unit.slot_time",
           "somnus.serve(Smallest())",
           "assert not {'somnus.analysis', 'somnus.running', 'socket'} & set(sys.modules)")


@pytest.mark.parametrize("package", ["numpy", "pandas", "h5py"])
def test_a_package_that_is_missing_is_named_in_a_sentence(package):
    words = f"Python has no {package}, which this needs: apt-get install python3-{package} on Debian, "
    python("import sys", f"sys.modules['{package}'] = None", "import somnus",
           "def says(call):",
           "    try: call()",
           f"    except ModuleNotFoundError as error: assert str(error).startswith({words!r}) and not error.__cause__, error",
           "    else: raise AssertionError('nothing is said')",
           "says(lambda: somnus.simulate('none.toml'))", "says(lambda: somnus.experiment)", "says(lambda: somnus.load)")


def test_all_names_are_there_from_the_first_on():
    python("import somnus", "assert set(somnus.__all__) <= set(dir(somnus))",
           "for name in somnus.__all__: assert getattr(somnus, name) is getattr(somnus, name)",
           "from somnus.analysis.reading.log import Log", "assert somnus.Log is Log")
    with pytest.raises(AttributeError, match="module 'somnus' has no attribute 'simulat'"):
        getattr(package, "simulat")


@pytest.mark.parametrize("value", [
    True, 3, -2.5, math.inf, "a \"b\"\n\\ ü 😀 \x7f", [1, 2.5], ["a", ["b"]], {"a b": 1, "c": {"d": ["e"]}}, [{"a": 1}],
], ids=repr)
def test_a_setting_is_read_as_it_was_given(value):
    assert tomllib.loads(f"value = {as_toml(value)}")["value"] == value


def test_numbers_of_numpy_and_paths_are_settings_too():
    assert as_toml(np.linspace(0, 1, 3)) == "[0.0, 0.5, 1.0]"
    assert (as_toml(np.int64(3)), as_toml(np.bool_(True)), as_toml((1, 2))) == ("3", "true", "[1, 2]")
    assert as_toml(Path("a/b")) == '"a/b"'
    with pytest.raises(TypeError, match="found None"):
        as_toml([None])


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def until(holds) -> None:
    ends = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.001)


def shown(stream: io.StringIO) -> str:
    """The line as a terminal shows it."""
    line = ""
    for text in stream.getvalue().split("\r"):
        line = text + line[len(text):]
    return line.rstrip()


def test_a_line_at_a_terminal_says_how_far_it_is_and_is_gone_at_the_end():
    stream = Terminal()
    with Progress("simulate laptop.toml", stream, after_s=0, every_s=0.001) as progress:
        until(lambda: shown(stream) == "0 s: simulate laptop.toml")
        progress.hear("51 of 90 runs, 56 %, 0:01 left")
        until(lambda: shown(stream) == "0 s: 51 of 90 runs, 56 %, 0:01 left")
        progress.hear("cfq: 8.4 %, 2 s left; at 10 s, speed 4.933; 100 % busy, 4 jobs; lag p99 2.1 ms" + 400 * "x")
        until(lambda: shown(stream).startswith("0 s: cfq: 8.4 %, 2 s left"))
    assert shown(stream) == "" and "\n" not in stream.getvalue()
    assert all(len(each) < 400 for each in stream.getvalue().split("\r"))
    assert progress.said == []


def test_what_takes_less_than_two_seconds_says_nothing():
    stream = Terminal()
    with Progress("simulate laptop.toml", stream) as progress:
        progress.hear("51 of 90 runs, 56 %, 0:01 left")
    assert stream.getvalue() == ""


def test_nothing_is_written_where_nobody_sees_a_line_rewritten(monkeypatch):
    def written() -> str:
        stream = io.StringIO()
        with Progress("run", stream, after_s=0, every_s=0.001):
            ends = time.monotonic() + 0.05
            while not stream.getvalue() and time.monotonic() < ends:
                time.sleep(0.001)
        return stream.getvalue()

    assert written() == ""
    ipython = types.ModuleType("IPython")
    monkeypatch.setattr(ipython, "get_ipython", lambda: None, raising=False)  # imported, but not what runs
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    assert written() == ""
    monkeypatch.setattr(ipython, "get_ipython", object)
    assert "run" in written()


def test_what_is_no_status_is_kept_sentence_by_sentence():
    progress = Progress("run", io.StringIO())
    for line in ("somnus: OFFERED LOAD 3: work comes that many", "        times as fast", "",
                 "1 of 2 runs, 50 %, 0:01 left", "another"):
        progress.hear(line)
    assert progress.said == ["somnus: OFFERED LOAD 3: work comes that many times as fast", "another"]


def test_a_table_of_a_notebook_holds_no_markup_of_others():
    text = html_table([["<b>", "&"], ["<script>", "1"]], "<i>", ["and 2 <b> more"])
    assert "&lt;script&gt;" in text and "and 2 &lt;b&gt; more" in text
    assert not any(markup in text for markup in ("<b>", "<i>", "<script>"))


def test_a_log_shows_its_figures_in_a_notebook(tmp_path, somnus):
    log = write_log(tmp_path / "a<b>.h5", [Job(0, 4, alone=1), Job(0, 8, alone=1)], policy="<b>mine")
    found = load(log)
    assert repr(found).startswith("<Log '<b>mine' of ") and repr(found).endswith(", 2 jobs>")
    text = found._repr_html_()
    assert "<th style=\"text-align: left; white-space: pre\">response time, mean [s]</th>" in text
    assert ">6.000</td>" in text and "&lt;b&gt;mine" in text and "<b>" not in text
    assert text.count("<tr>") <= 13 and "nan" not in text and "lateness" not in text


def test_a_log_shows_itself_without_a_program(tmp_path, monkeypatch):
    found = load(write_log(tmp_path / "a.h5", [Job(0, 4)]))
    monkeypatch.setenv("SOMNUS", str(tmp_path / "<none>"))
    assert "no figures" in found._repr_html_() and "&lt;none&gt;: no such program" in found._repr_html_()


def test_to_interrupt_a_notebook_ends_the_program(tmp_path):
    program = tmp_path / "somnus"
    program.write_text("#!/bin/sh\necho $$ >&2\nexec sleep 1000\n")
    program.chmod(0o755)
    script = f"""
import os, somnus
from somnus.analysis.base.progress import Progress
def hear(self, line):
    open("{tmp_path}/new", "w").write(line)
    os.rename("{tmp_path}/new", "{tmp_path}/heard")
Progress.hear = hear
somnus.simulate("none.toml", program="{program}")
"""
    with subprocess.Popen([sys.executable, "-B", "-W", "ignore", "-c", script], cwd=ANALYSIS, stderr=subprocess.PIPE,
                          text=True) as notebook:
        until((tmp_path / "heard").exists)
        started = int((tmp_path / "heard").read_text())
        notebook.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in notebook.communicate(timeout=30)[1]
    assert not Path(f"/proc/{started}").exists()
