"""How near a measured number must be to the paper's to count as the same: once per metric, and why."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Metric:
    """A kind of number that papers give."""

    name: str
    tolerance: float
    why: str
    of_value: bool = True  # a share of the paper's value, else absolute

    @property
    def anchor(self) -> str:
        """Of its paragraph in a page."""
        return "tolerance-" + "-".join(self.name.replace("'", "").split())

    @property
    def margin(self) -> str:
        if self is EXACT:
            return ""
        return f"± {100 * self.tolerance:g} %" if self.of_value else f"± {self.tolerance:g}"

    def room(self, value: float) -> float:
        """How far to either side of the value is near."""
        return self.tolerance * (abs(value) if self.of_value else 1)

    def near(self, measured: float, value: float) -> bool:
        """False for NaN."""
        return abs(measured - value) <= self.room(value)


EXACT = Metric(
    "exact arithmetic", 1e-6,
    "an example that is worked out by hand has one right answer; only rounding is allowed for.",
    of_value=False)
TIMES = Metric(
    "cells of tables", 0.15,
    "means of a few runs on a real cluster, of jobs whose work is known by their makespan only; what is "
    "nearer is not decided.")
QUEUES = Metric(
    "queuing delays and throughput", 0.2,
    "both follow from how many jobs ran at a time, which the paper tuned and does not tell; queuing "
    "delays are heavy-tailed besides.")
FACTORS = Metric(
    "factors of tables and sweeps", 0.1,
    "ratios of means or percentiles over hundreds of jobs, given to three digits for one setup; the "
    "paper tells schedulers and loads apart by 10 % and more.")
HEADLINES = Metric(
    "factors in prose", 0.25,
    "the sentence rounds a ratio of two runs, of a workload that is not published; a factor of 1.7 "
    "from 1.3 to 2.1 tells the same story, and one outside does not.")
CHANGES = Metric(
    "changes in percent", 0.25,
    "a gain or reduction is a difference of two means: an error of 5 % in either moves a gain of 40 % "
    "by 8 points. Workloads are those that the paper describes, not those that it ran.")
PERCENTAGES = Metric(
    "percentages near the whole", 0.05,
    "a utilisation, or a reduction by nearly all, has little room: what tells schedulers apart are the "
    "last percents.")
ALIKE = Metric(
    "what is said to be alike", 0.1,
    "\"almost\", \"close\", \"comparable\": the paper's figures cannot distinguish two "
    "schedulers whose ratio is within 10 % of 1.", of_value=False)
MAKESPANS = Metric(
    "makespans said to be alike", 0.02,
    "schedulers that leave no slot idle do the same work in the same time; only the last tasks differ.",
    of_value=False)
JAIN = Metric(
    "Jain's index", 0.05,
    "the index lies between 0 and 1, and the paper tells schedulers apart by 0.05 and more.",
    of_value=False)
PROGRESS = Metric(
    "progress rates", 0.1,
    "rates lie between 0 and 1, and the paper's schedulers are 10 % and more apart.")
SLOTS = Metric(
    "slots by target", 0.1,
    "targets follow from the curves alone, which repeat; the curves are the generator's, not the paper's.")
POINTS = Metric(
    "shares of the cluster", 5,
    "in points: what one wave of tasks adds to or takes from a queue's share.", of_value=False)

METRICS = (EXACT, TIMES, QUEUES, FACTORS, HEADLINES, CHANGES, PERCENTAGES, ALIKE, MAKESPANS, JAIN,
           PROGRESS, SLOTS, POINTS)
