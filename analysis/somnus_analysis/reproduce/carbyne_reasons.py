"""Why numbers and claims of the Carbyne paper differ from ours, where that is known."""

from __future__ import annotations

from somnus_analysis.reproduce.expect import Reason

FIGURE_4: tuple[Reason, ...] = ()
FIGURE_5: tuple[Reason, ...] = ()
TABLE_3: tuple[Reason, ...] = ()
TABLE_4: tuple[Reason, ...] = ()
FIGURE_9: tuple[Reason, ...] = ()
FIGURE_10: tuple[Reason, ...] = ()
FIGURE_11: tuple[Reason, ...] = ()
FIGURE_12: tuple[Reason, ...] = ()
SECTION_5_6: tuple[Reason, ...] = ()
