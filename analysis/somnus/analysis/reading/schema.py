"""What this package needs of a log: its tables, the columns that it reads, and what these point at.

A log has more columns, which a frame has, too; units and meanings stand in the logs themselves.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """Names of the columns of whole numbers, and of those of real ones."""

    whole: tuple[str, ...]
    real: tuple[str, ...]
    optional: bool = False  # a log that has nothing to say in it may lack it
    per_resource: bool = False  # its last columns are one a resource


def _table(whole: str, real: str = "", **more: bool) -> Table:
    return Table(tuple(whole.split()), tuple(real.split()), **more)


def _stamped(whole: str = "", real: str = "", **more: bool) -> Table:
    return _table(f"number round {whole}", f"time {real}", **more)


TABLES = {
    "jobs": _table("job user queue app tasks state",
                   "weight warmup submit first_start finish slot_time alone"),
    "stages": _table("job stage tasks", "ready finish slot_time"),
    "stage_parents": _table("stage parent"),
    "stage_affinity": _table("stage node"),
    "curves": _table("job slots", "gain", optional=True),
    "gangs": _table("stage exclusive", "", optional=True),
    "accounting": _table("job account qos", "nice", optional=True),
    "limits": _table("job", "limit", optional=True),
    "cold_tasks": _table("", "fresh first", optional=True),
    "tasks": _table("job stage index node attempt slot warm outcome",
                    "ready placed queued start finish intended nominal"),
    "samples": _table("busy_slots pending_tasks", "time", per_resource=True),
    "targets": _table("job", "time entitled target allocated promised", optional=True),
    "nodes": _table("node group rank slots", "", per_resource=True),
    "users": _table("user", "weight"),
    "ranks": _table("rank", "cpu"),
    "lateness": _table("rank looks", "up_to", optional=True),
    "instants": _table("round time_ns", "", optional=True),
    "resumes": _table("round ranks_before ranks", "time date clock_uncertainty", optional=True),
    "scheduler": _table("events", "lag_p50 lag_p99 decision_p50 decision_p99"),
    "events/job_arrived": _stamped("job"),
    "events/stage_estimated": _stamped("stage", per_resource=True),
    "events/task_ended": _stamped("task attempt outcome"),
    **{f"events/{kind}": _stamped("node")
       for kind in ("node_offered", "node_lost", "node_returned", "node_answered")},
    "events/woken": _stamped(),
    "decisions/launch": _stamped("task node attempt into stage"),
    **{f"decisions/{kind}": _stamped() for kind in ("kill", "ask", "revoke", "promise", "reservation", "timeout", "backup")},
}
DEMANDS = "stage_demands"  # only where nodes have resources: a column for each of them

# By the name of a column what its numbers are ids of; and how many codes there are.
POINTS_AT = {"job": "jobs", "user": "users", "stage": "stages", "parent": "stages", "task": "tasks",
             "node": "nodes"}
OWN_ID = {"jobs": "job", "nodes": "node", "users": "user"}  # which is the row's index
NO_IDS = {("stages", "stage")}  # its number within the job
JOB_STATES = ("not submitted", "active", "finished", "failed", "killed")
FAILURES = ("failed", "killed")  # states of jobs that ended without finishing
TASK_OUTCOMES = ("finished", "failed", "lost", "unfinished", "returned", "killed", "suspended")
CODES = {("jobs", "state"): JOB_STATES, ("tasks", "outcome"): TASK_OUTCOMES,
         ("events/task_ended", "outcome"): TASK_OUTCOMES}
NAMES = ("jobs", "users", "queues", "apps", "groups")
NAMES_OF_SOME = ("accounts", "qos")  # a log that has nothing to say of them lacks them
NO_ID = 2**32 - 1  # where a column may name nothing
NAMED = {("jobs", "job"): "jobs", ("jobs", "user"): "users", ("jobs", "queue"): "queues",
         ("jobs", "app"): "apps", ("nodes", "group"): "groups", ("users", "user"): "users"}
MOST_TASKS = 100_000_000  # of a workload
MOST_RESOURCES = 16
MOST_SLOTS = 2**31
# Seconds; a clock of whole nanoseconds goes up to 292 years. Beyond it, as NaN: it did not happen.
LATEST, NEVER = 1e10, 1e17

# What may be infinite: a histogram's last edge, and limits that are none.
ENDLESS = frozenset({("lateness", "up_to"), ("decisions/reservation", "start"), ("decisions/revoke", "length"), ("decisions/revoke", "wait")})
# Of a job that has the cluster for itself, or in a fluid: no run has to come so far.
WORKED_OUT = frozenset({"slot_time", "estimate", "critical_path", "alone", "gps_finish", "ujf_finish"})
