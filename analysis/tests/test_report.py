"""Who won, whether a log is whole, what is packed, and the page as a text."""

import fcntl
import hashlib
import json
import os
import re
import struct
import zlib
from base64 import b64decode
from importlib import resources
from types import SimpleNamespace

import h5py
import numpy as np
import pytest

from logs import ACTIVE, Job, Task, write_log
from somnus.analysis import load
from somnus.analysis.base import output
from somnus.analysis.base.errors import ProgramError
from somnus.analysis.base.program import Somnus
from somnus.analysis.metrics.intervals import by_holm, mean_interval
from somnus.analysis.report import comparison, facts, sections, state, timeline
from somnus.analysis.report.audit import audits_of
from somnus.analysis.report.document import page
from somnus.analysis.report.pack import Column, pack


def run(folder, name, response=(4.0, 8.0), **more):
    jobs = [Job(0, finish, alone=2) for finish in response]
    tasks = [Task(job, 0, finish) for job, finish in enumerate(response)]
    return load(write_log(folder / f"{name}.h5", jobs, tasks, **more))


def unpack(column: Column) -> np.ndarray:
    """As page/unpack.js."""
    packed = pack([column])
    (name, coding, length), = packed.columns
    words = np.frombuffer(zlib.decompress(b64decode(packed.text)), np.uint8).reshape(4, length).T
    words = np.ascontiguousarray(words).view("<u4").ravel()
    if coding == "float":
        return words.view("<f4")
    if coding == "steps":
        return np.cumsum((words >> 1).astype(np.int64) ^ -(words & 1).astype(np.int64))
    return words


@pytest.mark.parametrize("values, in_steps", [
    ([0, 1, 2**32 - 1, 7], False), ([5, 3, 2**31 - 1, 0, 0], True), ([], False), ([], True)])
def test_what_is_packed_comes_out_as_it_was(values, in_steps):
    assert list(unpack(Column("a", np.array(values, np.int64), in_steps))) == values


def test_floats_keep_24_bits_and_what_is_no_number():
    found = unpack(Column("a", np.array([0.1, np.nan, -2e9])))
    assert found == pytest.approx([np.float32(0.1), np.nan, -2e9], nan_ok=True)


@pytest.mark.parametrize("freedom, t", [(1, 12.7062), (2, 4.3027), (3, 3.1824), (9, 2.2622),
                                        (30, 2.0423), (100, 1.9840)])
def test_intervals_are_by_students_t_of_the_tables(freedom, t):
    values = np.arange(freedom + 1.0)
    found = mean_interval([*values, float("nan")])
    assert found.mean == freedom / 2
    assert found.half == pytest.approx(t * values.std(ddof=1) / len(values) ** 0.5, rel=2e-5)
    assert np.isnan(mean_interval([5]).half) and np.isnan(mean_interval([]).mean)


def test_runs_that_differ_in_their_seeds_are_one_contender(tmp_path):
    config = '[scheduler]\npolicy = "{}"\n[run]\nseed = {}\n[log]\nfile = "{}"\n'
    logs = [run(tmp_path, f"{policy}-{seed}", policy=policy, seed=seed,
                config=np.bytes_(config.format(policy, seed, f"{policy}-{seed}.h5")))
            for policy in ("fair", "cfq") for seed in (1, 2)]
    those = comparison.contenders(logs)
    assert [(one.label, len(one.logs)) for one in those] == [("fair", 2), ("cfq", 2)]
    assert comparison.run_labels(those, logs) == ["fair, seed 1", "fair, seed 2", "cfq, seed 1",
                                               "cfq, seed 2"]
    assert comparison.headline(those) == "4 runs: fair × 2, cfq × 2"


def test_the_same_run_twice_is_no_seed_more(tmp_path):
    logs = [run(tmp_path, "a"), run(tmp_path, "b")]
    assert [len(one.logs) for one in comparison.contenders(logs)] == [1, 1]


CHIEF = next(each for each in comparison.MEASURES if each.key == comparison.CHIEF)


def test_one_seed_names_the_lowest_and_decides_nothing(tmp_path):
    those = comparison.contenders([run(tmp_path, "a", policy="fair"),
                                   run(tmp_path, "b", (2.0, 4.0), policy="cfq")])
    assert comparison.verdict(those) == ("cfq has the lowest mean response time, 3.000 s; fair comes next, "
                                         "100.0 % behind. One seed decides nothing.")
    assert comparison.best(those, CHIEF) is None
    assert comparison.signed(those[1].against(those[0], comparison.CHIEF)) == "−50.0 %"


def contender(label, *means):
    """Of one seed each, of the chief measure alone."""
    logs = tuple(SimpleNamespace(attributes={"seed": seed}) for seed, _ in enumerate(means))
    return comparison.Contender(label, logs, {comparison.CHIEF: means, "jobs_finished": (9,) * len(means)})


def test_the_winner_is_named_and_marked_where_it_is_decided_of_each_other():
    fair, cfq, near = (contender("fair", 9, 10, 11, 12), contender("cfq", 5, 6, 7, 8.5),
                       contender("near", 4, 9, 6, 12))
    assert comparison.best([fair, cfq], CHIEF) is cfq
    assert "fair comes next, +58.5 %" in comparison.verdict([fair, cfq])
    assert comparison.best([fair, cfq, near], CHIEF) is None, "near has a higher mean, by chance"
    assert "these seeds decide no difference to near (+17.0 %" in comparison.verdict([fair, cfq, near])
    far = contender("far", 5, 90, 7, 8)
    assert comparison.best([fair, cfq, far], CHIEF) is None, "the third, too, has to be decided"


def test_equal_means_have_no_winner():
    assert comparison.best([contender("a", 3, 4), contender("b", 3, 4)], CHIEF) is None


def test_holms_method_multiplies_the_least_by_all_and_never_goes_down():
    assert by_holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert by_holm([]) == [] and by_holm([0.9, 0.8]) == [1.0, 1.0]


def test_no_winner_of_different_workloads_or_of_unlike_numbers_of_jobs(tmp_path):
    one = run(tmp_path, "a", policy="fair")
    other = run(tmp_path, "b", policy="cfq", workload_digest=np.bytes_("other"))
    assert "different workloads" in comparison.verdict(comparison.contenders([one, other]))
    cut = load(write_log(tmp_path / "c.h5", [Job(0, 4), Job(0, np.nan, state=ACTIVE)], [Task(0, 0, 4)]))
    assert "Not as many jobs" in comparison.verdict(comparison.contenders([one, cut]))


def test_a_run_that_outran_its_machine_is_told(tmp_path):
    log = run(tmp_path, "a", mode=np.bytes_("run"), lag_p99=1.0, speed=100.0)
    with h5py.File(log.path, "r+") as file:
        rows = file["scheduler"][()]
        rows["events"] = 5
        file["scheduler"][()] = rows
    found = facts.faithfulness(load(log.path))
    assert found.verdict == "outran its machine"
    assert "Speed 4 would have kept that under 1 %" in found.sentence  # 1 % of 4 s, a 25th of the lag
    assert facts.faithfulness(run(tmp_path, "b")).verdict == "exact"


def test_a_log_that_is_not_whole_is_said_to_be_so(tmp_path):
    whole = run(tmp_path, "whole")
    assert state.sentence(whole) == ""
    with pytest.warns(match="incomplete"):
        cut = run(tmp_path, "cut", complete=False)
    assert "was cut off" in state.sentence(cut)
    lock = os.open(tmp_path / "cut.h5", os.O_RDWR)
    try:
        fcntl.fcntl(lock, fcntl.F_OFD_SETLK,
                    struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, output.RIGHT_TO_WRITE, 1, 0))
        assert "still goes on" in state.sentence(cut)
    finally:
        os.close(lock)


def test_beyond_the_most_whole_jobs_are_kept_the_worst_first(tmp_path):
    jobs = [Job(0, 9, tasks=3) for _ in range(4)]
    log = load(write_log(tmp_path / "a.h5", jobs, [Task(job, 0, 9) for job in range(4) for _ in "abc"]))
    clock = timeline.Clock.of(log)
    columns, left_out = timeline.attempt_columns(log, clock, 7, np.array([2]))
    of_jobs = {each.name: each.values for each in columns}["attempts_of"]
    assert left_out == 6 and of_jobs[2] == 3 and of_jobs.sum() == 6


def test_a_page_has_its_data_and_nothing_that_ends_it_early(tmp_path):
    log = run(tmp_path, "a", users=["</script><b>", "x"])
    text = page([log])
    data = re.search(r'id="report-data">(.*?)</script>', text, re.DOTALL)[1]
    assert json.loads(data)["names"][0]["users"] == ["</script><b>", "x"]
    assert "$" not in re.sub(r"<script.*?</script>|<style>.*?</style>", "", text, flags=re.DOTALL)


ANSWERS = """#!/usr/bin/python3
import json, sys
finding = {"invariant": "a law", "checked": 7, "offences": 2, "first": "/tasks row 3: <4 s", "asserted": True,
           "note": "to the microsecond"}
if "gone" in sys.argv[-1]:
    print("gone.h5: no such log", file=sys.stderr)
    sys.exit(2)
fine = finding | {"offences": 0, "first": ""}
print(json.dumps([{"log": sys.argv[-1], "findings": [fine if "fine" in sys.argv[-1] else finding]}]))
sys.exit("fine" not in sys.argv[-1])
"""


@pytest.fixture
def answering(tmp_path):
    program = tmp_path / "somnus"
    program.write_text(ANSWERS)
    program.chmod(0o755)
    return program


def test_each_log_is_audited_by_the_program_and_broken_laws_come_first(tmp_path, answering):
    logs = [run(tmp_path, name, policy=name) for name in ("fine", "bad", "gone")]
    audits = [each.result() for each in audits_of(logs, Somnus(answering))]
    assert [len(each.broken) for each in audits] == [0, 1, 0]
    assert "ended with code 2" in audits[2].missing and "no such log" in audits[2].missing
    text = sections.audited(["fine", "bad", "gone"], audits)
    assert "bad, BROKEN: a law: 2 of 7 offend, first /tasks row 3: &lt;4 s" in text
    assert "Every invariant holds: fine" in text and "gone was not audited" in text
    assert text.index("offend") < text.index("<table") < text.index("holds 7")


def test_without_the_program_there_is_no_page(tmp_path):
    with pytest.raises(ProgramError, match="nowhere: no such program"):
        page([run(tmp_path, "a")], tmp_path / "nowhere")


def test_the_library_is_the_one_that_the_readme_and_the_page_name():
    folder = resources.files("somnus.analysis.report").joinpath("page")
    printed = re.findall(r"^\| (uPlot\S+) \| (\d+) \| (\w{64}) \|$",
                         folder.joinpath("README.md").read_text(), re.MULTILINE)
    assert {name for name, *_ in printed} == {each.name for each in folder.joinpath("vendor").iterdir()}
    for name, size, digest in printed:
        content = folder.joinpath("vendor", name).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (int(size), digest)
    version, = re.findall(r"\(v([\d.]+)\)", folder.joinpath("vendor/uPlot.iife.min.js").read_text()[:99])
    assert f"uPlot {version}," in folder.joinpath("page.html").read_text()


def test_rigid_jobs_are_said_above_all_else(tmp_path):
    log = run(tmp_path, "a", rigid_jobs=np.uint64(2))
    assert facts.rigid_jobs(log).startswith("2 of 2 jobs are RIGID and ran here as independent tasks")
    assert "2 of 2 jobs are RIGID" in page([log])
    assert facts.rigid_jobs(run(tmp_path, "b")) == ""
