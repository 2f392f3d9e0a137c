"""What the closing table and its JSON say of clusters of resources; nothing of slots alone.

The names in `objects` are those of `somnus summary --json`.
"""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from somnus_analysis.base.text import known, number, percent, printable
from somnus_analysis.metrics import jain, resources
from somnus_analysis.reading.log import Log

KIND_ROWS = (
    ("utilisation", "{}: utilisation"),
    ("utilisation_middle", "  from 10 % to 90 % of the makespan"),
    ("binding", "  binds, of the makespan"),
    ("leftover_mean", "  left over while a task waits"),
)
JAIN_ROWS = (
    ("jain_mean", f"Jain's index over {jain.WINDOW_S:g} s, mean"),
    ("jain_min", "  least"),
    ("jain_max", "  largest"),
)
# Only where weights make a difference.
NORMALISED_ROWS = (
    ("jain_normalised_mean", "  normalised by entitlement, mean"),
    ("jain_normalised_min", "    least"),
    ("jain_normalised_max", "    largest"),
)


def objects(log: Log) -> list[dict[str, Any]]:
    """One a resource: `resource`, and the columns of resources.per_resource."""
    return _objects(resources.per_resource(log)) if log.resources else []


def leftovers(log: Log) -> list[dict[str, Any]]:
    """One a resource: `resource`, and the columns of resources.leftover_figures."""
    return _objects(resources.leftover_figures(log)) if log.resources else []


def fairness(log: Log) -> dict[str, float | None] | None:
    """Jain's index, see jain.figures; None where there are slots alone."""
    if not log.resources:
        return None
    return {key: known(value) for key, value in jain.figures(jain.over_windows(log)).items()}


def rows(logs: Sequence[Log]) -> list[list[str]]:
    """Lines of the closing table, one column a log; none if no log has resources."""
    kinds = dict.fromkeys(kind for log in logs for kind in log.resources)
    if not kinds:
        return []
    by_kind = [{each["resource"]: each | left for each, left in zip(objects(log), leftovers(log))}
               for log in logs]
    evenness = [fairness(log) or {} for log in logs]
    of_kinds = [[title.format(printable(kind)),
                 *(percent(found.get(kind, {}).get(key)) for found in by_kind)]
                for kind in kinds for key, title in KIND_ROWS]
    weighted = any(found and found["jain_normalised_mean"] != found["jain_mean"]
                   for found in evenness)
    return of_kinds + [[title, *(number(found.get(key)) for found in evenness)]
                       for key, title in JAIN_ROWS + (NORMALISED_ROWS if weighted else ())]


def _objects(table: pd.DataFrame) -> list[dict[str, Any]]:
    return [{"resource": kind, **{key: known(value) for key, value in row.items()}}
            for kind, row in table.to_dict("index").items()]
