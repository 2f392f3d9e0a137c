import json

import numpy as np
import pytest

from somnus.analysis.__main__ import main
from somnus.analysis.base.errors import UserError
from somnus.analysis.figures import curves as curve_figures
from somnus.analysis.metrics import curves

# FALLS is what `somnus profile` printed of a job whose cold slots cost more than they bring.
FALLS = {"job": "falls", "slots": [1, 2, 4, 8, 16, 32],
         "time_s": [776.258064, 414.967742, 231.999998, 148.559139, 106.580646, 120.0],
         "curve": [0.31629253336795154, 0.017815282021541267,
                   7.072306784467716, 0.0], "error": 0.09714788118360618}
SMOOTH = {"job": "smooth", "slots": [1, 2, 4], "time_s": [40, 20, 10], "curve": [0, 0, 4, 0],
          "error": 0}


def write(path, *jobs):
    path.write_text(json.dumps({"workload": "test", "jobs": jobs}))
    return path


@pytest.fixture
def path(tmp_path):
    return write(tmp_path / "profile.json", FALLS, SMOOTH)


def test_progress_is_the_least_time_over_that_on_so_many_slots(path):
    falls, smooth = curves.read(path)
    assert smooth.simulated.tolist() == smooth.fitted()[[0, 1, 3]].tolist() == [0.25, 0.5, 1]
    assert falls.simulated[4] == 1 and 0.88 < falls.simulated[5] < 0.89


def test_the_concave_curve_is_as_far_off_as_the_program_says(path):
    for profile in curves.read(path):
        off = np.abs(profile.concave()[profile.slots] / profile.simulated - 1)
        assert off.max() == pytest.approx(profile.error, abs=1e-9)


def test_fitted_is_ernests_form_on_each_number_of_slots():
    one = curves.Profile("one", np.array([1, 10]), np.array([2.0, 1.0]),
                         np.array([0.2, 0.03, 2.2, 0.05]), 0.0)
    assert len(one.fitted()) == 10
    assert one.fitted()[0] == pytest.approx(1 / 2.43)
    assert one.fitted()[9] == pytest.approx(1 / (0.2 + 0.3 + 0.22 + 0.05 * np.log(10)))


def test_the_schedulers_curve_is_concave_never_falls_and_lies_above_up_to_1(path):
    for profile in curves.read(path):
        concave, fitted = profile.concave(), np.minimum(profile.fitted(), 1)
        assert concave[0] == 0 and len(concave) == len(fitted) + 1
        gains = np.diff(concave)
        assert (gains >= -1e-12).all() and (np.diff(gains) <= 1e-12).all()
        assert (concave[1:] >= fitted - 1e-12).all() and concave.max() == pytest.approx(fitted.max())


def test_the_concave_curve_stays_where_the_fitted_curve_falls():
    bent = curves.Profile("bent", np.array([1, 4]), np.array([1.0, 2.0]), np.array([1.0, 1, 0, 0]), 0.0)
    assert bent.fitted().tolist() == pytest.approx([1 / 2, 1 / 3, 1 / 4, 1 / 5])
    assert bent.concave().tolist() == [0, 0.5, 0.5, 0.5, 0.5]


def test_the_figure_has_a_panel_a_job(path):
    figure = curve_figures.of_jobs(curves.read(path))
    shown = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title(loc="left") for axes in shown] == [
        "job falls, error 9.7 %", "job smooth, error 0.0 %"]
    lines = {line.get_label(): line for line in shown[1].lines}
    assert list(lines) == ["the scheduler's estimate", "fitted", "simulated"]
    assert lines["simulated"].get_xdata().tolist() == [1, 2, 4]
    assert lines["the scheduler's estimate"].get_ydata().tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert lines["fitted"].get_xdata().tolist() == [1, 2, 3, 4]
    low, high = shown[0].get_ylim()
    assert low == 0 and high >= max(each.fitted().max() for each in curves.read(path))
    assert [text.get_text() for text in figure.texts] == ["slots", "progress rate"]


def test_of_many_jobs_those_are_drawn_that_show_how_fits_spread(tmp_path):
    jobs = [{**SMOOTH, "job": str(place), "error": (place * 37 % 100) / 100} for place in range(100)]
    profiles = curves.read(write(tmp_path / "many.json", *jobs))
    some = curves.spread(profiles)
    assert [each.error for each in some] == [0, 0.09, 0.18, 0.27, 0.36, 0.45, 0.54, 0.63, 0.72, 0.81,
                                             0.9, 0.99]
    figure = curve_figures.of_jobs(some, len(profiles))
    assert figure.texts[0].get_text() == (
        "slots   (12 of 100 jobs, evenly from the best fit to the worst)")
    assert curves.words(profiles) == (
        "100 jobs have a curve; error of its progress: median 49.5 %, largest 99.0 %, 27")
    assert curves.spread(profiles[:12]) == profiles[:12]


def test_the_command_draws_all_or_those_that_are_named(path, tmp_path, capsys):
    assert main(["curves", str(path), "-o", str(tmp_path / "all")]) == 0
    assert (tmp_path / "all" / "curves.png").stat().st_size > 0
    printed = capsys.readouterr().out.splitlines()
    assert printed == [str(tmp_path / "all" / "curves.png"),
                    "2 jobs have a curve; error of its progress: median 4.9 %, largest 9.7 %, falls"]
    assert main(["curves", str(path), "--job", "smooth", "-o", str(tmp_path), "--format", "svg"]) == 0
    assert "job smooth" in (tmp_path / "curves.svg").read_text()
    assert "job falls" not in (tmp_path / "curves.svg").read_text()
    assert main(["curves", str(path), "--job", "smoth"]) == 2
    assert capsys.readouterr().err == (
        "somnus analysis: --job: expected a job with a curve, found 'smoth'; did you mean 'smooth'?\n")


EXPECTED = "expected what `somnus profile --json` prints, found "


@pytest.mark.parametrize(("text", "why"), [
    ("[cluster]", EXPECTED + "something else"),
    ("[]", EXPECTED + "something else"),
    ('{"jobs": [{"job": "a", "slots": [1]}]}', EXPECTED + "no 'time_s'"),
    ('{"jobs": [{"job": "a", "slots": [1], "time_s": [2], "curve": [1, 2, 3], "error": 0}]}',
     EXPECTED + "a job 'a' of 1 slots, 1 times and 3 coefficients"),
    ('{"jobs": [{"job": "a", "slots": [2, 1], "time_s": [2, 3], "curve": [1, 2, 3, 4], "error": 0}]}',
     EXPECTED + "a job 'a' whose slots do not grow from 1, or without a time"),
    ('{"jobs": [{"job": "a", "slots": [1' + 400 * "0" + '], "time_s": [2], "curve": [1, 2, 3, 4], "error": 0}]}',
     EXPECTED + "something else"),
    ('{"jobs": []}', "no job has a curve"),
])
def test_what_is_no_profile_is_refused_with_the_reason(tmp_path, text, why):
    path = tmp_path / "profile.json"
    path.write_text(text)
    with pytest.raises(UserError) as error:
        curves.read(path)
    assert str(error.value) == f"{path}: {why}"


def test_a_file_that_is_not_there_is_the_users_mistake(tmp_path, capsys):
    assert main(["curves", str(tmp_path / "none.json")]) == 2
    assert "there is no such file" in capsys.readouterr().err
