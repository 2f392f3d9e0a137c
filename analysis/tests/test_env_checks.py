"""The checks of gymnasium.utils.env_checker.check_env in its order, as Gymnasium has them at commit e8027e8 (1.x).

They are made here without Gymnasium, with actions that the mask allows, and by Gymnasium itself where it is
installed. Its checker draws actions without a mask, so there a masked one counts as the first (invalid = "first").
"""

import copy
import importlib.util
import inspect
import warnings

import numpy as np
import pytest

import somnus as package
from environments import same, write_config
from somnus import interface


@pytest.fixture(params=[None, 1])
def env(tmp_path, somnus, request):
    with package.Env(write_config(tmp_path), tasks_per_step=request.param, render_mode="ansi") as made:
        yield made


def one_of(env, info, seed=123):
    env.action_space.seed(seed)
    return env.action_space.sample(info["action_mask"])


def test_the_spaces_are_spaces(env):
    assert isinstance(env.action_space, interface.Discrete) and env.action_space.n > 0
    assert env.action_space.shape == ()
    space = env.observation_space
    assert isinstance(space, interface.Dict) and len(space.spaces) > 0
    for box in space.spaces.values():
        assert isinstance(box, interface.Box)
        assert box.low.shape == box.high.shape == box.shape
        assert np.isfinite(box.low).all() and np.isfinite(box.high).all() and (box.low < box.high).all()


def test_reset_has_its_signature(env):
    parameters = inspect.signature(env.reset).parameters
    assert parameters["seed"].default is None and "options" in parameters and "return_info" not in parameters
    assert not callable(getattr(env, "seed", None))


def test_reset_returns_an_observation_and_a_dictionary(env):
    result = env.reset()
    assert isinstance(result, tuple) and len(result) == 2
    assert result[0] in env.observation_space and isinstance(result[1], dict)
    assert env.reset(options={})[0] in env.observation_space


def test_reset_with_a_seed_is_deterministic(env):
    first = env.reset(seed=123)
    generator = copy.deepcopy(env.np_random)
    second = env.reset()
    assert same(first, env.reset(seed=123))
    assert generator.bit_generator.state == env.np_random.bit_generator.state
    assert same(second, env.reset())
    assert env.reset(seed=456)[0] in env.observation_space
    assert generator.bit_generator.state != env.np_random.bit_generator.state
    with pytest.raises(ValueError, match="expected a seed"):
        env.reset(seed=-1)


def test_a_step_returns_five_values_of_their_kinds(env):
    _, info = env.reset(seed=1)
    for _ in range(30):
        result = env.step(one_of(env, info))
        assert isinstance(result, tuple) and len(result) == 5
        observation, reward, terminated, truncated, info = result
        assert observation in env.observation_space
        for name, space in env.observation_space.spaces.items():
            assert isinstance(observation[name], np.ndarray) and observation[name].dtype == space.dtype
        assert isinstance(reward, float) and np.isfinite(reward)
        assert isinstance(terminated, bool) and isinstance(truncated, bool)
        assert isinstance(info, dict)


def test_a_step_is_deterministic(env):
    found = []
    for _ in range(2):
        _, info = env.reset(seed=123)
        found.append((env.step(one_of(env, info)), env.np_random.bit_generator.state))
    assert same(found[0], found[1])
    assert found[0][0][3] is False


def test_what_was_returned_does_not_change(env):
    observation, info = env.reset(seed=1)
    kept = copy.deepcopy((observation, info))
    for _ in range(10):
        _, _, _, _, info_now = env.step(0)
    assert same(kept, (observation, info))
    assert env.reset(seed=1)[0] is not observation


def test_render_modes_are_declared(env):
    assert env.metadata["render_modes"] == ["ansi"] and env.metadata["render_fps"] > 0
    env.reset(seed=1)
    assert env.render_mode == "ansi" and isinstance(env.render(), str)


def test_close_may_be_called_again(env):
    env.close()
    env.reset(seed=1)
    env.close()
    env.close()


@pytest.mark.skipif(not importlib.util.find_spec("gymnasium"), reason="gymnasium is not installed")
def test_gymnasiums_own_checker_finds_nothing(tmp_path, somnus):
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    made = gymnasium.make("somnus.env:somnus/Schedule-v0", config=str(write_config(tmp_path)), invalid="first",
                          render_mode="ansi")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made.unwrapped)
    made.close()


@pytest.mark.skipif(not importlib.util.find_spec("gymnasium"), reason="gymnasium is not installed")
def test_gymnasium_knows_it_as_its_own(tmp_path, somnus):
    import gymnasium

    with package.Env(write_config(tmp_path)) as made:
        assert isinstance(made, gymnasium.Env)
        assert isinstance(made.action_space, gymnasium.spaces.Discrete)


@pytest.mark.skipif(not importlib.util.find_spec("gymnasium"), reason="gymnasium is not installed")
@pytest.mark.parametrize("kind", ["SyncVectorEnv", "AsyncVectorEnv"])
def test_gymnasium_makes_a_vector_of_environments(tmp_path, somnus, kind):
    import gymnasium.vector

    config = write_config(tmp_path)
    many = getattr(gymnasium.vector, kind)([lambda: package.Env(config, max_steps=3)] * 2)
    with package.Env(config) as alone:
        observations, infos = many.reset(seed=5)
        for at in range(2):
            observation, info = alone.reset(seed=5 + at)
            assert infos["seed"][at] == info["seed"]
            assert all(np.array_equal(observations[key][at], observation[key]) for key in observation)
    for _ in range(5):
        observations, *_ = many.step(np.zeros(2, np.int64))
        assert observations in many.observation_space
    many.close()
