"""A worker that does not get its processor: the run warns of it, by its rank."""

import json
import os
import signal
import time

from logs import rows, write_config, write_workload
from somnus_program import FINE, expect, expect_equal, somnus, start


def test_stopped_for_a_third_of_every_second(folder):
    write_workload(folder, [{"job": f"j{at}", "submit": 2 * at, "stages": [{"tasks": 8, "duration": 20}]}
                            for at in range(60)])
    config = write_config(folder, nodes=20, slots=8, more="[run]\nspeed = 20\n")
    log = folder / "run.h5"
    with start(folder, "run", config, "--log", log, "--ranks", 3) as run:
        run.until(lambda: 2 in run.ranks(), "rank 2 lived")
        worker = run.ranks()[2]
        while run.process.poll() is None and 2 in run.ranks():
            os.kill(worker, signal.SIGSTOP)
            time.sleep(0.3)
            os.kill(worker, signal.SIGCONT)
            time.sleep(0.6)
        run.wait(60).expect(FINE, "OUTRAN ITS MACHINE: rank 2 was")
    said = json.loads(somnus(folder, "summary", log, "--json").expect(FINE).out)[0]
    expect_equal(said["latest_rank"], 2, "the latest rank")
    expect(said["safe_speed"] < 20, f"a safe speed of {said['safe_speed']}")
    late = rows(log, "ranks")["late_max"]
    expect(late[2] > 3, f"rank 2 was at most {late[2]} emulated seconds late")
