"""Whether a log is whole, and if not, why: a sentence each."""

import numpy as np

from somnus.analysis.base.output import is_being_written
from somnus.analysis.base.text import number
from somnus.analysis.reading.log import Log
from somnus.analysis.report.spans import horizon


def sentence(log: Log) -> str:
    """What is to be known of a log that is not of a whole run; empty of one that is."""
    until = horizon(log)
    reach = (f"It reaches up to {number(until)} s of emulated time." if np.isfinite(until)
             else "Nothing had happened yet.")
    if not log.complete and is_being_written(log.path):
        return (f"This run still goes on: what follows is what was written by the time that this "
                f"page was made. {reach}")
    if not log.complete:
        return (f"This run was cut off before its end: its log has all up to the last flush, half a "
                f"second before. {reach} `somnus run --resume` goes on with it; `somnus recover` makes "
                f"the log whole.")
    if log.tasks.empty:
        return ("This run came to its end, and no task was started in it: there is nothing to draw or "
                "to compare.")
    return ""
