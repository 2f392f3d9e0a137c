"""Pieces of the page: text that can't be taken for markup, and tables that read well."""

import html
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


class Markup(str):
    """Text that is markup already."""


def safe(text: object) -> Markup:
    return text if isinstance(text, Markup) else Markup(html.escape(str(text)))


def joined(parts: Iterable[Markup], between: str = "") -> Markup:
    return Markup(between.join(parts))


def element(name: str, *content: object, **attributes: object) -> Markup:
    """`class_` and `for_` stand for what Python does not allow; True is an attribute without a value."""
    words = "".join(
        f' {key.rstrip("_").replace("_", "-")}' + ("" if value is True else f'="{html.escape(str(value))}"')
        for key, value in attributes.items() if value is not None and value is not False)
    return Markup(f"<{name}{words}>{''.join(safe(each) for each in content)}</{name}>")


def prose(text: str) -> Markup:
    """What stands between backticks is a command."""
    parts = text.split("`")
    return joined(element("code", part) if index % 2 else safe(part) for index, part in enumerate(parts))


@dataclass(frozen=True)
class Cell:
    """What stands in a table; `value` is what it is sorted by, if not as text."""

    content: object
    value: float | None = None
    marked: bool = False


def table(caption: str, head: Sequence[str], rows: Sequence[Sequence[Cell]], sortable: bool = False,
          class_: str = "") -> Markup:
    """The first cell of each row heads it; cells with a value are flush right. Wide ones scroll."""
    columns = [any(row[at].value is not None for row in rows) for at in range(len(head))]
    heads = joined(
        element("th", element("button", title, type="button") if sortable and title else safe(title),
                scope="col", class_="number" if is_number else None)
        for title, is_number in zip(head, columns))
    body = joined(element("tr", joined(_cell(each, index, columns[index]) for index, each in
                                       enumerate(row))) for row in rows)
    whole = element("table", element("caption", element("span", caption)), element("thead", element("tr", heads)),
                    element("tbody", body), class_=f"{'sortable' if sortable else ''} {class_}".strip()
                    or None)
    return element("div", whole, class_="scroll", tabindex="0", role="region", aria_label=caption)


def _cell(cell: Cell, index: int, is_number: bool) -> Markup:
    words = [word for word, there in (("number", is_number), ("best", cell.marked)) if there]
    value = cell.value
    attributes = {"class_": " ".join(words) or None,
                  "data_value": None if value is None or not math.isfinite(value) else f"{value:.9g}"}
    if index == 0:
        return element("th", cell.content, scope="row", **attributes)
    return element("td", cell.content, **attributes)
