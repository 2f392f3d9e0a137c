"""What a learner sees of a simulation: jobs and stages, as the scheduler has heard of them.

Nothing here is the truth or the future: it is what `somnus protocol` says to any order. So of the stages of
a job that are not ready yet no more is known than how many there are, and the work of all together.
"""

from dataclasses import dataclass, field
from typing import Any

NS = 1_000_000_000  # in a second


@dataclass(slots=True, eq=False)
class Job:
    """A job that is in the system, or has just ended. Times are nanoseconds since the run's start."""

    job: int  # a smaller one arrived earlier
    user: int
    arrival: int
    weight: float
    width: int  # most slots that it can use at once
    all_stages: int  # how many it has, ready or not
    work_left: float  # estimated slot-nanoseconds of its unfinished tasks, also of stages that are not ready
    stages: "list[Stage]" = field(default_factory=list)  # that have become ready, also those done
    running: int = 0  # its tasks
    completed: int = 0
    end: int | None = None


@dataclass(slots=True, eq=False)
class Stage:
    """A stage that has become ready."""

    stage: int  # a smaller one is of an earlier job, or comes earlier in its job
    job: Job
    tasks: int
    slot_time: int  # estimated, of all its tasks, nanoseconds
    runnable: int  # its tasks that could be launched now
    parents: list[int]  # stages that it waited for
    running: int = 0
    completed: int = 0

    @property
    def task_time(self) -> float:
        """Estimated, of one task, nanoseconds."""
        return self.slot_time / self.tasks

    @property
    def work_left(self) -> float:
        """Estimated slot-nanoseconds of its unfinished tasks."""
        return self.slot_time * (self.tasks - self.completed) / self.tasks


@dataclass(slots=True)
class Elapsed:
    """What happened from one step to the next. Times are nanoseconds since the run's start."""

    began: int
    now: int
    job_time: float = 0.0  # integral of the number of jobs in the system, over that time
    ended: list[Job] = field(default_factory=list)  # of the last jobs of a run it is not heard
    summary: dict[str, Any] | None = None  # when the run is over: what `somnus summary --json` has


class View:
    """The system at an instant."""

    def __init__(self, slots: int) -> None:
        self.now = 0  # nanoseconds since the run's start
        self.slots = slots  # of the cluster
        self.busy = 0  # slots that have a task, or get one in this round
        self.jobs: dict[int, Job] = {}  # in the system, by their numbers: the earliest first
        self.rows: list[Stage] = []  # to choose from: those with runnable tasks, the earliest job's first
        self.hidden = 0  # such stages that have no row
        self.ready: dict[int, Stage] = {}  # all stages with runnable tasks, by their numbers
        self.stages: dict[int, Stage] = {}  # of the jobs in the system
        self.first_arrival: int | None = None
        self._since = 0  # up to when job time is counted
        self._job_time = 0  # up to then
        self._handlers = {"submitted": self._submitted, "started": self._started, "ended": self._ended,
                          "job_ended": self._job_ended}

    @property
    def free(self) -> int:
        """Slots without a task. Where nodes fail there are fewer, as nobody says so."""
        return self.slots - self.busy

    @property
    def runnable(self) -> int:
        """Tasks that could be launched now."""
        return sum(stage.runnable for stage in self.ready.values())

    @property
    def is_choice(self) -> bool:
        """A slot is free, and which tasks get one depends on what is served next."""
        return self.free > 0 and len(self.ready) > 1 and self.runnable > self.free

    def show(self, most: int) -> None:
        """Makes rows of the stages with runnable tasks, so many at the most."""
        stages = sorted(self.ready)
        self.rows = [self.ready[stage] for stage in stages[:most]]
        self.hidden = max(len(stages) - most, 0)

    def is_over(self, summary: dict[str, Any], elapsed: Elapsed) -> None:
        """All jobs have ended. What was not heard of the last ones follows from the run's figures."""
        end = self.now
        if summary["makespan_s"] is not None:
            end = max((self.first_arrival or 0) + round(summary["makespan_s"] * NS), end)
        if summary["jobs_finished"] == summary["jobs_submitted"] > 0:
            all_of_it = summary["response_mean_s"] * summary["jobs_finished"] * NS
            elapsed.job_time += all_of_it - self._job_time
        else:  # of jobs that failed the figures say nothing
            elapsed.job_time += len(self.jobs) * (end - self._since)
        elapsed.summary = summary
        self.now = elapsed.now = end
        self.busy = self.hidden = 0
        for table in (self.jobs, self.rows, self.ready, self.stages):
            table.clear()  # type: ignore[attr-defined]

    def hear(self, question: dict[str, Any], elapsed: Elapsed) -> None:
        """Follows the events of a question, in their order."""
        for event in question["events"]:
            self._pass(event["time"], elapsed)
            self._handlers[event["event"]](event, elapsed)
        self._pass(question["now"], elapsed)
        self.now = elapsed.now = question["now"]

    def assign(self, stage: Stage, tasks: int) -> None:
        """So many of its tasks are to be launched in this round; a negative number takes that back."""
        stage.runnable -= tasks
        stage.running += tasks
        stage.job.running += tasks
        self.busy += tasks
        self._keep_ready(stage)

    def _pass(self, time: int, elapsed: Elapsed) -> None:
        self._count(len(self.jobs) * (time - self._since), elapsed)
        self._since = time

    def _count(self, job_time: int, elapsed: Elapsed) -> None:
        self._job_time += job_time
        elapsed.job_time += job_time

    def _keep_ready(self, stage: Stage) -> None:
        if stage.runnable > 0:
            self.ready[stage.stage] = stage
        else:
            self.ready.pop(stage.stage, None)

    def _submitted(self, event: dict[str, Any], elapsed: Elapsed) -> None:
        job = self.jobs.get(event["job"])
        if job is None:
            job = self.jobs[event["job"]] = Job(event["job"], event["user"], event["arrival"],
                                                event["weight"], event["width"], event["stages"],
                                                event["work_left"])
            self._count(event["time"] - job.arrival, elapsed)
            if self.first_arrival is None:
                self.first_arrival = elapsed.began = job.arrival
        stage = Stage(event["unit"], job, event["tasks"], event["slot_time"], event["tasks"], event["parents"])
        self.stages[stage.stage] = self.ready[stage.stage] = stage
        job.stages.append(stage)

    def _started(self, event: dict[str, Any], _: Elapsed) -> None:
        self._counts(self.stages[event["unit"]], event)

    def _ended(self, event: dict[str, Any], _: Elapsed) -> None:
        stage = self.stages[event["unit"]]
        job = stage.job
        job.completed += event["completed"] - stage.completed
        stage.completed = event["completed"]
        job.work_left = event["work_left"]
        self._counts(stage, event)

    def _counts(self, stage: Stage, event: dict[str, Any]) -> None:
        more = event["running"] - stage.running
        stage.running += more
        stage.job.running += more
        self.busy += more
        stage.runnable = event["runnable"]
        self._keep_ready(stage)

    def _job_ended(self, event: dict[str, Any], elapsed: Elapsed) -> None:
        job = self.jobs.pop(event["job"])
        job.end = event["time"]
        elapsed.ended.append(job)
        for stage in job.stages:
            self.busy -= stage.running
            self.stages.pop(stage.stage, None)
            self.ready.pop(stage.stage, None)
