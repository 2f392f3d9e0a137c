"""replay --recorded: a log whose scheduler is gone is audited decision by decision. (The worlds of expect_clean and
of the tests of gangs, backfills, preemption and chaos are replayed so, too.)"""

import json

import h5py

from logs import mixed_jobs, write_config, write_workload
from policies import FIRST_FIT, table
from somnus_program import DIFFERENCE, FINE, WORLD, each, expect_equal, somnus


def log_of_a_process_that_is_gone(folder):
    (folder / "policy.py").write_text(FIRST_FIT)
    write_workload(folder, mixed_jobs(20))
    write_config(folder, policy="external", scheduler=table(folder / "policy.py"))
    somnus(folder, "simulate", "config.toml", "--log", "a.h5").expect(FINE)
    (folder / "policy.py").unlink()
    return folder / "a.h5"


def test_a_log_is_replayed_without_its_process(folder):
    log_of_a_process_that_is_gone(folder)
    somnus(folder, "replay", "a.h5").expect(WORLD, "--recorded")
    somnus(folder, "replay", "--recorded", "a.h5").expect(FINE, "every one could be made", "nobody decided them again")
    [found] = json.loads(somnus(folder, "replay", "--recorded", "a.h5", "--json").expect(FINE).out)
    expect_equal(found["recorded"], True, "recorded")


def onto_one_node(launches):
    launches["node"][5:9] = launches["node"][4]  # more than it has slots


def another_task(launches):
    launches["task"][7] += 1


def another_attempt(launches):
    launches["attempt"][3] += 1


@each({"a node beyond its slots": (onto_one_node, "can't be followed"),
       "a task that is not next": (another_task, "then launch task"),
       "an attempt that is not next": (another_attempt, "then launch task")})
def test_what_could_not_be_decided_is_found(folder, change):
    log = log_of_a_process_that_is_gone(folder)
    forge, words = change
    with h5py.File(log, "r+") as file:
        launches = file["decisions/launch"][()]
        forge(launches)
        file["decisions/launch"][()] = launches
    somnus(folder, "replay", "--recorded", "a.h5").expect(DIFFERENCE, "round", words)


@each({each: each for each in ("yaq-c", "yaq-d", "mercury", "sparrow", "uwfq-p", "paf", "conservative")})
def test_what_published_schedulers_decided_is_replayed(folder, preset):
    write_workload(folder, [{**job, "limit_s": 60} for job in mixed_jobs(20)])
    write_config(folder, policy=preset)
    somnus(folder, "simulate", "config.toml", "--log", "a.h5").expect(FINE)
    somnus(folder, "replay", "--recorded", "a.h5").expect(FINE, "could be made")
