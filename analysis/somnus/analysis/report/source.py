"""What pages are put together from."""

from importlib import resources


def source(name: str) -> str:
    """Of the folder `page`: template, style, scripts, the plotting library."""
    return resources.files(__package__).joinpath("page", name).read_text(encoding="utf-8")
