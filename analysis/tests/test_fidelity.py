"""The table of all presets: what is asked of the program, and what is made of its answers."""

import json
import stat
from pathlib import Path

import pytest

from somnus_analysis.__main__ import main
from somnus_analysis.experiments import fidelity

# Writes down how it was called, and answers as `calibrate --json` and `compare --json` do.
FAKE = """#!/usr/bin/python3
import json, sys
from pathlib import Path
words = sys.argv[1:]
with open(Path(__file__).parent / "calls", "a") as calls:
    calls.write(" ".join(words) + "\\n")
answers = json.loads((Path(__file__).parent / "answers").read_text())
if words[0] == "run":
    print("[{}]")
if words[0] == "calibrate":
    print(json.dumps({"safe_speed": answers["safe_speed"]}))
if words[0] == "compare":
    print(json.dumps({"figures": answers["figures"]}))
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
                                                      "figures": figures}))
        return program
    return answer


def calls_of(program: Path) -> list[list[str]]:
    return [line.split() for line in (program.parent / "calls").read_text().splitlines()]


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


def test_where_no_speed_is_safe_the_row_says_so(fake, capsys):
    main(["fidelity", "fair", "--somnus", str(fake(None, figure("response_mean_s", 0, 0)))])
    assert "0.5, not safe" in capsys.readouterr().out


def test_an_unknown_preset_is_the_users_mistake(fake, capsys):
    assert main(["fidelity", "fare", "--somnus", str(fake(1))]) == 2
    assert "no preset fare; there are fifo, fair" in capsys.readouterr().err


def test_presets_are_found_by_their_config():
    """Whether these are all the program knows, tests/program/compare_test.py asks it."""
    for config, presets in fidelity.PRESETS.items():
        assert (fidelity.CONFIGS / f"{config}.toml").is_file()
        assert {fidelity.config_of(preset) for preset in presets} == {config}
