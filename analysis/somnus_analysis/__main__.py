"""python3 -m somnus_analysis COMMAND: tables and figures from the logs of Somnus.

Exit codes as of the program itself: 0 fine; 1 a check found a difference; 2 the user's mistake;
3 the world failed; 4 our own mistake.
"""

from __future__ import annotations

import argparse
import sys
import traceback
import warnings
from pathlib import Path

from somnus_analysis import (
    curve_figures,
    curves,
    experiment,
    experiment_figures,
    fidelity,
    figures,
    output,
    reproduce,
    style,
)
from somnus_analysis.experiment_layout import arrange
from somnus_analysis.fairness import COUNTINGS
from somnus_analysis.figure_list import FIGURES
from somnus_analysis.log import Log, LogError, load
from somnus_analysis.log_figures import BY, Options
from somnus_analysis.policies import ERRORS, Policy, by_policy
from somnus_analysis.progress import progress_table
from somnus_analysis.report import command as report
from somnus_analysis.reproduce.program import Somnus, find_program
from somnus_analysis.slot_figures import Window
from somnus_analysis.summary import Reference, queue_table, summary_json, summary_table, user_table


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    warnings.showwarning = _say
    try:
        return options.command(options)
    except LogError as error:
        print(f"somnus_analysis: {error}", file=sys.stderr)
        return 2
    except reproduce.ProgramError as error:
        print(f"somnus_analysis: {error}", file=sys.stderr)
        return error.exit_code
    except OSError as error:
        print(f"somnus_analysis: {error}", file=sys.stderr)
        return 3
    except MemoryError as error:
        print(f"somnus_analysis: not enough memory ({error}); fewer logs at a time need less",
              file=sys.stderr)
        return 3
    except Exception as error:
        traceback.print_exc()
        print(f"somnus_analysis: our mistake: {type(error).__name__}: {error}\nPlease report it, with the "
              "command line.", file=sys.stderr)
        return 4


def plot(options: argparse.Namespace) -> int:
    drawn = figures.draw_all(_policies(options), options.output, options.format, _how(options),
                             options.force)
    for path in drawn:
        print(path)
    return 0


def figure(options: argparse.Namespace) -> int:
    file = options.output or Path(f"{options.name}.pdf")
    inputs = [*options.logs, *options.against]
    output.require_allowed(file, inputs, options.force, figures.OWN)
    drawing = figures.draw(options.name, _policies(options), _how(options))
    print(figures.save(drawing, file, inputs=inputs, force=options.force))
    return 0


def summary(options: argparse.Namespace) -> int:
    if options.counting and not options.against:
        print("somnus_analysis: --counting is of --against; name a reference", file=sys.stderr)
        return 2
    logs = _load(options.logs)
    reference = None
    if options.against:
        reference = Reference(load(options.against), options.counting or "jobs")
    if options.json:
        print(summary_json(logs, reference))
        return 0
    print(summary_table(logs, reference))
    if options.per_user:
        print(f"\n{user_table(logs, reference)}")
    if options.per_queue:
        print(f"\n{queue_table(logs)}")
    return 0


def progress(options: argparse.Namespace) -> int:
    print(progress_table(load(options.log), load(options.against) if options.against else None))
    return 0


def draw_curves(options: argparse.Namespace) -> int:
    profiles = curves.read(options.profile)
    chosen = curves.named(profiles, options.job) if options.job else curves.spread(profiles)
    drawing = curve_figures.of_jobs(chosen, None if options.job else len(profiles))
    print(figures.save(drawing, options.output / f"curves.{options.format}",
                       inputs=[options.profile], force=options.force))
    print(curves.words(profiles))
    return 0


def draw_experiment(options: argparse.Namespace) -> int:
    found = experiment.read(options.folder)
    for key, *values in options.only:
        found = found.only(key, values)
    metrics = found.chosen(options.metric)
    layout = arrange(found, options.x)
    for metric in metrics:
        drawn = experiment_figures.draw(found, layout, metric, options.width)
        for name, drawing in drawn.items():
            path = options.output / f"{name}.{options.format}"
            print(figures.save(drawing, path, inputs=[options.folder / "summary.csv"],
                               force=options.force))
    return 0


def measure_fidelity(options: argparse.Namespace) -> int:
    known = [preset for presets in fidelity.PRESETS.values() for preset in presets]
    if unknown := [preset for preset in options.presets if preset not in known]:
        print(f"somnus_analysis: no preset {', '.join(unknown)}; there are {', '.join(known)}",
              file=sys.stderr)
        return 2
    somnus = Somnus(find_program(options.somnus))
    print(fidelity.heads())
    all_faithful = True
    for one in fidelity.measure(somnus, options.presets or known, options.speed):
        print(fidelity.row(one), flush=True)
        all_faithful = all_faithful and one.verdict == "faithful"
    return 0 if all_faithful else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="somnus_analysis", description="Tables and figures from the logs of Somnus."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("plot", help="draw every figure that suits the logs")
    _add_figure_options(command)
    command.add_argument("-o", "--output", type=Path, default=Path("."), metavar="DIR")
    command.add_argument("--format", choices=figures.FORMATS, default="png")
    _add_force(command)
    command.set_defaults(command=plot)

    command = commands.add_parser(
        "figure", help="draw one figure, as it will be printed",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="figures:\n" + "\n".join(f"  {each.name:13} {each.help}" for each in FIGURES))
    command.add_argument("name", metavar="NAME", help="one of those below")
    _add_figure_options(command)
    command.add_argument("-o", "--output", type=Path, metavar="FILE",
                         help=f"NAME.pdf if not given; .{', .'.join(figures.FORMATS)}")
    _add_force(command)
    command.set_defaults(command=figure)

    command = commands.add_parser("summary", help="closing tables side by side")
    command.add_argument("logs", nargs="+", type=Path, metavar="LOG")
    command.add_argument("--json", action="store_true", help="for machines")
    command.add_argument("--per-user", action="store_true", help="also one line a user")
    command.add_argument("--per-queue", action="store_true",
                         help="also one line a named queue: its jobs, and how queues share the slots")
    command.add_argument("--against", type=Path, metavar="LOG",
                         help="DVR and DSR against this run, e.g. one under ujf")
    command.add_argument("--counting", choices=COUNTINGS,
                         help="how often a job counts there; those of the UWFQ paper's tables")
    command.set_defaults(command=summary)

    command = commands.add_parser("progress", help="progress rates; of PAF what jobs gave and took")
    command.add_argument("log", type=Path, metavar="LOG")
    command.add_argument("--against", type=Path, metavar="LOG",
                         help="a run of the same jobs by fair shares: what was realised of promises")
    command.set_defaults(command=progress)

    command = commands.add_parser("curves", help="draw what `somnus profile --json` found of jobs")
    command.add_argument("profile", type=Path, metavar="PROFILE", help="what it printed")
    command.add_argument("-o", "--output", type=Path, default=Path("."), metavar="DIR")
    command.add_argument("--format", choices=figures.FORMATS, default="png")
    command.add_argument("--job", nargs="+", metavar="NAME",
                         help=f"these; else all, or {curves.MOST} of more, from best to worst fit")
    _add_force(command)
    command.set_defaults(command=draw_curves)

    command = commands.add_parser("experiment", help="draw what `somnus experiment` found, with "
                                                     "95 %% intervals and differences to the baseline")
    command.add_argument("folder", type=Path, metavar="FOLDER", help="which it wrote")
    command.add_argument("-o", "--output", type=Path, default=Path("."), metavar="DIR")
    command.add_argument("--metric", nargs="+", metavar="NAME",
                         help=f"these, by their names in summary.csv; else "
                              f"{', '.join(experiment.USUAL)}")
    command.add_argument("--x", metavar="KEY", help="the axis along x; else the numeric one with "
                                                    "the most values")
    command.add_argument("--only", nargs="+", action="append", default=[], metavar=("KEY", "VALUE"),
                         help="of that axis only these values; may be given again")
    command.add_argument("--width", choices=style.WIDTHS, default="column",
                         help="of a paper's column, 3.3 inches, or of its page, 7 inches")
    command.add_argument("--format", choices=figures.FORMATS, default="png")
    _add_force(command)
    command.set_defaults(command=draw_experiment)

    command = commands.add_parser("fidelity", help="every preset emulated at its safe speed, beside "
                                                   "its simulation: the table of docs/fidelity.md")
    command.add_argument("presets", nargs="*", metavar="PRESET", help="these; else all")
    command.add_argument("--speed", type=float, help="of all runs, instead of what calibrate says")
    command.add_argument("--somnus", type=Path, metavar="PROGRAM")
    command.set_defaults(command=measure_fidelity)

    report.add_to(commands)

    command = commands.add_parser("reproduce", help="run a paper's figures again and compare")
    reproduce.add_papers(command.add_subparsers(required=True, metavar="PAPER"))
    return parser


def _add_figure_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("logs", nargs="+", type=Path, metavar="LOG",
                         help="logs of one label that differ in their seed are one line")
    command.add_argument("--width", choices=style.WIDTHS, default="column",
                         help="of a paper's column, 3.3 inches, or of its page, 7 inches")
    command.add_argument("--label", nargs="+", default=[], type=_renaming, metavar="NAME=TEXT",
                         help="what to call a line instead")
    command.add_argument("--order", nargs="+", default=[], metavar="NAME",
                         help="lines that come first")
    command.add_argument("--error", choices=ERRORS, default="seeds",
                         help="what error bars span: the 95 %% confidence interval over seeds, one "
                              "standard deviation, or nothing")
    command.add_argument("--title", default="")
    command.add_argument("--against", nargs="+", default=[], type=Path, metavar="LOG",
                         help="reference runs of the same jobs, one, or one a seed")
    command.add_argument("--by", choices=BY, default="job", help="whose shares; of figure shares")
    command.add_argument("--nodes", nargs="+", type=int, metavar="N", help="these; of figure gantt")
    command.add_argument("--from", dest="begin", type=float, metavar="S", help="of figure gantt")
    command.add_argument("--to", dest="end", type=float, metavar="S", help="of figure gantt")


def _add_force(command: argparse.ArgumentParser) -> None:
    command.add_argument("--force", action="store_true",
                         help="replace what is there already, also if it is no figure of this program")


def _renaming(text: str) -> tuple[str, str]:
    name, equals, label = text.partition("=")
    if not equals or not label:
        raise argparse.ArgumentTypeError(f"'{text}': expected NAME=TEXT")
    return name, label


def _policies(options: argparse.Namespace) -> list[Policy]:
    return by_policy(_load(options.logs), dict(options.label), options.order)


def _how(options: argparse.Namespace) -> Options:
    return Options(style.Look(options.width, options.error, options.title), options.by,
                   _load(options.against), Window(options.nodes, options.begin, options.end))


def _load(paths: list[Path]) -> list[Log]:
    """Raises LogError, with a line for each that can't be read."""
    logs, mistakes = [], []
    for path in paths:
        try:
            logs.append(load(path))
        except LogError as error:
            mistakes.append(str(error))
    if mistakes:
        raise LogError("\n".join(mistakes))
    return logs


def _say(message: Warning | str, *where: object, **more: object) -> None:
    print(f"somnus_analysis: warning: {message}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
