import json
import math

import numpy as np
import pandas as pd
import pytest

from somnus.analysis.base.program import ProgramError, find_program
from somnus.analysis.papers.cfq import measures, paper
from somnus.analysis.papers.cfq import mice as paced_mice
from somnus.analysis.papers.common.expect import (
    Expectation, Figure, about, at_least, at_most, equal, less_than, more_than, stack,
)
from somnus.analysis.papers.common.results import Report, Result
from somnus.analysis.papers.common.tables import report
from somnus.analysis.papers.common.tolerances import FACTORS, HEADLINES
from somnus.analysis.papers.common.verdicts import explained, judge
from somnus.analysis.reading.width import PAPER_BINS, width_bins

def jobs(response, tasks=None, alone=1.0, slot_time=1.0):
    response = np.array(response, float)
    frame = pd.DataFrame({
        "submit": 0.0, "finish": response, "response_time": response,
        "tasks": tasks if tasks is not None else 1, "slowdown": response / alone,
        "slot_time": slot_time,
    })
    return frame.assign(width=width_bins(frame["tasks"], PAPER_BINS))


@pytest.mark.parametrize(("target", "inside", "outside"), [
    (equal(9), 9 + 1e-7, 9.001),
    (about(2.9, HEADLINES), 2.2, 2.1),
    (more_than(40), 40.1, 40),
    (at_least(10), 10, 9.9),
    (less_than(10), 9.9, 10),
    (at_most(7), 7, 7.1),
])
def test_a_target_is_met_on_one_side_of_its_edge_only(target, inside, outside):
    assert target.met_by(inside)
    assert not target.met_by(outside)
    assert not target.met_by(math.nan)


def test_a_report_shows_paper_measured_difference_and_the_claims_in_words():
    figure = Figure("Figure 6", "slowdowns", (
        Expectation("wide", "FAIR / CFQ, wide", about(3.2, HEADLINES), "FAIR takes 3.2 x as long"),
        Expectation("cfq", "CFQ, wide"),
    ), "the load differs.")
    measured = {"wide": [1.9, 2.0, 2.1], "cfq": [1.25]}
    text = report(figure, explained(figure, measured, judge(figure, measured)))
    assert "FAIR / CFQ, wide | 3.200 | 2.000 ± 0.248 | −1.200 (−38 %)" in text
    assert "CFQ, wide        |     – |         1.250 |              –" in text
    assert "does not hold: FAIR takes 3.2 x as long" in text
    assert "FAIR / CFQ, wide: measured 2.000 ± 0.248, paper 3.200 ± 25 %" in " ".join(text.split())
    assert "Unexplained." in text
    assert text.endswith("Note: the load differs.")


def test_a_claim_flips_with_the_data():
    def wide_holds(response_under_fair):
        runs = {
            "fair": jobs([1, 2.9, response_under_fair], tasks=[1, 20, 60]),
            "srpt": jobs([1, 1, 1], tasks=[1, 20, 60]),
            "cfq": jobs([1, 1, 1], tasks=[1, 20, 60]),
        }
        measured = stack([measures.figure_6(runs)])
        verdicts = judge(paper.FIGURE_6, measured, repeats=True)
        return {each.expectation.key: each.holds for each in verdicts}["fair_cfq.wide"]

    assert wide_holds(3.2)
    assert not wide_holds(1.1)


def test_what_was_not_measured_does_not_hold():
    (verdict,) = judge(Figure("", "", (Expectation("key", "", at_most(1), "claim"),)), {})
    assert not verdict.holds and verdict.measured == "–"


@pytest.mark.parametrize(("measured", "code"), [(4, 0), (5, 1)])
def test_what_is_exact_decides_the_exit_code(tmp_path, measured, code):
    exact = Figure("A", "", (Expectation("slots", "slots", equal(4), exact=True),))
    other = Figure("B", "", (Expectation("mean", "mean", about(1, FACTORS), "claim"),))
    found = Report("paper", tmp_path)
    found.add([Result(exact, {"slots": [measured]}), Result(other, {"mean": [2, 2.01]})])
    assert found.save() == code
    saved = json.loads((tmp_path / "measured.json").read_text())
    assert saved["A"]["measured"] == {"slots": [measured]}
    assert [row["verdict"] for row in saved["B"]["rows"]] == ["does not hold"]
    assert saved["totals"]["claims"] == {"holds": 0, "does not hold": 1, "not decided": 0}
    assert "does not hold: claim" in found.details
    assert "Of 1 claims 0 hold, 1 do not, 0 are not decided." in " ".join(found.short.split())


def test_figure_1_compares_completions():
    values = measures.figure_1(fair=jobs([30, 40]), first=jobs([20, 40]))
    assert values["job1.ratio"] == pytest.approx(2 / 3)
    assert values["job2.ratio"] == 1


def test_figure_3_finds_the_largest_deviation():
    runs = {policy: jobs(finishes) for policy, finishes in paper.COMPLETIONS.items()}
    assert measures.figure_3(runs)["cfq.off"] == 0
    runs["cfq"] = jobs([9, 12.5, 8])
    values = measures.figure_3(runs)
    assert values["cfq.off"] == 0.5
    verdicts = judge(paper.FIGURE_3, stack([values]))
    assert [each.expectation.key for each in verdicts if not each.holds] == ["cfq.job2", "cfq.off"]


def test_figure_5_compares_means():
    values = measures.figure_5({
        "fifo": jobs([30]), "fair": jobs([20]), "srpt": jobs([10]), "cfq": jobs([12]),
    })
    assert values["fifo.worst"] == 1.5
    assert values["cfq.reduction"] == pytest.approx(40)
    assert values["cfq.srpt"] == pytest.approx(1.2)


def test_figure_7_parts_jobs_into_faster_equal_and_slower():
    values = measures.figure_7({
        "fair": jobs([2, 3, 1, 1, 1, math.nan]),
        "cfq": jobs([1, 1, 1.001, 1.1, 1.3, 1]),
    })
    assert values == pytest.approx({
        "faster.share": 40, "faster.by": 150, "slower.share": 40, "slower.by": 20,
        "slower.much": 1,
    })


def test_figure_8_normalises_job_by_job():
    widths = [1, 20, 60]
    values = measures.figure_8(
        jobs([1, 2, 4], widths), uniform=jobs([1, 2, 4.4], widths), naive=jobs([1, 2.2, 6], widths)
    )
    assert values["uniform.wide"] == pytest.approx(1.1)
    assert values["naive.increase"] == pytest.approx(100 * (9.2 / 7 - 1))
    assert values["naive.wide_rest"] == pytest.approx(1.5 / 1.1)
    assert values["naive.narrow_rest"] == pytest.approx(1 / 1.1)


def test_figure_9_fits_a_line():
    values = measures.figure_9({
        "srpt": {mice: 2 + 0.5 * mice for mice in paper.MICE},
        "cfq": dict.fromkeys(paper.MICE, 7.0),
    })
    assert values["srpt.slope"] == pytest.approx(0.5)
    assert values["srpt.linear"] == pytest.approx(1)
    assert values["cfq.slope_share"] == pytest.approx(0, abs=1e-9)


def test_the_elephant_is_the_job_with_the_most_work():
    assert measures.elephant(jobs([3, 7, 2], slot_time=[10, 40, 9])) == 7


def test_figure_10_has_percentiles_in_its_own_bins():
    runs = {policy: jobs(np.repeat([1, 2, 3, 4], 5) * factor,
                         tasks=np.repeat([10, 11, 51, 501], 5))
            for policy, factor in (("fifo", 200), ("fair", 20), ("srpt", 1), ("cfq", 1))}
    assert measures.percentiles(runs)["cfq"][">500"] == [4] * 5
    values = measures.figure_10(runs)
    assert values["fair_cfq.51-500"] == 20
    assert values["fifo.worst.narrow"] == 10
    assert values["fifo_cfq"] == 200


def test_paced_mice_are_one_seed_one_file(tmp_path):
    few, many, other = (
        paced_mice.write(tmp_path / f"{name}.jsonl", mice, seed).read_text().splitlines()
        for name, mice, seed in (("few", 10, 1), ("many", 20, 1), ("other", 10, 2))
    )
    assert len(few) == 12 and len(many) == 22
    assert few[1:] == many[1:12] and few[1:] != other[1:]
    submits = [json.loads(line)["submit"] for line in many[1:]]
    assert submits == sorted(submits)


def test_the_program_is_looked_for_in_order(tmp_path, monkeypatch):
    with pytest.raises(ProgramError, match="gone: no such program"):
        find_program(tmp_path / "gone")
    some = tmp_path / "some"
    some.touch(0o755)
    monkeypatch.setenv("SOMNUS", str(some))
    assert find_program(None) == find_program(some) == some.resolve()
    monkeypatch.delenv("SOMNUS")
    monkeypatch.setattr("somnus.analysis.base.program.BUILT_PROGRAM", tmp_path / "none")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ProgramError, match="build it"):
        find_program(None)
