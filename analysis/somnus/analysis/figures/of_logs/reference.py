"""Runs against a reference run of the same jobs."""

import pandas as pd
from matplotlib.figure import Figure

from somnus.analysis.figures import bars, distributions, ticks
from somnus.analysis.figures import users as user_figures
from somnus.analysis.figures.drawable import Drawable, Options, Policies
from somnus.analysis.metrics import fairness, improvement
from somnus.analysis.metrics.policies import of_each
from somnus.analysis.reading.log import Log


def _others(policies: Policies, options: Options) -> Policies:
    """Without the reference, unless there is nothing else."""
    known = {log.path.resolve() for log in options.against}
    found = [policy for policy in policies
             if not known.issuperset(log.path.resolve() for log in policy.logs)]
    return found or policies


def speedups(policies: Policies, options: Options) -> Figure:
    values = of_each(_others(policies, options),
                     lambda log: improvement.speedups(log, options.reference_of(log)))
    return distributions.factors(values, f"factor of improvement over {options.reference}",
                                 look=options.look)


def users(policies: Policies, options: Options) -> Figure:
    found = of_each(_others(policies, options),
                    lambda log: fairness.between_users_of(log, options.reference_of(log)))
    return user_figures.deviations({f"against {options.reference}": found},
                                   "mean response time,\nchange", look=options.look)


def deadlines(policies: Policies, options: Options) -> Figure:
    def of(log: Log) -> pd.Series:
        ratios = fairness.ratios(fairness.deviations(log, options.reference_of(log)))
        return pd.Series({"violations (DVR)": ratios.dvr, "slack (DSR)": ratios.dsr})

    return bars.bars(of_each(_others(policies, options), of),
                     f"mean deviation from {options.reference}", number=ticks.percent_number, look=options.look)


REFERENCE = (lambda logs, options: bool(options.against),
             "a reference run of the same jobs: --against LOG")
FIGURES = (
    Drawable("speedup", "distribution of jobs' factors of improvement", speedups, *REFERENCE),
    Drawable("users", "users' mean response times against the reference's", users, *REFERENCE),
    Drawable("dvr", "how much later (DVR) and earlier (DSR) jobs end than in the reference", deadlines,
             *REFERENCE),
)
