"""The file of a log: how it opens, its tables as frames. The one place that reads it.

What it may be is asked by guard (tables, attributes) and values (numbers), so that whoever
works with a frame need not; each no is a sentence.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import h5py
import numpy as np
import pandas as pd

from somnus.analysis.base.errors import UserError
from somnus.analysis.reading import guard, values
from somnus.analysis.reading.guard import UNREADABLE, plain, unreadable


UNLOCK = "set HDF5_USE_FILE_LOCKING=FALSE in the environment, the file system may have no file locks"


class LogError(UserError):
    """A log that can't be read; its text names the file and says why."""


class MissingLogError(LogError):
    """There is no such file."""


class NotALogError(LogError):
    """The file is there, but it is not a log that this package understands."""


@contextmanager
def open_log(path: Path) -> Iterator[h5py.File]:
    file = _opened(path)
    try:
        yield file
    finally:
        file.close()


def _opened(path: Path) -> h5py.File:
    if not path.exists():
        raise MissingLogError(f"{path}: no such file")
    if path.is_dir():
        raise NotALogError(f"{path}: a folder, not a log")
    if not path.is_file():
        raise NotALogError(f"{path}: is not a file, expected the log of a run")
    if path.stat().st_size == 0:
        raise NotALogError(f"{path}: an empty file; its run did not live to begin its log")
    if not h5py.is_hdf5(path):
        raise NotALogError(f"{path}: not an HDF5 file, so no log")
    # Without HDF5's locks, as src/log/reader.cpp: some file systems have none.
    try:
        return h5py.File(path, "r", locking=False)
    except UNREADABLE as plain:
        # A log that its writer has open, or had open when it was killed, opens this way only.
        try:
            return h5py.File(path, "r", swmr=True, locking=False)
        except UNREADABLE:
            if "unable to lock" in str(plain):
                raise LogError(f"{path}: cannot be read: HDF5 cannot lock the file ({plain}); {UNLOCK}") from plain
            raise NotALogError(f"{path}: a damaged HDF5 file: {plain}") from plain


def count_tables(file: h5py.File, path: Path, resources: Sequence[str]) -> dict[str, int]:
    """Rows by table. Raises NotALogError with a line for each that is not what it should be."""
    if faults := list(guard.faults(file, resources)):
        raise NotALogError("\n".join(f"{path}: {fault}" for fault in faults))
    return guard.tables_in(file, resources)


def columns_of(dtype: np.dtype) -> list[str]:
    return list(dtype.names or ())


def names_in(file: h5py.File, path: Path, kind: str) -> list[str]:
    try:
        cells = file[f"names/{kind}"][()]
    except UNREADABLE as error:
        raise NotALogError(unreadable(path, f"/names/{kind}", error)) from error
    return [bytes(name).decode(errors="replace") for name in cells]


def frame_of(file: h5py.File, path: Path, name: str, count: Mapping[str, int]) -> pd.DataFrame:
    """A table as it stands in the file; `attrs["units"]` has the unit of each column.

    `count` as for values.fault.
    """
    try:
        dataset = file[name]
        rows = dataset[()]
        units = {column: column_attribute(dataset, column, "unit") for column in columns_of(rows.dtype)}
    except UNREADABLE as error:
        raise NotALogError(unreadable(path, f"/{name}", error)) from error
    frame = values.sound(pd.DataFrame({column: rows[column] for column in units}))
    if fault := values.fault(name, frame, units, count):
        raise NotALogError(f"{path}: {fault}")
    frame.attrs["units"] = units
    return frame


def column_attribute(dataset: h5py.Dataset, column: str, what: str) -> str:
    """What the log itself states of a column: its `unit`, its `meaning`."""
    found = plain(dataset.attrs.get(f"{column}.{what}", ""))
    return found if isinstance(found, str) else ""
