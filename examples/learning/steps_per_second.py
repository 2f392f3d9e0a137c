"""How many steps a second an environment makes, alone and as a vector; medians of several repeats.

    python3 steps_per_second.py --steps 4000 --repeats 5

The first stage is always chosen, which takes no time to find; resets count.
"""

import argparse
import statistics
import time
from pathlib import Path

import numpy as np

import somnus

HERE = Path(__file__).parent


def alone(steps: int) -> float:
    with somnus.Env(HERE / "dags.toml") as env:
        env.reset(seed=1)
        began = time.perf_counter()
        for _ in range(steps):
            _, _, terminated, _, _ = env.step(0)
            if terminated:
                env.reset()
        return steps / (time.perf_counter() - began)


def many(n: int, steps: int) -> float:
    with somnus.vector(HERE / "dags.toml", n) as envs:
        envs.reset(seed=1)
        began = time.perf_counter()
        for _ in range(steps // n):
            envs.step(np.zeros(n, int))
        return steps // n * n / (time.perf_counter() - began)


def resets(count: int) -> float:
    with somnus.Env(HERE / "dags.toml") as env:
        began = time.perf_counter()
        for seed in range(count):
            env.reset(seed=seed)
        return count / (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    cases = {"one environment": lambda: alone(options.steps)}
    cases |= {f"a vector of {n}": lambda n=n: many(n, options.steps) for n in (1, 2, 4, 8)}
    found: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(options.repeats):  # in turn, so that a busy minute meets all of them
        for name, measure in cases.items():
            found[name].append(measure())
    for name, rates in found.items():
        print(f"{name:16} {statistics.median(rates):8.0f} steps/s  ({min(rates):.0f} to {max(rates):.0f})")
    print(f"{'resets':16} {resets(max(options.steps // 100, 1)):8.0f} a second")


if __name__ == "__main__":
    main()
