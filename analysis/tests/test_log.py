import math
import os
import signal
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

from logs import ACTIVE, FAILED, Job, Stage, Task, add_table, write_log
from somnus.analysis import IncompleteLogWarning, MissingLogError, NotALogError, load
from somnus.analysis.reading.log import FORMAT_VERSION, distinct_labels
from somnus.analysis.reading.schema import TABLES


def test_jobs_carry_names_response_time_slowdown_and_width(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [
        Job(submit=1, finish=7, tasks=10, alone=2, name="q17", user=1),
        Job(submit=2, finish=4, tasks=11, alone=2, name="naïve"),
        Job(submit=3, finish=5, tasks=51, alone=0.5),
    ]))
    assert list(log.jobs["job_name"]) == ["q17", "naïve", "job-2"]
    assert list(log.jobs["user_name"]) == ["user-1", "user-0", "user-0"]
    assert list(log.jobs["queue_name"]) == ["default"] * 3
    assert list(log.jobs["response_time"]) == [6, 2, 2]
    assert list(log.jobs["slowdown"]) == [3, 1, 4]
    assert list(log.jobs["width"]) == ["narrow", "medium", "wide"]


def test_a_job_that_has_not_finished_has_no_response_time(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [
        Job(0, 5), Job(0, math.nan, state=ACTIVE), Job(1, 5, state=FAILED),
    ]))
    assert list(log.jobs["state_name"]) == ["finished", "active", "failed"]
    assert list(log.jobs["response_time"].isna()) == [False, True, True]
    assert list(log.jobs["slowdown"].isna()) == [False, True, True]


def test_a_job_without_work_has_no_slowdown(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [Job(0, 1, alone=0), Job(0, 1, alone=math.nan)]))
    assert log.jobs["slowdown"].isna().all()


def test_tasks_tell_the_error_of_the_emulation(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [Job(0, 3)],
                         [Task(0, start=1, finish=3.5, ready=0.25, intended=2, outcome=1)]))
    row = log.tasks.iloc[0]
    assert (row["wait"], row["runtime"], row["lateness"]) == (0.75, 2.5, 0.5)
    assert row["outcome_name"] == "failed"


def test_every_table_of_the_program_is_there_with_its_columns(small_log):
    log = load(small_log)
    for table in TABLES:
        group, _, kind = table.partition("/")
        frame = getattr(log, group)[kind] if kind else getattr(log, table)
        columns = [*TABLES[table].whole, *TABLES[table].real]
        assert set(columns) <= set(frame.columns), table
        if table != "resumes":  # it never was
            assert set(columns) <= set(log.columns(table).index), table
    assert "allocated_cpu" in log.samples and "cpu" in log.nodes and log.resources == ("cpu",)
    assert log.columns("jobs").loc["alone"].tolist() == [
        "s", "response time alone in the idle cluster"
    ]


def test_resources_have_columns_of_their_own(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [Job(0, 1)], resources=("cpu", "mem_gb")))
    assert {"allocated_cpu", "allocated_mem_gb"} <= set(log.samples.columns)
    assert {"cpu", "mem_gb"} <= set(log.nodes.columns)


@pytest.mark.parametrize(("table", "columns"), [
    ("gangs", ["stage", "exclusive"]), ("limits", ["job", "limit"]), ("cold_tasks", ["fresh", "first"]), ("curves", ["job", "slots", "gain"]),
    ("targets", ["job", "time", "entitled", "target", "allocated", "promised"]),
])
def test_a_log_that_has_nothing_of_a_kind_has_no_rows_of_it(tmp_path, table, columns):
    path = write_log(tmp_path / "a.h5", [Job(0, 1)])
    with h5py.File(path, "r+") as file:
        del file[table]
    assert list(getattr(load(path), table).columns) == columns
    assert getattr(load(path), table).empty


def test_jobs_have_accounts_and_qos_by_name(tmp_path):
    path = write_log(tmp_path / "a.h5", [Job(0, 1), Job(0, 1), Job(0, 1)])
    assert load(path).accounting.empty
    none = 2**32 - 1
    with h5py.File(path, "r+") as file:
        for kind, names in (("accounts", [b"lab", b"theory"]), ("qos", [b"high"])):
            if f"names/{kind}" in file:
                del file[f"names/{kind}"]
            file.create_dataset(f"names/{kind}", data=np.array(names, h5py.string_dtype("utf-8", 8)))
        if "accounting" in file:
            del file["accounting"]
        add_table(file, "accounting", [{"job": 0, "account": 1, "qos": none, "nice": -5}, {"job": 2, "account": none, "qos": 0}])
    found = load(path).accounting
    assert found["account_name"].tolist() == ["theory", ""]
    assert found["qos_name"].tolist() == ["", "high"]
    assert found["nice"].tolist() == [-5, 0]


def test_attributes_are_plain_values(tmp_path):
    attributes = load(write_log(tmp_path / "a.h5", [Job(0, 1)], seed=7)).attributes
    assert attributes["mode"] == "simulate"
    assert attributes["seed"] == 7 and type(attributes["seed"]) is int


def test_samples_become_utilisation_of_all_slots(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [Job(0, 1)], samples=[(0, 0), (1, 3)], nodes=(2, 4)))
    assert log.slots == 6
    assert list(log.samples["utilisation"]) == [0, 0.5]


def test_the_label_is_what_the_run_called_its_scheduler_or_the_file(tmp_path):
    def label(text):
        path = write_log(tmp_path / "mine.h5", [Job(0, 1)], label=np.bytes_(text))
        return load(path).label

    assert label("fair+order=smallest") == "fair+order=smallest"
    assert label("") == "mine"


def test_labels_that_collide_get_their_file_then_their_path(tmp_path):
    a, b = write_log(tmp_path / "a.h5", [Job(0, 1)]), write_log(tmp_path / "b.h5", [Job(0, 1)])
    fair = write_log(tmp_path / "c.h5", [Job(0, 1)], policy="fair")
    assert distinct_labels([load(a), load(b), load(fair)]) == ["cfq (a)", "cfq (b)", "fair"]
    again = write_log(tmp_path / "x" / "a.h5", [Job(0, 1)])
    assert distinct_labels([load(a), load(again)]) == [f"cfq ({a})", f"cfq ({again})"]


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(MissingLogError, match="gone.h5: no such file"):
        load(tmp_path / "gone.h5")


def test_what_is_no_log_is_refused_with_the_reason(tmp_path):
    text = tmp_path / "text.h5"
    text.write_text("not HDF5")
    with pytest.raises(NotALogError, match="not an HDF5 file"):
        load(text)
    empty = tmp_path / "empty.h5"
    empty.touch()
    with pytest.raises(NotALogError, match="empty.h5: an empty file; its run did not live"):
        load(empty)
    cut = tmp_path / "cut.h5"
    cut.write_bytes(write_log(tmp_path / "whole.h5", [Job(0, 1)]).read_bytes()[:3000])
    with pytest.raises(NotALogError, match="cut.h5: a damaged HDF5 file: .*truncated"):
        load(cut)
    with pytest.raises(NotALogError, match="a folder"):
        load(tmp_path)
    other = tmp_path / "other.h5"
    h5py.File(other, "w").close()
    with pytest.raises(NotALogError, match="not a log of Somnus"):
        load(other)
    newer = write_log(tmp_path / "newer.h5", [Job(0, 1)], format_version=FORMAT_VERSION + 1)
    with pytest.raises(NotALogError, match=f"reads version {FORMAT_VERSION}"):
        load(newer)


def test_what_the_program_writes_is_read(small_log):
    log = load(small_log)
    assert log.attributes["format_version"] == FORMAT_VERSION
    assert log.jobs["state_name"].tolist() == ["finished"] and len(log.tasks) == 2


@pytest.fixture
def resourceful(tmp_path):
    """3 + 1 cores, 8 + 4 GB; the second stage's tasks take more memory than cores."""
    return load(write_log(
        tmp_path / "r.h5", [Job(0, 4)], [Task(0, 0, 2, stage=1), Task(0, 2, 4, stage=0)],
        stages=[Stage(0, 0, 2, demand=(2, 1)), Stage(0, 2, 4, demand=(0.5, 6))],
        resources=("cpu", "slots"), nodes=[(0, 3, 8), (0, 1, 4)],
        samples=[(0, 1, 0.5, 6), (2, 1, 2, 1), (4, 0, 0, 0)]))


def test_resources_are_read_by_place_for_their_columns_may_be_renamed(resourceful):
    assert resourceful.table("nodes").columns[-1] == "resource_slots"
    assert resourceful.resources == ("cpu", "slots")
    assert resourceful.capacities.to_dict("list") == {"cpu": [3, 1], "slots": [8, 4]}
    assert resourceful.capacity.to_dict() == {"cpu": 4, "slots": 12}
    assert resourceful.stage_demands.to_dict("list") == {"cpu": [2, 0.5], "slots": [1, 6]}


def test_demands_are_those_of_each_attempts_stage(resourceful):
    assert resourceful.demands.to_dict("list") == {"cpu": [0.5, 2], "slots": [6, 1]}
    assert resourceful.demands.index.equals(resourceful.tasks.index)


def test_without_slots_utilisation_is_of_the_kind_that_binds(resourceful):
    # 6 of 12, then 2 of 4 cores.
    assert resourceful.slots == 0
    assert list(resourceful.samples["utilisation"]) == [0.5, 0.5, 0]


def test_where_there_are_slots_too_utilisation_is_theirs(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [Job(0, 1)], resources=("cpu",), nodes=[(2, 4)],
                         samples=[(0, 1, 4)]))
    assert list(log.samples["utilisation"]) == [0.5]


def test_where_there_are_slots_alone_the_slot_is_what_a_task_takes(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [Job(0, 1)], [Task(0, 0, 1)] * 2, nodes=(2, 4)))
    assert log.resources == ()
    assert log.capacity.to_dict() == {"slots": 6}
    assert log.demands.to_dict("list") == {"slots": [1, 1]}


def test_a_log_that_lacks_a_table_or_a_name_says_which(tmp_path):
    path = write_log(tmp_path / "a.h5", [Job(0, 1)])
    with h5py.File(path, "a") as file:
        rows = file["jobs"][()]
        rows["queue"] = 9
        file["jobs"][...] = rows
    with pytest.raises(NotALogError, match="id 9 has no name among the 1 of /names/queues"):
        _ = load(path).jobs
    with h5py.File(path, "a") as file:
        del file["tasks"], file["ranks"]
    with pytest.raises(NotALogError, match="a.h5: /tasks: the log lacks this table.*\n.*a.h5: /ranks: "):
        load(path)


def test_an_incomplete_log_warns_and_still_opens(tmp_path):
    path = write_log(tmp_path / "a.h5", [Job(0, 1)], complete=False)
    with pytest.warns(IncompleteLogWarning, match="a.h5: incomplete"):
        log = load(path)
    assert not log.complete and len(log.jobs) == 1


WRITER = """
import sys, time
sys.path[:0] = sys.argv[2:]
import h5py, numpy as np
from pathlib import Path
from logs import Job, write_log
path = Path(sys.argv[1])
write_log(path, [Job(0, 1)], complete=False)
file = h5py.File(path, "a", libver="latest")
file.swmr_mode = True
samples = file["samples"]
samples.resize((3,))
samples[...] = np.ones(3, samples.dtype)
samples.flush()
print("flushed", flush=True)
time.sleep(60)
"""


def test_a_log_opens_while_its_writer_runs_and_after_it_was_killed(tmp_path):
    path = tmp_path / "live.h5"
    here = Path(__file__).parent
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(here), str(here.parent)],
        stdout=subprocess.PIPE, text=True,
    )
    try:
        assert writer.stdout.readline() == "flushed\n"
        with pytest.warns(IncompleteLogWarning):
            assert len(load(path).samples) == 3
    finally:
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
    with pytest.warns(IncompleteLogWarning):
        assert len(load(path).samples) == 3


def test_frames_keep_the_units_of_their_columns(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [Job(0, 1)], [Task(0, 0, 1)], samples=[(0, 1)]))
    assert {name: log.jobs.attrs["units"][name] for name in ("submit", "response_time", "slowdown")} == {
        "submit": "s", "response_time": "s", "slowdown": "1"}
    assert log.tasks.attrs["units"]["lateness"] == log.samples.attrs["units"]["time"] == "s"
    assert set(log.tasks.attrs["units"]) == set(log.tasks.columns) - {"outcome_name"}
