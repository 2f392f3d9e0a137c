import numpy as np
import pandas as pd
import pytest

from somnus_analysis import queue_figures


def by_minute(*values):
    return pd.Series(values, index=np.arange(len(values)) * 600.0, dtype=float)


@pytest.mark.parametrize(("draw", "quantity"), [
    (queue_figures.utilisation, "occupied slots"),
    (queue_figures.queue_length, "tasks in the nodes' queues"),
])
def test_a_quantity_over_time_has_a_curve_a_label(draw, quantity):
    (axes,) = draw({"yarn": by_minute(0.5, 1), "yaq-c": by_minute(1, 1)}).axes
    assert [line.get_label() for line in axes.lines] == ["yarn", "yaq-c"]
    assert axes.lines[0].get_ydata().tolist() == [0.5, 1]
    assert axes.lines[0].get_xdata().tolist() == [0, 10]
    assert axes.get_xlabel() == "emulated time [min]" and axes.get_ylabel() == quantity
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["yarn", "yaq-c"]


def test_utilisation_is_in_per_cent():
    (axes,) = queue_figures.utilisation({"yarn": by_minute(0.5, 1)}).axes
    assert axes.yaxis.get_major_formatter()(0.5) == "50%" and axes.get_ylim()[0] == 0


def test_shares_have_a_panel_a_label_and_a_line_a_promise():
    frame = pd.DataFrame({"A": by_minute(0.6, 0.8), "B": by_minute(0.4, 0.2)})
    figure = queue_figures.shares({"stf": frame, "ejf": frame}, {"A": 0.7})
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["stf", "ejf"]
    curve, promise, other = figure.axes[0].lines
    assert curve.get_ydata().tolist() == [0.6, 0.8] and other.get_ydata().tolist() == [0.4, 0.2]
    assert list(promise.get_ydata()) == [0.7, 0.7] and promise.get_color() == curve.get_color()
    assert figure.axes[1].get_xlabel() == "emulated time [min]"


def test_completion_is_a_cdf_from_the_first_start():
    jobs = pd.DataFrame({"completion_time": [4.0, 1.0, np.nan]})
    (axes,) = queue_figures.completion({"yaq-c": jobs}).axes
    (line,) = axes.lines
    assert line.get_xdata().tolist() == [1, 1, 4]
    assert axes.get_xlabel() == "completion time from first start [s]"


def test_nothing_still_draws():
    empty = pd.Series([], dtype=float)
    for figure in (queue_figures.utilisation({"a": empty}), queue_figures.queue_length({}),
                   queue_figures.shares({"a": pd.DataFrame()})):
        assert figure.axes[-1].get_xlabel() == "emulated time [s]"
