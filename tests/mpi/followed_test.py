"""A log can be read while its run goes on, and its reader, who locks files as h5py does, disturbs
nothing."""

import sys

from logs import (expect_clean, finished_tasks, tasks_of, wait_for_rows, write_config,
                  write_workload)
from somnus_program import FINE, Run, each, expect, expect_equal, start

JOBS = [{"job": f"j{at}", "submit": at * 0.1, "durations": [0.2, 0.3]} for at in range(45)]

# Says how many rows it has seen, until it has seen all; keeps the file open to the run's end.
READER = """
import sys, time, h5py
path, rows = sys.argv[1], int(sys.argv[2])
with h5py.File(path, "r", libver="latest", swmr=True) as log:
    tasks = log["tasks"]
    seen = []
    while not seen or seen[-1] < rows:
        tasks.refresh()
        if not seen or tasks.shape[0] > seen[-1]:
            seen.append(tasks.shape[0])
            print(seen[-1], flush=True)
        time.sleep(0.05)
    open(sys.argv[3], "w").close()
    time.sleep(3600)
"""


@each({"in a thread": 1, "by two worker ranks": 3})
def test_followed_to_the_end_while_run(folder, ranks):
    write_workload(folder, JOBS)
    log, seen_all = folder / "run.h5", folder / "seen_all"
    with start(folder, "run", write_config(folder), "--log", log, "-q", "--ranks", ranks) as run:
        wait_for_rows(run, log, 5)
        reading = [sys.executable, "-c", READER, str(log), str(tasks_of(JOBS)), str(seen_all)]
        with Run(reading, folder) as reader:
            ended = run.wait(60).expect(FINE)
            expect(reader.process.poll() is None, f"the reader failed: {reader.said()}")
            reader.until(seen_all.exists, "the reader had seen all rows")
            counts = [int(word) for word in reader.said().split()]
        expect(len(counts) > 1, f"rows came all at once: {counts}")
        expect_equal(ended.out + ended.err, "", "what a quiet run says")
    expect_equal(len(finished_tasks(log)), tasks_of(JOBS), "tasks that finished")
    expect_clean(folder, log)
