import json

import pytest

from experiments import CONFIG, write_experiment
from logs import ask
from somnus.analysis.base.errors import UserError
from somnus.analysis.experiments import answers, figures
from somnus.analysis.experiments import table as experiment
from somnus.analysis.experiments.layout import arrange
from somnus.analysis.experiments.result import ExperimentResult
from somnus.analysis.experiments.words import Metric

KEYS = ["policy", "workload.load"]
ROWS = [("fair", "0.5", 10, 1), ("fair", "0.9", 20, 4),
        ("cfq", "0.5", 9.9, 2, -0.01, 0.02), ("cfq", "0.9", 15, 5, -0.25, 0.05)]
RESPONSE = Metric("response_mean_s", "s")


def point(policy, load):
    return {"policy": policy, "workload.load": load}


def written(folder, **changes):
    answer = {
        "metric": "response_mean_s", "axis": "workload.load", "margin": 0.1, "better": "less",
        "words": ["cfq is better than fair at 0.9."],
        "comparisons": [{"point": point("cfq", "0.5"), "reference": point("fair", "0.5"), "tie": True},
                        {"point": point("cfq", "0.9"), "reference": point("fair", "0.9"), "tie": False}],
        "crossings": [{"point": point("cfq", "0.5"), "share": -0.1, "at": [0.66], "low": 0.6, "high": 0.7,
                       "decided": True},
                      {"point": point("cfq", "0.5"), "share": 0, "at": [], "low": 0.5, "high": 0.6,
                       "decided": False}]}
    write_experiment(folder, KEYS, ROWS)
    (folder / answers.FILE).write_text(json.dumps([answer | changes]))
    return folder


def test_only_what_is_decided_is_a_crossing(tmp_path):
    answer = answers.read(written(tmp_path))["response_mean_s"]
    assert [(each.share, each.at, each.low, each.high) for each in answer.crossings] == [(-0.1, (0.66,), 0.6, 0.7)]
    assert answer.ties == (point("cfq", "0.5"),)


def test_crossings_are_bands_and_ties_are_rings(tmp_path):
    found = experiment.read(written(tmp_path))
    drawn = figures.draw(found, arrange(found), RESPONSE)
    (axes,) = drawn["response_mean_s-difference"].axes
    (band,) = axes.patches
    low, high = band.get_path().get_extents(band.get_patch_transform()).intervalx
    assert (low, high) == pytest.approx((0.6, 0.7))
    rings = [line.get_xydata().tolist() for line in axes.lines if line.get_markersize() == 9]
    assert rings == [[[0.5, -1]]]
    (legend,) = drawn["response_mean_s-difference"].legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "cfq", "crossing, 95 %", "margin, 10 %", "tie within 10 %"]
    (means,) = drawn["response_mean_s"].axes
    assert not means.patches


def test_along_another_axis_no_crossing_is_drawn(tmp_path):
    found = experiment.read(written(tmp_path))
    (axes,) = figures.draw(found, arrange(found, "policy"), RESPONSE)["response_mean_s-difference"].axes
    assert not axes.patches


def test_a_folder_without_answers_is_drawn_without_marks(tmp_path):
    found = experiment.read(write_experiment(tmp_path, KEYS, ROWS))
    (axes,) = figures.draw(found, arrange(found), RESPONSE)["response_mean_s-difference"].axes
    assert not axes.patches and ExperimentResult(tmp_path).answers == {}


@pytest.mark.parametrize("text", ["{", "{}", "[1]", '[{"metric": 1}]', "[" * 100_000])
def test_damaged_answers_are_refused(tmp_path, text):
    write_experiment(tmp_path, KEYS, ROWS)
    (tmp_path / answers.FILE).write_text(text)
    with pytest.raises(UserError, match="not the answers of an experiment"):
        experiment.read(tmp_path)


def test_the_programs_own_answers_are_read(tmp_path):
    (tmp_path / "config.toml").write_text(CONFIG)
    (tmp_path / "e.toml").write_text("""
[experiment]
config = "config.toml"
seeds = 5
margin = 0.05
[axes]
policy = ["fair", "srpt"]
workload.load = [0.5, 0.9]
[baseline]
policy = "fair"
""")
    assert ask("experiment", tmp_path / "e.toml", "-o", tmp_path / "out", "-q").returncode == 0
    found = ExperimentResult(tmp_path / "out")
    assert set(found.answers) == {"response_mean_s", "slowdown_mean", "utilisation"}
    assert any("srpt" in sentence for sentence in found.answers["response_mean_s"])
    assert found.experiment.answers["response_mean_s"].axis == "workload.load"
    assert found.figures()
