"""Why cells of the UWFQ paper's tables differ from ours, where that is known."""

from __future__ import annotations

from somnus_analysis.reproduce.expect import Reason

SCENARIO_1_REASONS = ()
SCENARIO_2_REASONS = ()
MACRO_REASONS = ()
