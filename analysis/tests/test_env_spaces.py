"""Spaces without Gymnasium: what is in them, what is drawn, when two are equal."""

import numpy as np
import pytest

from somnus.spaces import Box, Dict, Discrete, MultiDiscrete, batch_space


def test_a_box_has_arrays_between_its_bounds():
    box = Box(0.0, [1.0, 2.0])
    assert box.shape == (2,) and box.dtype == np.float32
    assert np.array([1, 2], np.float32) in box
    for wrong in ([1.0, 2.0], np.array([1, 2.5], np.float32), np.array([1], np.float32), np.array([1.0, 2.0])):
        assert wrong not in box  # a list, too large, of another shape, of a larger type
    assert box.is_bounded() and not Box(0, np.inf, (1,)).is_bounded("above")
    with pytest.raises(ValueError, match="no bounds"):
        Box(0, np.inf, (1,)).sample()


@pytest.mark.parametrize("space", [
    Box(-1, 1, (3, 2)), Box(0, 1, (4,), np.int8), Discrete(5), Discrete(3, start=-1), MultiDiscrete([2, 3]),
    Dict({"a": Box(0, 1, (2,)), "b": Discrete(2)})])
def test_what_is_drawn_is_in_it_and_repeats_with_the_seed(space):
    space.seed(3)
    first = [space.sample() for _ in range(20)]
    assert all(each in space for each in first)
    space.seed(3)
    assert repr(first) == repr([space.sample() for _ in range(20)])
    space.seed(4)
    assert repr(first) != repr([space.sample() for _ in range(20)])


def test_a_mask_says_what_may_be_drawn():
    space = Discrete(5, start=10)
    mask = np.array([0, 1, 0, 1, 0], np.int8)
    assert {int(space.sample(mask)) for _ in range(50)} == {11, 13}
    assert space.sample(np.zeros(5, np.int8)) == 10
    with pytest.raises(ValueError, match="expected a mask of 5"):
        space.sample(np.ones(4, np.int8))
    assert 14 in space and np.int64(10) in space and np.array(12) in space
    assert 15 not in space and 1.0 not in space and 9 not in space
    with pytest.raises(ValueError, match="positive"):
        Discrete(0)


def test_spaces_with_the_same_values_are_equal():
    assert Box(0, 1, (2,)) == Box(np.zeros(2), np.ones(2)) != Box(0, 1, (3,))
    assert Box(0, 1, (2,)) != Box(0, 1, (2,), np.float64)
    assert Discrete(3) == Discrete(3) != Discrete(3, start=1)
    assert Dict({"a": Discrete(3)}) == Dict({"a": Discrete(3)}) != Dict({"b": Discrete(3)})


def test_a_dictionary_has_values_of_each_of_its_spaces():
    space = Dict({"a": Discrete(3), "b": Box(0, 1, (1,))})
    assert {"a": 2, "b": np.zeros(1, np.float32)} in space
    assert {"a": 2} not in space and "a" not in space and list(space) == ["a", "b"] and space["a"] == Discrete(3)


def test_a_batch_has_a_place_for_each():
    assert batch_space(Discrete(3), 2) == MultiDiscrete([3, 3])
    space = batch_space(Dict({"a": Box(0, 1, (2,), np.int8)}), 3)
    assert {"a": np.ones((3, 2), np.int8)} in space
    assert np.array([0, 2]) in MultiDiscrete([1, 3]) and np.array([1, 2]) not in MultiDiscrete([1, 3])
    with pytest.raises(TypeError, match="expected a Box, Discrete or Dict"):
        batch_space(MultiDiscrete([2]), 2)
