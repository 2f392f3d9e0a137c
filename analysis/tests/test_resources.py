import math

import numpy as np
import pytest

from logs import ACTIVE, Job, Stage, Task, write_log
from somnus.analysis import load
from somnus.analysis.metrics import resources
from somnus.analysis.metrics.queues import edges

NAN = math.nan


def log_of(tmp_path, jobs, tasks, stages, **more):
    """On two nodes of 2 cores and 8 GB each, and no slots."""
    keys = {"nodes": [(0, 2, 8)] * 2, "resources": ("cpu", "mem"), **more}
    return load(write_log(tmp_path / "a.h5", jobs, tasks, stages=stages, **keys))


@pytest.fixture
def two_kinds(tmp_path):
    """Of 4 cores and 16 GB: to 2 one core and 12 GB, to 4 all cores and 12 GB, to 10 one core.

    The four tasks of job 1 wait from 1 to 2, one of them to 4.
    """
    return log_of(tmp_path, [Job(0, 4), Job(1, 10, tasks=4)], [
        Task(0, 0, 4, stage=0),
        Task(1, 2, 4, stage=1, ready=1), Task(1, 2, 4, stage=1, ready=1),
        Task(1, 2, 4, stage=1, ready=1), Task(1, 4, 10, stage=1, ready=1),
    ], [Stage(0, 0, 4, demand=(1, 12)), Stage(1, 1, 10, tasks=4, demand=(1, 0))])


def test_use_is_the_demands_of_what_runs(two_kinds):
    found = resources.use(two_kinds)
    assert found.index.tolist() == [0, 2, 4, 10]
    assert found["cpu"].tolist() == [1, 4, 1, 0]
    assert found["mem"].tolist() == [12, 12, 0, 0]


def test_shares_are_of_the_whole_cluster(two_kinds):
    assert resources.shares(two_kinds)["mem"].tolist() == [0.75, 0.75, 0, 0]
    found = resources.mean_shares(two_kinds, np.array([0, 4, 8]))
    assert found["cpu"].tolist() == [(0.25 + 1) / 2, 0.25]


def test_a_kind_of_which_there_is_nothing_is_not_in_use(tmp_path):
    log = log_of(tmp_path, [Job(0, 1)], [Task(0, 0, 1)], [Stage(0, 0, 1, demand=(1, 0))],
                 nodes=[(0, 2, 0)])
    assert resources.shares(log).iloc[0].tolist() == [0.5, 0]


def test_leftover_is_what_is_free_while_a_task_waits(two_kinds):
    # A task waits from 1 to 4: a quarter of the memory is free all the time, of the cores 3/4 in
    # the first of these three seconds.
    found = resources.leftover(two_kinds, np.array([0, 2, 4, 10]))
    assert found["cpu"].tolist() == pytest.approx([0.75, 0, NAN], nan_ok=True)
    assert found["mem"].tolist() == pytest.approx([0.25, 0.25, NAN], nan_ok=True)
    figures = resources.leftover_figures(two_kinds)
    assert figures["leftover_mean"].tolist() == pytest.approx([0.25, 0.25])
    assert figures["leftover_median"].tolist() == pytest.approx([0, 0.25])


def test_half_of_the_time_at_least_the_median_is_left_over(tmp_path):
    # One task waits 4 s: 1/4 of the cores is free for one of them, 3/4 for one, 1/2 for two.
    log = log_of(tmp_path, [Job(0, 9, tasks=4)], [
        Task(0, 0, 1, stage=1), Task(0, 1, 2, stage=0), Task(0, 2, 4, stage=2),
        Task(0, 4, 9, stage=0)],
        [Stage(0, 0, 9, 2, (1, 0)), Stage(0, 0, 1, 1, (3, 0)), Stage(0, 2, 4, 1, (2, 0))])
    figures = resources.leftover_figures(log)
    assert figures.at["cpu", "leftover_median"] == 0.5
    assert figures.at["cpu", "leftover_mean"] == pytest.approx((1 / 4 + 3 / 4 + 2 / 2) / 4)


def test_where_no_task_waits_nothing_is_left_over(tmp_path):
    log = log_of(tmp_path, [Job(0, 1)], [Task(0, 0, 1)], [Stage(0, 0, 1, demand=(1, 0))])
    assert resources.leftover_figures(log).isna().all(axis=None)
    assert resources.leftover(log, edges(log, 2)).isna().all(axis=None)


def test_tasks_that_were_never_placed_wait_to_the_end(tmp_path):
    # Of the three tasks of job 0 one was placed; job 1 runs to 8, the run's end.
    log = log_of(tmp_path, [Job(0, NAN, tasks=3, state=ACTIVE), Job(0, 8)],
                 [Task(0, 0, 2, stage=0), Task(1, 0, 8, stage=1)],
                 [Stage(0, 0, NAN, 3, (4, 0)), Stage(1, 0, 8, 1, (0, 1))])
    found = resources.waiting(log)
    assert found["waiting"].to_dict() == {0: 1, 8: 0}
    assert resources.leftover_figures(log).at["cpu", "leftover_mean"] == pytest.approx(6 / 8)


def test_an_attempt_that_comes_again_waits_again(tmp_path):
    log = log_of(tmp_path, [Job(0, 9)], [
        Task(0, 1, 3, outcome=1, ready=0), Task(0, 5, 9, ready=3, attempt=1)],
        [Stage(0, 0, 9, demand=(1, 1))])
    assert resources.waiting(log)["waiting"].to_dict() == {0: 1, 1: 0, 3: 1, 5: 0}


def test_a_run_in_which_nothing_ended_has_no_leftover(tmp_path):
    log = log_of(tmp_path, [Job(0, NAN, state=ACTIVE)], [], [Stage(0, 0, NAN, demand=(1, 1))])
    assert resources.leftover_figures(log).isna().all(axis=None)


def test_slots_are_the_dimension_of_a_cluster_that_has_nothing_else(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [Job(0, 4), Job(0, 4)],
                         [Task(0, 0, 4), Task(1, 2, 4, ready=0)], nodes=(2, 2)))
    assert resources.mean_shares(log, np.array([0, 4]))["slots"].tolist() == [6 / 16]
    assert resources.leftover_figures(log).at["slots", "leftover_mean"] == 3 / 4


def random_log(tmp_path, seed):
    random = np.random.default_rng(seed)
    stages, tasks, jobs = [], [], []
    for job in range(12):
        submit = random.integers(0, 80) / 4
        last = submit
        for _ in range(2):
            ready, demand = last, tuple(random.integers(0, 5, 2) / 10)
            for _ in range(3):
                start = ready + random.integers(0, 12) / 4
                finish = start + random.integers(1, 40) / 4
                tasks.append(Task(job, start, finish, ready=ready, stage=len(stages)))
                last = max(last, finish)
            stages.append(Stage(job, ready, last, 3, demand))
        jobs.append(Job(submit, last, 6))
    return log_of(tmp_path, jobs, tasks, stages, nodes=[(0, 8, 16)])


@pytest.mark.parametrize("seed", range(3))
def test_figures_agree_with_counting_instant_by_instant(tmp_path, seed):
    log = random_log(tmp_path, seed)
    tasks, (first, last) = log.tasks, (log.jobs["submit"].min(), log.tasks["finish"].max())
    # All stamps are on quarters, so midpoints of eighths meet every step, each for as long.
    grid = np.arange(first, last, 1 / 8) + 1 / 16
    runs = ((tasks["start"].to_numpy() <= grid[:, None])
            & (grid[:, None] < tasks["finish"].to_numpy()))
    waits = ((tasks["ready"].to_numpy() <= grid[:, None])
             & (grid[:, None] < tasks["placed"].to_numpy())).any(axis=1)
    demands = log.stage_demands.to_numpy()[tasks["stage"]]
    shares = runs @ demands / [8, 16]
    left = resources.leftover_figures(log)
    free = 1 - shares[waits]
    assert left["leftover_mean"].tolist() == pytest.approx(free.mean(axis=0).tolist())
    bins = first + 2.0 * np.arange(int((last - first) // 2) + 1)
    over_time = resources.leftover(log, bins)
    means = resources.mean_shares(log, bins)
    for place, at in enumerate(bins[:-1]):
        within = (grid > at) & (grid < at + 2)
        assert means.loc[at].tolist() == pytest.approx(shares[within].mean(axis=0).tolist())
        free = 1 - shares[within & waits]
        expected = free.mean(axis=0) if len(free) else np.full(2, NAN)
        assert over_time.iloc[place].tolist() == pytest.approx(expected.tolist(), nan_ok=True)
