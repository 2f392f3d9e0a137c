"""The figure of what `somnus advise` measured."""

import json
import subprocess

import pytest

from experiments import CONFIG, expect_all_within
from somnus.analysis.__main__ import main
from somnus.analysis.base.errors import UserError
from somnus.analysis.experiments import advice
from somnus.analysis.figures import style


def row(policy, aim, beside, front=False):
    return {"policy": policy, "aim": {"mean": aim, "half_width": aim / 10, "runs": 5},
            "beside": {"mean": beside, "half_width": beside / 10, "runs": 5}, "front": front}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "advice.json").write_text(json.dumps({
        "aim": "response_mean_s", "beside": "slowdown_worst_tenth", "own": "fair", "best": "srpt",
        "finalists": [row("srpt", 10, 3, True), row("cfq", 11, 2, True), row("fair", 12, 4)],
        "presets": [row("fifo", 500, 90)]}))
    return tmp_path


def test_every_dot_has_a_name_and_every_axis_words(folder):
    found = advice.read(folder)
    assert [each.policy for each in found.measured] == ["srpt", "cfq", "fair", "fifo"]
    figure = advice.front(found)
    axes, = figure.axes
    names = {each.get_text() for each in axes.texts if each.get_text()}
    assert names == {"srpt", "cfq", "fair (yours)", "fifo"}
    assert axes.get_xlabel() == "mean response time [s]"
    assert axes.get_ylabel() == "mean slowdown, worst 10 %\n(response / alone)"
    assert axes.get_xscale() == axes.get_yscale() == "log"
    expect_all_within(figure, style.WIDTHS["page"])


def test_what_is_no_advice_is_said(tmp_path):
    with pytest.raises(UserError, match="somnus advise -o"):
        advice.read(tmp_path)
    (tmp_path / "advice.json").write_text("[]")
    with pytest.raises(UserError, match="is no advice of somnus"):
        advice.read(tmp_path)


def test_from_the_program_to_the_figure(tmp_path, somnus):
    (tmp_path / "config.toml").write_text(CONFIG)
    subprocess.run([somnus, "advise", "config.toml", "-o", "out", "--seeds", "3", "-q"], cwd=tmp_path, check=True)
    assert main(["advice", str(tmp_path / "out"), "-o", str(tmp_path / "figures"), "-q"]) == 0
    assert (tmp_path / "figures/front.png").exists()
