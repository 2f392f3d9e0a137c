import math
import re

import pytest

from somnus.analysis.__main__ import main
from somnus.analysis.papers.common import against_paper, scoreboard
from somnus.analysis.papers.common.expect import (
    Expectation, Figure, Reason, about, more_than,
)
from somnus.analysis.papers.common.results import Result
from somnus.analysis.papers.common.scoreboard import Header
from somnus.analysis.papers.common.tolerances import ALIKE, HEADLINES, METRICS
from somnus.analysis.papers.common.verdicts import explained, judge, together

FIGURE = Figure("Figure 6", "slowdowns <by width>", (
    Expectation("wide", "FAIR / CFQ, wide", about(3.2, HEADLINES), "FAIR takes 3.2 x as long"),
    Expectation("near", "SRPT / CFQ", about(1, ALIKE), "CFQ is almost SRPT"),
    Expectation("rising", "slope", more_than(0), "it grows"),
    Expectation("wavering", "slope of another", more_than(0), "it grows, too"),
    Expectation("gone", "what no run has", more_than(1), "it is there"),
    Expectation("mean", "CFQ, wide"),
), reasons=(Reason("wide", lambda found: f"CFQ is at {found.text('mean')} here."),))
MEASURED = {"wide": [1.95, 2.05, 2.0], "near": [1.01, 1.02, 1.03], "rising": [1.9, 2, 2.1],
            "wavering": [-1, 2, -2.26],
            "gone": [math.nan] * 3, "mean": [1.25, 1.25, 1.25]}


@pytest.fixture
def page():
    (verdicts,) = together([judge(FIGURE, MEASURED)])
    return scoreboard.page([(Result(FIGURE, MEASURED), explained(FIGURE, MEASURED, verdicts))],
                           Header("A <paper>", "./dev reproduce a", {"seeds": "1 to 3"},
                                  {"Figure 1": "it is a drawing."}))


def row(page, words):
    found = next(each for each in re.findall(r"<tr>.*?</tr>", page, re.S) if words in each)
    return [re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", found, re.S)]


def test_a_claim_has_its_value_all_seeds_an_interval_a_verdict_and_a_computed_reason(page):
    figure, claim, *cells = row(page, "FAIR takes 3.2 x as long")
    assert cells == ["3.200", "2.000 ± 0.124", "1.950, 2.050, 2.000", "± 25 %", "does not hold",
                     "1. CFQ is at 1.250 here."]
    assert row(page, "it is there")[-2:] == ["not decided", "3. it was not measured."]
    assert row(page, "CFQ is almost SRPT")[-2:] == ["holds", ""]
    assert "Of 5 claims 2 hold, 1 do not, 2 are not decided." in page


def test_an_interval_with_both_in_it_decides_nothing(page):
    assert row(page, "it grows, too")[-2:] == [
        "not decided", "2. the interval over 3 seeds, −5.856 to 5.016, has both in it."]


def test_a_reason_is_told_once_and_linked_to_from_then_on(page):
    assert row(page, '<th scope="row">FAIR / CFQ, wide')[-1] == "reason 1"
    assert page.count('id="reason-1"') == 1 and 'href="#reason-1"' in page


def test_each_tolerance_is_justified_in_one_place_and_linked(page):
    for metric in METRICS:
        assert page.count(f'id="{metric.anchor}"') == 1 and metric.why
    assert f'href="#{HEADLINES.anchor}"' in page and f'href="#{ALIKE.anchor}"' in page
    assert set(re.findall(r'href="#([^"]*)"', page)) <= set(re.findall(r' id="([^"]*)"', page))


def test_the_page_loads_nothing_and_takes_no_text_for_markup(page):
    assert not re.search(r"https?://|<script", page)
    assert "A &lt;paper&gt;" in page and "slowdowns &lt;by width&gt;" in page
    assert page.count("data:image/png;base64,") == 1


def test_the_papers_values_and_all_seeds_are_in_the_figure():
    comparable = against_paper.comparable(judge(FIGURE, MEASURED))
    assert [each.expectation.key for each in comparable] == ["wide", "near"]  # no share of 0, or of none
    figure = against_paper.differences(comparable)
    (axes,) = figure.axes
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert "the paper's value" in labels and "a seed" in labels
    seeds = [line.get_xdata() for line in axes.lines if line.get_marker() == "|" and len(line.get_xdata())]
    assert list(seeds[0]) == pytest.approx([100 * (value / 3.2 - 1) for value in MEASURED["wide"]])
    low, high = axes.patches[0].get_x(), axes.patches[0].get_x() + axes.patches[0].get_width()
    assert (low, high) == pytest.approx((-25, 25))


def test_a_folder_is_no_page(tmp_path, capsys):
    assert main(["reproduce", "yaq", "--report", str(tmp_path)]) == 2
    assert "is a folder" in capsys.readouterr().err
