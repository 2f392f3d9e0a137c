"""Systems with queues at nodes, simulated: each log checks clean and is decided again exactly."""

from logs import (FINISHED, expect_clean, finished_tasks, mixed_jobs, raw_datasets, rows, simulated,
                  tasks_of)
from somnus_program import each, expect, expect_equal

PRESETS = ["yarn", "yarn+q", "yaq-c", "mercury", "sparrow", "yaq-d"]
BEATS = "[heartbeat]\ninterval_s = 0.3\n[job_manager]\npoll_s = 0.1\nlaunch_s = 0.1\n"
SLOW = "[network]\ndelay_ms = 20\njitter = 0.5\n"
FAULTS = ('[faults]\ntask_failure_probability = 0.1\n'
          'event = [{ at_s = 0.7, node = 1, kind = "node-lost" },\n'
          '         { at_s = 2.5, node = 1, kind = "node-returned" }]\n')

WORLDS = {preset: dict(policy=preset) for preset in PRESETS}
WORLDS |= {f"{preset}, a slow network, failures and a lost node":
           dict(policy=preset, more=SLOW + FAULTS) for preset in PRESETS}
WORLDS |= {
    "Sparrow, late binding, a lost node": dict(
        policy="sparrow", scheduler="batch-sampling.late_binding = true", more=SLOW + FAULTS),
    "yaq-d, rebalanced by length": dict(
        policy="yaq-d", more='[queue]\nrebalance = "length"\nrebalance_low = 1\n'
                             "rebalance_interval_s = 0.2\n" + FAULTS),
    "yaq-c, bounded by delay, shortest task first": dict(
        policy="yaq-c", more='[queue]\nbound = "delay"\nmax_wait_s = 0.4\nreorder = "stf"\n'
                             "starvation_s = 0.5\n"),
    "CFQ order with Yaq's queues": dict(policy="yaq-c", scheduler='order = "cfq"'),
    "random placement at any heartbeat": dict(
        policy="yaq-c", scheduler='placement = "random"\nfeedback = "any-heartbeat"'),
    "FAIR over a monitor": dict(policy="yaq-d", scheduler='order = "fair"'),
}


def simulate(folder, world, name="run.h5"):
    jobs = mixed_jobs(30)
    log = simulated(folder, jobs=jobs, log=name, **{"nodes": 3, **world, "more": BEATS + world.get("more", "")})
    expect_equal(len(finished_tasks(log)), tasks_of(jobs), "tasks that finished")
    return log


@each(WORLDS)
def test_checks_clean_and_replays(folder, world):
    expect_clean(folder, simulate(folder, world))


@each({preset: dict(policy=preset, more=SLOW + FAULTS) for preset in PRESETS})
def test_one_seed_gives_one_log(folder, world):
    first = raw_datasets(simulate(folder, world, "first.h5"))
    again = raw_datasets(simulate(folder, world, "again.h5"))
    expect_equal(set(again), set(first), "datasets")
    for name, data in first.items():
        if name.startswith(("tasks", "jobs", "stages", "events", "decisions")):
            expect(again[name] == data, f"{name} differs between two runs of one seed")


def waits(log):
    tasks = rows(log, "tasks")
    tasks = tasks[tasks["outcome"] == FINISHED]
    return tasks["start"] - tasks["queued"]


@each(PRESETS)
def test_tasks_wait_at_nodes_only_where_nodes_have_queues(folder, preset):
    longest = waits(simulate(folder, dict(policy=preset))).max()
    expect_equal(bool(longest > 1e-9), preset != "yarn", f"{longest} s was the longest wait")


def test_yaq_c_without_room_in_its_queues_is_yarn(folder):
    yarn = raw_datasets(simulate(folder, dict(policy="yarn"), "yarn.h5"))
    yaq = raw_datasets(simulate(folder, dict(policy="yaq-c", more="[queue]\nlength = 0\n"),
                                "yaq.h5"))
    expect(yarn["tasks"] == yaq["tasks"], "some task ran otherwise")
