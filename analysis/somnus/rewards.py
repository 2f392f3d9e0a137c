"""What a step is worth. A reward is a function of what happened since the last step, and of the system now.

    def weighted(elapsed: somnus.Elapsed, view: somnus.View) -> float:
        return -sum(job.weight * (job.end - job.arrival) / 1e9 for job in elapsed.ended)

When a run is over no further question comes, so of its last jobs the ends are not heard one by one; their
sum is in elapsed.job_time, and all figures of the run are in elapsed.summary.
"""

from collections.abc import Callable

from somnus.view import NS, Elapsed, View

Reward = Callable[[Elapsed, View], float]


def mean_response(elapsed: Elapsed, view: View) -> float:
    """Minus the seconds that jobs spent in the system: over an episode minus the sum of response times."""
    return -elapsed.job_time / NS


def makespan(elapsed: Elapsed, view: View) -> float:
    """Minus the seconds that passed: over an episode minus the makespan, from the first submit on."""
    return -(elapsed.now - elapsed.began) / NS


def slowdown(elapsed: Elapsed, view: View) -> float:
    """Minus the sum of the jobs' slowdowns in the log, when the run is over; 0 before.

    What a job takes alone in the idle cluster is not among what an order hears.
    """
    if elapsed.summary is None or not elapsed.summary["jobs_finished"]:
        return 0.0
    return -elapsed.summary["slowdown_mean"] * elapsed.summary["jobs_finished"]


REWARDS: dict[str, Reward] = {"mean_response": mean_response, "makespan": makespan, "slowdown": slowdown}


def reward_of(given: str | Reward) -> Reward:
    """By its name, or itself. Raises ValueError."""
    if callable(given):
        return given
    if given not in REWARDS:
        raise ValueError(f"expected a reward, one of {', '.join(map(repr, REWARDS))}, or a function; found {given!r}")
    return REWARDS[given]
