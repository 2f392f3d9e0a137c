"""A whole policy's side of what is said between it and Somnus (`somnus protocol`)."""

import json
from collections.abc import Callable
from typing import Any

from somnus.order import Cluster
from somnus.policy import (Books, Job, Node, NodeAnswered, NodeOffered, Policy, Stage, TaskEnded, TaskLaunched, put)

PROTOCOL = 1

# Without these the views would not be right; the others come to policies that have such a method.
NEEDED = ("job_arrived", "stage_runnable", "stage_withdrawn", "task_ended", "job_ended", "node_changed")
WANTED = ("task_launched", "node_offered", "node_answered")


def line_of(answer: dict[str, Any]) -> bytes:
    """What no JSON holds goes out as text, and Somnus says what it expected instead."""
    return json.dumps(answer, separators=(",", ":"), default=_plain).encode() + b"\n"


def _plain(value: Any) -> Any:
    of_numpy = getattr(value, "tolist", None)
    return repr(value) if of_numpy is None else of_numpy()


def nobody_listens(now: int, event: object) -> None:
    """In the place of a method that the policy does not have."""


class PolicyDialogue:
    """Takes what Somnus says, keeps the policy's views, and gives what it decides."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.books = Books()
        policy._books = self.books
        policy.jobs, policy.stages, policy.nodes, policy.open = {}, {}, [], True
        self._handlers: dict[str, Callable[..., None]] = {
            name: getattr(self, f"_{name}") for name in (*NEEDED, *WANTED)}
        self._hooks: dict[str, Callable[[int, Any], None]] = {
            name: getattr(policy, name) if self._has(name) else nobody_listens for name in (*NEEDED, *WANTED)}

    def answer_to(self, line: bytes) -> bytes:
        """A line, to a line."""
        said = json.loads(line)
        init = said.get("init")
        answer = self._about(init) if init is not None else self._decisions(said)
        return line_of(answer)

    def _has(self, name: str) -> bool:
        return getattr(type(self.policy), name) is not getattr(Policy, name)

    def _about(self, init: dict[str, Any]) -> dict[str, Any]:
        policy = self.policy
        if init["protocol"] != PROTOCOL:
            raise RuntimeError(f"this package speaks version {PROTOCOL} of the protocol; `somnus --version`?")
        if init.get("level") != "policy":
            raise RuntimeError(f"{type(policy).__name__} is a whole policy: scheduler.policy = \"external\", and no "
                               "scheduler.order; somnus protocol --level policy")
        for number, facts in enumerate(init["nodes"]):
            capacity = tuple(facts.get("capacity", ()))
            slots = facts.get("slots")
            policy.nodes.append(Node(number, slots, capacity, slots, list(capacity)))
        self.books.ready = list(range(len(policy.nodes)))
        policy.begins(Cluster(seed=init["seed"], nodes=len(policy.nodes),
                              slots=sum(node.slots or 0 for node in policy.nodes), queues=init["queues"],
                              accounts=init["accounts"], qos=init["qos"], parameters=init["parameters"],
                              resources=init["resources"]))
        return {
            "protocol": PROTOCOL,
            "level": "policy",
            "name": policy.name or type(policy).__name__,
            "version": policy.version,
            "events": [*NEEDED, *(name for name in WANTED if self._has(name))],
            "each_round": policy.each_round,
        }

    def _decisions(self, said: dict[str, Any]) -> dict[str, Any]:
        books = self.books
        self.policy.open = said["open"]
        books.begin_round()
        for event in said["events"]:
            self._handlers[event.pop("event")](**event)
        books.may_place = True
        said_by_plan: Any = self.policy.plan(said["now"])  # type: ignore[func-returns-value]
        if said_by_plan is not None:
            raise TypeError(f"plan() of {type(self.policy).__name__} returned {said_by_plan!r}; decisions are calls, "
                            "such as self.place(stage, node)")
        books.may_place = False
        answer: dict[str, Any] = books.decisions
        if books.wakes_at is not None:
            answer["wakes_at"] = books.wakes_at
        return answer

    def _job_arrived(self, time: int, stages: list[dict[str, Any]], **facts: Any) -> None:
        policy, books = self.policy, self.books
        job = Job(arrival=time, **facts)
        first = min(each["stage"] for each in stages)
        for at, each in enumerate(stages):
            stage = Stage(each["stage"], job, first + at, each["parents"], each["tasks"], each["slot_time"],
                          tuple(each.get("demand", ())), each["gang"], each["exclusive"], each.get("prefers", []),
                          unfinished=each["tasks"])
            job.stages.append(stage)
            policy.stages[stage.stage] = books.stage_at[stage.position] = stage
        policy.jobs[job.job] = job
        self._hooks["job_arrived"](time, job)

    def _stage_runnable(self, time: int, stage: int, runnable: int) -> None:
        known = self.policy.stages[stage]
        known.runnable = runnable
        self.books.index(known)
        self._hooks["stage_runnable"](time, known)

    def _stage_withdrawn(self, time: int, stage: int, runnable: int) -> None:
        known = self.policy.stages[stage]
        known.runnable = runnable
        self.books.index(known)
        self._hooks["stage_withdrawn"](time, known)

    def _task_launched(self, time: int, task: int, stage: int, node: int, attempt: int) -> None:
        known = self.policy.stages.get(stage)
        if known is not None:
            self._hooks["task_launched"](time, TaskLaunched(task, known, self.policy.nodes[node], attempt))

    def _task_ended(self, time: int, task: int, stage: int, node: int, attempt: int, outcome: Any, running: int,
                    runnable: int, unfinished: int) -> None:
        known = self.policy.stages[stage]
        known.running, known.unfinished = running, unfinished
        if known.runnable != runnable:
            known.runnable = runnable
            self.books.index(known)
        hook = self._hooks["task_ended"]
        if hook is not nobody_listens:
            hook(time, TaskEnded(task, known, self.policy.nodes[node], attempt, outcome))

    def _job_ended(self, time: int, job: int, failed: bool) -> None:
        known = self.policy.jobs.pop(job)
        known.failed = failed
        for stage in known.stages:
            del self.policy.stages[stage.stage], self.books.stage_at[stage.position]
            put(self.books.waiting, stage.position, False)
        self._hooks["job_ended"](time, known)

    def _node_changed(self, time: int, node: int, up: bool, ready: bool, free_slots: int | None = None,
                      queued: int | None = None, wait: int | None = None, free: list[int] | None = None) -> None:
        known = self.policy.nodes[node]
        known.up, known.free_slots, known.queued, known.wait = up, free_slots, queued, wait
        if free is not None:
            known.free = free
        if known.ready != ready:
            known.ready = ready
            put(self.books.ready, node, ready)
        self._hooks["node_changed"](time, known)

    def _node_offered(self, time: int, node: int, running: int, queued: int, wait: int | None = None) -> None:
        self._hooks["node_offered"](time, NodeOffered(self.policy.nodes[node], running, queued, wait))

    def _node_answered(self, time: int, node: int, stage: int, reply: Any, running: int, queued: int) -> None:
        answer = NodeAnswered(self.policy.nodes[node], self.policy.stages.get(stage), reply, running, queued)
        self._hooks["node_answered"](time, answer)
