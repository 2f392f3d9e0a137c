"""Beside a real Slurm: the response times of two recordings, whose jobs the program simulates with nothing
but their submits, widths, sleeps and limits, and Slurm's own costs as they were measured there."""

import csv
from pathlib import Path

import numpy
import pandas
import pytest

from logs import rows, write_config, write_workload
from somnus_program import FINE, somnus

RECORDINGS = Path(__file__).resolve().parents[3] / "shared/traces/slurm_real"
# From an allocation to the script's first line 0.6 to 0.8 s, from its end to free CPUs 0.2 to 0.4 s
# (ORIGIN.txt there): the middle of both. A message takes the way back in the second; it and the manager's
# launch make the first.
RELEASE_S, LAUNCH_S = 0.3, 0.7
COSTS = (f"[network]\ndelay_ms = {1000 * RELEASE_S:.0f}\n"
         f"[job_manager]\nlaunch_s = {LAUNCH_S - RELEASE_S:.1f}\nlaunch = \"constant\"\n"
         "[limits]\ngrace_s = 60\n")  # Slurm looks at limits once in a while; none was reached

SLURM = ("[scheduler.slurm]\nbf_interval_s = 1\nbf_resolution_s = 1\nsched_interval_s = 1\n"  # as it was set there
         "clock_s = {}\n")

# Of other backfills: the mean is near, and which job goes first is not.
BEST = {"builtin": [("slurm-builtin", 0.03, 0.98)],
        "backfill": [("slurm-backfill", 0.05, 0.98), ("easy", 0.05, 0.95), ("conservative", 0.05, 0.95)]}


def recorded(name):
    with open(RECORDINGS / f"{name}.csv") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def agreement(folder, jobs, policy, more=""):
    """By how much the mean response time differs, as a share, and Spearman's correlation of the jobs'."""
    write_workload(folder, [{"job": f"{row['job']:.0f}", "submit": row["submit_s"], "tasks": int(row["cpus"]), "gang": True,
                             "duration": row["sleep_s"], "limit_s": 60 * row["limit_min"]} for row in jobs])
    config = write_config(folder, nodes=2, slots=32, policy=policy, more=COSTS + more)
    somnus(folder, "simulate", config, "-q", "--log", "log.h5", "--force").expect(FINE)
    somnus(folder, "check", "log.h5").expect(FINE)
    found = rows(folder / "log.h5", "jobs")
    ours = found["finish"] - found["submit"]
    real = numpy.array([row["end_s"] - row["submit_s"] for row in jobs])
    ranks = pandas.DataFrame({"real": real, "ours": ours}).rank()
    differs, correlation = ours.mean() / real.mean() - 1, ranks["real"].corr(ranks["ours"])
    print(f"{policy}: mean response {ours.mean():.1f} s, Slurm's {real.mean():.1f} s, {100 * differs:+.1f} %; "
          f"rank correlation {correlation:.4f}")
    return differs, correlation


@pytest.mark.skipif(not RECORDINGS.exists(), reason=f"{RECORDINGS} is not here")
@pytest.mark.parametrize("name", BEST)
def test_response_times_are_those_of_a_real_slurm(folder, name):
    for policy, mean_within, correlation_above in BEST[name]:
        more = SLURM.format(0) if policy == "slurm-backfill" else ""
        differs, correlation = agreement(folder, recorded(name), policy, more)
        assert abs(differs) < mean_within
        assert correlation > correlation_above


@pytest.mark.skipif(not RECORDINGS.exists(), reason=f"{RECORDINGS} is not here")
def test_where_its_clock_stood_does_not_matter_much(folder):
    """The recording does not say it; ends of limits count by half minutes of that clock."""
    jobs = recorded("backfill")
    differ, correlations = zip(*(agreement(folder, jobs, "slurm-backfill", SLURM.format(clock)) for clock in range(30)))
    print(f"over all: {100 * min(differ):+.1f} to {100 * max(differ):+.1f} %, rank correlation {min(correlations):.3f} to "
          f"{max(correlations):.3f}, {sum(one > 0.98 for one in correlations)} of 30 above 0.98")
    assert max(abs(one) for one in differ) < 0.05
    assert min(correlations) > 0.97 and numpy.median(correlations) > 0.98
