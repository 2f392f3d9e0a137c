import json
import tomllib

import numpy as np
import pandas as pd
import pytest

from logs import Job, write_log
from somnus.analysis import load
from somnus.analysis.metrics.curves import read
from somnus.analysis.papers.paf import details, measures
from somnus.analysis.papers.paf import experiments as paf
from somnus.analysis.papers.paf import runs as paf_runs
from somnus.analysis.papers.paf.runs import Jobs, with_alpha

# --- the paper as data ---

def test_the_example_has_the_curves_of_the_worked_test():
    header, *jobs = map(json.loads, (paf.PAPER.folder / "figure6.jsonl").read_text().splitlines())
    assert header["somnus_workload"] == 1
    first, second = (job["progress"] for job in jobs)
    assert first[6 - 1] - first[4 - 1] == pytest.approx(0.07)  # gives two of six slots
    assert second[8 - 1] - second[6 - 1] == pytest.approx(0.11)  # takes them


# --- the runs ---

def test_the_configs_leave_the_scheduler_to_the_runs():
    for name in paf_runs.CONFIG_NAMES:
        config = tomllib.loads((paf.PAPER.folder / name).read_text())
        assert config["scheduler"] == {"policy": "paf"}  # further keys would bind the others


def test_the_config_looks_for_the_trace_where_the_command_does():
    config = tomllib.loads((paf.PAPER.folder / "queries.toml").read_text())
    assert (paf.PAPER.folder / config["workload"]["library"]).resolve() == paf.TRACE.resolve()
    assert config["workload"]["with"] == {"executors": details.EXECUTORS}


def test_alpha_is_told_to_paf():
    assert with_alpha("paf-own", 0.5) == {
        "scheduler.policy": "paf", "scheduler.placement": "own-slots", "scheduler.paf.alpha": 0.5}


def test_a_run_takes_over_the_jvms_of_the_profile_but_not_how_jobs_were_made():
    jobs = Jobs("a.toml", {"workload.tasks": 3, "jvm.model": "reuse", "cluster.nodes": 4})
    assert jobs.elsewhere == {"jvm.model": "reuse", "cluster.nodes": 4}


# --- what is measured ---

def test_shapes_are_those_that_times_were_drawn_with():
    draws = np.random.default_rng(1)
    tasks = pd.concat([
        pd.DataFrame({"job": 0, "nominal": 5 * (1 - draws.random(20_000)) ** (-1 / 1.6)}),
        pd.DataFrame({"job": 1, "nominal": 7 * (1 - draws.random(20_000)) ** (-1 / 12)}),
        pd.DataFrame({"job": 2, "nominal": np.full(30, 4.0)}),
        pd.DataFrame({"job": 3, "nominal": [1.0, 2.0, 3.0]}),
    ], ignore_index=True)
    found = measures.shapes(tasks)
    assert found[0] == pytest.approx(1.6, rel=0.03)
    assert found[1] == pytest.approx(12, rel=0.03)
    assert found[[2, 3]].isna().all()


LEAST = {"A-1": 8, "B-1": 5, "B-2": 20}  # seconds; of B-1 the cluster has less


@pytest.fixture
def chains(tmp_path):
    """Of a job of A and two of B, whose last has nobody to compete with; ten slots."""
    jobs = [Job(0, 20, alone=10, name="A-1"), Job(0, 10, alone=4, name="B-1"),
            Job(10, 30, alone=20, name="B-2")]
    targets = [(0, 0, 0.5, 0.3, 0.3), (0, 1, 0.5, 0.7, 0.7), (15, 0, 0.5, 0.4, 0.4),
               (15, 2, 0.5, 0.6, 0.6)]
    return load(write_log(tmp_path / "a.h5", jobs, samples=[(0, 10), (15, 10), (30, 0)], nodes=(10,),
                          targets=targets, policy="paf"))


def test_only_jobs_that_end_while_all_compete_are_counted(chains):
    assert measures.while_all_compete(chains, LEAST).to_dict() == {"A": 0.4, "B": 0.4}
    shared = measures.shared(chains, LEAST)
    assert shared["mean"] == pytest.approx(0.4)
    assert shared["A.fair"] == pytest.approx(5)
    assert shared["A.slots"] == pytest.approx((3 * 15 + 4 * 5) / 20)


def test_an_exchange_is_read_from_the_first_targets(chains):
    assert measures.exchange(chains) == pytest.approx({"A-1": 3, "B-1": 7})


def test_gains_are_of_the_mean(tmp_path, chains):
    faster = load(write_log(tmp_path / "b.h5", [
        Job(0, 10, alone=10, name="A-1"), Job(0, 10, alone=4, name="B-1"),
        Job(10, 30, alone=20, name="B-2")], nodes=(10,)))
    assert measures.improvement(faster, chains, LEAST) == pytest.approx(
        100 * ((0.8 + 0.4 + 1) / (0.4 + 0.4 + 1) - 1))


def test_curves_are_read_at_the_papers_slots(tmp_path):
    slots = [1, 2, 4, 8, 16, 32]
    job = {"job": "PageRank-1", "slots": slots, "time_s": [32 / each for each in slots],
           "curve": [0, 0, 32, 0], "error": 0.01}
    (tmp_path / "a.json").write_text(json.dumps({"workload": "w", "jobs": [job]}))
    (profile,) = read(tmp_path / "a.json")
    values = measures.curves({"PageRank": profile})
    assert values["PageRank.double"] == pytest.approx(2)
    assert values["PageRank.last"] == pytest.approx(4)
    assert values["PageRank.24"] == pytest.approx(0.75)
    assert values["error"] == pytest.approx(1)
    assert measures.least_times([profile], 20) == {"PageRank-1": 2}
