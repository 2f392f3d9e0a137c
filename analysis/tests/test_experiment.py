import json
import re

import pytest

from experiments import write_experiment
from logs import ask
from somnus.analysis.base.errors import UserError
from somnus.analysis.experiments import table as experiment
from somnus.analysis.experiments import words as metric_words
from somnus.analysis.experiments.layout import arrange
from somnus.analysis.experiments.words import Metric

LOADS = ["0.5", "0.7", "0.9"]


def grid(folder, **axes):
    """Every combination of these axes, `__` in a name standing for a point, all with one mean."""
    points = [()]
    for values in axes.values():
        points = [(*point, value) for point in points for value in values]
    return experiment.read(write_experiment(folder, [key.replace("__", ".") for key in axes],
                                            [(*point, 1, 0.1) for point in points]))


def test_axes_are_the_keys_that_take_several_values(tmp_path):
    found = grid(tmp_path, policy=["fair", "cfq"], workload__load=LOADS, cluster__nodes=["10"])
    assert [(axis.keys, axis.numeric) for axis in found.axes] == [
        (("policy",), False), (("workload.load",), True)]
    assert found.axes[1].steps == (("0.5",), ("0.7",), ("0.9",))


def test_keys_that_turn_together_are_one_axis(tmp_path):
    rows = [(policy, nodes, scale, 1, 0) for policy in ("fair", "cfq")
            for nodes, scale in (("100", "1"), ("200", "2"))]
    found = experiment.read(write_experiment(
        tmp_path, ["policy", "cluster.nodes", "workload.scale_tasks"], rows))
    assert [axis.keys for axis in found.axes] == [
        ("policy",), ("cluster.nodes", "workload.scale_tasks")]
    layout = arrange(found, "workload.scale_tasks")
    assert layout.x.key == "workload.scale_tasks" and layout.x.steps == (("1", "100"), ("2", "200"))


def test_what_a_scheduler_does_not_read_is_no_value_of_the_axis(tmp_path):
    found = experiment.read(write_experiment(
        tmp_path, ["policy", "queue.length"],
        [("fair", "-", 5, 0), ("yaq-c", "4", 3, 0), ("yaq-c", "8", 4, 0)]))
    layout = arrange(found)
    assert layout.x.numeric and layout.x.steps == (("4",), ("8",))
    (panel,) = layout.panels(found.table)
    lines = {layout.label(combination): rows for combination, rows in panel.lines}
    assert layout.places(lines["fair"]) == [4, 8] and list(lines["fair"]["mean"]) == [5, 5]
    assert list(lines["yaq-c"]["mean"]) == [3, 4]


def test_the_numeric_axis_with_the_most_values_is_x(tmp_path):
    found = grid(tmp_path, cluster__nodes=["10", "20"], workload__load=LOADS,
                 policy=["fair", "cfq"])
    layout = arrange(found)
    assert layout.x.key == "workload.load" and layout.panel is None
    assert [layout.label(each) for each in layout.combinations] == [
        "fair, nodes = 10", "cfq, nodes = 10", "fair, nodes = 20", "cfq, nodes = 20"]
    assert arrange(found, "cluster.nodes").x.key == "cluster.nodes"
    assert not arrange(found, "policy").x.numeric


def test_points_are_in_the_order_of_numbers_not_of_the_table(tmp_path):
    found = grid(tmp_path, cluster__nodes=["1000", "20", "300"])
    ((_, rows),) = arrange(found).panels(found.table)[0].lines
    assert list(rows["cluster.nodes"]) == ["20", "300", "1000"]


def test_more_lines_than_can_be_told_apart_become_panels(tmp_path):
    found = grid(tmp_path, policy=[f"p{place}" for place in range(6)], cluster__nodes=["10", "20"],
                 workload__load=LOADS)
    layout = arrange(found)
    assert layout.panel.key == "cluster.nodes" and len(layout.combinations) == 6
    assert [panel.title for panel in layout.panels(found.table)] == ["nodes = 10", "nodes = 20"]
    assert all(len(panel.lines) == 6 for panel in layout.panels(found.table))


def test_too_many_lines_are_refused_with_a_way_out(tmp_path):
    found = grid(tmp_path, policy=[f"p{place}" for place in range(9)], workload__load=LOADS)
    with pytest.raises(UserError, match="policy has 9 values here; .*: --only policy p0 p1 ..."):
        arrange(found)
    assert len(arrange(found.only("policy", ["p0", "p8"])).combinations) == 2


def test_too_many_categories_are_refused(tmp_path):
    with pytest.raises(UserError, match="policy has 41 values here; 40 fit into a figure"):
        arrange(grid(tmp_path, policy=[f"p{place}" for place in range(41)]))


def test_a_single_point_is_a_category(tmp_path):
    layout = arrange(grid(tmp_path, policy=["fair"], cluster__nodes=["10"]))
    assert layout.x.keys == ("policy",) and not layout.x.numeric


@pytest.mark.parametrize(("rows", "baseline"), [
    ([("fair", "1", 2, 0), ("cfq", "1", 2, 0, 0.5, 0), ("fair", "2", 2, 0),
      ("cfq", "2", 2, 0, 0.5, 0)], "fair"),
    ([("fair", "1", 2, 0), ("cfq", "1", 2, 0), ("fair", "2", 2, 0, 0.5, 0),
      ("cfq", "2", 2, 0, 0.5, 0)], "length = 1"),
    ([("fair", "-", 2, 0), ("cfq", "1", 2, 0, 0.5, 0), ("cfq", "2", 2, 0, 0.5, 0)], "fair"),
    ([("fair", "1", 2, 0), ("cfq", "1", 2, 0)], None),
])
def test_the_baseline_is_what_has_no_difference(tmp_path, rows, baseline):
    keys = ["policy", "queue.length"]
    assert experiment.read(write_experiment(tmp_path, keys, rows)).baseline == baseline


def test_a_difference_that_only_one_metric_lacks_makes_no_baseline(tmp_path):
    keys = ["policy"]
    write_experiment(tmp_path, keys, [("fair", 2, 0), ("cfq", 2, 0, 0, 0), ("drf", 2, 0, 0, 0)])
    rows = [("fair", 0, 0), ("cfq", 0, 0), ("drf", 0, 0)]
    write_experiment(tmp_path, keys, rows, metric="jobs_failed", unit="1")
    assert experiment.read(tmp_path).baseline == "fair"


def test_the_usual_metrics_are_drawn_where_they_are(tmp_path):
    rows = [("fair", 1, 0), ("cfq", 1, 0)]
    write_experiment(tmp_path, ["policy"], rows, metric="slowdown_mean", unit="x")
    write_experiment(tmp_path, ["policy"], rows, metric="response_mean_s")
    write_experiment(tmp_path, ["policy"], rows, metric="makespan_s")
    found = experiment.read(tmp_path)
    assert found.chosen(None) == [Metric("response_mean_s", "s"), Metric("slowdown_mean", "x")]
    assert found.chosen(["makespan_s"]) == [Metric("makespan_s", "s")]
    with pytest.raises(UserError, match="found 'makespan'; did you mean 'makespan_s'?"):
        found.chosen(["makespan"])


def test_without_a_usual_metric_one_has_to_be_named(tmp_path):
    write_experiment(tmp_path, ["policy"], [("fair", 1, 0)], metric="makespan_s")
    with pytest.raises(UserError, match="has none of response_mean_s, .*; --metric NAME chooses"):
        experiment.read(tmp_path).chosen(None)


def test_names_that_are_not_there_get_a_hint(tmp_path):
    found = grid(tmp_path, policy=["fair", "cfq"], workload__load=LOADS, cluster__nodes=["10"])
    for call, text in [
        (lambda: arrange(found, "load"), "--x: expected an axis of this experiment, found 'load'; "
                                         "did you mean 'workload.load'?"),
        (lambda: arrange(found, "nothing"), "found 'nothing'; there are policy, workload.load"),
        (lambda: arrange(found, "cluster.nodes"), "--x: cluster.nodes has a single value here, 10"),
        (lambda: found.only("polcy", ["fair"]), "found 'polcy'; did you mean 'policy'?"),
        (lambda: found.only("policy", ["fare"]),
         "--only: expected a value of policy, found 'fare'; did you mean 'fair'?"),
        (lambda: found.only("policy", []),
         "--only policy: leaves no point; name some of its values, fair, cfq"),
    ]:
        with pytest.raises(UserError, match=re.escape(text)):
            call()


def test_a_folder_that_is_none_of_an_experiment_is_refused(tmp_path):
    file = tmp_path / "summary.csv"
    for make, text in [
        (lambda: None, f"{tmp_path}: not a folder of somnus experiment, it has no summary.csv"),
        (lambda: (tmp_path / "runs.jsonl").write_text("{}"), "the experiment has not ended"),
        (lambda: file.write_text(""), f"{file}: not a table: "),
        (lambda: file.write_text("a,b\n1,2\n"), "expected the table of somnus experiment, found "
                                                "columns a, b"),
        (lambda: file.write_text("policy,metric,unit,runs,mean,half_width_95,difference,"
                                 "difference_half_width_95\n"), "has no point of an experiment"),
        (lambda: write_experiment(tmp_path, ["policy"], [("fair", "many", 0)]),
         f"{file}: mean: could not convert"),
    ]:
        make()
        with pytest.raises(UserError, match=re.escape(text)):
            experiment.read(tmp_path)
    with pytest.raises(UserError, match="there is no such folder"):
        experiment.read(tmp_path / "none")
    with pytest.raises(UserError, match="expected the folder that somnus experiment wrote, found a"):
        experiment.read(file)


def test_policies_called_like_nothing_are_names(tmp_path):
    found = grid(tmp_path, policy=["NA", "null", "true"])
    assert found.axes[0].steps == (("NA",), ("null",), ("true",))


def test_words_are_of_figures_of_the_summary(small_log):
    (printed,) = json.loads(ask("summary", "--json", small_log).stdout)
    numbers = {name for name, value in printed.items() if value is None or type(value) in (int, float)}
    assert {*metric_words.WORDS, *metric_words.SIGNED} <= numbers


def test_units_are_those_of_the_program(small_log, tmp_path):
    file = tmp_path / "experiment.toml"
    file.write_text(f'[experiment]\nconfig = "{small_log.parent}/config.toml"\nseeds = 1\n'
                    '[axes]\npolicy = ["drf", "sjf"]\n')
    assert ask("experiment", file, "-o", tmp_path / "out", "-q").returncode == 0
    units = {metric.unit for metric in experiment.read(tmp_path / "out").metrics}
    assert units == {"s", "x", "%", "1", "1/min"}


@pytest.mark.parametrize(("metric", "largest", "label"), [
    (Metric("response_mean_s", "s"), 80, "mean response time [s]"),
    (Metric("response_mean_s", "s"), 1200, "mean response time [min]"),
    (Metric("decision_p50_s", "s"), 2e-5, "median round of decisions [µs]"),
    (Metric("slowdown_mean", "x"), 3, "mean slowdown (response / alone)"),
    (Metric("utilisation", "%"), 0.9, "utilisation [%]"),
    (Metric("jobs_per_minute", "1/min"), 9, "jobs finished per minute [1/min]"),
    (Metric("jobs_failed", "1"), 9, "jobs failed"),
    (Metric("what_is_new_s", "s"), 9, "what is new [s]"),
])
def test_labels_have_the_unit_that_values_are_in(metric, largest, label):
    assert metric.label(metric.scale(largest)[0]) == label


def test_keys_tell_their_unit():
    assert metric_words.axis_words("scheduler.interval_s") == "scheduler.interval [s]"
    assert metric_words.axis_words("workload.load") == "offered load [share of capacity]"
    assert metric_words.axis_words("queue.length") == "queue.length"
    assert metric_words.step_words("spark.delay_ms", "20") == "delay = 20 ms"
