import math

import numpy as np
import pytest

from logs import Job, write_log
from somnus.analysis import load
from somnus.analysis.base.errors import UserError
from somnus.analysis.metrics.intervals import note, reach
from somnus.analysis.metrics.policies import by_policy


@pytest.fixture
def make(tmp_path):
    def write(policy, seed):
        return load(write_log(tmp_path / f"{policy}-{seed}.h5", [Job(0, 1)], policy=policy, seed=seed))

    return write


def labels(policies):
    return [(policy.label, len(policy.logs)) for policy in policies]


def test_runs_that_differ_in_their_seed_are_one_policy(make):
    logs = [make("fair", 1), make("cfq", 1), make("fair", 2)]
    assert labels(by_policy(logs)) == [("fair", 2), ("cfq", 1)]


def test_runs_of_one_seed_are_lines_of_their_own(make, tmp_path):
    other = load(write_log(tmp_path / "wide.h5", [Job(0, 1)], policy="fair", seed=1))
    assert labels(by_policy([make("fair", 1), other])) == [("fair (fair-1)", 1), ("fair (wide)", 1)]


def test_runs_that_differ_in_more_than_their_seed_are_lines_of_their_own(tmp_path):
    def write(name, seed, nodes, file):
        config = f'[cluster]\nnodes = {nodes}\n[workload]\nfile = "{file}"\n[run]\nseed = {seed}\n'
        return load(write_log(tmp_path / f"{name}.h5", [Job(0, 1)], policy="fair", seed=seed,
                              config=np.bytes_(config)))

    logs = [write("a", 1, 10, "1.jsonl"), write("b", 2, 10, "2.jsonl")]
    assert labels(by_policy(logs)) == [("fair", 2)]
    logs.append(write("c", 3, 20, "3.jsonl"))
    assert labels(by_policy(logs)) == [("fair (a)", 1), ("fair (b)", 1), ("fair (c)", 1)]


def test_labels_and_order_are_the_users(make):
    logs = [make("fair", 1), make("cfq", 1), make("srpt", 1)]
    found = by_policy(logs, {"cfq": "CFQ (ours)"}, ["srpt", "cfq"])
    assert [policy.label for policy in found] == ["srpt", "CFQ (ours)", "fair"]


@pytest.mark.parametrize(("more", "words"), [
    ({"labels": {"cfx": "CFQ"}}, "--label: no log is called 'cfx'; did you mean 'cfq'"),
    ({"labels": {"cfq": "fair"}}, "--label: 'fair' is what two lines would be called"),
    ({"order": ["far"]}, "--order: no log is called 'far'; did you mean 'fair'"),
])
def test_a_name_that_no_log_has_is_a_mistake(make, more, words):
    with pytest.raises(UserError, match=words):
        by_policy([make("fair", 1), make("cfq", 1)], **more)


def test_a_bar_may_span_a_deviation():
    assert reach([[2.0], [3.0], [4.0]], "deviation").low.tolist() == [2]


def test_nothing_reaches_beyond_the_possible():
    found = reach([[1.0, 0.0], [3.0, 1.0]], floor=1, ceiling=1.5)
    assert found.low.tolist() == [1, pytest.approx(0.5 - 12.7062 * math.sqrt(0.5 / 2))]
    assert found.high[1] == 1.5 and found.high[0] > 2  # the mean itself is beyond there


def test_one_run_has_no_interval_and_none_at_all_no_mean():
    found = reach([[1.0, np.nan]])
    assert found.mean[0] == 1 and np.isnan([*found.low, *found.high, found.mean[1]]).all()
    assert np.isnan(reach([[1.0], [2.0]], "none").low).all()


def test_the_note_says_what_bars_are():
    assert note([5, 5], "seeds") == "means of 5 runs, 95 % confidence intervals over seeds"
    assert note([2, 5], "deviation") == (
        "means of 2 to 5 runs, one standard deviation over seeds each way")
    assert note([3], "none") == "means of 3 runs"
    assert note([1, 1], "seeds") == note([], "seeds") == ""
