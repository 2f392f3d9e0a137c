import json
import math

import pandas as pd
import pytest

from logs import ACTIVE, Job, Task, write_log
from somnus.analysis.__main__ import main
from somnus.analysis.base.text import number, printable, table
from somnus.analysis.metrics.users import nearest_rank


@pytest.fixture
def path(tmp_path):
    # Two nodes of two slots. Response times 2, 4, 12; slowdowns 1, 2, 4; 18 slot-seconds of work.
    return write_log(
        tmp_path / "a.h5",
        [
            Job(submit=1, finish=3, tasks=1, alone=2, first_start=1),
            Job(submit=2, finish=6, tasks=50, alone=2, first_start=2),
            Job(submit=3, finish=15, tasks=51, alone=3, first_start=3),
            Job(submit=4, finish=math.nan, tasks=2, state=ACTIVE),
        ],
        [Task(0, 1, 3), Task(1, 2, 6), Task(2, 3, 13), Task(2, 13, 15, outcome=1)],
        nodes=(2, 2),
    )


@pytest.mark.parametrize(("share", "value"), [(0.5, 10), (0.95, 19), (0.99, 20), (0.001, 1)])
def test_a_percentile_is_a_value_that_occurred(share, value):
    assert nearest_rank(pd.Series([*range(1, 21), math.nan]), share) == value


def test_the_command_prints_json_for_machines(path, capsys):
    assert main(["summary", str(path), "--json"]) == 0
    (only,) = json.loads(capsys.readouterr().out)
    assert (only["label"], only["complete"], only["jobs_finished"]) == ("cfq", True, 3)


def test_a_wrong_path_is_the_users_mistake(tmp_path, capsys):
    assert main(["summary", str(tmp_path / "gone.h5"), str(tmp_path / "lost.h5")]) == 2
    printed = capsys.readouterr().err
    assert "gone.h5: no such file" in printed and "lost.h5: no such file" in printed


@pytest.mark.parametrize(("value", "text"), [
    (0, "0.000"), (1, "1.000"), (12.345, "12.35"), (123456.7, "123,457"), (0.01234, "0.012"),
    (-2.5, "−2.500"), (None, "–"), (float("nan"), "–"), (float("inf"), "–"),
])
def test_numbers_have_four_digits(value, text):
    assert number(value) == text


def test_tables_align():
    assert table([["", "a"], ["name", "1"], ["n", "100"]]) == (
        "        a\n----  ---\nname    1\nn     100"
    )


@pytest.mark.parametrize("columns", [1, 2, 5, 20])
def test_a_table_is_no_wider_than_a_terminal(columns):
    head = ["a quantity", *(f"a heading of column {each}" for each in range(columns - 1))]
    text = table([head, ["of many words " * 9, *["12,345.6 (+10 %)"] * (columns - 1)]], gap=" | ")
    assert max(map(len, text.splitlines())) <= 80
    words = text.replace("|", " ").split()
    assert words.count("12,345.6") == columns - 1 and words.count("heading") == columns - 1


def test_a_wide_table_breaks_heads_and_first_cells():
    text = table([["", "mean [s]"], ["what " * 16, "1"]])
    assert [line.split() for line in text.splitlines()] == [
        ["mean"], ["[s]"], ["-" * 74, "----"], ["what"] * 15 + ["1"], ["what"]]


@pytest.mark.parametrize(("name", "shown"), [
    ("ann", "ann"),
    ("a\nb\x00", "a\\nb\\x00"),
    ("Jürgen 🚀", "Jürgen 🚀"),
    ("x" * 20 + "y" * 20, "x" * 16 + "…" + "y" * 15),
])
def test_names_from_workloads_stay_on_their_line(name, shown):
    assert printable(name) == shown
