"""How a process is named in a config, in a log, and in place of what a config has."""

import os
import subprocess
import sys

from logs import mixed_jobs, write_config, write_workload
from orders import external
from somnus_program import DIFFERENCE, FINE, MISTAKE, WORLD, expect, expect_equal, program, somnus


def test_a_file_beside_the_config_is_found_from_any_folder(folder):
    here = folder / "here"
    here.mkdir()
    (here / "least.py").write_text("import somnus\nclass Least(somnus.Order):\n    events = ()\n"
                                   "    def key(self, unit): return unit.slot_time\nsomnus.serve(Least())\n")
    write_workload(here, mixed_jobs(10))
    write_config(here, scheduler='order = "external"\n[scheduler.external]\n'
                 f'command = ["{sys.executable}", "./least.py"]\n')
    for at, config in ((folder, "here/config.toml"), (here, "config.toml"), (here.parent, here / "config.toml")):
        somnus(at, "simulate", config, "--log", "a.h5", "--force").expect(FINE, "fair: order=least.py")
    (folder / "elsewhere").mkdir()
    somnus(folder / "elsewhere", "replay", folder / "a.h5").expect(FINE)
    somnus(folder, "simulate", "here/config.toml", "--set", f'scheduler.external.command=["{sys.executable}","least.py"]').expect(
        WORLD, "least.py", "has ended with exit code 2")  # a name alone is looked for in the working directory


def test_replay_says_what_it_needs_where_the_process_is_gone(folder):
    write_workload(folder, mixed_jobs(10))
    script = folder / "least.py"
    script.write_text("import somnus\nclass Least(somnus.Order):\n    events = ()\n"
                      "    def key(self, unit): return unit.slot_time\nsomnus.serve(Least())\n")
    write_config(folder, scheduler=external(script))
    somnus(folder, "simulate", "config.toml", "--log", "a.h5").expect(FINE)
    script.rename(folder / "moved.py")
    somnus(folder, "replay", "a.h5").expect(WORLD, "a.h5: the order '", "least.py", "has ended with exit code 2",
                                            "--set 'scheduler.external.command=", "scheduler.external.socket")
    command = f'scheduler.external.command=["{sys.executable}", "moved.py"]'
    somnus(folder, "replay", "a.h5", "--set", command).expect(FINE, "every one equal")
    (folder / "moved.py").write_text((folder / "moved.py").read_text().replace("unit.slot_time", "-unit.slot_time"))
    somnus(folder, "replay", "a.h5", "--set", command).expect(DIFFERENCE, "round ")


def test_what_the_config_has_for_another_scheduler_is_left_out_where_one_is_asked_for(folder):
    write_workload(folder, mixed_jobs(10))
    write_config(folder, policy="yaq-c", scheduler='order = "srpt"\nsrpt.level = "stage"\n[scheduler.external]\n'
                 'command = ["true"]\n', more="[queue]\nlength = 7\n")
    somnus(folder, "simulate", "config.toml").expect(MISTAKE, "scheduler.external: ignored")
    somnus(folder, "simulate", "config.toml", "--policy", "fair").expect(FINE, "fair: order=srpt, srpt.level=stage")
    somnus(folder, "simulate", "config.toml", "--policy", "tetris").expect(FINE, "tetris")
    somnus(folder, "simulate", "config.toml", "--policy", "tetris", "--set", "queue.length=3").expect(
        MISTAKE, "queue: ignored")
    somnus(folder, "simulate", "config.toml", "--policy", "tetris", "--set", "scheduler.order=fifo").expect(
        MISTAKE, "scheduler.order: ignored")
    (folder / "e.toml").write_text('axes = {policy = ["tetris"]}\nexperiment = {config = "config.toml", seeds = 1}\n')
    somnus(folder, "experiment", "e.toml", "-o", "out").expect(FINE, "tetris")


def test_a_whole_policy_that_is_tried_as_an_order_is_told_how(folder):
    (folder / "policy.py").write_text("import somnus\nclass Idle(somnus.Policy):\n    def plan(self, now): pass\nsomnus.serve(Idle())\n")
    tried = somnus(folder, "protocol", "--", sys.executable, "policy.py")
    tried.expect(WORLD, "--level policy", "Idle is a whole policy")
    expect('> {"init"' in tried.out and '> {"init"' not in tried.err, "what is said goes to standard output")


def test_who_reads_no_further_ends_the_program_in_silence(folder):
    for words in ("protocol", "policies", "policies --json", "help --markdown", "config", "workload make"):
        reader, writer = os.pipe()
        os.close(reader)  # as `head` does when it has seen enough
        done = subprocess.run([program(), *words.split()], cwd=folder, stdout=writer, stderr=subprocess.PIPE, text=True)
        os.close(writer)
        expect_equal((done.returncode, done.stderr), (FINE, ""), f"somnus {words} | head")
    with open("/dev/full", "w") as full:
        done = subprocess.run([program(), "policies"], cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True)
    expect_equal(done.returncode, WORLD, "a disk that is full is no reader who has seen enough")
    expect("No space left" in done.stderr, done.stderr)
