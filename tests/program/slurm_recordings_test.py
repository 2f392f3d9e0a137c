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

# Mean response times, as a share of Slurm's, and Spearman's correlation of the jobs'. Slurm's backfill is
# not EASY: a reservation of its keeps whole nodes, of which this cluster has two, and it takes what ends
# within 30 s of each other for one end. So the mean is near, and which job goes first is not.
AGREEMENT = {"builtin": ("fcfs", 0.03, 0.98), "backfill": ("easy", 0.05, 0.95)}


@pytest.mark.skipif(not RECORDINGS.exists(), reason=f"{RECORDINGS} is not here")
@pytest.mark.parametrize("name", AGREEMENT)
def test_response_times_are_those_of_a_real_slurm(folder, name):
    policy, mean_within, correlation_above = AGREEMENT[name]
    with open(RECORDINGS / f"{name}.csv") as file:
        recorded = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    write_workload(folder, [{"job": f"{row['job']:.0f}", "submit": row["submit_s"], "tasks": int(row["cpus"]), "gang": True,
                             "duration": row["sleep_s"], "limit_s": 60 * row["limit_min"]} for row in recorded])
    config = write_config(folder, nodes=2, slots=32, policy=policy, more=COSTS)
    somnus(folder, "simulate", config, "-q", "--log", "log.h5").expect(FINE)
    somnus(folder, "check", "log.h5").expect(FINE)
    jobs = rows(folder / "log.h5", "jobs")
    ours = jobs["finish"] - jobs["submit"]
    real = numpy.array([row["end_s"] - row["submit_s"] for row in recorded])
    ranks = pandas.DataFrame({"real": real, "ours": ours}).rank()
    print(f"{name}: mean response {ours.mean():.1f} s, Slurm's {real.mean():.1f} s, "
          f"{100 * (ours.mean() / real.mean() - 1):+.1f} %; rank correlation {ranks['real'].corr(ranks['ours']):.4f}")
    assert ours.mean() == pytest.approx(real.mean(), rel=mean_within)
    assert ranks["real"].corr(ranks["ours"]) > correlation_above
