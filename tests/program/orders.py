"""Orders that are processes: how a config names one, and one that does something odd."""

import os
import subprocess
import sys
from pathlib import Path

from somnus_program import expect, program

ROOT = Path(__file__).resolve().parents[2]


def external(script: Path, more: str = "") -> str:
    return f'order = "external"\n[scheduler.external]\ncommand = ["{sys.executable}", "{script}"]\n{more}\n'


def begins(rest: str) -> str:
    """A process that says what it is, and then does `rest` for each question."""
    return f"""
import os, signal, sys, time
def say(text):
    print(text, flush=True)
sys.stdin.readline()
say('{{"protocol": 1, "name": "odd", "events": ["submitted"]}}')
for line in sys.stdin:
    {rest}
"""


def python(folder: Path, script: str, stderr: int = subprocess.PIPE) -> str:
    """A notebook, or a script, of somebody who has the package. What it printed on standard error."""
    done = subprocess.run([sys.executable, "-B", "-c", script], cwd=folder, stdout=subprocess.PIPE, stderr=stderr,
                          text=True, env={**os.environ, "SOMNUS": program(), "PYTHONPATH": str(ROOT / "analysis")})
    expect(done.returncode == 0, f"{done.stdout}{done.stderr}")
    return done.stderr
