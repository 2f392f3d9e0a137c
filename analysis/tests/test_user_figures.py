import numpy as np
import pandas as pd

from somnus.analysis.figures import users as user_figures


def test_each_user_has_a_point_a_label_in_the_order_of_the_first():
    first = pd.Series({"ann": 0.5, "bob": -0.25, "cid": 0.1})
    other = pd.Series({"cid": 1.0, "ann": 0.0})
    figure = user_figures.deviations({"all": {"fair": [first], "cfq": [other]}}, "response time")
    (axes,) = figure.axes
    points = {line.get_label(): line.get_ydata()
              for line in axes.lines if line.get_marker() != "None"}
    assert points["fair"].tolist() == [-0.25, 0.1, 0.5]
    assert np.isnan(points["cfq"][0]) and points["cfq"].tolist()[1:] == [1, 0]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["bob", "cid", "ann"]
    assert axes.get_ylabel() == "response time"


def test_names_of_too_many_users_are_left_out():
    many = pd.Series(0.0, index=[f"user{place}" for place in range(1000)])
    (axes,) = user_figures.deviations({"all": {"fair": [many]}}, "slowdown").axes
    assert axes.get_xlabel() == "1,000 users" and not len(axes.get_xticks())


def test_nobody_is_faster_than_at_once():
    runs = [pd.Series({"ann": -0.9}), pd.Series({"ann": -0.1})]
    (axes,) = user_figures.deviations({"all": {"fair": runs}}, "response time").axes
    (bar,) = axes.collections[0].get_segments()
    assert bar[0][1] == -1 and axes.lines[0].get_ydata().tolist() == [-0.5]
