"""Papers whose figures can be run again. Adding one: a module like cfq.py and a row in PAPERS."""

from __future__ import annotations

import argparse

from somnus_analysis.reproduce import carbyne, cfq, paf, uwfq, yaq
from somnus_analysis.reproduce.program import ProgramError

__all__ = ["ProgramError", "add_papers"]

PAPERS = {"carbyne": carbyne, "cfq": cfq, "paf": paf, "uwfq": uwfq, "yaq": yaq}


def add_papers(commands: argparse._SubParsersAction) -> None:
    """One sub-command a paper; each sets `command`, a function from options to the exit code."""
    for name, paper in PAPERS.items():
        parser = commands.add_parser(name, help=str(paper.__doc__).splitlines()[0])
        paper.add_arguments(parser)
        parser.set_defaults(command=paper.run)
