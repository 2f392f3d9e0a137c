import math

import pytest

from logs import Job, Task, write_log
from somnus_analysis import load
from somnus_analysis.__main__ import main
from somnus_analysis.compare import response_differences


def log_of(path, responses, **attributes):
    jobs = [Job(submit=1, finish=1 + each, tasks=1) for each in responses]
    return write_log(path, jobs, [Task(0, 1, 2)], **attributes)


def test_each_job_is_compared_with_itself(tmp_path):
    run = load(log_of(tmp_path / "run.h5", [10.1, 5, math.nan]))
    simulation = load(log_of(tmp_path / "sim.h5", [10, 4, 7]))
    assert list(response_differences(run, simulation)) == pytest.approx([0.01, 0.25])


def test_the_table_shows_the_largest_difference_in_percent(tmp_path, capsys):
    paths = [log_of(tmp_path / "run.h5", [10.1, 5]), log_of(tmp_path / "sim.h5", [10, 4])]
    assert main(["compare", *map(str, paths)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines if line.startswith("largest")] == [["largest", "25.00"]]
    assert lines[-1].split() == ["jobs", "compared", "2"]


def test_logs_of_different_workloads_are_refused(tmp_path, capsys):
    paths = [log_of(tmp_path / "a.h5", [1]), log_of(tmp_path / "b.h5", [1], workload_digest=b"x")]
    assert main(["compare", *map(str, paths)]) == 2
    assert "different workloads" in capsys.readouterr().err
