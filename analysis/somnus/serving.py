"""An order's side of what is said between it and Somnus (`somnus protocol`)."""

import json
import sys
from collections.abc import Callable
from typing import IO, Any

from somnus.order import Cluster, Order, Unit

PROTOCOL = 1


def serve(order: Order) -> None:
    """Answers on standard output until standard input ends. What is printed goes to standard error."""
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr
    serve_lines(order, sys.stdin.buffer, answers)


def serve_lines(order: Order, questions: IO[bytes], answers: IO[bytes]) -> None:
    dialogue = Dialogue(order)
    for line in questions:
        answers.write(json.dumps(dialogue.answer(json.loads(line)), separators=(",", ":")).encode() + b"\n")
        answers.flush()


class Dialogue:
    """Takes what Somnus says and gives what it wants to hear."""

    def __init__(self, order: Order) -> None:
        if not hasattr(order, "_moved"):  # its __init__ did not call ours
            Order.__init__(order)
        self.order = order
        self.units: dict[int, Unit] = {}
        self._handlers: dict[str, Callable[..., Unit]] = {
            "submitted": self._submitted, "started": self._started, "ended": self._ended,
        }

    def answer(self, said: dict[str, Any]) -> dict[str, Any]:
        init = said.get("init")
        return self._about(init) if init is not None else self._keys(said)

    def _about(self, init: dict[str, Any]) -> dict[str, Any]:
        if init.pop("protocol") != PROTOCOL:
            raise RuntimeError(f"this package speaks version {PROTOCOL} of the protocol; `somnus --version`?")
        order = self.order
        order.begins(Cluster(**init))
        handled = [name for name in ("started", "ended") if getattr(type(order), name) is not getattr(Order, name)]
        return {
            "protocol": PROTOCOL,
            "name": order.name or type(order).__name__,
            "version": order.version,
            "level": order.level,
            "events": ["submitted", *{**dict.fromkeys(order.events), **dict.fromkeys(handled)}],
            "each_round": order.each_round,
            "each_launch": order.each_launch,
            "wakes": type(order).wakes_at is not Order.wakes_at,
        }

    def _keys(self, said: dict[str, Any]) -> dict[str, Any]:
        order = self.order
        moved = order._moved
        for event in said["events"]:
            unit = self._handlers[event.pop("event")](**event)
            moved[unit.unit] = unit
        order.round_begins(said["now"])
        if order.each_round:
            moved = self.units
        answer: dict[str, Any] = {"keys": [[number, order.key(unit)] for number, unit in moved.items()]}
        order._moved = {}
        wakes_at = order.wakes_at()
        if wakes_at is not None:
            answer["wakes_at"] = wakes_at
        return answer

    def _submitted(self, time: int, **facts: Any) -> Unit:
        unit = self.units[facts["unit"]] = Unit(**facts)
        self.order.submitted(time, unit)
        return unit

    def _started(self, time: int, unit: int, running: int, runnable: int) -> Unit:
        known = self.units[unit]
        known.running, known.runnable = running, runnable
        self.order.started(time, known)
        return known

    def _ended(self, time: int, unit: int, outcome: Any, running: int, runnable: int, completed: int,
               work_left: float) -> Unit:
        known = self.units[unit]
        known.running, known.runnable, known.completed = running, runnable, completed
        known.work_left = work_left
        self.order.ended(time, known, outcome)
        if completed == known.tasks and running == 0:
            self.units.pop(unit, None)
        return known
