"""All papers as one command, side by side."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from somnus.analysis.base import output
from somnus.analysis.base.errors import UserError
from somnus.analysis.base.progress import tell
from somnus.analysis.base.text import paragraph
from somnus.analysis.papers.common import scoreboard, side_by_side, tables
from somnus.analysis.papers.common.command import Paper, positive

NAME = "all"
ABOUT = """All papers, as many at once as there are cores.

Each as with its own name; what came of them stands in one table, which comes first. It takes 23 minutes of processor
time."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "\n\n".join(map(paragraph, ABOUT.split("\n\n")))
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--somnus", type=Path, metavar="PATH",
                        help="the program (default: $SOMNUS, the release build, $PATH)")
    parser.add_argument("--out", type=Path, default=Path("out/reproduce"), metavar="DIR",
                        help="a folder a paper goes there, with logs, figures and measured.json "
                             "(default: %(default)s)")
    parser.add_argument("--report", type=Path, metavar="DIR",
                        help="where a page a paper for a browser goes (default: into the folder of its logs)")
    parser.add_argument("--seeds", type=positive(int), metavar="N",
                        help="of each run (default: as many as each paper has)")


def run(papers: Sequence[Paper], options: argparse.Namespace) -> int:
    """The largest of the papers' exit codes."""
    if options.report and options.report.exists() and not options.report.is_dir():
        raise UserError(f"{options.report}: is a file, expected a folder for a page a paper")
    each = {paper.name: own_options(paper, options) for paper in papers}
    for one in each.values():
        output.require_allowed(one.report, force=one.force, own=scoreboard.OWN)
    outcomes = dict(zip(each, side_by_side.outcomes(papers, each)))
    tell("")
    found = {name: measured(one.out) for name, one in each.items()}
    missing = "".join(f"{name}: {one['missing']}\n" for name, one in found.items() if one["missing"])
    print(f"{missing}{totals(found)}\n")
    for name, (_, printed) in outcomes.items():
        print(f"=== {name}\n\n{printed}")
    print(missing, end="")
    return max(code for code, _ in outcomes.values())


def measured(out: Path) -> dict:
    """What a paper saved."""
    found: dict = json.loads((out / "measured.json").read_text(encoding="utf-8"))
    return found


def saved(papers: Sequence[Paper], options: argparse.Namespace) -> dict[str, dict]:
    return {paper.name: measured(options.out / paper.name) for paper in papers}


def totals(papers: dict[str, dict]) -> str:
    """A row a paper, and one of them all."""
    return tables.counts("paper", {name: found["totals"] for name, found in papers.items()})


def own_options(paper: Paper, options: argparse.Namespace) -> argparse.Namespace:
    """The paper's own options, as if it had been named."""
    parser = argparse.ArgumentParser()
    paper.add_arguments(parser)
    own = parser.parse_args([])
    vars(own).update(somnus=options.somnus, seeds=options.seeds, force=options.force, all=options.all,
                     out=options.out / paper.name,
                     report=(options.report or options.out / paper.name) / f"{paper.name}.html")
    return own
