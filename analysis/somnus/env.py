"""Schedulers that learn: a simulation as an environment of Gymnasium, which it does not need.

    with somnus.Env("train.toml") as env:
        observation, info = env.reset(seed=7)
        over = False
        while not over:
            action = env.action_space.sample(info["action_mask"])
            observation, reward, terminated, truncated, info = env.step(action)
            over = terminated or truncated

A step is a choice among the stages that have tasks to launch while a slot is free: the chosen one
is served next, with all of its tasks for which there are slots, or with `tasks_per_step` of them. As long as
slots and stages are left no time passes, and the next step is the next choice. Where nothing is to be
chosen, as all tasks fit or there is one stage, no step is asked for.

The simulation is the program's: `somnus simulate CONFIG` with an order that is asked from here. Its
log, if there is one (options = {"log": FILE}), can be audited, and drawn beside those of other schedulers.
"""

from collections.abc import Mapping
from operator import index
from pathlib import Path
from typing import Any

import numpy as np

from somnus import interface, observations
from somnus.observations import Observe
from somnus.rewards import Reward, reward_of
from somnus.rounds import Round
from somnus.simulation import Simulation, find_program
from somnus.view import NS, Elapsed, Stage, View

SEEDS = 1 << 31  # reset() without a seed draws from these
DRAWS = 100  # so often, until there is something to choose


class Env(interface.Env):
    """One cluster, one episode a simulation. Follows the interface of gymnasium.Env 1.x.

    config: a file of Somnus, and `settings` other keys of it, such as {"cluster.nodes": 8}; its order, if it
    says one, does not matter. reward: "mean_response", "makespan", "slowdown" (somnus.rewards) or a
    function. observe: (function, space), else somnus.observations.default. max_stages: rows of an
    observation and actions; if more stages are ready, those of the latest jobs are hidden until there is
    room. tasks_per_step: how many tasks a step launches at the most; None: all that fit. max_steps and
    until_s (emulated seconds): the episode is truncated then. invalid: an action whose row has no stage is
    refused ("raise", ValueError), or counts as the first row ("first"). patience_s: of real time, for
    each question of the program.

    Works where a task needs one slot and may start alone. With gangs, resources or nodes that fail the
    choice is still who goes first, but how many slots are free is a guess.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}
    _simulation: Simulation | None = None  # while an episode is under way

    def __init__(self, config: str | Path, *, reward: str | Reward = "mean_response",
                 observe: tuple[Observe, Any] | None = None, settings: Mapping[str, Any] | None = None,
                 max_stages: int = 64, tasks_per_step: int | None = None, max_steps: int | None = None,
                 until_s: float | None = None, invalid: str = "raise", render_mode: str | None = None,
                 program: str | Path | None = None, patience_s: float = 60.0):
        if render_mode not in (None, "ansi"):
            raise ValueError(f"expected render_mode None or 'ansi', found {render_mode!r}")
        if invalid not in ("raise", "first"):
            raise ValueError(f"expected invalid = 'raise' or 'first', found {invalid!r}")
        for name, number in (("max_stages", max_stages), ("tasks_per_step", tasks_per_step), ("max_steps", max_steps)):
            if number is not None and number < 1:
                raise ValueError(f"expected {name} to be positive, found {number}")
        self.render_mode = render_mode
        self.action_space = interface.Discrete(max_stages)
        self._observe: Observe
        self.observation_space: Any
        self._observe, self.observation_space = observe or observations.default(max_stages)
        self._config, self._settings = config, dict(settings or {})
        self._reward = reward_of(reward)
        self._max_stages, self._max_steps = max_stages, max_steps
        self._tasks_per_step = tasks_per_step
        self._until = None if until_s is None else round(until_s * NS)
        self._refuses = invalid == "raise"
        self._program = find_program(program)
        self.patience_s = patience_s
        self._view = View(0)
        self._round = Round(False)
        self._elapsed = Elapsed(0, 0)
        self._seed = self._steps = 0

    @property
    def view(self) -> View:
        """The system now, for one's own policies; of the environment, so not to be changed."""
        return self._view

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts a new simulation and lets it go on up to the first choice.

        seed: the seed of the run, which has the jobs of `somnus simulate --seed`. Without a seed np_random draws one,
        and another one if the jobs leave nothing to choose. options: {"log": a new file for this episode's log,
        "settings": other keys of the config}.
        """
        self.close()
        if seed is not None and (seed := index(seed)) < 0:
            raise ValueError(f"expected a seed, a whole number from 0 on, found {seed}")
        super().reset(seed=seed)
        given = dict(options or {})
        settings, log = given.pop("settings", {}), given.pop("log", None)
        if given:
            raise ValueError(f"expected the options 'log' and 'settings', found {', '.join(map(repr, given))}")
        if log is not None and Path(log).exists():
            raise FileExistsError(f"{log} is there already")
        for _ in range(DRAWS if seed is None else 1):
            self._start(int(self.np_random.integers(SEEDS)) if seed is None else seed, settings, log)
            if self._reach_choice():
                return self._observe(self._view), self._info()
            self.close()
        seeds = f"{DRAWS} seeds" if seed is None else f"seed {seed}"
        raise ValueError(f"there is nothing to choose in {self._config} with {seeds}: at no time do tasks of "
                         "two stages wait while a slot is free")

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Serves the stage in that row of the observation next."""
        stage = self._stage_of(action)
        view = self._view
        if self._steps:
            self._elapsed = Elapsed(view.now, view.now)
        self._steps += 1
        tasks = min(stage.runnable, view.free, self._tasks_per_step or stage.runnable)
        view.assign(stage, tasks)
        self._round.choose(stage, tasks)
        goes_on = self._reach_choice()
        terminated = self._elapsed.summary is not None
        truncated = not terminated and (not goes_on or self._steps == self._max_steps)
        reward = float(self._reward(self._elapsed, view))
        info = self._info()
        if terminated:
            info["summary"] = self._elapsed.summary
        if truncated:
            self.close()
        return self._observe(view), reward, terminated, truncated, info

    def render(self) -> str | None:
        """The stages to choose from, as a table; None if render_mode is."""
        if self.render_mode is None:
            return None
        view = self._view
        lines = [f"{view.now / NS:.3f} s: {len(view.jobs)} jobs, {view.free} of {view.slots} slots free",
                 "row   job  stage  runnable  running  task [s]  work left [s]"]
        lines += [f"{row:3} {stage.job.job:5} {stage.stage:6} {stage.runnable:9} {stage.running:8} "
                  f"{stage.task_time / NS:9.3f} {stage.work_left / NS:14.3f}" for row, stage in enumerate(view.rows)]
        return "\n".join(lines)

    def close(self) -> None:
        """Ends the program; may be called again."""
        if self._simulation is not None:
            self._simulation.end()
            self._simulation = None

    def _start(self, seed: int, settings: Mapping[str, Any], log: str | Path | None) -> None:
        self._seed, self._steps = seed, 0
        self._round = Round(self._tasks_per_step is not None)
        self._elapsed = Elapsed(0, 0)
        self._view = View(0)
        self._simulation = Simulation(self._program, self._config, {**self._settings, **settings}, seed,
                                      each_launch=self._tasks_per_step is not None, log=log,
                                      patience_s=self.patience_s)

    def _stage_of(self, action: Any) -> Stage:
        if self._simulation is None:
            raise RuntimeError("no episode is under way: call reset()")
        rows = self._view.rows
        if action not in self.action_space:
            raise ValueError(f"expected an action from 0 to {self._max_stages - 1}, found {action!r}")
        row = int(action)
        if row < len(rows):
            return rows[row]
        if self._refuses:
            raise ValueError(f"action {row} is masked: rows 0 to {len(rows) - 1} have a stage "
                             "(info['action_mask']; action_space.sample(mask) draws one of them)")
        return rows[0]

    def _reach_choice(self) -> bool:
        """Lets the program go on up to the next choice; False if the run or the time of the episode is over."""
        view = self._view
        try:
            while self._simulation is not None:
                if self._until is not None and view.now >= self._until:
                    view.show(self._max_stages)
                    return False
                if self._round.open:
                    view.show(self._max_stages)
                    if view.is_choice:
                        return True
                    self._round.open = False
                    self._simulation.answer(self._round.decided(view))
                self._hear(self._simulation)
            return False
        except BaseException:
            self.close()
            raise

    def _hear(self, simulation: Simulation) -> None:
        """Follows the next question of the program, or the end of its run."""
        question = simulation.next_question()
        if question is None:
            assert simulation.summary is not None
            self._simulation = None
            self._view.is_over(simulation.summary, self._elapsed)
            return
        if simulation.slots == 0:
            raise ValueError("expected a cluster whose nodes have slots, which is what a step gives to a stage")
        self._view.slots = simulation.slots
        self._view.hear(question, self._elapsed)
        launched = self._round.launched_by(question)
        if launched is None:
            self._round.begin()
        else:
            simulation.answer(self._round.after_launch(launched))

    def _info(self) -> dict[str, Any]:
        mask = np.zeros(self._max_stages, np.int8)
        mask[:len(self._view.rows)] = 1
        return {"action_mask": mask, "now_s": self._view.now / NS, "seed": self._seed}
