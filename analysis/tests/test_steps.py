import numpy as np
import pandas as pd
import pytest

from somnus.analysis.metrics.steps import at, lasting, means, steps


def of(spans, **amounts):
    starts, ends = np.array(spans, float).reshape(-1, 2).T
    return steps(starts, ends, pd.DataFrame(amounts, dtype=float))


def test_amounts_add_up_from_instant_to_instant():
    found = of([(0, 4), (2, 4), (1, 2)], cpu=[1, 2, 0.5], mem=[8, 0, 1])
    assert found.index.tolist() == [0, 1, 2, 4]
    assert found["cpu"].tolist() == [1, 1.5, 3, 0]
    assert found["mem"].tolist() == [8, 9, 8, 0]
    assert lasting(found).tolist() == [1, 1, 2, 0]


def test_what_lacks_an_end_or_lasts_no_time_is_left_out():
    assert of([(0, np.nan), (np.nan, 2), (3, 3)], cpu=[1, 1, 1]).empty


def test_rounding_does_not_pile_up():
    # 0.1 + 0.2 - 0.1 - 0.2 is not 0 in doubles.
    found = of([(0, 2), (1, 3)] * 1000, cpu=[0.1, 0.2] * 1000)
    assert found["cpu"].tolist() == [100, 300, 200, 0]


def test_means_are_exact_over_any_bins():
    # 2 from 1 to 3, else nothing.
    found = means(of([(1, 3)], cpu=[2]), [0, 2, 4, 5, 7])
    assert found.index.tolist() == [0, 2, 4, 5]
    assert found["cpu"].tolist() == [1, 1, 0, 0]


def test_means_of_late_times_keep_their_digits():
    found = means(of([(1e9, 1e9 + 0.25)], cpu=[1]), 1e9 + np.array([0, 0.5, 1]))
    assert found["cpu"].tolist() == pytest.approx([0.5, 0])


def test_a_function_is_known_at_every_instant():
    found = at(of([(1, 3)], cpu=[2]), np.array([0, 1, 2, 3, 4]))
    assert found["cpu"].tolist() == [0, 2, 2, 0, 0]


def test_of_nothing_means_are_zero_and_of_no_bins_there_are_none():
    nothing = of([], cpu=[])
    assert means(nothing, [0, 1, 2])["cpu"].tolist() == [0, 0]
    assert means(nothing, []).empty and at(nothing, np.array([1.0]))["cpu"].tolist() == [0]
    assert not len(lasting(nothing))


@pytest.mark.parametrize("seed", range(4))
def test_the_function_is_what_counting_instant_by_instant_finds(seed):
    random = np.random.default_rng(seed)
    starts = random.integers(0, 90, 60) / 4  # so that some start where others end
    ends = starts + random.integers(1, 40, 60) / 4
    amounts = pd.DataFrame({"cpu": random.integers(0, 9, 60) / 10, "mem": random.uniform(0, 9, 60)})
    found = steps(starts, ends, amounts)
    instants = np.sort(random.uniform(-1, 40, 500))
    holding = (starts <= instants[:, None]) & (instants[:, None] < ends)
    for kind in amounts:
        counted = holding @ amounts[kind].to_numpy()
        assert at(found, instants)[kind].tolist() == pytest.approx(counted.tolist(), abs=1e-5)
