"""Aligned plain-text tables."""

import math
import re
import textwrap
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

LISTED = 12  # of more names than that only the nearest is named


def table(rows: Sequence[Sequence[str]], gap: str = "  ") -> str:
    """Rows of cells, the first row being the head; all but the first column flush right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]

    def line(row: Sequence[str]) -> str:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        return gap.join(cells).rstrip()

    rule = gap.join("-" * width for width in widths)
    return "\n".join([line(rows[0]), rule, *(line(row) for row in rows[1:])])


def number(value: float | None) -> str:
    """Four significant digits, at most three after the point; a dash where there is no number."""
    if value is None or not math.isfinite(value):
        return "–"
    digits = 3 - math.floor(math.log10(abs(value))) if value else 3
    return f"{value:,.{min(max(digits, 0), 3)}f}".replace("-", "−")


def paragraph(text: str, first: str = "", rest: str = "") -> str:
    """Prose in lines of at most 80 letters; what its first line starts with, and the others."""
    return textwrap.fill(text, 80, initial_indent=first, subsequent_indent=rest,
                         break_long_words=False, break_on_hyphens=False)


def percent(value: float | None) -> str:
    """A share of 1 as a percentage."""
    if value is None or not math.isfinite(value):
        return "–"
    return f"{100 * value:.1f} %"


def known(value: float) -> float | None:
    """None in place of a value that is no number (NaN), which JSON cannot hold."""
    return float(value) if math.isfinite(value) else None


def count(value: int) -> str:
    """A whole number with its thousands apart."""
    return f"{value:,}"


def printable(name: str, longest: int = 32) -> str:
    """A name from a workload as one cell: control characters escaped, the middle of a long one cut.

    The cut leaves both ends, where names differ.
    """
    shown = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in name)
    if len(shown) <= longest:
        return shown
    tail = longest // 2 - 1
    return f"{shown[:longest - tail - 1]}…{shown[-tail:]}"


def hint(name: str, known: Iterable[str]) -> str:
    """What to say behind a sentence about a name that is none of those known."""
    names = list(known)
    near = get_close_matches(name, names, 1) or [each for each in names
                                                 if each.rpartition(".")[2] == name]
    if near:
        return f"; did you mean '{near[0]}'?"
    return f"; there are {', '.join(names)}" if len(names) <= LISTED else ""


def csv_text(cell: str) -> str:
    """A cell of a table of somnus without the apostrophe that keeps a spreadsheet from carrying it out.

    As src/base/csv_cell.cpp has it.
    """
    return cell[1:] if re.match(r"'+(?:[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]).", cell, re.DOTALL) else cell
