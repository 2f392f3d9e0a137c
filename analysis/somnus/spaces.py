"""Spaces of observations and actions as Gymnasium has them, for where Gymnasium is not installed.

They have the same names, members and equality as gymnasium.spaces of version 1.x, as far as Somnus uses
them: a learner that is written for the one works with the other. `somnus.interface` chooses.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, SupportsFloat

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class Space:
    """A set of values; `value in space` says whether one is of it."""

    def __init__(self, shape: Sequence[int] | None, dtype: npt.DTypeLike | None,
                 seed: int | np.random.Generator | None = None):
        self._shape = None if shape is None else tuple(int(each) for each in shape)
        self.dtype = None if dtype is None else np.dtype(dtype)
        self._np_random: np.random.Generator | None = None
        if isinstance(seed, np.random.Generator):
            self._np_random = seed
        elif seed is not None:
            self.seed(seed)

    @property
    def shape(self) -> tuple[int, ...] | None:
        return self._shape

    @property
    def np_random(self) -> np.random.Generator:
        """What sample() draws from; seeded by chance until seed() has been called."""
        if self._np_random is None:
            self.seed()
        assert self._np_random is not None
        return self._np_random

    @property
    def is_np_flattenable(self) -> bool:
        return True

    def seed(self, seed: int | None = None) -> Any:
        """Of what sample() draws; returns it."""
        sequence = np.random.SeedSequence(seed)
        self._np_random = np.random.Generator(np.random.PCG64(sequence))
        return sequence.entropy if seed is None else seed

    def sample(self, mask: Any = None) -> Any:
        """A value by chance."""
        raise NotImplementedError

    def contains(self, x: Any) -> bool:
        raise NotImplementedError

    def __contains__(self, x: Any) -> bool:
        return self.contains(x)


class Box(Space):
    """Arrays whose numbers lie between low and high, both included."""

    def __init__(self, low: SupportsFloat | Array, high: SupportsFloat | Array,
                 shape: Sequence[int] | None = None, dtype: npt.DTypeLike = np.float32,
                 seed: int | np.random.Generator | None = None):
        if shape is None:
            shape = np.broadcast_shapes(np.shape(low), np.shape(high))  # type: ignore[arg-type]
        super().__init__(shape, dtype, seed)
        self.low: Array = np.full(shape, low, dtype=dtype)
        self.high: Array = np.full(shape, high, dtype=dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        assert self._shape is not None
        return self._shape

    def is_bounded(self, manner: str = "both") -> bool:
        sides = {"below": [self.low], "above": [self.high], "both": [self.low, self.high]}[manner]
        return all(bool(np.all(np.isfinite(side))) for side in sides)

    def sample(self, mask: Any = None) -> Array:
        if mask is not None:
            raise ValueError("a box has no values to be masked")
        if not self.is_bounded():
            raise ValueError("sample() of a box that has no bounds")
        assert self.dtype is not None
        drawn: Array
        if np.issubdtype(self.dtype, np.floating):
            drawn = self.np_random.uniform(self.low, self.high, self.shape)
        else:
            drawn = self.np_random.integers(self.low.astype(np.int64), self.high.astype(np.int64), self.shape,
                                            endpoint=True)
        return drawn.astype(self.dtype)

    def contains(self, x: Any) -> bool:
        assert self.dtype is not None
        return bool(isinstance(x, np.ndarray) and np.can_cast(x.dtype, self.dtype) and x.shape == self.shape
                    and np.all(x >= self.low) and np.all(x <= self.high))

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Box) and self.shape == other.shape and self.dtype == other.dtype
                and np.array_equal(self.low, other.low) and np.array_equal(self.high, other.high))

    def __repr__(self) -> str:
        return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"


class Discrete(Space):
    """The whole numbers start, ..., start + n - 1."""

    def __init__(self, n: int, seed: int | np.random.Generator | None = None, start: int = 0):
        if n <= 0:
            raise ValueError(f"expected a positive number of values, found {n}")
        super().__init__((), np.int64, seed)
        self.n = np.int64(n)
        self.start = np.int64(start)

    def sample(self, mask: Any = None) -> np.int64:
        """mask: 1 for each value that may be drawn, an array of n int8; if none may, start is drawn."""
        if mask is None:
            return np.int64(self.start + self.np_random.integers(self.n))
        if np.shape(mask) != (int(self.n),):
            raise ValueError(f"expected a mask of {self.n} numbers, found one of shape {np.shape(mask)}")
        allowed = np.flatnonzero(mask)
        return np.int64(self.start + (self.np_random.choice(allowed) if len(allowed) else 0))

    def contains(self, x: Any) -> bool:
        is_whole = isinstance(x, int | np.integer) or (
            isinstance(x, np.ndarray) and x.shape == () and np.issubdtype(x.dtype, np.integer))
        return bool(is_whole and self.start <= int(x) < self.start + self.n)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Discrete) and (self.n, self.start) == (other.n, other.start)

    def __repr__(self) -> str:
        return f"Discrete({self.n})" if self.start == 0 else f"Discrete({self.n}, start={self.start})"


class MultiDiscrete(Space):
    """Arrays of whole numbers, each from 0 to one less than its place in nvec."""

    def __init__(self, nvec: Any, dtype: npt.DTypeLike = np.int64,
                 seed: int | np.random.Generator | None = None):
        self.nvec: Array = np.array(nvec, dtype=dtype)
        super().__init__(self.nvec.shape, dtype, seed)

    def sample(self, mask: Any = None) -> Array:
        if mask is not None:
            raise ValueError("sample each environment's action with its own mask")
        return self.np_random.integers(self.nvec, dtype=self.nvec.dtype.type)

    def contains(self, x: Any) -> bool:
        return bool(isinstance(x, np.ndarray) and x.shape == self.shape and np.issubdtype(x.dtype, np.integer)
                    and np.all(x >= 0) and np.all(x < self.nvec))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MultiDiscrete) and np.array_equal(self.nvec, other.nvec)

    def __repr__(self) -> str:
        return f"MultiDiscrete({self.nvec})"


class Dict(Space, Mapping[str, Space]):
    """Dictionaries of values, each of its own space."""

    def __init__(self, spaces: Mapping[str, Space], seed: int | None = None):
        self.spaces: dict[str, Space] = dict(spaces)
        super().__init__(None, None, seed)

    def seed(self, seed: int | None = None) -> Any:
        """Of each space in it, drawn from this one."""
        super().seed(seed)
        return {key: space.seed(int(self.np_random.integers(2**31))) for key, space in self.spaces.items()}

    def sample(self, mask: Any = None) -> dict[str, Any]:
        masks = mask or {}
        return {key: space.sample(masks.get(key)) for key, space in self.spaces.items()}

    def contains(self, x: Any) -> bool:
        return (isinstance(x, dict) and x.keys() == self.spaces.keys()
                and all(x[key] in space for key, space in self.spaces.items()))

    def __contains__(self, x: Any) -> bool:  # a value, and not a key as of other mappings
        return self.contains(x)

    def __getitem__(self, key: str) -> Space:
        return self.spaces[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.spaces)

    def __len__(self) -> int:
        return len(self.spaces)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dict) and self.spaces == other.spaces

    def __repr__(self) -> str:
        return "Dict(" + ", ".join(f"{key!r}: {space}" for key, space in self.spaces.items()) + ")"


def batch_space(space: Space, n: int) -> Space:
    """Of n values of this space, side by side."""
    if isinstance(space, Dict):
        return Dict({key: batch_space(each, n) for key, each in space.spaces.items()})
    if isinstance(space, Discrete):
        if space.start != 0:
            raise ValueError("actions of a batch begin at 0")
        return MultiDiscrete(np.full((n,), space.n))
    if isinstance(space, Box):
        return Box(np.stack([space.low] * n), np.stack([space.high] * n), dtype=space.dtype)
    raise TypeError(f"expected a Box, Discrete or Dict, found {space!r}")
