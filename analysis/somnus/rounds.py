"""From choices to keys: a round of the scheduler, as an order that is asked for keys has it.

The scheduler asks once when a round begins, and then serves the least key as long as slots are free. So
all choices of a round are made before the answer: the first one chosen gets the least key. Where a choice is of
some tasks of a stage only, the scheduler asks after each launch, too, and the stage's key moves once those
tasks have been launched. Stages that were not chosen have key 0, behind the others, the earlier job first.
"""

from typing import Any

from somnus.view import Stage, View


class Round:
    """The choices of one round, and the keys that make the scheduler do the same."""

    def __init__(self, each_launch: bool) -> None:
        self.open = False  # choices can be made
        self._each_launch = each_launch
        self._chosen: list[tuple[Stage, int]] = []  # and how many of its tasks
        self._left: dict[int, list[list[int]]] = {}  # of a stage: [key, tasks] of its choices, to be launched
        self._keys: dict[int, int] = {}  # that the scheduler has, other than 0

    def begin(self) -> None:
        self.open = True
        self._chosen = []

    def choose(self, stage: Stage, tasks: int) -> None:
        if self._chosen and self._chosen[-1][0] is stage:
            self._chosen[-1] = (stage, self._chosen[-1][1] + tasks)
        else:
            self._chosen.append((stage, tasks))

    def decided(self, view: View) -> list[tuple[int, float]]:
        """The keys that move. Those chosen have negative ones, so all others come behind them."""
        self._left = {}
        for at, (stage, tasks) in enumerate(self._chosen):
            self._left.setdefault(stage.stage, []).append([at - len(self._chosen), tasks])
        for stage, tasks in self._chosen:
            view.assign(stage, -tasks)  # until it is heard that they have started
        keys = {stage: left[0][0] for stage, left in self._left.items()}
        moved: list[tuple[int, float]] = [
            (stage, 0) for stage in self._keys if stage not in keys and stage in view.stages]
        moved += [(stage, key) for stage, key in keys.items() if self._keys.get(stage) != key]
        self._keys = keys
        return moved

    def launched_by(self, question: dict[str, Any]) -> int | None:
        """The stage whose launch this question is about; None: a round begins."""
        events = question["events"]
        if self._each_launch and events and events[-1]["event"] == "started":
            stage: int = events[-1]["unit"]
            return stage
        return None

    def after_launch(self, stage: int) -> list[tuple[int, float]]:
        """The key of the launched stage, if it moves."""
        left = self._left.get(stage)
        if not left:
            return []
        left[0][1] -= 1
        if left[0][1] > 0:
            return []
        left.pop(0)
        if left:
            self._keys[stage] = left[0][0]
            return [(stage, left[0][0])]
        del self._keys[stage]
        return [(stage, 0)]
