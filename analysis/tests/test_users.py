import math

import pandas as pd
import pytest

from logs import ACTIVE, Job, write_log
from somnus.analysis import load
from somnus.analysis.metrics.users import group_means, mean, per_user, user_means, worst_tenth

TWENTY = pd.Series([*range(20, 0, -1), math.nan], dtype=float)


@pytest.mark.parametrize(("count", "expected"), [
    (9, math.nan), (10, 10), (19, 19), (20, 19.5), (29, 28.5),
])
def test_the_worst_tenth_is_rounded_down(count, expected):
    values = pd.Series(range(1, count + 1), dtype=float)
    assert worst_tenth(values) == pytest.approx(expected, nan_ok=True)


def test_percentile_groups_part_the_sorted_values_without_overlap():
    # Of 20: places [0, 16), [16, 19), [19, 20).
    assert group_means(TWENTY) == {"0-80": 8.5, "80-95": 18, "95-100": 20}


def test_groups_of_few_values_may_be_empty():
    assert group_means(pd.Series([3.0])) == pytest.approx(
        {"0-80": math.nan, "80-95": math.nan, "95-100": 3}, nan_ok=True
    )


def test_a_value_that_counts_twice_is_there_twice():
    values, counts = pd.Series([1.0, 5.0, math.nan]), pd.Series([3, 1, 7])
    assert mean(values, counts) == 2
    ten = pd.Series(range(10), dtype=float)
    assert worst_tenth(ten, pd.Series([1] * 9 + [11])) == 9  # int(0.1 * 20) of the eleven nines
    assert group_means(values, counts)["0-80"] == 1


def test_users_with_as_much_work_are_in_the_order_of_their_names(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [Job(0, 1, user=user) for user in (1, 0)],
                         users=["bob", "ann"]))
    assert per_user(log).index.tolist() == ["ann", "bob"]


def test_figures_of_users_come_with_the_most_work_first(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [
        Job(0, 2, alone=1, user=0, slot_time=3),
        Job(0, 6, alone=2, user=1, slot_time=4),
        Job(1, 3, alone=2, user=0, slot_time=5),
        Job(1, math.nan, user=1, state=ACTIVE, slot_time=1),
    ], users=["ann", "bob", "idle"]))
    table = per_user(log)
    assert table.index.tolist() == ["ann", "bob"]
    assert table["jobs_submitted"].tolist() == [2, 2]
    assert table["jobs_finished"].tolist() == [2, 1]
    assert table["slot_time_s"].tolist() == [8, 5]
    assert table["response_mean_s"].tolist() == [2, 6]
    assert table["slowdown_mean"].tolist() == [1.5, 3]
    assert table["response_worst_tenth_s"].isna().all()
    assert user_means(log.jobs).to_dict() == {"ann": 2, "bob": 6}
