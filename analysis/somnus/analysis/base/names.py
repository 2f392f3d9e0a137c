"""What tables and figures call a scheduler: one word, and in a line of its own what it stands for."""

import re
from collections.abc import Iterable

EXCHANGE = re.compile(r"\+(?=[\w.-]+=)")  # names (yarn+q) have a + of their own


def word_of(label: str) -> str:
    """The preset of a label such as fair+order=srpt."""
    return EXCHANGE.split(label, maxsplit=1)[0] or label


def meaning_of(label: str, word: str) -> str:
    """In a line, what the label says beyond its word; nothing if both are the same."""
    return "" if word == label else f"{word}: {', '.join(EXCHANGE.split(label)[1:])}"


def words_of(labels: Iterable[str], given: Iterable[str] = ()) -> dict[str, str]:
    """By label its word; "fair (2)" where several have one word, in whatever order they come.

    given: labels that users wrote, which stay as they are.
    """
    own = set(given)
    words: dict[str, str] = {}
    every = list(dict.fromkeys(labels))
    for label in sorted(every, key=lambda each: (each not in own, len(each), each)):
        word = label if label in own else word_of(label)
        taken, number = word, 1
        while taken in words.values():
            number += 1
            taken = f"{word} ({number})"
        words[label] = taken
    return {label: words[label] for label in every}
