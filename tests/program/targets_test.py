"""What a policy means jobs to have: where /targets has rows, and who finds one that is forged."""

from logs import change, expect_clean, mixed_jobs, rows, simulated
from somnus_program import DIFFERENCE, each, expect, expect_equal, somnus


def simulate(folder, policy, *more):
    return simulated(folder, "--force", *more, jobs=mixed_jobs(20), policy=policy)


@each(("drf", "drf-strict", "capacity"))
def test_are_recorded_of_each_active_job(folder, policy):
    if policy == "capacity":
        log = simulate(folder, "fair", "--set", "scheduler.order=capacity")
    else:
        log = simulate(folder, policy)
    targets = rows(log, "targets")
    expect_equal(len(targets), rows(log, "samples")["active_jobs"].sum(), "active jobs at all samples")
    expect(((targets["entitled"] > 0) & (targets["entitled"] <= 1)).all(), "entitled is a share")
    expect((targets["entitled"] == targets["target"]).all(), "nobody lends")
    expect_clean(folder, log)


def test_are_not_recorded_of_other_orders_nor_where_the_config_does_not_want_them(folder):
    expect_equal(len(rows(simulate(folder, "fair"), "targets")), 0, "rows under fair")
    log = simulate(folder, "drf", "--set", "log.targets=false")
    expect_equal(len(rows(log, "targets")), 0, "rows without log.targets")
    expect_clean(folder, log)


@each(("time", "job", "entitled", "target", "allocated"))
def test_that_are_forged_are_found(folder, column):
    log = simulate(folder, "drf")
    change(log, "targets", column, 7, lambda number: number + 1)
    somnus(folder, "replay", log).expect(DIFFERENCE, "/targets row 7")
    somnus(folder, "check", log).expect(DIFFERENCE, "/targets rows 0 to")
