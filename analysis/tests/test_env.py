"""An environment is the program's own simulation: what is decided, what it is worth, and what is left behind."""

import gc
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import h5py
import numpy as np
import pytest

import logs
import somnus as package
from environments import (CONFIG, SELDOM, fewest_running, first_row, play, random_rows, same, total, unequal, write_config)
from somnus import Box
from somnus.view import NS
from somnus.analysis.base.errors import ProgramError

EASY = """
[cluster]
nodes = 100
slots_per_node = 1
[scheduler]
policy = "fifo"
[workload]
generator = "fixed"
"""


@pytest.fixture
def config(tmp_path, somnus) -> Path:
    return write_config(tmp_path)


@pytest.fixture(autouse=True)
def own_folder(monkeypatch, tmp_path_factory):
    """For temporary files of this test alone; its name is short, as a socket's has to be."""
    tmp_path_factory.getbasetemp()  # which is beside, and not in it
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setattr(tempfile, "tempdir", folder)
        yield


@pytest.fixture
def make(config):
    """Environments that are closed at the end; nothing of any may be left then."""
    made = []

    def one(**options):
        made.append(package.Env(options.pop("config", config), **options))
        return made[-1]

    before = left_behind()
    yield one
    for env in made:
        env.close()
    assert left_behind() == before


def left_behind() -> tuple[set[str], set[str]]:
    """Temporary files, and children of this process."""
    of_this_process = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    return {path.name for path in Path(tempfile.gettempdir()).iterdir()}, set(of_this_process)


def simulated(config: Path, policy: str, seed: int) -> Path:
    log = config.parent / f"{policy}.h5"
    done = logs.ask("simulate", config, "--policy", policy, "--seed", seed, "--log", log, "--quiet")
    assert done.returncode == 0, done.stderr
    return log


@pytest.mark.parametrize(("policy", "choose", "tasks_per_step"), [
    ("fifo", first_row, None), ("fifo", first_row, 1), ("fifo", first_row, 2), ("fair", fewest_running, 1)])
def test_choices_decide_as_the_built_in_policy_does(make, config, policy, choose, tasks_per_step):
    env = make(tasks_per_step=tasks_per_step)
    theirs = config.parent / "theirs.h5"
    steps = play(env, choose, seed=3, options={"log": theirs})
    assert len(steps) > 50
    assert unequal(simulated(config, policy, 3), theirs) == []


@pytest.mark.parametrize("tasks_per_step", [None, 1, 3])
def test_each_choice_is_launched_at_its_instant_and_the_log_is_sound(make, config, tasks_per_step):
    log = config.parent / "a.h5"
    chosen, draw = Counter(), random_rows(1)

    def choose(env):
        row = draw(env)
        stage = env.view.rows[row]
        chosen[env.view.now, stage.stage] += min(stage.runnable, env.view.free, tasks_per_step or stage.runnable)
        return row

    play(make(tasks_per_step=tasks_per_step), choose, seed=5, options={"log": log})
    with h5py.File(log) as file:
        tasks = file["tasks"][()]
    started = Counter((round(row["start"] * NS), int(row["stage"])) for row in tasks)
    assert len(chosen) > 50 and chosen <= started  # what is left without a choice is launched, too
    for command in ("check", "summary"):
        assert logs.ask(command, log).returncode == 0


@pytest.mark.parametrize("choose", [first_row, random_rows(2)])
def test_rewards_add_up_to_minus_the_response_times_of_the_log(make, config, choose):
    log = config.parent / "a.h5"
    episode = play(make(), choose, seed=4, options={"log": log})
    with h5py.File(log) as file:
        jobs = file["jobs"][()]
    assert len(jobs) == 8
    assert total(episode) == pytest.approx(-(jobs["finish"] - jobs["submit"]).sum(), rel=1e-9)


def test_makespan_and_slowdown_are_those_of_the_log(make, config):
    for reward, expected in (("makespan", lambda run: run["makespan_s"]),
                             ("slowdown", lambda run: run["slowdown_mean"] * run["jobs_finished"])):
        episode = play(make(reward=reward), seed=4)
        assert total(episode) == pytest.approx(-expected(episode[-1][4]["summary"]), rel=1e-9)


def test_a_reward_of_ones_own_gets_what_happened(make):
    ended = []

    def reward(elapsed, view):
        assert elapsed.began <= elapsed.now == view.now
        ended.extend(job.job for job in elapsed.ended)
        return -float(len(elapsed.ended))

    episode = play(make(reward=reward), seed=4)
    assert total(episode) == -len(ended) == -len(set(ended))
    assert 1 <= len(ended) <= 8


def test_an_observation_of_ones_own_has_its_space(make):
    def observe(view):
        return np.array([view.free, len(view.jobs)], np.float32)

    env = make(observe=(observe, Box(0, 100, (2,))), reward="makespan")
    for observation, *_ in play(env, seed=1):
        assert observation in env.observation_space


def test_one_seed_is_one_trajectory(make):
    one = play(make(), random_rows(1), seed=7)
    env = make()
    play(env, random_rows(9), seed=8)  # what went before does not matter
    assert same(one, play(env, random_rows(1), seed=7))
    assert not same(one[0], play(env, random_rows(1), seed=8)[0])


def test_episodes_without_a_seed_go_on_with_the_next(make):
    def seeds(env):
        return [env.reset(**given)[1]["seed"] for given in ({"seed": 7}, {}, {})]

    first, second = seeds(make()), seeds(make())
    assert first == second and first[0] == 7 and len(set(first)) == 3
    assert make().reset()[1]["seed"] != make().reset()[1]["seed"]  # by chance


def test_an_episode_is_cut_off_after_steps_or_time(make):
    steps = play(make(max_steps=5), seed=1)
    assert len(steps) == 6 and steps[-1][2:4] == (False, True)
    late = play(make(until_s=60), seed=1)
    assert late[-1][2:4] == (False, True)
    assert late[-2][4]["now_s"] < 60 <= late[-1][4]["now_s"]
    assert late[-1][0]["action_mask"].sum() == late[-1][4]["action_mask"].sum()
    with pytest.raises(RuntimeError, match="call reset"):
        make().step(0)


def test_a_log_is_a_new_file_and_opens_where_the_episode_was_cut_off(make, config):
    log = config.parent / "a.h5"
    env = make(max_steps=20)
    assert play(env, seed=1, options={"log": log})[-1][3]
    with h5py.File(log) as file:
        assert file.attrs["complete"] == 0 and len(file["jobs"])
    with pytest.raises(FileExistsError, match="is there already"):
        env.reset(options={"log": log})


def test_only_rows_with_a_stage_can_be_chosen(make):
    env = make()
    _, info = env.reset(seed=1)
    rows = int(info["action_mask"].sum())
    with pytest.raises(ValueError, match=rf"action {rows} is masked: rows 0 to {rows - 1} have a stage"):
        env.step(rows)
    with pytest.raises(ValueError, match="expected an action from 0 to 63, found -1"):
        env.step(-1)
    env.step(rows - 1)  # the episode goes on
    lenient = make(invalid="first")
    lenient.reset(seed=1)
    strict = make()
    strict.reset(seed=1)
    assert same(lenient.step(63), strict.step(0))


def test_the_stages_that_do_not_fit_are_hidden_until_there_is_room(make):
    def hide_some(env):
        assert len(env.view.rows) <= 2
        hidden.append(env.view.hidden)
        return len(env.view.rows) - 1

    hidden = []
    play(make(max_stages=2), hide_some, seed=1)
    assert max(hidden) > 0


def test_settings_hold_for_all_episodes_or_one(make):
    env = make(settings={"workload.jobs": 4})
    assert play(env, seed=1)[-1][4]["summary"]["jobs_finished"] == 4
    assert play(env, seed=1, options={"settings": {"workload.jobs": 5}})[-1][4]["summary"]["jobs_finished"] == 5
    with pytest.raises(ValueError, match="expected the options 'log' and 'settings', found 'lgo'"):
        env.reset(options={"lgo": "a.h5"})


def test_where_nothing_is_to_be_chosen_a_sentence_says_so(make, tmp_path):
    env = make(config=write_config(tmp_path, text=EASY))
    with pytest.raises(ValueError, match="there is nothing to choose in .* with seed 1:"):
        env.reset(seed=1)
    with pytest.raises(ValueError, match="there is nothing to choose in .* with 100 seeds:"):
        env.reset()


def test_a_seed_is_drawn_until_there_is_something_to_choose(make, tmp_path):
    env = make(config=write_config(tmp_path, text=SELDOM))
    for seed in (1, 2):
        with pytest.raises(ValueError, match=f"with seed {seed}:"):
            env.reset(seed=seed)
    log = tmp_path / "a.h5"
    drawn = [env.reset(options={"log": log} if at == 0 else {})[1]["seed"] for at in range(5)]
    assert len(set(drawn)) == 5
    with pytest.raises(ValueError):
        env.reset(seed=2)
    assert [env.reset()[1]["seed"] for _ in range(5)] == drawn  # by the seed that was given last
    observation, info = env.reset(seed=drawn[0])
    assert info["action_mask"].sum() > 1


def test_what_is_late_before_its_first_choice_is_drawn_again(make):
    env = make(until_s=10)  # most have their first choice later, that of seed 10 is at 9.5 s
    with pytest.raises(ValueError, match="with seed 9:"):
        env.reset(seed=9)
    env.reset(seed=10)
    assert all(env.reset()[1]["now_s"] < 10 for _ in range(5))


FAULTS = "[faults]\nnode_mtbf_s = 100\nnode_repair_s = 30\ntask_failure_probability = 0.05\ntask_attempts = 3\n"


@pytest.mark.parametrize("tasks_per_step", [None, 1])
def test_nodes_and_tasks_may_fail(make, config, tasks_per_step):
    config.write_text(config.read_text() + FAULTS)
    episode = play(make(tasks_per_step=tasks_per_step), random_rows(1), seed=3)
    run = episode[-1][4]["summary"]
    assert run["attempts_lost"] > 0 and run["jobs_finished"] == 8
    assert total(episode) == pytest.approx(-run["response_mean_s"] * 8, rel=1e-9)


def test_jobs_that_fail_end_an_episode_too(make, config):
    config.write_text(config.read_text() + "[faults]\ntask_failure_probability = 0.5\ntask_attempts = 1\n")
    for reward in ("mean_response", "makespan", "slowdown"):
        episode = play(make(reward=reward), seed=3)
        assert episode[-1][4]["summary"]["jobs_failed"] > 0 and np.isfinite(total(episode))


def test_a_cluster_without_slots_is_refused(make, tmp_path):
    text = CONFIG.replace("slots_per_node = 2", "resources = { cpu = 1, mem = 1, io1 = 1, io2 = 1, io3 = 1, "
                          "io4 = 1, disk = 1, network = 1 }")
    with pytest.raises(ValueError, match="expected a cluster whose nodes have slots"):
        make(config=write_config(tmp_path, text=text)).reset(seed=1)


@pytest.mark.parametrize(("options", "words"), [
    ({"reward": "respons"}, "expected a reward, one of 'mean_response'"),
    ({"render_mode": "human"}, "expected render_mode None or 'ansi'"),
    ({"invalid": "no"}, "expected invalid = 'raise' or 'first'"),
    ({"max_stages": 0}, "expected max_stages to be positive"),
])
def test_a_wrong_argument_is_refused(make, options, words):
    with pytest.raises(ValueError, match=words):
        make(**options)


def test_the_programs_own_words_are_raised(make):
    env = make(settings={"cluster.nodse": 3})
    with pytest.raises(ProgramError, match="did you mean 'nodes'") as raised:
        env.reset(seed=1)
    assert raised.value.exit_code == 2
    with pytest.raises(ProgramError, match="no such program"):
        make(program="no-such-program")


def test_a_program_that_dies_or_is_silent_is_no_hang(make, tmp_path):
    env = make()
    env.reset(seed=1)
    env._simulation._process.kill()
    with pytest.raises(ProgramError, match="ended with code -9"):
        play_on(env)
    with pytest.raises(RuntimeError, match="call reset"):
        env.step(0)
    assert play(env, seed=1)[-1][2]  # and can be used again
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\nexec sleep 60\n")
    silent.chmod(0o755)
    with pytest.raises(ProgramError, match="has said nothing for 0.2 s, and was ended"):
        make(program=silent, patience_s=0.2).reset(seed=1)


def play_on(env) -> None:
    while True:
        env.step(0)


def test_nothing_is_left_of_an_environment(config):
    before = left_behind()
    env = package.Env(config)
    env.reset(seed=1)
    files, children = left_behind()
    assert files == before[0]  # none even if this process were killed now
    assert len(children - before[1]) == 1
    del env
    gc.collect()
    assert left_behind() == before
    with pytest.raises(KeyboardInterrupt), package.Env(config) as env:
        env.reset(seed=1)
        raise KeyboardInterrupt
    assert left_behind() == before


def test_it_is_drawn_as_text(make):
    env = make(render_mode="ansi")
    env.reset(seed=1)
    assert "slots free" in env.render() and str(env.view.rows[0].stage) in env.render()
    assert make().render() is None


KILLED = """
import os, signal, sys, somnus
env = somnus.Env(sys.argv[1])
env.reset(seed=1)
print(env._simulation._process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def runs(process: int) -> bool:
    """Whether or not anybody has asked how it ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_program_ends_by_itself_if_its_learner_is_killed(config, somnus):
    analysis = Path(package.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", KILLED, config], stdout=subprocess.PIPE, check=False,
                          env={**os.environ, "SOMNUS": str(somnus), "PYTHONPATH": str(analysis),
                               "TMPDIR": tempfile.gettempdir()})
    assert done.returncode == -9
    until = time.monotonic() + 20
    while runs(int(done.stdout)) and time.monotonic() < until:
        time.sleep(0.01)
    assert not runs(int(done.stdout))
    assert not list(Path(tempfile.gettempdir()).glob("somnus-env-*"))
