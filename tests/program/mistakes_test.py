"""The user's mistakes, through `simulate`: exit code 2, the place, what was expected, no log."""

import gzip
import json

from logs import mixed_jobs, write_config, write_workload
from somnus_program import FINE, MISTAKE, each, expect, expect_equal, somnus

GOOD = {
    "cluster": "nodes = 4\nslots_per_node = 2",
    "scheduler": 'policy = "fair"',
    "workload": 'file = "workload.jsonl"',
}


def config(**tables) -> str:
    """GOOD with tables exchanged."""
    return "".join(f"[{name}]\n{text}\n" for name, text in {**GOOD, **tables}.items())


def expect_mistakes(folder, *places_and_words, arguments=("config.toml",)):
    """Each of `places_and_words` stands in one line of its own, and no other line is there."""
    before = sorted(folder.rglob("*"))
    ended = somnus(folder, "simulate", *arguments, "--log", "run.h5").expect(MISTAKE)
    lines = ended.err.strip().splitlines()
    for words in places_and_words:
        expect(any(all(word in line for word in words) for line in lines),
               f"no line says {words}: {ended.err}")
    expect_equal(len(lines), len(places_and_words), f"lines in {ended.err!r}")
    expect_equal(ended.out, "", "stdout")
    expect_equal(sorted(folder.rglob("*")), before, "files")


@each({
    "a node without slots": (config(cluster="nodes = 4\nslots_per_node = 0"),
                             ("config.toml:3:18: cluster.slots_per_node:", "found 0")),
    "an unknown partitioner": (config(scheduler='policy = "fair"\npartitioner = "by-time"'),
                               ("config.toml:6:15: scheduler.partitioner:", "'by-time'", "'by-size'")),
    "half a partition": (config(scheduler='policy = "fair"\nby-size.partitions = 2.5'),
                         ("config.toml:6:22: scheduler.by-size.partitions:", "whole number")),
    "a partitioner that is not chosen":
        (config(scheduler='policy = "fair"\nby-runtime.min_partitions = 2'),
         ("config.toml:6:1: scheduler.by-runtime:", "ignored", 'partitioner = "by-runtime"')),
    "an advisory run time of nothing":
        (config(scheduler='policy = "fair-p"\nby-runtime.advisory_task_runtime_s = 0'),
         ("config.toml:6:", "advisory_task_runtime_s", "above 0 s")),
    "five at once": (config(cluster="nodes = 0\nslots_per_node = 2.5", scheduler='policy = "faire"',
                            run="speed = nan\nuntil_s = -1"),
                     ("config.toml:2:9:",), ("config.toml:3:18:",), ("config.toml:5:10:",),
                     ("config.toml:9:9:",), ("config.toml:10:11:",)),
})
def test_a_bad_config(folder, case):
    text, *mistakes = case
    write_workload(folder, mixed_jobs(3))
    (folder / "config.toml").write_text(text)
    expect_mistakes(folder, *mistakes)


def test_a_config_that_is_missing_or_a_folder(folder):
    expect_mistakes(folder, ("config.toml", "no such file"))
    (folder / "config.toml").mkdir()
    expect_mistakes(folder, ("config.toml", "directory"))


def job(**keys) -> str:
    return json.dumps({"job": "a", "submit": 0, **keys})


HEADER = '{"somnus_workload": 1, "name": "bad"}'


@each({
    "all of a workload": (
        config(), [HEADER, job(submit=-1, durations=[1]), "hello", job(job="b", durations=[]),
                   job(job="c", durations=[1], wieght=2)],
        ("workload.jsonl:2:24:",), ("workload.jsonl:3:1:",), ("workload.jsonl:4:", "durations"),
        ("workload.jsonl:5:", "'weight'")),
    "work that is cut by what nobody knows": (
        config(scheduler='policy = "uwfq-p"', estimate='model = "naive"'), [HEADER, job(work=10)],
        ("config.toml", "scheduler.partitioner", "naive")),
    "work that is cut too small": (
        config(scheduler='policy = "fair-p"\nby-runtime.advisory_task_runtime_s = 1e-7'),
        [HEADER, job(work=100)], ("config.toml", "by-runtime", "more than 100000000 tasks")),
    "a demand that fits no node": (
        config(cluster="nodes = 4\nresources = { cpu = 2 }"),
        ['{"somnus_workload": 1, "name": "big", "resources": ["cpu"]}',
         job(durations=[1], demand={"cpu": 3})], ("workload.jsonl", "cpu = 3", "fits no node")),
})
def test_a_bad_workload(folder, case):
    text, lines, *mistakes = case
    (folder / "workload.jsonl").write_text("\n".join(lines) + "\n")
    (folder / "config.toml").write_text(text)
    expect_mistakes(folder, *mistakes)


def test_what_is_wrong_for_all_policies_is_reported_once(folder):
    (folder / "workload.jsonl").write_text(f"{HEADER}\n{job(submit=-1, durations=[1])}\n")
    (folder / "config.toml").write_text(config())
    partitioned = ("config.toml", "--policy", "fair,fair-p")
    expect_mistakes(folder, ("workload.jsonl:2:24: submit:",), arguments=partitioned)


def write_half_a_gzip(path):
    write_workload(path.parent, mixed_jobs(50), path.name)
    raw = gzip.compress(path.read_bytes())
    path.write_bytes(raw[: len(raw) // 2])


@each({"missing": (lambda path: None, "No such file"), "empty": (lambda path: path.touch(), "empty"),
       "without its first line": (lambda path: path.write_text(job(durations=[1]) + "\n"),
                                  "somnus_workload"),
       "truncated gzip": (write_half_a_gzip, "cut off"),
       "noise": (lambda path: path.write_bytes(b"\x00\xff\x7f" * 1000), "found no text: byte 1 is 0"),
       "a folder": (lambda path: path.mkdir(), "directory")})
def test_a_workload_that_is(folder, case):
    write, words = case
    write(folder / "workload.jsonl")
    (folder / "config.toml").write_text(config())
    expect_mistakes(folder, ("workload.jsonl", words))


def test_stages_that_prefer_nodes_which_the_cluster_lacks(folder):
    write_workload(folder, [
        {"job": "a", "submit": 0, "durations": [1], "affinity": [3, 0]},
        {"job": "b", "submit": 1, "durations": [1], "affinity": [1, 4, 9]},
        {"job": "c", "submit": 2, "stages": [{"durations": [1]},
                                             {"parents": [0], "durations": [1], "affinity": [4]}]}])
    (folder / "config.toml").write_text(config())
    expect_mistakes(folder,
                    ("workload.jsonl", "job 'b', stage 0", "names nodes 4, 9;", "nodes 0 to 3"),
                    ("workload.jsonl", "job 'c', stage 1", "names node 4;", "nodes 0 to 3"))


def test_all_mistakes_of_all_configs_in_one_go(folder):
    write_workload(folder, mixed_jobs(3))
    write_config(folder, "a.toml", nodes=0)
    write_config(folder, "b.toml", policy="faire")
    write_config(folder, "c.toml")
    expect_mistakes(folder, ("a.toml:2:9:",), ("b.toml:6:10:",),
                    arguments=("a.toml", "b.toml", "c.toml"))


def write_queues(folder, *capacities):
    """Jobs in the queues A and B, and configs a.toml, b.toml, ... that share them out so."""
    jobs = [{**job, "queue": "AB"[at % 2]} for at, job in enumerate(mixed_jobs(6))]
    write_workload(folder, jobs)
    names = [f"{letter}.toml" for letter, _ in zip("abc", capacities)]
    for seed, (name, shares) in enumerate(zip(names, capacities)):  # other seeds, other logs
        write_config(folder, name, more=f"[run]\nseed = {seed}\n",
                     scheduler=f'order = "capacity"\ncapacity.capacities = {{ {shares} }}')
    return names


def test_capacities_of_queues_that_are_not_those_of_the_workload(folder):
    names = write_queues(folder, "A = 70, B = 30", "A = 70, B = 20, C = 10", "A = 70")
    expect_mistakes(folder,
                    ("b.toml: scheduler.capacity.capacities:",
                     "there is no queue 'C' in the workload; it has A, B"),
                    ("c.toml: scheduler.capacity.capacities:", "queue 'B' has no capacity"),
                    arguments=names)
    somnus(folder, "run", "b.toml", "--log", "run.h5").expect(MISTAKE, "there is no queue 'C'")
    expect(not (folder / "run.h5").exists(), "a log of a run that never was")


@each({"an unknown key": ("run.speeed=3", "did you mean 'speed'?"),
       "an unknown table": ("rnu.speed=3", "rnu"),
       "a wrong value": ("cluster.nodes=many", "whole number")})
def test_a_bad_override(folder, case):
    override, words = case
    write_workload(folder, mixed_jobs(3))
    write_config(folder)
    expect_mistakes(folder, ("--set " + override, words),
                    arguments=("config.toml", "--set", override))


def test_an_unknown_policy_on_the_command_line(folder):
    write_workload(folder, mixed_jobs(3))
    write_config(folder)
    expect_mistakes(folder, ("faire", "did you mean 'fair'?"),
                    arguments=("config.toml", "--policy", "fifo,faire"))


def test_parameters_of_a_scheduler_in_whose_place_others_are_asked_for_are_no_mistake(folder):
    (folder / "workload.jsonl").write_text(f"{HEADER}\n{job(durations=[1])}\n")
    (folder / "config.toml").write_text(config() + "\n[scheduler.las]\nqueues = 3\n")
    somnus(folder, "simulate", "config.toml", "--policy", "fair,fair+order=las").expect(FINE)
    somnus(folder, "simulate", "config.toml", "--policy", "fair,srpt").expect(FINE)
    expect_mistakes(folder, ("config.toml", "scheduler.las: ignored with"), arguments=("config.toml",))
    (folder / "config.toml").write_text(config())
    expect_mistakes(folder, ("--set scheduler.las.queues=3", "scheduler.las: ignored with"),
                    arguments=("config.toml", "--policy", "fair,srpt", "--set", "scheduler.las.queues=3"))
    (folder / "config.toml").write_text(config() + "\n[scheduler.las]\nqueues = 0\n")
    expect_mistakes(folder, ("config.toml", "scheduler.las.queues: expected"),
                    arguments=("config.toml", "--policy", "fair,fair+order=las"))
