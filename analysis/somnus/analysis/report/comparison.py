"""Who won: each run or each scheduler beside the first, with intervals where there are seeds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from somnus.analysis.base.errors import UserError
from somnus.analysis.base.text import count, number, percent
from somnus.analysis.metrics import improvement
from somnus.analysis.metrics.intervals import CONFIDENCE, MeanInterval, by_holm, mean_interval, p_value
from somnus.analysis.metrics.policies import by_policy
from somnus.analysis.reading.log import Log
from somnus.analysis.reading.width import PAPER_BINS


def whole(value: float) -> str:
    """Of a count, or of the mean of several."""
    return count(int(value)) if value == int(value) else number(value)


LESS, NEITHER, MORE = -1, 0, 1


@dataclass(frozen=True)
class Measure:
    """One of Log.summary, and in which direction it is better."""

    key: str
    title: str
    better: int
    written: Callable[[float], str] = number


MEASURES = (
    Measure("jobs_finished", "jobs finished", MORE, whole),
    Measure("response_mean_s", "response time, mean [s]", LESS),
    Measure("response_p50_s", "response time, median [s]", LESS),
    Measure("response_p95_s", "response time, p95 [s]", LESS),
    Measure("response_p99_s", "response time, p99 [s]", LESS),
    Measure("slowdown_mean", "slowdown against the job alone, mean", LESS),
    Measure("slowdown_p99", "slowdown, p99", LESS),
    *(Measure(f"{each.name}_slowdown_mean", f"slowdown of jobs of {each.span}, mean", LESS)
      for each in PAPER_BINS),
    Measure("wait_mean_s", "wait until the first start, mean [s]", LESS),
    Measure("wait_p95_s", "wait, p95 [s]", LESS),
    Measure("bounded_slowdown_mean", "bounded slowdown (10 s), mean", LESS),
    Measure("bounded_slowdown_p95", "bounded slowdown, p95", LESS),
    Measure("queuing_mean_s", "wait in a node's queue, mean [s]", LESS),
    Measure("makespan_s", "makespan [s]", LESS),
    Measure("utilisation", "utilisation", NEITHER, percent),
    Measure("held", "utilisation as gangs hold slots", NEITHER, percent),
)
CHIEF = "response_mean_s"


@dataclass(frozen=True)
class Contender:
    """The runs of one scheduler: one, or one a seed."""

    label: str
    logs: tuple[Log, ...]
    values: dict[str, tuple[float, ...]]  # by key, a value a run; NaN: none
    meaning: str = ""  # a line, where the label does not say all

    def interval(self, key: str) -> MeanInterval:
        return mean_interval(self.values[key])

    def pairs(self, baseline: Contender, key: str) -> list[tuple[float, float]]:
        """Ours and the baseline's, of the seeds in common."""
        theirs = dict(zip(map(_seed, baseline.logs), baseline.values[key]))
        return [(ours, theirs[seed]) for seed, ours in zip(map(_seed, self.logs), self.values[key])
                if seed in theirs]

    def against(self, baseline: Contender, key: str) -> MeanInterval:
        """Difference to the baseline, share of its mean; with seeds in common pair by pair."""
        pairs = self.pairs(baseline, key)
        whole = mean_interval([their for _, their in pairs]).mean
        if not pairs or not whole:
            return MeanInterval(math.nan, math.nan)
        found = mean_interval([our - their for our, their in pairs])
        return MeanInterval(found.mean / abs(whole), found.half / abs(whole))


def contenders(logs: Sequence[Log]) -> list[Contender]:
    """Logs that differ in their seeds alone are one."""
    return [Contender(policy.label, policy.logs, {
        measure.key: tuple(float(log.summary[measure.key]) for log in policy.logs) for measure in MEASURES}, policy.meaning)
        for policy in by_policy(logs)]


def measures_of(those: Sequence[Contender]) -> list[Measure]:
    """Those that some run has a value of."""
    return [each for each in MEASURES
            if any(math.isfinite(value) for one in those for value in one.values[each.key])]


def not_comparable(those: Sequence[Contender]) -> str:
    """Why no winner can be named, in a sentence; empty if one can."""
    by_seed: dict[object, set[object]] = {}
    for one in those:
        for log in one.logs:
            by_seed.setdefault(_seed(log), set()).add(log.attributes.get("workload_digest"))
    if any(len(digests) > 1 for digests in by_seed.values()):
        return "The runs are of different workloads, so no winner is named."
    if len({frozenset(map(_seed, one.logs)) for one in those}) > 1:
        return "The runs are not of the same seeds, so no winner is named."
    finished = {tuple(sorted(zip(map(str, map(_seed, one.logs)), one.values["jobs_finished"])))
                for one in those}
    if len(finished) > 1:
        return ("Not as many jobs have finished in one run as in another, and those that have are "
                "likely the shorter ones, so no winner is named.")
    return ""


def best(those: Sequence[Contender], measure: Measure) -> Contender | None:
    """Whose mean is the best, if it is decided of each of the others; one seed decides nothing."""
    known = [one for one in those if math.isfinite(one.interval(measure.key).mean)]
    if not_comparable(those) or not measure.better or len(known) < 2:
        return None
    first = max(known, key=lambda one: measure.better * one.interval(measure.key).mean)
    return None if _undecided(first, known, measure.key) else first


def _undecided(first: Contender, those: Sequence[Contender], key: str) -> list[Contender]:
    """Those of which it is not decided that they differ from the first, all asked at once."""
    others = [one for one in those if one is not first]
    p_values = by_holm([p_value([our - their for our, their in one.pairs(first, key)]) for one in others])
    return [one for one, each in zip(others, p_values) if each > 1 - CONFIDENCE]


def verdict(those: Sequence[Contender]) -> str:
    """In a sentence, by the mean response time."""
    known = [one for one in those if math.isfinite(one.interval(CHIEF).mean)]
    if not known:
        return "No job has finished, so there is nothing to compare."
    ranked = sorted(known, key=lambda one: one.interval(CHIEF).mean)
    first, last = ranked[0], ranked[-1]
    words = f"{number(first.interval(CHIEF).mean)} s"
    if len(those) == 1:
        return f"The mean response time is {words}."
    if reason := not_comparable(those):
        return reason
    if last.interval(CHIEF).mean == first.interval(CHIEF).mean:
        return f"All have the same mean response time, {words}."
    lead = f"{first.label} has the lowest mean response time, {words}"
    behind = ranked[1].against(first, CHIEF)
    if not math.isfinite(behind.half):
        return f"{lead}; {ranked[1].label} comes next, {percent(behind.mean)} behind. One seed decides nothing."
    alike = _undecided(first, ranked, CHIEF)
    if alike:
        differences = [f"{one.label} ({plain(one.against(first, CHIEF))})" for one in alike]
        return f"{lead}, but these seeds decide no difference to {', '.join(differences)}."
    return f"{lead}; {ranked[1].label} comes next, {plain(behind)}."


def run_labels(those: Sequence[Contender], logs: Sequence[Log]) -> list[str]:
    """By log: its contender's label, with the seed where that has several runs."""
    found = {id(log): f"{one.label}, seed {_seed(log)}" if len(one.logs) > 1 else one.label
             for one in those for log in one.logs}
    return [found[id(log)] for log in logs]


def headline(those: Sequence[Contender]) -> str:
    runs = sum(len(one.logs) for one in those)
    each = [f"{one.label} × {len(one.logs)}" if len(one.logs) > 1 else one.label for one in those]
    return f"{count(runs)} run{'s' if runs > 1 else ''}: {', '.join(each)}"


def plain(difference: MeanInterval) -> str:
    """A difference as a share, with its interval."""
    if not math.isfinite(difference.mean):
        return "–"
    text = f"{100 * difference.mean:+.1f} %".replace("-", "−")
    return f"{text} ± {100 * difference.half:.1f}" if math.isfinite(difference.half) else text


def signed(difference: MeanInterval) -> str:
    """The same, with ~ before it where the interval holds zero."""
    unsure = math.isfinite(difference.half) and difference.holds_zero
    return f"~ {plain(difference)}" if unsure else plain(difference)


def job_by_job(those: Sequence[Contender]) -> list[tuple[str, dict[str, float | int]]]:
    """Of all but the first: factors by which its jobs are faster than the first's; see improvement.of_jobs."""
    found = []
    for one in those[1:]:
        try:
            speedups = improvement.speedups(one.logs[0], those[0].logs[0])
        except UserError:
            continue  # of other jobs
        if len(speedups):
            found.append((one.label, improvement.of_jobs(speedups)))
    return found


def _seed(log: Log) -> object:
    return log.attributes.get("seed")
