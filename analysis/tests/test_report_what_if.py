"""What would have helped: the same jobs simulated again, with one thing changed."""

from pathlib import Path

import pytest

from somnus import simulate
from somnus.analysis.base.program import Somnus
from somnus.analysis.report import what_if
from somnus.analysis.report.document import page

CONFIG = """
[cluster]
nodes = 3
slots_per_node = 2
[scheduler]
policy = "fifo"
[workload]
generator = "google"
jobs = 60
load = 0.9
"""


@pytest.fixture
def config(tmp_path, somnus, monkeypatch) -> Path:
    monkeypatch.setenv("SOMNUS", str(somnus))
    path = tmp_path / "config.toml"
    path.write_text(CONFIG)
    return path


def worst_of(log):
    responses = log.jobs["finish"] - log.jobs["submit"]
    return list(responses.sort_values(ascending=False).index[:10])


def test_each_row_is_the_simulation_with_that_change(config, somnus):
    log = simulate(config)
    found = what_if.what_if(log, Somnus(somnus))
    assert found.why_not == ""
    table = what_if.effects(found, worst_of(log))
    assert list(table.index) == ["as it was", "one more node of 2 slots", "order fair", "order srpt", "order cfq"]
    assert table.loc["as it was", "all"] == pytest.approx(log.summary["response_mean_s"])
    assert table.loc["as it was", "faster"] == 0
    for order in ("fair", "srpt", "cfq"):
        alone = simulate(config, policy=f"+order={order}")
        assert table.loc[f"order {order}", "all"] == pytest.approx(alone.summary["response_mean_s"])
    assert table.loc["order srpt", "all"] < table.loc["as it was", "all"]


def test_one_more_node_does_not_bring_more_work(config, somnus):
    """The load of the workload is a share of the cluster's capacity, and so would grow with it."""
    log = simulate(config)
    table = what_if.effects(what_if.what_if(log, Somnus(somnus)), worst_of(log))
    fixed = simulate(config, settings={"cluster.nodes": 4, "workload.load": 0.9 * 3 / 4})
    assert table.loc["one more node of 2 slots", "all"] == pytest.approx(fixed.summary["response_mean_s"])


def test_a_workload_that_has_changed_is_no_answer(config, somnus, tmp_path):
    program = Somnus(somnus)
    jobs = program.make_workload("google", {"jobs": 20}, 1, tmp_path / "jobs.jsonl")
    config.write_text(CONFIG.replace('generator = "google"\njobs = 60', f'file = "{jobs.name}"'))
    log = simulate(config)
    assert what_if.what_if(log, program).why_not == ""
    program.make_workload("google", {"jobs": 21}, 1, jobs)
    assert "not the log's any more" in what_if.what_if(log, program).why_not
    jobs.unlink()
    assert "cannot be simulated any more" in what_if.what_if(log, program).why_not
    assert "what would have helped is not known" in page([log], somnus, asks_what_if=True)


def test_the_page_has_it_where_it_is_asked_for(config, somnus):
    log = simulate(config)
    assert "What would have helped" not in page([log], somnus)
    text = page([log], somnus, asks_what_if=True)
    assert "What would have helped" in text and "one more node of 2 slots" in text
    assert "Ahead of it, s a task: " in text
