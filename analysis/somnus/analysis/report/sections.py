"""The page's parts that are words and tables; readable without a script."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from somnus.analysis.base.text import count, number, percent, printable
from somnus.analysis.metrics.improvement import PERCENTILES
from somnus.analysis.reading.log import Log
from somnus.analysis.report import comparison, facts, worst
from somnus.analysis.report.audit import Audit, Finding
from somnus.analysis.report.markup import Cell, Markup, element, joined, prose, safe, table
from somnus.analysis.report.wait_causes import CAUSES, WORDS
from somnus.analysis.report.what_if import WhatIf, effects

WORST_JOBS = 20
STARVED_USERS = 20
MOST_AHEAD = 3  # jobs, or users, that are named
SHARE_NAMED = 0.005  # of a wait; less is in the rest


def notes(labels: Sequence[str], sentences: Sequence[str]) -> Markup:
    """What is to be known of logs before anything else: that they are not whole, and the like."""
    items = [element("li", element("strong", label), ": ", prose(sentence))
            for label, sentence in zip(labels, sentences) if sentence]
    return element("ul", joined(items), class_="notes") if items else Markup("")


def what_was_run(labels: Sequence[str], logs: Sequence[Log]) -> Markup:
    columns = [facts.what_was_run(log) for log in logs]
    alike = [key for key in columns[0] if len({column[key] for column in columns}) == 1]
    unlike = [key for key in columns[0] if key not in alike]
    common = element("dl", joined(
        element("div", element("dt", key), element("dd", columns[0][key])) for key in alike))
    parts = [common]
    if unlike:
        rows = [[Cell(key), *(Cell(column[key]) for column in columns)] for key in unlike]
        parts.append(table("In what the runs differ", ["", *labels], rows))
    configs = [element("details", element("summary", "config of ", label),
                       element("pre", str(log.attributes.get("config", "")), tabindex="0"))
               for label, log in zip(labels, logs)]
    if len(configs) > 1:
        configs = [element("details", element("summary", "configs"), joined(configs))]
    return joined([*parts, *configs])


def faithful(labels: Sequence[str], found: Sequence[facts.Faithfulness]) -> Markup:
    items = joined(element("li", element("strong", label), ": ", prose(each.sentence))
                  for label, each in zip(labels, found))
    if all(each.simulated for each in found):
        return element("p", found[0].sentence)
    rows = [[Cell("verdict"), *(Cell(each.verdict) for each in found)]]
    rows += [[Cell(title), *(Cell(form(each.figures[key]), float(each.figures[key])) for each in found)]
             for key, title, form in facts.FAITHFUL_ROWS]
    return joined([element("ul", items),
                   table("How late the runs were; emulated seconds where not said otherwise",
                         ["", *labels], rows)])


def who_won(those: Sequence[comparison.Contender]) -> Markup:
    parts = [element("p", comparison.verdict(those), class_="verdict")]
    rows = []
    for measure in comparison.measures_of(those):
        best = comparison.best(those, measure)
        rows.append([Cell(measure.title), *(
            Cell(_with_interval(one, measure), one.interval(measure.key).mean, one is best)
            for one in those)])
    caption = "Figures of the closing table; ★: the best of a row, decided over the seeds (95 %, by Holm)"
    if len(those) == 1 or comparison.not_comparable(those):
        caption = "Figures of the closing table"
    parts.append(table(caption, ["", *(one.label for one in those)], rows))
    parts += [element("p", one.meaning, class_="small") for one in those if one.meaning]
    if len(those) > 1 and not comparison.not_comparable(those):
        parts.append(_differences(those))
    if len(those) > 1:
        parts.append(_job_by_job(those))
    return joined(parts)


def _with_interval(one: comparison.Contender, measure: comparison.Measure) -> str:
    """Both with as many digits after the point."""
    found = one.interval(measure.key)
    text = measure.written(found.mean)
    if not found.half > 0:
        return text
    digits = len(text.rstrip(" %").partition(".")[2])
    return f"{text} ± {found.half * (100 if measure.written is percent else 1):,.{digits}f}"


def _differences(those: Sequence[comparison.Contender]) -> Markup:
    rows = []
    for measure in comparison.measures_of(those):
        found = [one.against(those[0], measure.key) for one in those[1:]]
        rows.append([Cell(measure.title), *(Cell(comparison.signed(each), each.mean) for each in found)])
    seeds = min(len(one.logs) for one in those)
    words = ("95 % intervals by Student's t, seed by seed; ~: the interval holds zero, no difference is "
             "shown." if seeds > 1 else
             "One seed each, so no interval can be given: the same with several seeds would tell what of "
             "it is chance (somnus simulate --seeds 1,2,3).")
    return joined([table(f"Difference to {those[0].label}", ["", *(one.label for one in those[1:])],
                         rows), element("p", words, class_="small")])


def _job_by_job(those: Sequence[comparison.Contender]) -> Markup:
    found = comparison.job_by_job(those)
    if not found:
        return element("p", "No job finished in two of the runs, or they are not of the same jobs: no "
                            "comparison job by job.", class_="small")
    columns: dict[str, Callable[[Any], str]] = {
        "compared": count, "faster": percent, "slower": percent, "least": number,
        **{f"of_jobs_p{each}": number for each in PERCENTILES}}
    rows = [[Cell(label), *(Cell(written(each[key]), each[key]) for key, written in columns.items())]
            for label, each in found]
    return table(f"Job by job: how many times as fast as under {those[0].label} a job was answered",
                 ["", "jobs", "faster", "slower", "least", "p25", "median", "p75", "p95"], rows)


def why_in_total(labels: Sequence[str], logs: Sequence[Log], waits: Sequence[pd.DataFrame]) -> Markup:
    there = [cause for cause in CAUSES if any(each[cause].sum() > 0 for each in waits)]
    rows = []
    for label, log, each in zip(labels, logs, waits):
        totals = each[list(CAUSES)].sum()
        whole, tasks = totals.sum(), int(log.jobs["tasks"].sum())
        rows.append([Cell(label), Cell(number(whole / tasks if tasks else np.nan), whole),
                     *(Cell(percent(totals[cause] / whole) if whole else "–", totals[cause])
                       for cause in there), Cell(_bar(totals / whole if whole else totals * 0))])
    meanings = element("dl", joined(
        element("div", element("dt", _key(cause), cause), element("dd", WORDS[cause]))
        for cause in there), class_="causes")
    return joined([
        table("Why tasks waited, from their job's submit to their start; shares of all waiting",
              ["", "wait a task, mean [s]", *there, "shares"], rows), meanings])


def worst_jobs(run: int, label: str, found: pd.DataFrame, ahead: dict[int, pd.DataFrame], log: Log) -> Markup:
    """`found` as worst.worst_jobs has it, `ahead` as ahead.ahead."""
    rows = []
    for job, row in found.iterrows():
        name = element("button", printable(str(row["name"])), type="button", class_="job",
                       data_run=run, data_job=job, title="show its tasks in the timeline")
        why_words = joined([_bar(row), element("span", _in_words(row) + ". ", class_="small"),
                            *_who_was_ahead(int(job), ahead[int(job)], log)])
        slowdown, *others = (Cell(form(row[key]), float(row[key])) for key, form in
                             (("slowdown", number), ("wait", number), ("tasks", count),
                              ("response", number), ("submit", number)))
        rows.append([Cell(name), slowdown, Cell(why_words), *others,
                     Cell(printable(str(row["user"]), 16)), Cell(row["state"])])
    head = ["job", "slowdown", "why it waited", "wait a task [s]", "tasks", "response [s]",
            "submit [s]", "user", "state"]
    if not rows:
        return element("p", f"{label}: no job has waited or finished.")
    return table(f"Worst jobs under {label}, by slowdown", head, rows, sortable=True)


def _who_was_ahead(job: int, found: pd.DataFrame, log: Log) -> list[Markup]:
    """Whose tasks held what it waited for, and for how long; nothing of a job that nobody was ahead of."""
    whole, tasks = found["seconds"].sum(), int(log.jobs["tasks"].iloc[job])
    if not whole > 0:
        return []
    users = np.array(log.names["users"], dtype=object)[log.jobs["user"].to_numpy(int)]
    several = log.jobs["user"].nunique() > 1

    def named(who: str, seconds: float) -> str:
        return f"{printable(who)} {number(seconds / tasks)} ({_whole_percent(seconds / whole)})"

    def job_name(other: int) -> str:
        if other == job:
            return "its own tasks"
        return f"job {log.names['jobs'][other]}" + (f" of {users[other]}" if several else "")

    jobs = [named(job_name(int(row.job)), row.seconds) for row in found.head(MOST_AHEAD).itertuples()]
    if len(found) > MOST_AHEAD:
        jobs.append(f"{count(len(found) - MOST_AHEAD)} more")
    sentences = [f"Ahead of it, s a task: {', '.join(jobs)}."]
    if several:
        by_user = found.groupby(users[found["job"].to_numpy(int)])["seconds"].sum().sort_values(
            ascending=False, kind="stable")
        sentences.append("By user: " + ", ".join(
            named(str(user), seconds) for user, seconds in by_user[:MOST_AHEAD].items()) + ".")
    first = found.loc[found["went_first"].idxmax()]
    if first["went_first"] > 0:
        sentences.append(f"{_whole_percent(found['went_first'].sum() / whole)} of that was placed once it was ready, "
                         f"most of it {printable(job_name(int(first['job'])))}.")
    else:
        sentences.append("All of that was placed before it was ready.")
    return [element("span", " ".join(sentences), class_="small")]


def _whole_percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def what_if(label: str, found: WhatIf, worst_of_all: Sequence[int]) -> Markup:
    """`worst_of_all`: the jobs of the table of worst jobs."""
    if found.why_not:
        return element("p", f"{label}: what would have helped is not known; {found.why_not}.", class_="small")
    table_ = effects(found, worst_of_all)
    base = table_.iloc[0]
    rows = [[Cell(title), *(Cell(_beside(row[key], base[key]), float(row[key])) for key in ("those", "all")),
             Cell(count(int(row["faster"])), float(row["faster"]))] for title, row in table_.iterrows()]
    head = ["", "worst jobs, response time, mean [s]", "all jobs, mean [s]", "worst jobs that end sooner"]
    words = ("The same jobs simulated again, each time with one thing changed. This says what it would have done "
             "for these jobs, and nothing of other seeds: somnus experiment does.")
    return joined([table(f"What would have helped under {label}", head, rows, sortable=True),
                   element("p", words, class_="small")])


def _beside(value: float, base: float) -> str:
    return number(value) if value == base or not base else f"{number(value)} ({value / base - 1:+.1%})"


def _bar(shares: pd.Series) -> Markup:
    return element("span", joined(
        Markup(f'<i class="c-{cause}" style="width:{100 * shares[cause]:.2f}%"></i>')
        for cause in CAUSES if shares[cause] > 0), class_="bar", aria_hidden="true")


def _key(cause: str) -> Markup:
    return Markup(f'<i class="key c-{cause}" aria-hidden="true"></i>')


def _in_words(shares: pd.Series) -> str:
    items = sorted(((shares[cause], cause) for cause in CAUSES if shares[cause] >= SHARE_NAMED),
                  reverse=True)
    return ", ".join(f"{cause} {100 * share:.0f} %" for share, cause in items) or "it did not wait"


def starved_users(label: str, log: Log) -> Markup:
    found = worst.starved_users(log, STARVED_USERS)
    if len(found) < 2:
        return element("p", "All jobs are one user's." if len(found) else "No user has a job yet.",
                       class_="small")
    rows = [[Cell(printable(str(user))), Cell(number(row["weight"]), row["weight"]),
             Cell(count(int(row["jobs_submitted"])), row["jobs_submitted"]),
             *(Cell(number(row[key]), row[key]) for key in
               ("slowdown_mean", "response_mean_s", "longest_without", "since"))]
            for user, row in found.iterrows()]
    return table(f"Users under {label}, by the longest time with a task ready and none running",
                 ["user", "weight", "jobs", "slowdown, mean", "response, mean [s]",
                  "longest without [s]", "since [s]"], rows, sortable=True)


def audited(labels: Sequence[str], audits: Sequence[Audit]) -> Markup:
    """A line an invariant; those that some log breaks stand first, with its row."""
    if all(each.missing for each in audits) and len({each.missing for each in audits}) == 1:
        return element("p", "Not audited: ", audits[0].missing)
    items = [f"{label} was not audited: {each.missing}" for label, each in zip(labels, audits) if each.missing]
    items += [f"{label}, {one.verdict}: {one.invariant}: {count(one.offences)} of {count(one.checked)} offend, "
             f"first {one.first}"
             for label, each in zip(labels, audits) for one in each.findings if one.offences]
    whole = [label for label, each in zip(labels, audits)
             if each.findings and not any(one.offences for one in each.findings)]
    if whole:
        items.insert(0, f"Every invariant holds: {', '.join(whole)}")
    by_name = [{one.invariant: one for one in each.findings} for each in audits]
    invariants = list(dict.fromkeys(name for each in by_name for name in each))
    rows = [[Cell(name), *(_found(each.get(name)) for each in by_name)] for name in invariants]
    words = ("BROKEN is a bug of Somnus or of the policy, or a log that was changed; noted is what nobody "
             "promised for this run; a number is how many things were looked at.")
    return joined([element("ul", joined(element("li", each) for each in items)) if items else Markup(""),
                   table("Invariants of the logs", ["", *labels], rows, class_="audit"),
                   element("p", words, class_="small")])


def _found(finding: Finding | None) -> Cell:
    if finding is None:
        return Cell("–")
    note = element("span", f" {finding.note}", class_="small") if finding.note else ""
    return Cell(joined([safe(f"{finding.verdict} {count(finding.checked)}"), safe(note)]))


def in_short(those: Sequence[comparison.Contender], found: Sequence[facts.Faithfulness],
             labels: Sequence[str], waits: Sequence[pd.DataFrame], logs: Sequence[Log],
             audits: Sequence[Audit]) -> Markup:
    """What a reader takes home."""
    items = [comparison.verdict(those)]
    wrong = [f"{label} ({each.verdict})" for label, each in zip(labels, found)
             if each.verdict not in ("exact", "kept up", "not measured")]
    if wrong:
        items.append(f"Times may mislead: {', '.join(wrong)}.")
    elif all(each.simulated for each in found):
        items.append("All runs are simulations, in which nothing is late." if len(found) > 1 else
                    "A simulation, in which nothing is late.")
    elif all(each.verdict in ("kept up", "exact") for each in found):
        items.append("All ranks kept up.")
    items += _chief_causes(those, dict(zip(map(id, logs), waits)))
    broken = [label for label, each in zip(labels, audits) if each.broken]
    if broken:
        items.append(f"`somnus check` finds an invariant broken under {', '.join(broken)}.")
    return element("ul", joined(element("li", prose(each)) for each in items), class_="short")


def _chief_causes(those: Sequence[comparison.Contender], waits: dict[int, pd.DataFrame]) -> list[str]:
    """A sentence for each cause that most waiting of some contender is of; `waits` by the log's id."""
    chief: dict[str, list[str]] = {}
    for one in those:
        totals = sum(waits[id(log)][list(CAUSES)].sum() for log in one.logs)
        if totals.sum() > 0:
            share = percent(totals.max() / totals.sum())
            chief.setdefault(totals.idxmax(), []).append(f"{share} under {one.label}")
    return [f"Most waiting is “{cause}”, {WORDS[cause]}: {', '.join(shares)}."
            for cause, shares in chief.items()]
