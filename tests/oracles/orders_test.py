"""Orders within jobs that come from schedules, by hand and by law: policies.md, 6.7."""

import json
import sys
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "program")]

import dagps
from jobs import parse_workload
from orders import packed, path, ranked
from pool import trace
from random_dags import Shape, capacity, make
from somnus_program import Checks, expect, expect_equal
from vectors import times, total, within

checks = Checks()
ONE = (Fraction(1),)


def job_of(*stages: str):
    """Each "TASKS x (DEMAND, SECONDS) after PARENTS", without the marks: "2 .6 2", "1 .4 4 | 1"."""
    rows = []
    for stage in stages:
        numbers, _, parents = stage.partition("|")
        tasks, demand, duration = map(float, numbers.split())
        rows.append({"tasks": int(tasks), "demand": {"r": demand}, "duration": duration,
                     "parents": [int(name) for name in parents.split()]})
    header = {"somnus_workload": 1, "resources": ["r"]}
    lines = [header, {"job": "J", "submit": 0, "stages": rows}]
    return parse_workload("\n".join(map(json.dumps, lines)))


def names(stages) -> list[int]:
    return [stage.name for stage in stages]


def numbers(text: str) -> list[Fraction]:
    return [Fraction(word) for word in text.split()]


# The best aligned, 0, leaves no room for 1, which the longest stage waits for.
LONG_LAST = ("2 .6 2", "1 .5 1", "1 .4 4 | 1")


@checks.add
def what_is_packed_forward_is_ordered_by_its_first_starts(folder):
    job = job_of(*LONG_LAST).jobs[0]
    expect_equal(list(packed(job, ONE).values()), numbers("0 4 5"), "first starts")
    expect_equal(names(ranked(job, "packing", ONE)), [0, 1, 2], "order")
    late = job_of("1 .2 1", "1 .7 1", "1 .3 1 | 0").jobs[0]  # 1 and 0 at 0, 2 at 1
    expect_equal(names(ranked(late, "packing", ONE)), [0, 1, 2], "equal starts go by the file")
    first = job_of("1 .4 1", "1 .7 1", "1 .3 1 | 0").jobs[0]  # 1 at 0, 0 at 1, 2 at 2
    expect_equal(names(ranked(first, "packing", ONE)), [1, 0, 2], "the best aligned first")


@checks.add
def dagps_begins_with_what_a_long_stage_waits_for(folder):
    workload = job_of(*LONG_LAST)
    job = workload.jobs[0]
    expect_equal(list(dagps.long_scores(job).values()), numbers("1/2 1/4 1"), "LongScores")
    # 2 x .6, one at once, in two rounds.
    frag = [dagps.frag_score(stage, ONE) for stage in job.stages]
    expect_equal(frag, numbers("3/5 1/2 2/5"), "FragScores")
    # All three backward: 0 ends at 5 and 3, 2 at 5, 1 at 1. No schedule is shorter than 1 and 2.
    compact = dagps.compact(job, ONE)
    expect_equal(dagps.span(compact), 5, "span")
    begins = dagps.begins(job, ONE)
    expect_equal([begins[stage] for stage in job.stages], numbers("1 0 1"), "first starts")
    expect_equal(names(ranked(job, "dagps", ONE)), [1, 0, 2], "order")
    for policy, within_job, end in (("drf", "bfs", 9), ("drf", "packing", 9), ("drf", "dagps", 5),
                                    ("tetris", "bfs", 9), ("dagps", "dagps", 5)):
        found = trace(workload, ONE, policy, within_job).ends
        expect_equal(found, {"J": end}, f"end by {policy}, {within_job}")


@checks.add
def dagps_places_the_others_around_the_troublesome(folder):
    job = job_of("1 .26 2", "1 .6 3", "2 .4 2", "1 .2 1 | 0").jobs[0]
    expect_equal(list(dagps.long_scores(job).values()), numbers("2/3 1 2/3 1/3"), "LongScores")
    frag = [dagps.frag_score(stage, ONE) for stage in job.stages]
    expect_equal(frag, numbers(".26 .6 .8 .2"), "FragScores")
    found = dagps.divisions(job, ONE)
    shown = [["".join(str(name) for name in sorted(names(sets[of]))) for of in "TPCO"]
             for sets in found]
    expect_equal(shown, [["0123", "", "", ""], ["13", "0", "", "2"], ["013", "", "", "2"]],
                 "T, P, C and O")
    # All at once: 1 and one of 2 at 0, the other at 2, then 0 from 3 to 5, then 3.
    # T of 1 and 3, both at 0; 0 from -2 to 0. O after P: 2 at -2, beside 0, and when 3 has ended.
    # O first: 2 from 1 to 3 and from 3 to 5, forward, for backward is no shorter; then 0 at -2.
    # T of 1, 0 and 3: 2 begins when these end, at 3.
    spans = [[dagps.span(each) for each in dagps.schedules(sets, ONE)] for sets in found]
    expect_equal(spans, [numbers("6 6 6 6"), numbers("7 7 5 7"), numbers("5 5 5 5")], "spans")
    begins = dagps.begins(job, ONE)
    expect_equal([begins[stage] for stage in job.stages], numbers("-2 0 -2 0"), "first starts")
    expect_equal(names(ranked(job, "dagps", ONE)), [0, 2, 1, 3], "order")


@checks.add
def stages_without_duration_or_demand_have_scores(folder):
    job = job_of("3 .4 0", "2 0 0 | 0").jobs[0]
    expect_equal(list(dagps.long_scores(job).values()), [0, 0], "LongScores")
    frag = [dagps.frag_score(stage, ONE) for stage in job.stages]
    expect_equal(frag, numbers("3/5 0"), "FragScores")  # 3 x .4, two at once, in two rounds
    expect_equal(names(ranked(job, "dagps", ONE)), [0, 1], "order")


@checks.add
def of_many_thresholds_eight_are_looked_at(folder):
    expect_equal(dagps.some([3, 1, 3, 2]), [1, 2, 3], "of 3")
    expect_equal(dagps.some(range(8)), list(range(8)), "of 8")
    expect_equal(dagps.some(range(10)), [0, 1, 2, 3, 5, 6, 7, 9], "of 10")


@checks.add
def backward_is_forward_of_the_turned_job(folder):
    for seed in range(20):
        workload = parse_workload(make(seed, Shape(jobs=1)))
        job, pool = workload.jobs[0], capacity(workload)
        found = dagps.backward({}, frozenset(job.stages), pool)
        for stage in job.stages:
            stage.parents, stage.children = stage.children, stage.parents
        turned = dagps.forward({}, frozenset(job.stages), pool)
        expect_equal({stage: sorted(times) for stage, times in found.items()},
                     {stage: sorted((-end, -start) for start, end in times)
                      for stage, times in turned.items()}, f"seed {seed}")


@checks.add
def each_schedule_keeps_precedence_and_capacity_and_no_bound_is_beaten(folder):
    for seed in range(25):
        workload = parse_workload(make(seed, Shape(stages=6, jobs=2)))
        pool = capacity(workload)
        for job in workload.jobs:
            found = [each for sets in dagps.divisions(job, pool)
                     for each in dagps.schedules(sets, pool)]
            for schedule in found:
                can_be_followed(schedule, job, pool, f"seed {seed}, {job.name}")
            least = min(map(dagps.span, found))
            expect_equal(dagps.span(dagps.compact(job, pool)), least, f"seed {seed}: compact")
            alone = dagps.span(dagps.forward({}, frozenset(job.stages), pool))
            expect(least <= alone, f"seed {seed}: {least}, packed forward {alone}")


def can_be_followed(schedule, job, pool, where: str) -> None:
    for stage in job.stages:
        expect_equal([end - start for start, end in schedule[stage]],
                     [stage.mean] * len(stage.durations), f"{where}: tasks of {stage.name}")
        for parent in stage.parents:
            ended = max(end for _, end in schedule[parent])
            expect(min(schedule[stage])[0] >= ended, f"{where}: {stage.name} before {parent.name}")
    tasks = [(start, end, stage.demand) for stage, ran in schedule.items() for start, end in ran]
    kinds = len(pool)
    for moment, _, _ in tasks:
        used = total((other for start, end, other in tasks if start <= moment < end), kinds)
        expect(within(used, pool), f"{where}: {used} at {moment}")
    work = total((times(demand, end - start) for start, end, demand in tasks), kinds)
    longest = max(map(path, job.stages))
    least = max(longest, *(part / whole for part, whole in zip(work, pool)))
    expect(dagps.span(schedule) >= least, f"{where}: a span below {least}")


if __name__ == "__main__":
    checks.main()
