"""The page's part on rigid jobs: a table by width and time, and who held which slots when."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.ticker import MaxNLocator

from somnus.analysis.base.text import count, number, printable
from somnus.analysis.figures import style
from somnus.analysis.metrics import batch
from somnus.analysis.reading.log import Log
from somnus.analysis.report.markup import Cell, Markup, element, joined, safe, table

MOST_PIECES = 3000  # in a drawing: about 400 kB of the page
WIDTH, HEIGHT = 1000, 260  # of a drawing, in its own unit
MARGIN = 22  # below it, for times
COLOURS = 6  # of the page's series, without the last, which is that of letters
TICKS = 6


def rigid_jobs(labels: Sequence[str], logs: Sequence[Log]) -> Markup:
    """Nothing where there are no gangs."""
    if not any(len(log.gangs) for log in logs):
        return Markup("")
    found = [batch.by_class(batch.jobs(log)) for log in logs]
    order = pd.MultiIndex.from_product([batch.WIDTHS, batch.TIMES])
    rows = [[Cell(f"{width}, {time}"), *(_cell(each, (width, time)) for each in found)]
            for width, time in order if any((width, time) in each.index for each in found)]
    pieces = {index: batch.rectangles(log) for index, log in enumerate(logs) if len(log.gangs) and log.slots}
    end = max((float(each["end"].max()) for each in pieces.values() if len(each)), default=1.0)
    drawings = [element("figure", element("figcaption", "Rigid jobs of ", labels[index], ": time from left to "
                                          "right, slots from the bottom; pale ones were cut short"),
                        _drawing(logs[index], each, end)) for index, each in pieces.items()]
    return joined([
        element("h3", "Rigid jobs"),
        table(f"Mean bounded slowdown ({batch.BOUND:g} s), mean wait, and how many jobs: by width, and by "
              "the time from first start to end", ["", *labels], rows), *drawings])


def _cell(found: pd.DataFrame, key: tuple[str, str]) -> Cell:
    if key not in found.index:
        return Cell("–")
    row = found.loc[key]
    more = f" {number(row['wait'])} s, {count(int(row['count']))}"
    return Cell(joined([safe(number(row["bounded_slowdown"])), element("span", more, class_="small")]),
                float(row["bounded_slowdown"]))


def _drawing(log: Log, pieces: pd.DataFrame, end: float) -> Markup:
    """`end`: of the time that is drawn [s]."""
    if len(pieces) > MOST_PIECES:
        return element("p", f"{count(len(pieces))} rectangles are too many for a page, {count(MOST_PIECES)} fit. ",
                       element("code", "somnus figure rectangles"), " draws more, and parts.", class_="small")
    shapes = joined(_shape(log, each, end) for each in pieces.itertuples())
    words = f"{count(len(pieces))} rectangles on {count(log.slots)} slots over {number(end)} s"
    return element("svg", shapes, _times(end), viewBox=f"0 0 {WIDTH} {HEIGHT + MARGIN}", class_="rigid",
                   role="img", aria_label=words)


def _shape(log: Log, piece: Any, end: float) -> Markup:
    job = log.jobs.loc[piece.job]
    words = (f"{printable(str(job['job_name']))}: {count(int(job['tasks']))} tasks, {number(piece.begin)} to "
             f"{number(piece.end)} s{', cut short' if piece.killed else ''}")
    a_slot = HEIGHT / log.slots
    return element("rect", element("title", words), x=f"{piece.begin / end * WIDTH:.2f}",
                   y=f"{HEIGHT - (piece.low + piece.slots) * a_slot:.2f}",
                   width=f"{(piece.end - piece.begin) / end * WIDTH:.2f}", height=f"{piece.slots * a_slot:.2f}",
                   class_=f"series-{piece.job % COLOURS}{' pale' if piece.killed else ''}")


def _times(end: float) -> Markup:
    unit, seconds = style.time_unit(end)
    last = end / seconds
    return joined(element("text", f"{time:,g} {unit}", x=f"{time / last * WIDTH:.1f}", y=HEIGHT + MARGIN - 6,
                          text_anchor="start" if time == 0 else "end" if time > 0.96 * last else "middle")
                  for time in MaxNLocator(TICKS).tick_values(0, last) if 0 <= time <= last)
