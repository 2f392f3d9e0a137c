"""What is printed beside the Yaq paper's numbers: all variants, side by side."""

from collections.abc import Mapping

from somnus.analysis.base.text import table
from somnus.analysis.papers.common.expect import Found, Measured
from somnus.analysis.papers.yaq import paper


def variants(titles: Mapping[str, str], columns: Mapping[str, str], measured: Measured,
             head: str = "mean over seeds") -> str:
    """A row a variant, means over seeds."""
    rows = [[head, *columns.values()]]
    rows += [[title, *(Found(measured).text(f"{name}.{column}") for column in columns)]
             for name, title in titles.items()]
    return table(rows, gap=" | ")


def utilisation(measured: Measured) -> str:
    """Fig. 9: a row a workload, a column a queue's length."""
    lengths = {str(length): f"{length} queued" for length in paper.LENGTHS}
    return variants(paper.UTILISED, {**lengths, "0": "YARN"}, measured, "occupied slots [%]")
