"""Each figure of figure_list, from logs."""

import math
import re

import h5py
import matplotlib
import numpy as np
import pytest

from experiments import expect_all_within
from logs import ACTIVE, Job, Stage, Task, add_table, write_log
from somnus.analysis import load
from somnus.analysis.__main__ import main
from somnus.analysis.base.errors import UserError
from somnus.analysis.figures import files, style
from somnus.analysis.figures.drawable import Options, Window
from somnus.analysis.figures.files import FIGURES
from somnus.analysis.figures.of_logs import gantt
from somnus.analysis.figures.style import Look
from somnus.analysis.metrics.policies import by_policy

AGAINST = {"speedup", "users", "dvr"}
RESOURCES = {"resources", "leftover"}
EMULATED = {"lateness", "decisions"}
ALWAYS = ["cdf", "slowdown", "utilisation", "shares", "finished", "progress"]


@pytest.fixture
def make(tmp_path):
    """Three jobs on 2 + 2 slots; of later seeds they take longer. Job 1 waits a second in a queue."""
    def write(policy, seed=1, slower=1.0, mode="simulate", **more):
        jobs = [Job(at, at + slower * (seed + 2) * (at + 1), tasks, alone=2, first_start=at, user=at % 2)
                for at, tasks in enumerate((1, 20, 60))]
        tasks = [Task(at, job.submit + (at == 1), job.finish, node=at % 2, slot=at // 2,
                      queued=job.submit, intended=job.finish - job.submit - 0.5)
                 for at, job in enumerate(jobs)]
        path = tmp_path / f"{policy}-{seed}-{slower}-{mode}.h5"
        return load(write_log(path, jobs, tasks, [(at, at % 3) for at in range(9)], (2, 2),
                              policy=policy, seed=seed, mode=np.bytes_(mode), **more))

    return write


@pytest.fixture
def logs(make):
    return [make("fair", 1, 2.0), make("fair", 2, 2.0), make("cfq", 1), make("cfq", 2)]


@pytest.fixture
def rich(make, tmp_path):
    """All that any figure needs: resources and slots, targets, a run, a queue, a gang."""
    more = {"resources": ("cpu",), "nodes": [(2, 4), (2, 4)],
            "targets": [(0, 0, 0.5, 0.5, 0.25), (1, 1, 0.5, 0.5, 0.5)], "mode": np.bytes_("run"),
            "stages": [Stage(at, at, at + 3 * (at + 1), demand=(1,)) for at in range(3)]}

    def write(policy, slower):
        jobs = [Job(at, at + slower * (at + 1), first_start=at) for at in range(3)]
        tasks = [Task(at, at + 0.5, job.finish, slot=at % 2, node=at // 2, queued=at)
                 for at, job in enumerate(jobs)]
        path = write_log(tmp_path / f"{policy}.h5", jobs, tasks, [(0, 1, 1), (5, 0, 0)], policy=policy, **more)
        with h5py.File(path, "r+") as file:
            add_table(file, "gangs", [{"stage": 0}])
        return load(path)

    return [write("drf", 30), write("capacity", 40)]


def drawn(name, logs, **options):
    return files.draw(name, by_policy(logs), Options(**options))


def legend(figure):
    (found,) = figure.legends
    return [text.get_text() for text in found.get_texts()]


@pytest.mark.parametrize("width", style.WIDTHS)
@pytest.mark.parametrize("each", FIGURES, ids=lambda each: each.name)
def test_every_figure_is_as_wide_as_printed_and_all_of_it_lies_within(rich, each, width):
    options = Options(Look(width, title="A title"), against=rich[:1])
    expect_all_within(files.draw(each.name, by_policy(rich), options), style.WIDTHS[width])


@pytest.mark.parametrize("each", FIGURES, ids=lambda each: each.name)
def test_every_axis_tells_its_unit(rich, each):
    figure = files.draw(each.name, by_policy(rich), Options(against=rich[:1]))
    said = [figure._supylabel.get_text() if figure._supylabel else "",
            *(axes.get_ylabel() for axes in figure.axes), *(axes.get_xlabel() for axes in figure.axes)]
    assert any(said)
    for text in said:
        bare = re.search("time|lateness", text) and not re.search(
            r"\[.+\]|rate|ratio|share|slowdown|factor|change", text)
        assert not bare or "response time / alone" in text, text


def test_runs_of_a_policy_are_one_line(logs):
    figure = drawn("cdf", logs)
    (axes,) = figure.axes
    assert legend(figure) == ["fair", "cfq"] and len(axes.lines) == 2 and len(axes.collections) == 2
    assert figure.texts[0].get_text() == "means of 2 runs, 95 % confidence intervals over seeds"
    assert axes.get_xlabel() == "response time [s]"


def test_slowdown_bars_are_means_over_seeds(logs):
    (axes,) = drawn("slowdown", logs).axes
    # 3 and 4 s, twice as long under fair, of 2 s alone; the others take twice and three times that.
    assert [bar.get_height() for bar in axes.patches] == pytest.approx(
        [3.5, 7, 10.5, 1.75, 3.5, 5.25])
    assert [tick.get_text() for tick in axes.get_xticklabels()][0] == "narrow\n1–10 tasks"


def test_utilisation_is_a_panel_a_policy_over_one_time_axis(logs):
    figure = drawn("utilisation", logs)
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["fair", "cfq"]
    (line,) = figure.axes[0].lines
    assert line.get_ydata()[:8].max() <= 0.5  # of at most 2 of 4 slots
    assert figure.axes[-1].get_xlabel() == "emulated time [s]"


@pytest.mark.parametrize(("by", "names"), [
    ("job", {"job-0", "job-1", "job-2"}), ("user", {"user-0", "user-1"}), ("queue", {"default"}),
    ("resource", {"slots"})])
def test_shares_are_by_whom_one_asks(make, by, names):
    figure = drawn("shares", [make("fair")], by=by)
    assert set(legend(figure)) == names
    # From 2 to 3 s all three jobs have a slot of four.
    time = figure.axes[0].lines[0].get_xdata()
    total = sum(line.get_ydata() for line in figure.axes[0].lines if len(line.get_xdata()) > 2)
    assert total[np.searchsorted(time, 2.5)] == pytest.approx(0.75)


def test_the_jobs_of_another_seed_are_others_so_shares_by_job_are_of_one(logs):
    assert drawn("shares", logs).texts[0].get_text() == "one run each, of seed 1"


def test_jobs_that_finished_are_at_most_all(logs):
    (axes,) = drawn("finished", logs).axes
    assert axes.lines[0].get_ydata()[-1] == 3 and axes.get_ylim()[1] == pytest.approx(3.06)


def test_a_gantt_chart_has_a_bar_an_attempt_and_tells_who_waited(make):
    figure = drawn("gantt", [make("fair")])
    (axes,) = figure.axes
    bars = [path.get_extents().bounds for each in axes.collections[:1] for path in each.get_paths()]
    # Job 1 is on node 1, whose slots are lines 2 and 3.
    assert bars[1] == pytest.approx((2, 2 - 0.41, 5, 0.82))
    assert legend(figure) == ["runs, a colour a job", "waits in queue"]


def test_a_gantt_chart_marks_cold_attempts_and_stragglers(tmp_path):
    tasks = [Task(0, 0, 2), Task(0, 2, 5, slot=1)]
    path = write_log(tmp_path / "a.h5", [Job(0, 5)], tasks, config=np.bytes_(
        '[jvm]\nmodel = "reuse"\n'))
    with h5py.File(path, "r+") as file:
        rows = file["tasks"][()]
        rows["warm"], rows["nominal"] = (0, 1), (2, 1)
        file["tasks"][...] = rows
    figure = drawn("gantt", [load(path)])
    assert legend(figure) == ["runs warm, a colour a job", "runs cold", "straggles"]


@pytest.mark.parametrize(("window", "words"), [
    (Window(nodes=(7,)), "no node 7; there are 2"),
    (Window(), "200 slots do not fit, 64 do; choose some with --nodes"),
])
def test_a_gantt_chart_that_nobody_could_read_is_refused(tmp_path, window, words):
    path = write_log(tmp_path / "a.h5", [Job(0, 5)], [Task(0, 0, 5)], nodes=(100, 100))
    with pytest.raises(UserError, match=words):
        gantt.gantt({"a": load(path)}, window)


def test_of_a_large_cluster_some_nodes_are_drawn(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [Job(0, 5)], [Task(0, 0, 5, node=1)], nodes=(100, 2)))
    with pytest.raises(UserError, match="gantt needs at most 64 slots .*, or --nodes"):
        drawn("gantt", [log])
    figure = drawn("gantt", [log], window=Window(nodes=(1,), begin=1, end=3))
    assert figure.axes[0].get_xlim() == (1, 3) and figure.axes[0].get_ylim() == (-0.6, 1.6)


def test_a_reference_is_the_one_of_the_runs_seed(logs, make):
    against = [make("ujf", 1), make("ujf", 2)]
    (axes,) = drawn("dvr", logs, against=against).axes
    # Under cfq jobs end as in ujf; under fair each takes twice as long: a deviation of 1.
    assert [bar.get_height() for bar in axes.patches] == [1, 0]
    (axes,) = drawn("speedup", logs[:2], against=against).axes
    assert set(axes.lines[0].get_xdata()) == {0.5}
    with pytest.raises(UserError, match="no reference of seed 3; --against has"):
        drawn("dvr", [make("srpt", 3)], against=against)


@pytest.mark.parametrize(("name", "needs"), [
    ("users", "a reference run of the same jobs: --against LOG"),
    ("lateness", "logs of `somnus run`: a simulation is never late"),
    ("resources", "nodes with resources"),
])
def test_what_a_figure_lacks_is_a_sentence(logs, name, needs):
    with pytest.raises(UserError, match=f"figure {name} needs {needs}"):
        drawn(name, logs)


def test_plot_draws_what_suits(make, rich, tmp_path, capsys):
    for logs, names in (([make("fair")], [*ALWAYS, "completion", "queue-length", "gantt"]),
                        (rich, [each.name for each in FIGURES])):
        out = tmp_path / str(len(names))
        against = ["--against", str(logs[0].path)] if len(logs) > 1 else []
        assert main(["plot", *(str(log.path) for log in logs), "-o", str(out), *against]) == 0
        assert capsys.readouterr().out.split() == [str(out / f"{name}.png") for name in sorted(names)]
        assert all((out / f"{name}.png").stat().st_size > 3000 for name in names)


def test_an_empty_log_still_draws(tmp_path):
    for at, jobs in enumerate(([Job(0, math.nan, state=ACTIVE)], [])):
        path = write_log(tmp_path / f"{at}.h5", jobs)
        assert len(files.draw_all(by_policy([load(path)]), tmp_path)) >= len(ALWAYS)


@pytest.mark.parametrize("suffix", files.FORMATS)
def test_the_command_writes_the_file_that_it_names(logs, tmp_path, capsys, suffix):
    file = tmp_path / "new" / f"fig.{suffix}"
    assert main(["figure", "cdf", *(str(log.path) for log in logs), "-o", str(file), "--label",
                 "cfq=CFQ (ours)", "fair=Fair", "--order", "cfq", "--width", "page"]) == 0
    assert capsys.readouterr().out == f"{file}\n" and file.stat().st_size > 3000
    assert [each.name for each in file.parent.iterdir()] == [file.name]


def test_fonts_are_embedded_as_truetype(rich, tmp_path):
    for each in FIGURES:
        file = tmp_path / f"{each.name}.pdf"
        files.save(files.draw(each.name, by_policy(rich), Options(against=rich[:1])), file)
        assert b"/FontFile2" in file.read_bytes() and b"/Type3" not in file.read_bytes(), each.name


@pytest.mark.parametrize(("arguments", "words"), [
    (["figure", "cdff", "LOG"], "no figure is called 'cdff'; did you mean 'cdf'?"),
    (["figure", "cdf", "LOG", "-o", "fig.jpg"], "fig.jpg: a figure's file ends in .png, .svg, .pdf"),
    (["figure", "cdf", "LOG", "--order", "cfx"], "--order: no log is called 'cfx'"),
    (["figure", "dvr", "LOG"], "figure dvr needs a reference run"),
])
def test_mistakes_are_sentences(make, tmp_path, capsys, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    log = str(make("cfq").path)
    assert main([log if each == "LOG" else each for each in arguments]) == 2
    assert words in capsys.readouterr().err


def test_the_help_lists_every_figure(capsys):
    with pytest.raises(SystemExit):
        main(["figure", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert all(each.name in text and each.help in text for each in FIGURES)


def test_drawing_leaves_the_users_settings_alone(logs, tmp_path):
    before = dict(matplotlib.rcParams)
    files.draw_all(by_policy(logs), tmp_path)
    assert dict(matplotlib.rcParams) == before
