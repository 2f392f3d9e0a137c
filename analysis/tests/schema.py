"""The log's tables as src/record/schema.hpp states them, so that tests can't drift from it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HEADER = Path(__file__).resolve().parents[2] / "src/record/schema.hpp"
KINDS = {
    "std::uint8_t": np.uint8,
    "std::uint16_t": np.uint16,
    "std::uint32_t": np.uint32,
    "std::uint64_t": np.uint64,
    "double": np.float64,
}


@dataclass(frozen=True)
class Column:
    name: str
    unit: str
    meaning: str
    kind: type


def read_schema() -> dict[str, list[Column]]:
    """Columns by table, in the order of the rows' members."""
    text = HEADER.read_text()
    tables = {}
    for table, row, body in re.findall(
        r"^/// /(\w+).*?\nstruct (\w+) \{\n(.*?)\n\};", text, re.DOTALL | re.MULTILINE
    ):
        members = re.findall(r"^  ([\w:]+) (\w+) = ", body, re.MULTILINE)
        kinds = {member: kind for kind, member in members}
        tables[table] = [
            Column(name, unit, "".join(re.findall(r'"([^"]*)"', meaning)), KINDS[kinds[member]])
            for name, member, unit, meaning in re.findall(
                r'field\("(\w+)", &R::(\w+), "([^"]*)",\s*((?:"[^"]*"\s*)+)\)', body
            )
        ]
        assert tables[table], f"{row}: no fields found"
    return tables


SCHEMA = read_schema()


def dtype_of(table: str, resources: tuple[str, ...] = ()) -> np.dtype:
    """The table's compound type, with the columns that resources add."""
    prefix = {"samples": "allocated_", "nodes": ""}.get(table)
    extra = [(f"{prefix}{name}", np.float64) for name in resources] if prefix is not None else []
    return np.dtype([(each.name, each.kind) for each in SCHEMA[table]] + extra)
