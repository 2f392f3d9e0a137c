"""What a file may make its reader do: nothing but read that file, no more than it could hold, and no
table that is not what it is taken for. Asked once, when a log is opened, and of all tables at once.

The sentences are those of `somnus check` (src/log/guard.cpp).
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import h5py
import numpy as np

from somnus.analysis.reading.schema import DEMANDS, MOST_RESOURCES, NAMES, NAMES_OF_SOME, TABLES, Table

# Deflate makes at most 1032 bytes of one. Whoever is killed leaves a few chunks that were never
# written.
MOST_EXPANSION, UNWRITTEN_BYTES, MOST_CHUNK_BYTES = 1032, 64 << 20, 256 << 20
FILTERS = (h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_FLETCHER32)
HINT = "the file is damaged or was written by something else"
# What h5py raises of a file that is not as it should be.
UNREADABLE = (OSError, KeyError, RuntimeError, TypeError, ValueError, OverflowError, NotImplementedError)


def faults(file: h5py.File, resources: Sequence[str]) -> Iterator[str]:
    """What keeps its tables from being read, as "/tasks: is a link, expected the table itself"."""
    size = file.id.get_filesize()
    tables = dict(TABLES)
    if resources:
        tables[DEMANDS] = Table((), (), per_resource=True)
    for name, table in tables.items():
        yield from _checked(name, _fault_of_table, file, name, size, table, len(resources))
    for name in (*NAMES, *(one for one in NAMES_OF_SOME if not _is_missing(file, f"names/{one}"))):
        yield from _checked(f"names/{name}", _fault_of_names, file, f"names/{name}", size)


def _checked(name: str, ask: Callable[..., str], *more: Any) -> Iterator[str]:
    try:
        fault = ask(*more)
    except UNREADABLE as error:
        fault = f"cannot be read: {error}"
    if fault:
        yield f"/{name}: {fault}; {HINT}"


def _fault_of_table(file: h5py.File, name: str, size: int, table: Table, resources: int) -> str:
    if table.optional and _is_missing(file, name):
        return ""
    if fault := _fault_of_dataset(file, name, size):
        return fault
    dtype = file[name].dtype
    if dtype.names is None:
        return "the log has no table there, expected rows of columns"
    for columns, kinds, words in ((table.whole, "ui", "whole numbers"), (table.real, "f", "numbers")):
        for column in columns:
            if column not in dtype.names or dtype[column].kind not in kinds:
                return f'the table has no column "{column}" of {words}'
    own = list(dtype.names)
    last = own[len(own) - resources:] if table.per_resource else []
    if len(last) < resources * table.per_resource or {*last} & {*table.whole, *table.real}:
        return f"the table has no column for each of {resources} resources"
    for column in own:
        if dtype[column].kind not in ("f" if column in last else "uif"):
            return f'the table has no column "{column}" of numbers'
    return ""


def _fault_of_names(file: h5py.File, name: str, size: int) -> str:
    if fault := _fault_of_dataset(file, name, size):
        return fault
    return "" if file[name].dtype.kind == "S" else "is no table of names, expected texts of one length"


def _fault_of_dataset(file: h5py.File, name: str, size: int) -> str:
    if is_link(file, name):
        return "is a link, expected the table itself"
    if _is_missing(file, name):
        return "the log lacks this table"
    dataset = file[name]
    if not isinstance(dataset, h5py.Dataset):
        return "the log has no table there, expected rows of columns"
    kept = dataset.id.get_create_plist()
    layout = kept.get_layout()
    if layout == h5py.h5d.VIRTUAL or kept.get_external_count():
        return "is kept outside of this file, expected it inside"
    if dataset.shape is None or dataset.ndim != 1:
        return "is no list, expected one row after the other"
    if dataset.dtype.hasobject:
        return "has cells of any length, expected numbers or names"
    for index in range(kept.get_nfilters()):
        if (code := kept.get_filter(index)[0]) not in FILTERS:
            return f"is packed by filter {code}, expected deflate"
    rows, cell = dataset.shape[0], dataset.dtype.itemsize
    room = size
    if layout == h5py.h5d.CHUNKED:
        if (chunk := kept.get_chunk()[0] * cell) > MOST_CHUNK_BYTES:
            return f"has chunks of {chunk} bytes, expected at most {MOST_CHUNK_BYTES}"
        room = MOST_EXPANSION * min(size, dataset.id.get_storage_size()) + UNWRITTEN_BYTES
    if rows * cell > room:
        return f"says that it has {rows} rows of {cell} bytes, more than a file of {size} bytes can hold"
    return ""


def tables_in(file: h5py.File, resources: Sequence[str]) -> dict[str, int]:
    """How many rows each table has, of a file without faults."""
    names = [*TABLES, *([DEMANDS] if resources else [])]
    return {name: len(file[name]) for name in names if not _is_missing(file, name)}


def _obstacle(file: h5py.File, name: str) -> Literal["missing", "link", ""]:
    """What keeps the name from being a thing of this file's own; empty: nothing does."""
    group = file
    for part in name.split("/"):
        # Not `part in group`, which follows links.
        if not isinstance(group, h5py.Group) or not group.id.links.exists(part.encode()):
            return "missing"
        if group.id.links.get_info(part.encode()).type != h5py.h5l.TYPE_HARD:
            return "link"
        group = group[part]
    return ""


def is_link(file: h5py.File, name: str) -> bool:
    """Some part of the name leads elsewhere."""
    return _obstacle(file, name) == "link"


def _is_missing(file: h5py.File, name: str) -> bool:
    return _obstacle(file, name) == "missing"


class Attributes:
    """Attributes of a file, plain values; `faults` says of which that is wrong that had to be there."""

    def __init__(self, file: h5py.File):
        self.values: dict[str, Any] = {}
        self.faults: list[str] = []
        try:
            size, names = file.id.get_filesize(), list(file.attrs)
        except UNREADABLE as error:
            self.faults.append(f"its root attributes can't be read, the file is damaged: {error}")
            return
        for name in names:
            try:
                about = h5py.h5a.open(file.id, name.encode())
                kind = about.dtype
                if kind.hasobject or kind.kind not in "uifS" or about.get_storage_size() > size:
                    continue  # none of ours
                self.values[name] = plain(file.attrs[name])
            except UNREADABLE:
                continue

    def text(self, name: str, default: str | None = None) -> str:
        return self._of(name, str, "text", default)

    def whole(self, name: str, default: int | None = None) -> int:
        return self._of(name, int, "whole number", default)

    def real(self, name: str, default: float | None = None) -> float:
        value = self._of(name, (int, float), "number", default)
        if not np.isfinite(value) or value <= 0:
            self.faults.append(f"root attribute {name} is {value}, expected above 0")
        return value

    def texts(self, name: str) -> list[str]:
        found = self._of(name, list, "list of texts", [])
        if not all(isinstance(each, str) and each for each in found) or len({*found}) < len(found):
            self.faults.append(f"root attribute {name} is no list of names, which differ")
        if len(found) > MOST_RESOURCES:
            self.faults.append(f"root attribute {name} names {len(found)} resources, expected at most "
                               f"{MOST_RESOURCES}")
        return found

    def _of(self, name: str, kind: type | tuple[type, ...], words: str, default: Any) -> Any:
        value = self.values.get(name, default)
        if value is None:
            self.faults.append(f"the log lacks the root attribute {name}, or it is no {words}; {HINT}")
        elif not isinstance(value, kind):
            self.faults.append(f"root attribute {name} is no {words}; {HINT}")
        else:
            return value
        return {str: "", list: []}.get(kind, 1)  # type: ignore[call-overload]


def plain(value: Any) -> Any:
    """An attribute as a Python value."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, np.ndarray):
        return [plain(each) for each in value]
    return value


def unreadable(path: Path, what: str, error: Exception) -> str:
    return f"{path}: {what} can't be read, the file is damaged or cut short: {error}"
