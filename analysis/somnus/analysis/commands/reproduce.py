import argparse
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO

from somnus.analysis import papers
from somnus.analysis.base.modules import modules_of
from somnus.analysis.papers import common
from somnus.analysis.commands import Command, add_output

PAPERS = tuple(import_module(f"{room.__name__}.experiments").PAPER
               for room in modules_of(papers) if room is not common)


def add_options(parser: argparse.ArgumentParser) -> None:
    names = parser.add_subparsers(required=True, metavar="PAPER")
    for paper in PAPERS:
        command = names.add_parser(paper.name, help=paper.about.splitlines()[0])
        paper.add_arguments(command)
        add_output(command)
        command.set_defaults(paper=paper)


def reproduce(options: argparse.Namespace) -> int:
    if not (options.quiet or options.json):
        return options.paper.run(options)
    with ExitStack() as silence:
        silence.enter_context(redirect_stdout(StringIO()))
        if options.quiet:
            silence.enter_context(redirect_stderr(StringIO()))
        code = options.paper.run(options)
    if options.json:
        print((options.out / "measured.json").read_text(encoding="utf-8"), end="")
    return code


COMMAND = Command("reproduce", "run a paper's figures again and compare", add_options, reproduce)
