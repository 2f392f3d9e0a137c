"""Waits, bounded slowdown, what is held and what is lost: `summary` of ten rigid jobs, second by second."""

import json

import numpy
import pytest

from backfill_test import CPUS, TEN, as_gangs, drawn, simulated
from logs import rows, write_config, write_workload
from somnus_program import FINE, expect, expect_equal, somnus

BOUND_S = 10


def summary_of(folder):
    [figures] = json.loads(somnus(folder, "summary", "log.h5", "--json").expect(FINE).out)
    return figures


def by_the_second(jobs, tasks, ends):
    """Of each second, slots held and jobs that wait; whole seconds only."""
    last = int(max(ends))
    held, waiting = numpy.zeros(last), numpy.zeros(last)
    for at in range(len(jobs)):
        mine = tasks[tasks["job"] == at]
        for start, end in zip(mine["start"], numpy.full(len(mine), mine["finish"].max())):
            held[int(start):int(end)] += 1
        waiting[int(jobs["submit"][at]):int(jobs["first_start"][at])] += 1
    return held, waiting


@pytest.mark.parametrize("backfill", ["none", "easy", "conservative"])
@pytest.mark.parametrize("which", ["ten", "drawn"])
def test_the_figures_are_those_of_a_second_by_second_count(folder, backfill, which):
    made = TEN if which == "ten" else [job for job in drawn(7) if job.limit >= job.time]
    log = simulated(folder, as_gangs(made), backfill)
    jobs, tasks = rows(log, "jobs"), rows(log, "tasks")
    figures = summary_of(folder)
    starts, submits, ends = jobs["first_start"], jobs["submit"], jobs["finish"]
    waits = starts - submits
    expect_equal(figures["jobs_with_gangs"], sum(job.cpus > 1 for job in made), "jobs with gangs")
    expect_equal(figures["widest_gang"], max(job.cpus for job in made), "tasks of the widest")
    assert figures["wait_mean_s"] == pytest.approx(waits.mean())
    expect_equal(figures["wait_max_s"], waits.max(), "longest wait")
    expect_equal(figures["wait_p95_s"], sorted(waits)[-(-95 * len(made) // 100) - 1], "p95")
    slowdowns = numpy.maximum(1, (ends - submits) / numpy.maximum(ends - starts, BOUND_S))
    assert figures["bounded_slowdown_mean"] == pytest.approx(slowdowns.mean())
    held, waiting = by_the_second(jobs, tasks, ends)
    from_s = int(submits.min())
    area = CPUS * (ends.max() - from_s)
    assert figures["held"] == pytest.approx(held[from_s:].sum() / area)
    expect(figures["held"] > figures["utilisation"], "tasks of a gang end before it does")
    assert figures["capacity_lost"] == pytest.approx((CPUS - held)[waiting > 0].sum() / area)
    overtook = [any(starts[at] < starts[other] for other in range(len(made)) if submits[other] < submits[at])
                for at in range(len(made))]
    assert figures["overtaking"] == pytest.approx(numpy.mean(overtook))
    expect(backfill != "none" or figures["overtaking"] == 0, "FCFS lets nobody pass")
    expect_equal(figures["reservations_kept"], None if backfill == "none" else 1, "limits hold")


def test_jobs_that_end_late_break_reservations(folder):
    """b waits for a, which runs for 5 s longer than it said."""
    write_workload(folder, [{"job": "a", "submit": 0, "gang": True, "tasks": CPUS, "duration": 10, "limit_s": 5},
                            {"job": "b", "submit": 1, "gang": True, "tasks": 2, "duration": 1, "limit_s": 5},
                            {"job": "c", "submit": 1, "gang": True, "tasks": CPUS, "duration": 1, "limit_s": 5}])
    config = write_config(folder, nodes=4, slots=2, policy="conservative", more="[limits]\ngrace_s = 60\n")
    somnus(folder, "simulate", config, "-q", "--log", "log.h5").expect(FINE)
    starts = rows(folder / "log.h5", "jobs")["first_start"]
    expect_equal(list(starts), [0, 10, 11], "starts")
    # b's first reservation was at 5, c's at 10.
    expect_equal(summary_of(folder)["reservations_kept"], 0, "b's and c's")


def test_logs_without_gangs_do_not_have_them(folder):
    write_workload(folder, [{"job": "a", "submit": 0, "tasks": 3, "duration": 1}])
    ended = somnus(folder, "simulate", write_config(folder), "--log", "log.h5").expect(FINE)
    expect("wait for the first start" not in ended.out and "gangs" not in ended.out, ended.out)
    expect_equal(summary_of(folder)["wait_mean_s"], None, "wait")


def test_a_run_that_is_cut_off_does_not_say_what_was_held(folder):
    write_workload(folder, [{"job": name, "submit": at, "gang": True, "tasks": 4, "duration": 1000, "limit_s": 2000}
                            for at, name in enumerate("abc")])
    config = write_config(folder, nodes=4, slots=2, policy="easy", more="[run]\nuntil_s = 500\n")
    somnus(folder, "simulate", config, "-q", "--log", "log.h5").expect(FINE)
    figures = summary_of(folder)
    expect_equal((figures["held"], figures["capacity_lost"]), (None, None), "held and lost")


def test_who_is_killed_before_it_starts_waits_for_nothing(folder):
    """Their launches take longer than they may run; the last one comes when all is over and starts at once."""
    write_workload(folder, [{"job": f"j{at}", "submit": at, "gang": True, "tasks": 2, "duration": 10, "limit_s": 5}
                            for at in range(3)] +
                   [{"job": "last", "submit": 100, "gang": True, "tasks": 2, "duration": 50, "limit_s": 90}])
    config = write_config(folder, nodes=4, slots=2, policy="fcfs",
                          more="[job_manager]\nlaunch_s = 20\nlaunch = \"constant\"\n")
    somnus(folder, "simulate", config, "-q", "--log", "log.h5").expect(FINE)
    figures = summary_of(folder)
    expect_equal(figures["jobs_timed_out"], 3, "killed jobs")
    expect_equal(figures["overtaking"], 0, "overtaking")
    # The last one waits for its launch, 20 s of 170 in which all 8 slots are free.
    assert figures["capacity_lost"] == pytest.approx(20 / 170)
