"""The environment and the spaces of Gymnasium that Somnus uses, in small, for Python without Gymnasium.

One seed gives the same episodes with Gymnasium and without.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt


class Env:
    """The part of gymnasium.Env that somnus.Env builds on."""

    @cached_property
    def np_random(self) -> np.random.Generator:
        """Draws the seeds of episodes for reset() without a seed."""
        return np.random.default_rng()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        if seed is not None:
            self.np_random = np.random.default_rng(seed)

    def close(self) -> None:
        pass

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Space:
    """A set of values; `value in space` says whether it has the value."""

    def __init__(self, shape: Sequence[int] | None, dtype: npt.DTypeLike | None):
        self.shape = None if shape is None else tuple(shape)
        self.dtype = None if dtype is None else np.dtype(dtype)
        self.np_random = np.random.default_rng()

    def seed(self, seed: int | None = None) -> None:
        """Sets the seed of sample()."""
        self.np_random = np.random.default_rng(seed)

    def sample(self, mask: Any = None) -> Any:
        """Draws a value."""
        raise NotImplementedError

    def contains(self, x: Any) -> bool:
        raise NotImplementedError

    def __contains__(self, x: Any) -> bool:
        return self.contains(x)


class Box(Space):
    """Arrays whose numbers lie between low and high, both included."""

    def __init__(self, low: Any, high: Any, shape: Sequence[int] | None = None, dtype: npt.DTypeLike = np.float32):
        shape = np.broadcast_shapes(np.shape(low), np.shape(high)) if shape is None else tuple(shape)
        super().__init__(shape, dtype)
        self.low, self.high = np.full(shape, low, dtype), np.full(shape, high, dtype)

    def sample(self, mask: Any = None) -> npt.NDArray[Any]:
        if np.issubdtype(self.low.dtype, np.integer):
            return self.np_random.integers(self.low, self.high, dtype=self.low.dtype.type, endpoint=True)
        return self.np_random.uniform(self.low, self.high).astype(self.low.dtype)

    def contains(self, x: Any) -> bool:
        return bool(isinstance(x, np.ndarray) and np.can_cast(x.dtype, self.low.dtype) and x.shape == self.shape
                    and np.all(x >= self.low) and np.all(x <= self.high))


class Discrete(Space):
    """The whole numbers from 0 to n - 1."""

    def __init__(self, n: int):
        super().__init__((), np.int64)
        self.n = np.int64(n)

    def sample(self, mask: Any = None) -> np.int64:
        """Draws a number; with a mask (an array of length n) only one where the mask is not 0."""
        if mask is None:
            return np.int64(self.np_random.integers(self.n))
        allowed = np.flatnonzero(mask)
        return np.int64(self.np_random.choice(allowed) if len(allowed) else 0)

    def contains(self, x: Any) -> bool:
        number = np.asarray(x)
        return bool(number.shape == () and np.issubdtype(number.dtype, np.integer) and 0 <= number < self.n)


class Dict(Space):
    """Dictionaries with a value of each of these spaces."""

    def __init__(self, spaces: Mapping[str, Space]):
        super().__init__(None, None)
        self.spaces = dict(spaces)

    def __getitem__(self, key: str) -> Space:
        return self.spaces[key]

    def seed(self, seed: int | None = None) -> None:
        super().seed(seed)
        for space in self.spaces.values():
            space.seed(int(self.np_random.integers(1 << 31)))

    def sample(self, mask: Any = None) -> dict[str, Any]:
        return {key: space.sample() for key, space in self.spaces.items()}

    def contains(self, x: Any) -> bool:
        return (isinstance(x, dict) and x.keys() == self.spaces.keys()
                and all(x[key] in space for key, space in self.spaces.items()))
