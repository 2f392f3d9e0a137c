"""What is worked out from logs: `metrics.percentile(log, "slowdown", 95)`, and METRICS, all of a run.

The other files have what compares runs, or groups their jobs.
"""

from somnus_analysis.metrics.run import (
    METRICS, RunMetric, attempts, group_mean, jobs_in_state, jobs_of_width, jobs_per_minute,
    jobs_submitted, makespan, mean, mean_of_width, percentile, progress_mean, queuing, user_count,
    utilisation, utilisation_middle, worst_tenth,
)

__all__ = [
    "METRICS", "RunMetric", "attempts", "group_mean", "jobs_in_state", "jobs_of_width",
    "jobs_per_minute", "jobs_submitted", "makespan", "mean", "mean_of_width", "percentile",
    "progress_mean", "queuing", "user_count", "utilisation", "utilisation_middle", "worst_tenth",
]
