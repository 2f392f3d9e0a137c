"""Whether the numbers of a table can be: ids that there are, codes that have names, times of this side
of forever. Asked of each table as it is read, before anything is worked out from it.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from somnus.analysis.reading import schema


def sound(frame: pd.DataFrame) -> pd.DataFrame:
    """The same numbers as this machine keeps them."""
    for name, column in frame.items():
        kind = column.dtype
        if kind.kind == "f" and kind.itemsize != 8:
            frame[name] = column.astype(np.float64)
        elif not kind.isnative:
            frame[name] = column.astype(kind.newbyteorder("="))
    return frame


def fault(table: str, frame: pd.DataFrame, units: Mapping[str, str], count: Mapping[str, int]) -> str:
    """The first that can't be, as "/tasks row 7: there is no job 9"; empty if all can.

    `count`: of each table's rows, and of all "tasks" of the workload.
    """
    for column, values in frame.items():
        numbers = values.to_numpy()
        if numbers.dtype.kind in "ui":
            found = _fault_of_whole(table, str(column), numbers, count)
        else:
            found = _fault_of_real(table, str(column), numbers, units.get(str(column), ""))
        if found:
            return f"/{table} {found}"
    return _fault_of_work(table, frame)


def _fault_of_whole(table: str, column: str, numbers: np.ndarray, count: Mapping[str, int]) -> str:
    if schema.OWN_ID.get(table) == column:
        return _first(numbers != np.arange(len(numbers)), numbers, f"{column} {{}} is out of place")
    if (table, column) in schema.CODES:
        codes = schema.CODES[table, column]
        return _first((numbers < 0) | (numbers >= len(codes)), numbers, f"{column} {{}}")
    kind = schema.POINTS_AT.get(column)
    if kind is not None and (table, column) not in schema.NO_IDS:
        return _first((numbers < 0) | (numbers >= count[kind]), numbers, f"there is no {column} {{}}")
    if column in ("slot", "slots"):
        return _first((numbers < 0) | (numbers > schema.MOST_SLOTS), numbers, f"{column} {{}}")
    return _first(numbers < 0, numbers, f"{column} {{}}")


def _fault_of_real(table: str, column: str, numbers: np.ndarray, unit: str) -> str:
    """Numbers that are none did not happen."""
    if (table, column) in schema.ENDLESS:
        return ""
    beyond = np.isinf(numbers)
    if unit == "s" and column not in schema.WORKED_OUT:
        beyond |= (np.abs(numbers) > schema.LATEST) & (np.abs(numbers) < schema.NEVER)
    return _first(beyond, numbers, f"{column} {{}}, which no run has")


def _fault_of_work(table: str, frame: pd.DataFrame) -> str:
    if table == "stages" and frame["tasks"].to_numpy(float).sum() > schema.MOST_TASKS:
        return f"/stages: more than {schema.MOST_TASKS:,} tasks"
    if table == "nodes" and frame["slots"].to_numpy(float).sum() > schema.MOST_SLOTS:
        return f"/nodes: more than {schema.MOST_SLOTS:,} slots"
    return ""


def _first(wrong: np.ndarray, numbers: np.ndarray, words: str) -> str:
    if not wrong.any():
        return ""
    row = int(wrong.argmax())
    return f"row {row}: {words.format(numbers[row])}"
