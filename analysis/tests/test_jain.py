import math

import numpy as np
import pandas as pd
import pytest

from logs import ACTIVE, Job, Stage, Task, write_log
from somnus.analysis import load
from somnus.analysis.metrics import jain
from test_resources import log_of, random_log

NAN = math.nan


def slots(tmp_path, jobs, tasks, **more):
    return load(write_log(tmp_path / "a.h5", jobs, tasks, **{"nodes": (4,), **more}))


@pytest.mark.parametrize(("shares", "value"), [
    ([0.25] * 4, 1), ([1, 0, 0, 0], 0.25), ([3, 1], 16 / 20), ([0.2], 1), ([], NAN), ([0, 0], NAN),
])
def test_the_index_is_one_of_equals_and_one_nth_where_one_has_all(shares, value):
    assert jain.index(np.array(shares, float)) == pytest.approx(value, nan_ok=True)


def test_windows_start_at_the_first_submit_and_hold_the_last_end(tmp_path):
    log = slots(tmp_path, [Job(5, 130)], [Task(0, 5, 130)])
    assert jain.windows(log).tolist() == [5, 65, 125, 185]
    exact = slots(tmp_path, [Job(0.1, 120.1)], [Task(0, 0.1, 120.1)])
    assert jain.windows(exact).tolist() == pytest.approx([0.1, 60.1, 120.1])


def test_shares_are_means_over_the_window_of_jobs_with_demand(tmp_path):
    # Of 4 slots job 0 has two for a minute; job 1 one for half of it, then two for 30 s.
    log = slots(tmp_path, [Job(0, 60, 2), Job(30, 90, 3)], [
        Task(0, 0, 60), Task(0, 0, 60), Task(1, 30, 90), Task(1, 60, 90)])
    found = jain.dominant_shares(log, jain.windows(log))
    assert found[0].tolist() == pytest.approx([0.5, NAN], nan_ok=True)
    assert found[1].tolist() == pytest.approx([0.125, 0.25])
    # (0.5 + 0.125)^2 / (2 (0.25 + 0.015625)) = 0.390625 / 0.53125.
    assert jain.over_windows(log)["raw"].tolist() == pytest.approx([25 / 34, 1])


def test_a_share_is_dominant_instant_by_instant(tmp_path):
    # Of 4 cores and 16 GB: 2 cores and 4 GB for 30 s, then 1 core and 12 GB: half, then 3/4.
    log = log_of(tmp_path, [Job(0, 60)], [Task(0, 0, 30, stage=0), Task(0, 30, 60, stage=1)],
                 [Stage(0, 0, 30, demand=(2, 4)), Stage(0, 30, 60, demand=(1, 12))])
    assert jain.dominant_shares(log, jain.windows(log))[0].tolist() == pytest.approx([0.625])


def test_a_job_that_waits_has_demand_and_nothing(tmp_path):
    log = slots(tmp_path, [Job(0, 60), Job(0, 120)], [Task(0, 0, 60), Task(1, 60, 120, ready=0)])
    assert jain.over_windows(log)["raw"].tolist() == [0.5, 1]


def test_a_job_has_no_demand_between_its_stages(tmp_path):
    # Job 0 waits for nothing in the second of three minutes.
    log = slots(tmp_path, [Job(0, 180), Job(0, 180)],
                [Task(0, 0, 60, stage=0), Task(0, 120, 180, stage=1), Task(1, 0, 180, stage=2)],
                stages=[Stage(0, 0, 60), Stage(0, 120, 180), Stage(1, 0, 180)])
    assert jain.dominant_shares(log, jain.windows(log))[0].isna().tolist() == [False, True, False]
    assert jain.over_windows(log)["raw"].tolist() == [1, 1, 1]


def test_entitlements_are_by_weight_among_the_jobs_of_the_window(tmp_path):
    # Three slots and one, of weights 3 and 1; alone a job is entitled to all.
    log = slots(tmp_path, [Job(0, 60, weight=3), Job(0, 120, weight=1)],
                [Task(0, 0, 60)] * 3 + [Task(1, 0, 120)])
    found = jain.over_windows(log)
    assert found["raw"].tolist() == pytest.approx([0.8, 1])
    assert found["normalised"].tolist() == pytest.approx([1, 1])


def test_windows_without_a_job_are_skipped(tmp_path):
    log = slots(tmp_path, [Job(0, 30), Job(0, 30), Job(130, 150)],
                [Task(0, 0, 30), Task(0, 0, 30), Task(0, 0, 30), Task(1, 0, 30),
                 Task(2, 130, 150)])
    found = jain.over_windows(log)
    assert found["raw"].tolist() == pytest.approx([0.8, NAN, 1], nan_ok=True)
    assert jain.figures(found) == pytest.approx({
        "jain_mean": 0.9, "jain_min": 0.8, "jain_max": 1,
        "jain_normalised_mean": 0.9, "jain_normalised_min": 0.8, "jain_normalised_max": 1})


def test_an_unfinished_job_has_demand_to_the_end(tmp_path):
    log = slots(tmp_path, [Job(0, NAN, state=ACTIVE), Job(0, 120)], [Task(1, 0, 120)])
    assert jain.over_windows(log)["raw"].tolist() == [0.5, 0.5]


def test_a_run_in_which_nothing_ended_has_no_windows(tmp_path):
    found = jain.over_windows(slots(tmp_path, [Job(0, NAN, state=ACTIVE)], []))
    assert found.empty and math.isnan(jain.figures(found)["jain_mean"])


@pytest.mark.parametrize("seed", range(3))
def test_shares_agree_with_counting_instant_by_instant(tmp_path, seed):
    log = random_log(tmp_path, seed)
    tasks, edges = log.tasks, jain.windows(log, 5)
    grid = np.arange(edges[0], edges[-1], 1 / 8) + 1 / 16  # all stamps are on quarters
    runs = ((tasks["start"].to_numpy() <= grid[:, None])
            & (grid[:, None] < tasks["finish"].to_numpy()))
    demands = log.stage_demands.to_numpy()[tasks["stage"]]
    found = jain.dominant_shares(log, edges)
    for job in log.jobs["job"]:
        own = (tasks["job"] == job).to_numpy()
        dominant = (runs[:, own] @ demands[own] / [8, 16]).max(axis=1)
        present = (log.jobs.at[job, "submit"] < grid) & (grid < log.jobs.at[job, "finish"])
        for place, at in enumerate(edges[:-1]):
            within = (grid > at) & (grid < at + 5)
            expected = dominant[within].mean() if present[within].any() else NAN
            assert found[job].iloc[place] == pytest.approx(expected, nan_ok=True)


def test_windows_are_the_same_however_many_are_worked_out_at_a_time(tmp_path, monkeypatch):
    path = write_log(tmp_path / "a.h5", [Job(at, at + 300, tasks=2) for at in (0, 50, 170)],
                     [Task(at % 3, 37 * at, 37 * at + 90, node=at % 2) for at in range(9)], nodes=(2, 2))
    whole = jain.over_windows(load(path))
    monkeypatch.setattr(jain, "CELLS", 6)  # two windows of three jobs
    assert len(whole) > 4
    pd.testing.assert_frame_equal(jain.over_windows(load(path)), whole)


def test_of_a_run_of_centuries_there_are_no_windows_of_a_minute(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [Job(0, 9e9)], [Task(0, 0, 9e9)]))
    assert jain.over_windows(log).empty
