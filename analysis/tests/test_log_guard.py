"""What is no sound log is refused with a sentence, by the words of `somnus check`; tests/program has the
same files for both, tests/fuzz/analysis_fuzz.py any others."""

import os

import h5py
import numpy as np
import pytest

from logs import Job, Task, schema, write_log
from somnus.analysis import NotALogError, load
from somnus.analysis.__main__ import main
from somnus.analysis.reading.schema import CODES


@pytest.mark.parametrize(("table", "column"), CODES)
def test_codes_are_those_of_the_program(table, column):
    meaning = schema()[table].attributes[f"{column}.meaning"].decode()
    printed = [each.split()[:2] for each in meaning.rpartition(": ")[2].split(", ")]
    assert [int(code) for code, _ in printed] == list(range(len(CODES[table, column])))
    for (_, word), name in zip(printed, CODES[table, column]):
        assert word == name.split()[0] or name == "active", meaning


@pytest.fixture
def sound(tmp_path):
    return write_log(tmp_path / "a.h5", [Job(0, 4), Job(1, 4)], [Task(0, 0, 1), Task(1, 1, 2)],
                     samples=[(0, 1)])


def change(path, table, column, row, value):
    with h5py.File(path, "r+") as file:
        rows = file[table][()]
        rows[column][row] = value
        file[table][...] = rows


@pytest.mark.parametrize(("table", "column", "value", "words"), [
    ("tasks", "job", 2, "/tasks row 1: there is no job 2"),
    ("tasks", "stage", 7, "/tasks row 1: there is no stage 7"),
    ("tasks", "node", 4, "/tasks row 1: there is no node 4"),
    ("tasks", "outcome", 7, "/tasks row 1: outcome 7"),
    ("tasks", "index", 1, "/tasks row 1: stage 1 has no task 1"),
    ("tasks", "finish", np.inf, "/tasks row 1: finish inf, which no run has"),
    ("tasks", "finish", 1e12, "/tasks row 1: finish 1000000000000.0, which no run has"),
    ("jobs", "job", 0, "/jobs row 1: job 0 is out of place"),
    ("jobs", "state", 5, "/jobs row 1: state 5"),
    ("stages", "tasks", 10**9, "/stages: more than 100,000,000 tasks"),
])
def test_a_number_that_no_run_has_is_named_with_its_row(sound, table, column, value, words):
    change(sound, table, column, 1, value)
    log = load(sound)
    with pytest.raises(NotALogError, match=f"a.h5: {words}"):
        getattr(log, table)


@pytest.mark.parametrize(("attribute", "value", "words"), [
    ("config", None, "lacks the root attribute config"),
    ("config", 5, "root attribute config is no text"),
    ("config", np.bytes_("scheduler = 1"), "has no table .scheduler."),
    ("config", np.bytes_("a = "), "is not TOML"),
    ("speed", 0.0, "root attribute speed is 0.0, expected above 0"),
    ("seed", np.bytes_("x"), "root attribute seed is no whole number"),
    ("resources", np.array([b"cpu", b"cpu"]), "is no list of names, which differ"),
    ("format_version", np.bytes_("5"), "format_version is no whole number"),
])
def test_an_attribute_that_is_not_as_it_should_be_is_named(sound, attribute, value, words):
    with h5py.File(sound, "r+") as file:
        del file.attrs[attribute]
        if value is not None:
            file.attrs[attribute] = value
    with pytest.raises(NotALogError, match=words):
        _ = load(sound).config


def test_a_column_of_another_type_is_named(sound):
    with h5py.File(sound, "r+") as file:
        rows = file["nodes"][()]
        kinds = [(name, "f8" if name == "slots" else rows.dtype[name]) for name in rows.dtype.names]
        del file["nodes"]
        file["nodes"] = rows.astype(kinds)
    with pytest.raises(NotALogError, match='/nodes: the table has no column "slots" of whole numbers'):
        load(sound)


def test_other_machines_numbers_are_read(sound):
    with h5py.File(sound, "r+") as file:
        rows = file["tasks"][()]
        kinds = [(name, rows.dtype[name].newbyteorder(">")) for name in rows.dtype.names]
        del file["tasks"]
        file["tasks"] = rows.astype(kinds)
    assert load(sound).tasks.groupby("job")["runtime"].sum().tolist() == [1, 1]


def test_what_is_no_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(NotALogError, match="is not a file, expected the log of a run"):
        load(tmp_path / "fifo")


def test_our_own_mistake_is_told_as_one(sound, monkeypatch, capsys):
    def wrong(*_):
        raise KeyError("nobody thought of it")

    monkeypatch.setattr("somnus.analysis.commands.summary.summary_table", wrong)
    assert main(["summary", str(sound)]) == 4
    assert "our mistake: KeyError: 'nobody thought of it'" in capsys.readouterr().err
