"""Whole policies that are processes: how a config names one, and the first that fits, in Python."""

import sys
from pathlib import Path

FIRST_FIT = """
import somnus
class FirstFit(somnus.Policy):
    def plan(self, now):
        for stage in self.waiting():
            if not self.any_ready:
                return
            if stage.gang:
                nodes = self.nodes_for_gang(stage)
                if nodes:
                    self.place_gang(stage, nodes)
            else:
                while stage.runnable and (node := self.first_with_room(stage)):
                    self.place(stage, node)
somnus.serve(FirstFit())
"""


def table(script: Path, more: str = "") -> str:
    return f'[scheduler.external]\ncommand = ["{sys.executable}", "{script}"]\n{more}\n'


def answers(rest: str, events: str = '["job_arrived", "stage_runnable", "task_ended", "node_changed"]',
            about: str = "") -> str:
    """A process that says what it is, and then does `rest` for each question, the `at`-th from 0."""
    return f"""
import json, os, signal, sys, time
def say(text):
    print(text, flush=True)
sys.stdin.readline()
say('{{"protocol": 1, "level": "policy", "name": "odd", "events": {events}{about}}}')
for at, line in enumerate(sys.stdin):
    said = json.loads(line)
    {rest}
"""
