"""What the commands of several papers share."""

from __future__ import annotations

import argparse

from somnus_analysis.reproduce.expect import Verdict


def positive(kind: type):
    """For argparse: a number above 0 of this kind."""

    def parse(text: str):
        value = kind(text)
        if not value > 0:
            raise argparse.ArgumentTypeError(f"{text} is not positive")
        return value

    return parse


def record(verdict: Verdict) -> dict:
    """A row of measured.json."""
    wanted = verdict.expectation
    return {
        "quantity": wanted.quantity,
        "paper": str(wanted.target) if wanted.target else None,
        "measured": list(verdict.values),
        "claim": wanted.claim or None,
        "holds": verdict.holds if wanted.target else None,
    }
