"""All papers as one command."""

import json
import os
import signal
import sys
import threading
import time
from dataclasses import replace

import pytest

from somnus.analysis.__main__ import main
from somnus.analysis.base.errors import ProgramError
from somnus.analysis.commands import reproduce
from somnus.analysis.papers.common import everything, side_by_side
from somnus.analysis.papers.common.expect import Expectation, Figure, equal, more_than
from somnus.analysis.papers.common.results import Result


def figure(slots):
    return Figure("Figure 1", "slots", (
        Expectation("slots", "slots", equal(slots), exact=True),
        Expectation("claim", "ratio", more_than(1), "it grows"),
    ))


@pytest.fixture
def two_papers(monkeypatch):
    """Of one claim and one exact number each; the second's number is another than the paper's."""
    def result(runner, slots):
        return [Result(figure(slots), {"slots": [4], "claim": [2 + 0.1 * seed for seed in runner.seeds]})]

    first, second = (
        replace(paper, name=name, configs=(), experiments={"1": lambda runner, slots=slots: result(runner, slots)},
                seeds=3, seeds_of=seeds_of, not_reproduced={},
                lacks=lambda experiment, options: None)
        for paper, name, slots, seeds_of in zip(reproduce.PAPERS, ("a", "b"), (4, 5), ({}, {"1": 4})))
    monkeypatch.setattr(reproduce, "PAPERS", (first, second))


def test_all_runs_each_paper_and_begins_with_one_table(two_papers, tmp_path, somnus, capsys):
    code = main(["reproduce", "all", "--somnus", str(somnus), "--out", str(tmp_path / "out"),
                 "--report", str(tmp_path / "pages")])
    assert code == 1  # the second's exact number differs
    assert sorted(path.name for path in (tmp_path / "pages").iterdir()) == ["a.html", "b.html"]
    lines = [[cell.strip() for cell in line.split("|")] for line in capsys.readouterr().out.splitlines()[2:5]]
    assert lines == [["a", "1", "1", "0", "0", "1", "1"], ["b", "1", "1", "0", "0", "1", "0"],
                     ["all", "2", "2", "0", "0", "2", "1"]]


def test_all_as_json_has_each_papers_numbers_and_seeds_are_for_all(two_papers, tmp_path, somnus, capsys):
    main(["reproduce", "all", "--somnus", str(somnus), "--out", str(tmp_path), "--seeds", "1", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["a", "b"]
    assert found["b"]["totals"]["claims"] == {"holds": 0, "does not hold": 0, "not decided": 1}


@pytest.mark.parametrize(("asked", "seeds"), [([], {"a": 3, "b": 4}), (["--seeds", "2"], {"a": 2, "b": 2})])
def test_an_experiment_may_have_more_seeds_of_its_own(two_papers, tmp_path, somnus, capsys, asked, seeds):
    main(["reproduce", "all", "--somnus", str(somnus), "--out", str(tmp_path), *asked, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert {name: len(each["Figure 1"]["measured"]["claim"]) for name, each in found.items()} == seeds


def test_no_page_is_replaced_unless_asked_and_nothing_runs_before(two_papers, tmp_path, somnus, capsys):
    (tmp_path / "b.html").write_text("mine")
    arguments = ["reproduce", "all", "--somnus", str(somnus), "--out", str(tmp_path / "out"),
                 "--report", str(tmp_path)]
    assert main(arguments) == 2
    assert (tmp_path / "b.html").read_text() == "mine" and not (tmp_path / "out").exists()
    assert "b.html" in capsys.readouterr().err
    assert main([*arguments, "--force"]) == 1
    assert "mine" not in (tmp_path / "b.html").read_text()


def test_a_file_is_no_folder_of_pages(two_papers, tmp_path, somnus, capsys):
    (tmp_path / "file").write_text("mine")
    assert main(["reproduce", "all", "--somnus", str(somnus), "--report", str(tmp_path / "file")]) == 2
    assert "is a file, expected a folder" in capsys.readouterr().err


def test_each_papers_own_options_have_their_defaults():
    parser_options = everything.own_options(reproduce.PAPERS[0], type("Options", (), {
        "somnus": None, "seeds": None, "force": False, "all": False, "report": None, "out": everything.Path("x")})())
    assert parser_options.only == tuple(reproduce.PAPERS[0].experiments)
    assert parser_options.out == everything.Path("x") / reproduce.PAPERS[0].name


def test_papers_run_side_by_side_and_print_in_their_order(two_papers, tmp_path, somnus, capfd, monkeypatch):
    def slow(runner):
        time.sleep(0.5)
        print("the first", file=sys.stderr)
        return [Result(figure(4), {"slots": [4], "claim": [2, 2.1, 2.2]})]

    first, second = reproduce.PAPERS
    monkeypatch.setattr(reproduce, "PAPERS", (replace(first, experiments={"1": slow}), second))
    main(["reproduce", "all", "--somnus", str(somnus), "--out", str(tmp_path)])
    printed, said = capfd.readouterr()
    assert printed.index("=== a") < printed.index("=== b")
    assert "a: the first\n" in said, "it is seen whose progress that is"


@pytest.mark.parametrize(("error", "code"), [(ProgramError("no such thing", exit_code=3), 3), (KeyError("ours"), 4)])
def test_what_fails_in_one_paper_ends_all_with_its_reason(two_papers, tmp_path, somnus, capsys, monkeypatch, error, code):
    def fails(runner):
        raise error

    def long(runner):
        time.sleep(60)
        return []

    first, second = reproduce.PAPERS
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(reproduce, "PAPERS", (replace(first, experiments={"1": long}),
                                              replace(second, experiments={"1": fails})))
    began = time.monotonic()
    assert main(["reproduce", "all", "--somnus", str(somnus), "--out", str(tmp_path)]) == code
    assert time.monotonic() - began < 20
    assert str(error.args[0]) in capsys.readouterr().err


def test_a_paper_whose_process_is_killed_is_named(two_papers, tmp_path, somnus, capsys, monkeypatch):
    first, second = reproduce.PAPERS
    monkeypatch.setattr(reproduce, "PAPERS", (
        replace(first, experiments={"1": lambda runner: os.kill(os.getpid(), signal.SIGKILL)}), second))
    assert main(["reproduce", "all", "--somnus", str(somnus), "--out", str(tmp_path)]) == 3
    assert "a: its process ended without a word" in capsys.readouterr().err


def test_an_interrupt_waits_until_a_process_has_begun():
    begun = False
    with pytest.raises(KeyboardInterrupt):
        with side_by_side._interrupts_held():
            signal.pthread_kill(threading.get_ident(), signal.SIGINT)
            begun = True
    assert begun
