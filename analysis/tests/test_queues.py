import json
import math

import numpy as np
import pandas as pd
import pytest

from logs import ACTIVE, LOST, RETURNED, UNSUBMITTED, Job, Task, write_log
from somnus.analysis import load
from somnus.analysis.__main__ import main
from somnus.analysis.metrics import queues
from somnus.analysis.metrics.summary import summary_json


def log_of(tmp_path, jobs, tasks, **more):
    return load(write_log(tmp_path / "a.h5", jobs, tasks, **{"nodes": (1, 1), **more}))


@pytest.fixture
def shared(tmp_path):
    """Both queues have demand from 1 to 4: until 2 queue B has both slots, then one each."""
    return log_of(tmp_path, [Job(0, 4, queue=0), Job(1, 6, queue=1)], [
        Task(0, 0, 4, node=0), Task(0, 0, 2, node=1), Task(1, 2, 5, node=1), Task(1, 5, 6, node=0),
    ], queues=["B", "A"])


@pytest.fixture
def queued(tmp_path):
    """One slot; of the tasks in its queue one is returned and one lost before it starts."""
    nan = math.nan
    return log_of(tmp_path, [Job(0, 10, first_start=1)], [
        Task(0, 1, 3, queued=1), Task(0, 3, 10, queued=1), Task(0, nan, nan, 0, 0, RETURNED,
                                                               queued=1),
        Task(0, 9, 9, outcome=LOST, queued=9),
    ], nodes=(1,))


def test_bins_part_the_makespan(shared):
    assert queues.edges(shared, 3).tolist() == [0, 2, 4, 6]


def test_utilisation_is_the_mean_over_each_bin(shared):
    found = queues.utilisation(shared, np.array([0, 4, 5, 8]))
    assert found.index.tolist() == [0, 4, 5]
    assert found.tolist() == pytest.approx([1, 0.5, 1 / 6])


def test_utilisation_of_a_late_run_keeps_its_digits(tmp_path):
    log = log_of(tmp_path, [Job(1e9, 1e9 + 1)], [Task(0, 1e9, 1e9 + 0.25)], nodes=(1,))
    assert queues.utilisation(log, 1e9 + np.array([0, 0.5, 1])).tolist() == pytest.approx([0.5, 0])


def test_a_log_without_an_end_has_no_bins(tmp_path):
    log = log_of(tmp_path, [Job(0, math.nan, state=ACTIVE)], [])
    assert not len(queues.edges(log))
    assert queues.utilisation(log, queues.edges(log)).empty


def test_the_queue_is_as_long_as_tasks_wait_that_start_later(queued):
    assert queues.queue_length(queued, np.array([0, 1, 2, 5])).tolist() == pytest.approx(
        [0, 1, 1 / 3])


def test_named_queues_share_what_is_occupied(shared):
    found = queues.shares(shared, np.array([0, 2, 4, 6, 8]))
    assert found.columns.tolist() == ["A", "B"]
    assert found["A"].tolist() == pytest.approx([0, 0.5, 1, math.nan], nan_ok=True)
    assert found["B"].tolist() == pytest.approx([1, 0.5, 0, math.nan], nan_ok=True)


def test_demand_lasts_over_jobs_that_follow_each_other(tmp_path):
    log = log_of(tmp_path, [Job(0, 9), Job(0, 3, queue=1), Job(3, 6, queue=1),
                            Job(8, 9, queue=1)], [], queues=["A", "B"])
    assert queues.contended_time(log) == 7  # not from 6 s to 8 s


def test_an_unfinished_job_has_demand_to_the_end(tmp_path):
    log = log_of(tmp_path, [Job(0, math.nan, state=ACTIVE), Job(1, 6, queue=1)],
                 [Task(1, 1, 6)], queues=["A", "B"])
    assert queues.contended_time(log) == 5  # from 1 s to 6 s


def test_shares_count_while_every_queue_has_demand(shared):
    found = queues.share_figures(shared)
    assert found.index.tolist() == ["A", "B"]
    assert found["share_mean"].tolist() == pytest.approx([1 / 3, 2 / 3])
    assert found["share_deviation"].tolist() == pytest.approx([math.sqrt(1 / 18)] * 2)
    assert found["share_farthest"].tolist() == pytest.approx([1 / 3] * 2)


def test_json_has_the_figures_of_each_queue(shared):
    first, _ = json.loads(summary_json([shared]))[0]["queues"]
    assert first == pytest.approx({
        "queue": "A", "jobs_submitted": 1, "jobs_finished": 1, "tasks_submitted": 1,
        "response_mean_s": 5, "share_mean": 1 / 3, "share_deviation": math.sqrt(1 / 18),
        "share_farthest": 1 / 3})


def test_the_table_has_a_line_a_queue(shared, capsys):
    assert main(["summary", str(shared.path), "--per-queue"]) == 0
    lines = capsys.readouterr().out.split("\n\n")[-1].splitlines()
    assert lines[2].split() == "A 1 1 5.000 33.3 % 23.6 % 33.3 %".split()
    assert lines[-1].endswith(" 3.000 s")
    assert queues.contended_time(shared) == 3  # from 1 s to 4 s


def test_a_queue_whose_jobs_never_came_is_there_with_none(tmp_path):
    log = log_of(tmp_path, [Job(0, 2), Job(9, math.nan, state=UNSUBMITTED, queue=1)], [Task(0, 0, 2)],
                 queues=["A", "B"])
    found = queues.per_queue(log)
    assert found["jobs_submitted"].tolist() == [1, 0]
    assert found["share_mean"].isna().all()


def test_one_queue_has_no_figures_of_its_own(queued):
    assert queues.per_queue(queued).empty
    assert json.loads(summary_json([queued]))[0]["queues"] == []


def test_what_lasts_no_time_is_no_deviation(tmp_path):
    log = log_of(tmp_path, [Job(0, 4), Job(0, 4, queue=1)],
                 [Task(0, 0, 4, node=0), Task(1, 0, 1, node=1), Task(1, 1, 4, node=1)],
                 queues=["A", "B"])
    assert queues.share_figures(log)["share_farthest"].tolist() == [0, 0]


def test_queues_that_never_meet_have_no_shares(tmp_path):
    log = log_of(tmp_path, [Job(0, 2), Job(2, 4, queue=1)], [Task(0, 0, 2), Task(1, 2, 4)],
                 queues=["A", "B"])
    assert queues.share_figures(log).isna().all(axis=None)


def test_means_agree_with_counting_instant_by_instant(tmp_path):
    random = np.random.default_rng(7)
    starts = random.uniform(0, 90, 60)
    tasks = [Task(0, start, start + length)
             for start, length in zip(starts, random.exponential(8, 60))]
    log = log_of(tmp_path, [Job(0, 100)], tasks, nodes=(60,))
    edges = queues.edges(log, 7)
    fine = np.linspace(edges[0], edges[-1], 70_001)[:-1] + (edges[-1] - edges[0]) / 140_000
    counted = sum((fine >= task.start) & (fine < task.finish) for task in tasks) / 60
    expected = pd.Series(counted).groupby(np.arange(70_000) // 10_000).mean()
    assert queues.utilisation(log, edges).tolist() == pytest.approx(expected.tolist(), abs=1e-3)
