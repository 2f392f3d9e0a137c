import math

import numpy as np
import pandas as pd
import pytest

from logs import ACTIVE, Job, Stage, Task, write_log
from somnus_analysis import figures, load, resource_figures, style
from somnus_analysis.__main__ import main


def by_minute(*values):
    return pd.Series(values, index=np.arange(len(values)) * 600.0, dtype=float)


@pytest.fixture
def frame():
    return pd.DataFrame({"cpu": by_minute(0.5, 1), "mem": by_minute(0.2, math.nan)})


def write(path, finish, **more):
    return write_log(path, [Job(0, finish), Job(0, 3)],
                     [Task(0, 0, finish), Task(1, 1, 3, ready=0)], samples=[(0, 1, 1, 2)],
                     stages=[Stage(0, 0, finish, demand=(1, 2)), Stage(1, 0, 3, demand=(1, 6))],
                     nodes=[(0, 2, 8)], resources=("cpu", "mem"), **more)


def test_use_has_a_panel_a_run_a_curve_a_resource_and_a_line_at_all(frame):
    figure = resource_figures.use({"fair": frame, "tetris": frame})
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["fair", "tetris"]
    for axes in figure.axes:
        cpu, mem, everything = axes.lines
        assert cpu.get_ydata().tolist() == [0.5, 1] and cpu.get_xdata().tolist() == [0, 10]
        assert cpu.get_color() != mem.get_color()
        assert list(everything.get_ydata()) == [1, 1] and axes.get_ylim()[1] > 1
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["cpu", "mem"]


def test_leftover_has_gaps_where_no_task_waits(frame):
    (axes,) = resource_figures.leftover({"fair": frame}).axes
    assert np.isnan(axes.lines[1].get_ydata()[1])
    assert axes.yaxis.get_major_formatter()(0.5) == "50%"


def test_fairness_has_a_curve_a_run():
    (axes,) = resource_figures.fairness({"fair": by_minute(0.9, 1), "fifo": by_minute(0.1, 1)}).axes
    assert [line.get_label() for line in axes.lines] == ["fair", "fifo"]
    assert axes.get_ylabel() == "Jain's index over 60 s" and axes.get_ylim()[0] == 0


def test_speedup_is_a_cdf_with_a_line_between_faster_and_slower():
    figure = resource_figures.speedup({"carbyne": pd.Series([8, 0.5, math.nan])}, "drf")
    (axes,) = figure.axes
    curve, line = axes.lines
    assert curve.get_xdata().tolist() == [0.5, 0.5, 8]
    assert curve.get_ydata().tolist() == [0, 0.5, 1]
    assert list(line.get_xdata()) == [1, 1]
    assert axes.get_xlabel() == "factor of improvement over drf"
    assert axes.get_xscale() == "log" and axes.xaxis.get_major_formatter()(0.25) == "0.25×"


def test_factors_that_hardly_differ_are_on_a_linear_axis():
    figure = resource_figures.speedup({"carbyne": pd.Series([1.2, 0.9])}, "drf")
    assert figure.axes[0].get_xscale() == "linear"


def test_nothing_still_draws():
    empty = pd.Series([], dtype=float)
    assert resource_figures.use({"a": pd.DataFrame()}).axes
    assert resource_figures.fairness({"a": empty}).axes
    assert resource_figures.speedup({"a": empty}, "drf").axes


@pytest.mark.parametrize(("labels", "columns"), [
    ([], 1), (["cpu"], 1), (["cpu", "mem"], 2), (["x" * 40] * 3, 1), (["x" * 20] * 4, 2)])
def test_a_legend_has_as_many_columns_as_fit(labels, columns):
    assert style.legend_columns(labels, 6.4) == columns


def test_plot_draws_resources_where_there_are_some(tmp_path, capsys):
    paths = [str(write(tmp_path / f"{name}.h5", finish, policy=name))
             for name, finish in (("tetris", 4), ("fair", 9))]
    assert main(["plot", *paths, "--against", paths[1], "-o", str(tmp_path)]) == 0
    written = capsys.readouterr().out.split()
    names = ("cdf", "slowdown", "utilisation", "resources", "leftover", "jain", "speedup", "users")
    assert written == [str(tmp_path / f"{name}.png") for name in names]
    assert all((tmp_path / f"{name}.png").stat().st_size > 3000 for name in names)


def test_runs_with_slots_and_with_resources_are_drawn_together(tmp_path):
    slots = write_log(tmp_path / "slots.h5", [Job(0, 4)], [Task(0, 0, 4)], samples=[(0, 1)])
    logs = {"a": load(write(tmp_path / "a.h5", 4)), "b": load(slots)}
    drawn = resource_figures.draw(logs)["resources"]
    assert [[line.get_label() for line in axes.lines[:-1]] for axes in drawn.axes] == [
        ["cpu", "mem"], ["slots"]]
    (legend,) = drawn.legends
    assert [text.get_text() for text in legend.get_texts()] == ["cpu", "mem", "slots"]


def test_a_run_of_resources_in_which_nothing_ended_still_draws(tmp_path):
    path = write_log(tmp_path / "a.h5", [Job(0, math.nan, state=ACTIVE)], nodes=[(0, 4)],
                     resources=("cpu",), stages=[Stage(0, 0, math.nan, demand=(1,))])
    assert len(figures.draw_all([load(path)], tmp_path)) == 6
