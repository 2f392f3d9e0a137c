"""The packages of others that all but orders and policies need, and a sentence where one is missing."""

import contextlib
from collections.abc import Iterator
from importlib.util import find_spec

NEEDED = ("h5py", "matplotlib", "numpy", "pandas", "scipy")


class MissingPackageError(ModuleNotFoundError):
    """The text says which one is missing, and how to get it."""


@contextlib.contextmanager
def packages_of_others() -> Iterator[None]:
    """Around imports that need them. Raises MissingPackageError."""
    try:
        yield
    except ImportError:
        name = next((name for name in NEEDED if find_spec(name) is None), None)
        if name is None:
            raise
        raise MissingPackageError(f"Python has no {name}, which this needs: apt-get install python3-{name} on Debian, "
                                  f"else pip install {name}", name=name) from None
