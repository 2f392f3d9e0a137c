import json
import math
import re

import pytest

from logs import ACTIVE, Job, Stage, Task, write_log
from somnus.analysis import load
from somnus.analysis.__main__ import main
from somnus.analysis.metrics.summary import summary_json, summary_table


def write(path, weight=1.0, last=4, **more):
    """Of 4 cores and 16 GB job 0 takes 1 and 12 for 4 s, job 1, which waits 1 s, 2 and none."""
    return write_log(
        path, [Job(0, 4, weight=weight), Job(1, last)],
        [Task(0, 0, 4), Task(1, 2, last, ready=1)],
        stages=[Stage(0, 0, 4, demand=(1, 12)), Stage(1, 1, last, demand=(2, 0))],
        nodes=[(0, 2, 8)] * 2, resources=("cpu", "mem"), **more)


def cells_of(text):
    rows = [re.split(" {2,}", line.strip()) for line in text.splitlines()[2:]]
    return [(name, rest) for name, *rest in rows]


def test_the_json_has_an_object_a_resource(tmp_path):
    (only,) = json.loads(summary_json([load(write(tmp_path / "a.h5"))]))
    assert [(each["resource"], each["utilisation"]) for each in only["resources"]] == [
        ("cpu", 0.5), ("mem", 0.75)]  # the program's
    assert only["leftover"][0] == pytest.approx(
        {"resource": "cpu", "leftover_mean": 0.75, "leftover_median": 0.75})
    # Dominant shares 3/4 for 4 s, 1/2 for 2 s: (3 + 1)^2 / (2 (9 + 1)).
    assert only["jain"]["jain_mean"] == pytest.approx(0.8)


def test_the_table_has_lines_for_each_resource(tmp_path):
    cells = cells_of(summary_table([load(write(tmp_path / "a.h5"))]))
    assert cells[0] == ("cpu: left over while a task waits", ["75.0 %"])
    assert ("Jain's index over 60 s, mean", ["0.800"]) in cells
    assert not any("normalised" in name for name, _ in cells)


def test_what_weights_entitle_to_is_told_where_they_differ(tmp_path):
    # 3/4 and 1/4 of the share-seconds, of weights 3 and 1.
    cells = dict(cells_of(summary_table([load(write(tmp_path / "a.h5", weight=3))])))
    assert cells["normalised by entitlement, mean"] == ["1.000"]


def test_of_slots_alone_nothing_of_this_is_said(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [Job(0, 4)], [Task(0, 0, 4)]))
    (only,) = json.loads(summary_json([log]))
    assert (only["resources"], only["leftover"], only["jain"]) == ([], [], None)
    assert summary_table([log]) == ""


def test_a_log_of_slots_beside_one_of_resources_has_dashes(tmp_path):
    slots = write_log(tmp_path / "b.h5", [Job(0, 4)], [Task(0, 0, 4)])
    cells = dict(cells_of(summary_table([load(write(tmp_path / "a.h5")), load(slots)])))
    assert cells["mem: left over while a task waits"] == ["25.0 %", "–"]
    assert cells["Jain's index over 60 s, mean"] == ["0.800", "–"]


def test_a_run_in_which_nothing_ended_has_no_numbers(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [Job(0, math.nan, state=ACTIVE)], nodes=[(0, 4)],
                         stages=[Stage(0, 0, math.nan, demand=(1,))], resources=("cpu",)))
    (only,) = json.loads(summary_json([log]))
    assert only["utilisation"] is None and only["leftover"][0]["leftover_mean"] is None
    assert only["jain"]["jain_mean"] is None


def test_factors_are_told_beside_a_reference(tmp_path, capsys):
    # Response times 4 and 3 s against 4 and 9.
    paths = [str(write(tmp_path / f"{last}.h5", last=last)) for last in (4, 10)]
    assert main(["summary", paths[0], "--against", paths[1]]) == 0
    cells = dict(cells_of(capsys.readouterr().out))
    assert cells["factor of improvement, makespan"] == ["2.500"]
    assert cells["mean response time"] == ["1.857"]
    assert cells["p25 of the jobs' own"] == ["1.000"] and cells["p95 of the jobs' own"] == ["3.000"]
    assert cells["p95 of response times"] == ["2.250"]
    assert main(["summary", paths[0], "--against", paths[1], "--json"]) == 0
    against = json.loads(capsys.readouterr().out)[0]["against"]
    assert against["improvement"]["of_jobs_p95"] == 3 and against["improvement"]["faster"] == 0.5
