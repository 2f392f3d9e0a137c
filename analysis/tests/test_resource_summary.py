import json
import math
import re

import pytest

from logs import ACTIVE, Job, Stage, Task, write_log
from somnus_analysis import load
from somnus_analysis.__main__ import main
from somnus_analysis.metrics.summary import summarise, summary_json, summary_table


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


def test_without_slots_utilisation_is_of_the_most_used_resource(tmp_path):
    # Of 4 s memory has 3/4 all the time; the cores 1/4 for 2 s and 3/4 for 2 s.
    summary = summarise(load(write(tmp_path / "a.h5")))
    assert (summary["utilisation"], summary["utilisation_middle"]) == pytest.approx((0.75, 0.75))


def test_both_numbers_are_of_the_resource_that_is_used_most_over_the_makespan(tmp_path):
    # To 20 s cores are used (4 + 36) / 80, memory 48 / 320; from 2 to 18 cores (2 + 32) / 64.
    summary = summarise(load(write(tmp_path / "a.h5", last=20)))
    assert summary["utilisation"] == pytest.approx(40 / 80)
    assert summary["utilisation_middle"] == pytest.approx(34 / 64)


def test_the_json_has_an_object_a_resource(tmp_path):
    (only,) = json.loads(summary_json([load(write(tmp_path / "a.h5"))]))
    cpu, mem = only["resources"]
    # From 2 on both have 3/4 in use, and the first of equals binds.
    assert cpu == pytest.approx({"resource": "cpu", "utilisation": 0.5, "peak": 0.75,
                                 "utilisation_middle": (1.6 / 4 + 1.6 * 3 / 4) / 3.2,
                                 "binding": 0.5})
    assert mem == pytest.approx({"resource": "mem", "utilisation": 0.75, "peak": 0.75,
                                 "utilisation_middle": 0.75, "binding": 0.5})
    assert only["leftover"][0] == pytest.approx(
        {"resource": "cpu", "leftover_mean": 0.75, "leftover_median": 0.75})
    # Dominant shares 3/4 for 4 s, 1/2 for 2 s: (3 + 1)^2 / (2 (9 + 1)).
    assert only["jain"]["jain_mean"] == pytest.approx(0.8)


def test_the_table_has_lines_for_each_resource(tmp_path):
    cells = cells_of(summary_table([load(write(tmp_path / "a.h5"))]))
    at = cells.index(("cpu: utilisation", ["50.0 %"]))
    assert cells[at:at + 4] == [
        ("cpu: utilisation", ["50.0 %"]), ("from 10 % to 90 % of the makespan", ["50.0 %"]),
        ("binds, of the makespan", ["50.0 %"]), ("left over while a task waits", ["75.0 %"])]
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
    assert "Jain" not in summary_table([log])


def test_a_log_of_slots_beside_one_of_resources_has_dashes(tmp_path):
    slots = write_log(tmp_path / "b.h5", [Job(0, 4)], [Task(0, 0, 4)])
    cells = dict(cells_of(summary_table([load(write(tmp_path / "a.h5")), load(slots)])))
    assert cells["mem: utilisation"] == ["75.0 %", "–"]
    assert cells["Jain's index over 60 s, mean"] == ["0.800", "–"]


def test_slots_beside_resources_are_what_utilisation_is_of(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [Job(0, 4)], [Task(0, 0, 4)], nodes=[(2, 4)],
                         stages=[Stage(0, 0, 4, demand=(4,))], resources=("cpu",)))
    assert summarise(log)["utilisation"] == 0.5
    assert json.loads(summary_json([log]))[0]["resources"][0]["utilisation"] == 1


def test_a_run_in_which_nothing_ended_has_no_numbers(tmp_path):
    log = load(write_log(tmp_path / "a.h5", [Job(0, math.nan, state=ACTIVE)], nodes=[(0, 4)],
                         stages=[Stage(0, 0, math.nan, demand=(1,))], resources=("cpu",)))
    (only,) = json.loads(summary_json([log]))
    assert only["utilisation"] is None and only["resources"][0]["binding"] is None
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
