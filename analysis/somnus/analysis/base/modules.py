"""The modules of a package, so that what is added to it is found without a list of names."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


def modules_of(package: ModuleType) -> Iterator[ModuleType]:
    """Imports each, in the order of their names."""
    for module in iter_modules(package.__path__):
        yield import_module(f"{package.__name__}.{module.name}")
