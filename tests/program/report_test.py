"""`somnus report`: what it says, and what stands in the page, read as text."""

import html.parser
import os
import re
import signal
import subprocess
from pathlib import Path

from logs import change, mixed_jobs, simulated, write_config, write_workload
from somnus_program import FINE, MISTAKE, WORLD, expect, expect_equal, program, somnus, start


class Words(html.parser.HTMLParser):
    """The text of a page, without scripts and styles; and what it would fetch."""

    def __init__(self, page: str):
        super().__init__()
        self.text, self.fetched, self._silent = "", [], 0
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self._silent += tag in ("script", "style")
        for name, value in attributes:
            if name in ("src", "href") and not value.startswith(("#", "data:")):
                self.fetched.append(value)

    def handle_endtag(self, tag):
        self._silent -= tag in ("script", "style")

    def handle_data(self, data):
        if not self._silent:
            self.text += data + " "


def logs_of(folder: Path, *policies: str, more: str = "", jobs: list[dict] | None = None) -> list[str]:
    return [simulated(folder, jobs=jobs, log=f"{policy}.h5", policy=policy, more=more).name
            for policy in policies]


def words_of(folder: Path, *logs: str) -> str:
    somnus(folder, "report", *logs, "-o", "page.html", "--force").expect(FINE, "page.html")
    return Words((folder / "page.html").read_text()).text


def test_one_file_that_fetches_nothing(folder):
    one_stage = [{"job": f"j{at}", "submit": at / 10, "durations": [1] * (1 + at % 9)} for at in range(20)]
    logs = logs_of(folder, "fifo", "cfq", jobs=one_stage)
    words = words_of(folder, *logs)
    page = (folder / "page.html").read_text()
    expect_equal(Words(page).fetched, [], "what it would fetch")
    expect("MIT License" in page, "the plotting library's licence is not in it")
    for word in ("2 runs: fifo, cfq", "has the lowest mean response time", "Theorem 1", "Worst jobs",
                 "nothing can be late", "Why tasks waited"):
        expect(word in words, f"nothing is said of {word!r}")
    expect_equal([each.name for each in folder.glob(".*")], [], "what is left beside the page")


def test_a_log_that_was_changed_is_reported_with_its_row(folder):
    whole, changed = logs_of(folder, "fifo", "fair")
    change(folder / changed, "tasks", "finish", 2, lambda time: time + 1)
    words = words_of(folder, whole, changed)
    expect("Every invariant holds: fifo" in words, "nothing is said of the whole one")
    expect(re.search(r"fair, BROKEN: [^:]+: 1 of \d+ offend, first /tasks row 2", words), words[-3000:])
    expect("finds an invariant broken under fair" in words, words[:1500])


def test_seeds_give_intervals(folder):
    for policy in ("fair", "srpt"):
        simulated(folder, "--seeds", "1,2,3", log=f"{policy}.h5", policy=policy,
                  more='[estimate]\nmodel = "uniform"\nerror = 0.9\n')
    words = words_of(folder, *sorted(path.name for path in folder.glob("*.h5")))
    expect(re.search(r"Difference to fair", words) and "seed by seed" in words, words[:3000])
    expect(re.search(r"\d ± \d", words), "no interval")


def test_names_are_no_markup(folder):
    simulated(folder, jobs=[{"job": "<b>&\"</script>", "user": "<i>", "submit": 0, "durations": [1]}])
    words = words_of(folder, "log.h5")
    page = (folder / "page.html").read_text()
    expect("<b>&\"</script>" in words and "<b>" not in page, "a name was taken for markup")


def test_logs_that_are_none_are_reported_all_at_once(folder):
    (folder / "empty.h5").write_bytes(b"")
    (folder / "text.h5").write_text("no log\n")
    ended = somnus(folder, "report", "empty.h5", "text.h5", "missing.h5").expect(
        MISTAKE, "empty.h5: an empty file", "text.h5: not an HDF5 file", "missing.h5: no such file")
    expect("Traceback" not in ended.err, ended.err)
    expect(not (folder / "report.html").exists(), "there is a page all the same")


def test_a_run_in_which_nothing_started_is_reported(folder):
    simulated(folder, jobs=[{"job": "late", "submit": 50, "durations": [1]}],
              more="[run]\nuntil_s = 1\n")
    words = words_of(folder, "log.h5")
    expect("no task was started in it" in words, words[:1500])


def test_a_log_without_decisions_says_that_it_has_none(folder):
    logs = logs_of(folder, "fair", more="[log]\nreplay = false\n")
    expect("the log has no decisions" in words_of(folder, *logs), "nothing is said of it")


def test_a_run_that_goes_on_and_one_that_was_killed(folder):
    write_workload(folder, mixed_jobs(40, gap_s=0.05, task_s=5))
    write_config(folder, more="[run]\nspeed = 1\n")
    with start(folder, "run", "config.toml", "--ranks", "1", "--log", "log.h5", "--quiet") as run:
        run.until(lambda: _rows_in(folder / "log.h5"), "rows in the log")
        expect("This run still goes on" in words_of(folder, "log.h5"), "of a run that goes on")
        run.signal(signal.SIGKILL)
        run.wait()
        words = words_of(folder, "log.h5")
    expect("This run was cut off" in words and "somnus recover" in words, words[:1500])
    expect("Too little was written" in words, "nothing of its lateness")


def _rows_in(log: Path) -> bool:
    return log.exists() and log.stat().st_size > 0 and somnus(
        log.parent, "summary", log.name, "--json").code == FINE


def test_a_python_without_modules_is_reported(folder):
    simulated(folder, log="fifo.h5")
    bare = folder / "bin"
    bare.mkdir()
    (bare / "python3").write_text("#!/bin/sh\nexec /usr/bin/python3 -I -S \"$@\"\n")
    (bare / "python3").chmod(0o755)
    done = subprocess.run([program(), "report", "fifo.h5"], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "PATH": str(bare)}, check=False)
    expect_equal(done.returncode, WORLD, f"exit code; {done.stderr}")
    expect("this needs" in done.stderr and "Traceback" not in done.stderr, done.stderr)
