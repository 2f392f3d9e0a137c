import math
import tomllib

import pytest

from logs import Job, Task, write_log
from somnus.analysis import load
from somnus.analysis.papers.common.verdicts import judge
from somnus.analysis.papers.yaq import details, measures, runs
from somnus.analysis.papers.yaq import experiments as yaq
from somnus.analysis.papers.yaq import paper as yaq_paper

# --- the paper as data ---

@pytest.mark.parametrize(("titles", "variants"), [
    (yaq_paper.UTILISED, runs.UTILISED), (yaq_paper.CENTRALIZED, runs.CENTRALIZED),
    (yaq_paper.DISTRIBUTED, runs.DISTRIBUTED), (yaq_paper.BOUNDS, runs.BOUNDS),
    (yaq_paper.PLACEMENTS, runs.PLACEMENTS), (yaq_paper.ORDERS, runs.ORDERS),
    (yaq_paper.THRESHOLDS, runs.THRESHOLDS), (yaq_paper.HEAVY, runs.HEAVY),
])
def test_every_variant_of_a_figure_has_its_run(titles, variants):
    assert set(titles) == set(variants)


def test_the_papers_throughputs_keep_as_many_slots_busy_as_the_reasons_say():
    slots = {name: numbers["throughput"] / 60 * 59.4 * 22.9
             for said in (yaq_paper.TABLE_3_VALUES, yaq_paper.TABLE_4_VALUES)
             for name, numbers in said.items()}
    assert [round(slots[name]) for name in ("yarn", "sparrow", "mercury", "yaq-d")] == [
        200, 120, 131, 376]
    no_reorder = yaq_paper.TABLE_3_VALUES["no-reorder"]
    waiting = no_reorder["throughput"] / 60 * 59.4 * no_reorder["queuing.mean"]
    assert round(waiting) == 400 > 80 * 4


def test_the_configs_are_of_the_papers_cluster():
    for name in yaq.PAPER.configs:
        config = tomllib.loads((yaq.PAPER.folder / name).read_text())
        assert config["cluster"]["nodes"] == 80
        assert config["estimate"]["model"] == "stage-mean"


# --- what is measured ---

def run(folder, name, jobs, tasks=(), nodes=(4,), **more):
    return load(write_log(folder / f"{name}.h5", jobs, tasks, nodes=nodes, **more))


def test_a_run_tells_of_waits_throughput_and_completion_from_either_moment(tmp_path):
    log = run(tmp_path, "log", [Job(0, 10, first_start=0), Job(0, 30, first_start=20)],
              [Task(0, 0, 10), Task(1, 20, 30, queued=16)])
    values = measures.of_run(log)
    assert values["queuing.mean"] == 2 and values["queuing.deviation"] == 2
    assert values["throughput"] == 4  # two jobs in half a minute
    assert (values["median"], values["median.first"]) == (20, 10)


def test_where_no_task_waited_there_is_no_queuing_delay(tmp_path):
    values = measures.of_run(run(tmp_path, "log", [Job(0, 10, first_start=0)], [Task(0, 0, 10)]))
    assert math.isnan(values["queuing.mean"]) and values["median"] == 10


def centralized(tmp_path, **ends):
    """One job each, from 0 on; its first task starts halfway to the end."""
    return {name: run(tmp_path, name, [Job(0, end, first_start=end / 2)],
                      [Task(0, end / 2, end, queued=0)])
            for name, end in {**dict.fromkeys(yaq_paper.CENTRALIZED, 10), **ends}.items()}


def test_claims_about_completion_compare_the_variants_that_they_name(tmp_path):
    logs = centralized(tmp_path, yarn=34, **{"yaq-c": 20, "yaq-c-srjf": 8, "yarn+q": 17})
    values = measures.table_3(logs)
    assert values["claim.median"] == values["claim.median.first"] == pytest.approx(1.7)
    assert values["claim.median.all"] == pytest.approx(4.25)
    assert values["claim.everywhere"] == pytest.approx(1.7)
    assert values["claim.naive"] == 0.5
    assert values["claim.throughput"] == pytest.approx(1.7)
    assert values["claim.queuing"] == 2  # 10 s against 5 s of the others


def test_shares_are_measured_once_the_cluster_is_full(tmp_path):
    # Queue A alone for a minute, then three slots of A to one of B.
    tasks = [Task(0, 0, 160, slot=0), Task(0, 60, 160, slot=1), Task(0, 60, 160, slot=2),
             Task(1, 60, 160, slot=3)]
    log = run(tmp_path, "log", [Job(0, 160, tasks=3), Job(0, 160, queue=1)], tasks,
              queues=("A", "B"))
    values = measures.figure_8(log)
    assert values["A.mean"] == pytest.approx(75) and values["B.mean"] == pytest.approx(25)
    assert values["A.farthest"] == pytest.approx(5)
    assert values["claim.momentary"] == 0


def test_a_share_far_off_is_counted_by_its_time(tmp_path):
    tasks = [Task(0, 0, 160, slot=0), Task(1, 135, 160, slot=1)]
    log = run(tmp_path, "log", [Job(0, 160), Job(0, 160, queue=1)], tasks, queues=("A", "B"))
    # Of ten bins of 10 s seven are all A's and the eighth is two thirds, before it is one half.
    assert measures.figure_8(log)["claim.momentary"] == pytest.approx(90)


def test_rising_utilisation_allows_for_the_smallest_step(tmp_path):
    def busy(percent):  # one slot of a hundred a percent; the makespan is the first task's
        return run(tmp_path, f"busy-{percent}", [Job(0, 10)],
                   [Task(0, 0, 10, slot=slot) for slot in range(percent)], nodes=(100,))

    by_length = dict(zip(yaq_paper.LENGTHS, (60, 70, 80, 90, 96, 95)))
    logs = {name: {length: busy(percent) for length, percent in by_length.items()}
            for name in yaq_paper.UTILISED}
    values = measures.figure_9(logs)
    assert values["claim.short"] == pytest.approx(96)
    assert values["claim.longer"] == pytest.approx(90 / 96)
    assert values["claim.rising"] == pytest.approx(-1)
    text = details.utilisation({key: [value] for key, value in values.items()})
    head, _, rows = text.partition("---")
    assert "YARN |" in head and rows.splitlines()[1].startswith("5 s ") and "96.00" in rows


def test_the_papers_own_examples_of_queue_lengths_are_exact():
    wanted = {each.key: each for each in yaq_paper.FIGURE_5.expectations if each.target}
    assert set(wanted) == set(yaq_paper.EXAMPLES)
    assert all(each.exact for each in wanted.values())
    verdicts = judge(yaq_paper.FIGURE_5, {key: [value] for key, value in
                                          yaq_paper.EXAMPLES.items()})
    assert all(each.holds for each in verdicts)
