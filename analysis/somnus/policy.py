"""What a whole policy is: it decides all, by views of jobs and nodes that are kept up to date."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from somnus.order import Cluster, Outcome

Reply = Literal["load", "ready", "gone"]


@dataclass(slots=True, eq=False)
class Node:
    """A node as the feedback shows it, and as the policy's own decisions have changed it since.

    Amounts are whole millionths of the config's unit, by the number of the resource.
    """

    node: int
    slots: int | None  # None: its resources alone limit its tasks
    capacity: tuple[int, ...] = ()  # empty: only slots count
    free_slots: int | None = None
    free: list[int] = field(default_factory=list)
    up: bool = True
    ready: bool = True  # tasks may go there, while policy.open
    queued: int | None = None  # tasks in its queue; None: it has none
    wait: int | None = None  # estimated, of one more task there

    @property
    def idle(self) -> bool:
        """Nobody's tasks are there, as far as can be seen."""
        return self.free_slots == self.slots and self.free == list(self.capacity)

    def room(self, demand: Sequence[int], most: int) -> int:
        """How many tasks of that demand it can start now, at most so many."""
        if not self.ready:
            return 0
        if self.free_slots is not None and self.free_slots < most:
            most = self.free_slots
        for free, each in zip(self.free, demand):
            if each and free // each < most:
                most = free // each
        return most


@dataclass(slots=True, eq=False)
class Stage:
    """A stage, as the scheduler knows it; times are whole nanoseconds, and estimated."""

    stage: int
    job: "Job"
    position: int  # among all stages: by job, then as scheduler.within orders those of a job
    parents: list[int]
    tasks: int
    slot_time: int  # of all its tasks
    demand: tuple[int, ...]  # of one task, as amounts of nodes
    gang: bool  # its tasks start together
    exclusive: bool  # nobody else may be on its nodes
    prefers: list[int]  # nodes where its data is; empty: all are alike
    running: int = 0
    runnable: int = 0  # tasks that could be placed now
    unfinished: int = 0


@dataclass(slots=True, eq=False)
class Job:
    """A job that has arrived and not ended."""

    job: int  # a smaller one was submitted earlier
    user: int
    arrival: int
    weight: float
    weight_of_user: float
    queue: int | None = None
    account: int | None = None
    qos: int | None = None
    nice: int = 0
    limit: int | None = None  # for how long it may run
    stages: list[Stage] = field(default_factory=list)
    failed: bool = False  # else it has finished, once it has ended


@dataclass(slots=True, frozen=True)
class TaskLaunched:
    """The task that a placement has launched."""

    task: int
    stage: Stage
    node: Node
    attempt: int


@dataclass(slots=True, frozen=True)
class TaskEnded:
    """An attempt is over."""

    task: int
    stage: Stage
    node: Node
    attempt: int
    outcome: Outcome


@dataclass(slots=True, frozen=True)
class NodeOffered:
    """A heartbeat: what the node does."""

    node: Node
    running: int
    queued: int
    wait: int | None


@dataclass(slots=True, frozen=True)
class NodeAnswered:
    """What a node says to probe() or reserve()."""

    node: Node
    stage: Stage | None  # None: its job has ended
    reply: Reply
    running: int
    queued: int


class Policy:
    """Decides all: which tasks go where, who gives up its slots.

    plan() is called once a round: if something has happened and a task could be placed, or at a time that
    wake_at() has named. It decides by calls.

    place() and place_gang() change at once what self.stages and self.nodes show. place_reserved() changes the
    stage, but not the node, whose slot was held already. All other calls change neither: the results of
    preempt(), probe(), reserve(), decline() and take_back() come as later events.

    Decisions are carried out in a fixed order, whatever the order of the calls: place_reserved(), then place() and
    place_gang(), preempt(), questions to nodes, take_back(), promise(), target().

    Methods that are named as events are called before plan(), one call an event. task_launched, node_offered
    and node_answered are sent only to a policy that has the method.
    """

    name: str = ""  # its class's, if it says nothing else
    version: str = ""
    each_round: bool = False  # plan() is called in each round, whatever has happened

    jobs: dict[int, Job]  # those that have arrived and not ended, by number
    stages: dict[int, Stage]  # theirs
    nodes: list[Node]
    open: bool  # nodes may be used now, those that are ready
    _books: "Books"

    def begins(self, cluster: Cluster) -> None:
        """Before the first event; self.nodes is there."""

    def job_arrived(self, now: int, job: Job) -> None:
        """The job has arrived."""

    def stage_runnable(self, now: int, stage: Stage) -> None:
        """Its parents have ended; or a task of it may run again, or once more beside its first attempt."""

    def stage_withdrawn(self, now: int, stage: Stage) -> None:
        """Some of its tasks are not wanted any more."""

    def task_launched(self, now: int, launch: TaskLaunched) -> None:
        """A decision has been carried out."""

    def task_ended(self, now: int, end: TaskEnded) -> None:
        """An attempt is over."""

    def job_ended(self, now: int, job: Job) -> None:
        """It has ended or failed."""

    def node_changed(self, now: int, node: Node) -> None:
        """It is other than the tasks that were placed there say."""

    def node_offered(self, now: int, report: NodeOffered) -> None:
        """A heartbeat; plan() follows also if no task could be placed."""

    def node_answered(self, now: int, answer: NodeAnswered) -> None:
        """What it was asked; plan() follows also if no task could be placed."""

    def plan(self, now: int) -> None:
        """Decides."""
        raise NotImplementedError(f"{type(self).__name__} has no plan()")

    # What there is to choose from.

    @property
    def any_ready(self) -> bool:
        """Whether any node may be used now."""
        return self.open and bool(self._books.ready)

    def waiting(self) -> Iterator[Stage]:
        """Stages with tasks that could be placed, by job; one may be placed while they are gone through."""
        books = self._books
        last = -1
        while (at := bisect_right(books.waiting, last)) < len(books.waiting):
            last = books.waiting[at]
            yield books.stage_at[last]

    def ready_nodes(self) -> Iterator[Node]:
        """Nodes that may be used now, by number; the same."""
        ready = self._books.ready
        last = -1
        while self.open and (at := bisect_right(ready, last)) < len(ready):
            last = ready[at]
            yield self.nodes[last]

    def first_with_room(self, stage: Stage) -> Node | None:
        """Of those that the stage prefers, or else of all, the first with room for one of its tasks."""
        ready = self._books.ready
        if not self.open or not ready:
            return None
        for number in stage.prefers:
            if self.nodes[number].room(stage.demand, 1):
                return self.nodes[number]
        first = self.nodes[ready[0]]
        if first.free_slots and not stage.demand:
            return first
        return next((node for node in self.ready_nodes() if node.room(stage.demand, 1)), None)

    def nodes_for_gang(self, stage: Stage) -> list[Node]:
        """One for each of its tasks: all that each node in turn has room for; empty if that is too little."""
        chosen: list[Node] = []
        if not self.open or stage.runnable < stage.tasks:
            return chosen
        preferred = [self.nodes[number] for number in stage.prefers]
        for nodes in (preferred, (node for node in self.ready_nodes() if node not in preferred)):
            for node in nodes:
                if len(chosen) == stage.tasks:
                    return chosen
                if not stage.exclusive or node.idle:
                    chosen += [node] * node.room(stage.demand, stage.tasks - len(chosen))
        return chosen if len(chosen) == stage.tasks else []

    # Decisions. Each raises ValueError if it cannot be, as far as the views say.

    def place(self, stage: Stage, node: Node, tasks: int = 1) -> None:
        """The stage's next tasks go to that node."""
        if stage.gang:
            raise ValueError(f"stage {stage.stage} is a gang, which starts at once: place_gang()")
        self._books.take(stage, node, tasks)
        self._books.decide("place", [stage.stage, node.node] if tasks == 1 else [stage.stage, node.node, tasks])

    def place_gang(self, stage: Stage, nodes: Sequence[Node]) -> None:
        """All tasks of the gang, one to each of the nodes, which may come repeatedly."""
        if not stage.gang or len(nodes) != stage.tasks or stage.runnable != stage.tasks:
            raise ValueError(f"stage {stage.stage}: expected a gang, all of which is runnable, and {stage.tasks} nodes")
        self._books.take_all(stage, nodes)
        self._books.decide("place", [stage.stage, [node.node for node in nodes]])

    def place_reserved(self, stage: Stage, node: Node) -> None:
        """The stage's next task gets the slot that the node holds for it, as it has answered."""
        self._books.count(stage, 1)
        self._books.decide("place_reserved", [stage.stage, node.node])

    def preempt(self, stage: Stage, by: Stage) -> None:
        """The gang or single task, which runs, is killed for the sake of another stage, and starts again later.

        With scheduler.external.preempted_work = "kept" it goes on from where it stopped.
        """
        self._books.decide("preempt", [stage.stage, by.stage])

    def probe(self, node: Node, stage: Stage) -> None:
        """Asks for its load; node_answered() gets it. With scheduler.external.asks."""
        self._books.decide("ask", [node.node, stage.stage, "probe"])

    def reserve(self, node: Node, stage: Stage) -> None:
        """A place in its queue; node_answered() hears when its turn has come. With scheduler.external.asks."""
        self._books.decide("ask", [node.node, stage.stage, "reserve"])

    def decline(self, node: Node, stage: Stage) -> None:
        """The slot that it holds for the stage is not needed."""
        self._books.decide("ask", [node.node, stage.stage, "decline"])

    def take_back(self, node: Node, length: int) -> None:
        """Tasks in its queue beyond that length come back."""
        self._books.decide("revoke", [node.node, length])

    def promise(self, job: Job, end: int) -> None:
        """The job is to have ended by then; only the log has it."""
        self._books.decide("promise", [job.job, end])

    def target(self, job: Job, entitled: float, target: float) -> None:
        """Shares of the cluster, from 0 to 1, that the job is entitled and meant to have; only the log has them."""
        self._books.decide("target", [job.job, entitled, target])

    def wake_at(self, time: int) -> None:
        """plan() is called then, at the latest; counts until it is called again."""
        self._books.wakes_at = time


def put(numbers: list[int], number: int, there: bool) -> None:
    """Whether it is in the sorted list."""
    at = bisect_left(numbers, number)
    is_there = at < len(numbers) and numbers[at] == number
    if there and not is_there:
        numbers.insert(at, number)
    elif is_there and not there:
        del numbers[at]


class Books:
    """What a policy has decided in this round, and indices over what it sees."""

    def __init__(self) -> None:
        self.waiting: list[int] = []  # positions of stages with runnable tasks, sorted
        self.stage_at: dict[int, Stage] = {}
        self.ready: list[int] = []  # numbers of nodes, sorted
        self.decisions: dict[str, list[list[object]]] = {}
        self.wakes_at: int | None = None
        self.may_place = False  # all that has happened has been heard of

    def begin_round(self) -> None:
        self.decisions, self.wakes_at = {}, None

    def decide(self, kind: str, decision: list[object]) -> None:
        self.decisions.setdefault(kind, []).append(decision)

    def index(self, stage: Stage) -> None:
        put(self.waiting, stage.position, stage.runnable > 0)

    def count(self, stage: Stage, tasks: int) -> None:
        if not self.may_place:
            raise RuntimeError("tasks are placed in plan(), when all that has happened has been heard of")
        if not 0 < tasks <= stage.runnable:
            raise ValueError(f"stage {stage.stage} has {stage.runnable} runnable tasks, not {tasks}")
        stage.runnable -= tasks
        stage.running += tasks
        if stage.runnable == 0:
            put(self.waiting, stage.position, False)

    def require_room(self, stage: Stage, node: Node, tasks: int) -> None:
        if not node.ready:
            raise ValueError(f"node {node.node} is not ready for tasks of stage {stage.stage}")
        if node.queued is None and node.room(stage.demand, tasks) < tasks:
            raise ValueError(f"node {node.node} has no room for {tasks} tasks of stage {stage.stage}")
        if stage.exclusive and not node.idle:
            raise ValueError(f"node {node.node} is not idle, and stage {stage.stage} is exclusive")

    def take(self, stage: Stage, node: Node, tasks: int) -> None:
        self.require_room(stage, node, tasks)
        self.count(stage, tasks)
        if stage.exclusive:
            node.free_slots = None if node.slots is None else 0
            node.free = [0] * len(node.capacity)
            self.close(node)
            return
        for kind, amount in enumerate(stage.demand):
            node.free[kind] -= amount * tasks
        if node.free_slots is None:
            return
        if node.queued is not None:
            node.queued += max(0, tasks - node.free_slots)
        node.free_slots = max(0, node.free_slots - tasks)
        if node.free_slots == 0 and node.queued is None:
            self.close(node)

    def take_all(self, stage: Stage, nodes: Sequence[Node]) -> None:
        """A task on each, which may come repeatedly; or nothing."""
        tasks_of = Counter(nodes)
        for node, tasks in tasks_of.items():
            self.require_room(stage, node, tasks)
        for node, tasks in tasks_of.items():
            self.take(stage, node, tasks)

    def close(self, node: Node) -> None:
        node.ready = False
        put(self.ready, node.node, False)
