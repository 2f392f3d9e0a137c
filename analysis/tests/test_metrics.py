"""Every metric on a log of a dozen attempts, by hand."""

import math
from math import sqrt

import pytest

from logs import ACTIVE, FAILED, RETURNED, UNSUBMITTED, Job, Task, write_log
from somnus_analysis import load
from somnus_analysis.metrics import METRICS

# Ten jobs finish. Job k comes at k s and starts a second later; on 8 slots each has one attempt.
RESPONSES = (2, 2, 4, 4, 6, 6, 8, 8, 10, 50)
ALONE = (2, 2, 2, 2, 2, 2, 2, 2, 2, 5)
WIDTHS = (1, 10, 3, 4, 5, 11, 50, 20, 51, 400)

BY_HAND = {
    "jobs_submitted": 12, "jobs_finished": 10, "jobs_failed": 1, "user_count": 3,
    "response_mean_s": 10,  # 100 / 10
    "response_p50_s": 6, "response_p95_s": 50, "response_p99_s": 50,  # places 5, 10 and 10
    "response_worst_tenth_s": 50,
    "response_0_80_mean_s": 5,  # 40 / 8
    "response_80_95_mean_s": 10, "response_95_100_mean_s": 50,  # places 9 and 10
    "jct_mean_s": 9, "jct_p50_s": 5, "jct_p95_s": 49,  # a second less each
    "slowdown_mean": 3.5,  # 1 1 2 2 3 3 4 4 5 10
    "slowdown_p50": 3, "slowdown_p95": 10, "slowdown_p99": 10, "slowdown_worst_tenth": 10,
    "progress_mean": (1 + 1 + 1 / 2 + 1 / 2 + 1 / 3 + 1 / 3 + 1 / 4 + 1 / 4 + 1 / 5 + 1 / 10) / 10,
    "progress_from_start_mean":
        (2 + 2 + 2 / 3 + 2 / 3 + 2 / 5 + 2 / 5 + 2 / 7 + 2 / 7 + 2 / 9 + 5 / 49) / 10,
    "narrow_jobs": 5, "narrow_response_mean_s": 18 / 5, "narrow_slowdown_mean": 9 / 5,
    "medium_jobs": 3, "medium_response_mean_s": 22 / 3, "medium_slowdown_mean": 11 / 3,
    "wide_jobs": 2, "wide_response_mean_s": 30, "wide_slowdown_mean": 7.5,
    "makespan_s": 59,  # job 9, which comes at 9 s, ends last
    "jobs_per_minute": 600 / 59,
    "utilisation": 92 / (8 * 59),  # 1 1 3 3 5 5 7 7 9 49, and 2 of the attempt that fails
    # From 5.9 to 53.1 s: all of jobs 5 to 8 and 10, the ends of 2 to 4, 43.1 s of job 9.
    "utilisation_middle": (0.1 + 1.1 + 4.1 + 5 + 7 + 7 + 9 + 43.1 + 2) / (8 * 47.2),
    # Of 11 attempts that started two waited 1 s: mean of squares 2 / 11, square of the mean 4 / 121.
    "queuing_mean_s": 2 / 11, "queuing_deviation_s": sqrt(18) / 11,
    "queuing_p50_s": 0, "queuing_p95_s": 1,
    "attempts_failed": 1, "attempts_lost": 0, "attempts_returned": 1, "attempts_killed": 0,
}


@pytest.fixture
def log(tmp_path):
    jobs = [Job(at, at + took, tasks, alone, first_start=at + 1, user=at // 6)
            for at, (took, alone, tasks) in enumerate(zip(RESPONSES, ALONE, WIDTHS))]
    jobs += [Job(10, math.nan, state=FAILED, user=1), Job(11, math.nan, state=ACTIVE, user=2),
             Job(12, math.nan, state=UNSUBMITTED, user=3)]
    tasks = [Task(at, at + 1, at + took, queued=at if at < 2 else None)
             for at, took in enumerate(RESPONSES)]
    tasks += [Task(10, 11, 13, outcome=1), Task(11, math.nan, math.nan, outcome=RETURNED, queued=12)]
    return load(write_log(tmp_path / "a.h5", jobs, tasks, nodes=(4, 4)))


def test_every_metric_has_a_number_by_hand():
    assert {metric.name for metric in METRICS} == set(BY_HAND)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_a_metric_is_what_a_pencil_says(log, metric):
    assert metric.of(log) == pytest.approx(BY_HAND[metric.name])


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_a_log_of_nothing_has_no_value_and_no_mistake(tmp_path, metric):
    value = metric.of(load(write_log(tmp_path / "a.h5", [])))
    assert value == 0 if metric.unit == "1" else math.isnan(value)
