import math

import h5py
import numpy as np
import pytest

from logs import ACTIVE, Job, Task, write_log
from somnus.analysis import load
from somnus.analysis.base.errors import UserError
from somnus.analysis.figures.drawable import Options
from somnus.analysis.figures.files import draw
from somnus.analysis.figures.of_logs import targets as target_figures
from somnus.analysis.figures.style import Look
from somnus.analysis.metrics import targets
from somnus.analysis.metrics.policies import by_policy


# Of four jobs 2 is the largest, then 0; job 1 is gone at 10 s, where job 3 comes.
ROWS = [(0, 0, 0.5, 0.5, 0.25), (0, 1, 0.25, 0.125, 0.25), (0, 2, 0.25, 0.375, 0.5),
        (10, 0, 0.5, 0.25, 0.5), (10, 2, 0.25, 0.25, 0.25), (10, 3, 0.25, 0.5, 0.25)]


@pytest.fixture
def path(tmp_path):
    jobs = [Job(0, 20, slot_time=30), Job(0, 10, slot_time=1), Job(0, 20, slot_time=40, name="big"),
            Job(10, 20, slot_time=2)]
    return write_log(tmp_path / "a.h5", jobs, [Task(0, 0, 20), Task(1, 0, 10), Task(2, 0, 20)],
                     samples=[(0, 2), (10, 2), (20, 0)], targets=ROWS, policy="drf")


def test_the_largest_jobs_are_those_with_the_most_slot_time(path):
    assert targets.largest(load(path), 2) == [0, 2]
    assert targets.largest(load(path), 9) == [0, 1, 2, 3]


def test_a_job_has_its_shares_while_it_is_there_and_none_after(path):
    frame = targets.of_job(load(path), 1, np.array([0, 5, 10, 20]))
    assert frame["entitled"].tolist() == [0.25, 0.25, 0]
    assert frame["target"].tolist() == [0.125, 0.125, 0]
    assert frame["allocated"].tolist() == [0.25, 0.25, 0]


def test_bins_have_means_and_all_others_are_summed(path):
    frame = targets.of_all_but(load(path), [0, 2], np.array([0, 20]))
    assert frame["target"].tolist() == [(0.125 + 0.5) / 2]
    assert frame["allocated"].tolist() == [0.25]


def test_the_last_sample_holds_up_to_the_end(path):
    frame = targets.of_job(load(path), 0, np.array([0, 20, 40]))
    assert frame["target"].tolist() == [(0.5 + 0.25) / 2, 0]
    with h5py.File(path, "a") as file:
        file["samples"].resize(2, axis=0)  # that of 20 s, with nobody there, is gone
    assert targets.of_job(load(path), 0, np.array([0, 20, 40]))["target"].tolist() == [0.375, 0.25]


def test_debts_are_summed_over_jobs_each_by_itself(path):
    frame = targets.debts(load(path), np.array([0, 10, 20]))
    assert frame["lent"].tolist() == [0.125 + 0.125, 0.25]
    assert frame["owed"].tolist() == [0.25, 0.25]


def test_the_figure_has_a_panel_a_job_the_others_and_what_is_lent(path):
    figure = target_figures.of_jobs({"drf": target_figures.panels(load(path))})
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "job job-0", "job big", "job job-3", "the other job", "all jobs"]
    big = {line.get_label(): line for line in figure.axes[1].lines}
    assert big["entitled"].get_ydata()[0] == 0.25 and big["target"].get_ydata()[0] == 0.375
    assert big["allocated"].get_ydata()[-1] == 0.25
    assert figure.axes[-1].get_xlabel() == "emulated time [s]"
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "entitled", "allocated", "target", "lent: above the target", "owed: below it"]


def test_runs_stand_side_by_side_those_without_targets_are_left_out(path, tmp_path):
    other = write_log(tmp_path / "b.h5", [Job(0, 20)], [Task(0, 0, 20)], samples=[(0, 1), (20, 0)],
                      targets=[(0, 0, 1, 1, 0.5)], policy="capacity")
    none = write_log(tmp_path / "c.h5", [Job(0, 20)], [Task(0, 0, 20)], policy="fifo")
    policies = by_policy([load(path), load(other), load(none)], order=["drf"])
    figure = draw("targets", policies, Options(Look("page")))
    shown = [axes for axes in figure.axes if axes.get_visible()]
    assert len(shown) == 5 + 2
    titles = [axes.get_title(loc="left") for axes in shown]
    assert "drf\njob job-0" in titles and "capacity\njob job-0" in titles
    with pytest.raises(UserError, match="figure targets needs a policy that says its targets"):
        draw("targets", by_policy([load(none)]))
    column = draw("targets", policies, Options(Look("column")))
    assert len({axes.get_position().x0 for axes in column.axes}) == 1  # one below the other


def test_a_run_in_which_nothing_has_ended_still_draws(tmp_path):
    path = write_log(tmp_path / "a.h5", [Job(0, math.nan, state=ACTIVE)], samples=[(0, 1)],
                     targets=[(0, 0, 1, 1, 0.5)])
    assert draw("targets", by_policy([load(path)])).axes
