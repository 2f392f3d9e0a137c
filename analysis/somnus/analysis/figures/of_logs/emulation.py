"""How well a run in real time kept up."""

import pandas as pd
from matplotlib.figure import Figure

from somnus.analysis.figures import bars, distributions
from somnus.analysis.figures.drawable import Drawable, Options, Policies, every_log
from somnus.analysis.metrics.policies import of_each
from somnus.analysis.reading.log import Log


def lateness(policies: Policies, options: Options) -> Figure:
    def of(log: Log) -> pd.Series:
        return 1000 * log.tasks["lateness"].where(log.tasks["outcome_name"] == "finished")

    return distributions.cdf({"": of_each(policies, of)}, "task lateness [ms, emulated]", of="tasks",
                             look=options.look)


def decision_latency(policies: Policies, options: Options) -> Figure:
    names = {"decision_p50": "round,\nmedian", "decision_p99": "round,\np99",
             "lag_p50": "lag,\nmedian", "lag_p99": "lag,\np99"}

    def of(log: Log) -> pd.Series:
        measured = log.scheduler.iloc[0].copy()
        # Lag is emulated seconds, decisions are real ones.
        measured[["lag_p50", "lag_p99"]] /= log.attributes.get("speed", 1.0)
        return 1e6 * measured[list(names)].set_axis(list(names.values()))

    return bars.bars(of_each(policies, of), "real time [µs]", look=options.look)


EMULATED = (every_log(lambda log: log.attributes.get("mode") == "run"),
            "logs of `somnus run`: a simulation is never late")
FIGURES = (
    Drawable("lateness", "distribution of tasks' lateness", lateness, *EMULATED),
    Drawable("decisions", "real time of a round of decisions, and lag", decision_latency, *EMULATED),
)
