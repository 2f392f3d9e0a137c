"""What a policy means jobs to have: where /targets has rows, and who finds one that is forged."""

from logs import expect_clean, mixed_jobs, write_config, write_workload
from somnus_program import DIFFERENCE, FINE, each, expect, expect_equal, somnus

import h5py


def simulate(folder, policy, *more):
    write_workload(folder, mixed_jobs(20))
    config = write_config(folder, policy=policy)
    somnus(folder, "simulate", config, "--log", "log.h5", "-q", "--force", *more).expect(FINE)
    return folder / "log.h5"


def targets(log):
    with h5py.File(log, "r") as file:
        return file["targets"][()]


@each(("drf", "drf-strict", "capacity"))
def test_are_recorded_of_each_active_job(folder, policy):
    if policy == "capacity":
        log = simulate(folder, "fair", "--set", "scheduler.order=capacity")
    else:
        log = simulate(folder, policy)
    rows = targets(log)
    with h5py.File(log, "r") as file:
        active = int(file["samples"]["active_jobs"].sum())
    expect_equal(len(rows), active, "rows: active jobs at all samples")
    expect(((rows["entitled"] > 0) & (rows["entitled"] <= 1)).all(), "entitled is a share")
    expect((rows["entitled"] == rows["target"]).all(), "nobody lends")
    expect_clean(folder, log)


def test_are_not_recorded_of_other_orders_nor_where_the_config_does_not_want_them(folder):
    expect_equal(len(targets(simulate(folder, "fair"))), 0, "rows under fair")
    log = simulate(folder, "drf", "--set", "log.targets=false")
    expect_equal(len(targets(log)), 0, "rows without log.targets")
    expect_clean(folder, log)


@each(("time", "job", "entitled", "target", "allocated"))
def test_that_are_forged_are_found(folder, column):
    log = simulate(folder, "drf")
    with h5py.File(log, "r+") as file:
        rows = file["targets"][()]
        rows[column][7] += 1
        file["targets"][...] = rows
    somnus(folder, "replay", log).expect(DIFFERENCE, "/targets row 7")
    somnus(folder, "check", log).expect(DIFFERENCE, "/targets row 7 is not as the run wrote it")
