"""Reads the logs of Somnus and turns them into tables and figures.

    from somnus.analysis import load

    log = load("cfq.h5")
    log.jobs.groupby("width")["slowdown"].mean()
"""

from somnus.packages import packages_of_others

with packages_of_others():
    from somnus.analysis.reading.log import (
        IncompleteLogWarning, Log, LogError, MissingLogError, NotALogError, load,
    )

__all__ = [
    "IncompleteLogWarning",
    "Log",
    "LogError",
    "MissingLogError",
    "NotALogError",
    "load",
]
