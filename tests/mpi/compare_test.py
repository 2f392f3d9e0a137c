"""A real run beside its simulation: how late its ranks looked is logged, and explains what differs."""

import json

from logs import mixed_jobs, rows, write_config, write_workload
from somnus_program import DIFFERENCE, FINE, each, expect, expect_equal, somnus


def emulated(folder, policy, speed):
    write_workload(folder, mixed_jobs(12, gap_s=0.4, task_s=2))
    config = write_config(folder, policy=policy, nodes=4)
    somnus(folder, "run", config, "--log", "run.h5", "-q", "--force", "--ranks", 3, "--speed",
           speed).expect(FINE)
    return config


def compared(folder, *logs) -> dict:
    """By figure. What the verdicts are is for the machine to say; the exit code says it, too."""
    ended = somnus(folder, "compare", *logs, "--json")
    said = json.loads(ended.out)
    ended.expect(FINE if said["faithful"] else DIFFERENCE)
    lines = {line["figure"]: line for line in said["figures"]}
    expect_equal(said["faithful"], {line["verdict"] for line in lines.values()} == {"faithful"},
                 "faithful")
    return lines


def share_of_faithful_figures(folder, policy) -> float:
    """Of one run. What differs is explained by its lateness, however late it was."""
    config = emulated(folder, policy, 4)
    late = rows(folder / "run.h5", "lateness")
    expect_equal(set(late["rank"]), {0, 1, 2}, "ranks")
    events = rows(folder / "run.h5", "scheduler")["events"][0]
    expect(late["looks"][late["rank"] == 0].sum() <= events, "more looks of rank 0 than events")
    somnus(folder, "check", "run.h5").expect(FINE, "latest look of each rank")
    somnus(folder, "simulate", config, "--log", "simulation.h5", "-q", "--force").expect(FINE)
    lines = compared(folder, "run.h5", "simulation.h5")
    mean = lines["response_mean_s"]
    explained = abs(mean["difference"]) - abs(mean["lateness"]) <= 0.05 + 2 * mean["sensitivity"]
    expect(explained, f"another run than its simulation: {mean}")
    return sum(line["verdict"] == "faithful" for line in lines.values()) / len(lines)


@each({"fair": "fair", "queues at nodes": "yaq-c"})
def test_a_slow_run_is_its_simulation(folder, policy):
    # A machine that is busy with something else for a tenth of a second makes other decisions.
    shares = []
    while len(shares) < 3 and not (shares and shares[-1] > 0.5):
        shares.append(share_of_faithful_figures(folder, policy))
    expect(shares[-1] > 0.5, f"few figures are faithful in any of three runs: {shares}")


def test_a_run_too_fast_for_its_machine_is_explained_by_its_lateness(folder):
    emulated(folder, "fair", 2000)
    mean = compared(folder, "run.h5")["response_mean_s"]
    expect(mean["difference"] > 0.01, f"no later than its simulation: {mean}")
    expect(mean["lateness"] > 0.01, f"lateness explains nothing: {mean}")


def test_calibrate_measures_the_machine_and_not_the_emulated_delays(folder):
    write_workload(folder, mixed_jobs(40, gap_s=1, task_s=5))
    config = write_config(folder, policy="yaq-c", nodes=10, more="[heartbeat]\ndelay_ms = 400\n")
    ended = somnus(folder, "calibrate", config, "--json", "-q", timeout_s=120).expect(FINE)
    expect(ended.took_s < 60, f"took {ended.took_s} s")
    said = json.loads(ended.out)
    expect(said["tasks_per_s"] > 5000, f"{said['tasks_per_s']} tasks/s")
    expect(said["rank_0_late_p50_s"] < 0.1, f"rank 0 is {said['rank_0_late_p50_s']} s late")
    expect(said["speeds"] and said["sensitivity"]["response_mean_s"] >= 0, "no table")
    last = said["speeds"][-1]
    expect_equal(said["safe_speed"], last["speed"] if last["is_safe"] else None, "safe speed")
