"""Runs in which nothing happened have no medians, means and shares, and no warning comes of it."""

import math
import re
from pathlib import Path

import pandas as pd
import pytest

from logs import ACTIVE, LOST, UNSUBMITTED, Job, Task, write_log
from somnus.analysis.__main__ import main
from somnus.analysis.figures.files import FIGURES
from somnus.analysis.metrics import users

PACKAGE = Path(__file__).resolve().parents[1] / "somnus/analysis"
NAN = math.nan

RUNS = {
    "no job": dict(jobs=[]),
    "no job came": dict(jobs=[Job(9, NAN, state=UNSUBMITTED)], samples=[(0, 0)]),
    "no task started": dict(jobs=[Job(0, NAN, state=ACTIVE), Job(0, NAN, state=ACTIVE, queue=1)],
                            samples=[(0, 0)], queues=("a", "b")),
    "no task finished": dict(jobs=[Job(0, NAN, state=ACTIVE, queue=each) for each in (0, 1)],
                             tasks=[Task(0, 1, 2, outcome=LOST)], samples=[(0, 0), (1, 1)],
                             queues=("a", "b")),
    "no task took time": dict(jobs=[Job(1, 1, alone=0, slot_time=0, first_start=1)],
                              tasks=[Task(0, 1, 1)], samples=[(1, 0)]),
    "no node": dict(jobs=[Job(0, NAN, state=ACTIVE)], nodes=[], samples=[(0, 0)]),
}
COMMANDS = {
    "summary": ["summary", "LOG", "LOG", "--per-user", "--per-queue"],
    "summary against itself": ["summary", "LOG", "--against", "LOG", "--per-user"],
    "summary as JSON": ["summary", "LOG", "--against", "LOG", "--json"],
    "progress": ["progress", "LOG", "--against", "LOG"],
    "plot": ["plot", "LOG", "-o", "FOLDER/figures"],
    "plot against itself": ["plot", "LOG", "--against", "LOG", "-o", "FOLDER/figures"],
    "report": ["report", "LOG", "-o", "FOLDER/report.html"],
    **{f"figure {each.name}": ["figure", each.name, "LOG", "--against", "LOG", "-o", "FOLDER/one.svg"]
       for each in FIGURES},
}


def test_a_median_of_nothing_is_none():
    assert math.isnan(users.median(pd.Series([], dtype=float)))
    assert math.isnan(users.median(pd.Series([NAN, NAN])))
    assert users.median(pd.Series([4, NAN, 1, 2])) == 2
    assert users.median(pd.Series([4, 1, 2, 8])) == 3


def test_no_median_is_taken_elsewhere():
    """pandas' own warns of nothing, unless bottleneck happens to be there."""
    own = re.compile(r"\.(nan)?median\(")
    found = [f"{path.relative_to(PACKAGE)}: {line.strip()}"
             for path in PACKAGE.rglob("*.py") for line in path.read_text().splitlines()
             if own.search(line) and "users.median(" not in line]
    assert sorted(found) == [
        'metrics/curves.py: return (f"{counted}; error of its progress: median {percent(np.median(errors))}, "',
        "metrics/users.py: return float(np.median(each)) if len(each) else np.nan"]


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_nothing_is_told_without_a_warning(run, command, tmp_path, capsys):
    log = write_log(tmp_path / "log.h5", **run)
    words = [word.replace("LOG", str(log)).replace("FOLDER", str(tmp_path)) for word in command]
    code = main(words)
    said = capsys.readouterr().err
    assert (code, said) == (0, "") or (code == 2 and said.startswith("somnus analysis: ")), said
