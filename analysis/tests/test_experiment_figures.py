import matplotlib
import pytest

from experiments import drawn, expect_all_within, write_experiment
from somnus.analysis.__main__ import main
from somnus.analysis.experiments import figures as experiment_figures
from somnus.analysis.experiments import table as experiment
from somnus.analysis.experiments.layout import arrange
from somnus.analysis.experiments.words import Metric
from somnus.analysis.figures import style
from somnus.analysis.figures import files as figures

KEYS = ["policy", "workload.load"]
# fair is what cfq is compared with. The intervals of the last row reach beyond what can be.
ROWS = [("fair", "0.5", 10, 1), ("fair", "0.9", 20, 4),
        ("cfq", "0.5", 9, 2, -0.1, 0.05), ("cfq", "0.9", 3, 5, -0.85, 0.3)]
RESPONSE = Metric("response_mean_s", "s")


def draw(folder, metric=RESPONSE, width="column", x=None):
    found = experiment.read(folder)
    return experiment_figures.draw(found, arrange(found, x), metric, width)


def near(points):
    return [pytest.approx(point) for point in points]


@pytest.fixture
def folder(tmp_path):
    return write_experiment(tmp_path / "out", KEYS, ROWS)


def test_a_curve_a_policy_with_its_intervals_which_end_at_no_time_at_all(folder):
    (axes,) = draw(folder)["response_mean_s"].axes
    shown = drawn(axes)
    assert list(shown) == ["fair", "cfq"]
    assert shown["fair"] == near([(0.5, 10, 9, 11), (0.9, 20, 16, 24)])
    assert shown["cfq"] == near([(0.5, 9, 7, 11), (0.9, 3, 0, 8)])
    assert axes.get_xlabel() == "offered load [share of capacity]"
    assert axes.get_ylabel() == "mean response time [s]"
    assert axes.get_ylim()[0] <= 0 and axes.get_ylim()[1] > 24


def test_the_figure_says_what_its_intervals_are(folder):
    notes = {name: figure.texts[0].get_text() for name, figure in draw(folder).items()}
    assert notes == {"response_mean_s": "means of 10 runs, 95 % confidence intervals",
                     "response_mean_s-difference":
                         "paired by seed, 10 runs, 95 % confidence intervals"}


def test_the_figure_says_that_its_intervals_are_over_batches(tmp_path):
    folder = write_experiment(tmp_path / "out", KEYS, ROWS, runs=20, replicates="batches")
    notes = {name: figure.texts[0].get_text() for name, figure in draw(folder).items()}
    assert notes == {"response_mean_s": "means of 20 batches, 95 % confidence intervals",
                     "response_mean_s-difference":
                         "paired by batch, 20 batches, 95 % confidence intervals"}


def test_differences_are_in_percent_of_the_baseline_beside_a_line_at_zero(folder):
    (axes,) = draw(folder)["response_mean_s-difference"].axes
    assert drawn(axes) == {"cfq": near([(0.5, -10, -15, -5), (0.9, -85, -100, -55)])}
    assert axes.get_ylabel() == "mean response time,\ndifference to fair [%]"
    low, high = axes.get_ylim()
    assert low < 0 < high
    assert [line.get_ydata() for line in axes.lines if len(set(line.get_ydata())) == 1] == [[0, 0]]


def test_a_policy_looks_the_same_in_both_figures(folder):
    looks = [{label: (bar[0].get_color(), bar[0].get_marker(), bar[0].get_linestyle())
              for bar, label in zip(*figure.axes[0].get_legend_handles_labels())}
             for figure in draw(folder).values()]
    assert looks[0]["cfq"] == looks[1]["cfq"] != looks[0]["fair"]


def test_without_a_baseline_there_is_no_difference(tmp_path):
    write_experiment(tmp_path, KEYS, [row[:4] for row in ROWS])
    assert list(draw(tmp_path)) == ["response_mean_s"]


def test_lines_differ_in_more_than_colour(tmp_path):
    rows = [(f"p{place}", load, place + 1, 0.1) for place in range(8) for load in ("0.5", "0.9")]
    (axes,) = draw(write_experiment(tmp_path, KEYS, rows))["response_mean_s"].axes
    lines = [bar[0] for bar in axes.get_legend_handles_labels()[0]]
    assert len({line.get_marker() for line in lines}) == 8
    assert len({(line.get_color(), line.get_linestyle()) for line in lines}) == 8


def test_of_two_axes_one_has_the_markers_and_one_the_fillings(tmp_path):
    rows = [(policy, nodes, load, 5, 1) for policy in ("fair", "cfq") for nodes in ("10", "20")
            for load in ("0.5", "0.7", "0.9")]
    write_experiment(tmp_path, ["policy", "cluster.nodes", "workload.load"], rows)
    (axes,) = draw(tmp_path)["response_mean_s"].axes
    looks = {label: (bar[0].get_marker(), bar[0].get_fillstyle(), bar[0].get_color())
             for bar, label in zip(*axes.get_legend_handles_labels())}
    colours = style.COLOURS
    assert looks == {"fair, nodes = 10": ("o", "full", colours[0]),
                     "fair, nodes = 20": ("o", "none", colours[0]),
                     "cfq, nodes = 10": ("s", "full", colours[1]),
                     "cfq, nodes = 20": ("s", "none", colours[1])}


def test_names_that_would_be_alike_when_cut_are_whole(tmp_path):
    names = [f"{'a' * 30}{middle}{'z' * 30}" for middle in "bc"]
    rows = [(name, load, 5, 1) for name in names for load in ("0.5", "0.9")]
    (axes,) = draw(write_experiment(tmp_path, KEYS, rows))["response_mean_s"].axes
    assert list(drawn(axes)) == names


def test_categories_are_points_beside_their_names(tmp_path):
    rows = [("fair", 100, 10), ("cfq", 90, 5, -0.1, 0.04)]
    found = draw(write_experiment(tmp_path, ["policy"], rows))
    (axes,) = found["response_mean_s"].axes
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["fair", "cfq"]
    (container,) = axes.containers
    (bars,) = container[2]
    assert [segment[:, 0].tolist() for segment in bars.get_segments()] == [[90, 110], [85, 95]]
    assert container[0].get_linestyle() == "None"
    assert axes.get_xlabel() == "mean response time [s]"
    (axes,) = found["response_mean_s-difference"].axes
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["cfq"]


def test_points_of_several_axes_are_one_below_the_other(tmp_path):
    rows = [(policy, order, 5, 1) for policy in ("fair", "cfq", "drf")
            for order in ("fifo", "lifo")]
    (axes,) = draw(write_experiment(tmp_path, ["policy", "order"], rows))["response_mean_s"].axes
    places = {label: [round(y, 6) for _, y, *_ in points] for label, points in drawn(axes).items()}
    assert places == {"order = fifo": [-0.11, 0.89, 1.89], "order = lifo": [0.11, 1.11, 2.11]}


@pytest.mark.parametrize(("metric", "rows", "intervals", "label"), [
    (Metric("utilisation", "%"), [(0.5, 0.1), (0.95, 0.1)], [[40, 60], [85, 100]],  # all at most
     "utilisation [%]"),
    # No slowdown is below one, unless jobs gain by company.
    (Metric("slowdown_mean", "x"), [(1.1, 0.3), (0.9, 0.3)], [[1, 1.4], [0.6, 1.2]],
     "mean slowdown\n(response / alone)"),
    (Metric("lateness_p50_s", "s"), [(1e-3, 2e-3), (-1e-3, 2e-3)], [[-1, 3], [-3, 1]],
     "median task lateness [ms]"),
])
def test_intervals_end_where_values_do(tmp_path, metric, rows, intervals, label):
    points = [("fair", load, *row) for load, row in zip(("0.5", "0.9"), rows)]
    write_experiment(tmp_path, KEYS, points, metric=metric.name, unit=metric.unit)
    (axes,) = draw(tmp_path, metric)[metric.name].axes
    (bars,) = axes.containers[0][2]
    assert [segment[:, 1].tolist() for segment in bars.get_segments()] == near(intervals)
    assert axes.get_ylabel() == label and axes.get_ylim()[0] < min(map(min, intervals))


def test_single_runs_have_no_interval_and_the_figure_says_so(tmp_path):
    rows = [("fair", "0.5", 10, ""), ("fair", "0.9", 12, "")]
    figure = draw(write_experiment(tmp_path, KEYS, rows, runs=1))["response_mean_s"]
    assert figure.texts[0].get_text() == "one run each, so without intervals"
    assert not figure.axes[0].containers[0][2]


def test_a_share_of_nothing_is_not_drawn_and_told(tmp_path):
    rows = [("fair", "0.5", 0, 0), ("fair", "0.9", 2, 0),
            ("cfq", "0.5", 2, 1, "inf", "inf"), ("cfq", "0.9", 3, 1, 0.5, 0.1)]
    write_experiment(tmp_path, KEYS, rows)
    with pytest.warns(UserWarning, match="1 of 2 differences are not drawn, for fair has a mean"):
        found = draw(tmp_path)
    assert drawn(found["response_mean_s-difference"].axes[0]) == {"cfq": near([(0.9, 50, 40, 60)])}


def test_equal_values_get_an_axis_with_room(tmp_path):
    rows = [("fair", "0.5", 0, 0), ("fair", "0.9", 0, 0), ("cfq", "0.5", 0, 0, 0, 0),
            ("cfq", "0.9", 0, 0, 1e-16, 1e-16)]
    found = draw(write_experiment(tmp_path, KEYS, rows))
    low, high = found["response_mean_s"].axes[0].get_ylim()
    assert -0.1 < low < 0 and high == 1
    low, high = found["response_mean_s-difference"].axes[0].get_ylim()
    assert (low, high) == pytest.approx((-1, 1))


def test_values_over_decades_get_a_logarithmic_axis(tmp_path):
    rows = [("fair", "0.5", 1, 2), ("fair", "0.9", 200, 10)]
    (axes,) = draw(write_experiment(tmp_path, KEYS, rows))["response_mean_s"].axes
    assert axes.get_yscale() == "log" and axes.get_ylim()[0] < 1
    assert axes.get_xscale() == "linear"


def test_steps_over_decades_get_a_logarithmic_axis(tmp_path):
    rows = [(nodes, 5, 1) for nodes in ("10", "100", "1000")]
    (axes,) = draw(write_experiment(tmp_path, ["cluster.nodes"], rows))["response_mean_s"].axes
    assert axes.get_xscale() == "log"
    axes.figure.draw_without_rendering()
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["10", "100", "1,000"]


def test_panels_share_their_axes_and_one_legend(tmp_path):
    rows = [(f"p{place}", nodes, load, place + 1, 0.2) for place in range(6)
            for nodes in ("10", "20") for load in ("0.5", "0.7", "0.9")]
    write_experiment(tmp_path, ["policy", "cluster.nodes", "workload.load"], rows)
    page = draw(tmp_path, width="page")["response_mean_s"]
    assert [axes.get_title(loc="left") for axes in page.axes] == ["nodes = 10", "nodes = 20"]
    assert page.axes[0].get_ylim() == page.axes[1].get_ylim()
    assert len(page.legends) == 1 and len(page.legends[0].get_texts()) == 6
    column = draw(tmp_path)["response_mean_s"]
    assert column.axes[0].get_position().y0 > column.axes[1].get_position().y1


@pytest.mark.parametrize("width", style.WIDTHS)
@pytest.mark.parametrize("x", ["workload.load", "policy"])
def test_all_that_is_written_lies_in_the_figure(tmp_path, width, x):
    names = ["fair", "a-policy-of-a-very-long-name+queue.length=8", "cfq", "uwfq", "drf", "srpt"]
    rows = [(name, load, 5, 1, *((0.2, 0.1) if name != "fair" else ())) for name in names
            for load in ("0.5", "0.7", "0.9")]
    write_experiment(tmp_path, KEYS, rows, metric="slowdown_p95", unit="x")
    for figure in draw(tmp_path, Metric("slowdown_p95", "x"), width, x).values():
        expect_all_within(figure, style.WIDTHS[width])


@pytest.mark.parametrize(("name", "unit", "label"), [
    ("response_95_100_mean_s", "s", "mean response time,\nslowest 5 % [s]"),
    ("response_p99_s", "s", "99th percentile of response\ntime [s]"),
    ("slowdown_mean", "x", "mean slowdown\n(response / alone)"),
    ("makespan_s", "s", "makespan [s]"),
])
def test_long_labels_are_broken_where_they_pause(tmp_path, name, unit, label):
    write_experiment(tmp_path, KEYS, [row[:4] for row in ROWS], metric=name, unit=unit)
    assert draw(tmp_path, Metric(name, unit))[name].axes[0].get_ylabel() == label


@pytest.mark.parametrize("suffix", figures.FORMATS)
def test_the_command_prints_the_files_that_it_wrote(folder, tmp_path, capsys, suffix):
    write_experiment(folder, KEYS, ROWS, metric="makespan_s")
    out = tmp_path / "figures"
    assert main(["experiment", str(folder), "-o", str(out), "--format", suffix]) == 0
    written = capsys.readouterr().out.splitlines()
    assert written == [str(out / f"response_mean_s{more}.{suffix}") for more in ("", "-difference")]
    assert all((out / name).stat().st_size > 3000 for name in written)
    assert main(["experiment", str(folder), "-o", str(out), "--format", suffix, "--metric",
                 "makespan_s", "--x", "policy", "--only", "workload.load", "0.5", "--width",
                 "page"]) == 0
    assert (out / f"makespan_s-difference.{suffix}").stat().st_size > 3000


@pytest.mark.parametrize(("more", "text"), [
    (["--metric", "respons_mean_s"], "--metric: expected a metric of this experiment, found "
                                     "'respons_mean_s'; did you mean 'response_mean_s'?"),
])
def test_mistakes_are_sentences(folder, tmp_path, capsys, more, text):
    assert main(["experiment", str(folder), "-o", str(tmp_path), *more]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith("somnus analysis: ") and printed.endswith(f"{text}\n")
    assert main(["experiment", str(tmp_path / "none")]) == 2
    assert "there is no such folder" in capsys.readouterr().err


def test_drawing_leaves_the_users_settings_alone(folder):
    before = dict(matplotlib.rcParams)
    draw(folder)
    assert dict(matplotlib.rcParams) == before
