import argparse
from importlib import import_module

from somnus_analysis import papers
from somnus_analysis.base.modules import modules_of
from somnus_analysis.papers import common
from somnus_analysis.commands import Command

PAPERS = tuple(import_module(f"{room.__name__}.experiments").PAPER
               for room in modules_of(papers) if room is not common)


def add_options(parser: argparse.ArgumentParser) -> None:
    names = parser.add_subparsers(required=True, metavar="PAPER")
    for paper in PAPERS:
        command = names.add_parser(paper.name, help=paper.about.splitlines()[0])
        paper.add_arguments(command)
        command.set_defaults(paper=paper)


def reproduce(options: argparse.Namespace) -> int:
    return options.paper.run(options)


COMMAND = Command("reproduce", "run a paper's figures again and compare", add_options, reproduce)
