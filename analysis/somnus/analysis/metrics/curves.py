"""Performance-allocation curves from `somnus profile --json` (PAF, sections 2 and 3.1).

A job's progress on x slots is its least simulated time over that on x slots. Through the simulated
points goes Ernest's p(x) = 1 / (a0 + a1 x + a2 / x + a3 ln x); the scheduler gets the least concave
curve above that, cut at 1.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from somnus.analysis.base.errors import UserError
from somnus.analysis.base.text import hint, percent, printable

MOST = 12  # jobs that are drawn, unless they are named


@dataclass(frozen=True)
class Profile:
    job: str
    slots: np.ndarray  # on which it was simulated alone, up to as many as it can use
    time_s: np.ndarray
    curve: np.ndarray  # Ernest's coefficients
    error: float  # the largest of the concave curve, as a share of the simulated progress

    @property
    def simulated(self) -> np.ndarray:
        """Progress on `slots`."""
        return self.time_s.min() / self.time_s

    def fitted(self) -> np.ndarray:
        """Progress on 1, 2, ... slots; may be above 1, and may fall."""
        x = np.arange(1, self.slots[-1] + 1)
        return 1 / (np.stack([np.ones(len(x)), x, 1 / x, np.log(x)], axis=1) @ self.curve)

    def concave(self) -> np.ndarray:
        """The least concave curve above the fitted one, on 0, 1, 2, ... slots."""
        rising = np.maximum.accumulate(np.concatenate([[0], np.minimum(self.fitted(), 1)]))
        corners: list[tuple[int, float]] = []
        for here in enumerate(rising):
            while len(corners) > 1 and _below(corners[-2], corners[-1], here):
                corners.pop()
            corners.append(here)
        return np.interp(np.arange(len(rising)), *np.transpose(corners))


def read(path: Path) -> list[Profile]:
    """Raises UserError with the reason if the file is not what `somnus profile --json` printed."""
    expected = "expected what `somnus profile --json` prints"
    try:
        jobs = json.loads(path.read_text(encoding="utf-8"))["jobs"]
        found = [_profile(job) for job in jobs]
    except FileNotFoundError as error:
        raise UserError(f"{path}: there is no such file") from error
    except (KeyError, OverflowError, TypeError, ValueError) as error:  # as bad JSON and bytes
        raise UserError(f"{path}: {expected}, found {_fault(error)}") from error
    if not found:
        raise UserError(f"{path}: no job has a curve")
    return found


def named(profiles: Sequence[Profile], names: Sequence[str]) -> list[Profile]:
    """Raises UserError if one of the names is not that of a job."""
    by_name = {each.job: each for each in profiles}
    for name in names:
        if name not in by_name:
            raise UserError(f"--job: expected a job with a curve, found '{name}'{hint(name, by_name)}")
    return [by_name[name] for name in names]


def spread(profiles: Sequence[Profile], most: int = MOST) -> list[Profile]:
    """So many of them, as they stand; of more those evenly from the least to the largest error."""
    if len(profiles) <= most:
        return list(profiles)
    ranked = sorted(profiles, key=lambda each: each.error)
    chosen = np.linspace(0, len(ranked) - 1, most).round().astype(int)
    return [ranked[index] for index in chosen]


def words(profiles: Sequence[Profile]) -> str:
    """Of all jobs, beside a figure of a few."""
    errors = np.array([each.error for each in profiles])
    worst = profiles[int(errors.argmax())]
    counted = "1 job has a curve" if len(profiles) == 1 else f"{len(profiles):,} jobs have a curve"
    return (f"{counted}; error of its progress: median {percent(np.median(errors))}, "
            f"largest {percent(worst.error)}, {printable(worst.job)}")


def _below(a: tuple, b: tuple, c: tuple) -> bool:
    """Whether b is not above the line from a to c."""
    return (b[1] - a[1]) * (c[0] - a[0]) <= (c[1] - a[1]) * (b[0] - a[0])


def _profile(job: dict) -> Profile:
    slots, times, curve = (np.array(job[key], dtype=float) for key in ("slots", "time_s", "curve"))
    if not len(slots) or slots.shape != times.shape or curve.shape != (4,):
        raise ValueError(f"a job '{job['job']}' of {slots.size} slots, {times.size} times and "
                         f"{curve.size} coefficients")
    if (np.diff(slots) <= 0).any() or slots[0] < 1 or not (times > 0).all():
        raise ValueError(f"a job '{job['job']}' whose slots do not grow from 1, or without a time")
    return Profile(str(job["job"]), slots.astype(int), times, curve, float(job["error"]))


def _fault(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"no {error}"
    if isinstance(error, (json.JSONDecodeError, UnicodeDecodeError, OverflowError, TypeError)):
        return "something else"
    return str(error)
