"""Verdicts of reproductions: by intervals, together, and by the readings of a claim."""

import math

import numpy as np
import pytest

from somnus.analysis.papers.common.expect import (
    Expectation, Figure, Reason, about, at_most, equal, less_than, more_than,
)
from somnus.analysis.papers.common.tables import sentence
from somnus.analysis.papers.common.tolerances import CHANGES
from somnus.analysis.papers.common.verdicts import (
    FAILS, HOLDS, OPEN, explained, findings, judge, tally, together, totals,
)


def word(target, values, repeats=False):
    figure = Figure("F", "", (Expectation("key", "", target, "claim"),))
    (verdict,) = judge(figure, {"key": values}, repeats)
    return verdict.word


@pytest.mark.parametrize(("target", "values", "expected"), [
    (more_than(0), [1, 2, 3, 2], HOLDS),
    (more_than(0), [-1, -2, -3, -2], FAILS),
    (more_than(0), [-1, 2, 1, -2], OPEN),
    (less_than(0), [-1.19, 0.33, 2.1, -3.9, 0.6], OPEN),  # mean -0.4
    (about(40, CHANGES), [39, 41, 40], HOLDS),
    (about(40, CHANGES), [20, 21, 22], FAILS),
    (about(40, CHANGES), [29, 32, 34], OPEN),
    (about(40, CHANGES), [20, 60, 40], OPEN),  # its mean is the paper's, its interval is not
    (at_most(7), [6.9], OPEN),  # a single seed has no interval
    (at_most(7), [math.nan, math.nan], OPEN),
    (at_most(7), [6, 6, 6], HOLDS),
    (at_most(7), [7, 7, 7], HOLDS),
    (less_than(7), [7, 7, 7], FAILS),
    (equal(7), [7.0, 7.0], HOLDS),
])
def test_a_verdict_is_by_the_interval(target, values, expected):
    assert word(target, values) == expected


def test_what_repeats_is_decided_by_one_run():
    assert word(at_most(7), [6.9], repeats=True) == HOLDS
    assert word(at_most(7), [7.1], repeats=True) == FAILS
    assert word(at_most(7), [math.nan], repeats=True) == OPEN


def test_the_interval_decides_at_95_percent():
    """Of two thousand experiments whose truth lies on the edge one in twenty is decided."""
    draws = np.random.default_rng(1).normal(0, 1, (2000, 5))
    decided = sum(word(more_than(0), values) != OPEN for values in draws)
    assert 70 < decided < 130


def test_claims_are_judged_together_and_numbers_each_alone():
    """With 40 claims on the edge, hardly any family has one that is judged wrong."""
    rows = tuple(Expectation(f"claim.{index}", "", more_than(0), f"claim {index}")
                 for index in range(40))
    number = Expectation("number", "", more_than(0))
    figure = Figure("F", "", (*rows, number))
    draws = np.random.default_rng(2).normal(0, 1, (200, 41, 6))
    wrong = alone = numbers = 0
    for values in draws:
        measured = {each.key: found for each, found in zip(figure.expectations, values)}
        (verdicts,) = together([judge(figure, measured)])
        wrong += any(each.word != OPEN for each in verdicts[:-1])
        alone += any(each.alone <= 0.05 for each in verdicts[:-1])
        numbers += verdicts[-1].word != OPEN
    assert wrong <= 20 < 150 < alone
    assert 3 <= numbers <= 20


def test_holm_takes_the_surest_first():
    """Of three claims the surest needs a third of 5 %, the next a half, the last all of it."""
    figures = [Figure(name, "", (Expectation("claim", "", more_than(0), name),)) for name in "abc"]
    spread = np.array([-1, 0, 1, 0])

    def words(*means):
        judged = [judge(figure, {"claim": list(mean + spread)}) for figure, mean in zip(figures, means)]
        return [verdicts[0].word for verdicts in together(judged)]

    assert words(1.4, 0.1, 0.1) == [OPEN, OPEN, OPEN]  # p = 0.035: more than 0.05 / 3
    assert words(1.4, 9.0, 9.0) == [HOLDS, HOLDS, HOLDS]
    assert words(1.4, -9.0, 0.1) == [OPEN, FAILS, OPEN]  # two are left
    assert words(2.1, 0.1, 0.1) == [HOLDS, OPEN, OPEN]


READ = Figure("F", "", (
    Expectation("claim.a", "from admission", more_than(1), "it is longer", reading_of="longer"),
    Expectation("claim.b", "from first start", more_than(1), "it is longer", reading_of="longer"),
    Expectation("number", "a number", more_than(1)),
), reasons=(Reason(r"claim\.a", "a reason."),))


def read(first, second):
    measured = {"claim.a": first, "claim.b": second, "number": [2, 2]}
    (verdicts,) = together([judge(READ, measured)])
    return findings(explained(READ, measured, verdicts))


def test_a_claim_with_two_readings_counts_once_with_the_one_under_which_it_holds():
    for readings in (([0.5, 0.51], [2, 2.001]), ([2, 2.001], [0.5, 0.51])):
        claim, number = read(*readings)
        assert claim.word == HOLDS and claim.best.mean > 1 and len(claim.readings) == 2
        assert number.word == HOLDS
    assert "Of 1 claims 1 hold, 0 do not, 0 are not decided." in totals([claim, number])


def test_a_claim_that_holds_in_no_reading_does_not_and_one_that_may_in_some_is_not_decided():
    claim, _ = read([0.5, 0.5001], [0.6, 0.6001])
    assert claim.word == FAILS and claim.best.reason == "a reason."
    claim, _ = read([0.5, 0.5001], [0.6, 2.9])
    assert claim.word == OPEN and claim.best.expectation.key == "claim.b"
    assert tally([claim]) == {HOLDS: 0, FAILS: 0, OPEN: 1}


def test_that_a_claim_holds_in_one_of_two_readings_takes_twice_the_certainty():
    spread = np.array([-1, 0, 1, 0])
    (one, *_), (both, *_) = (
        together([judge(READ, {"claim.a": list(3 + 0.5 * spread), "claim.b": second, "number": [2]})])[0]
        for second in (list(9 + spread), [0.5, 0.6]))
    assert one.chance == pytest.approx(both.chance) == pytest.approx(2 * both.alone)


def test_the_sentence_has_both_readings_and_the_reason():
    claim, _ = read([0.5, 0.5001], [0.6, 0.6001])
    text = " ".join(sentence(claim).split())
    assert text.startswith("does not hold: it is longer from admission: measured 0.500")
    assert "from first start: measured 0.600" in text and text.endswith("Reason: a reason.")


def test_of_many_claims_one_that_is_decided_alone_only_is_said_to_be():
    rows = tuple(Expectation(f"claim.{index}", "", more_than(0), "claim") for index in range(3))
    figure = Figure("F", "", rows)
    values = {each.key: [0.4, 1.4, 2.4, 1.4] for each in rows}
    (verdicts,) = together([judge(figure, values)])
    assert {each.word for each in verdicts} == {OPEN}
    assert all("Holm" in each.reason for each in explained(figure, values, verdicts))
