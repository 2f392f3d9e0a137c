"""Many environments do what each of them does alone."""

import os

import numpy as np
import pytest

import somnus as package
from environments import SELDOM, same, write_config
from somnus.analysis.base.errors import ProgramError


@pytest.fixture
def config(tmp_path, somnus):
    return write_config(tmp_path)


def part(values, at):
    return {key: value[at] for key, value in values.items()}


def test_each_does_what_it_does_alone(config):
    with package.vector(config, 3) as envs, package.Env(config) as alone:
        observations, infos = envs.reset(seed=5)
        steps = [(observations, np.zeros(3), None, None, infos)]
        for _ in range(40):
            steps.append(envs.step([0, 0, 0]))
        for at in range(3):
            observation, info = alone.reset(seed=5 + at)
            assert same(part(steps[0][0], at), observation)
            for step in steps[1:]:
                observation, reward, terminated, truncated, info = alone.step(0)
                assert same(part(step[0], at), observation)
                assert (step[1][at], step[2][at], step[3][at]) == (reward, terminated, truncated)
                assert step[4]["now_s"][at] == info["now_s"]


def test_what_it_returns_is_of_its_spaces(config):
    with package.vector(config, 2) as envs:
        observations, infos = envs.reset(seed=[3, 9])
        assert list(infos["seed"]) == [3, 9] and infos["_seed"].all()
        assert observations in envs.observation_space
        actions = np.array([envs.single_action_space.sample(mask) for mask in infos["action_mask"]])
        assert actions in envs.action_space
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert observations in envs.observation_space
        assert rewards.shape == (2,) and rewards.dtype == np.float64
        assert terminations.dtype == truncations.dtype == np.bool_
        assert envs.num_envs == 2 and envs.unwrapped is envs


def test_an_episode_that_is_over_is_reset_by_the_next_step(config):
    with package.vector(config, 2, max_steps=5) as envs:
        envs.reset(seed=1)
        for _ in range(5):
            _, _, _, truncations, infos = envs.step([0, 0])
        assert truncations.all()
        observations, rewards, terminations, truncations, infos = envs.step([63, 63])  # ignored
        assert not rewards.any() and not terminations.any() and not truncations.any()
        assert infos["action_mask"].any(axis=1).all() and not set(infos["seed"]) & {1, 2}


def test_the_next_episode_is_one_with_something_to_choose(tmp_path, somnus):
    with package.vector(write_config(tmp_path, text=SELDOM), 2, max_steps=1) as envs:
        assert list(envs.reset(seed=[15, 21])[1]["seed"]) == [15, 21]
        for _ in range(5):
            *_, terminations, truncations, _ = envs.step([0, 0])
            assert (terminations | truncations).all()
            infos = envs.step([0, 0])[4]
            assert (infos["action_mask"].sum(axis=1) > 1).all()
        assert len(set(envs.reset()[1]["seed"])) == 2
        with pytest.raises(ValueError, match="with seed 1:"):
            envs.reset(seed=[15, 1])


def test_what_is_reset_after_it_was_closed_can_be_closed_again(config):
    envs = package.vector(config, 2)
    envs.close()
    for _ in range(2):
        envs.reset(seed=1)
        processes = [env._simulation._process for env in envs.envs]
        envs.close()
        assert all(process.poll() is not None for process in processes)
    envs.close()


def test_summaries_are_of_those_that_have_ended(config):
    with package.vector(config, 2) as envs:
        envs.reset(seed=1, options={"settings": {"workload.jobs": 4}})
        while True:
            *_, terminations, _, infos = envs.step([0, 0])
            if terminations.any():
                break
        assert list(infos["_summary"]) == list(terminations)
        for summary, over in zip(infos["summary"], terminations):
            assert (summary is not None) == over


def test_a_wrong_action_changes_nothing(config):
    with package.vector(config, 2) as envs:
        envs.reset(seed=1)
        with pytest.raises(ValueError, match="is masked"):
            envs.step([0, 63])
        with pytest.raises(ValueError, match="an action for each of 2"):
            envs.step([0])
        found = envs.step([0, 0])
        envs.reset(seed=1)
        assert same(found, envs.step([0, 0]))
    with package.vector(config, 2) as envs, pytest.raises(ValueError, match="a log is of one episode"):
        envs.reset(options={"log": "a.h5"})
    with pytest.raises(ValueError, match="expected at least one"):
        package.vector(config, 0)


def test_if_one_program_fails_all_are_ended(config):
    with package.vector(config, 3) as envs:
        envs.reset(seed=1)
        processes = [env._simulation._process for env in envs.envs]
        processes[1].kill()
        with pytest.raises(ProgramError, match="ended with code -9"):
            while True:
                envs.step([0, 0, 0])
        assert all(process.poll() is not None for process in processes)
        assert not any(os.path.exists(f"/proc/{process.pid}") for process in processes)
        with pytest.raises(ProgramError, match="did you mean 'nodes'"):
            envs.reset(seed=1, options={"settings": {"cluster.nodse": 1}})
