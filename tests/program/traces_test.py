"""Schedulers with queues at nodes on real traces: every job ends, logs hold and replay exactly.

The traces are not ours to distribute; where they are absent, the test says so and is skipped.
"""

import json
from pathlib import Path

import pytest

from somnus_program import FINE, each, expect_equal, somnus

TRACES = Path(__file__).resolve().parents[3] / "shared/traces"

PRESETS = ("yarn", "yarn+q", "yaq-c", "mercury", "sparrow", "yaq-d")
# By trace: nodes of so many slots that are busy most of the time, and the trace's jobs and tasks.
CLUSTERS = {
    "hawk_traces/YH1_sub.tr.gz": (100, 40, 2910, 122_878),
    "hawk_traces/NYH_trace50.tr.gz": (20, 10, 5001, 100_350),
    "carbyne_dags/queries_bb.txt.gz": (40, 10, 21, 15_275),
}
pytestmark = pytest.mark.skipif(not all((TRACES / trace).exists() for trace in CLUSTERS),
                                reason=f"not all of them are in {TRACES}")


@each({f"{preset} on {Path(trace).name}": (preset, trace)
       for trace in CLUSTERS for preset in PRESETS})
def test_every_job_ends_and_the_log_holds_and_replays(folder, case):
    preset, trace = case
    nodes, slots, jobs, tasks = CLUSTERS[trace]
    (folder / "config.toml").write_text(
        f'[cluster]\nnodes = {nodes}\nslots_per_node = {slots}\n'
        f'[scheduler]\npolicy = "{preset}"\n[workload]\nfile = "{TRACES / trace}"\n')
    ended = somnus(folder, "simulate", "config.toml", "--log", "log.h5", "--json").expect(FINE)
    [one] = json.loads(ended.out)
    expect_equal((one["jobs_finished"], one["tasks_finished"]), (jobs, tasks), "what finished")
    somnus(folder, "check", "log.h5").expect(FINE)
    somnus(folder, "replay", "log.h5").expect(FINE, "every one equal")
