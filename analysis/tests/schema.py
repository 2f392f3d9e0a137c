"""The log's tables as the program's headers state them, so that tests can't drift from it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

SOURCE = Path(__file__).resolve().parents[2] / "src"
ROWS = "".join((SOURCE / "record" / header).read_text() for header in ("schema.hpp", "rank_rows.hpp"))
EVENTS = (SOURCE / "model/event.hpp").read_text()
FORMAT_VERSION = int(re.search(r"log_format_version = (\d+)",
                               (SOURCE / "record/log.hpp").read_text())[1])
KINDS = {
    "std::uint8_t": np.uint8,
    "std::uint16_t": np.uint16,
    "std::uint32_t": np.uint32,
    "std::uint64_t": np.uint64,
    "double": np.float64,
    "Estimate": np.float64,
    "Moment": np.float64,
    **{f"{thing}Id": np.uint32 for thing in ("Job", "Stage", "Task", "Node")},
    **{code: np.uint8 for code in re.findall(r"enum class (\w+) : std::uint8_t", EVENTS)},
}
CODES = {
    code: ", ".join(f"{at} {name}" for at, name in enumerate(re.findall(r'"([^"]*)"', names)))
    for code, names in re.findall(r"struct EnumNames<(\w+)> \{(.*?)\n\};", EVENTS, re.DOTALL)
}
STRUCT = r"struct (\w+)[^{;]*\{\n(.*?)\n\};"


@dataclass(frozen=True)
class Column:
    name: str
    unit: str
    meaning: str
    kind: type


def columns(body: str) -> list[Column]:
    """Of one struct."""
    members = {name: kind for kind, name in
               re.findall(r"^  ([\w:]+) (\w+)(?: = .*|\{.*\})?;", body, re.MULTILINE)}
    found = []
    for name, member, unit, meaning in re.findall(
        r'field\(\s*"(\w+)", &\w+::(\w+), "([^"]*)",\s*((?:"[^"]*"\s*)+)[,)]', body
    ):
        text = "".join(re.findall(r'"([^"]*)"', meaning))
        codes = CODES.get(members[member])
        found.append(Column(name, unit, f"{text}: {codes}" if codes else text,
                            KINDS[members[member]]))
    return found


def read_schema() -> dict[str, list[Column]]:
    """Columns by table, in the order of the fields."""
    tables = {}
    for table, _, body in re.findall(r"^/// /(\w+)[, ].*?\n" + STRUCT, ROWS,
                                     re.DOTALL | re.MULTILINE):
        tables[table] = columns(body)
    stamps = columns("\n".join(re.findall(r"^struct Stamp(?:ed)?\b.*?\{\n(.*?)\n\};", ROWS,
                                          re.DOTALL | re.MULTILINE)))
    for name, body in re.findall("^" + STRUCT, EVENTS, re.DOTALL | re.MULTILINE):
        kind = re.search(r'kind = "(\w+)"', body)
        if kind:
            group = "events" if re.search(rf"using Events = [^;]*\b{name}\b", EVENTS) else "decisions"
            tables[f"{group}/{kind[1]}"] = stamps + columns(body)
    assert all(tables.values()), tables
    return tables


SCHEMA = read_schema()


# Tables with a column a resource, behind their others; see record/layout.hpp.
PER_RESOURCE = {"samples": "allocated_", "nodes": "", "stage_demands": "",
                "events/stage_estimated": "demand_"}


def dtype_of(table: str, resources: tuple[str, ...] = ()) -> np.dtype:
    """The table's compound type, with the columns that resources add."""
    own = [(each.name, each.kind) for each in SCHEMA.get(table, [])]
    taken = {name for name, _ in own}
    if table in PER_RESOURCE:
        added = (PER_RESOURCE[table] + name for name in resources)
        own += [(f"resource_{name}" if name in taken else name, np.float64) for name in added]
    return np.dtype(own)
