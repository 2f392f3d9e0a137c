"""All papers as one command, side by side."""

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from somnus.analysis.base import output
from somnus.analysis.base.errors import UserError
from somnus.analysis.base.text import paragraph, table
from somnus.analysis.papers.common import side_by_side
from somnus.analysis.papers.common.command import Paper, positive
from somnus.analysis.papers.common.verdicts import FAILS, HOLDS, OPEN, WORDS

NAME = "all"
ABOUT = """All papers, as many at once as there are cores.

Each as with its own name; what came of them stands in one table at the end. It takes 23 minutes of processor
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
                        help="also a page a paper for a browser in that folder")
    parser.add_argument("--force", action="store_true", help="replace pages that are there already")
    parser.add_argument("--seeds", type=positive(int), metavar="N",
                        help="of each run (default: as many as each paper has)")


def run(papers: Sequence[Paper], options: argparse.Namespace) -> int:
    """The largest of the papers' exit codes."""
    if options.report and options.report.exists() and not options.report.is_dir():
        raise UserError(f"{options.report}: is a file, expected a folder for a page a paper")
    each = {paper.name: own_options(paper, options) for paper in papers}
    for one in each.values():
        if one.report:
            output.require_allowed(one.report, force=one.force)
    codes = []
    for paper, (code, printed) in zip(papers, side_by_side.outcomes(papers, each)):
        print(f"=== {paper.name}\n\n{printed}")
        codes.append(code)
    print(totals({name: measured(one.out) for name, one in each.items()}))
    return max(codes)


def measured(out: Path) -> dict:
    """What a paper saved."""
    found: dict = json.loads((out / "measured.json").read_text(encoding="utf-8"))
    return found


def saved(papers: Sequence[Paper], options: argparse.Namespace) -> dict[str, dict]:
    return {paper.name: measured(options.out / paper.name) for paper in papers}


def totals(papers: dict[str, dict]) -> str:
    """A row a paper, and one of them all."""
    rows = [["paper", "claims", "hold", "do not", "not decided", "further numbers", "as in the paper"]]
    counted = [found["totals"] for found in papers.values()]
    rows += [_row(name, each["claims"], each["numbers"]) for name, each in zip(papers, counted)]
    rows.append(_row("all", _sum(each["claims"] for each in counted), _sum(each["numbers"] for each in counted)))
    return table(rows, gap=" | ")


def _sum(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    those = list(counts)
    return {word: sum(each[word] for each in those) for word in WORDS}


def _row(name: str, claims: dict[str, int], numbers: dict[str, int]) -> list[str]:
    return [name, *map(str, (sum(claims.values()), claims[HOLDS], claims[FAILS], claims[OPEN],
                             sum(numbers.values()), numbers[HOLDS]))]


def own_options(paper: Paper, options: argparse.Namespace) -> argparse.Namespace:
    """The paper's own options, as if it had been named."""
    parser = argparse.ArgumentParser()
    paper.add_arguments(parser)
    own = parser.parse_args([])
    own.somnus, own.seeds, own.force = options.somnus, options.seeds, options.force
    own.out = options.out / paper.name
    own.report = options.report / f"{paper.name}.html" if options.report else None
    return own
