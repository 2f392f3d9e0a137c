"""The table of all presets: what is asked of the program, and what is made of its answers."""

import json
import stat
from pathlib import Path

import pytest

from somnus.analysis.__main__ import main
from somnus.analysis.experiments import fidelity

# Writes down how it was called, and answers as `policies`, `calibrate` and `compare` do with --json.
FAKE = """#!/usr/bin/python3
import json, sys
from pathlib import Path
words = sys.argv[1:]
with open(Path(__file__).parent / "calls", "a") as calls:
    calls.write(" ".join(words) + "\\n")
answers = json.loads((Path(__file__).parent / "answers").read_text())
if words[0] == "run":
    print("[{}]")
if words[0] == "policies":
    print(json.dumps({"presets": answers["presets"]}))
if words[0] == "calibrate":
    print(json.dumps({"safe_speed": answers["safe_speed"]}))
if words[0] == "compare":
    words = {each["verdict"] for each in answers["figures"]}
    worst = next(word for word in ("error", "late", "faithful") if word in words)
    print(json.dumps({"figures": answers["figures"], "verdict": worst}))
    sys.exit(1)
"""


def figure(name, difference, sensitivity, verdict="faithful"):
    return {"figure": name, "difference": difference, "sensitivity": sensitivity,
            "verdict": verdict}


@pytest.fixture
def fake(tmp_path):
    program = tmp_path / "somnus"
    program.write_text(FAKE)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)

    def answer(safe_speed, *figures):
        (tmp_path / "answers").write_text(json.dumps({"safe_speed": safe_speed,
                                                      "figures": figures, "presets": PRESETS}))
        return program
    return answer


def preset(name, partitioner="by-size", within="as-numbered", whole="", job_manager=()):
    return {"name": name, "partitioner": partitioner, "within": within, "whole": whole, "needs_limits": False,
            "settings": {"job_manager": dict(job_manager)}}


PRESETS = [preset("fifo"), preset("fair"), preset("yaq-c", job_manager={"launch_s": "1"})]


def calls_of(program: Path) -> list[list[str]]:
    """All but that which asks what presets there are."""
    lines = (program.parent / "calls").read_text().splitlines()
    return [words for words in map(str.split, lines) if words[0] != "policies"]


def test_a_preset_runs_at_its_safe_speed_and_is_compared(fake, capsys):
    program = fake(12.5, figure("response_mean_s", 0.004, 0.1), figure("makespan_s", 0, 0))
    assert main(["fidelity", "yaq-c", "--somnus", str(program)]) == 0
    calibrate, run, compare = calls_of(program)
    assert calibrate[0] == "calibrate" and calibrate[1].endswith("configs/fidelity/queries.toml")
    assert "scheduler.policy=yaq-c" in calibrate
    assert run[:3] == ["run", "--speed", "12.5"]
    assert compare[1] == run[run.index("--log") + 1]
    assert "| `yaq-c` | queries | 12.5 | +0.40 (10.00) |" in capsys.readouterr().out


def test_a_speed_for_all_needs_no_calibration(fake, capsys):
    program = fake(None, figure("response_p95_s", 0.5, 0.01, "late"),
                   figure("slowdown_p50", 0.5, 0.01, "error"))
    assert main(["fidelity", "fair", "--speed", "20", "--somnus", str(program)]) == 1
    assert [call[0] for call in calls_of(program)] == ["run", "compare"]
    assert capsys.readouterr().out.rstrip().endswith("| error: slowdown_p50 |")


def test_only_what_is_not_faithful_is_said_when_quiet(fake, capsys):
    assert main(["fidelity", "fair", "-q", "--somnus", str(fake(9, figure("makespan_s", 0, 0)))]) == 0
    assert capsys.readouterr().out == ""
    wrong = str(fake(9, figure("makespan_s", 1, 0, "error")))
    assert main(["fidelity", "fair", "-q", "--somnus", wrong]) == 1
    assert "error: makespan_s" in capsys.readouterr().out
    assert main(["fidelity", "fair", "--json", "--somnus", wrong]) == 1
    [measured] = json.loads(capsys.readouterr().out)
    assert measured["preset"] == "fair" and measured["verdict"] == "error: makespan_s"


def test_where_no_speed_is_safe_the_row_says_so(fake, capsys):
    main(["fidelity", "fair", "--somnus", str(fake(None, figure("response_mean_s", 0, 0)))])
    assert "0.5, not safe" in capsys.readouterr().out


def test_an_unknown_preset_is_the_users_mistake(fake, capsys):
    assert main(["fidelity", "fare", "--somnus", str(fake(1))]) == 2
    assert "no preset fare; there are fifo, fair" in capsys.readouterr().err


def test_a_preset_runs_on_the_config_that_suits_it():
    for config, described in {
            "slots": preset("cfq"), "divisible": preset("cfq-p", partitioner="by-runtime"),
            "queries": preset("yarn", job_manager={"poll_s": "1"}),
            "resources": preset("tetris", whole="tetris")}.items():
        assert fidelity.config_of(described) == config
    assert fidelity.config_of(preset("drf", within="breadth-first")) == "resources"
