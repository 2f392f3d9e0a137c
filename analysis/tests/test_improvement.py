import math

import numpy as np
import pandas as pd
import pytest

from logs import ACTIVE, FINISHED, Job, Task, write_log
from somnus.analysis import load
from somnus.analysis.base.errors import UserError
from somnus.analysis.metrics import improvement


def log_of(path, responses, last=20, **more):
    jobs = [Job(1, 1 + each, state=FINISHED if math.isfinite(each) else ACTIVE) for each in responses]
    return load(write_log(path, jobs, [Task(0, 1, last)], **more))


@pytest.fixture
def pair(tmp_path):
    """Factors 2, 4, 0.5, 1 of jobs that take 2, 1, 8, 4 s, and one that did not finish."""
    return (log_of(tmp_path / "carbyne.h5", [2, 1, 8, 4, math.nan]),
            log_of(tmp_path / "drf.h5", [4, 4, 4, 4, 9], last=39.5))


def test_a_factor_above_one_is_a_job_that_is_faster(pair):
    found = improvement.speedups(*pair)
    assert found.to_dict() == {"job-0": 2, "job-1": 4, "job-2": 0.5, "job-3": 1}


def test_percentiles_are_by_nearest_rank():
    found = improvement.percentiles(pd.Series([*range(1, 21), math.nan]))
    assert found.to_dict() == {25: 5, 50: 10, 75: 15, 95: 19}
    assert improvement.percentiles(pd.Series([], dtype=float)).isna().all()


def test_factors_are_of_jobs_and_of_percentiles(pair):
    found = improvement.factors(*pair)
    assert found["of_jobs"].to_dict() == {25: 0.5, 50: 1, 75: 2, 95: 4}
    # All four took 4 s in the reference; here 1, 2, 4 and 8.
    assert found["of_completion"].to_dict() == {25: 4, 50: 2, 75: 1, 95: 0.5}


def test_the_figures_tell_who_lost(pair):
    found = improvement.figures(*pair)
    assert (found["compared"], found["of_jobs_p95"], found["of_completion_p95"]) == (4, 4, 0.5)
    assert found["of_makespan"] == 38.5 / 19 and found["of_mean"] == pytest.approx(4 / 3.75)
    assert (found["faster"], found["slower"], found["least"]) == (0.5, 0.25, 0.5)


def test_a_run_does_not_improve_on_itself(pair):
    found = improvement.figures(pair[1], pair[1])
    assert {found[f"of_jobs_p{each}"] for each in improvement.PERCENTILES} == {1}
    assert (found["of_makespan"], found["faster"], found["slower"]) == (1, 0, 0)


def test_of_other_jobs_nothing_can_be_said(pair, tmp_path):
    with pytest.raises(UserError, match="other jobs"):
        improvement.speedups(pair[0], log_of(tmp_path / "other.h5", [1, 2]))


def test_runs_without_an_end_have_no_factors(tmp_path):
    nothing = load(write_log(tmp_path / "a.h5", [Job(0, math.nan, state=ACTIVE)]))
    found = improvement.figures(nothing, nothing)
    assert found.pop("compared") == 0 and all(np.isnan(value) for value in found.values())
