"""Files of others stay where they are: those with names that Somnus uses, and folders with them."""

import os

from logs import mixed_jobs, write_config, write_workload
from somnus_program import FINE, MISTAKE, expect, expect_equal, somnus
from standing import EXPERIMENT, tree, write_world


def test_a_folder_of_tables_takes_the_place_of_such_a_folder_alone(folder):
    write_world(folder)

    def export(*more, at="out"):
        return somnus(folder, "export", "a.h5", "--format", "csv", "-q", "-o", at, *more)

    (folder / "a folder").mkdir()
    (folder / "out").symlink_to("a folder")
    export().expect(FINE)
    expect((folder / "out").is_symlink(), "the link was replaced")
    export().expect(MISTAKE, "is there already and would be lost")
    export("--force").expect(FINE)
    expect((folder / "a folder/jobs.csv").exists(), "the link was not followed")
    (folder / "a folder/thesis.csv").write_text("dear")
    before = tree(folder)
    export("--force").expect(MISTAKE, "is a folder with something else in it: thesis.csv")
    for name in ("a.h5", "experiment.toml"):
        export("--force", at=name).expect(MISTAKE, "is not a folder")
    os.mkfifo(folder / "pipe")
    export("--force", at="pipe").expect(MISTAKE, "is not a folder")
    expect_equal({**tree(folder), "pipe": None}, {**before, "pipe": None}, "what stands there")
    (folder / "mine").mkdir()
    (folder / "mine/columns.csv").write_text("dear\n")
    export("--force", at="mine").expect(MISTAKE, "something else in it: columns.csv")


def test_an_experiment_replaces_no_files_of_others_by_its_names(folder):
    write_world(folder)

    def experiment(*more):
        return somnus(folder, "experiment", "experiment.toml", "-q", "-o", "mine", *more)

    (folder / "mine").mkdir()
    names = ("results.csv", "results.h5", "summary.csv", "runs.jsonl")
    for name in names:
        (folder / "mine" / name).write_text("dear\n")
    before = tree(folder)
    experiment().expect(MISTAKE, *(f"mine/{name}: is there already" for name in names))
    expect_equal(tree(folder), before, "what stands there")
    for name in names:
        (folder / "mine" / name).unlink()
    (folder / "mine/logs").mkdir()
    (folder / "mine/logs/fifo-1.h5").write_text("dear\n")
    (folder / "experiment.toml").write_text(EXPERIMENT.replace("seeds = 2", 'seeds = 2\nkeep = "all"'))
    experiment().expect(MISTAKE, "mine/logs: is there already")
    expect_equal((folder / "mine/logs/fifo-1.h5").read_text(), "dear\n", "a log of another")
    experiment("--force").expect(FINE)
    experiment().expect(FINE)


def test_a_run_that_goes_on_elsewhere_keeps_the_log_that_it_reads(folder):
    write_workload(folder, mixed_jobs(40))
    write_config(folder, more="[run]\nspeed = 1000\nuntil_s = 1\n")
    somnus(folder, "run", "config.toml", "--log", "a.h5", "--ranks", 1, "-q")
    os.link(folder / "a.h5", folder / "hard.h5")
    before = (folder / "a.h5").read_bytes()
    ended = somnus(folder, "run", "--resume", "a.h5", "--log", "hard.h5", "--ranks", 1, "--force")
    expect_equal(ended.code, MISTAKE, "exit code")
    expect_equal((folder / "a.h5").read_bytes(), before, "the log")


def test_report_hands_over_whether_it_may_replace(folder):
    write_world(folder)
    (folder / "page.html").write_text("dear")
    report = ["report", "a.h5", "-q", "-o", "page.html"]
    somnus(folder, *report).expect(MISTAKE, "page.html: is there already and would be lost", "--force")
    expect_equal((folder / "page.html").read_text(), "dear", "the page")
    somnus(folder, *report, "--force").expect(FINE)
    log = (folder / "a.h5").read_bytes()
    somnus(folder, "report", "a.h5", "-o", "a.h5", "--force").expect(MISTAKE, "is read by this command")
    expect_equal((folder / "a.h5").read_bytes(), log, "the log")


def test_what_stands_beside_a_log_is_left_alone(folder):
    write_world(folder)
    (folder / "victim").write_text("dear")
    for name in ("x.h5.lock", "x.h5.new", ".x.h5.new", "x.h5.journal"):
        (folder / name).symlink_to("victim")
    for more in ([], ["--force"]):
        somnus(folder, "simulate", "config.toml", "--log", "x.h5", "-q", *more).expect(FINE)
    somnus(folder, "recover", "x.h5").expect(FINE)
    expect_equal((folder / "victim").read_text(), "dear", "a file that links of such names lead to")
    for name in ("x.h5.lock", "x.h5.new", ".x.h5.new", "x.h5.journal"):
        (folder / name).unlink()
        (folder / name).write_text("dear")
    somnus(folder, "simulate", "config.toml", "--log", "x.h5", "-q", "--force").expect(FINE)
    for name in ("x.h5.lock", "x.h5.new", ".x.h5.new", "x.h5.journal"):
        expect_equal((folder / name).read_text(), "dear", name)
