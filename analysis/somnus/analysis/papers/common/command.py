"""A paper as a command: its options, its experiments one after the other, and what came of them."""

import argparse
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from somnus.analysis.base import output
from somnus.analysis.base.errors import ProgramError
from somnus.analysis.base.program import Somnus, find_configs, find_program
from somnus.analysis.base.progress import tell
from somnus.analysis.base.text import paragraph
from somnus.analysis.papers.common import scoreboard
from somnus.analysis.papers.common.results import Report, Result
from somnus.analysis.papers.common.runner import Runner
from somnus.analysis.papers.common.verdicts import WORDS, claims_in_words

Experiment = Callable[[Runner], list[Result]]


def positive(kind: type) -> Callable[[str], Any]:
    """For argparse: a number above 0 of this kind."""

    def parse(text: str) -> Any:
        value = kind(text)
        if not value > 0:
            raise argparse.ArgumentTypeError(f"{text} is not positive")
        return value

    return parse


@dataclass(frozen=True)
class Lack:
    """Files that experiments need, and that are not there."""

    files: str  # and the option that names others
    parts: str  # of the paper: what is not decided for it
    instead: str = ""  # of which workloads, one a seed, the parts are made; "": they are left out


@dataclass(frozen=True)
class Paper:
    """What is one paper's own; all else of the command is the same for all of them."""

    name: str  # of the command, and of its folder of configs
    about: str  # first line: what is run again; the rest: how
    configs: Sequence[str]  # files that must be there
    experiments: Mapping[str, Experiment]
    seeds: int  # unless the user asks for others
    # Claims that hold, do not, and are not decided, as its page in docs/papers has them, with all files there.
    published: tuple[int, int, int]
    # Of experiments whose claims take more to be decided, by measurement.
    seeds_of: Mapping[str, int] = field(default_factory=dict)
    speed: float | None = None  # of real runs, unless the user asks for another; None: there are none
    seeds_real: int | None = None  # if fewer of them
    real: str = "emulate in real time instead of simulating"
    add_options: Callable[[argparse.ArgumentParser], None] = lambda parser: None
    # What an experiment lacks. May raise ProgramError.
    lacks: Callable[[str, argparse.Namespace], Lack | None] = lambda experiment, options: None
    not_reproduced: Mapping[str, str] = field(default_factory=dict)  # part of the paper: why

    @property
    def folder(self) -> Path:
        """Of its configs."""
        return find_configs(f"papers/{self.name}")

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.description = "\n\n".join(map(paragraph, self.about.split("\n\n")))
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
        parser.add_argument("--somnus", type=Path, metavar="PATH",
                            help="the program (default: $SOMNUS, the release build, $PATH)")
        parser.add_argument("--out", type=Path, default=Path("out/reproduce") / self.name, metavar="DIR",
                            help="where logs, figures and measured.json go (default: %(default)s)")
        parser.add_argument("--report", type=Path, metavar="FILE",
                            help="where a page for a browser goes: which claims hold, which do not and why, "
                                 f"figures, seeds, tolerances (default: {self.name}.html in --out)")
        parser.add_argument("--configs", type=Path, default=self.folder, metavar="DIR",
                            help="where the configs are (default: those of the source tree, or "
                                 "installed with the program)")
        names = tuple(self.experiments)
        parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="NAME",
                            help=f"some of {', '.join(names)} (default: all)")
        default = f"{self.seeds}" + (f"; {self.seeds_real} with --real" if self.seeds_real else "")
        default += "".join(f"; {count} for {', '.join(those)}" for count, those in self._more_seeds().items())
        parser.add_argument("--seeds", "--iterations", type=positive(int), metavar="N",
                            help=f"of each run (default: {default})")
        if self.speed:
            parser.add_argument("--real", action="store_true", help=self.real)
            parser.add_argument("--speed", type=positive(float), default=self.speed, metavar="X",
                                help="of --real, emulated seconds per real second "
                                     "(default: %(default)g)")
        self.add_options(parser)

    def run(self, options: argparse.Namespace) -> int:
        """Exit code 1 if what is exact arithmetic differs, else 0."""
        page = options.report or options.out / f"{self.name}.html"
        output.require_allowed(page, force=options.force, own=scoreboard.OWN)
        absent = {name: lack for name in options.only if (lack := self.lacks(name, options))}
        runner = self._runner(options)
        report = Report(self.name, runner.out)
        for name in options.only:
            if name not in absent or absent[name].instead:
                report.add(self.experiments[name](self._seeded(runner, name, options)))
        tell("")
        missing = self._missing(list(dict.fromkeys(absent.values())), report, options, runner)
        report.everything |= {"missing": missing, "not reproduced": self.not_reproduced}
        code = report.save()
        scoreboard.write(report.shown, self._header(options, runner, missing), page, options.force)
        unlike = [paragraph(f"{part}: not reproduced: {why}", "", "  ") for part, why in self.not_reproduced.items()]
        details = report.details if options.all else "Each figure's numbers and reasons are on the page, and in --all."
        print(*filter(None, (missing, report.short, *unlike, *runner.notes, details,
                             f"page: {page}\nall numbers: {report.out}/measured.json", missing)), sep="\n\n")
        return code

    def _missing(self, lacks: Collection[Lack], report: Report, options: argparse.Namespace, runner: Runner) -> str:
        """Which files are, what is not decided for it, and the claims with and without them; "": none."""
        lines = []
        for lack in lacks:
            lines += [f"MISSING: {lack.files}.", f"Not decided for it: {lack.parts}" + (
                f"; {len(runner.seeds)} {lack.instead} stand in." if lack.instead else ", which are left out.")]
        if lacks and len(options.only) == len(self.experiments):
            lines += [f"With it (docs/papers/{self.name}.md): {claims_in_words(dict(zip(WORDS, self.published)))}",
                      f"Without it: {claims_in_words(report.totals['claims'])}"]
        return "\n".join(map(paragraph, lines))

    def _header(self, options: argparse.Namespace, runner: Runner, missing: str) -> scoreboard.Header:
        given = {key.replace("_", " "): value for key, value in vars(options).items()
                if key not in ("command", "run", "saved", "report", "force", "out", "speed", "real", "seeds",
                               "quiet", "json", "all")}
        more = {} if options.seeds or runner.speed else self._more_seeds()
        shown = {"seeds": "; ".join([f"1 to {len(runner.seeds)}", *(
                     f"1 to {count} for {', '.join(those)}" for count, those in more.items())]),
                   "mode": f"real time, at speed {runner.speed:g}" if runner.speed else "simulated"}
        shown |= {key: " ".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)
                    for key, value in given.items() if value is not None}
        return scoreboard.Header(self.about.splitlines()[0].rstrip("."),
                                 f"somnus reproduce {self.name}", shown, self.not_reproduced, missing)

    def _more_seeds(self) -> dict[int, list[str]]:
        """By number, the experiments that have so many."""
        found: dict[int, list[str]] = {}
        for name, count in self.seeds_of.items():
            found.setdefault(count, []).append(name)
        return found

    def _seeded(self, runner: Runner, experiment: str, options: argparse.Namespace) -> Runner:
        if options.seeds or runner.speed:
            return runner
        return replace(runner, seeds=range(1, self.seeds_of.get(experiment, self.seeds) + 1))

    def _runner(self, options: argparse.Namespace) -> Runner:
        real = self.speed is not None and options.real
        seeds = options.seeds or (self.seeds_real if real and self.seeds_real else self.seeds)
        if missing := [name for name in self.configs if not (options.configs / name).exists()]:
            raise ProgramError(f"{options.configs}: no {', '.join(missing)} there; name the folder with "
                               "--configs")
        return Runner(
            configs=options.configs.resolve(),
            somnus=Somnus(find_program(options.somnus)),
            out=options.out,
            seeds=range(1, seeds + 1),
            speed=options.speed if real else None,
            options=options,
        )
