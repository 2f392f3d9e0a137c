"""What `somnus experiment` decided, of its answers.json: sentences, crossings with their intervals, and ties."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from somnus.analysis.base.errors import UserError

FILE = "answers.json"

Point = Mapping[str, str]  # value by key


@dataclass(frozen=True)
class Crossing:
    """Where a difference to the baseline passes `share` of the baseline's mean."""

    point: Point  # of whose line it is; what it says of the axis counts for nothing
    share: float
    at: tuple[float, ...]
    low: float  # of a 95 % interval
    high: float


@dataclass(frozen=True)
class Answer:
    metric: str
    axis: str | None  # the key along which crossings are; None: none is numeric
    margin: float  # differences up to that share of the baseline's mean do not matter
    words: tuple[str, ...]
    crossings: tuple[Crossing, ...]  # those that are decided
    ties: tuple[Point, ...]  # points that are sure to differ from the baseline by less than the margin


def read(folder: Path) -> dict[str, Answer]:
    """By metric; none where the folder is of an older version. Raises UserError: it is damaged."""
    file = folder / FILE
    if not file.exists():
        return {}
    try:
        found = json.loads(file.read_text())
        if not isinstance(found, list):
            raise ValueError(f"expected a list, found {type(found).__name__}")
        answers = [_answer(each) for each in found]
    except (AttributeError, KeyError, OSError, RecursionError, TypeError, ValueError) as error:
        raise UserError(f"{file}: not the answers of an experiment: {error!r}") from error
    return {answer.metric: answer for answer in answers}


def _answer(found: Mapping[str, Any]) -> Answer:
    compared = {_key(each["point"]): each for each in found["comparisons"] if each["tie"] is True}
    axis = found["axis"]
    return Answer(_text(found["metric"]), None if axis is None else _text(axis), _number(found["margin"]),
                  tuple(_text(each) for each in found["words"]),
                  tuple(_crossing(each) for each in found["crossings"] if each["decided"] is True),
                  tuple(_point(each["point"]) for each in compared.values()))


def _crossing(found: Mapping[str, Any]) -> Crossing:
    return Crossing(_point(found["point"]), _number(found["share"]), tuple(map(_number, found["at"])),
                    _number(found["low"]), _number(found["high"]))


def _key(point: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple(_point(point).items())


def _point(found: Mapping[str, Any]) -> Point:
    return {_text(key): _text(value) for key, value in found.items()}


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected a text, found {value!r}")
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"expected a number, found {value!r}")
    return float(value)
