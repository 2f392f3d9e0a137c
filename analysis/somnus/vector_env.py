"""Many environments at once: each simulation is a process of its own, and goes on while others are read.

    envs = somnus.vector("train.toml", 4)
    observations, infos = envs.reset(seed=1)                     # seeds 1, 2, 3 and 4
    observations, rewards, terminations, truncations, infos = envs.step(actions)

An environment whose episode is over is reset by the next step(), which ignores its action and gives the new
episode's first observation with reward 0: Gymnasium's AutoresetMode.NEXT_STEP.
"""

import select
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from somnus import interface
from somnus.env import Env
from somnus.simulation import LOOK_S


def vector(config: str | Path, n: int, **of_each: Any) -> "VectorEnv":
    """n environments of a config; the other arguments are those of Env."""
    return VectorEnv([lambda: Env(config, **of_each)] * n)


class VectorEnv(interface.BaseVectorEnv):
    """Follows the interface of gymnasium.vector.VectorEnv 1.x.

    Of infos each key has an array of a place an environment, and _KEY says which of them have it.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4, "autoreset_mode": interface.NEXT_STEP}

    def __init__(self, makers: Sequence[Callable[[], Env]]):
        if not makers:
            raise ValueError("expected at least one environment")
        self.envs: list[Env] = [make() for make in makers]
        self.num_envs = len(self.envs)
        self.render_mode = self.envs[0].render_mode
        self.single_action_space = self.envs[0].action_space
        self.single_observation_space = self.envs[0].observation_space
        self.action_space = interface.batch_space(self.single_action_space, self.num_envs)
        self.observation_space = interface.batch_space(self.single_observation_space, self.num_envs)
        self._over = [True] * self.num_envs

    def reset(self, *, seed: int | Sequence[int | None] | None = None,
              options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """All of them. seed: of the first, the others have the next ones; or a seed each. options: "settings"."""
        if options and "log" in options:
            raise ValueError("a log is of one episode: expected envs.envs[0].reset(options={'log': ...}), or an Env")
        if seed is None or isinstance(seed, int | np.integer):
            seeds = [None if seed is None else int(seed) + at for at in range(self.num_envs)]
        else:
            seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"expected a seed for each of {self.num_envs} environments, found {len(seeds)}")
        self.closed = False  # close() does something again
        with _ClosedByErrors(self):
            for env, each in zip(self.envs, seeds):
                env._begin_reset(each, options)
            self._wait()
            found = [env._after_reset() for env in self.envs]
        self._over = [False] * self.num_envs
        return stacked([observation for observation, _ in found]), merged([info for _, info in found])

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """An action for each environment; those whose episode was over are reset."""
        if len(actions) != self.num_envs:
            raise ValueError(f"expected an action for each of {self.num_envs} environments, found {len(actions)}")
        rows = [0 if over else env._row_of(action) for env, over, action in zip(self.envs, self._over, actions)]
        self.closed = False
        with _ClosedByErrors(self):
            for env, over, row in zip(self.envs, self._over, rows):
                if over:
                    env._begin_reset(None, None)
                else:
                    env._begin_step(row)
            self._wait()
            found = [self._found(env, over) for env, over in zip(self.envs, self._over)]
        observations, rewards, terminations, truncations, infos = zip(*found)
        self._over = [bool(each[2] or each[3]) for each in found]
        return (stacked(observations), np.array(rewards, np.float64), np.array(terminations, np.bool_),
                np.array(truncations, np.bool_), merged(infos))

    def render(self) -> tuple[str | None, ...] | None:
        """Of each, where render_mode is "ansi"."""
        return None if self.render_mode is None else tuple(env.render() for env in self.envs)

    def close_extras(self, **_: Any) -> None:
        for env in self.envs:
            env.close()

    def _found(self, env: Env, was_over: bool) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if was_over:
            observation, info = env._after_reset()
            return observation, 0.0, False, False, info
        return env._after_step()

    def _wait(self) -> None:
        """Reads whoever has something to say, until all have come to a choice or to their end."""
        waiting = [env for env in self.envs if env._needs_question()]
        patience_s = min(env.patience_s for env in self.envs)
        until = time.monotonic() + patience_s
        while waiting:
            asking = {env._simulation: env for env in waiting}
            ready = select.select(list(asking), [], [], LOOK_S)[0]
            if ready:
                until = time.monotonic() + patience_s
            is_late = time.monotonic() >= until
            for simulation, env in asking.items():
                if simulation in ready or is_late or (simulation is not None and simulation.has_died()):
                    env._read()  # of one that has died, or is late, it raises why
            waiting = [env for env in waiting if env._needs_question()]


class _ClosedByErrors:
    """No program goes on when one of them has failed."""

    def __init__(self, envs: VectorEnv):
        self._envs = envs

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._envs.close_extras()


def stacked(values: Sequence[Any]) -> Any:
    """Observations side by side."""
    if isinstance(values[0], Mapping):
        return {key: stacked([each[key] for each in values]) for key in values[0]}
    return np.stack(values)


def merged(infos: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Each key's values side by side, and _KEY: who has it."""
    found: dict[str, Any] = {}
    for key in dict.fromkeys(key for info in infos for key in info):
        has = np.array([key in info for info in infos], np.bool_)
        first = next(info[key] for info in infos if key in info)
        if isinstance(first, np.ndarray):
            found[key] = np.stack([info.get(key, np.zeros_like(first)) for info in infos])
        elif isinstance(first, int | float):
            found[key] = np.array([info.get(key, 0) for info in infos])
        else:
            found[key] = np.empty(len(infos), object)
            found[key][:] = [info.get(key) for info in infos]
        found["_" + key] = has
    return found
