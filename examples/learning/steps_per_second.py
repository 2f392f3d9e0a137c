"""How many steps a second an environment makes; the median of several repeats.

    python3 steps_per_second.py --steps 4000 --repeats 5

The first stage is always chosen, which takes no time to find; resets count.
"""

import argparse
import statistics
import time
from pathlib import Path

import somnus

HERE = Path(__file__).parent


def steps_per_second(steps: int) -> float:
    with somnus.Env(HERE / "dags.toml") as env:
        env.reset(seed=1)
        began = time.perf_counter()
        for _ in range(steps):
            _, _, terminated, _, _ = env.step(0)
            if terminated:
                env.reset()
        return steps / (time.perf_counter() - began)


def resets_per_second(count: int) -> float:
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
    rates = [steps_per_second(options.steps) for _ in range(options.repeats)]
    print(f"steps  {statistics.median(rates):8.0f} a second  ({min(rates):.0f} to {max(rates):.0f})")
    print(f"resets {resets_per_second(max(options.steps // 100, 1)):8.0f} a second")


if __name__ == "__main__":
    main()
