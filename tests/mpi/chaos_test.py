"""Whoever is hit, whenever: the run ends in time, leaves nobody behind, and its log can be read.

Each run draws a victim (rank 0, a worker, mpirun, the program that started it), a blow (killed,
stopped for good or for a while, asked to end) and a moment, half of them in the first second. One seed
shows the same again, as far as moments are the same.
"""

import os
import random
import re
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from logs import open_cut_off, write_config, write_workload
from somnus_program import FINE, WORLD, expect, somnus, start

MOST_S = 45  # from the blow to the end of the last process
LAST_S = 3.0  # a run takes about as long
BLOWS = {"kill": signal.SIGKILL, "stop": signal.SIGSTOP, "term": signal.SIGTERM,
         "int": signal.SIGINT, "hup": signal.SIGHUP}
START_S = 1.0  # most runs have begun to schedule by then
HOST = os.uname().nodename


@dataclass
class Drawn:
    seed: int
    ranks: int
    by_mpirun: bool  # mpirun is started by the user, not by the program
    victim: str
    blow: str
    after_s: float
    pause_s: float | None  # a stopped one goes on after that; None: never
    start_limit_s: int | None  # None: as it is

    def __str__(self):
        how = "mpirun somnus" if self.by_mpirun else "somnus"
        pause = "" if self.blow != "stop" else (
            " for good" if self.pause_s is None else f" for {self.pause_s:.1f} s")
        return (f"seed {self.seed}: {how} with {self.ranks} ranks, {self.blow} {self.victim}{pause} "
                f"after {self.after_s:.2f} s")


def draw(seed: int) -> Drawn:
    dice = random.Random(seed)
    ranks = dice.randint(2, 4)
    by_mpirun = dice.random() < 0.25
    victims = ["rank 0", f"rank {dice.randint(1, ranks - 1)}", "mpirun"]
    victim = dice.choice(victims if by_mpirun else [*victims, "somnus"])
    blow = dice.choice(["kill", "kill", "stop", "stop", "term", "int", "hup"])
    after_s = dice.uniform(0, dice.choice([START_S, LAST_S + 0.5]))
    pause_s = dice.choice([None, dice.uniform(0.2, 4)])
    # Ranks that the user starts may be on many hosts, and have a minute.
    start_limit_s = None if dice.random() < 0.2 and not by_mpirun else 5
    return Drawn(seed, ranks, by_mpirun, victim, blow, after_s, pause_s, start_limit_s)


def pid_of(run, victim: str) -> int | None:
    if victim == "somnus":
        return run.process.pid
    if victim == "mpirun":
        return run.mpirun()
    return run.ranks().get(int(victim.split()[1]))


def find(run, victim: str) -> int | None:
    """None: it has ended before it could be hit."""
    while run.process.poll() is None:
        pid = pid_of(run, victim)
        if pid is not None:
            return pid
        time.sleep(0.01)
    return None


def hit(run, drawn: Drawn) -> int | None:
    time.sleep(drawn.after_s)
    pid = find(run, drawn.victim)
    if pid is None:
        return None
    try:
        os.kill(pid, BLOWS[drawn.blow])
    except ProcessLookupError:
        return None
    if drawn.blow == "stop" and drawn.pause_s is not None:
        time.sleep(drawn.pause_s)
        try:
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            pass  # the run has ended without it
    return pid


def wait_for_the_end(run, pid: int | None, drawn: Drawn) -> int:
    """The exit code of the process that we have started. If that is the one that was stopped for
    good, it goes on when all others have ended, for nobody else can end it."""
    began = time.monotonic()
    first = run.process.pid
    if pid == first and drawn.blow == "stop" and drawn.pause_s is None:
        while set(run.alive()) - {first} and time.monotonic() < began + MOST_S:
            time.sleep(0.1)
        others = set(run.alive()) - {first}
        expect(not others, f"left behind, while {drawn.victim} is stopped: {others}")
        os.kill(first, signal.SIGCONT)
    code = run.wait(MOST_S).code
    run.expect_nobody_left(max(1, began + MOST_S - time.monotonic()))
    return code


def expect_code(run, code: int, drawn: Drawn, was_hit: bool) -> None:
    good = {FINE, WORLD} if was_hit else {FINE}
    hit_itself = drawn.victim == ("mpirun" if drawn.by_mpirun else "somnus")
    if hit_itself and was_hit:
        good |= {-BLOWS[drawn.blow]}  # it could not say anything else, or not yet
    if drawn.by_mpirun and was_hit:
        good = good | set(range(1, 256))  # as mpirun says
        if without_crash_of_mpirun(run.said()) != run.said():
            good.add(-signal.SIGSEGV)
    expect(code in good, f"exit code {code}, expected one of {sorted(good)}: {run.said()}")
    words = without_crash_of_mpirun(run.said())
    expect("our mistake" not in words and "Segmentation" not in words, words)
    speaks = not drawn.by_mpirun or drawn.victim != "mpirun"  # else what is said may get lost
    expect(code == FINE or code < 0 or len(words) > 0 or not speaks, "nothing was said")
    if code == WORLD and was_hit and not drawn.by_mpirun:
        expect_named(words, drawn)


def without_crash_of_mpirun(words: str) -> str:
    """Open MPI's own crashes, as in PMIx when it ends before all ranks have met, are not ours."""
    trace = r"\[[^\n]*\*\*\* Process received signal \*\*\*\n.*?\*\*\* End of error message \*\*\*\n"
    return re.sub(trace, lambda found: "" if " mpirun(" in found[0] else found[0], words,
                  flags=re.DOTALL)


def expect_named(words: str, drawn: Drawn) -> None:
    """Who was hit so that it could not say anything is named by who could."""
    if drawn.victim.startswith("rank") and drawn.blow == "kill":
        names = (f"{drawn.victim} (host {HOST})", f"has not started {drawn.victim} within")
        expect(any(name in words for name in names), f"{drawn.victim} is not named: {words}")
    if drawn.victim == "mpirun" and drawn.blow in ("kill", "stop"):
        expect("mpirun" in words or "who started" in words, f"mpirun is not named: {words}")


def expect_log(folder: Path, code: int, by_mpirun: bool) -> None:
    log = folder / "run.h5"
    if not log.exists():
        expect(code != FINE, "no log of a run that ended well")
        return
    with open_cut_off(log) as file:
        complete = int(file.attrs["complete"])
    expect(complete == 1 or code != FINE, "a run that ended well has an incomplete log")
    expect(complete == 0 or code != WORLD or by_mpirun, "a run that ended badly has a complete log")
    somnus(folder, "recover", log).expect(FINE)
    somnus(folder, "check", log).expect(FINE)


def seeds():
    return range(1, 4)


def test_whoever_is_hit_it_ends_and_its_log_can_be_read(folder, seed):
    drawn = draw(seed)
    print(drawn)
    jobs = [{"job": f"j{at}", "submit": at * 0.1, "stages": [{"tasks": 4, "duration": 0.3}]}
            for at in range(int(LAST_S * 6))]
    write_workload(folder, jobs)
    config = write_config(folder, nodes=8, more="[run]\nsilence_s = 2\n")
    more = [] if drawn.by_mpirun else ["--ranks", drawn.ranks]
    limit_s = drawn.start_limit_s
    with start(folder, "run", config, "--log", "run.h5", "-q", *more,
               mpi_ranks=drawn.ranks if drawn.by_mpirun else 0,
               environment={"SOMNUS_START_LIMIT_S": str(limit_s)} if limit_s else {}) as run:
        pid = hit(run, drawn)
        code = wait_for_the_end(run, pid, drawn)
        expect_code(run, code, drawn, pid is not None)
    expect_log(folder, code, drawn.by_mpirun)
