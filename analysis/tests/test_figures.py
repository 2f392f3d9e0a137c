import math

import matplotlib
import numpy as np
import pytest

from logs import Job, Task, write_log
from somnus_analysis import figures, load, style
from somnus_analysis.__main__ import main
from somnus_analysis.figures import UTILISATION_POINTS


@pytest.fixture
def logs(tmp_path):
    def make(policy, slower):
        jobs = [
            Job(submit=place, finish=place + slower * (1 + place), tasks=(1, 20, 60)[place % 3],
                alone=1 + place)
            for place in range(30)
        ]
        return load(write_log(tmp_path / f"{policy}.h5", jobs, policy=policy,
                              samples=[(t, t % 3) for t in range(1000)]))

    return [make("fair", 3), make("cfq", 1.5)]


def by_label(logs, column):
    return {log.label: getattr(log, column) for log in logs}


def test_the_cdf_has_a_curve_a_log_that_ends_at_one(logs):
    figure = figures.cdf({log.label: log.jobs["response_time"] for log in logs})
    (axes,) = figure.axes
    assert axes.get_xscale() == "log"
    assert [line.get_label() for line in axes.lines] == ["fair", "cfq"]
    for line, log in zip(axes.lines, logs):
        assert list(line.get_xdata()) == sorted(log.jobs["response_time"])
        assert line.get_ydata()[-1] == 1
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["fair", "cfq"]
    assert "[s]" in axes.get_xlabel()
    colours = {line.get_color() for line in axes.lines}
    dashes = {line.get_linestyle() for line in axes.lines}
    assert len(colours) == len(dashes) == 2


def test_slowdown_bars_are_means_with_one_standard_deviation(logs):
    figure = figures.slowdown(by_label(logs, "jobs"))
    (axes,) = figure.axes
    bars = [[bar.get_height() for bar in group.patches] for group in axes.containers
            if hasattr(group, "patches")]
    assert np.array(bars) == pytest.approx(np.array([[3, 3, 3], [1.5, 1.5, 1.5]]))
    assert [tick.get_text() for tick in axes.get_xticklabels()] == [
        "narrow\n1–10 tasks\n10 jobs",
        "medium\n11–50 tasks\n10 jobs",
        "wide\n> 50 tasks\n10 jobs",
    ]


def test_standard_deviations_are_drawn_to_scale(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [Job(0, 2), Job(0, 4)]))
    (axes,) = figures.slowdown({"a": log.jobs}).axes
    (bars,) = [each for each in axes.collections if hasattr(each, "get_segments")]
    assert bars.get_segments()[0][:, 1].tolist() == [2, 4]  # the mean 3, and 1 each way


def test_slowdowns_of_decades_get_a_logarithmic_axis(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [Job(0, 2), Job(0, 400, tasks=60)]))
    (axes,) = figures.slowdown({"a": log.jobs}).axes
    assert axes.get_yscale() == "log" and axes.get_ylim()[0] == 1


def test_utilisation_has_a_panel_a_log_over_one_time_axis(logs):
    figure = figures.utilisation(by_label(logs, "samples"))
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["fair", "cfq"]
    for axes in figure.axes:
        (line,) = axes.lines
        assert len(line.get_xdata()) <= UTILISATION_POINTS
        assert np.mean(line.get_ydata()) == pytest.approx(0.5, abs=0.01)
    assert figure.axes[-1].get_xlabel() == "emulated time [min]"


def test_an_empty_log_still_draws(tmp_path):
    path = write_log(tmp_path / "a.h5", [Job(0, math.nan, state=1)])
    assert len(figures.draw_all([load(path)], tmp_path)) == 3


@pytest.mark.parametrize("suffix", figures.FORMATS)
def test_plot_prints_the_files_that_it_wrote(logs, tmp_path, capsys, suffix):
    out = tmp_path / "out"
    paths = [str(log.path) for log in logs]
    assert main(["plot", *paths, "-o", str(out), "--format", suffix]) == 0
    written = capsys.readouterr().out.split()
    assert written == [str(out / f"{name}.{suffix}") for name in ("cdf", "slowdown", "utilisation")]
    assert all((out / name).stat().st_size > 3000 for name in written)


def test_colours_repeat_with_another_dash():
    count = len(style.COLOURS)
    assert style.colour(0) == style.colour(count)
    assert style.dash(0) != style.dash(count)


def test_drawing_leaves_the_users_settings_alone(logs, tmp_path):
    before = dict(matplotlib.rcParams)
    figures.draw_all(logs, tmp_path)
    assert dict(matplotlib.rcParams) == before
