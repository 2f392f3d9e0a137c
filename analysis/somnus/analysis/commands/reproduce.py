import argparse
import json
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from functools import partial
from importlib import import_module
from io import StringIO

from somnus.analysis import papers
from somnus.analysis.base.modules import modules_of
from somnus.analysis.papers import common
from somnus.analysis.papers.common import everything
from somnus.analysis.commands import Command, add_output

PAPERS = tuple(import_module(f"{room.__name__}.experiments").PAPER
               for room in modules_of(papers) if room is not common)


def add_options(parser: argparse.ArgumentParser) -> None:
    names = parser.add_subparsers(required=True, metavar="PAPER")
    for paper in PAPERS:
        command = names.add_parser(paper.name, help=paper.about.splitlines()[0])
        paper.add_arguments(command)
        _add_output(command)
        command.set_defaults(run=paper.run, saved=lambda options: everything.measured(options.out))
    command = names.add_parser(everything.NAME, help=everything.ABOUT.splitlines()[0])
    everything.add_arguments(command)
    _add_output(command)
    command.set_defaults(run=partial(everything.run, PAPERS), saved=partial(everything.saved, PAPERS))


def _add_output(parser: argparse.ArgumentParser) -> None:
    add_output(parser)
    parser.add_argument("--all", action="store_true", help="also print each figure's numbers, claims and reasons")
    parser.add_argument("--force", action="store_true", help="replace a page also if this command did not write it")


def reproduce(options: argparse.Namespace) -> int:
    if not (options.quiet or options.json):
        return options.run(options)
    with ExitStack() as silence:
        silence.enter_context(redirect_stdout(StringIO()))
        if options.quiet:
            silence.enter_context(redirect_stderr(StringIO()))
        code = options.run(options)
    if options.json:
        print(json.dumps(options.saved(options), indent=2, ensure_ascii=False))
    return code


COMMAND = Command("reproduce", "run a paper's figures again and compare", add_options, reproduce)
