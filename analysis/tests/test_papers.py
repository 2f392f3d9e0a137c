"""What holds of every paper that is reproduced, and their commands with the program itself."""

import gzip
import json
import re
import tomllib
from dataclasses import replace
from importlib import import_module
from statistics import mean

import numpy as np
import pytest

from somnus.analysis.__main__ import main
from somnus.analysis.base.program import REPOSITORY, Somnus
from somnus.analysis.papers.carbyne import runs as carbyne_runs
from somnus.analysis.papers.cfq import experiments as cfq
from somnus.analysis.papers.cfq import paper as cfq_paper
from somnus.analysis.papers.common.expect import Figure
from somnus.analysis.papers.common.verdicts import findings, judge
from somnus.analysis.papers.paf import paper as paf_paper
from somnus.analysis.papers.uwfq import experiments as uwfq
from somnus.analysis.papers.uwfq import paper as uwfq_paper
from somnus.analysis.papers.yaq import paper as yaq_paper
from somnus.analysis.reading.log import load
from somnus.analysis.commands import reproduce as command
from somnus.analysis.commands.reproduce import PAPERS


def figures(paper):
    """All that the paper's data has, by name."""
    said = vars(import_module(f"somnus.analysis.papers.{paper}.paper")).values()
    return {each.name: each for each in said if isinstance(each, Figure)}


FIGURES = [(paper.name, figure) for paper in PAPERS for figure in figures(paper.name).values()]


@pytest.mark.parametrize("figure", [figure for _, figure in FIGURES],
                         ids=[f"{paper}-{figure.name}" for paper, figure in FIGURES])
def test_every_row_has_a_key_of_its_own_and_every_claim_a_target(figure):
    keys = [each.key for each in figure.expectations]
    assert len(keys) == len(set(keys))
    assert all(each.target for each in figure.expectations if each.claim)
    assert all(any(reason.fits(each) for each in figure.expectations) for reason in figure.reasons)


@pytest.mark.parametrize("figure", [figure for _, figure in FIGURES],
                         ids=[f"{paper}-{figure.name}" for paper, figure in FIGURES])
def test_readings_are_of_one_claim_or_one_number(figure):
    for finding in findings(judge(figure, {})):
        said = {(each.expectation.claim, str(each.expectation.target)) for each in finding.readings}
        assert len(said) == 1


@pytest.mark.parametrize(("paper", "figure", "claims", "numbers"), [
    ("yaq", "Figure 10", 3, 0),
    ("yaq", "Table 3", 8, 13),
    ("carbyne", "Figure 4", 6, 30),
    ("carbyne", "Section 5.6", 3, 15),
])
def test_a_claim_counts_once_whatever_its_readings(paper, figure, claims, numbers):
    found = findings(judge(figures(paper)[figure], {}))
    assert sum(bool(each.claim) for each in found) == claims
    assert sum(not each.claim for each in found) == numbers


@pytest.mark.parametrize(("paper", "figure", "key", "value"), [
    ("carbyne", "Table 3", "tpc-ds.drf.p25", 1.15),
    ("carbyne", "Table 3", "tpc-h.tetris.p75", 1.44),
    ("carbyne", "Table 3", "bigbench.tetris.p95", 1.82),
    ("carbyne", "Table 4", "facebook.tetris.p50", 2.85),
    ("carbyne", "Table 4", "microsoft.drf.p95", 7.86),
    ("carbyne", "Figure 2b", "carbyne.J2", 5),
    ("uwfq", "Scenario 1", "uwfq.group.2", 4.50),
    ("uwfq", "Scenario 1", "fair.dvr", 3.25),
    ("uwfq", "Scenario 1", "cfq.slack", 277),
    ("uwfq", "Scenario 2", "cfq.worst.slowdown", 58.1),
    ("uwfq", "Scenario 2", "uwfq.group.1", 15.8),
    ("uwfq", "Table 2", "uwfq-p.95-100", 314.6),
    ("uwfq", "Table 2", "cfq.makespan", 621.0),
    ("yaq", "Table 1", "mixed.0", 78.54),
    ("yaq", "Table 3", "no-reorder.queuing.deviation", 78.2),
    ("yaq", "Table 3", "yaq-c.throughput", 13.9),
    ("yaq", "Table 4", "yaq-d.queuing.median", 0.35),
    ("yaq", "Table 4", "sparrow.throughput", 5.3),
])
def test_cells_stand_in_their_columns(paper, figure, key, value):
    assert figures(paper)[figure].paper_value(key) == value


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_the_configs_are_there_and_their_workloads_too(paper):
    for name in paper.configs:
        workload = tomllib.loads((paper.folder / name).read_text())["workload"]
        assert ("file" in workload) + ("generator" in workload) == 1 or paper.name == "paf", name
        file = workload.get("file", "")
        if file and ".." not in file and "/" not in file and name != "with-curves.toml":
            assert (paper.folder / file).exists(), name


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_a_folder_without_the_configs_is_named(paper, tmp_path, capsys):
    assert main(["reproduce", paper.name, "--configs", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert str(tmp_path) in said and all(name in said for name in paper.configs)


# --- the commands ---

@pytest.fixture
def reproduce(tmp_path, somnus):
    """The exit code; what it writes goes to tmp_path / "out"."""
    return lambda paper, *more: main(["reproduce", paper, "--somnus", str(somnus), "--out",
                                      str(tmp_path / "out"), "--seeds", "1", *map(str, more)])


def with_one_other(axis):
    """Its own value and the first that is another."""
    return replace(axis, values=(next(each for each in axis.values if each != axis.ours), axis.ours))


@pytest.fixture
def small(tmp_path, monkeypatch):
    """By paper, the options with which a whole reproduction takes seconds."""
    random = np.random.default_rng(1)
    jobs = [{"somnus_workload": 1, "name": "small"}]
    jobs += [{"job": str(place), "submit": place * 0.1,
              "durations": list(random.uniform(5, 9, width))}
             for place, width in enumerate((3, 20, 60, 510))]
    workload = tmp_path / "small.jsonl"
    workload.write_text("".join(f"{json.dumps(job)}\n" for job in jobs))
    times = [400 + 97 * (place % 11) for place in range(30)]
    rows = [f"{place},{300 * place},{time},1,{time},user_{1 + place % 12}"
            for place, time in enumerate(times)]
    with gzip.open(tmp_path / uwfq.TRACE, "wt") as file:
        file.write("workflow_id,ts_submit,runtime,resource_amount_requested,resource_run_time,user_id\n"
                   + "".join(f"{row}\n" for row in rows))
    few = carbyne_runs.Workload("synthetic.toml", 6, {"workload.jobs": 6})
    monkeypatch.setattr(carbyne_runs, "WORKLOADS", dict.fromkeys(carbyne_runs.WORKLOADS, few))
    monkeypatch.setattr(carbyne_runs, "TRACES", ())
    for paper, axis in ((cfq_paper, "LOAD"), (cfq_paper, "FIRST_GUESS"), (uwfq_paper, "ESTIMATES"), (uwfq_paper, "SCALE"), (yaq_paper, "SLOTS")):
        monkeypatch.setattr(paper, axis, with_one_other(getattr(paper, axis)))
    monkeypatch.setattr(yaq_paper, "JOBS_AT_A_TIME", {
        name: with_one_other(axis) for name, axis in yaq_paper.JOBS_AT_A_TIME.items()})
    return {"cfq": ["--trace", workload], "uwfq": ["--traces", tmp_path], "yaq": [],
            "carbyne": ["--loads", "2"]}


@pytest.fixture
def planned(monkeypatch):
    """The runs that were asked for; those in real time are simulated instead."""
    runs = []
    write = Somnus.write_log

    def note(somnus, run):
        runs.append(run)
        return write(somnus, replace(run, speed=None))

    monkeypatch.setattr(Somnus, "write_log", note)
    return runs


def is_met(wanted, saved):
    """Whether the mean meets the target; a single seed decides no claim."""
    return wanted.target.met_by(mean(saved["measured"][wanted.key]))


@pytest.mark.parametrize(("paper", "drawn"), [
    ("cfq", [f"figure{number}" for number in (1, 3, 5, 6, 7, 8, 9, 10)]),
    ("uwfq", ["scenario-1", "scenario-2", "macro", "figure7"]),
    ("yaq", [f"figure{number}" for number in range(5, 15)]),
    ("carbyne", ["figure2", "figure2b", "figure4", "figure5", "figure6", "figure7", "figure9",
                 "figure10", "figure11", "figure12", "table4"]),
])
def test_all_figures_come_out_of_the_program(paper, drawn, tmp_path, reproduce, small, capsys):
    assert reproduce(paper, "--all", *small[paper]) == 0
    text, progress = capsys.readouterr()
    assert max(map(len, text.replace(str(tmp_path), "").splitlines())) <= 80
    everything = json.loads((tmp_path / "out/measured.json").read_text())
    for figure in figures(paper).values():
        assert f"{figure.name}: {figure.title}" in text.replace("\n", " ")
        rows = everything[figure.name]["rows"]
        assert [row["quantity"] for row in rows] == [each.quantity for each in figure.expectations]
        assert paper != "cfq" or not any(None in row["measured"] for row in rows)
    for name in drawn:
        assert (tmp_path / f"out/{name}.png").stat().st_size > 5000
    if paper == "cfq":
        assert progress.count("deployment: 6 runs") == progress.count("deployment:") == 1  # of four figures
        assert progress.count("deployment-load-0.8: 6 runs") == progress.count("deployment-load-") == 1
        (swept,) = everything["Figure 5"]["swept"]
        assert swept["measured"]["4"] == everything["Figure 5"]["measured"] != swept["measured"]["0.8"]
        claimed = [each for each in cfq_paper.FIGURE_9.expectations if each.claim]
        assert claimed and all(is_met(each, everything["Figure 9"]) for each in claimed)
    if paper == "yaq":
        assert [each["ours"] for each in everything["Figure 10"]["swept"]] == [10]
        assert not list((tmp_path / "out/logs").glob("bounds-slots-*"))  # measured and removed
    if paper == "uwfq":
        assert [each["axis"] for each in everything["Table 2"]["swept"]] == [
            "estimate over a job's work", "scale of the trace's work"]
        assert "(absent)" in text
        estimated, exact = (load(tmp_path / f"out/logs/{name}-uwfq-1.h5").jobs["finish"]
                       for name in ("macro-estimated", "macro"))
        assert not estimated.equals(exact)  # wrong estimates reach the scheduler
    if paper == "carbyne":
        swept = {name for name, figure in everything.items() if isinstance(figure, dict) and figure.get("swept")}
        assert swept == {"Figure 4", "Figure 5", "Table 3", "Table 4", "Section 5.6", "Figure 10", "Figure 11",
                         "Figure 12"}
        assert list(everything["Table 3"]["swept"][0]["measured"]) == ["1", "2"]
        assert everything["not reproduced"]["Figure 8"] in text.replace("\n  ", " ")
        assert all(path.stem.startswith("figure2") for path in (tmp_path / "out/logs").iterdir())


def test_a_wrong_exact_figure_fails_the_command(reproduce, monkeypatch, capsys):
    monkeypatch.setitem(cfq_paper.COMPLETIONS, "cfq", (9, 11, 8))
    assert reproduce("cfq", "--only", "3") == 1
    assert "Does not hold:\n- Figure 3: CFQ completes job 1 at 9 s" in capsys.readouterr().out


def test_the_programs_failure_is_shown_with_its_words_and_code(reproduce, capsys, monkeypatch):
    monkeypatch.setattr(cfq_paper, "POLICIES", ("fifo", "best"))
    assert reproduce("cfq", "--only", "3") == 2
    error = capsys.readouterr().err
    assert "ended with code 2" in error and "scheduler.policy" in error and "'best'" in error


@pytest.mark.parametrize(("asked", "given"), [(5, 5), (200, cfq.SPEED_OF_SHORT_TASKS)])
def test_real_runs_of_short_tasks_have_a_bounded_speed(reproduce, planned, asked, given):
    assert reproduce("cfq", "--only", "1", "3", "--real", "--speed", asked) == 0
    speeds = {run.log.stem: run.speed for run in planned}
    assert speeds["figure1-fair-1"] == given and speeds["figure3-fair-1"] is None


def test_real_runs_have_the_speed_and_the_iterations_asked_for(reproduce, planned, tmp_path):
    assert reproduce("uwfq", "--only", "scenario-2", "--real", "--speed", 20, "--iterations", 2) == 0
    assert {(run.seed, run.speed) for run in planned} == {(1, 20), (2, 20)}
    rows = json.loads((tmp_path / "out/measured.json").read_text())["Scenario 2"]["rows"]
    assert {len(row["measured"]) for row in rows} == {2}


def test_missing_inputs_are_named(reproduce, tmp_path, capsys):
    assert reproduce("cfq", "--trace", tmp_path / "gone.gz") == 2
    assert "gone.gz: no such workload file" in capsys.readouterr().err
    assert reproduce("uwfq", "--only", "macro", "--traces", tmp_path) == 0
    said = capsys.readouterr().out
    begins, ends = said.split("\n\n")[0], said.strip().split("\n\n")[-1]
    assert begins == ends and begins.startswith("MISSING: the trace")
    assert "Not decided for it: Table 2 and Figure 7, which are left out." in begins
    assert reproduce("carbyne", "--all", "--only", "example", "dagps", "--traces", tmp_path) == 0
    text = capsys.readouterr().out
    assert "Figure 2b:" in text and text.startswith("MISSING: queries_tpch.txt.gz, queries_bb.txt.gz")
    assert "all but Figure 2, which are left out." in text


def test_generated_workloads_stand_in_for_the_trace_and_it_says_so(reproduce, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(cfq, "TRACE", tmp_path / "absent.tr.gz")
    monkeypatch.setattr(cfq_paper, "GENERATED_AT_SCALE", {"jobs": 30, "span_s": 60})
    monkeypatch.setattr(command, "PAPERS", (replace(cfq.PAPER, experiments={"10": cfq.figure_10}),))
    assert reproduce("cfq", "--seeds", 2) == 0
    said = capsys.readouterr().out
    notice = said.split("\n\n")[0]
    assert said.rstrip().endswith(notice), "it begins and ends with what is missing"
    words = " ".join(notice.split())
    assert words.startswith(f"MISSING: the Google trace {tmp_path}/absent.tr.gz")
    assert "Figure 10 on that trace (15 claims); 2 workloads of the generator `google` stand in." in words
    assert "With it (docs/papers/cfq.md): of 46 claims 37 hold, 8 do not, 1 is not decided." in words
    assert "Without it: of 15 claims" in words
    saved = json.loads((tmp_path / "out/measured.json").read_text())
    one, other = sorted((tmp_path / "out/workloads").iterdir())
    assert one.read_bytes() != other.read_bytes() and len(saved["Figure 10"]["measured"]["fifo_cfq"]) == 2
    assert saved["missing"] == notice
    assert "MISSING: the Google trace" in (tmp_path / "out/cfq.html").read_text()


def test_what_is_published_is_what_the_pages_say():
    rows = re.findall(r"^\| \[(\w+)\]\(\w+\.md\) \| \d+ \| (\d+) \| (\d+) \| (\d+) \|",
                      (REPOSITORY / "docs/papers/README.md").read_text(), re.M)
    assert {name.lower(): tuple(map(int, counts)) for name, *counts in rows} == {
        paper.name: paper.published for paper in PAPERS}


def test_the_table_of_claims_comes_first_and_a_page_of_ones_own_may_be_replaced(reproduce, tmp_path, capsys):
    page = tmp_path / "out/cfq.html"
    for _ in range(2):
        assert reproduce("cfq", "--only", "3") == 0
    said = capsys.readouterr().out
    assert said.startswith("cfq      | claims | hold | do not | not decided |") and f"page: {page}\n" in said
    assert len(said.splitlines()) < 2 * 24 and "Figure 3: three jobs" not in said, "details are for --all"
    page.write_text("mine")
    assert reproduce("cfq", "--only", "3") == 2 and page.read_text() == "mine"
    assert "cfq.html: is there already" in capsys.readouterr().err
    assert reproduce("cfq", "--only", "3", "--force") == 0 and page.read_text() != "mine"


def test_another_filter_is_another_workload(reproduce, small, capsys):
    assert reproduce("uwfq", "--all", "--only", "macro", "--filter", "10", *small["uwfq"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert uwfq_paper.OTHER_FILTER in text
    assert text.count("Reason:") == text.count("Reason: it was not measured.")


def test_uwfq_spares_the_infrequent_users(reproduce, tmp_path):
    assert reproduce("uwfq", "--only", "scenario-1", "--traces", tmp_path) == 0
    rows = json.loads((tmp_path / "out/measured.json").read_text())["Scenario 1"]["rows"]
    cells = {row["quantity"]: row["measured"][0] for row in rows}
    title = "infrequent users, response time [s]"
    assert cells[f"UWFQ: {title}"] < 0.5 * cells[f"CFQ: {title}"]


def test_slots_jobs_and_order_can_be_tried_out(reproduce, tmp_path):
    assert reproduce("yaq", "--only", "heavy-tail", "--slots", 3, "--jobs-active", 7,
                     "--order", "fair") == 0
    log = load(tmp_path / "out/logs/heavy-tail-srjf-1.h5")
    assert log.attributes["mode"] == "simulate" and log.slots == 80 * 3
    assert log.config["workload"]["jobs_active"] == 7 and log.config["scheduler"]["order"] == "fair"


def test_the_load_and_the_seeds_can_be_chosen(reproduce, small, tmp_path):
    assert reproduce("carbyne", "--only", "dagps", "--load", 2, "--seeds", 2, "--keep-logs",
                     *small["carbyne"]) == 0
    log = load(tmp_path / "out/logs/online-tpc-h-2-carbyne-2.h5")
    assert len(log.nodes) == 3 and log.attributes["seed"] == 2


def test_paf_moves_slots_to_who_gains_by_them(reproduce, tmp_path, capsys):
    assert reproduce("paf", "--only", "exchange", "curves", "pair") == 0
    text = capsys.readouterr().out
    measured = json.loads((tmp_path / "out/measured.json").read_text())
    assert {row["verdict"] for row in measured["Figure 6"]["rows"]} == {"holds"}, text
    assert all(is_met(each, measured["Figure 1"]) for each in paf_paper.FIGURE_1.expectations
               if each.key in ("KMeans.double", "error")), text
    pair = measured["Figure 4"]["measured"]
    assert pair["paf-leave.mean"][0] > 1.05 * pair["fair.mean"][0], text
    assert pair["paf-leave.KMeans.slots"][0] < 16 < pair["paf-leave.PageRank.slots"][0], text
    assert (tmp_path / "out/figure1.png").stat().st_size > 10_000


def test_the_page_is_written_whole(reproduce, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert reproduce("yaq", "--seeds", 2, "--only", "sharing", "heavy-tail", "--report", page) == 0
    text = page.read_text()
    assert "Figure 8: shares" in text and "Figure 14: " in text and text.count("data:image/png") == 5
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["page.html"]
    assert f"page: {page}" in capsys.readouterr().out
