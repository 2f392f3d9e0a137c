"""check and replay find what was tampered with, and know a log from anything else."""

import shutil

from logs import change, mixed_jobs, raw_datasets, rows, simulated
from somnus_program import DIFFERENCE, FINE, MISTAKE, each, expect, expect_equal, somnus

import h5py


def simulated_log(folder):
    return simulated(folder, jobs=mixed_jobs(20), log="good.h5", policy="cfq",
                     more='[network]\ndelay_ms = 2\n')


def tampered(folder, *cell):
    """A copy of a good log with one number changed."""
    log = folder / "bad.h5"
    shutil.copy(simulated_log(folder), log)
    change(log, *cell)
    return log


def test_quiet_tells_what_is_wrong_and_no_more(folder):
    log = tampered(folder, "decisions/launch", "node", 7, lambda node: (node + 1) % 4)
    checked = somnus(folder, "check", log, "-q").expect(DIFFERENCE, "BROKEN")
    expect("holds " not in checked.out, checked.out)
    somnus(folder, "replay", log, "-q").expect(DIFFERENCE, "decision")
    for command in ("check", "replay"):
        expect_equal(somnus(folder, command, "good.h5", "-q").expect(FINE).out, "", command)


@each({
    "a decision's node": ("decisions/launch", "node", 7, lambda node: (node + 1) % 4),
    "a task of no job": ("tasks", "job", 5, lambda job: 1000),
    **{f"a time that is none: {column}": ("tasks", column, 5, lambda time: float("nan"))
       for column in ("ready", "placed", "queued", "start", "finish", "intended", "nominal")},
    "a time beyond all clocks": ("tasks", "finish", 5, lambda time: 1e300),
})
def test_check_finds(folder, cell):
    log = tampered(folder, *cell)
    before = raw_datasets(log)
    ended = somnus(folder, "check", log).expect(DIFFERENCE, "row")
    expect_equal(raw_datasets(log), before, "the log, which check must only read")
    expect("our mistake" not in ended.err, ended.err)


def test_a_figure_that_was_changed_is_named(folder):
    log = tampered(folder, "scheduler", "lag_p99", 0, lambda lag: lag + 1)
    damage = "/scheduler row 0 is not as the run wrote it"
    somnus(folder, "check", log).expect(DIFFERENCE, damage)
    somnus(folder, "summary", log).expect(FINE, damage, "not to be trusted")


def test_a_placement_over_few_nodes_may_leave_a_slot_free(folder):
    """Of three nodes the list has one, which the job's first task takes."""
    log = simulated(folder, jobs=[{"job": "a", "submit": 1, "durations": [1, 1]}], nodes=3, slots=1,
                    scheduler='placement = "least-loaded"\nleast-loaded.k = 1\n')
    expect_equal(rows(log, "tasks")["placed"].tolist(), [1, 2], "starts")
    somnus(folder, "check", log).expect(FINE)


def test_one_bad_log_among_good_ones_is_found(folder):
    bad = tampered(folder, "tasks", "finish", 5, lambda time: time - 0.01)
    for command in ("check", "replay"):
        good = somnus(folder, command, "good.h5", "good.h5").expect(FINE)
        expect_equal(good.out.count("good.h5"), 2, f"logs that {command} names")
    somnus(folder, "check", bad, "good.h5").expect(DIFFERENCE, "bad.h5", "good.h5")


def make_text(path):
    path.write_text("[cluster]\nnodes = 3\n")


def make_other_hdf5(path):
    with h5py.File(path, "w") as file:
        file["tasks"] = [1, 2, 3]


def make_future_log(path):
    simulated_log(path.parent).rename(path)
    with h5py.File(path, "r+") as file:
        file.attrs["format_version"] = 1000


def make_cut_file(path):
    raw = simulated_log(path.parent).read_bytes()
    path.write_bytes(raw[: len(raw) // 2])


def make_log_without_tasks(path):
    simulated_log(path.parent).rename(path)
    with h5py.File(path, "r+") as file:
        del file["tasks"]


@each({"a text": make_text, "nothing": lambda path: None, "empty": lambda path: path.touch(),
       "a folder": lambda path: path.mkdir(), "HDF5 of somebody else": make_other_hdf5,
       "a log of the future": make_future_log, "half a file": make_cut_file,
       "a log without a table": make_log_without_tasks})
def test_what_is_no_log_is_the_users_mistake(folder, make):
    make(folder / "it.h5")
    for command in ("check", "replay", "summary", "recover"):
        ended = somnus(folder, command, "it.h5").expect(MISTAKE, "it.h5")
        expect("HDF5-DIAG" not in ended.err, f"{command} shows the library's own errors")
