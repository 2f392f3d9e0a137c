import json

import numpy as np
import pytest

from logs import ACTIVE, Job, write_log
from somnus.analysis import load
from somnus.analysis.__main__ import main
from somnus.analysis.base.errors import UserError
from somnus.analysis.metrics import progress

# Ten slots. Job 0 gives 3 of its 6 fair slots for half of its time, job 1 takes them, job 2 has no
# curve and keeps its own.
JOBS = [Job(0, 20, alone=8, first_start=4), Job(0, 10, alone=5, first_start=0),
        Job(0, 20, alone=4, first_start=0)]
CURVES = [(0, 3, 0.2), (0, 6, 0.1), (1, 9, 0.1)]
TARGETS = [(0, 0, 0.6, 0.3, 0.3), (0, 1, 0.2, 0.5, 0.5), (0, 2, 0.2, 0.2, 0.2),
           (10, 0, 0.6, 0.6, 0.6), (10, 2, 0.4, 0.4, 0.4)]


def write(path, jobs=JOBS, targets=TARGETS, curves=CURVES):
    return write_log(path, jobs, samples=[(0, 10), (10, 10), (20, 0)], nodes=(10,),
                     targets=targets, curves=curves, policy="paf")


@pytest.fixture
def log(tmp_path):
    return load(write(tmp_path / "paf.h5"))


def test_progress_counts_from_the_submit_or_from_the_first_start(log):
    assert progress.rates(log).tolist() == [0.4, 0.5, 0.2]
    assert progress.rates(log, "first_start").tolist() == [0.5, 0.5, 0.2]


def test_a_job_that_has_not_finished_has_none_and_one_that_took_no_time_all(tmp_path):
    log = load(write(tmp_path / "a.h5", [Job(0, np.nan, state=ACTIVE), Job(1, 1, alone=0), Job(0, 2)], []))
    assert progress.rates(log).fillna(-1).tolist() == [-1, 1, 0.5]


def test_a_curve_goes_straight_from_corner_to_corner_and_flat_after_the_last(log):
    curves = progress.Curves(log)
    assert curves.progress(0, np.array([0, 1, 3, 4.5, 6, 9])) == pytest.approx(
        [0, 0.2, 0.6, 0.75, 0.9, 0.9])
    assert 1 in curves and 2 not in curves


def test_exchanges_are_means_over_the_time_that_a_job_was_there(log):
    frame = progress.exchanges(log)
    assert frame["fair"].tolist() == pytest.approx([6, 2, 3])
    assert frame["target"].tolist() == pytest.approx([4.5, 5, 3])
    assert frame.loc[0, "promised"] == pytest.approx((0.6 / 0.9 + 1) / 2)
    assert frame.loc[1, "promised"] == pytest.approx(2.5)
    assert np.isnan(frame.loc[2, "promised"])


def test_what_was_realised_stands_beside_the_promise(tmp_path, log):
    fair = [Job(0, 16, alone=8), Job(0, 20, alone=5), Job(0, 20, alone=4)]
    reference = load(write(tmp_path / "fair.h5", fair, [], []))
    frame = progress.givers_and_takers(log, reference)
    assert frame["side"].tolist() == ["gives", "takes", "keeps"]
    assert frame["realised"].tolist() == pytest.approx([0.8, 2, 1])


def test_other_jobs_are_refused(tmp_path, log):
    other = load(write_log(tmp_path / "b.h5", [Job(0, 1, name="x")]))
    with pytest.raises(UserError):
        progress.givers_and_takers(log, other)


def test_the_table_has_a_line_for_each_side(tmp_path, log, capsys):
    write(tmp_path / "fair.h5", [Job(0, 16, alone=8), Job(0, 20, alone=5), Job(0, 20, alone=4)], [], [])
    assert main(["progress", str(tmp_path / "paf.h5"), "--against", str(tmp_path / "fair.h5")]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["give", "1", "6.000", "4.500", "83.33", "80.00", "80.00"] in lines
    assert ["take", "1", "2.000", "5.000", "250.0", "200.0", "200.0"] in lines
    assert ["mean,", "from", "submit", "0.367", "0.317"] in lines
    assert main(["progress", str(tmp_path / "paf.h5")]) == 0
    assert "give" not in capsys.readouterr().out


def test_progress_is_quiet_or_json(tmp_path, log, capsys):
    path = str(tmp_path / "paf.h5")
    assert main(["progress", path, "-q"]) == 0 and capsys.readouterr().out == ""
    assert main(["progress", path, "--against", path, "--json", "-q"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["log"] for each in found["progress"]] == [path, path]
    assert [each["side"] for each in found["sides"]] == ["gives", "keeps", "takes"]
