"""Whether real runs kept up with their speed, in the words of `somnus summary`."""

from collections.abc import Mapping

import numpy as np

from somnus.analysis.base.program import Summary
from somnus.analysis.base.text import paragraph


def judge(runs: Mapping[str, Summary], speed: float) -> str:
    """How many did, and what is said of the one that did worst."""
    late = {name: summary for name, summary in runs.items() if summary["pace"] != "kept up"}
    if not late:
        return paragraph(f"All {len(runs)} real runs kept up at speed {speed:g}.")
    worst = min(late, key=lambda name: np.nan_to_num(late[name]["safe_speed"]))
    return paragraph(f"WARNING: {len(late)} of {len(runs)} real runs did not keep up at speed {speed:g}. "
                     f"{worst}, {late[worst]['pace']}: {late[worst]['pace_in_words']}")
