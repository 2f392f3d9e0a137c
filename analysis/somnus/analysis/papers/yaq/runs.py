"""The runs that the Yaq paper's figures take, by the variants of yaq_paper.

A variant that lacks a key of an experiment's config (a bound by wait has no length) starts from
gridmix-ms.toml, which has the least.
"""

from somnus.analysis.papers.common.runner import Variant


def queued(length: int) -> dict[str, object]:
    """First come first served, so many at a node; none: YARN."""
    if length == 0:
        return {"scheduler.policy": "yarn"}
    return {"scheduler.policy": "yaq-c", "queue.length": length, "queue.reorder": "fifo"}


YARN = Variant("gridmix-ms.toml")
UTILISED = {
    "5": Variant("utilisation.toml"),
    "10": Variant("utilisation.toml", {"workload.task_s": 10}),
    "50": Variant("utilisation.toml", {"workload.task_s": 50, "workload.jobs": 400}),
    "mixed": Variant("gridmix-ms.toml", {"workload.generator": "gridmix-mixed",
                                         "workload.jobs": 2000}),
    "ms": YARN,
}
CENTRALIZED = {
    "yarn": Variant("hive-centralized.toml", {"scheduler.policy": "yarn"}),
    "yarn+q": Variant("hive-centralized.toml", {"scheduler.policy": "yarn+q"}),
    "yaq-c": Variant("hive-centralized.toml"),
    "unbounded": Variant("hive-centralized.toml", {"queue.bound": "none"}),
    "no-reorder": Variant("hive-centralized.toml", {"queue.reorder": "fifo"}),
    "yaq-c-srjf": Variant("hive-centralized.toml", {"scheduler.order": "job-queue",
                                                    "scheduler.job-queue.by": "srjf"}),
}
DISTRIBUTED = {
    "yaq-d": Variant("hive-distributed.toml"),
    "no-rebalance": Variant("hive-distributed.toml", {"queue.rebalance": "none"}),
    "mercury": Variant("hive-distributed.toml", {"scheduler.policy": "mercury"}),
    "sparrow": Variant("hive-distributed.toml", {"scheduler.policy": "sparrow"}),
    "no-starvation": Variant("hive-distributed.toml", {"queue.starvation_s": "inf"}),
}
SHARING = {"yaq-c": Variant("sharing.toml")}
BOUNDS = {
    "yarn": YARN,
    **{f"QS={length}": Variant("bounds.toml", {"queue.length": length}) for length in (2, 6, 10)},
    # With a bound by wait, the length that bounds.toml has would be ignored.
    **{f"MWT={wait}": Variant("gridmix-ms.toml", {
        "scheduler.policy": "yaq-c", "queue.reorder": "fifo", "queue.bound": "delay",
        "queue.max_wait_s": wait}) for wait in (3, 10)},
}
FEEDBACKS: dict[str, dict[str, str]] = {"": {}, ".heartbeat": {"scheduler.feedback": "heartbeat"}}
PLACEMENTS = {
    f"{name}{suffix}": Variant("placement.toml", {"scheduler.placement": part, **feedback})
    for suffix, feedback in FEEDBACKS.items()
    for name, part in (("wait", "queue-wait"), ("length", "queue-length"), ("random", "random"))
}
ORDERS = {
    "yarn": YARN,
    **{order: Variant("reordering.toml", {"queue.reorder": order})
       for order in ("srjf", "lrtf", "stf")},
    "unbounded": Variant("gridmix-ms.toml", {"scheduler.policy": "yaq-c", "queue.bound": "none"}),
}
THRESHOLDS = {
    "yarn": YARN,
    **{f"ST={threshold:g}": Variant("reordering.toml", {"queue.reorder": "stf",
                                                       "queue.starvation_s": threshold})
       for threshold in (0.5, 1.5, 10, 100)},
    "stf": Variant("reordering.toml", {"queue.reorder": "stf"}),
}
HEAVY = {
    "yarn": Variant("gridmix-ms.toml", {"workload.extra_s": 500, "workload.jobs": 200,
                                        "run.until_s": 0}),
    "srjf": Variant("heavy-tail.toml"),
}
