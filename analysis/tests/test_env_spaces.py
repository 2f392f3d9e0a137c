"""The spaces for Python without Gymnasium: their values, and what sample() draws."""

import numpy as np
import pytest

from somnus.plain import Box, Dict, Discrete


def test_a_box_has_arrays_between_its_bounds():
    box = Box(0.0, [1.0, 2.0])
    assert box.shape == (2,) and box.dtype == np.float32
    assert np.array([1, 2], np.float32) in box
    for wrong in ([1.0, 2.0], np.array([1, 2.5], np.float32), np.array([1], np.float32), np.array([1.0, 2.0])):
        assert wrong not in box  # a list, too large, of another shape, of a larger type


def test_a_discrete_space_has_whole_numbers_below_n():
    space = Discrete(3)
    assert 0 in space and np.int64(2) in space and np.array(1) in space
    for wrong in (3, -1, 1.0, "1", None, [1], np.array([1])):
        assert wrong not in space


@pytest.mark.parametrize("space", [
    Box(-1, 1, (3, 2)), Box(0, 1, (8,), np.int8), Discrete(5), Dict({"a": Box(0, 1, (2,)), "b": Discrete(2)})])
def test_sample_draws_values_of_the_space_and_repeats_with_the_seed(space):
    space.seed(3)
    first = [space.sample() for _ in range(20)]
    assert all(each in space for each in first)
    space.seed(3)
    assert repr(first) == repr([space.sample() for _ in range(20)])
    space.seed(4)
    assert repr(first) != repr([space.sample() for _ in range(20)])


def test_a_mask_says_which_numbers_sample_may_draw():
    space = Discrete(5)
    assert {int(space.sample(np.array([0, 1, 0, 1, 0], np.int8))) for _ in range(50)} == {1, 3}
    assert space.sample(np.zeros(5, np.int8)) == 0


def test_a_dictionary_has_values_of_each_of_its_spaces():
    space = Dict({"a": Discrete(3), "b": Box(0, 1, (1,))})
    assert {"a": 2, "b": np.zeros(1, np.float32)} in space
    assert {"a": 2} not in space and "a" not in space and space["a"] is space.spaces["a"]
