import json
import tomllib

import pytest

from logs import Job, Stage, Task, write_log
from somnus.analysis import load
from somnus.analysis.papers.carbyne import details, measures
from somnus.analysis.papers.carbyne import experiments as carbyne
from somnus.analysis.papers.carbyne import runs as carbyne_runs
from somnus.analysis.papers.carbyne.runs import Mix, Outcome, outcome

# --- the paper as data ---

def test_the_examples_are_the_papers_sum_of_demands():
    jobs = [json.loads(line) for line in
            (carbyne.PAPER.folder / "figure2.jsonl").read_text().splitlines()[1:]]
    first, second = (job["stages"] for job in jobs)
    donated = 0.5 - (second[0]["demand"]["share"])
    assert donated == pytest.approx(0.21)  # section 3.3.3: by J2
    assert 2 * first[0]["demand"]["share"] + first[1]["demand"]["share"] == pytest.approx(0.29)


def test_the_configs_are_of_carbyne_at_load_1():
    for name in carbyne.PAPER.configs:
        config = tomllib.loads((carbyne.PAPER.folder / name).read_text())
        assert config["scheduler"] == {"policy": "carbyne"}  # further keys would bind the others
        assert "slots_per_node" not in config["cluster"]
    for name, config in (("tpc-ds", "synthetic.toml"), ("tpc-h", "queries.toml"),
                         ("facebook", "facebook.toml")):
        read = tomllib.loads((carbyne.PAPER.folder / config).read_text())
        assert read["cluster"]["nodes"] == Mix(name, 1).machines


def test_the_configs_look_for_the_traces_where_the_command_does():
    for name in ("tpc-h", "facebook"):
        workload = carbyne_runs.WORKLOADS[name]
        ((key, file),) = workload.trace.items()
        table, key = key.split(".")
        read = tomllib.loads((carbyne.PAPER.folder / workload.config).read_text())[table]
        assert (carbyne.PAPER.folder / read[key]).resolve() == (carbyne.TRACES / file).resolve()


def test_load_changes_the_number_of_machines():
    assert [Mix("tpc-h", load).machines for load in (1, 2, 5, 1000)] == [86, 43, 17, 1]
    assert Mix("microsoft", 2, offline=True).settings == {
        "cluster.nodes": 129, "workload.like": "ms", "workload.jobs": 100,
        "workload.arrivals": "at-once"}


# --- what is measured ---

def run(folder, name, ends, start=0.0, demands=None) -> Outcome:
    """Jobs from 0 on, each one task on a machine of its own, or as much of it as it demands."""
    demands = demands or [1.0] * len(ends)
    return outcome(load(write_log(
        folder / f"{name}.h5", [Job(0, end) for end in ends],
        [Task(place, start, end, node=place) for place, end in enumerate(ends)],
        stages=[Stage(place, 0, end, demand=(demand,))
                for place, (end, demand) in enumerate(zip(ends, demands))],
        nodes=[(0, 1.0)] * len(ends), resources=("cpu",),
    )))


def test_an_outcome_outlives_its_log(tmp_path):
    kept = run(tmp_path, "log", [30, 60])
    (tmp_path / "log.h5").unlink()
    assert kept.response == 45 and kept.makespan == 60
    assert kept.jain["mean"] == pytest.approx((0.5 + 0.25)**2 / (2 * (0.5**2 + 0.25**2)))
    assert kept.factors(kept).tolist() == [1, 1]


def test_schedulers_are_compared_with_carbyne(tmp_path):
    ends = {"drf": [60, 60], "tetris": [30, 50], "sjf": [20, 80], "carbyne": [30, 60]}
    runs = {name: run(tmp_path, name, each) for name, each in ends.items()}
    values = measures.tradeoff({"tpc-h": runs})
    assert values["tpc-h.response.drf"] == pytest.approx(60 / 45)
    assert values["tpc-h.makespan.sjf"] == pytest.approx(80 / 60)
    assert values["tpc-h.jain.drf"] == 1
    assert values["tpc-h.unfair.carbyne"] == pytest.approx(0.9 - 1)
    assert values["claim.fast"] == pytest.approx(40 / 45)
    assert values["claim.dense"] == 1
    assert values["claim.fastest"] == pytest.approx(40 / 50)
    assert values["claim.fairest"] == pytest.approx(1 - 80**2 / (2 * (30**2 + 50**2)))


def test_the_worst_workload_decides_a_claim(tmp_path):
    def mix(name, drf):
        return {each: run(tmp_path, f"{name}-{each}", [drf if each == "drf" else 40])
                for each in ("drf", "tetris", "sjf", "carbyne")}

    values = measures.tradeoff({"one": mix("one", 50), "two": mix("two", 30)})
    assert values["claim.fast"] == 0.75 and values["claim.dense"] == 0.75


def test_factors_are_of_jobs_and_of_percentiles(tmp_path):
    runs = {"carbyne": run(tmp_path, "carbyne", [10, 20, 40, 80]),
            "drf": run(tmp_path, "drf", [80, 40, 30, 40]),
            "tetris": run(tmp_path, "tetris", [10, 20, 40, 80])}
    values = measures.table_3({"tpc-h": runs})
    assert [values[f"tpc-h.drf.p{each}"] for each in (25, 50, 75, 95)] == [0.5, 0.75, 2, 8]
    assert [values[f"of_completion.tpc-h.drf.p{each}"] for each in (25, 95)] == [3, 1]
    assert values["claim.faster.drf"] == values["claim.beyond.drf"] == 50
    assert values["claim.least.drf"] == 0.5
    assert values["claim.faster.tetris"] == values["claim.beyond.tetris"] == 0


def test_sweeps_tell_what_their_claims_are_about(tmp_path):
    def at(drf, tetris):
        return {"carbyne": run(tmp_path, "c", [100]), "drf": run(tmp_path, "d", [drf]),
                "tetris": run(tmp_path, "t", [tetris])}

    loads = measures.figure_9(
        {1: at(150, 120), 2: at(190, 180), 4: at(380, 198), 6: at(380, 99)})
    assert loads["claim.1"] == 1.5
    assert (loads["claim.2.least"], loads["claim.2.most"]) == (1.8, 1.9)
    assert loads["claim.4"] == pytest.approx(1.1) and loads["claim.6"] == pytest.approx(0.5)
    levels = measures.figure_11(
        {0: at(90, 105), 0.25: at(100, 100), 0.5: at(124, 110), 0.75: at(140, 120),
         1: at(156, 130)})
    assert levels["claim.rising"] == pytest.approx(-0.05)
    assert levels["claim.none"] == 0.9 and levels["claim.half"] == 1.24
    errors = measures.figure_10(
        {-50: at(100, 97), -25: at(50, 50), 0: at(140, 120), 25: at(150, 130), 50: at(99, 150)})
    assert errors["claim.under"] == 0.97 and errors["claim.over"] == 0.99


def test_dagps_is_compared_job_by_job(tmp_path):
    values = measures.figure_12({
        "drf": run(tmp_path, "drf", [40, 40]), "carbyne": run(tmp_path, "carbyne", [20, 20]),
        "carbyne+dagps": run(tmp_path, "dagps", [10, 25]),
    })
    assert values["carbyne.p75"] == 2 and values["carbyne+dagps.p75"] == 4
    assert values["claim.better"] == 50 and values["claim.quarter"] == 2


def test_other_loads_stand_side_by_side(tmp_path):
    runs = {name: run(tmp_path, name, [30]) for name in ("drf", "tetris", "carbyne")}
    measured = {key: [value] for key, value in measures.table_3({"tpc-h": runs}).items()}
    text = details.factors({"tpc-h": "TPC-H"}, {1.0: measured, 5.0: measured})
    rows = text.partition("---")[2].splitlines()
    assert rows[1].startswith("TPC-H, load 1 ") and rows[2].startswith("TPC-H, load 5 ")
