"""What pages are put together from, and how they are written."""

from __future__ import annotations

import os
import tempfile
from importlib import resources
from pathlib import Path


def source(name: str) -> str:
    """Of the folder `page`: template, style, scripts, the plotting library."""
    return resources.files(__package__).joinpath("page", name).read_text(encoding="utf-8")


def write_whole(text: str, path: Path) -> None:
    """Beside the path, then moved there when it is whole. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(beside, 0o644)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
