"""A run over two hosts: with a link that is slow, loses frames, is cut for a while or for good, clocks
that are minutes apart and no memory to share.

The hosts are network namespaces (hosts.py), for which one must be root.
"""

import time

from hosts import Hosts, Weather, may_be_made
from logs import (expect_clean, expect_recoverable, finished_tasks, mixed_jobs, rows, tasks_of,
                  wait_for_rows, write_config, write_workload)
from somnus_program import FINE, Run, each, expect, expect_equal, program

import pytest

pytestmark = pytest.mark.skipif(
    not may_be_made(), reason="no right to make network namespaces and TAP devices")
APART_S = 300  # the second host's clock ahead of the first's
MOST_S = 30    # from a cut to the end

def begin(hosts: Hosts, folder, jobs, more="", ranks=(1, 2)) -> Run:
    write_workload(folder, jobs)
    config = write_config(folder, policy="cfq", more=more)
    return Run([*hosts.mpirun(*ranks), program(), "run", str(config), "--log", "run.h5", "-q"], folder)


def ranks_of(log) -> dict:
    return {int(row["rank"]): (int(row["host"]), row["clock_offset"], row["clock_uncertainty"])
            for row in rows(log, "ranks")}


@each({
    "near": Weather(),
    "20 to 30 ms away": Weather(delay_s=0.02, jitter_s=0.01),
    "losing two frames of a hundred": Weather(delay_s=0.001, loss=0.02),
})
def test_hosts_are(folder, weather):
    jobs = mixed_jobs(count=30)
    with Hosts(folder, weather, clock_s=APART_S) as hosts:
        with begin(hosts, folder, jobs, ranks=(2, 2)) as run:
            run.wait().expect(FINE)
    log = folder / "run.h5"
    expect_clean(folder, log)
    expect_equal(len(finished_tasks(log)), tasks_of(jobs), "tasks that finished")
    found = ranks_of(log)
    expect_equal([found[rank][0] for rank in sorted(found)], [0, 0, 1, 1], "hosts")
    for rank, (host, offset, uncertainty) in found.items():
        apart = APART_S * host
        expect(abs(offset - apart) <= uncertainty + 1e-9,
               f"rank {rank}: offset {offset}, is {apart} +- {uncertainty}")
        if host == 1:  # half of the round trip, of which each way takes that long
            expect(uncertainty >= weather.delay_s, f"rank {rank}: uncertainty {uncertainty}")


def test_a_link_that_is_cut_for_two_seconds(folder):
    jobs = mixed_jobs(count=60)
    with Hosts(folder, Weather(), clock_s=APART_S) as hosts:
        with begin(hosts, folder, jobs) as run:
            wait_for_rows(run, folder / "run.h5", 5)
            hosts.cut = True
            time.sleep(2)
            hosts.cut = False
            run.wait().expect(FINE)
    expect_clean(folder, folder / "run.h5")
    expect_equal(len(finished_tasks(folder / "run.h5")), tasks_of(jobs), "tasks that finished")


def test_a_link_that_is_cut_for_good(folder):
    jobs = mixed_jobs(count=600)
    with Hosts(folder, Weather(), clock_s=APART_S) as hosts:
        with begin(hosts, folder, jobs, more="[run]\nsilence_s = 2\n") as run:
            wait_for_rows(run, folder / "run.h5", 5)
            hosts.cut = True
            limit = time.monotonic() + MOST_S
            while run.ranks():  # mpirun and its daemon on the other host may stay
                expect(time.monotonic() < limit, f"ranks {run.ranks()} live; said: {run.said()}")
                time.sleep(0.1)
            expect("(host hostb) is lost: nothing was heard of it for 2 s" in run.said(), run.said())
    expect_recoverable(folder, folder / "run.h5", 5)
