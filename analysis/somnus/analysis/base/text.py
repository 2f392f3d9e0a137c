"""Aligned plain-text tables."""

import html
import math
import re
import sys
import textwrap
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

WIDTH = 80  # of a terminal, in letters
LEAST_FIRST = 24  # of a table's first column, if it has more
LISTED = 12  # of more names than that only the nearest is named


def table(rows: Sequence[Sequence[str]], gap: str = "  ", keys: int = 1) -> str:
    """Rows of cells, the first row being the head; all but the first column flush right.

    Where they are wider than 80 letters, heads and first cells have several lines; columns that do not fit
    even so are a table below, beside the same first `keys` columns.
    """
    widths = [max(map(len, column)) for column in zip(*rows)]
    if _across(widths, gap) > WIDTH:
        widths[1:] = [max(map(len, (*head.split(), *cells))) for head, *cells in list(zip(*rows))[1:]]
        widths[0] = min(widths[0], max(WIDTH - _across([0, *widths[1:]], gap), LEAST_FIRST))
    fitting = max(keys + 1, sum(_across(widths[:end], gap) <= WIDTH for end in range(1, len(widths) + 1)))

    def lines(row: Sequence[str]) -> list[str]:
        parts = [_wrap(cell, width) for cell, width in zip(row[:fitting], widths)]
        height = max(map(len, parts))
        above = [[""] * (height - len(part)) for part in parts]
        padded = [space + part if row is rows[0] else part + space for space, part in zip(above, parts)]
        return [gap.join([first.ljust(widths[0]), *(each.rjust(width) for each, width
                                                    in zip(others, widths[1:]))]).rstrip()
                for first, *others in zip(*padded)]

    rule = gap.join("-" * width for width in widths[:fitting])
    text = "\n".join([*lines(rows[0]), rule, *(line for row in rows[1:] for line in lines(row))])
    below = [[*row[:keys], *row[fitting:]] for row in rows]
    return text if fitting >= len(widths) else f"{text}\n\n{table(below, gap, keys)}"


def _across(widths: Sequence[int], gap: str) -> int:
    return sum(widths) + len(gap) * (len(widths) - 1)


def _wrap(cell: str, width: int) -> list[str]:
    return textwrap.wrap(cell, width, break_on_hyphens=False) or [""]


def number(value: float | None) -> str:
    """Four significant digits, at most three after the point; a dash where there is no number."""
    if value is None or not math.isfinite(value):
        return "–"
    digits = 3 - math.floor(math.log10(abs(value))) if value else 3
    return f"{value:,.{min(max(digits, 0), 3)}f}".replace("-", "−")


def paragraph(text: str, first: str = "", rest: str = "") -> str:
    """Prose in lines of at most 80 letters; what its first line starts with, and the others."""
    return textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=rest,
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


def printable_lines(text: str) -> str:
    return "\n".join(printable(line, sys.maxsize) for line in text.split("\n"))


def hint(name: str, known: Iterable[str]) -> str:
    """What to say behind a sentence about a name that is none of those known."""
    names = list(known)
    near = (_of_the_same_words(name, names) or get_close_matches(name, names, 1)
            or [each for each in names if each.rpartition(".")[2] == name] or _with_its_words(name, names))
    if near:
        return f"; did you mean '{near[0]}'?"
    return f"; there are {', '.join(names)}" if len(names) <= LISTED else ""


def _words(name: str) -> set[str]:
    return set(re.split(r"[_.-]", name))


def _of_the_same_words(name: str, names: Iterable[str]) -> list[str]:
    """In another order: mean_response_s for response_mean_s."""
    return [each for each in names if _words(each) == _words(name)]


def _with_its_words(name: str, names: Iterable[str]) -> list[str]:
    """Names that have those words and more, of those with the fewest the first; a single word says too little."""
    found = [each for each in names if len(_words(name)) > 1 and _words(each) > _words(name)]
    return sorted(found, key=lambda each: len(_words(each)))


def csv_text(cell: str) -> str:
    """A cell of a table of somnus without the apostrophe that keeps a spreadsheet from carrying it out.

    As src/base/csv_cell.cpp has it.
    """
    return cell[1:] if re.match(r"'+(?:[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]).", cell, re.DOTALL) else cell


def html_table(rows: Sequence[Sequence[str]], caption: str, below: Iterable[str] = ()) -> str:
    """For a notebook: rows of cells, the first row being the head; below: lines of text."""
    def line(cells: Sequence[str], kind: str) -> str:
        first, *others = [html.escape(cell) for cell in cells]
        return (f'<tr><th style="text-align: left; white-space: pre">{first}</th>'
                + "".join(f'<{kind} style="text-align: right">{cell}</{kind}>' for cell in others) + "</tr>")

    head, *body = rows
    parts = [f'<caption style="text-align: left">{html.escape(caption)}</caption>',
             f"<thead>{line(head, 'th')}</thead>" if any(head) else "",
             f"<tbody>{''.join(line(row, 'td') for row in body)}</tbody>"]
    return f"<table>{''.join(parts)}</table>" + "".join(f"<p>{html.escape(line)}</p>" for line in below)
