"""One page on one run or several: `write_report(logs, path)`.

    spans       what each task waited through until it started
    books       what nodes had free at every instant
    why         why tasks waited, from decisions and events
    look_next   worst jobs, starved users, bounds that were broken
    winners     who won, with intervals where there are seeds (interval)
    facts       what was run, and whether it was faithful; state: whether a log is whole
    series      curves of the figures; timeline: what the timeline is drawn from; pack: in few letters
    markup      pieces of a page; sections: its words and tables; document: the whole
    files       reads what a page is made of, and writes it whole
    page        template, style, scripts and the plotting library, put together into the one file
"""

from somnus_analysis.report.document import write_report

__all__ = ["write_report"]
