import argparse
import textwrap
from pathlib import Path

from somnus.analysis.base import output
from somnus.analysis.figures import files, style
from somnus.analysis.figures.drawable import BY, Options, Window
from somnus.analysis.metrics.intervals import ERRORS
from somnus.analysis.metrics.policies import Policy, by_policy
from somnus.analysis.reading.log import load_all
from somnus.analysis.commands import Command, add_force, add_output, print_files


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "\n".join(["figures:", *(
        textwrap.fill(each.help, 80, initial_indent=f"  {each.name:13} ", subsequent_indent=" " * 16)
        for each in files.FIGURES)])
    parser.add_argument("name", metavar="NAME", help="one of those below")
    add_figure_options(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE",
                        help=f"NAME.pdf if not given; .{', .'.join(files.FORMATS)}")
    add_output(parser)
    add_force(parser)


def add_figure_options(parser: argparse.ArgumentParser) -> None:
    """Which logs, and how their figures look."""
    parser.add_argument("logs", nargs="+", type=Path, metavar="LOG",
                        help="logs of one label that differ in their seed are one line")
    add_width(parser)
    parser.add_argument("--label", nargs="+", default=[], type=_renaming, metavar="NAME=TEXT",
                        help="what to call a line instead")
    parser.add_argument("--order", nargs="+", default=[], metavar="NAME", help="lines that come first")
    parser.add_argument("--error", choices=ERRORS, default="seeds",
                        help="what error bars span: the 95 %% confidence interval over seeds, one "
                             "standard deviation, or nothing")
    parser.add_argument("--title", default="")
    parser.add_argument("--against", nargs="+", default=[], type=Path, metavar="LOG",
                        help="reference runs of the same jobs, one, or one a seed")
    parser.add_argument("--by", choices=BY, default="job", help="whose shares; of figure shares")
    parser.add_argument("--nodes", nargs="+", type=int, metavar="N", help="these; of figures gantt and rectangles")
    parser.add_argument("--from", dest="begin", type=float, metavar="S", help="of the same")
    parser.add_argument("--to", dest="end", type=float, metavar="S", help="of the same")


def add_width(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--width", choices=style.WIDTHS, default="column",
                        help="of a paper's column, 3.3 inches, or of its page, 7 inches")


def _renaming(text: str) -> tuple[str, str]:
    name, equals, label = text.partition("=")
    if not equals or not label:
        raise argparse.ArgumentTypeError(f"'{text}': expected NAME=TEXT")
    return name, label


def policies_of(options: argparse.Namespace) -> list[Policy]:
    return by_policy(load_all(options.logs), dict(options.label), options.order)


def drawing_options(options: argparse.Namespace) -> Options:
    return Options(style.Look(options.width, options.error, options.title), options.by,
                   load_all(options.against), Window(options.nodes, options.begin, options.end))


def figure(options: argparse.Namespace) -> int:
    file = options.output or Path(f"{options.name}.pdf")
    inputs = [*options.logs, *options.against]
    output.require_allowed(file, inputs, options.force, files.OWN)
    drawing = files.draw(options.name, policies_of(options), drawing_options(options))
    return print_files(options, [files.save(drawing, file, inputs=inputs, force=options.force)])


COMMAND = Command("figure", "draw one figure, as it will be printed", add_options, figure)
