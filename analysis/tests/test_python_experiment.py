"""somnus.experiment(): what is asked of the program, and what a notebook gets."""

import math
import sys
from pathlib import Path

import pytest

from experiments import CONFIG, expect_all_within, write_experiment
from somnus import ExperimentResult, Order, Policy, ProgramError, UserError, experiment, run, simulate
from somnus.analysis.figures import style


class Shortest(Order):
    """Decides as `srpt` does."""

    events = ("ended",)

    def key(self, unit):
        return unit.slot_time * (unit.tasks - unit.completed) / unit.tasks


class FirstFit(Policy):
    def plan(self, now):
        for stage in self.waiting():
            while stage.runnable and (node := self.first_with_room(stage)):
                self.place(stage, node)


class Broken(Order):
    def key(self, unit):
        return {}["no such key"]


@pytest.fixture
def config(tmp_path, somnus, monkeypatch) -> Path:
    monkeypatch.setenv("SOMNUS", str(somnus))
    path = tmp_path / "config.toml"
    path.write_text(CONFIG)
    return path


def test_an_order_of_this_process_is_one_of_the_policies(config):
    shortest = Shortest()
    found = experiment(config, policies=["fair", shortest, "srpt"], axes={"workload.mice": [5, 10]}, seeds=3,
                       baseline="fair", metrics=["response_mean_s"], settings={"cluster.nodes": 3})
    table = found.table()
    assert list(table.columns) == ["policy", "workload.mice", "response_mean_s"]
    assert list(table["policy"]) == ["fair"] * 2 + ["Shortest"] * 2 + ["srpt"] * 2
    assert list(table["workload.mice"]) == [5, 10] * 3
    assert shortest._moved == {}  # it was copied
    means = table["response_mean_s"].tolist()
    assert means[2:4] == means[4:] != means[:2]
    assert found.experiment.baseline == "fair"
    rows = found.results
    assert set(rows["seed"]) == {1, 2, 3} and list(rows.columns)[:3] == ["policy", "workload.mice", "seed"]
    same = rows[rows["metric"] == "response_mean_s"].groupby(["policy", "workload.mice"])["value"].mean()
    assert same["Shortest", 5] == pytest.approx(means[2])
    assert set(found.figures(width="page")) == {"response_mean_s", "response_mean_s-difference"}
    expect_all_within(found.figures()["response_mean_s"], style.WIDTHS["column"])
    folder = found.folder
    assert folder.exists()
    del found
    assert not folder.exists()


def test_first_fit_of_this_process_is_what_fifo_is(config):
    found = experiment(config, policies=["fifo", FirstFit(), "fair"], seeds=2)
    table = found.results.pivot(index=["seed", "metric"], columns="policy", values="value")
    asked = ("decision", "scheduler")  # how long it took, in real time
    table = table[[not name.startswith(asked) for name in table.index.get_level_values("metric")]].dropna()
    assert len(table) > 50 and (table["fifo"] == table["FirstFit"]).all() and (table["fifo"] != table["fair"]).any()


def test_an_order_can_be_what_others_are_compared_with(config):
    shortest = Shortest()
    found = experiment(config, policies=["fair", shortest], seeds=2, baseline=shortest)
    assert found.experiment.baseline == "Shortest"
    assert "difference to Shortest" in repr(found)


def test_the_same_experiment_goes_on_and_another_one_is_refused(config, tmp_path):
    out = tmp_path / "out"
    first = experiment(config, policies=["fair", "srpt"], seeds=2, folder=out)
    before = sorted((out / "runs.jsonl").read_text().splitlines())
    again = experiment(config, policies=["fair", "srpt"], seeds=2, folder=out)
    assert sorted((out / "runs.jsonl").read_text().splitlines()) == before
    assert again.summary.equals(first.summary)
    tables = {path: path.read_bytes() for path in out.iterdir()}
    with pytest.raises(FileExistsError, match="another experiment's results.*force=True to replace"):
        experiment(config, policies=["fair", "srpt"], seeds=2, folder=out, settings={"cluster.nodes": 3})
    with pytest.raises(FileExistsError, match="is there already; force=True replaces it"):
        experiment(config, policies=["fair", Shortest()], seeds=2, folder=out)
    assert {path: path.read_bytes() for path in out.iterdir()} == tables
    assert experiment(config, policies=[Shortest()], seeds=2, folder=out, force=True).points == 1


def test_an_experiments_file_says_everything_itself(config, tmp_path):
    file = tmp_path / "e.toml"
    file.write_text('axes = {policy = ["fair", "cfq"]}\nexperiment = {config = "config.toml", seeds = 2}\n')
    assert list(experiment(file, jobs=1).table("makespan_s")["policy"]) == ["fair", "cfq"]
    with pytest.raises(TypeError, match="e.toml is an experiment's file, which says its policies, seeds by itself"):
        experiment(file, policies=["fair"], seeds=3)


def test_batches_of_one_run_are_rows_of_its_results(config):
    found = experiment(config, policies=["fair", "cfq"], batches=4, baseline="fair", settings={"workload.mice": 40})
    rows = found.results[found.results["metric"] == "response_mean_s"]
    assert list(rows[rows["policy"] == "cfq"]["batch"]) == [0, 1, 2, 3, 4]
    assert set(found.summary[found.summary["metric"] == "response_mean_s"]["runs"]) == {4}
    assert "means of 4 batches" in found.figures("response_mean_s")["response_mean_s"].texts[0].get_text()


def test_mistakes_are_told_in_the_programs_sentences(config):
    with pytest.raises(ProgramError) as raised:
        experiment(config, policies=["fair", "srptt"], settings={"cluster.nodse": 3})
    assert str(raised.value).startswith("--set cluster.nodse=3: cluster.nodse: unknown key; did you mean 'nodes'?\n"
                                        "policy: unknown policy 'srptt'; did you mean 'srpt'?\n(somnus experiment ")
    assert raised.value.__suppress_context__ and raised.value.__cause__ is None
    assert "did you mean 'nodes'?" in str(raised.value) and raised.value.exit_code == 2
    with pytest.raises(ProgramError, match="missing.toml: no such file"):
        experiment("missing.toml", policies=["fair"])
    with pytest.raises(KeyError, match="no such key") as raised:
        experiment(config, policies=["fair", Broken()])
    assert raised.value.__suppress_context__ and raised.value.__cause__ is None  # not that the program ended then


@pytest.mark.parametrize("given, words", [
    ({}, "expected policies or axes"),
    ({"policies": "fair"}, r"did you mean \['fair'\]\?"),
    ({"policies": [Shortest]}, r"did you mean Shortest\(\)\?"),
    ({"policies": [Shortest(), Shortest()]}, "two policies are called 'Shortest'"),
    ({"policies": ["Shortest", Shortest()]}, "two policies are called 'Shortest'"),
    ({"policies": [Shortest()], "baseline": Shortest()}, "baseline: expected one of the policies"),
    ({"axes": {"workload.load": [None]}}, "expected a number.* found None"),
])
def test_what_cannot_be_meant_is_refused_before_anything_runs(tmp_path, given, words):
    with pytest.raises(TypeError, match=words):
        experiment(tmp_path / "none.toml", program="/nowhere", **given)


def test_what_the_program_warns_of_is_a_warning(config):
    with pytest.warns(match="OFFERED LOAD 3: .* cluster's slots can do it") as warned:
        simulate(config, settings={"workload.load": 3.0})
    assert [Path(each.filename).name for each in warned] == ["test_python_experiment.py"]


def test_a_log_is_called_as_its_order(config):
    assert simulate(config, policy=Shortest()).label == "Shortest"
    assert simulate(config, policy=Shortest(), settings={"scheduler.label": "mine"}).label == "mine"


def test_its_deadline_and_parameters_are_settings(config):
    class Asked(Shortest):
        def begins(self, cluster):
            if cluster.parameters != {"queues": 3.0}:
                raise ValueError(cluster.parameters)

    given = {"scheduler.external.deadline_s": 60, "scheduler.external.parameters": {"queues": 3}}
    assert simulate(config, policy=Asked(), settings=given).complete
    with pytest.raises(TypeError, match="both choose who decides: scheduler.external.command"):
        simulate(config, policy=Shortest(), settings={"scheduler.external.command": ["true"]})


COMMAND = "[scheduler.external]\ncommand = [\"python3\", \"srpt.py\"]\n"
SCRIPT = """
import sys
sys.path.insert(0, "ANALYSIS")
import somnus
class Shortest(somnus.Order):
    events = ("ended",)
    def key(self, unit):
        return unit.work_left
somnus.serve(Shortest())
"""


def test_a_config_that_names_a_process_has_that_of_this_process_instead(config):
    config.write_text(CONFIG + COMMAND)
    shortest, first_fit = Shortest(), FirstFit()
    assert simulate(config, policy=shortest).label == "Shortest"
    assert simulate(config, policy=first_fit).label == "FirstFit"
    table = experiment(config, policies=["fair", shortest, first_fit, "srpt", "fifo"], seeds=2, baseline=shortest,
                       metrics=["response_mean_s"]).table()
    assert list(table["policy"]) == ["fair", "Shortest", "FirstFit", "srpt", "fifo"]
    assert list(table.columns) == ["policy", "response_mean_s"]
    means = table["response_mean_s"]
    assert means[1] == means[3] and means[2] == means[4]


def test_the_configs_process_and_those_of_this_process_are_compared(config):
    script = config.parent / "srpt.py"
    config.write_text(CONFIG + f'[scheduler.external]\ncommand = ["{sys.executable}", "{script}"]\n')
    script.write_text(SCRIPT.replace("ANALYSIS", str(Path(__file__).resolve().parents[1])))
    table = experiment(config, policies=["+order=external", Shortest()], seeds=2, metrics=["response_mean_s"],
                       baseline="+order=external").table()
    assert table["response_mean_s"][0] == table["response_mean_s"][1]
    assert list(table["policy"]) == ["+order=external", "Shortest"]
    assert list(table.columns) == ["policy", "response_mean_s"]  # not where they are reached
    # Two commands under one name differ in nothing else.
    script.with_name("other.py").write_text(script.read_text())
    commands = {"scheduler.external.command": [[sys.executable, str(script)], [sys.executable, str(script.with_name("other.py"))]]}
    table = experiment(config, policies=["+order=external"], axes=commands, seeds=1, metrics=["response_mean_s"]).table()
    assert len(table) == 2 and "other.py" in table["scheduler.external.command"][1]


ITS_OWN = CONFIG.replace('"fair"', '"fair"\norder = "srpt"\nplacement = "random"\nsrpt.level = "stage"\ncycle_s = 0.5')


def test_what_is_in_the_place_of_the_configs_leaves_its_parts_out(config):
    config.write_text(ITS_OWN)
    whole, order = simulate(config, policy=FirstFit()), simulate(config, policy=Shortest())
    assert (whole.label, order.label) == ("FirstFit", "Shortest")
    assert whole.config["scheduler"]["cycle_s"] == order.config["scheduler"]["cycle_s"] == 0.5  # else the config's
    assert order.config["scheduler"]["placement"] == "random" and "placement" not in whole.config["scheduler"]
    assert simulate(config, policy=FirstFit(), settings={"scheduler.cycle_s": 0.25}).label == "FirstFit"
    assert run(config, speed=1000, policy=FirstFit()).label == "FirstFit"
    assert experiment(config, policies=[FirstFit()], seeds=1).points == 1
    assert experiment(config, policies=[Shortest()], seeds=1).points == 1
    found = experiment(config, policies=["fair", FirstFit()], seeds=1, metrics=["response_mean_s"]).table()
    alone = simulate(config, policy=FirstFit(), seed=1).summary["response_mean_s"]
    assert found["response_mean_s"][1] == pytest.approx(alone)


def test_a_policy_by_name_stands_in_the_place_of_the_configs_process(config):
    config.write_text(CONFIG + COMMAND)
    assert simulate(config, policy="fair").label == "fair"
    with pytest.raises(ProgramError, match="scheduler.external: ignored"):
        simulate(config)  # which the config itself does not read


@pytest.mark.parametrize("policy, label", [
    ("fair+order=srpt+srpt.level=stage", "fair+order=srpt+srpt.level=stage"),
    ("+order=srpt", "fair+order=srpt"),
    ("yaq-c+queue.length=8", "yaq-c+queue.length=8"),
    ("job-queue", "fair+order=job-queue"),
    ("srpt", "srpt"),
])
def test_a_policy_by_name_may_have_parts_exchanged(config, policy, label):
    assert simulate(config, policy=policy).label == label


def test_a_run_takes_labels_too(config):
    assert run(config, speed=1000, policy="+order=srpt").label == "fair+order=srpt"
    with pytest.raises(ProgramError, match="unknown policy 'fairr'; did you mean 'fair'"):
        run(config, speed=1000, policy="fairr+order=srpt")


def test_keys_are_numbers_where_they_can_be(tmp_path):
    keys = ["policy", "scheduler.las.queues", "workload.load"]
    found = ExperimentResult(write_experiment(tmp_path, keys, [
        ("fair", "-", "0.5", 1.0, 0.1), ("fair+order=las", "2", "0.5", 2.0, 0.1)]))
    table = found.table("response_mean_s")
    assert math.isnan(table["scheduler.las.queues"][0]) and table["scheduler.las.queues"][1] == 2
    assert list(table["policy"]) == ["fair", "fair+order=las"]
    assert list(table["response_mean_s"]) == [1, 2]
    assert found.points == 2 and found.metrics == ["response_mean_s"]
    with pytest.raises(UserError, match="results.csv: not the results of an experiment"):
        found.results
    with pytest.raises(UserError, match="did you mean 'response_mean_s'"):
        found.table("response_mean")


def test_a_notebooks_table_is_short_and_holds_no_markup_of_others(tmp_path):
    rows = [(f"<b>{place // 5}", str(place), 1.0, 0.1, 0.05, 0.01) for place in range(15)]
    write_experiment(tmp_path, ["policy", "a.<i>"], rows)
    write_experiment(tmp_path, ["policy", "a.<i>"], [row[:3] + (0.5,) for row in rows[:1]], "utilisation", "%")
    found = ExperimentResult(tmp_path)
    text = found._repr_html_()
    assert text.count("<tr>") == 13 and "and 3 more" in text and "1.000 ± 0.100 (+5.0 %)" in text
    assert "&lt;b&gt;0" in text and not any(markup in text for markup in ("<b>", "<i>"))
    assert "–</td>" in text  # of a point that does not have the figure
    assert "and 3 more" in repr(found) and all(len(line) <= 80 for line in repr(found).splitlines()[1:])


def test_a_table_leaves_out_no_policy_and_says_what_its_words_stand_for(tmp_path):
    own = "fair+order=srpt+placement=random+srpt.level=stage"
    rows = [(load, policy, 1, 0.1) for load in ("0.5", "0.7", "0.9") for policy in (*(f"p{at}" for at in range(13)), own)]
    found = ExperimentResult(write_experiment(tmp_path, ["workload.load", "policy"], rows, "response_mean_s"))
    for name in ("a" * 30, "b" * 30):  # too wide for one table
        write_experiment(tmp_path, ["workload.load", "policy"], rows, name)
    found = ExperimentResult(tmp_path, ["response_mean_s", "a" * 30, "b" * 30])
    for table in repr(found).split("\n\n"):
        assert [line.split()[1] for line in table.splitlines() if line.startswith("0.")] == [
            *(f"p{at}" for at in range(13)), "fair"]
    said = "fair: order=srpt, placement=random, srpt.level=stage"
    assert f"\n{said}\nand 28 more" in repr(found) and f"<p>{said}</p>" in found._repr_html_()


def test_sockets_are_shown_where_nothing_else_tells_points_apart(tmp_path):
    keys = ["policy", "scheduler.external.socket"]
    own = [("fair", "-", 1, 0.1), ("external", "/tmp/somnus-order-ab_1/Las", 1, 0.1)]
    assert list(ExperimentResult(write_experiment(tmp_path / "own", keys, own)).table()["policy"]) == ["fair", "Las"]
    one = [*own, ("external", "/srv/las", 1, 0.1)]
    table = ExperimentResult(write_experiment(tmp_path / "one", keys, one)).table()
    assert list(table["policy"]) == ["fair", "Las", "external"] and "scheduler.external.socket" not in table
    two = [*one, ("external", "/srv/fifo", 1, 0.1)]
    table = ExperimentResult(write_experiment(tmp_path / "two", keys, two)).table()
    assert list(table["scheduler.external.socket"]) == ["-", "/tmp/somnus-order-ab_1/Las", "/srv/las", "/srv/fifo"]
