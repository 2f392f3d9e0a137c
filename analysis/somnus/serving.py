"""An order's or a policy's side of what is said between it and Somnus (`somnus protocol`)."""

import difflib
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from somnus.order import Cluster, Order, Unit
from somnus.policy import Policy
from somnus.policy_serving import NEEDED, WANTED, PolicyDialogue, line_of

Served = Order | Policy

PROTOCOL = 1


def serve(served: Served) -> None:
    """Answers on standard output until standard input ends. What is printed goes to standard error."""
    answers = os.dup(1)
    os.dup2(2, 1)  # also what programs print that it starts
    dialogue = dialogue_of(served)
    with open(answers, "wb") as stream:
        for line in sys.stdin.buffer:
            stream.write(dialogue.answer_to(line))
            stream.flush()


def dialogue_of(served: Served) -> "Dialogue | PolicyDialogue":
    """Of a new run."""
    require_served(served)
    warn_of_misspelt(served)
    return Dialogue(served) if isinstance(served, Order) else PolicyDialogue(served)


def choice_of(served: Served) -> str:
    """The key of a config that chooses it, as "external"."""
    return "scheduler.order" if isinstance(served, Order) else "scheduler.policy"


def label_of(served: Served) -> str:
    """The --policy that has it in the place of what the config has."""
    return "+order=external" if isinstance(served, Order) else "external"


def require_served(served: Any) -> None:
    """Raises TypeError."""
    for base in (Order, Policy):
        if isinstance(served, type) and issubclass(served, base):
            kind = "an order" if base is Order else "a policy"
            raise TypeError(f"expected {kind}, found the class of one; did you mean {served.__name__}()?")
    if not isinstance(served, Order | Policy):
        raise TypeError(f"expected an instance of a class of somnus.Order or somnus.Policy, found {served!r}")
    events: Any = served.events if isinstance(served, Order) else ()
    if isinstance(events, str):
        raise TypeError(f"events of {type(served).__name__}: expected a tuple, found a text; "
                        f"did you mean ({events!r},)?")


def warn_of_misspelt(served: Served) -> None:
    """Of what nobody calls or reads, but something else is called much like it."""
    base = Order if isinstance(served, Order) else Policy
    there = {name for name in vars(base) if not name.startswith("_")}
    known = there if base is Order else {*NEEDED, *WANTED, "plan", "begins", "name", "version", "each_round"}
    own = {name for each in type(served).__mro__ if each not in (base, object) for name in vars(each)}
    for name in sorted(own - there):
        close = difflib.get_close_matches(name, known, 1, 0.85)
        if close and not name.startswith("_"):
            print(f"somnus: {type(served).__name__}.{name} is read by nobody; did you mean {close[0]!r}?",
                  file=sys.stderr)


class Dialogue:
    """Takes what Somnus says and gives an order's keys."""

    def __init__(self, order: Order) -> None:
        if not hasattr(order, "_moved"):  # its __init__ did not call ours
            Order.__init__(order)
        self.order = order
        self.units: dict[int, Unit] = {}
        self._of_job: dict[int, list[int]] = {}
        self._gets: list[str] = []
        self._handlers: dict[str, Callable[..., Unit | None]] = {
            "submitted": self._submitted, "started": self._started, "ended": self._ended,
            "job_ended": self._job_ended,
        }

    def answer_to(self, line: bytes) -> bytes:
        """A line, to a line."""
        said = json.loads(line)
        init = said.get("init")
        return line_of(self._about(init) if init is not None else self._keys(said))

    def _about(self, init: dict[str, Any]) -> dict[str, Any]:
        if init.pop("protocol") != PROTOCOL:
            raise RuntimeError(f"this package speaks version {PROTOCOL} of the protocol; `somnus --version`?")
        order = self.order
        if "level" in init:
            raise RuntimeError(f"{type(order).__name__} is an order: scheduler.order = \"external\", beside a policy "
                               "such as \"fair\"; somnus protocol --level order")
        order.begins(Cluster(**init))
        handled = [name for name in ("started", "ended") if getattr(type(order), name) is not getattr(Order, name)]
        self._gets = list(dict.fromkeys(["submitted", "job_ended", *order.events, *handled]))
        return {
            "protocol": PROTOCOL,
            "name": order.name or type(order).__name__,
            "version": order.version,
            "level": order.level,
            "events": self._gets,
            "each_round": order.each_round,
            "each_launch": order.each_launch,
            "wakes": type(order).wakes_at is not Order.wakes_at,
            "all_keys": True,
        }

    def _keys(self, said: dict[str, Any]) -> dict[str, Any]:
        order = self.order
        if said.get("all_keys"):
            return {"keys": [[number, order.key(unit)] for number, unit in self.units.items()]}
        for event in said["events"]:
            unit = self._handlers[event.pop("event")](**event)
            if unit is not None:
                order.moved(unit)
        order.round_begins(said["now"])
        moved, order._moved = order._moved, {}
        if order.each_round:
            moved = self.units
        answer: dict[str, Any] = {"keys": [[number, order.key(unit)] for number, unit in moved.items()]}
        wakes_at = order.wakes_at()
        if wakes_at is not None:
            answer["wakes_at"] = wakes_at
        return answer

    def _submitted(self, time: int, **facts: Any) -> Unit:
        work_left = facts.pop("work_left")
        unit = self.units[facts["unit"]] = Unit(**facts)
        if "ended" in self._gets:
            unit.completed, unit.work_left = 0, work_left
            if "started" in self._gets:
                unit.running = unit.runnable = 0
        self._of_job.setdefault(unit.job, []).append(unit.unit)
        self.order.submitted(time, unit)
        return unit

    def _started(self, time: int, unit: int, running: int, runnable: int) -> Unit:
        known = self.units[unit]
        if "ended" in self._gets:
            known.running, known.runnable = running, runnable
        self.order.started(time, known)
        return known

    def _ended(self, time: int, unit: int, outcome: Any, running: int, runnable: int, completed: int,
               work_left: float) -> Unit:
        known = self.units[unit]
        known.completed, known.work_left = completed, work_left
        if "started" in self._gets:
            known.running, known.runnable = running, runnable
        self.order.ended(time, known, outcome)
        return known

    def _job_ended(self, time: int, job: int) -> None:
        self.order.job_ended(time, job)
        for unit in self._of_job.pop(job, []):
            del self.units[unit]
