import numpy as np
import pandas as pd
import pytest

from logs import Job, write_log
from somnus_analysis import user_figures
from somnus_analysis.__main__ import main


def test_each_user_has_a_point_a_label_in_the_order_of_the_first():
    first = pd.Series({"ann": 0.5, "bob": -0.25, "cid": 0.1})
    other = pd.Series({"cid": 1.0, "ann": 0.0})
    figure = user_figures.deviations({"all": {"fair": first, "cfq": other}}, "mean response time")
    (axes,) = figure.axes
    points = {line.get_label(): line.get_ydata()
              for line in axes.lines if line.get_marker() != "None"}
    assert points["fair"].tolist() == [-0.25, 0.1, 0.5]
    assert np.isnan(points["cfq"][0]) and points["cfq"].tolist()[1:] == [1, 0]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["bob", "cid", "ann"]
    assert axes.get_ylabel() == "mean response time"


def test_names_of_too_many_users_are_left_out():
    many = pd.Series(0.0, index=[f"user{place}" for place in range(1000)])
    (axes,) = user_figures.deviations({"all": {"fair": many}}, "slowdown").axes
    assert axes.get_xlabel() == "1,000 users" and not len(axes.get_xticks())


def test_a_cdf_has_a_panel_a_group_and_ends_at_one():
    times = pd.Series([4.0, 1.0, np.nan])
    figure = user_figures.cdf({"few": {"fair": times}, "many": {"fair": times}}, "slowdown")
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["few", "many"]
    (line,) = figure.axes[0].lines
    assert line.get_xdata().tolist() == [1, 1, 4] and line.get_ydata().tolist() == [0, 0.5, 1]
    assert figure.axes[1].get_xlabel() == "slowdown"
    assert figure.axes[1].get_xscale() == "linear"


def test_a_cdf_over_decades_is_logarithmic():
    figure = user_figures.cdf({"all": {"fair": pd.Series([1.0, 101.0])}}, "slowdown")
    assert figure.axes[0].get_xscale() == "log"


def test_finished_jobs_count_from_the_first_submit():
    jobs = pd.DataFrame({"submit": [5.0, 6.0, 7.0], "finish": [9.0, 7.0, np.nan]})
    (line,) = user_figures.finished({"fair": jobs}).axes[0].lines
    assert line.get_xdata().tolist() == [0, 2, 4] and line.get_ydata().tolist() == [0, 1, 2]


@pytest.mark.parametrize("more", [[], ["ujf"]])
def test_plot_draws_users_against_a_reference_run(tmp_path, capsys, more):
    jobs = {"uwfq": [Job(0, 2, user=0), Job(0, 6, user=1)],
            "ujf": [Job(0, 4, user=0), Job(0, 4, user=1)]}
    paths = {name: str(write_log(tmp_path / f"{name}.h5", each, policy=name))
             for name, each in jobs.items()}
    names = ["uwfq", *more]
    assert main(["plot", *(paths[name] for name in names), "--against", paths["ujf"],
                 "-o", str(tmp_path)]) == 0
    assert str(tmp_path / "users.png") in capsys.readouterr().out.split()
    assert (tmp_path / "users.png").stat().st_size > 5000
