"""Orders that are processes: how a config names one, and one that does something odd."""

import sys
from pathlib import Path


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
