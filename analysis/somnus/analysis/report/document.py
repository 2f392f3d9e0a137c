"""One log or several as one page: `write_report(logs, path)`."""

import json
import string
from collections.abc import Sequence
from pathlib import Path

from somnus.analysis.base import output
from somnus.analysis.base.program import Somnus, find_program
from somnus.analysis.figures import style
from somnus.analysis.reading.log import Log, read_summaries
from somnus.analysis.report import ahead, comparison, facts, rigid_jobs, sections, series, state, wait_causes, what_if, worst
from somnus.analysis.report.audit import audits_of
from somnus.analysis.report.markup import Markup, element, joined, safe
from somnus.analysis.report.pack import Packed, pack
from somnus.analysis.report.source import source
from somnus.analysis.report.timeline import Clock, attempt_columns, job_columns, lanes

MOST_ATTEMPTS = 1_500_000  # in a page: about 11 MB
SCRIPTS = ("unpack.js", "words.js", "palette.js", "tables.js", "figures.js", "view.js", "cluster.js",
           "job.js", "timeline.js", "main.js")


def write_report(logs: Sequence[Log], path: Path, program: Path | None = None, force: bool = False,
                 asks_what_if: bool = False) -> None:
    """Writes it whole or not at all, over another file with `force` alone.

    `program`: see find_program; it audits the logs and has their figures. asks_what_if: also what would have
    helped the worst jobs, which takes a few simulations of each log. Raises UserError, ProgramError, OSError.
    """
    inputs = [log.path for log in logs]
    output.require_allowed(path, inputs, force)
    output.write(path, page(logs, program, asks_what_if), inputs, force)


def page(logs: Sequence[Log], program: Path | None = None, asks_what_if: bool = False) -> str:
    somnus = Somnus(find_program(program))
    auditing = audits_of(logs, somnus)
    read_summaries(logs, program)
    those = comparison.contenders(logs)
    labels = comparison.run_labels(those, logs)
    places = style.places(one.label for one in those)
    place_of = {id(log): places[one.label] for one in those for log in one.logs}
    waits = [wait_causes.by_job(log) for log in logs]
    found = [facts.faithfulness(log) for log in logs]
    worst_jobs = [worst.worst_jobs(log, each, sections.WORST_JOBS) for log, each in zip(logs, waits)]
    room = MOST_ATTEMPTS // len(logs)
    runs, blobs = [], []
    for index, log in enumerate(logs):
        clock = Clock.of(log)
        columns, left_out = attempt_columns(log, clock, room, worst_jobs[index].index.to_numpy(int))
        packed = {"attempts": pack(columns), "jobs": pack(job_columns(log, clock, waits[index]))}
        blobs += [_blob(f"{kind}-{index}", each) for kind, each in packed.items()]
        runs.append(_run(labels[index], place_of[id(log)], log, clock, packed, left_out))
    names = _names(logs, runs)
    audits = [each.result() for each in auditing]
    data = {"runs": runs, "names": names, "causes": wait_causes.WORDS, "time": series.over_time(logs),
            "response": series.percentiles(logs, "response_time"),
            "slowdown": series.percentiles(logs, "slowdown")}
    return string.Template(source("page.html")).substitute(
        title=element("title", f"Somnus: {comparison.headline(those)}"),
        style=source("vendor/uPlot.min.css") + source("style.css"),
        heading=safe(comparison.headline(those)),
        notes=sections.notes([*labels] * 3, [*map(facts.rigid_jobs, logs), *map(facts.overload, logs),
                                             *map(state.sentence, logs)]),
        short=sections.in_short(those, found, labels, waits, logs, audits),
        run=sections.what_was_run(labels, logs),
        faithful=sections.faithful(labels, found),
        won=joined([sections.who_won(those), rigid_jobs.rigid_jobs(labels, logs)]),
        why=sections.why_in_total(labels, logs, waits),
        next=joined(_of_run(index, joined([
            sections.worst_jobs(index, label, worst_jobs[index],
                                ahead.ahead(log, worst_jobs[index].index.to_numpy(int)), log),
            *([sections.what_if(label, what_if.what_if(log, somnus), list(worst_jobs[index].index))]
              if asks_what_if else []),
            element("h3", "Users"),
            sections.starved_users(label, log)]))
            for index, (label, log) in enumerate(zip(labels, logs))),
        audit=sections.audited(labels, audits),
        data=_json(data), blobs=joined(blobs),
        library=source("vendor/uPlot.iife.min.js"),
        library_licence=element("pre", source("vendor/uPlot.LICENSE"), tabindex="0"),
        library_size=f"{len(source('vendor/uPlot.iife.min.js')) / 1000:.0f} kB",
        script="\n".join(source(name) for name in SCRIPTS),
        version=f"somnus {logs[0].attributes.get('somnus_version')}",
    )


def _run(label: str, place: int, log: Log, clock: Clock, packed: dict[str, Packed], left_out: int) -> dict:
    return {
        "label": label, "place": place, "origin": clock.origin, "tick": clock.tick, "span": clock.span,
        "lanes": lanes(log), "slots": log.slots, "leftOut": left_out,
        "stages": [int(stage) for stage in log.stages["stage"]] if len(log.stages) > len(log.jobs) else [],
        **{kind: each.columns for kind, each in packed.items()},
    }


def _names(logs: Sequence[Log], runs: list[dict]) -> list[dict]:
    """Names of jobs and users, once for all runs that have the same; each run says which."""
    found = []
    for log, run in zip(logs, runs):
        names = {kind: log.names.get(kind, []) for kind in ("jobs", "users")}
        if names not in found:
            found.append(names)
        run["names"] = found.index(names)
    return found


def _of_run(index: int, content: Markup) -> Markup:
    return element("div", content, data_of_run=index)


def _blob(name: str, packed: Packed) -> Markup:
    return element("script", Markup(packed.text), type="application/octet-stream", id=name)


def _json(data: dict) -> str:
    """As it may stand in a page: nothing in it can end the script."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
