"""What this package needs of a log: its tables with their columns, and what these point at.

All columns that the program writes (tests/test_log_guard.py holds the two
equal); units and meanings stand in the logs themselves.
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
    "jobs": _table("job user queue app after tasks stages state",
                   "think weight warmup submit first_start finish slot_time estimate critical_path "
                   "alone gps_finish ujf_finish"),
    "stages": _table("job stage tasks partitions", "ready first_start finish slot_time"),
    "stage_parents": _table("job stage parent"),
    "stage_affinity": _table("stage node"),
    "curves": _table("job slots", "gain", optional=True),
    "cold_tasks": _table("", "fresh first", optional=True),
    "tasks": _table("job stage index node attempt slot warm outcome",
                    "ready placed queued start finish intended nominal"),
    "samples": _table("busy_slots pending_tasks queued_tasks active_jobs active_users", "time lag",
                      per_resource=True),
    "targets": _table("job", "time entitled target allocated promised", optional=True),
    "nodes": _table("node group rank slots", "slowdown", per_resource=True),
    "users": _table("user", "weight"),
    "ranks": _table("rank host nodes slots messages_in messages_out",
                    "clock_offset clock_uncertainty sleep_error_p50 sleep_error_p99 late_p50 late_p99 "
                    "late_max cpu silent_max"),
    "lateness": _table("rank looks", "up_to", optional=True),
    "instants": _table("round time_ns", "", optional=True),
    "resumes": _table("round ranks_before ranks", "time date clock_uncertainty", optional=True),
    "scheduler": _table("events decisions rounds backups backups_won",
                        "lag_p50 lag_p99 lag_max decision_p50 decision_p99 decision_max wasted"),
    "events/job_arrived": _stamped("job"),
    "events/stage_estimated": _stamped("stage", "slot_time", per_resource=True),
    "events/task_ended": _stamped("task node attempt outcome", "own"),
    "events/node_offered": _stamped("node running queued", "wait"),
    "events/node_lost": _stamped("node"),
    "events/node_returned": _stamped("node"),
    "events/node_answered": _stamped("node stage reply running queued"),
    "events/woken": _stamped(),
    "decisions/launch": _stamped("task node attempt into stage"),
    "decisions/kill": _stamped("task node attempt"),
    "decisions/ask": _stamped("node stage question"),
    "decisions/revoke": _stamped("node", "length wait"),
    "decisions/promise": _stamped("job", "end"),
    "decisions/backup": _stamped("task attempt"),
}
DEMANDS = "stage_demands"  # only where nodes have resources: a column for each of them

# By the name of a column what its numbers are ids of; and how many codes there are.
POINTS_AT = {"job": "jobs", "user": "users", "stage": "stages", "parent": "stages", "task": "tasks",
             "node": "nodes"}
OWN_ID = {"jobs": "job", "nodes": "node", "users": "user"}  # which is the row's place
NO_IDS = {("stages", "stage")}  # its number within the job
JOB_STATES = ("not submitted", "active", "finished", "failed")
TASK_OUTCOMES = ("finished", "failed", "lost", "unfinished", "returned", "killed")
CODES = {("jobs", "state"): JOB_STATES, ("tasks", "outcome"): TASK_OUTCOMES,
         ("events/task_ended", "outcome"): TASK_OUTCOMES}
NAMES = ("jobs", "users", "queues", "apps", "groups")
NAMED = {("jobs", "job"): "jobs", ("jobs", "user"): "users", ("jobs", "queue"): "queues",
         ("jobs", "app"): "apps", ("nodes", "group"): "groups", ("users", "user"): "users"}
MOST_TASKS = 100_000_000  # of a workload
MOST_RESOURCES = 16
MOST_SLOTS = 2**31
# Seconds; a clock of whole nanoseconds goes up to 292 years. Beyond it, as NaN: it did not happen.
LATEST, NEVER = 1e10, 1e17

# What may be infinite: a histogram's last edge, and limits that are none.
ENDLESS = frozenset({("lateness", "up_to"), ("decisions/revoke", "length"), ("decisions/revoke", "wait")})
# Of a job that has the cluster for itself, or in a fluid: no run has to come so far.
WORKED_OUT = frozenset({"slot_time", "estimate", "critical_path", "alone", "gps_finish", "ujf_finish"})
