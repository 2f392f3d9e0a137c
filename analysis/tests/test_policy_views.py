"""What a whole policy sees of its own decisions, and which of them are refused."""

import json

import pytest

from somnus import Order, Policy
from somnus.policy_serving import PolicyDialogue
from somnus.serving import warn_of_misspelt


class Scripted(Policy):
    """Decides what a test says."""

    def plan(self, now):
        self.decide(self)


def decided(decide, nodes, *stages: dict) -> tuple[Policy, dict]:
    """On nodes of so many slots, for stages of a job."""
    policy = Scripted()
    policy.decide = decide
    dialogue = PolicyDialogue(policy)
    about = {"seed": 1, "queues": [], "accounts": [], "qos": [], "parameters": {}, "resources": ["cpu"]}
    shown = [{"slots": slots, "capacity": [10]} for slots in nodes]
    dialogue.answer_to(json.dumps({"init": {"protocol": 1, "level": "policy", "nodes": shown, **about}}).encode())
    facts = {"parents": [], "slot_time": 1, "gang": False, "exclusive": False, "demand": [2]}
    arrived = [{"stage": at, **facts, **stage} for at, stage in enumerate(stages)]
    events = [{"event": "job_arrived", "time": 0, "job": 0, "user": 0, "weight": 1, "weight_of_user": 1,
               "stages": arrived}]
    events += [{"event": "stage_runnable", "time": 0, "stage": each["stage"], "runnable": each["tasks"]}
               for each in arrived]
    return policy, json.loads(dialogue.answer_to(json.dumps({"now": 0, "open": True, "events": events}).encode()))


def seen(policy: Policy) -> list[tuple]:
    return [(node.free_slots, node.free, node.ready) for node in policy.nodes]


@pytest.mark.parametrize("gang, numbers, words", [
    ({}, [0, 0, 0], "node 0 has no room for 3 tasks of stage 0"),
    ({}, [1, 0, 2], "node 2 is not ready"),
    ({"demand": [6]}, [0, 0, 1], "node 0 has no room for 2 tasks"),
    ({"exclusive": True}, [0, 1, 0], "node 1 is not idle, and stage 0 is exclusive"),
])
def test_a_gang_that_is_refused_takes_nothing(gang, numbers, words):
    def decide(policy):
        stage, nodes = policy.stages[0], policy.nodes
        policy.place(policy.stages[1], nodes[1])
        policy.place(policy.stages[1], nodes[2], 2)
        before = seen(policy)
        with pytest.raises(ValueError, match=words):
            policy.place_gang(stage, [nodes[number] for number in numbers])
        assert seen(policy) == before and (stage.runnable, stage.running) == (3, 0)

    _, answer = decided(decide, [2, 2, 2], {"tasks": 3, "gang": True, **gang}, {"tasks": 3})
    assert answer == {"place": [[1, 1], [1, 2, 2]]}


def test_an_exclusive_gang_takes_its_nodes_whole():
    def decide(policy):
        gang, other = policy.stages.values()
        policy.place(other, policy.nodes[0])
        nodes = policy.nodes_for_gang(gang)
        assert [node.node for node in nodes] == [1, 1, 2]
        policy.place_gang(gang, nodes)
        assert policy.first_with_room(other) is policy.nodes[0] and list(policy.ready_nodes()) == policy.nodes[:1]
        with pytest.raises(ValueError, match="node 2 is not ready"):
            policy.place(other, policy.nodes[2])

    policy, answer = decided(decide, [2, 2, 2], {"tasks": 3, "gang": True, "exclusive": True}, {"tasks": 3})
    assert seen(policy) == [(1, [8], True), (0, [0], False), (0, [0], False)]
    assert answer == {"place": [[1, 0], [0, [1, 1, 2]]]}


class Helped(Policy):
    """Names of its own, some of which are much like decisions, and some like what is called or read."""

    versio = "1"

    def places(self): ...
    def targets(self): ...
    def waitin(self): ...
    def job_arrive(self, now, job): ...
    def plann(self, now): ...


class Ordering(Order):
    def submited(self, now, unit): ...


def test_only_what_would_be_called_or_read_is_misspelt(capsys):
    warn_of_misspelt(Helped())
    said = capsys.readouterr().err.splitlines()
    assert [line.split()[1] for line in said] == ["Helped.job_arrive", "Helped.plann", "Helped.versio"]
    warn_of_misspelt(Ordering())
    assert "did you mean 'submitted'?" in capsys.readouterr().err


def test_what_plan_returns_is_no_decision():
    class Returns(Policy):
        def plan(self, now):
            return [("place", 0, 0)]

    dialogue = PolicyDialogue(Returns())
    init = {"protocol": 1, "level": "policy", "nodes": [], "seed": 1, "queues": [], "accounts": [], "qos": [],
            "parameters": {}, "resources": []}
    dialogue.answer_to(json.dumps({"init": init}).encode())
    with pytest.raises(TypeError, match="plan\\(\\) of Returns returned .*decisions are calls"):
        dialogue.answer_to(json.dumps({"now": 0, "open": True, "events": []}).encode())
