"""Distributions, bars and quantities over time, from made-up values."""

import math

import numpy as np
import pandas as pd
import pytest

from somnus.analysis.figures import distributions, over_time, style
from somnus.analysis.figures import bars as bar_figures
from somnus.analysis.figures.style import Look


def by_minute(*values):
    return pd.Series(values, index=np.arange(len(values)) * 600.0, dtype=float)


@pytest.fixture
def frame():
    return pd.DataFrame({"cpu": by_minute(0.5, 1), "mem": by_minute(0.2, math.nan)})


def titles(figure):
    return [axes.get_title(loc="left") for axes in figure.axes]


def names(figure):
    (legend,) = figure.legends
    return [text.get_text() for text in legend.get_texts()]


def test_a_cdf_has_a_panel_a_group_and_ends_at_one():
    times = [pd.Series([4.0, 1.0, np.nan])]
    figure = distributions.cdf({"few": {"fair": times}, "many": {"fair": times}}, "slowdown")
    assert titles(figure) == ["few", "many"]
    (line,) = figure.axes[0].lines
    assert line.get_xdata().tolist() == [1, 1, 4] and line.get_ydata().tolist() == [0, 0.5, 1]
    assert figure.axes[1].get_xlabel() == "slowdown"
    assert figure.axes[1].get_xscale() == "linear"


def test_a_cdf_over_decades_is_logarithmic():
    figure = distributions.cdf({"": {"fair": [pd.Series([1.0, 101.0])]}}, "slowdown")
    assert figure.axes[0].get_xscale() == "log"


def test_a_cdf_of_several_runs_is_their_mean_within_0_and_1():
    runs = [pd.Series([1.0, 2.0]), pd.Series([2.0, 3.0])]
    figure = distributions.cdf({"": {"fair": runs}}, "slowdown")
    (axes,) = figure.axes
    (line,) = axes.lines
    assert line.get_xdata().tolist() == [1, 1, 2, 2, 3]
    assert line.get_ydata().tolist() == [0, 0.25, 0.75, 0.75, 1]
    (band,) = axes.collections
    reached = band.get_paths()[0].vertices[:, 1]
    assert (reached.min(), reached.max()) == (0, 1)
    assert "means of 2 runs" in figure.texts[0].get_text()


def test_many_values_make_no_large_file():
    figure = distributions.cdf({"": {"fair": [pd.Series(np.arange(1e5))]}}, "response time [s]")
    (line,) = figure.axes[0].lines
    assert len(line.get_xdata()) <= distributions.MOST_POINTS + 1
    assert line.get_xdata()[-1] == 99999 and line.get_ydata()[-1] == 1


def test_factors_have_a_line_between_faster_and_slower():
    figure = distributions.factors({"carbyne": [pd.Series([8, 0.5, math.nan])]}, "factor")
    (axes,) = figure.axes
    curve, line = axes.lines
    assert curve.get_xdata().tolist() == [0.5, 0.5, 8]
    assert curve.get_ydata().tolist() == [0, 0.5, 1] and list(line.get_xdata()) == [1, 1]
    form = axes.xaxis.get_major_formatter()
    assert axes.get_xscale() == "log" and (form(0.25), form(4)) == ("0.25×", "4×")


def test_factors_that_hardly_differ_are_on_a_linear_axis():
    figure = distributions.factors({"carbyne": [pd.Series([1.2, 0.9])]}, "factor")
    assert figure.axes[0].get_xscale() == "linear"
    assert figure.axes[0].xaxis.get_major_formatter()(0.95) == "0.95×"


def test_bars_are_means_with_what_they_may_be_off():
    runs = [pd.Series({"narrow": 1.0, "wide": 2.0}), pd.Series({"narrow": 1.2, "wide": 6.0})]
    figure = bar_figures.bars({"fair": runs, "cfq": runs[:1]}, "mean slowdown", floor=1)
    (axes,) = figure.axes
    heights = [patch.get_height() for patch in axes.patches]
    assert heights == pytest.approx([1.1, 4, 1, 2])
    hatches = {patch.get_hatch() for patch in axes.patches}
    assert len(hatches) == 2  # told apart without colours
    (bars,) = [each for each in axes.collections if hasattr(each, "get_segments")]
    assert len(bars.get_segments()) == 2  # none of a single run
    assert [segment[0][1] for segment in bars.get_segments()] == [1, 1]  # no slowdown is less
    assert figure.texts[0].get_text() == "means of 1 to 2 runs, 95 % confidence intervals over seeds"


def test_bars_of_decades_get_a_logarithmic_axis():
    (axes,) = bar_figures.bars({"a": [pd.Series({"x": 2.0, "y": 400.0})]}, "slowdown", floor=1).axes
    assert axes.get_yscale() == "log" and axes.get_ylim()[0] == 1


def test_a_quantity_over_time_has_a_curve_a_label():
    figure = over_time.curves({"yarn": [by_minute(0.5, 1)], "yaq-c": [by_minute(1, 1)]}, "slots", 1.0)
    (axes,) = figure.axes
    assert names(figure) == ["yarn", "yaq-c"]
    assert axes.lines[0].get_ydata().tolist() == [0.5, 1, 1]  # the last bin lasts as long as the others
    assert axes.lines[0].get_xdata().tolist() == [0, 10, 20]
    assert axes.get_xlabel() == "emulated time [min]" and axes.get_ylabel() == "slots"
    assert axes.get_ylim() == (0, 1.02)


def test_shares_have_a_panel_a_label_and_a_line_a_promise():
    frame = pd.DataFrame({"A": by_minute(0.6, 0.8), "B": by_minute(0.4, 0.2)})
    figure = over_time.panels({"stf": [frame], "ejf": [frame]}, "share", {"A": 0.7})
    assert titles(figure) == ["stf", "ejf"]
    curve, promise, other = figure.axes[0].lines
    assert curve.get_ydata().tolist() == [0.6, 0.8, 0.8] and other.get_ydata().tolist() == [0.4, 0.2, 0.2]
    assert list(promise.get_ydata()) == [0.7, 0.7] and promise.get_color() == curve.get_color()
    assert figure.axes[1].get_xlabel() == "emulated time [min]"


def test_a_kind_looks_alike_in_all_panels_and_a_line_is_at_all_there_is(frame):
    figure = over_time.panels({"fair": [frame], "slots": [frame[["mem"]]]}, "share",
                                 all_there_is=True)
    cpu, mem, everything = figure.axes[0].lines
    alone, _ = figure.axes[1].lines
    assert cpu.get_color() != mem.get_color() == alone.get_color()
    assert list(everything.get_ydata()) == [1, 1] and figure.axes[0].get_ylim()[1] > 1
    assert figure.axes[0].yaxis.get_major_formatter()(0.5) == "50%"
    assert np.isnan(mem.get_ydata()[1]) and names(figure) == ["cpu", "mem"]


def test_bands_of_many_kinds_would_hide_each_other():
    kinds = pd.DataFrame({name: by_minute(0.1, 0.2) for name in "abcd"})
    for frame, bands in ((kinds, 0), (kinds[["a"]], 1)):
        figure = over_time.panels({"fair": [frame, frame / 2]}, "share")
        assert len(figure.axes[0].collections) == bands
        assert ("95 %" in figure.texts[0].get_text()) == bool(bands)


def test_nothing_still_draws():
    empty = pd.Series([], dtype=float)
    for figure in (over_time.curves({"a": [empty]}, "slots"), over_time.curves({}, "slots"),
                   over_time.panels({"a": [pd.DataFrame()]}, "share")):
        assert figure.axes[-1].get_xlabel() == "emulated time [s]"
    assert distributions.factors({"a": [empty]}, "factor").axes
    assert distributions.cdf({"": {}}, "time").axes and bar_figures.bars({}, "slowdown").axes


@pytest.mark.parametrize(("labels", "columns"), [
    ([], 1), (["cpu"], 1), (["cpu", "mem"], 2), (["x" * 60] * 3, 1), (["x" * 20] * 4, 3)])
def test_a_legend_has_as_many_columns_as_fit(labels, columns):
    assert style.legend_columns(labels, 6.4) == columns


def test_lines_differ_in_more_than_colour():
    curves = [style.curve(place, 100) for place in range(8)]
    assert len({each["marker"] for each in curves}) == 8
    assert {each["linestyle"] for each in curves} == {"-"}  # steps with gaps cannot be followed
    assert len({style.hatch(place) for place in range(8)}) == 8


def test_a_figure_is_as_wide_as_it_will_be_printed_with_its_title():
    figure = over_time.curves({"a": [by_minute(1, 2)]}, "slots", look=Look("column", title="Fig. 1"))
    assert figure.get_figwidth() == 3.3 and figure.texts[0].get_text() == "Fig. 1"
