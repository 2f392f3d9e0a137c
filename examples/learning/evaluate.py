"""How good the learnt schedule is on seeds that it was not trained with, beside built-in ones, job for job the same.

    python3 evaluate.py policy.npz --seeds 60
"""

import argparse
import json
import subprocess
from pathlib import Path

import numpy as np

import somnus
from policy import Policy
from somnus.simulation import find_program

HERE = Path(__file__).parent
HELD_OUT_SEEDS = 4001  # from here on; train.py has others
BUILT_IN = ("fifo", "fair", "sjf", "cfq", "srpt", "srpt+within=critical-path")


def learnt(policy: Policy, seeds: list[int]) -> np.ndarray:
    """The mean response time of each seed, in seconds, where the likeliest stage is always chosen."""
    found = []
    with somnus.Env(HERE / "dags.toml") as env:
        for seed in seeds:
            observation, _ = env.reset(seed=seed)
            terminated = False
            while not terminated:
                likeliest = int(np.argmax(policy.scores(policy.inputs(observation))[0]))
                observation, _, terminated, _, info = env.step(likeliest)
            found.append(info["summary"]["response_mean_s"])
    return np.array(found)


def built_in(policies: tuple[str, ...], seeds: list[int]) -> dict[str, np.ndarray]:
    """The same of built-in schedulers: `somnus simulate`."""
    said = subprocess.run([find_program(None), "simulate", HERE / "dags.toml", "--policy", ",".join(policies), "--seeds",
                           ",".join(map(str, seeds)), "--json", "-q"], check=True, capture_output=True).stdout
    figures = [run["response_mean_s"] for run in json.loads(said)]
    return {policy: np.array(figures[at * len(seeds):(at + 1) * len(seeds)]) for at, policy in enumerate(policies)}


def heard_srpt(seeds: list[int]) -> np.ndarray:
    """The same of the job with the least work left first, as far as an environment hears of it."""
    found = []
    with somnus.Env(HERE / "dags.toml") as env:
        for seed in seeds:
            env.reset(seed=seed)
            terminated = False
            while not terminated:
                rows = env.view.rows
                least = min(range(len(rows)), key=lambda row: (rows[row].job.work_left, row))
                _, _, terminated, _, info = env.step(least)
            found.append(info["summary"]["response_mean_s"])
    return np.array(found)


def interval(differences: np.ndarray, resamples: int = 10_000) -> tuple[float, float]:
    """The 95 % interval of their mean, by bootstrap over seeds."""
    draw = np.random.default_rng(0)
    means = draw.choice(differences, (resamples, len(differences))).mean(axis=1)
    low, high = np.percentile(means, (2.5, 97.5))
    return float(low), float(high)


def verdict(low: float, high: float) -> str:
    return "beaten" if high < 0 else "not beaten: it is better" if low > 0 else "not beaten: no difference is seen"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("policy", type=Path, nargs="?", default=HERE / "policy.npz", help="as train.py saves it")
    parser.add_argument("--seeds", type=int, default=60, help="how many")
    options = parser.parse_args()
    seeds = list(range(HELD_OUT_SEEDS, HELD_OUT_SEEDS + options.seeds))
    own = learnt(Policy.load(options.policy), seeds)
    print(f"mean response time over {len(seeds)} held-out seeds: learnt {own.mean():.1f} s\n")
    print(f"{'against':26} {'mean [s]':>9} {'learnt is [%]':>14} {'95 % interval':>17}")
    for name, theirs in {**built_in(BUILT_IN, seeds), "srpt of what is heard": heard_srpt(seeds)}.items():
        change = 100 * (own / theirs - 1)  # seed by seed
        low, high = interval(change)
        print(f"{name:26} {theirs.mean():9.1f} {change.mean():+14.1f} {f'{low:+.1f} to {high:+.1f}':>17}"
              f"  {verdict(low, high)}")


if __name__ == "__main__":
    main()
