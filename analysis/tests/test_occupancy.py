import numpy as np
import pytest

from logs import Job, Stage, Task, write_log
from somnus.analysis import load
from somnus.analysis.metrics import occupancy

EDGES = np.array([0.0, 2.0, 4.0])


@pytest.fixture
def log(tmp_path):
    """Of 4 slots bob's job has one for 4 s, ann's one for 2 s, and two more from 2 s on."""
    return load(write_log(tmp_path / "a.h5", [Job(0, 4, user=1), Job(0, 2), Job(2, 4)],
                          [Task(0, 0, 4), Task(1, 0, 2), Task(2, 2, 4), Task(2, 2, 4)],
                          nodes=(2, 2), users=["ann", "bob"]))


def test_shares_are_of_all_slots(log):
    found = occupancy.shares(log, EDGES, "user", ["ann", "bob"])
    assert found["ann"].tolist() == [0.25, 0.5] and found["bob"].tolist() == [0.25, 0.25]


def test_others_are_summed(log):
    found = occupancy.shares(log, EDGES, "job", ["job-2"])
    assert found["job-2"].tolist() == [0, 0.5]
    assert found[occupancy.OTHERS].tolist() == [0.5, 0.25]


def test_those_come_first_that_hold_most(log):
    assert occupancy.held(log, "user").to_dict() == {"bob": 1, "ann": 0.5 + 1}
    assert occupancy.largest([log], "user") == ["ann", "bob"]


def test_without_slots_an_attempt_counts_by_its_dominant_resource(tmp_path):
    log = load(write_log(tmp_path / "r.h5", [Job(0, 4)], [Task(0, 0, 4)], resources=("cpu", "mem"),
                         nodes=[(0, 4, 8)], stages=[Stage(0, 0, 4, demand=(1, 6))]))
    assert occupancy.shares(log, EDGES, "job", ["job-0"])["job-0"].tolist() == [0.75, 0.75]


def test_jobs_have_finished_from_their_end_on(log):
    assert occupancy.finished(log.jobs, np.array([0, 2, 3, 4])).tolist() == [0, 1, 1, 3]
