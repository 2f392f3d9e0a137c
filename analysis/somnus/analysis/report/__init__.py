"""One page on one run or several: `write_report(logs, path)`.

    spans          what each task waited through until it started
    free_capacity  what nodes had free at every instant
    wait_causes    why tasks waited, from decisions and events
    ahead          who went first while a job waited; what_if: what would have helped it
    worst          worst jobs, starved users
    comparison     which scheduler was better, with intervals where there are seeds
    rigid_jobs     rigid jobs by width and time, and which slots they held
    audit          what `somnus check` finds in the logs
    facts          what was run, and whether it was faithful; state: whether a log is whole
    series         curves of the figures; timeline: what the timeline is drawn from; pack: in few letters
    markup         pieces of a page; sections: its text and tables; document: the whole
    source         reads the files in page
    page           template, style, scripts and the plotting library, put together into the one file
"""

from somnus.analysis.report.document import write_report

__all__ = ["write_report"]
