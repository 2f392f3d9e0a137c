"""somnus follow: what it shows is what the log says, while a run goes on and after it has ended."""

import fcntl
import json
import os
import pty
import signal
import socket
import struct
import termios
import time
import urllib.request
from contextlib import contextmanager

from logs import long_jobs, mixed_jobs, rows_that_count, simulated, write_config, write_workload
from somnus_program import (FINE, MISTAKE, RIGHT_TO_WRITE, WORLD, Run, each, expect, expect_equal,
                            program, somnus, start)

import h5py
import numpy

ACTIVE, FINISHED = 1, 2


def emulated(folder, jobs) -> Run:
    write_workload(folder, jobs)
    return start(folder, "run", write_config(folder), "--ranks", 1, "--log", "a.h5", "--quiet")


def follow(folder, *words):
    return somnus(folder, "follow", *words)


def view(folder, log):
    return json.loads(follow(folder, log, "--once", "--json").expect(FINE).out)


def log_says(path, name):
    """What a view should have, by the tables of a log that nobody writes."""
    with h5py.File(path, "r", swmr=True) as log:
        jobs, stages, tasks, samples, launched = (
            log[table][:rows_that_count(log, table)]
            for table in ("jobs", "stages", "tasks", "samples", "decisions/launch"))
    running = len(launched) - len(tasks)
    first = tasks[tasks["outcome"] == 0]
    ended = jobs["state"] >= FINISHED
    work = sum(first[first["job"] == job]["nominal"].sum() for job in jobs["job"][~ended])
    of_users = {}
    for user in sorted(set(jobs["user"])):
        of_user = set(jobs["job"][jobs["user"] == user])
        of_users[int(user)] = (
            sum(stages["job"][stage] in of_user for stage in launched["stage"])
            - sum(job in of_user for job in tasks["job"]))
    return {
        "time_s": samples["time"][-1],
        "busy_slots": samples["busy_slots"][-1],
        "active_jobs": (jobs["state"] == ACTIVE).sum(),
        "finished_jobs": (jobs["state"] == FINISHED).sum(),
        "ended_attempts": len(tasks),
        "lag_max_s": samples["lag"].max(),
        "done": 100 * (jobs["slot_time"][ended].sum() + work) / jobs["slot_time"].sum(),
    }[name] if name != "users" else (running, of_users)


def agrees(folder, log):
    shown = view(folder, log)
    for name in ("time_s", "busy_slots", "active_jobs", "finished_jobs", "ended_attempts",
                 "lag_max_s", "done"):
        said = float(log_says(folder / log, name))
        expect(abs(shown[name] - said) <= 1e-9 * max(1, abs(said)),
               f"{name}: {shown[name]}, by the log's tables {said}")
    running, of_users = log_says(folder / log, "users")
    expect_equal(sum(user["running"] for user in shown["users"]), running, "tasks that run")
    expect_equal(sorted(user["running"] for user in shown["users"]), sorted(of_users.values()),
                 "tasks of each user that run")
    return shown


def test_a_log_that_is_complete_is_shown_once(folder):
    simulated(folder, log="a.h5")
    shown = agrees(folder, "a.h5")
    expect(shown["complete"] and shown["ended"], "it is complete")
    expect_equal(shown["done"], 100, "per cent done")
    expect_equal({user["user"] for user in shown["users"]}, {"ann", "bob"}, "users")
    expect_equal(shown["slowest"], [], "active jobs")
    follow(folder, "a.h5").expect(FINE, "100.0 % ", "12 of 12 jobs ended", "complete")
    follow(folder, "a.h5", "--once").expect(FINE, "12 finished", "ann", "bob", "of 8 busy")


def test_a_run_is_followed_while_it_goes_on_until_it_is_killed(folder):
    with emulated(folder, long_jobs()) as run:
        end = time.monotonic() + 60
        while follow(folder, "a.h5", "--once", "--json").code != FINE:
            expect(time.monotonic() < end, "the log can be followed within a minute")
            time.sleep(0.05)
        with Run([program(), "follow", "a.h5", "--json", "--interval", "0.1"], folder) as follower:
            while len(follower.said().splitlines()) < 5:
                expect(time.monotonic() < end, "five looks within a minute")
                time.sleep(0.05)
            run.signal(signal.SIGKILL)
            followed = follower.wait()
        run.wait()
    followed.expect(WORLD)
    views = [json.loads(line) for line in followed.out.splitlines()]
    for before, after in zip(views, views[1:]):
        expect(before["ended_attempts"] <= after["ended_attempts"], "attempts only grow")
        expect(before["time_s"] is None or before["time_s"] <= after["time_s"], "time goes on")
    expect(not any(each["ended"] for each in views[:-1]), "it goes on")
    expect(views[-1]["ended"] and not views[-1]["complete"], "it ended before its time")
    expect_equal([job["job"] for job in views[-1]["slowest"]], ["long"], "the active job")
    agrees(folder, "a.h5")


def test_prometheus_is_served_the_same_figures_on_loopback(folder):
    simulated(folder, log="a.h5")
    # As if it went on: somebody holds the right to write it.
    with open(folder / "a.h5", "r+") as lock, socket.create_server(("127.0.0.1", 0)) as free:
        fcntl.lockf(lock, fcntl.LOCK_EX, 1, RIGHT_TO_WRITE)
        port = free.getsockname()[1]
        follow(folder, "a.h5", "-q", "--prometheus", port).expect(WORLD, str(port))
        free.close()
        with Run([program(), "follow", "a.h5", "-q", "--prometheus", str(port)], folder) as served:
            served.until(lambda: answers(port), "the page was there", timeout_s=30)
            page = fetch(port)
            served.signal(signal.SIGINT)
            served.wait().expect(FINE)
    said = dict(line.rsplit(" ", 1) for line in page.splitlines() if line.startswith("somnus_"))
    shown = view(folder, "a.h5")
    labels = 'label="fair",workload="workload"'
    for name, key in (("finished_jobs", "finished_jobs"), ("ended_attempts", "ended_attempts"),
                      ("done_percent", "done"), ("lag_max_s", "lag_max_s")):
        expect_equal(float(said[f"somnus_{name}{{{labels}}}"]), float(shown[key]), name)
    ann = next(user for user in shown["users"] if user["user"] == "ann")
    of_ann = [value for name, value in said.items()
              if name.startswith("somnus_user_slot_time_s{") and 'user="ann"' in name]
    expect_equal([float(value) for value in of_ann], [ann["slot_time_s"]], "slot-time of a user")


def fetch(port, timeout_s=5):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    return opener.open(f"http://127.0.0.1:{port}/metrics", timeout=timeout_s).read().decode()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def answers(port):
    try:
        return "somnus_" in fetch(port)
    except OSError:
        return False


@contextmanager
def served_run(folder, jobs):
    """A run, what follows it as a page, and the page's port; the page is there."""
    port = free_port()
    with emulated(folder, jobs) as run:
        run.until(lambda: follow(folder, "a.h5", "--once", "-q").code == FINE, "it has a log")
        following = [program(), "follow", "a.h5", "-q", "--prometheus", str(port)]
        with Run(following, folder) as served:
            served.until(lambda: answers(port), "the page was there")
            yield run, served, port


class HalfRequests:
    """Connections that ask for something and never come to the end of it; `how` is what they say."""

    def __init__(self, port, count, how):
        self.sockets = [socket.create_connection(("127.0.0.1", port), timeout=5)
                        for _ in range(count)]
        for each in self.sockets:
            each.sendall(how)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for each in self.sockets:
            each.close()


HALF = b"GET /metrics HTTP/1.1\r\nHost: a"
WITH_BODY = b"GET /metrics HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n"


@each({f"{count} {what}": (count, how) for count in (1, 3, 200)
       for what, how in (("half requests", HALF), ("requests without a word", b""),
                         ("bodies that do not come", WITH_BODY))})
def test_nobody_who_asks_slowly_holds_up_another_or_the_end(folder, readers):
    count, how = readers
    with served_run(folder, long_jobs()) as (run, served, port):
        with HalfRequests(port, count, how):
            for _ in range(3):
                began = time.monotonic()
                expect("somnus_busy_slots" in fetch(port), "the page is not there")
                expect(time.monotonic() < began + 3, "a reader was held up")
        with HalfRequests(port, count, how):
            began = time.monotonic()
            served.signal(signal.SIGINT)
            served.wait(5).expect(FINE)
            expect(time.monotonic() < began + 3, "its end was held up")
        run.signal(signal.SIGTERM)
        run.wait()


def test_a_half_request_does_not_hold_up_the_end_of_a_complete_log(folder):
    with served_run(folder, mixed_jobs(30)) as (run, served, port):
        with HalfRequests(port, 3, HALF):  # while it goes on: after its end the page may be gone
            run.wait(60).expect(FINE)
            began = time.monotonic()
            served.wait(10).expect(FINE)
        expect(time.monotonic() < began + 5, "its end was held up")


def test_what_is_no_request_for_the_page_is_refused(folder):
    with served_run(folder, long_jobs()) as (run, _, port):
        for request, status in ((b"GET /metrics?a=b HTTP/1.1\r\n\r\n", b"200"),
                                (b"GET / HTTP/1.0\r\n\r\n", b"404"),
                                (b"POST /metrics HTTP/1.1\r\n\r\n", b"405"),
                                (b"\r\n\r\n", b"405"), (b"x" * 9000, b"")):
            with socket.create_connection(("127.0.0.1", port), timeout=5) as asking:
                asking.sendall(request)
                try:
                    said = asking.recv(100)
                except ConnectionResetError:
                    said = b""
            expect_equal(said[9:12], status, f"the answer to {request[:40]}")
        run.signal(signal.SIGTERM)
        run.wait()


def drawn(folder, log, columns, lines):
    """What a terminal of that size is sent, and the exit code."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        time.sleep(0.2)  # until the size is set
        os.execv(program(), [program(), "follow", log])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    sent = b""
    while True:
        try:
            sent += os.read(terminal, 65536)
        except OSError:  # its end, on Linux
            break
    _, status = os.waitpid(process, 0)
    return sent.decode(), os.waitstatus_to_exitcode(status)


def test_a_view_fits_its_terminal_and_leaves_it_as_it_was(folder):
    jobs = [{**job, "job": "a job whose name is much longer than any line " + job["job"]}
            for job in mixed_jobs(40)]
    simulated(folder, jobs=jobs, log="a.h5", more="[run]\nuntil_s = 3\n")
    for columns, lines in ((80, 24), (60, 12), (200, 60)):
        sent, code = drawn(folder, "a.h5", columns, lines)
        expect_equal(code, FINE, "exit code")
        expect(sent.startswith("\x1b[?1049h\x1b[?25l"), "another screen, no cursor")
        expect("\x1b[?25h\x1b[?1049l" in sent, "the screen of before, and its cursor")
        view = sent.split("\x1b[J")[-1].split("\x1b[?25h")[0].split("\r\n")
        expect(len(view) <= lines, f"{len(view)} lines on {lines}")
        longest = max(view, key=len)
        expect(len(longest) <= columns, f"on {columns} columns: {longest!r}")
        if lines > 20:
            expect(any("slowdown" in line for line in view), "the slowest jobs have room")


def test_who_reads_no_more_ends_it(folder):
    with emulated(folder, long_jobs()) as run:
        words = f"sleep 1; '{program()}' follow a.h5 --interval 0.1 | head -n 1; " \
                "echo ${PIPESTATUS[0]}"
        with Run(["bash", "-c", words], folder) as piped:
            ended = piped.wait(30)
        run.signal(signal.SIGTERM)
        run.wait()
    expect_equal(ended.out.splitlines()[-1], "0", "exit code")


def test_a_forged_log_is_shown_as_far_as_it_can_be(folder):
    simulated(folder, log="a.h5")
    with h5py.File(folder / "a.h5", "r+") as log:
        log.attrs["mode"] = numpy.bytes_(b"\xff\x1b")
        jobs = log["jobs"][:]
        jobs["state"], jobs["submit"] = ACTIVE, -1e300
        log["jobs"][...] = jobs
    expect_equal(view(folder, "a.h5")["mode"], "\\xff\x1b", "mode")
    follow(folder, "a.h5", "--once").expect(FINE, "\\xff\\u{1b}", "1e+300 s")


def test_what_is_no_log_is_reported(folder):
    follow(folder, "nowhere.h5").expect(MISTAKE, "nowhere.h5", "no such file")
    (folder / "text.h5").write_text("no log\n")
    follow(folder, "text.h5", "--once").expect(MISTAKE, "not an HDF5 file")
    follow(folder, "text.h5", "--interval", "0").expect(MISTAKE, "--interval")
    follow(folder, "text.h5", "--prometheus", "0").expect(MISTAKE, "--prometheus")
