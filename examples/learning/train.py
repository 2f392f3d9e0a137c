"""Learns a schedule by policy gradient, in numpy alone, and draws its learning curve.

    python3 train.py --out out

REINFORCE: an action is made likelier by how much better its episode went on than others of the same
jobs did. The baseline is what Decima calls input-dependent: several episodes have the same seed, so the same
jobs, and an episode's return from an instant on is compared with the mean of theirs from the same instant on. So
that jobs happen to be large is no merit or fault of an action.
"""

import argparse
import csv
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import somnus
from policy import Adam, Policy, probabilities

HERE = Path(__file__).parent
TRAINING_SEEDS = 10_000  # from here on; evaluate.py has others
MAX_STAGES = 64


@dataclass
class Episode:
    """What was seen and done, step by step."""

    inputs: list[np.ndarray] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    response_s: float = 0.0

    def returns(self) -> np.ndarray:
        """From each step on, in seconds that jobs spend in the system."""
        return np.cumsum(np.array(self.rewards)[::-1])[::-1]


def collect(envs: list[somnus.Env], policy: Policy, seeds: list[int], draw: np.random.Generator) -> list[Episode]:
    """One episode of each environment. The environments step in turn, so one evaluation of the network serves all."""
    episodes = [Episode() for _ in envs]
    now = [env.reset(seed=seed) for env, seed in zip(envs, seeds)]
    going = range(len(envs))
    while going:
        inputs = [policy.inputs(now[at][0]) for at in going]
        counts = np.array([len(each) for each in inputs])
        chances = np.split(probabilities(policy.scores(np.concatenate(inputs))[0], counts), np.cumsum(counts)[:-1])
        points = draw.random(len(envs))
        for at, seen, chance in zip(going, inputs, chances):
            episode = episodes[at]
            action = min(int(np.searchsorted(np.cumsum(chance), points[at])), len(chance) - 1)
            episode.inputs.append(seen)
            episode.actions.append(action)
            episode.times.append(now[at][1]["now_s"])
            observation, reward, terminated, _, info = envs[at].step(action)
            now[at] = observation, info
            episode.rewards.append(reward)
            if terminated:
                episode.response_s = info["summary"]["response_mean_s"]
        going = [at for at in going if not episodes[at].response_s]
    return episodes


def advantages(episodes: list[Episode], same: int) -> np.ndarray:
    """Of each step of all; each `same` episodes in turn have the same jobs."""
    found = []
    for first in range(0, len(episodes), same):
        group = episodes[first:first + same]
        returns = [episode.returns() for episode in group]
        for episode, own in zip(group, returns):
            others = [np.interp(episode.times, other.times, each) for other, each in zip(group, returns)]
            found.append(own - np.mean(others, axis=0))
    all_of_them = np.concatenate(found)
    return (all_of_them / (all_of_them.std() + 1e-8)).astype(np.float32)


def improve(policy: Policy, adam: Adam, episodes: list[Episode], same: int, entropy: float) -> float:
    """One step uphill; the mean entropy of the choices."""
    steps = [each for episode in episodes for each in episode.inputs]
    counts = np.array([len(each) for each in steps])
    inputs = np.concatenate(steps)
    chosen = np.concatenate([[0], np.cumsum(counts)[:-1]]) + [a for episode in episodes for a in episode.actions]
    chances = probabilities(policy.scores(inputs)[0], counts)
    begins = np.concatenate([[0], np.cumsum(counts)[:-1]])
    surprise = np.log(chances + 1e-12)
    of_choice = -np.add.reduceat(chances * surprise, begins)
    advantage = advantages(episodes, same)
    # d log p(chosen) / d score = [chosen] - p;  d entropy / d score = -p (log p + entropy)
    slope = -chances * np.repeat(advantage, counts)
    slope[chosen] += advantage
    slope -= entropy * chances * (surprise + np.repeat(of_choice, counts))
    adam.climb(policy.weights, policy.gradient(inputs, (slope / len(counts)).astype(np.float32)))
    return float(of_choice.mean())


def train(options: argparse.Namespace) -> None:
    policy, adam = Policy(seed=options.seed), Adam(options.rate)
    draw = np.random.default_rng(options.seed)
    rows = []
    began, steps = time.monotonic(), 0
    with ExitStack() as closes:
        envs = [closes.enter_context(somnus.Env(HERE / "dags.toml", max_stages=MAX_STAGES)) for _ in range(options.envs)]
        for iteration in range(options.iterations):
            first = TRAINING_SEEDS + iteration * (options.envs // options.same)
            seeds = [first + at // options.same for at in range(options.envs)]
            episodes = collect(envs, policy, seeds, draw)
            entropy = options.entropy * (1 - iteration / options.iterations)
            found = improve(policy, adam, episodes, options.same, entropy)
            steps += sum(len(episode.actions) for episode in episodes)
            rows.append((iteration, seeds[0], seeds[-1], np.mean([each.response_s for each in episodes]), found))
            if iteration % 10 == 9:
                recent = np.mean([row[3] for row in rows[-10:]])
                print(f"{iteration + 1:4} iterations, {steps:7} steps, {time.monotonic() - began:5.0f} s: "
                      f"mean response {recent:.1f} s, entropy {found:.2f}", flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    policy.save(options.out / "policy.npz")
    with open(options.out / "learning_curve.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["iteration", "first_seed", "last_seed", "response_mean_s", "entropy"])
        writer.writerows(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--iterations", type=int, default=180)
    parser.add_argument("--envs", type=int, default=8, help="episodes an iteration, side by side")
    parser.add_argument("--same", type=int, default=8, help="so many of them have the same jobs")
    parser.add_argument("--rate", type=float, default=0.04, help="of Adam")
    parser.add_argument("--entropy", type=float, default=0.005, help="bonus at the start; falls to 0")
    parser.add_argument("--seed", type=int, default=0, help="of weights and draws")
    parser.add_argument("--out", type=Path, default=Path("out"), help="where policy.npz and the curve go")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
