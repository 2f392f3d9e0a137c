"""A schedule that is learnt: one small network scores each stage, and the softmax over stages chooses.

    score(stage) = w2 . tanh(W1 x + b1),   x = features of the stage and of the cluster

The same weights score every stage, so the number of stages does not matter (Decima has the same idea, behind a
graph network).
"""

from pathlib import Path

import numpy as np

from somnus.observations import CLUSTER_FEATURES, STAGE_FEATURES

SCALE = np.float32(0.2)  # features are logarithms up to some 10
INPUTS = len(STAGE_FEATURES) + len(CLUSTER_FEATURES)


class Policy:
    def __init__(self, hidden: int = 16, seed: int = 0):
        draw = np.random.default_rng(seed)
        self.weights = {
            "w1": draw.normal(0, 1 / np.sqrt(INPUTS), (INPUTS, hidden)).astype(np.float32),
            "b1": np.zeros(hidden, np.float32),
            "w2": np.zeros(hidden, np.float32),  # all stages alike at first
        }

    @classmethod
    def load(cls, file: Path) -> "Policy":
        policy = cls()
        with np.load(file) as saved:
            policy.weights = {name: saved[name] for name in policy.weights}
        return policy

    def save(self, file: Path) -> None:
        np.savez(file, **self.weights)

    def inputs(self, observation: dict[str, np.ndarray]) -> np.ndarray:
        """A row for each stage that can be chosen."""
        stages = observation["stages"][:observation["action_mask"].sum()]
        return np.concatenate([stages, np.tile(observation["cluster"], (len(stages), 1))], axis=1) * SCALE

    def scores(self, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        hidden = np.tanh(inputs @ self.weights["w1"] + self.weights["b1"])
        return hidden @ self.weights["w2"], hidden

    def gradient(self, inputs: np.ndarray, of_scores: np.ndarray) -> dict[str, np.ndarray]:
        """Of sum(of_scores * scores(inputs)) by each weight."""
        _, hidden = self.scores(inputs)
        of_hidden = np.outer(of_scores, self.weights["w2"]) * (1 - hidden**2)
        return {"w1": inputs.T @ of_hidden, "b1": of_hidden.sum(axis=0), "w2": hidden.T @ of_scores}


def probabilities(scores: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The softmax within each choice, which are `counts` stages long, one after another."""
    begins = np.concatenate([[0], np.cumsum(counts)[:-1]])
    raised = np.exp(scores - np.repeat(np.maximum.reduceat(scores, begins), counts))
    return raised / np.repeat(np.add.reduceat(raised, begins), counts)


class Adam:
    """Kingma and Ba 2015, uphill."""

    def __init__(self, rate: float):
        self.rate = rate
        self.steps = 0
        self.mean: dict[str, np.ndarray] = {}
        self.square: dict[str, np.ndarray] = {}

    def climb(self, weights: dict[str, np.ndarray], gradient: dict[str, np.ndarray]) -> None:
        self.steps += 1
        for name, slope in gradient.items():
            mean = self.mean[name] = 0.9 * self.mean.get(name, 0) + 0.1 * slope
            square = self.square[name] = 0.999 * self.square.get(name, 0) + 0.001 * slope**2
            unbiased = mean / (1 - 0.9**self.steps) / (np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8)
            weights[name] += (self.rate * unbiased).astype(np.float32)
