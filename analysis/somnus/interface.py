"""What an environment is to Gymnasium, where that is installed; else the same in small.

Nothing of Somnus needs the package. With it, Env is a gymnasium.Env and its spaces are Gymnasium's, so
that wrappers and learners take it.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    HAS_GYMNASIUM: bool
else:
    try:
        import gymnasium
        import gymnasium.vector
        import gymnasium.vector.utils

        HAS_GYMNASIUM = True
    except ImportError:
        HAS_GYMNASIUM = False


def _generator(seed: int | None) -> tuple[np.random.Generator, int]:
    """As gymnasium.utils.seeding.np_random: one seed, one generator, with Gymnasium or without."""
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0):
        raise ValueError(f"expected a seed, a whole number from 0 on, found {seed!r}")
    sequence = np.random.SeedSequence(None if seed is None else int(seed))
    entropy = sequence.entropy
    assert isinstance(entropy, int)
    return np.random.Generator(np.random.PCG64(sequence)), entropy


class PlainEnv:
    """The members of a gymnasium.Env that do not depend on the environment."""

    metadata: dict[str, Any] = {"render_modes": []}
    render_mode: str | None = None
    spec: Any = None
    action_space: Any
    observation_space: Any
    _np_random: np.random.Generator | None = None
    _np_random_seed: int | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        if seed is not None:
            self._np_random, self._np_random_seed = _generator(seed)

    def close(self) -> None:
        pass

    @property
    def unwrapped(self) -> Any:
        return self

    @property
    def np_random(self) -> np.random.Generator:
        """What reset() without a seed draws from; seeded by chance until it got one."""
        if self._np_random is None:
            self._np_random, self._np_random_seed = _generator(None)
        return self._np_random

    @np_random.setter
    def np_random(self, value: np.random.Generator) -> None:
        self._np_random, self._np_random_seed = value, -1  # -1: unknown, as Gymnasium has it

    @property
    def np_random_seed(self) -> int:
        if self._np_random_seed is None:
            self._np_random, self._np_random_seed = _generator(None)
        return self._np_random_seed

    def get_wrapper_attr(self, name: str) -> Any:
        return getattr(self, name)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class PlainVectorEnv:
    """The members of a gymnasium.vector.VectorEnv that do not depend on the environments."""

    metadata: dict[str, Any] = {}
    render_mode: str | None = None
    spec: Any = None
    closed = False
    num_envs: int
    action_space: Any
    observation_space: Any
    single_action_space: Any
    single_observation_space: Any

    def close(self, **_: Any) -> None:
        """What was started is ended; may be called again."""
        if not self.closed:
            self.close_extras()
            self.closed = True

    def close_extras(self, **_: Any) -> None:
        pass

    @property
    def unwrapped(self) -> Any:
        return self

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


if TYPE_CHECKING:
    from somnus.spaces import Box, Dict, Discrete, Space, batch_space

    BaseEnv = PlainEnv
    BaseVectorEnv = PlainVectorEnv
    NEXT_STEP: Any
elif HAS_GYMNASIUM:
    from gymnasium.spaces import Box, Dict, Discrete, Space
    from gymnasium.vector.utils import batch_space

    BaseEnv, BaseVectorEnv = gymnasium.Env, gymnasium.vector.VectorEnv
    NEXT_STEP = getattr(getattr(gymnasium.vector, "AutoresetMode", None), "NEXT_STEP", "NextStep")
else:
    from somnus.spaces import Box, Dict, Discrete, Space, batch_space

    BaseEnv, BaseVectorEnv = PlainEnv, PlainVectorEnv
    NEXT_STEP = "NextStep"


def register(name: str, entry_point: str) -> None:
    """Makes it known to gymnasium.make(), where Gymnasium is installed."""
    if not TYPE_CHECKING and HAS_GYMNASIUM and name not in gymnasium.registry:
        gymnasium.register(id=name, entry_point=entry_point)


__all__ = ["HAS_GYMNASIUM", "NEXT_STEP", "BaseEnv", "BaseVectorEnv", "Box", "Dict", "Discrete", "PlainEnv",
           "PlainVectorEnv", "Space", "batch_space", "register"]
