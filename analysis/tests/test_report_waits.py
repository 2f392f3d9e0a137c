"""What tasks waited for, on logs small enough to tell by heart. For all presets, and against an
explanation that walks through every instant: tests/program/waits_test.py.
"""

import h5py
import numpy as np
import pytest

from logs import ACTIVE, UNSUBMITTED, Job, Task, add_table, write_log
from somnus.analysis import load
from somnus.analysis.report import ahead, spans, wait_causes, worst


def add_decisions(path, tasks, hear_s=0.0):
    """As of a scheduler that learns of ends so much later, and places tasks in the order of `placed`.

    Each task is the only one of its stage. Times of one instant: ends first.
    """
    ends = sorted(tasks, key=lambda task: task.finish)
    launches = sorted(tasks, key=lambda task: task.placed)
    times = sorted({task.placed for task in tasks} | {task.finish + hear_s for task in tasks})
    with h5py.File(path, "r+") as file:
        add_table(file, "events/task_ended", [
            {"time": task.finish + hear_s, "number": number, "round": times.index(task.finish + hear_s),
             "task": task.job, "node": task.node, "attempt": task.attempt, "outcome": task.outcome}
            for number, task in enumerate(ends)])
        add_table(file, "decisions/launch", [
            {"time": task.placed, "number": number, "round": times.index(task.placed),
             "task": task.job, "node": task.node, "attempt": task.attempt, "stage": task.job}
            for number, task in enumerate(launches)])
    return path


def causes(path):
    found = wait_causes.by_job(load(path))
    return [{cause: pytest.approx(seconds) for cause, seconds in row.items() if seconds}
            for row in found.to_dict("records")]


def test_a_task_waits_until_a_slot_is_free(tmp_path):
    tasks = [Task(0, 0, 10, placed=0.0), Task(1, 10, 12, ready=2, placed=10.0)]
    log = write_log(tmp_path / "a.h5", [Job(0, 10), Job(2, 12)], tasks, nodes=[1])
    assert causes(add_decisions(log, tasks)) == [{}, {"full": 8}]


def test_it_is_passed_over_from_the_launch_of_another_jobs_task_on(tmp_path):
    tasks = [Task(0, 0, 10, placed=0.0), Task(1, 10, 15, ready=3, placed=10.0),
             Task(2, 15, 20, ready=2, placed=15.0)]
    log = write_log(tmp_path / "a.h5", [Job(0, 10), Job(3, 15), Job(2, 20)], tasks, nodes=[1])
    assert causes(add_decisions(log, tasks)) == [{}, {"full": 7}, {"full": 8, "order": 5}]


def test_a_free_slot_that_the_scheduler_has_not_heard_of_is_news(tmp_path):
    tasks = [Task(0, 0, 10, placed=0.0), Task(1, 12, 20, ready=1, placed=11.0, queued=12.0)]
    log = write_log(tmp_path / "a.h5", [Job(0, 10), Job(1, 20)], tasks, nodes=[1])
    assert causes(add_decisions(log, tasks, hear_s=1)) == [{}, {"full": 9, "news": 2}]


def test_a_free_slot_that_it_leaves_is_held(tmp_path):
    tasks = [Task(0, 4, 5, placed=4.0)]
    log = write_log(tmp_path / "a.h5", [Job(0, 5)], tasks, nodes=[1])
    assert causes(add_decisions(log, tasks)) == [{"held": 4}]


def test_time_in_a_nodes_queue_and_on_attempts_that_failed(tmp_path):
    tasks = [Task(0, 1, 4, placed=0.0, outcome=1), Task(0, 7, 9, ready=4, placed=4.0, queued=5.0,
                                                        attempt=1)]
    log = write_log(tmp_path / "a.h5", [Job(0, 9)], tasks, nodes=[1])
    assert causes(add_decisions(log, tasks)) == [{"again": 4, "news": 1, "queue": 2}]


def test_a_log_without_decisions_does_not_tell(tmp_path):
    log = write_log(tmp_path / "a.h5", [Job(0, 9)], [Task(0, 5, 9)], nodes=[1])
    assert causes(log) == [{"unknown": 5}]


def test_tasks_that_never_started_wait_until_the_log_ends(tmp_path):
    tasks = [Task(0, 0, 10, placed=0.0)]
    log = write_log(tmp_path / "a.h5", [Job(0, 10), Job(4, np.nan, tasks=2, state=ACTIVE),
                                        Job(99, np.nan, state=UNSUBMITTED)], tasks, nodes=[1])
    assert causes(add_decisions(log, tasks)) == [{}, {"full": 12}, {}]


def test_spans_of_a_task_touch(tmp_path):
    tasks = [Task(0, 3, 4, ready=1, placed=2.0, queued=2.5)]
    log = write_log(tmp_path / "a.h5", [Job(0.5, 4)], tasks, nodes=[1])
    found = spans.spans(load(log))
    assert list(found["begin"]) == [0.5, 1, 2, 2.5]
    assert list(found["end"]) == [1, 2, 2.5, 3]


def test_the_longest_time_with_a_task_ready_and_none_running():
    found = worst.longest_without(
        owner=np.array([7, 7, 9]), ready=np.array([0.0, 1, 5]), start=np.array([2.0, 9, np.nan]),
        finish=np.array([4.0, 10, np.nan]), until=20)
    assert found.loc[7].tolist() == [5, 4]
    assert found.loc[9].tolist() == [15, 5]


def test_nobody_starves_where_nothing_waited():
    nothing = np.empty(0)
    assert worst.longest_without(nothing.astype(int), nothing, nothing, nothing, 0).empty


def test_the_worst_jobs_come_first_and_say_why(tmp_path):
    tasks = [Task(0, 0, 10, placed=0.0), Task(1, 10, 12, ready=2, placed=10.0)]
    log = load(add_decisions(write_log(
        tmp_path / "a.h5", [Job(0, 10, alone=10), Job(2, 12, alone=2)], tasks, nodes=[1]), tasks))
    found = worst.worst_jobs(log, wait_causes.by_job(log), 20)
    assert list(found["name"]) == ["job-1", "job-0"]
    assert list(found["slowdown"]) == [5, 1]
    assert found.at[1, "full"] == pytest.approx(1)
    assert found.at[1, "wait"] == pytest.approx(8)


def test_who_went_first_shares_out_the_wait(tmp_path):
    """Two slots: job 0 holds one until 10, job 1 the other until 4, then job 2 before job 3, ready at 2."""
    tasks = [Task(0, 0, 10, placed=0.0), Task(1, 0, 4, placed=0.0), Task(2, 4, 8, ready=3, placed=4.0),
             Task(3, 8, 9, ready=2, placed=8.0)]
    path = write_log(tmp_path / "a.h5", [Job(0, 10), Job(0, 4), Job(3, 8), Job(2, 9)], tasks, nodes=[2])
    log = load(add_decisions(path, tasks))
    found = ahead.ahead(log, np.array([3]))[3]
    assert found.to_dict("records") == [
        {"job": 0, "seconds": pytest.approx(3.0), "went_first": 0.0},
        {"job": 2, "seconds": pytest.approx(2.0), "went_first": pytest.approx(2.0)},
        {"job": 1, "seconds": pytest.approx(1.0), "went_first": 0.0}]
    waited = wait_causes.by_job(log)
    assert found["seconds"].sum() == pytest.approx(waited.loc[3].sum())


def test_of_two_that_come_together_one_goes_first(tmp_path):
    tasks = [Task(0, 0, 5, placed=0.0), Task(1, 5, 7, ready=0, placed=5.0)]
    path = write_log(tmp_path / "a.h5", [Job(0, 5), Job(0, 7)], tasks, nodes=[1])
    found = ahead.ahead(load(add_decisions(path, tasks)), np.array([0, 1]))
    assert found[0].empty
    assert found[1].to_dict("records") == [{"job": 0, "seconds": pytest.approx(5.0),
                                                "went_first": pytest.approx(5.0)}]
