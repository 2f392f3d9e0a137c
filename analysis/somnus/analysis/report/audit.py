"""What `somnus check` says of the logs, which is asked while the rest of the page is made."""

import os
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from somnus.analysis.base.errors import ProgramError
from somnus.analysis.base.program import Somnus
from somnus.analysis.reading.log import Log


@dataclass(frozen=True)
class Finding:
    """An invariant as a log keeps it, by the names of `somnus check --json`."""

    invariant: str
    checked: int
    offences: int
    first: str  # of the offences: row and values
    asserted: bool  # False: nobody promised it
    note: str

    @property
    def verdict(self) -> str:
        """As `somnus check` prints it."""
        return "holds" if not self.offences else "BROKEN" if self.asserted else "noted"


@dataclass(frozen=True)
class Audit:
    """Of a log: its findings, or why there are none."""

    findings: Sequence[Finding] = ()
    missing: str = ""

    @property
    def broken(self) -> list[Finding]:
        return [each for each in self.findings if each.verdict == "BROKEN"]


def audits_of(logs: Sequence[Log], somnus: Somnus) -> list[Future[Audit]]:
    """One a log, side by side from now on, as many at once as there are cores."""
    pool = ThreadPoolExecutor(os.cpu_count())
    started = [pool.submit(_audit, somnus, log.path) for log in logs]
    pool.shutdown(wait=False)
    return started


def _audit(somnus: Somnus, log: Path) -> Audit:
    try:
        return Audit([Finding(**each) for each in somnus.check(log)])
    except ProgramError as error:
        return Audit(missing=str(error))
