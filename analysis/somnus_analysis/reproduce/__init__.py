"""Papers whose figures can be run again. Adding one: a module like cfq.py and a row in PAPERS."""

from __future__ import annotations

import argparse

from somnus_analysis.reproduce.carbyne import CARBYNE
from somnus_analysis.reproduce.cfq import CFQ
from somnus_analysis.reproduce.paf import PAF
from somnus_analysis.reproduce.program import ProgramError
from somnus_analysis.reproduce.uwfq import UWFQ
from somnus_analysis.reproduce.yaq import YAQ

__all__ = ["ProgramError", "add_papers"]

PAPERS = (CARBYNE, CFQ, PAF, UWFQ, YAQ)


def add_papers(commands: argparse._SubParsersAction) -> None:
    """One sub-command a paper; each sets `command`, a function from options to the exit code."""
    for paper in PAPERS:
        parser = commands.add_parser(paper.name, help=paper.about.splitlines()[0])
        paper.add_arguments(parser)
        parser.set_defaults(command=paper.run)
