import json
import math

import pandas as pd
import pytest

from logs import ACTIVE, Job, write_log
from somnus.analysis import load
from somnus.analysis.__main__ import main
from somnus.analysis.base.errors import UserError
from somnus.analysis.metrics import fairness
from somnus.analysis.metrics.summary import PARTS_SHOWN

NAMES = [f"user_{place}" for place in range(1, 26)]
# Jobs of each user in the UWFQ paper's macro-benchmark; 2, 4 and 6 have none left.
JOBS_OF = dict(zip(NAMES, (1, 0, 1, 0, 3, 0, 3, 11, 1, 8, 2, 5, 2, 2, 1, 7, 23, 14, 1, 1, 4, 2, 1,
                           1, 3)))


@pytest.fixture
def make(tmp_path):
    def write(name, jobs, **more):
        return load(write_log(tmp_path / f"{name}.h5", jobs, policy=name, **more))

    return write


@pytest.fixture
def pair(make):
    """Deviations: ann -0.5, 0; bob +1.5; the last one ended in one run only."""
    users = ["ann", "bob"]
    reference = make("ujf", [Job(0, 4, user=0), Job(1, 3, user=0), Job(2, 4, user=1),
                             Job(3, 9, user=1)], users=users)
    log = make("uwfq", [Job(0, 2, user=0), Job(1, 3, user=0), Job(2, 7, user=1),
                        Job(3, math.nan, user=1, state=ACTIVE)], users=users)
    return log, reference


def test_deviations_are_shares_of_the_references_response_time(pair):
    assert fairness.deviations(*pair).to_dict() == {"job-0": -0.5, "job-1": 0, "job-2": 1.5}


def test_jobs_are_matched_by_name_and_ends_count_from_the_first_submit(make):
    reference = make("ujf", [Job(0, 4, name="a"), Job(1, 3, name="b")])
    log = make("uwfq", [Job(11, 14, name="b"), Job(10, 15, name="a")])
    assert fairness.deviations(log, reference).to_dict() == {"b": 0.5, "a": 0.25}


def test_ratios_part_violations_from_slack():
    ratios = fairness.ratios(pd.Series([0.5, 1.5, 0, -0.25, -0.5, 1e-10]))
    assert ratios == fairness.Ratios(
        compared=6, dvr=1, violations=2, dsr=0.1875, slack=4, worst=1.5
    )


def test_ratios_of_nothing_are_unknown():
    ratios = fairness.ratios(pd.Series([], dtype=float))
    assert math.isnan(ratios.dvr) and math.isnan(ratios.dsr) and math.isnan(ratios.worst)
    assert (ratios.violations, ratios.slack) == (0, 0)


def test_a_job_that_counts_twice_weighs_twice():
    ratios = fairness.ratios(pd.Series([1.0, 4.0, -1.0]), pd.Series([2, 1, 3]))
    assert (ratios.dvr, ratios.violations, ratios.dsr, ratios.slack) == (2, 3, 1, 3)


def of_users(*names):
    return pd.DataFrame({"user_name": names})


def test_the_papers_97_jobs_count_174_times():
    jobs = of_users(*(name for name, jobs in JOBS_OF.items() for _ in range(jobs)))
    assert len(jobs) == 97
    often = fairness.multiplicity(jobs, "uwfq-macro", NAMES)
    assert often.sum() == 174
    assert often[jobs["user_name"] == "user_17"].unique().tolist() == [2]
    # user_2 has no job left, and counts all the same.
    assert often[jobs["user_name"] == "user_20"].tolist() == [2]
    assert fairness.multiplicity(jobs, "uwfq-micro", NAMES).sum() == 2 * 97
    assert fairness.multiplicity(jobs, "jobs", NAMES).sum() == 97


def test_any_part_of_a_name_counts():
    often = fairness.multiplicity(of_users("ann", "joanne"), "uwfq-macro", ["ann", "joanne", "o"])
    assert often.tolist() == [1, 3]


def test_an_unknown_counting_is_refused():
    with pytest.raises(ValueError, match="uwfq-micro"):
        fairness.multiplicity(of_users("ann"), "micro", ["ann"])


def test_the_logs_own_users_count_if_no_others_are_named(make):
    users = ["user_1", "user_12"]
    log, reference = (make(name, [Job(0, end, user=1)], users=users)
                      for name, end in (("fair", 6), ("ujf", 4)))
    deviation = fairness.deviations(log, reference)
    assert fairness.counted(log, deviation, "uwfq-macro").violations == 2
    assert fairness.counted(log, deviation, "uwfq-macro", ["user_12"]).violations == 1


def test_users_have_ratios_of_their_own(pair):
    table = fairness.per_user(*pair)
    assert table.loc["ann", ["violations", "dsr", "slack"]].tolist() == [0, 0.25, 2]
    assert table.loc["bob", ["dvr", "violations", "slack"]].tolist() == [1.5, 1, 0]


def test_between_users_means_are_compared(pair):
    # ann: (2 + 2) / 2 against (4 + 2) / 2; bob: 5 against 2, the unfinished job left out.
    assert fairness.between_users_of(*pair).to_dict() == pytest.approx({"ann": -1 / 3, "bob": 1.5})


@pytest.mark.parametrize(("jobs", "words"), [
    ([Job(0, 4), Job(1, 3)], r"'job-2' of .*ujf.h5 is not in .*other.h5, and 1 more"),
    ([Job(0, 4, user=0), Job(1, 3, user=0), Job(2, 4, user=0), Job(3, 9, user=1)],
     "'job-2' is of user 'user-0' here, of 'user-1' there"),
    ([Job(0, 4, user=0), Job(1, 3, user=0), Job(2.5, 4, user=1), Job(3.5, 9, user=1)],
     r"'job-2' is submitted 2.5 s after the first job here, 2 s there, and 1 more \(jobs that"),
])
def test_a_log_of_other_jobs_is_refused(make, jobs, words):
    reference = make("ujf", [Job(0, 4, user=0), Job(1, 3, user=0), Job(2, 4, user=1),
                             Job(3, 9, user=1)])
    other = make("other", jobs)
    with pytest.raises(UserError, match=words):
        fairness.deviations(other, reference)


def test_names_that_several_jobs_share_are_refused(make):
    log = make("fair", [Job(0, 1, name="a"), Job(0, 1, name="a")])
    with pytest.raises(UserError, match="'a' is the name of several"):
        fairness.deviations(log, log)


def test_jobs_that_took_no_time_in_the_reference_are_left_out(make):
    reference = make("ujf", [Job(0, 0), Job(0, 0), Job(0, 2)])
    log = make("fair", [Job(0, 0), Job(0, 1), Job(0, 3)])
    assert fairness.deviations(log, reference).to_dict() == {"job-2": 0.5}


def test_the_summary_shows_ratios_and_users(pair, capsys):
    log, reference = pair
    assert main(["summary", str(log.path), "--against", str(reference.path), "--per-user"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["deadline", "violation", "ratio", "1.500"] in lines
    assert ["deadline", "slack", "ratio", "0.250"] in lines
    # user, weight, jobs, response, worst tenth, slowdown, DVR, violations, DSR, slack
    assert ["ann", "1.000", "2", "2.000", "–", "2.000", "–", "0", "0.250", "2"] in lines
    assert ["bob", "1.000", "1", "5.000", "–", "5.000", "1.500", "1", "–", "0"] in lines


def test_the_json_has_the_counting_and_every_user(pair, capsys):
    log, reference = pair
    assert main(["summary", str(log.path), "--json", "--against", str(reference.path),
                 "--counting", "uwfq-micro"]) == 0
    (only,) = json.loads(capsys.readouterr().out)
    assert only["against"].pop("improvement")["compared"] == 3  # no job of it counts twice
    assert only["against"] == {
        "reference": str(reference.path), "counting": "uwfq-micro", "left_out": 1, "cut_otherwise": 0,
        "jobs": {"compared": 6, "dvr": 1.5, "violations": 2, "dsr": 0.25, "slack": 4, "worst": 1.5},
        "users": {"compared": 2, "dvr": 1.5, "violations": 1, "dsr": pytest.approx(1 / 3),
                  "slack": 1, "worst": 1.5},
    }
    bob = {each["user"]: each for each in only["users"]}["bob"]
    assert (bob["jobs_submitted"], bob["jobs_finished"], bob["response_change"]) == (2, 1, 1.5)
    assert bob["against"] == {"compared": 1, "dvr": 1.5, "violations": 1, "dsr": None, "slack": 0,
                              "worst": 1.5}


def test_of_several_logs_a_users_lines_stand_below_each_other(pair, capsys):
    assert main(["summary", *(str(each.path) for each in pair), "--per-user"]) == 0
    users = capsys.readouterr().out.split("\n\n")[-1]
    lines = [line.split() for line in users.splitlines()]
    assert lines[0][:2] == ["user", "run"] and all(len(line) < 100 for line in users.splitlines())
    first = next(at for at, line in enumerate(lines) if line[0] == "ann")
    assert [lines[first][1], lines[first + 1][0]] == ["uwfq", "ujf"]


def test_of_many_users_those_with_the_most_work_are_shown(make, capsys):
    crowd = [Job(0, 1, user=place, slot_time=place) for place in range(PARTS_SHOWN + 2)]
    assert main(["summary", str(make("fair", crowd).path), "--per-user"]) == 0
    text = capsys.readouterr().out
    assert f"user-{PARTS_SHOWN + 1}" in text and "user-1 " not in text
    assert text.endswith("and 2 more users\n")


def test_counting_needs_a_reference(pair, capsys):
    assert main(["summary", str(pair[0].path), "--counting", "jobs"]) == 2
    assert "--against" in capsys.readouterr().err


def test_a_reference_with_other_jobs_is_the_users_mistake(make, capsys):
    logs = [make("fair", [Job(0, 1)]), make("ujf", [Job(0, 1), Job(0, 1)])]
    assert main(["summary", str(logs[0].path), "--against", str(logs[1].path)]) == 2
    assert "other jobs" in capsys.readouterr().err


def test_another_partitioning_is_noted(make, capsys):
    logs = [make(name, [Job(0, 4, tasks=tasks)]) for name, tasks in (("fair", 1), ("ujf", 8))]
    assert fairness.cut_otherwise(*logs) == 1
    assert main(["summary", str(logs[0].path), "--against", str(logs[1].path)]) == 0
    assert "NOTE: fair: 1 jobs have another number of tasks than in ujf" in capsys.readouterr().out
