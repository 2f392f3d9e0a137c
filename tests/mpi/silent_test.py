"""A rank that is stopped holds nobody up: whom rank 0 has not heard for too long is named, and the run
ends, or waits for it if it shall; and a rank 0 that is busy or slow to load is no lost one."""

import json
import os
import signal
import threading
import time

from logs import (expect_clean, expect_recoverable, long_jobs, mixed_jobs, rows, wait_for_rows,
                  write_config, write_workload)
from somnus_program import FINE, WORLD, each, expect, expect_equal, somnus, start

HOST = os.uname().nodename
SHORT = "[run]\nsilence_s = 2\n"
MOST_S = 20  # from the blow to the end


def begin(folder, jobs, more=SHORT, **how):
    write_workload(folder, jobs)
    config = write_config(folder, more=more)
    return start(folder, "run", config, "--log", "run.h5", "--ranks", 3, **how)


def stop_rank(run, rank):
    run.until(lambda: rank in run.ranks(), f"rank {rank} lived")
    pid = run.ranks()[rank]
    os.kill(pid, signal.SIGSTOP)
    return pid


def test_a_worker_stopped_while_ranks_start(folder):
    os.environ["SOMNUS_START_LIMIT_S"] = "2"
    with begin(folder, long_jobs()) as run:
        stop_rank(run, 1)
        ended = run.wait(MOST_S).expect(WORLD)
        said = ended.out + ended.err
        expect("have not all started within 2 s" in said or "rank 1" in said, said)
    del os.environ["SOMNUS_START_LIMIT_S"]
    expect(not (folder / "run.h5").exists(), "a log of a run that never began")


def test_a_worker_stopped_for_good_is_named_with_its_host(folder):
    with begin(folder, long_jobs()) as run:
        wait_for_rows(run, folder / "run.h5", 5)
        stop_rank(run, 2)
        run.wait(MOST_S).expect(WORLD, "run.silence_s", "run.h5",
                                f"rank 2 (host {HOST}) is lost: nothing was heard of it for 2 s")
    expect_recoverable(folder, folder / "run.h5", 5)


def test_rank_0_stopped_for_good(folder):
    with begin(folder, long_jobs()) as run:
        wait_for_rows(run, folder / "run.h5", 5)
        stop_rank(run, 0)
        run.wait(MOST_S).expect(WORLD, "rank 0 is lost: nothing was heard of it for 2 s")
    expect_recoverable(folder, folder / "run.h5", 5)


def test_rank_0_ends_although_mpirun_does_not_answer(folder):
    # As where a host is dead: the end of the job never comes, so it ends by itself.
    write_workload(folder, long_jobs())
    config = write_config(folder, more=SHORT)
    with start(folder, "run", config, "--log", "run.h5", "-q", mpi_ranks=3) as run:
        wait_for_rows(run, folder / "run.h5", 5)
        os.kill(run.mpirun(), signal.SIGSTOP)
        stop_rank(run, 2)
        run.until(lambda: 0 not in run.ranks(), "rank 0 ended", timeout_s=MOST_S)
    expect_recoverable(folder, folder / "run.h5", 5)


def test_one_that_comes_back_is_waited_for_where_that_is_wanted(folder):
    with begin(folder, mixed_jobs(24), more=SHORT + 'on_silence = "wait"\n') as run:
        wait_for_rows(run, folder / "run.h5", 5)
        pid = stop_rank(run, 2)
        time.sleep(3.5)
        os.kill(pid, signal.SIGCONT)
        run.wait(MOST_S).expect(FINE, f"nothing was heard of rank 2 (host {HOST}) for 2 s; waiting",
                                "A RANK WAS SILENT: nothing was heard of rank 2")
    log = folder / "run.h5"
    expect_clean(folder, log)
    ranks = rows(log, "ranks")
    expect_equal(list(ranks["host"]), [0, 0, 0], "hosts")
    silent = ranks["silent_max"]
    expect(silent[2] > 3 and silent[1] < 2.5, f"longest silences {silent}")
    said = json.loads(somnus(folder, "summary", log, "--json").expect(FINE).out)[0]
    expect_equal(said["most_silent_rank"], 2, "the most silent rank")


def give_slowly(folder, after_s):
    """The workload comes through a pipe, some time after it is asked for; says when it is."""
    path = folder / "workload.jsonl"
    text = path.read_text()
    path.unlink()
    os.mkfifo(path)
    asked = threading.Event()

    def write():
        with open(path, "w") as pipe:
            asked.set()
            time.sleep(after_s)
            try:
                pipe.write(text)
            except BrokenPipeError:
                pass

    threading.Thread(target=write, daemon=True).start()
    return asked


def test_loading_may_take_longer_than_a_silence(folder):
    write_workload(folder, mixed_jobs(4))
    config = write_config(folder, more="[run]\nsilence_s = 1\n")
    give_slowly(folder, after_s=3)
    somnus(folder, "run", config, "--log", "run.h5", "--ranks", 3).expect(FINE)


@each({"two worker ranks": 3, "a worker in a thread": 1})
def test_a_signal_while_the_workload_is_loaded(folder, ranks):
    write_workload(folder, mixed_jobs(4))
    config = write_config(folder, more=SHORT)
    asked = give_slowly(folder, after_s=1000)
    with start(folder, "run", config, "--log", "run.h5", "--ranks", ranks) as run:
        run.until(asked.is_set, "the workload was asked for")
        time.sleep(0.3)
        run.signal(signal.SIGTERM)
        run.wait(10).expect(WORLD, "before the emulation began; there is no log")
    expect(not (folder / "run.h5").exists(), "a log of a run that never began")
