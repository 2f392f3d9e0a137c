"""compare: a run beside its simulation, and beside simulations that are as late as the run was."""

import json
import shutil

import forging
from logs import mixed_jobs, write_config, write_workload
from somnus_program import DIFFERENCE, FINE, MISTAKE, each, expect, expect_equal, somnus

import h5py
import numpy


def simulated(folder, name="simulation.h5", jobs=None, **world):
    stem = name.removesuffix(".h5")
    write_workload(folder, jobs or mixed_jobs(40), f"{stem}.jsonl")
    config = write_config(folder, f"{stem}.toml", workload=f"{stem}.jsonl",
                          **{"nodes": 2, **world})
    somnus(folder, "simulate", config, "--log", name, "-q").expect(FINE)
    return name


def forged(folder, log, name, change):
    """A copy in which something was changed, sealed as if it had been written so."""
    shutil.copy(folder / log, folder / name)
    with h5py.File(folder / name, "r+") as file:
        change(file)
        forging.seal(file)
    return name


def longer_by(share):
    def change(file):
        rows = file["jobs"][()]
        rows["finish"] = rows["submit"] + (1 + share) * (rows["finish"] - rows["submit"])
        file["jobs"][...] = rows
    return change


def as_run(file):
    file.attrs["mode"] = numpy.bytes_("run")


def printed(ended):
    return {line["figure"]: line for line in json.loads(ended.out)["figures"]}


def test_a_simulation_is_faithful_to_itself(folder):
    log = simulated(folder)
    for arguments in ((log, log), (log,)):
        ended = somnus(folder, "compare", *arguments).expect(FINE, "faithful")
        expect("ERROR" not in ended.out, ended.out)
    for line in printed(somnus(folder, "compare", log, "--json").expect(FINE)).values():
        expect_equal((line["difference"], line["lateness"], line["spread"]), (0, 0, 0), line["figure"])
        expect(0 < line["sensitivity"] < 0.01, line)
    expect_equal(somnus(folder, "compare", log, "-q").expect(FINE).out, "", "quiet")


@each({"longer": 0.05, "shorter": -0.05})
def test_response_times_that_are_off_by_five_percent_are_found(folder, share):
    log = simulated(folder)
    run = forged(folder, log, "run.h5", longer_by(share))
    somnus(folder, "compare", run, log, "-q").expect(DIFFERENCE, "ERROR")
    lines = printed(somnus(folder, "compare", run, log, "--json").expect(DIFFERENCE))
    for name in ("response_mean_s", "response_p95_s", "slowdown_p50"):
        expect(abs(lines[name]["difference"] - share) < 1e-6, lines[name])
        expect_equal(lines[name]["verdict"], "error", name)
    expect(abs(lines["job_deviation_p95"]["difference"] - 0.05) < 1e-6, "jobs")


def test_lateness_in_the_log_is_what_simulations_are_late_by(folder):
    """Of a machine half a second late, tasks of 0.15 s take much longer, and that explains it."""
    log = simulated(folder)

    def late_run(file):
        as_run(file)
        rows = file["ranks"][()]
        if len(rows) < 2:
            rows = numpy.concatenate([rows, rows])
        rows["rank"] = range(len(rows))
        forging._put_rows(file["ranks"], rows)
        file.attrs["ranks"] = numpy.uint64(len(rows))
        looks = numpy.zeros(2, file["lateness"].dtype)
        looks["rank"], looks["up_to"], looks["looks"] = [0, 1], 0.5, 1
        forging._put_rows(file["lateness"], looks)

    run = forged(folder, log, "run.h5", late_run)
    lines = printed(somnus(folder, "compare", run, log, "--json").expect(FINE))
    expect(lines["response_mean_s"]["lateness"] > 0.5, lines["response_mean_s"])
    longer = forged(folder, run, "longer.h5", longer_by(lines["response_mean_s"]["lateness"]))
    lines = printed(somnus(folder, "compare", longer, log, "--json").expect(DIFFERENCE))
    expect_equal(lines["response_mean_s"]["verdict"], "late", "verdict")


def test_logs_in_the_wrong_order_are_reported(folder):
    log = simulated(folder)
    run = forged(folder, log, "run.h5", as_run)
    somnus(folder, "compare", log, run).expect(
        MISTAKE, "run.h5", "is the log of a run, expected that of a simulation",
        "the run comes first")


def test_what_was_not_the_same_experiment_is_reported_at_once(folder):
    log = simulated(folder)
    other = simulated(folder, "other.h5", jobs=mixed_jobs(10), policy="cfq")
    somnus(folder, "compare", log, other).expect(
        MISTAKE, "is of another workload ('simulation'", "than other.h5 ('other'",
        "is of another config than other.h5: here 'policy = \"fair\"'")
    seeded = "seeded.h5"
    somnus(folder, "simulate", "simulation.toml", "--seed", "9", "--log", seeded, "-q").expect(FINE)
    somnus(folder, "compare", log, seeded).expect(MISTAKE, "here 'seed = 1', there 'seed = 9'")


def test_a_log_that_was_cut_off_is_reported(folder):
    def cut_off(file):
        file.attrs["complete"] = numpy.int64(0)

    log = simulated(folder)
    cut = forged(folder, log, "cut.h5", cut_off)
    somnus(folder, "compare", cut, log).expect(MISTAKE, "cut.h5", "did not come to its end",
                                               "--resume")


def test_a_run_without_its_lateness_or_its_workload_is_reported(folder):
    log = simulated(folder)
    run = forged(folder, log, "run.h5", as_run)
    somnus(folder, "compare", run, log).expect(MISTAKE, "run.h5", "/lateness")
    write_workload(folder, mixed_jobs(20), "simulation.jsonl")
    somnus(folder, "compare", log).expect(MISTAKE, "'simulation' is not what it was",
                                          "put it back")
    (folder / "simulation.jsonl").unlink()
    somnus(folder, "compare", log).expect(MISTAKE, "simulation.jsonl")


def test_lateness_that_no_run_has_is_reported(folder):
    def impossible(file):
        looks = numpy.zeros(1, file["lateness"].dtype)
        looks["up_to"], looks["looks"] = float("nan"), 1
        forging._put_rows(file["lateness"], looks)

    log = simulated(folder)
    somnus(folder, "compare", forged(folder, log, "run.h5", impossible), log).expect(
        MISTAKE, "/lateness row 0")
