"""Hints at names that were meant."""

import pytest

from somnus.analysis.base.text import hint

FIGURES = ("narrow_response_mean_s", "response_mean_s", "response_p95_s", "slowdown_mean", "utilisation")


@pytest.mark.parametrize("given, meant", [
    ("mean_response_s", "response_mean_s"), ("mean_response", "response_mean_s"), ("respone_mean_s", "response_mean_s"),
    ("mean_slowdown", "slowdown_mean"), ("utilization", "utilisation"),
])
def test_the_name_that_was_meant_is_found(given, meant):
    assert hint(given, FIGURES) == f"; did you mean '{meant}'?"
