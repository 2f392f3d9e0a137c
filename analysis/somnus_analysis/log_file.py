"""The file of a log: how it opens, its tables as frames, its attributes as plain values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pandas as pd

SEAL = "seal"  # the last column of each table, of use to `somnus check` alone


class LogError(Exception):
    """A log that can't be read; its text names the file and says why."""


class MissingLogError(LogError):
    """There is no such file."""


class NotALogError(LogError):
    """The file is there, but it is not a log that this package understands."""


def open_log(path: Path) -> h5py.File:
    if not path.exists():
        raise MissingLogError(f"{path}: no such file")
    if path.is_dir():
        raise NotALogError(f"{path}: a folder, not a log")
    if path.stat().st_size == 0:
        raise NotALogError(f"{path}: an empty file; its run did not live to begin its log")
    if not h5py.is_hdf5(path):
        raise NotALogError(f"{path}: not an HDF5 file, so no log")
    try:
        return h5py.File(path, "r")
    except OSError as plain:
        # A log that its writer has open, or had open when it was killed, opens this way only.
        try:
            return h5py.File(path, "r", swmr=True)
        except OSError:
            raise NotALogError(f"{path}: a damaged HDF5 file: {plain}") from plain


def columns_of(dtype: np.dtype) -> list[str]:
    return [column for column in dtype.names or () if column != SEAL]


def group_of(file: h5py.File, path: Path, name: str) -> h5py.Group:
    group = file.get(name)
    if not isinstance(group, h5py.Group):
        raise NotALogError(f"{path}: the log has no group /{name}")
    return group


def names_in(dataset: h5py.Dataset) -> list[str]:
    return [bytes(name).decode(errors="replace") for name in dataset[()]]


def plain(value: Any) -> Any:
    """An attribute as a Python value."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, np.ndarray):
        return [plain(each) for each in value]
    return value


def frame_of(file: h5py.File, path: Path, name: str) -> pd.DataFrame:
    """A table as it stands in the file; `attrs["units"]` has the unit of each column."""
    dataset = table_in(file, path, name)
    try:
        rows = dataset[()]
    except OSError as error:
        raise NotALogError(
            f"{path}: /{name} can't be read, the file is damaged or cut short: {error}"
        ) from error
    frame = pd.DataFrame({column: rows[column] for column in columns_of(rows.dtype)})
    frame.attrs["units"] = {column: said_of(dataset, column, "unit") for column in frame}
    return frame


def table_in(file: h5py.File, path: Path, name: str) -> h5py.Dataset:
    dataset = file.get(name)
    if not isinstance(dataset, h5py.Dataset) or dataset.dtype.names is None:
        raise NotALogError(f"{path}: the log has no table /{name}")
    return dataset


def said_of(dataset: h5py.Dataset, column: str, what: str) -> str:
    """What the log itself states of a column: its `unit`, its `meaning`."""
    return plain(dataset.attrs.get(f"{column}.{what}", ""))
