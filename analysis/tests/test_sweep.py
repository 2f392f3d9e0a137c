"""What a paper does not say, swept."""

import json
import math

import pytest

from somnus.analysis.papers.common import sweep, sweep_figures
from somnus.analysis.papers.common.expect import Expectation, Figure, Reason, about, more_than
from somnus.analysis.papers.common.results import Report, Result
from somnus.analysis.papers.common.sweep import Axis
from somnus.analysis.papers.common.tolerances import FACTORS

FIGURE = Figure("Figure 5", "times by load", (
    Expectation("rising", "FAIR / CFQ", more_than(2), "FAIR takes twice as long"),
    Expectation("low", "CFQ / SRPT", more_than(9), "SRPT is far ahead"),
    Expectation("near", "CFQ / FIFO", about(3, FACTORS)),
    Expectation("aside", "something else", more_than(9), "it does not hang on the load"),
), reasons=(Reason("low", "a slowdown is at least 1."),))
AXIS = Axis("load", "load of the slots", (1, 2, 4), ours=2, keys="rising|low|near")


def at(load):
    return {"rising": [load, load + 0.01], "low": [1, 1 + load], "near": [load - 1, load - 0.99],
            "aside": [1, 1.01]}


@pytest.fixture
def swept():
    return sweep.sweep(AXIS, FIGURE, at)


@pytest.fixture
def report(tmp_path, swept):
    found = Report("paper", tmp_path)
    found.add([Result(FIGURE, at(2), swept=[swept])])
    return found


def test_only_what_hangs_on_the_axis_is_swept(swept):
    assert [[each.best.expectation.key for each in found] for found in swept.found.values()] == [
        ["rising", "low", "near"]] * 3
    assert [each.word for each in swept.by_value("rising").values()] == [
        "does not hold", "not decided", "holds"]


def test_a_claim_that_comes_out_elsewhere_has_the_papers_silence_as_its_reason(report):
    rows = {each.expectation.key: each for each in report.shown[0][1]}
    assert rows["near"].word == "does not hold"
    assert rows["near"].reason == (
        "the paper does not say its load: this comes out at load 4, and the tables are made at 2.")


def test_a_claim_that_comes_out_nowhere_is_said_to_with_the_range_and_the_nearest(report):
    low = {each.expectation.key: each for each in report.shown[0][1]}["low"]
    assert low.word == "not decided" and "both in it" in low.reason  # at 2 alone
    assert low.note == "At no load from 1 to 4 is it sure to come out; at 2 and 4 it is not decided."
    _, (verdict, *_) = _judged({1: [1, 1.01], 2: [1, 1.02], 4: [3, 3.01]})
    assert verdict.why == ("a slowdown is at least 1. At no load from 1 to 4 does it come out; the nearest is "
                           "3.005 at 4.")


def _judged(low):
    figure = Figure("F", "", (FIGURE.expectations[1],), reasons=FIGURE.reasons)
    found = sweep.sweep(AXIS, figure, lambda load: {"low": low[load]})
    report = Report("paper", None)
    report.results.append(Result(figure, {"low": low[2]}, swept=[found]))
    return report.shown[0]


def test_the_nearest_is_of_all_readings():
    figure = Figure("F", "", (Expectation("a", "", more_than(9), "far", reading_of="far"),
                              Expectation("b", "", more_than(9), "far", reading_of="far")))
    swept = sweep.sweep(Axis("load", "load", (1, 2, 4), ours=2), figure,
                        lambda load: {"a": [1, 1.01], "b": [load, load + 0.01]})
    report = Report("paper", None)
    report.results.append(Result(figure, {"a": [1, 1.01], "b": [2, 2.01]}, swept=[swept]))
    _, rows = report.shown[0]
    assert {each.note for each in rows} == {"At no load from 1 to 4 does it come out; the nearest is 4.005 at 4."}


def test_of_two_axes_the_first_that_makes_a_claim_come_out_is_the_reason():
    other = Axis("slots", "slots of a node", (2, 8), ours=2)
    figure = Figure("F", "", (FIGURE.expectations[0],))
    swept = [sweep.sweep(AXIS, figure, at),
             sweep.sweep(other, figure, lambda slots: {"rising": [slots / 4, slots / 4 + 0.01]})]
    report = Report("paper", None)
    report.results.append(Result(figure, {"rising": [1, 1.01]}, swept=swept))
    _, (verdict,) = report.shown[0]
    assert verdict.reason.startswith("the paper does not say its load: this comes out at load 4,")
    assert verdict.note == "At no slots from 2 to 8 is it sure to come out; at 8 it is not decided."


def test_what_no_value_and_no_reason_explains_is_unexplained(report):
    aside = {each.expectation.key: each for each in report.shown[0][1]}["aside"]
    assert aside.why == "unexplained."


def test_the_table_has_a_column_a_value_and_counts_what_comes_out(swept):
    text = sweep.shown(swept)
    assert "FAIR / CFQ        | > 2.000 | 1.005 - | 2.005 ? | 4.005 +" in text
    assert "of these come out |         |       0 |       0 |       2" in text
    assert max(map(len, text.splitlines())) <= 80


def test_totals_count_claims_by_value_over_the_figures_of_an_axis(swept):
    lines = sweep.totals([swept, swept]).splitlines()
    assert lines[0].split("|")[0].strip() == "load of the slots"
    assert [cell.strip() for cell in lines[2].split("|")] == ["claims of 4: holds", "0", "0", "2"]


def test_each_panel_has_the_papers_value_and_the_value_of_the_tables(swept):
    figure = sweep_figures.panels(swept)
    drawn = [axes for axes in figure.axes if axes.get_title(loc="left")]
    assert [axes.get_title(loc="left") for axes in drawn] == ["FAIR / CFQ", "CFQ / SRPT", "CFQ / FIFO"]
    for axes, value in zip(drawn, (2, 9, 3)):
        assert any(list(line.get_ydata()) == [value, value] for line in axes.lines)
        assert any(list(line.get_xdata()) == [AXIS.ours, AXIS.ours] for line in axes.lines)


def test_what_was_not_measured_is_not_drawn():
    figure = Figure("F", "", (FIGURE.expectations[0],))
    swept = sweep.sweep(AXIS, figure, lambda load: {"rising": [math.nan] * 2 if load == 4 else [load, load]})
    (axes, *_) = sweep_figures.panels(swept).axes
    assert sum(len(line.get_xdata()) for line in axes.lines if line.get_marker() == "o") == 2


def test_the_sweep_is_saved_and_drawn(report, tmp_path):
    assert "claims of 2: holds" in report.details
    assert report.save() == 0
    saved = json.loads((tmp_path / "measured.json").read_text())["Figure 5"]["swept"]
    assert saved[0]["ours"] == 2 and saved[0]["measured"]["4"]["rising"] == [4, 4.01]
    assert (tmp_path / "figure5-by-load.png").stat().st_size > 5000
