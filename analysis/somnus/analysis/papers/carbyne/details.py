"""What is printed beside the Carbyne paper's numbers: other loads, absolute numbers."""

from collections.abc import Mapping

from somnus.analysis.base.text import table
from somnus.analysis.metrics.improvement import PERCENTILES
from somnus.analysis.papers.carbyne import paper
from somnus.analysis.papers.carbyne.runs import TRADEOFF
from somnus.analysis.papers.common.expect import Found, Measured

ByLoad = Mapping[float, Measured]


def tradeoff(by_load: ByLoad) -> str:
    """A row a workload, a load and a scheduler; means over seeds."""
    columns = {"jain": "Jain", "jain-min": "least", "jain-max": "most",
               "jain-running": "of running", "seconds": "mean completion [s]",
               "response": "/ Carbyne", "end": "makespan [s]", "makespan": "/ Carbyne",
               "in-use": "in use [%]"}
    rows = [["mean over seeds", *columns.values()]]
    for name, title in paper.QUERIES.items():
        for load, measured in by_load.items():
            rows += [
                [f"{title}, load {load:g}, {paper.TITLES[scheduler]}",
                 *(Found(measured).text(f"{name}.{column}.{scheduler}") for column in columns)]
                for scheduler in TRADEOFF if f"{name}.jain.{scheduler}" in measured
            ]
    return table(rows, gap=" | ")


def factors(titles: Mapping[str, str], by_load: ByLoad) -> str:
    """Percentiles of jobs' factors, of completion times, and of what there is to gain, by load."""
    heads = [f"{paper.TITLES[other]} p{each}" for other in paper.ALTERNATIVES
             for each in PERCENTILES]
    return "\n\n".join(
        table([[head, *heads],
               *([f"{title}, load {load:g}",
                  *(Found(measured).text(f"{prefix}{name}.{other}.p{each}")
                    for other in paper.ALTERNATIVES for each in PERCENTILES)]
                 for name, title in titles.items() for load, measured in by_load.items()
                 if f"{name}.drf.p50" in measured)], gap=" | ")
        for head, prefix in (("factors of jobs", ""),
                             ("ratios of percentiles of completion times", "of_completion."),
                             ("the most: slowdown against the job alone", "room."))
    )


def jobs(by_load: ByLoad) -> str:
    """Fig. 7's shares at each load."""
    rows = [["jobs of all workloads", "faster [%]", "least factor", "below 0.8 [%]"]]
    rows += [[f"against {paper.TITLES[other]}, load {load:g}",
              *(Found(measured).text(f"claim.{what}.{other}") for what in ("faster", "least", "beyond"))]
             for other in paper.ALTERNATIVES for load, measured in by_load.items()]
    return table(rows, gap=" | ")
