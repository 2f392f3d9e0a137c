"""What an order is: who is next, by keys."""

from dataclasses import dataclass, field
from typing import Any, Literal

# The least first; of tuples number by number, up to four; None: it waits, and so do those behind it.
Key = int | float | tuple[int | float, ...] | None  # bool and scalars of numpy count as numbers
Outcome = Literal["finished", "failed", "lost", "returned", "killed", "suspended"]

NS = 1_000_000_000  # in a second
BOTH = ("started", "ended")


@dataclass(slots=True)
class Cluster:
    """What is known before the first job arrives."""

    seed: int  # for what the order draws
    nodes: int
    slots: int  # of all nodes
    queues: list[str]  # names, by their numbers; and so on
    accounts: list[str]
    qos: list[str]
    parameters: dict[str, float]  # [scheduler.external.parameters]
    resources: list[str] = field(default_factory=list)  # of a whole policy, whose nodes have amounts of them


@dataclass(slots=True, eq=False)
class Unit:
    """A job, or a stage where the order ranks stages, as the scheduler knows it.

    Times and spans are whole nanoseconds since the run's start; estimates are the scheduler's.
    completed and work_left are there for an order that gets the event "ended", running and runnable
    for one that gets "started", too.
    """

    unit: int
    job: int  # a smaller one arrived earlier
    user: int
    arrival: int
    weight: float
    weight_of_user: float
    tasks: int
    width: int  # most slots that its job can use at once
    slot_time: int  # of all its tasks
    queue: int | None = None
    account: int | None = None
    qos: int | None = None
    nice: int = 0
    limit: int | None = None  # for how long its job may run
    stages: int = 1  # of its job
    stage: int | None = None  # its place among them, from 0, where stages are ranked; and the units it waited for
    parents: list[int] | None = None
    running: int = field(init=False)
    runnable: int = field(init=False)
    completed: int = field(init=False)
    work_left: float = field(init=False)  # of the job's unfinished tasks

    def __getattr__(self, name: str) -> Any:
        needed = {"running": BOTH, "runnable": BOTH, "completed": BOTH[1:], "work_left": BOTH[1:]}.get(name)
        if needed is None:
            raise AttributeError(f"a unit has no {name!r}", name=name, obj=self)
        raise AttributeError(f"{name!r} of a unit moves with events that the order does not get: "
                             f"events = {needed}")


class Order:
    """Who is next: key() of each unit, the least first; ties go to the earlier job.

    It is asked for the key of a unit when one of the events that it gets happens to the unit, and
    when moved() has been called for it. It gets `submitted` and `job_ended` in any case, and those
    in `events`, or of which it has a method. The fewer it gets, the faster it is: one whose keys never
    move says `events = ()`.
    """

    name: str = ""  # its class's, if it says nothing else
    version: str = ""
    level: Literal["job", "stage"] = "job"  # what it ranks
    events: tuple[str, ...] = BOTH
    each_round: bool = False  # keys move with time: it is asked for all units of jobs that have not ended, each round
    each_launch: bool = False  # a launch moves the key of its unit at once, and not with the next round

    def __init__(self) -> None:
        self._moved: dict[int, Unit] = {}

    def begins(self, cluster: Cluster) -> None:
        """Before the first event."""

    def submitted(self, now: int, unit: Unit) -> None:
        """The job has arrived, or the stage has become ready."""

    def started(self, now: int, unit: Unit) -> None:
        """One of its tasks has been launched."""

    def ended(self, now: int, unit: Unit, outcome: Outcome) -> None:
        """One of its attempts is over."""

    def job_ended(self, now: int, job: int) -> None:
        """It has ended or failed: none of its units comes back."""

    def round_begins(self, now: int) -> None:
        """Before keys are asked for."""

    def key(self, unit: Unit) -> Key:
        """Of a unit, now."""
        raise NotImplementedError(f"{type(self).__name__} has no key()")

    def wakes_at(self) -> int | None:
        """When keys move next by themselves, later than now; None: not at all."""
        return None

    def moved(self, unit: Unit) -> None:
        """Says that the unit's key is another one now, though no event happened to it."""
        self._moved[unit.unit] = unit
