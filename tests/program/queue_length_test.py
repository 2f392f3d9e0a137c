"""queue-length: the paper's examples through the command line, and every mistake in one go."""

import json
import re

from somnus_program import FINE, MISTAKE, each, expect, expect_equal, somnus


def words_of(**options) -> list[str]:
    return [word for name, value in options.items()
            for word in ("--" + name.replace("_", "-"), value)]


def asked(folder, **options) -> dict:
    ended = somnus(folder, "queue-length", *words_of(**options), "--json").expect(FINE)
    return json.loads(ended.out)


def test_heartbeat_and_utilization_have_the_papers_values_by_default(folder):
    found = asked(folder, slots=10, task_duration=10)
    expect_equal(found, asked(folder, slots=10, task_duration=10, heartbeat=3, utilization=0.95),
                 "answers")
    expect_equal(found["queue_length"], {"fixed": 0, "chernoff": 8, "erlang": 6, "utilization": 2},
                 "what the paper says")


def test_the_text_says_what_the_json_says(folder):
    figures = asked(folder, slots=10, task_duration=10)
    text = somnus(folder, "queue-length", "--slots", 10, "--task-duration", 10).expect(FINE).out
    for rule, queue in figures["queue_length"].items():
        expect(re.search(rf"^{rule} +{queue}  \w", text, re.MULTILINE), f"no {rule} in {text}")
    rows = re.findall(r"^ *(\d+) +([\d.]+) % +([\d.]+) %$", text, re.MULTILINE)
    expect_equal(rows, [(str(row["queue_length"]), f"{100 * row['utilization']:.2f}",
                         f"{100 * row['heartbeats_without_idle_slot']:.2f}")
                        for row in figures["table"]], "rows")
    expect_equal([int(row[0]) for row in rows], list(range(9)), "queues, to the longest asked")


def test_a_table_of_long_queues_has_few_rows_and_every_answer(folder):
    figures = asked(folder, slots=1000, task_duration=0.1)
    queues = [row["queue_length"] for row in figures["table"]]
    expect(len(queues) <= 30, f"{len(queues)} rows")
    expect(set(figures["queue_length"].values()) <= set(queues), f"answers are missing: {queues}")
    expect_equal(queues, sorted(queues), "order")


def test_all_mistakes_are_reported_at_once(folder):
    ended = somnus(folder, "queue-length", "--slots", "2.5", "--heartbeat", "soon",
                   "--utilization", "1").expect(MISTAKE)
    keys = [line.split(":")[0] for line in ended.err.strip().splitlines()]
    expect_equal(keys, ["--slots", "--heartbeat", "--task-duration", "--utilization"], "keys")
    ended.expect(MISTAKE, "found '2.5'", "found 'soon'", "missing", "found '1'")
    expect_equal(ended.out, "", "stdout")


@each({
    "no slot": dict(slots=0, task_duration=1),
    "a heartbeat of nothing": dict(slots=1, task_duration=1, heartbeat=0),
    "a task that ends before it starts": dict(slots=1, task_duration=-1),
    "an idle node": dict(slots=1, task_duration=1, utilization=0),
    "a time that is no number": dict(slots=1, task_duration="nan"),
    "more ends than can be summed": dict(slots=1000000, task_duration=0.1),
})
def test_what_cannot_be_is_the_users_mistake(folder, options):
    ended = somnus(folder, "queue-length", *words_of(**options)).expect(MISTAKE)
    expect_equal(len(ended.err.strip().splitlines()), 1, f"lines in {ended.err!r}")
