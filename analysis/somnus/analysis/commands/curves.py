import argparse
from pathlib import Path

from somnus.analysis.figures import files
from somnus.analysis.figures import curves as figures
from somnus.analysis.metrics import curves
from somnus.analysis.commands import Command, add_folder, print_files


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("profile", type=Path, metavar="PROFILE", help="what it printed")
    parser.add_argument("--job", nargs="+", metavar="NAME",
                        help=f"these; else all, or {curves.MOST} of more, from best to worst fit")
    add_folder(parser)


def draw(options: argparse.Namespace) -> int:
    profiles = curves.read(options.profile)
    chosen = curves.named(profiles, options.job) if options.job else curves.spread(profiles)
    drawing = figures.of_jobs(chosen, None if options.job else len(profiles))
    file = files.save(drawing, options.output / f"curves.{options.format}", inputs=[options.profile],
                      force=options.force)
    code = print_files(options, [file])
    if not (options.json or options.quiet):
        print(curves.words(profiles))
    return code


COMMAND = Command("curves", "draw what `somnus profile --json` found of jobs", add_options, draw)
