import gzip
import math
import tomllib

import pandas as pd
import pytest

from logs import Job, write_log
from somnus.analysis import load
from somnus.analysis.papers.common import pace
from somnus.analysis.papers.common.expect import (
    Expectation, Figure, Reason, Relation, about, at_most,
)
from somnus.analysis.papers.common.tables import Beside, report, sentence
from somnus.analysis.papers.common.tolerances import FACTORS
from somnus.analysis.papers.common.verdicts import explained, findings, judge
from somnus.analysis.papers.uwfq import details, measures
from somnus.analysis.papers.uwfq import authors as uwfq_authors
from somnus.analysis.papers.uwfq import experiments as uwfq
from somnus.analysis.papers.uwfq import paper as uwfq_paper


def judged(figure, values):
    """As where nothing is drawn, with reasons."""
    return explained(figure, values, judge(figure, values, repeats=True))


# --- what the report adds ---

def test_a_further_column_stands_beside_the_papers_and_gives_the_difference_where_it_has_none():
    figure = Figure("Table 1", "times", (Expectation("a", "first", about(10, FACTORS)),
                                         Expectation("b", "second")))
    text = report(figure, judged(figure, {"a": [11], "b": [5]}), Beside("theirs", {"b": 4.0}))
    assert "first   | 10.00 |      – |    11.00 | +1.000 (+10 %)" in text
    assert "second  |     – |  4.000 |    5.000 | +1.000 (+25 %)" in text


def test_rows_that_miss_get_the_first_reason_that_fits_or_none():
    figure = Figure("T", "t", (
        Expectation("ujf.response", "UJF", about(10, FACTORS)),
        Expectation("ujf.worst.response", "UJF worst", about(10, FACTORS)),
        Expectation("cfq.response", "CFQ", about(10, FACTORS)),
        Expectation("uwfq.response", "UWFQ", about(10, FACTORS)),
        Expectation("fifo.response", "FIFO"),
    ), reasons=(Reason(r"ujf\..*", "names."), Reason(r".*\.response", "load.")))
    values = {"ujf.response": [20], "ujf.worst.response": [20], "cfq.response": [30],
              "uwfq.response": [10.5]}
    text = report(figure, judged(figure, values))
    assert text.splitlines()[-5:] == [
        "As in the paper: 1 of 4 numbers (± 10 %). The others:",
        "- UJF; UJF worst", "  Reason: names.",
        "- CFQ", "  Reason: load.",
    ]
    values["uwfq.response"] = [2]
    unexplained = Figure("T", "t", figure.expectations, reasons=figure.reasons[:1])
    assert report(unexplained, judged(unexplained, values)).endswith("- CFQ; UWFQ\n  Unexplained.")


def test_a_reason_may_be_for_one_side_of_the_papers_number():
    faster = Reason(r"\w+", "ours is faster.", Relation.LESS)
    low, high = judged(
        Figure("T", "t", (Expectation("low", "", about(10, FACTORS)),
                          Expectation("high", "", about(10, FACTORS))), reasons=(faster,)),
        {"low": [5], "high": [15]})
    assert low.reason == "ours is faster." and not high.reason


def test_a_reasons_numbers_are_those_of_the_run():
    def busy(found):
        return f"{found.span(r'.*in-use')} % are in use." if found.means(r".*in-use") else ""

    figure = Figure("T", "t", (Expectation("claim", "", at_most(1), "less"),),
                    reasons=(Reason("claim", busy), Reason("claim", "it is not known.")))
    (verdict,) = judged(figure, {"claim": [2], "a.in-use": [80, 82], "b.in-use": [90, math.nan]})
    assert verdict.reason == "81.00 to 90.00 % are in use."
    assert judged(figure, {"claim": [2]})[0].reason == "it is not known."
    assert not judged(figure, {"claim": [1], "a.in-use": [80]})[0].reason


def test_a_claim_without_a_number_can_t_be_told():
    (claim,) = findings(judged(Figure("T", "t", (
        Expectation("claim", "DVR, a / b", at_most(1), "a is fairer"),)), {"claim": [math.nan]}))
    assert sentence(claim).startswith("not decided:   a is fairer\n")
    assert sentence(claim).endswith("Reason: it was not measured.")


# --- the paper as data ---

def test_the_papers_own_numbers_meet_its_claims_but_for_those_that_contradict_its_table():
    def rows(cells, columns):
        return {f"{name}.{column}": value for name, row in cells.items()
                for column, value in zip(columns, row)}

    def broken(figure, claims):
        verdicts = judge(figure, {key: [value] for key, value in claims.items()}, repeats=True)
        return {each.expectation.key for each in verdicts
                if each.expectation.key in claims and not each.holds}

    micro, macro = tuple(uwfq_paper.MICRO_COLUMNS)[1:], tuple(uwfq_paper.MACRO_COLUMNS)
    values = rows(uwfq_paper.SCENARIO_1_CELLS, micro)
    assert not broken(uwfq_paper.SCENARIO_1, measures.claims_of_scenario_1(values))
    values = rows(uwfq_paper.SCENARIO_2_CELLS, micro)
    assert not broken(uwfq_paper.SCENARIO_2, measures.claims_of_scenario_2(values))
    values = rows(uwfq_paper.MACRO_CELLS, macro)
    assert broken(uwfq_paper.MACRO_TABLE, measures.claims_of_macro(values)) == {
        "claim.cfq", "claim.cfq-p.dvr", "claim.uwfq-p.dvr",
    }


def test_every_scheduler_of_a_table_has_its_settings():
    assert set(uwfq.MICRO) | set(uwfq_paper.MACRO) == set(uwfq.SETTINGS)
    for name, settings in uwfq.SETTINGS.items():
        preset = settings["scheduler.policy"]
        assert preset.removesuffix("-p") == name.removesuffix("-p").removesuffix("-once")


# --- what is measured ---

def test_scenario_2_takes_the_users_who_are_best_and_worst_off():
    means = pd.Series({"user1": 3.0, "user2": 9.0, "user3": 5.0, "user4": 1.0})
    assert measures.best_and_worst_off(means) == (1, 9)
    assert measures.frequent_and_infrequent(means) == (6, 3)


def test_macro_means_count_jobs_as_often_as_the_paper_does(tmp_path):
    def run(name, *response):
        return load(write_log(
            tmp_path / f"{name}.h5",
            [Job(0, each, user=place) for place, each in enumerate(response)],
            users=["user_1", "user_17"]))

    logs = {name: run(name, 10, 10) for name in uwfq_paper.MACRO} | {"uwfq": run("uwfq", 5, 20)}
    values = measures.macro(logs)
    assert values["uwfq.response"] == 15  # user_17's job counts for user_1 too
    assert (values["uwfq.dvr"], values["uwfq.violations"], values["uwfq.slack"]) == (1, 2, 1)
    honest = measures.macro(logs, "jobs")
    assert (honest["uwfq.response"], honest["uwfq.violations"]) == (12.5, 1)
    assert values["claim.uwfq.response"] == pytest.approx(50)


def test_a_run_with_runtime_partitioning_is_measured_against_one(tmp_path):
    def run(name, response):
        return load(write_log(tmp_path / f"{name}.h5", [Job(0, response)], users=["user_1"]))

    ends = dict.fromkeys(uwfq_paper.MACRO, 10) | {"ujf-p": 5, "cfq-p": 4, "cfq": 8}
    values = measures.figure_7({name: run(name, end) for name, end in ends.items()})
    assert values["cfq.dsr"] == values["cfq-p.dsr"] == pytest.approx(0.2)


# --- what the authors released ---

def authors_file(folder, name, rows):
    folder.mkdir(parents=True, exist_ok=True)
    with gzip.open(folder / f"{name}_run_data.csv.gz", "wt") as file:
        pd.DataFrame(rows).to_csv(file)


def macro_row(scheduler, iteration, **columns):
    return {
        "Scheduler": scheduler, "Iteration": iteration, "total time": 560.0,
        "average response time": 50.0, "average response time (worst80)": 20.0,
        "average response time (worst95)": 90.0, "average response time (worst100)": 200.0,
        "Total DVR": math.nan if iteration == 0 else 0.5, "Total violations": 10 * iteration,
        "Total DSR": -0.25 * iteration, "Total gains": 174,
        "user_1 average response time": 10.0, "user_12 average response time": 4.0,
        "user_2 average response time": math.nan, **columns,
    }


@pytest.fixture
def released(tmp_path):
    folder = tmp_path / "released"
    rows = [macro_row(uwfq_authors.SCHEDULERS[name], iteration)
            for name in (*uwfq_paper.SCHEDULERS, *uwfq_paper.PARTITIONED) if name != "cfq-p"
            for iteration in range(3)]
    rows.append(macro_row("CUSTOM_CLUSTERFAIR_PARTITIONER", 0,
                          **{"average response time": 30.0, "Total DVR": 0.7}))
    authors_file(folder, uwfq_authors.MACRO, rows)
    (folder / "homo_macro_jobs.csv").write_text(
        "# jobs\nuser,job,arrival_ms\nuser_1,a,0\nuser_12,b,0\nuser_12,c,5\n")
    return folder


def test_the_authors_numbers_are_means_of_iterations_under_the_papers_keys(released):
    values = uwfq_authors.macro(released)
    assert values["ujf.0-80"] == 20 and values["ujf.violations"] == 10
    assert values["ujf.dsr"] == 0.25  # stored negative
    assert (values["cfq-p.response"], values["cfq-p.dvr"]) == (30, 0.7)
    assert "fifo.response" not in values  # they have no FIFO of this workload


def test_a_users_mean_is_freed_of_the_users_named_alike(released):
    # user_1's column is over three jobs, two of them user_12's: (x + 2 * 4) / 3 = 10.
    means = uwfq_authors.macro_user_means(released)["ujf"]
    assert means.to_dict() == {"user_12": 4, "user_1": 22}
    assert uwfq_authors.macro_mean(released)["ujf"] == 10


def test_noise_is_what_ujf_differs_from_itself(released):
    found = uwfq_authors.repeated_ujf(released, uwfq_authors.MACRO)
    assert found == {"dvr": 0.5, "violations": 15, "dsr": 0.375, "slack": 174}
    assert "15 violations" in details.noise(released, uwfq_authors.MACRO)


def test_absent_data_are_empty_columns(tmp_path):
    assert uwfq_authors.scenario_1(tmp_path) == uwfq_authors.scenario_2(tmp_path) == {}
    assert uwfq_authors.macro(tmp_path) == uwfq_authors.macro_user_means(tmp_path) == {}
    assert uwfq_authors.macro_mean(tmp_path) == {}
    assert "without their run data" in details.noise(tmp_path, uwfq_authors.SCENARIO_1)


def test_runs_that_did_not_keep_up_are_warned_of_in_the_programs_words():
    kept_up = {"pace": "kept up", "pace_in_words": "it did.", "safe_speed": math.nan}
    late = {"pace": "outran its machine", "pace_in_words": "rank 1 was 1 s late.", "safe_speed": 5}
    later = late | {"safe_speed": 4, "pace_in_words": "rank 2 was 2 s late."}
    stalled = {"pace": "stalled", "pace_in_words": "nothing was heard of rank 2.", "safe_speed": math.nan}
    assert pace.judge({"fair": kept_up}, 20) == "All 1 real runs kept up at speed 20."
    text = " ".join(pace.judge({"fair": kept_up, "cfq": late, "paf": later}, 20).split())
    assert text == ("WARNING: 2 of 3 real runs did not keep up at speed 20. paf, outran its machine: "
                    "rank 2 was 2 s late.")
    assert "cfq, stalled: nothing was heard of rank 2." in " ".join(
        pace.judge({"fair": late, "cfq": stalled}, 20).split())


def test_the_configs_are_of_the_papers_cluster():
    for name in uwfq.PAPER.configs:
        config = tomllib.loads((uwfq.PAPER.folder / name).read_text())
        assert config["cluster"]["nodes"] * config["cluster"]["slots_per_node"] == 32
        assert config["scheduler"] == {"policy": "uwfq"}  # further keys would bind the others


def test_the_macro_config_looks_for_the_trace_where_the_command_does():
    workload = tomllib.loads((uwfq.PAPER.folder / "macro.toml").read_text())["workload"]
    assert (uwfq.PAPER.folder / workload["file"]).resolve() == (
        uwfq.TRACES / uwfq.TRACE).resolve()


def test_claims_that_exact_estimates_turn_are_told():
    figure = Figure("T", "t", (Expectation("claim.best", "ratio", at_most(1), "UWFQ is best"),
                               Expectation("claim.same", "ratio", at_most(1), "stays"),
                               Expectation("uwfq.response", "UWFQ")))

    def measured(best):
        return {"claim.best": [best], "claim.same": [0.5], "uwfq.response": [best]}

    text = details.by_estimates(figure, {"response": "mean"}, ["uwfq"], measured(0.5), measured(2.0),
                                repeats=True)
    assert text.splitlines()[2].split() == ["UWFQ:", "mean", "|", "0.500", "|", "2.000"]
    turned = text.split("Claims that turn with exact estimates:\n")[1]
    assert turned.splitlines() == ["does not hold: UWFQ is best",
                                   "               ratio: measured 2.000, paper ≤ 1.000",
                                   "               Unexplained."]


def test_wrong_estimates_leave_the_partitions_as_they_are():
    settings = {"workload.estimate_factor": 0.1, "estimate.model": "given"}
    assert uwfq.with_wrong_estimates("uwfq", 0.1) == settings
    assert uwfq.with_wrong_estimates("uwfq-p", 0.1) == settings | {
        "scheduler.by-runtime.advisory_task_runtime_s": pytest.approx(0.05)
    }
