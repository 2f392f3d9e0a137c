"""Logs grouped for a figure: the runs of one policy that differ in their seed are one line."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from somnus.analysis.base.errors import UserError
from somnus.analysis.base.names import meaning_of, words_of
from somnus.analysis.base.text import hint
from somnus.analysis.reading.log import Log, distinct_labels

Found = TypeVar("Found")


@dataclass(frozen=True)
class Policy:
    """A line of a figure: one run a seed."""

    label: str  # one word
    logs: tuple[Log, ...]
    meaning: str = ""  # a line that says what differs from the preset, unless the label does


def by_policy(logs: Sequence[Log], labels: Mapping[str, str] | None = None,
              order: Sequence[str] = ()) -> list[Policy]:
    """Runs of equal label that differ in their seed alone together, in the order of the logs.

    Where runs of a label share a seed, or differ in more of their configs, each is a line of its own
    (log.distinct_labels). `labels`: what to call a label instead. `order`: the labels that come first.
    Both know a line by its word, too. Raises UserError where one of these is no label of the logs.
    """
    runs: dict[str, list[Log]] = {}
    for log, own in zip(logs, distinct_labels(list(logs))):
        alike = _differ_in_seed([each for each in logs if each.label == log.label])
        runs.setdefault(log.label if alike else own, []).append(log)
    words = words_of(runs, [label for label, own in runs.items() if own[0].config.get("scheduler", {}).get("label")])
    renamed = {words.get(name, name): text for name, text in (labels or {}).items()}
    for name in renamed:
        _require(name, list(words.values()), "--label")
    policies = [Policy(renamed.get(word, word), tuple(runs[label]), meaning_of(label, renamed.get(word, word)) if word != label else "")
                for label, word in words.items()]
    names = [each.label for each in policies]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UserError(f"--label: '{twice[0]}' is what two lines would be called")
    first = [renamed.get(words.get(name, name), words.get(name, name)) for name in order]
    for name in first:
        _require(name, names, "--order")
    return sorted(policies, key=lambda each: first.index(each.label) if each.label in first
                  else len(first))


def of_each(policies: Sequence[Policy], of: Callable[[Log], Found]) -> dict[str, list[Found]]:
    """By label, what `of` finds in each of its runs."""
    return {policy.label: [of(log) for log in policy.logs] for policy in policies}


def _differ_in_seed(logs: Sequence[Log]) -> bool:
    seeds = {log.attributes.get("seed") for log in logs}
    first = _but_for_the_seed(logs[0])
    return len(seeds) == len(logs) and all(_but_for_the_seed(log) == first for log in logs[1:])


def _but_for_the_seed(log: Log) -> tuple[object, dict]:
    """Mode and config, without what follows from the seed: where the log is, and the workload's file."""
    left = {name: dict(table) for name, table in log.config.items() if name != "log"}
    left.get("run", {}).pop("seed", None)
    left.get("workload", {}).pop("file", None)
    return log.attributes.get("mode"), left


def _require(name: str, known: list[str], option: str) -> None:
    if name not in known:
        raise UserError(f"{option}: no log is called '{name}'{hint(name, known)}")
