"""Rigid jobs: classes by width and time, and the rectangles of what they held."""

import json

import h5py
import numpy as np
import pytest

from logs import FAILED, TIMED_OUT, Job, Stage, Task, add_table, ask, write_log
from somnus.analysis import load
from somnus.analysis.base.errors import UserError
from somnus.analysis.figures.drawable import Options, Window
from somnus.analysis.figures.of_logs import batch as figure
from somnus.analysis.metrics import batch
from somnus.analysis.report.document import page
from somnus.analysis.report.rigid_jobs import rigid_jobs
from somnus.analysis.reading.schema import TASK_OUTCOMES

KILLED = TASK_OUTCOMES.index("killed")
SUSPENDED = TASK_OUTCOMES.index("suspended")


def gangs(path, stages, exclusive=()):
    with h5py.File(path, "r+") as file:
        add_table(file, "gangs", [{"stage": stage, "exclusive": stage in exclusive} for stage in stages])
    return load(path)


@pytest.fixture
def log(tmp_path):
    """On two nodes of two slots: a gang of three, whose tasks end apart, a single task, and a gang of two
    that has its slots on both nodes and is killed at 9 s, before it has run for long."""
    jobs = [Job(0, 130, tasks=3, first_start=10), Job(5, 15, first_start=10), Job(5, 9, tasks=2, state=TIMED_OUT),
            Job(0, 24, tasks=2, first_start=20)]
    tasks = [Task(0, 10, 130), Task(0, 10, 60, slot=1), Task(0, 10, 20, node=1),
             Task(1, 10, 15, node=1, slot=1),
             Task(2, 5, 9, slot=1, outcome=KILLED), Task(2, 5, 7, node=1, slot=1, outcome=KILLED),
             Task(3, 20, 24, node=1), Task(3, 20, 22, node=1, slot=1)]
    return gangs(write_log(tmp_path / "a.h5", jobs, tasks, nodes=(2, 2)), [0, 2, 3])


def test_a_rigid_job_has_waited_and_held_its_slots_until_its_last_end(log):
    found = batch.jobs(log)
    assert found.index.tolist() == [0, 1, 3]  # 2 did not finish
    assert found["width"].tolist() == [3, 1, 2] and found["wait"].tolist() == [10, 5, 20]
    assert found["time"].tolist() == [120, 5, 4]
    assert found["bounded_slowdown"].tolist() == pytest.approx([130 / 120, 1, 24 / 10])


def test_short_jobs_that_wait_little_have_not_slowed_down(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [Job(0, 4, first_start=1)], [Task(0, 1, 4)]))
    assert batch.jobs(log)["bounded_slowdown"].tolist() == [1]


def test_a_class_is_a_width_and_a_time(log):
    found = batch.by_class(batch.jobs(log))
    assert found.index.tolist() == [("1 slot", "≤ 1 min"), ("2–8 slots", "≤ 1 min"), ("2–8 slots", "≤ 1 h")]
    assert found["count"].tolist() == [1, 1, 1] and found["wait"].tolist() == [5, 20, 10]


@pytest.mark.parametrize("width, name", [(1, "1 slot"), (2, "2–8 slots"), (8, "2–8 slots"), (9, "9–64 slots"),
                                         (64, "9–64 slots"), (65, "> 64 slots")])
def test_edges_of_widths(tmp_path, width, name):
    path = write_log(tmp_path / "a.h5", [Job(0, 3600, tasks=width, first_start=0)], nodes=(100,))
    log = gangs(path, [0] if width > 1 else [])  # as the program, for which one task is no gang
    assert batch.by_class(batch.jobs(log)).index.tolist() == [(name, "≤ 1 h")]


def test_a_job_with_a_stage_that_is_no_gang_is_not_rigid(tmp_path):
    path = write_log(tmp_path / "a.h5", [Job(0, 9, tasks=4), Job(0, 9, tasks=3)],
                     stages=[Stage(0, 0, 4, 2), Stage(0, 4, 9, 2), Stage(1, 0, 4, 2), Stage(1, 4, 9, 1)])
    assert batch.jobs(gangs(path, [0, 2])).index.tolist() == [1]


def test_a_gang_is_as_few_rectangles_as_its_slots_allow(log):
    found = batch.rectangles(log)
    rows = found[["job", "begin", "end", "low", "slots", "killed"]].to_numpy().tolist()
    assert rows == [[2, 5, 9, 1, 1, True], [2, 5, 9, 3, 1, True], [0, 10, 130, 0, 3, False],
                    [1, 10, 15, 3, 1, False], [3, 20, 24, 2, 2, False]]


def test_of_some_nodes_slots_are_numbered_anew(log):
    found = batch.rectangles(log, nodes=(1,))
    assert found["low"].tolist() == [1, 0, 1, 0] and found["slots"].tolist() == [1, 1, 1, 2]


def test_attempts_of_a_gang_lie_apart(tmp_path):
    tasks = [Task(0, 0, 2, outcome=KILLED), Task(0, 0, 2, slot=1, outcome=KILLED),
             Task(0, 2, 6, attempt=1), Task(0, 2, 6, slot=1, attempt=1)]
    log = gangs(write_log(tmp_path / "a.h5", [Job(0, 6, tasks=2)], tasks), [0])
    assert batch.rectangles(log)[["begin", "end", "slots", "killed"]].to_numpy().tolist() == [
        [0, 2, 2, True], [2, 6, 2, False]]


def test_an_exclusive_gang_holds_its_nodes(tmp_path):
    """Of nodes of 2 and 3 slots a task on each, which end at 2 and 5; the other job comes then."""
    tasks = [Task(0, 0, 2), Task(0, 0, 5, node=1), Task(1, 5, 6)]
    log = gangs(write_log(tmp_path / "a.h5", [Job(0, 5, tasks=2), Job(0, 6)], tasks, nodes=(2, 3)), [0], exclusive=[0])
    assert batch.rectangles(log)[["job", "begin", "end", "low", "slots"]].to_numpy().tolist() == [
        [0, 0, 5, 0, 5], [1, 5, 6, 0, 1]]


def test_what_was_suspended_counts_as_time(tmp_path):
    """It ran for 2 s, and for 30 s from 10 on; it waited 6 s before the second and came at 4."""
    tasks = [Task(0, 4, 6, outcome=SUSPENDED), Task(0, 4, 5, slot=1, outcome=SUSPENDED),
             Task(0, 10, 40, attempt=1), Task(0, 10, 11, slot=1, attempt=1)]
    log = gangs(write_log(tmp_path / "a.h5", [Job(4, 40, tasks=2)], tasks), [0])
    assert batch.jobs(log)[["time", "bounded_slowdown"]].to_numpy().tolist() == [[32, 36 / 32]]


def test_without_attempts_there_is_nothing_to_draw(tmp_path):
    log = gangs(write_log(tmp_path / "a.h5", [Job(0, np.nan, state=FAILED)]), [0])
    assert batch.rectangles(log).empty
    assert len(figure.rectangles({"a": log}).axes) == 1


def test_a_figure_has_a_rectangle_a_piece(log):
    (axes,) = figure.rectangles({"easy": log}, Window(begin=5, end=100)).axes
    assert sum(len(each.get_paths()) for each in axes.collections) == 5
    assert axes.get_ylim() == (0, 4) and axes.get_title(loc="left") == "easy"


@pytest.mark.parametrize("window, words", [(Window(nodes=(7,)), "no node 7; there are 2, from 0 on"),
                                           (Window(begin=9, end=9), "--from 9 is not before --to 9"),
                                           (Window(), "5 rectangles are too many to draw, 4 fit; .* --from and --to")])
def test_a_figure_that_nobody_could_read_is_refused(log, monkeypatch, window, words):
    monkeypatch.setattr(figure, "MOST_PIECES", 4)
    with pytest.raises(UserError, match=words):
        figure.rectangles({"a": log}, window)


def test_the_page_has_classes_and_rectangles(log, tmp_path):
    text = rigid_jobs(["cfq"], [log])
    assert "2–8 slots, ≤ 1 min" in text and text.count("<rect") == 5
    assert "job-2: 2 tasks, 5.000 to 9.000 s, cut short" in text
    assert text in page([log])
    plain = load(write_log(tmp_path / "b.h5", [Job(0, 4)], [Task(0, 0, 4)]))
    assert rigid_jobs(["fifo"], [plain]) == "" and "<svg" not in page([plain])


def test_drawings_of_runs_have_one_scale(log, tmp_path):
    tasks = [Task(0, 0, 260), Task(0, 0, 260, slot=1)]
    long = gangs(write_log(tmp_path / "b.h5", [Job(0, 260, tasks=2)], tasks, nodes=(4,)), [0])
    text = rigid_jobs(["a", "b"], [log, long])
    assert 'width="461.54"' in text and 'width="1000.00"' in text  # 120 of 260 s, and all


def test_what_cannot_be_drawn_whole_is_not_among_all_figures(log, monkeypatch):
    assert [each.suits([log], Options()) for each in figure.FIGURES] == [True]
    monkeypatch.setattr(figure, "MOST_PIECES", 4)
    assert [each.suits([log], Options()) for each in figure.FIGURES] == [False]
    assert [each.suits([log], Options(window=Window(end=7))) for each in figure.FIGURES] == [True]


def test_a_gang_of_one_task_and_one_whose_tasks_take_no_time(tmp_path):
    """As the program writes them."""
    (tmp_path / "config.toml").write_text(
        "[cluster]\nnodes = 2\nslots_per_node = 2\n[scheduler]\npolicy = \"fcfs\"\n"
        "[workload]\nfile = \"workload.jsonl\"\n")
    jobs = [{"job": name, "submit": 0, "stages": [{"stage": 0, "gang": True, "durations": durations}]}
            for name, durations in (("one", [5]), ("part", [0, 4, 4]), ("none", [0, 0]))]
    (tmp_path / "workload.jsonl").write_text("".join(
        f"{json.dumps(line)}\n" for line in [{"somnus_workload": 1, "name": "small"}, *jobs]))
    done = ask("simulate", "config.toml", "--log", "log.h5", "--quiet", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    log = load(tmp_path / "log.h5")
    assert batch.jobs(log)["width"].tolist() == [1, 3, 2]
    found = batch.rectangles(log)
    assert found[["job", "slots"]].to_numpy().tolist() == [[0, 1], [1, 3]]
