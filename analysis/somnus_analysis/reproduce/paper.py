"""A paper as a command: its options, its experiments one after the other, and what came of them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from somnus_analysis import output
from somnus_analysis.reproduce import scoreboard
from somnus_analysis.reproduce.lab import Lab
from somnus_analysis.reproduce.options import add_common, add_only, add_real, configs_in, positive
from somnus_analysis.reproduce.program import Somnus, find_configs, find_program
from somnus_analysis.reproduce.results import Report, Result
from somnus_analysis.text import paragraph

Experiment = Callable[[Lab], list[Result]]


def _no_options(_parser: argparse.ArgumentParser) -> None:
    """Of a paper that has none of its own."""


def _lacks_nothing(_experiment: str, _asked: argparse.Namespace) -> str:
    return ""


@dataclass(frozen=True)
class Paper:
    """What is one paper's own; all else of the command is the same for all of them."""

    name: str  # of the command, and of its folder of configs
    about: str  # first line: what is run again; the rest: how
    configs: Sequence[str]  # files that must be there
    experiments: Mapping[str, Experiment]
    seeds: int  # unless the user asks for others
    speed: float | None = None  # of real runs, likewise; None: it has none
    seeds_real: int | None = None  # if fewer of them
    real: str = "emulate in real time instead of simulating"
    add_options: Callable[[argparse.ArgumentParser], None] = _no_options
    # Why an experiment is left out, or "". May raise program.ProgramError.
    lacks: Callable[[str, argparse.Namespace], str] = _lacks_nothing
    not_reproduced: Mapping[str, str] = field(default_factory=dict)  # part of the paper: why

    @property
    def folder(self) -> Path:
        """Of its configs."""
        return find_configs(f"papers/{self.name}")

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_common(parser, self.about, self.name, self.folder)
        add_only(parser, self.experiments)
        default = f"{self.seeds}; {self.seeds_real} with --real" if self.seeds_real else self.seeds
        parser.add_argument("--seeds", "--iterations", type=positive(int), metavar="N",
                            help=f"of each run (default: {default})")
        if self.speed:
            add_real(parser, self.speed, self.real)
        self.add_options(parser)

    def run(self, asked: argparse.Namespace) -> int:
        """Exit code 1 if what is exact arithmetic differs, else 0."""
        if asked.report:
            output.require_allowed(asked.report, force=asked.force)
        absent = {name: self.lacks(name, asked) for name in asked.only}
        lab = self._lab(asked)
        report = Report(lab.out)
        for name in asked.only:
            if absent[name]:
                print(f"{name}: left out, {absent[name]}\n")
                continue
            report.add(self.experiments[name](lab))
        if self.not_reproduced:
            for part, why in self.not_reproduced.items():
                print(paragraph(f"{part}: not reproduced: {why}", "", "  "))
            print()
            report.everything["not reproduced"] = self.not_reproduced
        if asked.report:
            scoreboard.write(report.shown, self._header(asked, lab), asked.report, asked.force)
            print(f"scoreboard: {asked.report}")
        return report.save()

    def _header(self, asked: argparse.Namespace, lab: Lab) -> scoreboard.Header:
        said = {key.replace("_", " "): value for key, value in vars(asked).items()
                if key not in ("command", "paper", "report", "force", "out", "speed", "real", "seeds")}
        options = {"seeds": f"{lab.seeds[0]} to {lab.seeds[-1]}",
                   "mode": f"real time, at speed {lab.speed:g}" if lab.speed else "simulated"}
        options |= {key: " ".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)
                    for key, value in said.items() if value is not None}
        return scoreboard.Header(self.about.splitlines()[0].rstrip("."),
                                 f"./dev reproduce {self.name} --report {asked.report.name}", options,
                                 self.not_reproduced)

    def _lab(self, asked: argparse.Namespace) -> Lab:
        real = self.speed is not None and asked.real
        seeds = asked.seeds or (self.seeds_real if real and self.seeds_real else self.seeds)
        return Lab(
            configs=configs_in(asked.configs, self.configs),
            somnus=Somnus(find_program(asked.somnus)),
            out=asked.out,
            seeds=range(1, seeds + 1),
            speed=asked.speed if real else None,
            asked=asked,
        )
