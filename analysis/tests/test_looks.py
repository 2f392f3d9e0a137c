"""What all figures share: a scheduler's colour and its word, ticks, what is written around a figure."""


import numpy as np
import pandas as pd
import pytest

from experiments import expect_all_within, write_experiment
from logs import Job, Task, write_log
from somnus.analysis import load
from somnus.analysis.base.names import words_of
from somnus.analysis.experiments import figures as experiment_figures
from somnus.analysis.experiments.layout import arrange
from somnus.analysis.experiments.table import read
from somnus.analysis.experiments.words import Metric
from somnus.analysis.figures import bars, distributions, files, over_time, style
from somnus.analysis.figures.drawable import Options
from somnus.analysis.figures.style import Look
from somnus.analysis.metrics.policies import by_policy

LABELS = ["fair", "cfq", "srpt", "fifo"]
EXCHANGED = "fair+order=srpt+queue.length=8"


def colours(figure):
    return {text.get_text(): handle.get_facecolor() if hasattr(handle, "get_facecolor") else handle.get_color()
            for text, handle in zip(figure.legends[0].get_texts(), figure.legends[0].legend_handles
                                    if hasattr(figure.legends[0], "legend_handles")
                                    else figure.legends[0].legendHandles)}


def labels(axis):
    axis.figure.draw_without_rendering()
    return [tick.get_text() for tick in axis.get_ticklabels() if tick.get_text()]


@pytest.mark.parametrize("kind", [
    lambda names: over_time.curves({name: [pd.Series([1, 2], [0, 60])] for name in names}, "tasks"),
    lambda names: distributions.cdf({"": {name: [pd.Series([1, 2])] for name in names}}, "time [s]"),
    lambda names: bars.bars({name: [pd.Series({"x": 1.0})] for name in names}, "slowdown")])
def test_a_colour_is_a_schedulers_whatever_the_order(kind):
    there, back, alone = colours(kind(LABELS)), colours(kind(LABELS[::-1])), colours(kind(["cfq"]))
    assert there == back and alone["cfq"] == there["cfq"]
    assert len({str(each) for each in there.values()}) == len(LABELS)


def test_schedulers_that_papers_compare_have_different_colours():
    for names in ("fifo fair srpt cfq ujf uwfq", "drf tetris sjf carbyne dagps", "fair cfq paf",
                  "yarn yarn+q yaq-c yaq-d mercury sparrow", "fcfs easy conservative slurm-backfill"):
        alone = [style.places([name])[name] for name in names.split()]
        assert len(set(alone)) == len(alone) and list(style.places(names.split()).values()) == alone


def test_of_one_preset_twice_the_plain_one_keeps_its_colour():
    found = style.places(["fair (2)", "CFQ", "mine", "fair"])
    assert (found["fair"], found["CFQ"]) == (0, 1) and len(set(found.values())) == 4
    assert found == style.places(["fair", "mine", "CFQ", "fair (2)"])


def test_a_policy_is_one_word_which_a_line_explains(tmp_path):
    def write(name, label, config=""):
        jobs, tasks = [Job(0, 9), Job(1, 9)], [Task(0, 0, 9)]
        return load(write_log(tmp_path / f"{name}.h5", jobs, tasks, [(0, 1)], policy=label, config=np.bytes_(config)))

    logs = [write("a", EXCHANGED), write("b", "fair"), write("c", "my+x=y", '[scheduler]\nlabel = "my+x=y"\n')]
    for order in (logs, logs[::-1]):
        figure = files.draw("cdf", by_policy(order), Options())
        assert set(colours(figure)) == {"fair (2)", "fair", "my+x=y"}
        assert [text.get_text() for text in figure.texts] == ["fair (2): order=srpt, queue.length=8"]
    named = by_policy(logs, {EXCHANGED: "mine", "fair": "Fair"}, ["my+x=y"])
    assert [each.label for each in named] == ["my+x=y", "mine", "Fair"]
    assert [each.label for each in by_policy(logs, order=["fair (2)"])] == ["fair (2)", "fair", "my+x=y"]


def test_words_do_not_depend_on_the_order():
    every = ["yarn+q", EXCHANGED, "fair+order=srpt", "+order=srpt", "x=1e+06"]
    assert words_of(every) == {"yarn+q": "yarn+q", EXCHANGED: "fair (2)", "fair+order=srpt": "fair",
                               "+order=srpt": "+order=srpt", "x=1e+06": "x=1e+06"}
    assert words_of(every[::-1]) == words_of(every)


@pytest.mark.parametrize(("least", "most"), [(3, 700), (0.01, 0.9), (40, 9000)])
def test_a_logarithmic_axis_has_labels_at_2_and_5(least, most):
    values = pd.Series(np.geomspace(least, most, 50))
    for width in ("column", "page"):
        (axes,) = distributions.cdf({"": {"fair": [values]}}, "time", look=Look(width)).axes
        shown = [float(text.replace(",", "")) for text in labels(axes.xaxis)]
        firsts = {int(f"{value:e}"[0]) for value in shown}
        assert axes.get_xscale() == "log" and firsts == {1, 2, 5}


def test_a_label_that_has_no_room_is_left_out():
    values = pd.Series(np.geomspace(0.001, 1e7, 50))
    (axes,) = distributions.cdf({"": {"fair": [values]}}, "time", look=Look("column")).axes
    axes.figure.draw_without_rendering()
    boxes = [tick.get_window_extent() for tick in axes.get_xticklabels() if tick.get_text()]
    assert len(boxes) > 3 and all(one.x1 < other.x0 for one, other in zip(boxes, boxes[1:]))


@pytest.mark.parametrize("width", style.WIDTHS)
def test_what_is_written_around_a_figure_lies_within(width):
    words = tuple(f"yaq-c ({number}): " + "preemption=requeue, " * 6 for number in range(3))
    look = Look(width, title="A title that is longer than a paper's column is wide, and then some " * 2, lines=words)
    expect_all_within(over_time.curves({"a": [pd.Series([1, 2], [0, 60])]}, "slots", look=look), style.WIDTHS[width])


def test_a_centimetre_of_a_column_has_ten_steps(tmp_path):
    tasks = [Task(0, at, at + 0.5) for at in range(3000)]
    log = load(write_log(tmp_path / "a.h5", [Job(0, 3000), Job(0, 3000)], tasks, [(at, at % 2) for at in range(3000)]))
    for name in ("utilisation", "shares", "jain", "finished"):
        for axes in files.draw(name, by_policy([log]), Options(Look("column"))).axes:
            assert all(len(line.get_xdata()) <= 3.3 * 2.54 * 10 for line in axes.lines), name


def test_a_category_that_no_run_has_takes_no_room():
    (axes,) = bars.bars({"fair": [pd.Series({"narrow": np.nan, "wide": 2.0})]}, "slowdown").axes
    assert labels(axes.xaxis) == ["wide"] and axes.get_xlim() == (-0.5, 0.5)


def test_an_experiments_policies_have_their_colours_and_words(tmp_path):
    rows = [(policy, load, 5, 1) for policy in (EXCHANGED, "cfq", "fair") for load in ("0.5", "0.7", "0.9")]
    found = read(write_experiment(tmp_path, ["policy", "workload.load"], rows))
    (figure,) = experiment_figures.draw(found, arrange(found), Metric("response_mean_s", "s")).values()
    handles, names = figure.axes[0].get_legend_handles_labels()
    looks = {name: handle[0].get_color() for name, handle in zip(names, handles)}
    assert list(looks) == ["fair (2)", "cfq", "fair"]
    assert (looks["fair"], looks["cfq"]) == style.COLOURS[:2]
    assert figure.texts[-1].get_text() == "fair (2): order=srpt, queue.length=8"
