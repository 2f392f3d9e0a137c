"""Systems with queues at nodes, over real MPI: each run is audited, and decided again from its
log."""

from logs import LOST, emulated, rows, write_config, write_workload
from somnus_program import each, expect_equal

SPEED = 10
BEATS = "[heartbeat]\ninterval_s = 0.5\n[job_manager]\nlaunch_s = 0.2\n"
SLOW = "[network]\ndelay_ms = 30\njitter = 0.5\n"
LOSS = ('[[faults.event]]\nat_s = 2\nnode = 1\nkind = "node-lost"\n'
        '[[faults.event]]\nat_s = 4\nnode = 1\nkind = "node-returned"\n')


def closed_jobs():
    """Two loops of jobs, each wider than the cluster."""
    jobs = []
    for loop in "ab":
        for at in range(3):
            job = {"job": f"{loop}{at}", "submit": 0, "user": loop,
                   "durations": [round(0.3 + 0.15 * k, 6) for k in range(8)]}
            if at > 0:
                job |= {"after": f"{loop}{at - 1}", "think": 0.1}
            jobs.append(job)
    return jobs


WORLDS = {
    "YARN": dict(policy="yarn"),
    "YARN with queues": dict(policy="yarn+q"),
    "Yaq-c, a slow network and a lost node": dict(policy="yaq-c", more=SLOW + LOSS),
    "Mercury, a slow network": dict(policy="mercury", more=SLOW),
    "Sparrow, a slow network and a lost node": dict(policy="sparrow", more=SLOW + LOSS),
    "Sparrow, late binding": dict(
        policy="sparrow", scheduler="batch-sampling.late_binding = true", more=SLOW),
    "Yaq-d, rebalanced, a slow network and a lost node": dict(
        policy="yaq-d", more="[queue]\nrebalance_interval_s = 0.3\nrebalance_low = 0.1\n"
                             + SLOW + LOSS),
}


@each(WORLDS)
def test_checks_clean_and_replays(folder, world):
    jobs = closed_jobs()
    write_workload(folder, jobs)
    given = dict(world)
    config = write_config(folder, nodes=3, more=BEATS + given.pop("more", "")
                          + f"[run]\nspeed = {SPEED}\n", **given)
    lost = int((rows(emulated(folder, jobs, config), "tasks")["outcome"] == LOST).sum())
    expect_equal(lost > 0, LOSS in world.get("more", ""), f"whether tasks were lost ({lost})")
