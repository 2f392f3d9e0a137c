"""Workloads of years, as in the Parallel Workloads Archive: uncut, in simulate, check, replay, summary
and export, with what a float64 of seconds does not hold of them; and where time ends.
"""

import random
import shutil

import forging
from logs import rows, simulated, write_config, write_workload
from somnus_program import DIFFERENCE, FINE, MISTAKE, each, expect, expect_equal, somnus

import h5py
import numpy

YEAR_S = 365 * 86400
EXACT_S = 8.3e6  # from then on a float64 of seconds does not hold every nanosecond


def write_swf(folder, years: int, jobs: int, dice: random.Random) -> None:
    """Some jobs at a time now and then, so that there is something to decide."""
    lines = ["; Version: 2.2", "; UnixStartTime: 0"]
    bursts = sorted(dice.randrange(years * YEAR_S) for _ in range(jobs // 10))
    numbers = iter(range(1, jobs + 1))
    for burst in bursts:
        for at in range(10):
            fields = [-1] * 18
            fields[0], fields[1], fields[2] = next(numbers), burst + at * 7, 0
            fields[3], fields[4] = dice.randint(1, 20_000), dice.choice([1, 2, 4])
            fields[10], fields[11] = 1, dice.randint(1, 5)
            lines.append(" ".join(map(str, fields)))
    (folder / "years.swf").write_text("\n".join(lines) + "\n")


def expect_sound(folder, log) -> None:
    ended = somnus(folder, "check", log)
    broken = [line for line in ended.out.splitlines() if line.startswith("BROKEN")]
    expect(not broken, "\n".join(broken))
    ended.expect(FINE, "holds")
    somnus(folder, "replay", log).expect(FINE, "every one equal")
    somnus(folder, "summary", log).expect(FINE)


SYSTEMS = {
    "fifo": dict(policy="fifo"),
    "cfq, delays": dict(policy="cfq", more="[network]\ndelay_ms = 0.3\njitter = 0.5\n"),
    "uwfq, warm slots": dict(policy="uwfq", more='[jvm]\nmodel = "reuse"\nfactor = 1.37\n'),
    "carbyne": dict(policy="carbyne"),
    "capacity": dict(policy="fair", scheduler='order = "capacity"\n'),
    "yaq-c": dict(policy="yaq-c", more="[heartbeat]\ninterval_s = 5003.7\n"),
    "sparrow": dict(policy="sparrow", more="[heartbeat]\ninterval_s = 5003.7\n"),
    "backups": dict(policy="fair", more="[faults]\nstraggler_probability = 0.2\nstraggler_factor = 7\n"
                                        "task_failure_probability = 0.1\nnode_mtbf_s = 9e7\n"
                                        "[speculation]\nslowdown = 1.3\nquantile = 0.2\n"),
    "faults that have to be found out": dict(
        policy="fair", more="[faults]\nnode_mtbf_s = 3e7\nnode_repair_s = 1e5\nmissed_heartbeats = 3\n"
                            "[heartbeat]\ninterval_s = 5003.7\n"),
}


@each(SYSTEMS)
def test_an_archive_log_of_years_runs_uncut(folder, system):
    write_swf(folder, years=5, jobs=400, dice=random.Random(7))
    somnus(folder, "workload", "import", "swf", "years.swf", "--set", "rigid=false", "-o", "workload.jsonl").expect(FINE)
    config = write_config(folder, nodes=2, slots=3, **system)
    somnus(folder, "simulate", config, "--log", "years.h5", "-q").expect(FINE)
    log = folder / "years.h5"
    jobs = rows(log, "jobs")
    expect(jobs["submit"].max() > 4 * YEAR_S, f"jobs come until {jobs['submit'].max()} s")
    expect_equal(len(jobs), 400, "jobs")
    expect(all(jobs["state"] >= 2), "some job has not ended")
    expect_sound(folder, log)
    somnus(folder, "export", log, "-o", "trace.json").expect(FINE)


def test_the_nanoseconds_of_late_rounds_are_in_the_log(folder):
    jobs = [{"job": f"j{at}", "submit": at * 1e6, "durations": [0.123456789, 0.1]} for at in range(20)]
    log = simulated(folder, jobs=jobs, nodes=1, slots=1, more="[network]\ndelay_ms = 0.000777\n")
    instants = rows(log, "instants")
    ends = rows(log, "events/task_ended")
    late = ends[ends["time"] > EXACT_S]
    expect(len(late) > 0, "nothing ended so late")
    exact = dict(zip(instants["round"].tolist(), instants["time_ns"].tolist()))
    lossy = 0
    for row in late:
        ns = exact[int(row["round"])]
        expect_equal(float(row["time"]), ns / 1e9 if ns < 2**53 else float(numpy.longdouble(ns) / 10**9),
                     f"the seconds of {ns} ns")
        lossy += round(float(row["time"]) * 10**9) != ns
    expect(lossy > 0, "a float64 would have done")
    gap_ns = 10**15  # from job to job; each ends as long after its submit as the first
    early = {round(float(row["time"]) * 10**9) % gap_ns for row in ends if row["time"] <= EXACT_S}
    expect_equal({exact[int(row["round"])] % gap_ns for row in late}, early, "nanoseconds of ends")
    expect_sound(folder, log)


def test_other_nanoseconds_of_rounds_are_found(folder):
    write_swf(folder, years=2, jobs=50, dice=random.Random(3))
    somnus(folder, "workload", "import", "swf", "years.swf", "--set", "rigid=false", "-o", "workload.jsonl").expect(FINE)
    config = write_config(folder, nodes=1, slots=2)
    somnus(folder, "simulate", config, "--log", "years.h5", "-q").expect(FINE)

    def forged(change, words):
        shutil.copy(folder / "years.h5", folder / "forged.h5")
        with h5py.File(folder / "forged.h5", "r+") as file:
            change(file)
            forging.seal(file)
        somnus(folder, "replay", "forged.h5").expect(DIFFERENCE, *words)

    def moved(file):
        instants = file["instants"][()]
        instants["time_ns"][3] += 5000
        file["instants"][...] = instants

    def gone(file):
        instants = file["instants"][()]
        instants["round"][-1] += 7
        file["instants"][...] = instants

    forged(moved, ["by /instants"])
    forged(gone, ["has no row in /instants"])


def test_what_lasts_longer_than_time_is_refused_or_ends_with_it(folder):
    write_workload(folder, [{"job": "a", "submit": 1.1e9, "durations": [1]}])
    somnus(folder, "simulate", write_config(folder)).expect(MISTAKE, "expected 0 to 1000000000 s")
    write_workload(folder, [{"job": "a", "submit": 1e9, "durations": [8.4e6]}])
    somnus(folder, "simulate", write_config(folder)).expect(MISTAKE, "expected 0 to 8300000 s")
    write_workload(folder, [{"job": f"j{at}", "submit": 0, "durations": [8e6] * 100} for at in range(3)])
    config = write_config(folder, nodes=1, slots=1)
    somnus(folder, "simulate", config).expect(FINE, "2e+09 s of emulated time, the most there is")
    somnus(folder, "simulate", config, "--set", "run.until_s=9e8", "-q").expect(FINE)
    somnus(folder, "run", config, "--ranks", 1, "--speed", 1_000_000_000, "--log", "run.h5").expect(
        FINE, "2e+09 s of emulated time, the most there is")


def test_more_work_than_a_duration_holds_runs(folder):
    """Of all jobs together, as of large machines over years; and in a queue."""
    jobs = [{"job": f"j{at}", "submit": at, "durations": [8e6] * 1000} for at in range(3)]
    for policy in ("fifo", "cfq", "yaq-c", "yaq-d", "srpt"):
        more = "[heartbeat]\ninterval_s = 50000\n" if "yaq" in policy else ""
        expect_sound(folder, simulated(folder, "--force", jobs=jobs, nodes=10, slots=5, policy=policy,
                                       more=more))
