// Nodes whose tasks wait in queues: starts, heartbeats, losses and revokes.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/nodes.hpp"
#include "harness/property.hpp"
#include "queueing/reordered_queue.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

NodeModel queues(const QueueRules& rules = {}) {
  return {.heartbeats = true,
          .random_phase = false,
          .heartbeat_interval = 3s,
          .make_queue = make_worker_queue<ReorderedQueue>,
          .queue = rules};
}

/// With jobs 0 to 9, of which nothing is known.
class QueueingNodes : public Nodes {
 public:
  QueueingNodes(const Cluster& cluster, const NodeModel& model) : Nodes(cluster, model) {
    for (std::uint32_t job = 0; job < 10; ++job)
      announce({.arrival = start_of_time, .job = JobId(job)});
  }
};

TEST(NodeQueue, StartsTasksInTheOrderOfComingAsSlotsBecomeFree) {
  QueueingNodes nodes(cluster(1, 2), queues());
  const TaskId long_one = nodes.launch(0s, {.nominal = 10s});
  nodes.launch(0s, {.nominal = 4s});
  const TaskId second = nodes.launch(1s, {.nominal = 3s});
  const TaskId third = nodes.launch(2s, {.nominal = 1s});
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(second).queued, at(1s));
  EXPECT_EQ(nodes.end_of(second).started, at(4s));
  EXPECT_EQ(nodes.end_of(second).finished, at(7s));
  EXPECT_EQ(nodes.end_of(third).queued, at(2s));
  EXPECT_EQ(nodes.end_of(third).started, at(7s));
  EXPECT_EQ(nodes.end_of(third).slot, nodes.end_of(second).slot);
  EXPECT_EQ(nodes.end_of(long_one).started, at(0s));
  EXPECT_EQ(nodes.ends().size(), 4U);
}

TEST(NodeQueue, OfEachNodeIsItsOwn) {
  QueueingNodes nodes(cluster(2), queues());
  nodes.launch(0s, {.node = 0, .nominal = 10s});
  nodes.launch(0s, {.node = 1, .nominal = 1s});
  const TaskId waits = nodes.launch(0s, {.node = 0, .nominal = 1s});
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(waits).started, at(10s)) << "although node 1 is idle";
}

TEST(NodeQueue, ALaunchLeavesWhenItsManagerSaysSo) {
  NodeModel model = queues();
  QueueingNodes nodes(cluster(2), model);
  const TaskId later = nodes.launch(1s, {.nominal = 2s, .leaves = 5s});
  const TaskId sooner = nodes.launch(2s, {.nominal = 1s});
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(sooner).started, at(2s)) << "it overtakes on the way";
  EXPECT_EQ(nodes.end_of(later).queued, at(5s));
  EXPECT_EQ(nodes.end_of(later).started, at(5s));

  model.network.mean = 100ms;
  QueueingNodes far(cluster(1), model);
  const TaskId task = far.launch(1s, {.nominal = 2s, .leaves = 5s});
  far.run_to(20s);
  EXPECT_EQ(far.end_of(task).queued, at(5100ms));
}

TEST(NodeQueue, ATaskOfNoDurationPassesThroughAtOnce) {
  QueueingNodes nodes(cluster(1), queues());
  nodes.launch(0s, {.nominal = 2s});
  const TaskId first = nodes.launch(0s, {});
  const TaskId second = nodes.launch(0s, {});
  nodes.run_to(2s);
  EXPECT_EQ(nodes.end_of(first).finished, at(2s));
  EXPECT_EQ(nodes.end_of(second).started, at(2s));
  EXPECT_EQ(nodes.end_of(second).finished, at(2s));
}

TEST(NodeQueue, AFailedTaskLetsTheNextOneStart) {
  NodeModel model = queues();
  model.fault_model.fails = 0.9999;
  QueueingNodes nodes(cluster(1), model);
  const TaskId fails = nodes.launch(0s, {.nominal = 5s});
  const TaskId waits = nodes.launch(0s, {.nominal = 5s});
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(fails).outcome, Outcome::failed);
  EXPECT_EQ(nodes.end_of(waits).started, nodes.end_of(fails).finished);
}

NodeStatusMessage heartbeat_at(const Nodes& nodes, Duration time) {
  for (const NodeStatusMessage& message : nodes.statuses()) {
    if (message.status == NodeStatus::heartbeat && message.due == at(time)) return message;
  }
  ADD_FAILURE() << "no heartbeat then";
  return {};
}

// By estimate {3, 5} are left at 3 s and [4, 2] wait: Algorithm 2's example.
TEST(NodeQueue, HeartbeatsTellWhatRunsAndWaitsAndTheWaitOfOneMore) {
  QueueingNodes nodes(cluster(1, 2), queues());
  nodes.launch(0s, {.nominal = 90s, .estimate = 6s});
  nodes.launch(0s, {.nominal = 90s, .estimate = 8s});
  nodes.launch(0s, {.nominal = 90s, .estimate = 4s});
  nodes.launch(0s, {.nominal = 90s, .estimate = 2s});
  nodes.run_to(10s);
  const NodeStatusMessage message = heartbeat_at(nodes, 3s);
  EXPECT_EQ(message.running, 2U);
  EXPECT_EQ(message.queued, 2U);
  EXPECT_EQ(message.wait, 7s);
  EXPECT_EQ(heartbeat_at(nodes, 6s).wait, 4s) << "{0, 2} are left: 0, then {2, 4}: 2, then {2, 2}";
  EXPECT_EQ(heartbeat_at(nodes, 9s).wait, 2s) << "those that ran should have ended: {4}, {4, 2}";
}

TEST(NodeQueue, NobodyWaitsAtANodeWithAFreeSlot) {
  QueueingNodes nodes(cluster(1, 2), queues());
  nodes.launch(0s, {.nominal = 90s, .estimate = 90s});
  nodes.run_to(3s);
  const NodeStatusMessage message = heartbeat_at(nodes, 3s);
  EXPECT_EQ(message.running, 1U);
  EXPECT_EQ(message.queued, 0U);
  EXPECT_EQ(message.wait, 0s);
}

TEST(NodeQueue, HearsWhereJobsStandAtItsHeartbeats) {
  QueueingNodes nodes(cluster(1), queues({.reorder = Reordering::named("srjf")}));
  nodes.announce({.arrival = at(0s), .remaining = 10s, .job = JobId(1U)});
  nodes.announce({.arrival = at(0s), .remaining = 20s, .job = JobId(2U)});
  nodes.announce({.arrival = at(0s), .remaining = 30s, .job = JobId(3U)});
  nodes.launch(0s, {.nominal = 2s});
  const TaskId first = nodes.launch(0s, {.nominal = 2s, .job = 1});
  const TaskId last = nodes.launch(0s, {.nominal = 2s, .job = 2});
  const TaskId second = nodes.launch(0s, {.nominal = 2s, .job = 3});
  nodes.run_to(1s);
  nodes.announce({.arrival = at(0s), .remaining = 5s, .job = JobId(3U)});
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(first).started, at(2s)) << "the word has not come before the heartbeat";
  EXPECT_EQ(nodes.end_of(second).started, at(4s)) << "which was at 3 s";
  EXPECT_EQ(nodes.end_of(last).started, at(6s));
}

TEST(NodeQueue, ALostNodeGivesBackWhatRunsAndWhatWaits) {
  NodeModel model = queues();
  model.faults = away(5s, 9s);
  QueueingNodes nodes(cluster(1), model);
  const TaskId runs = nodes.launch(1s, {.nominal = 20s});
  const TaskId waits = nodes.launch(2s, {.nominal = 20s});
  nodes.run_to(12s);
  ASSERT_EQ(nodes.ends().size(), 2U);
  EXPECT_EQ(nodes.end_of(runs).outcome, Outcome::lost);
  EXPECT_EQ(nodes.end_of(runs).finished, at(5s));
  EXPECT_EQ(nodes.end_of(waits).outcome, Outcome::lost);
  EXPECT_EQ(nodes.end_of(waits).queued, at(2s));
  EXPECT_EQ(nodes.end_of(waits).started, never);
  EXPECT_EQ(nodes.end_of(waits).finished, never);
  EXPECT_EQ(nodes.end_of(waits).due, at(5s));
  EXPECT_EQ(heartbeat_at(nodes, 12s).queued, 0U) << "it comes back empty";
  const TaskId next = nodes.launch(12s, {.nominal = 1s});
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(next).started, at(12s));
}

TEST(NodeQueue, ARevokeBringsBackWhatWaitsBeyondItsLimitAtOnce) {
  QueueingNodes nodes(cluster(1), queues({.rebalance = Rebalance::length}));
  nodes.launch(0s, {.nominal = 10s});
  const TaskId stays = nodes.launch(0s, {.nominal = 1s});
  const TaskId comes_back = nodes.launch(1s, {.nominal = 1s});
  nodes.revoke(4500ms, 0, 1);
  ASSERT_EQ(nodes.ends().size(), 1U);
  EXPECT_EQ(nodes.end_of(comes_back).outcome, Outcome::returned);
  EXPECT_EQ(nodes.end_of(comes_back).queued, at(1s));
  EXPECT_EQ(nodes.end_of(comes_back).started, never);
  EXPECT_EQ(nodes.end_of(comes_back).due, at(4500ms));
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(stays).started, at(10s));
  EXPECT_EQ(nodes.ends().size(), 3U);
}

TEST(NodeQueue, ATaskThatStartsWhileTheRevokeIsOnItsWayStays) {
  NodeModel model = queues({.rebalance = Rebalance::length, .rebalance_interval_s = 0.1});
  model.network.mean = 200ms;
  QueueingNodes nodes(cluster(1), model);
  nodes.launch(0s, {.nominal = 10s});
  const TaskId starts = nodes.launch(0s, {.nominal = 5s});
  nodes.revoke(10100ms, 0, 0);
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(starts).outcome, Outcome::finished);
  EXPECT_EQ(nodes.end_of(starts).started, at(10200ms)) << "before the word came at 10.3 s";
  EXPECT_EQ(nodes.ends().size(), 2U);
}

TEST(NodeQueue, ARevokeOfALostOrAnIdleNodeChangesNothing) {
  NodeModel model = queues({.rebalance = Rebalance::wait});
  model.faults = {{at(5s), NodeId(0U), NodeChange::lost}};
  QueueingNodes nodes(cluster(2), model);
  nodes.launch(0s, {.nominal = 20s});
  nodes.launch(0s, {.nominal = 20s});
  nodes.revoke(6s, 0, 0);
  nodes.revoke(6s, 1, 0);
  nodes.run_to(30s);
  EXPECT_EQ(nodes.ends().size(), 2U) << "lost, both, and nothing twice";
}

struct Stay {
  CompletionMessage end;
  Time until;  // when it no longer waited
};

TEST(NodeQueue, WhateverHappensEachTaskComesBackOnceAndNoSlotIsFreeWhileOneWaits) {
  std::size_t waited = 0;
  std::size_t returned = 0;
  std::size_t lost_waiting = 0;
  check_law({.cases = 300}, [&] {
    const QueueRules rules{
        .reorder = *rc::gen::element(Reordering::named("fifo"), Reordering::named("srjf"),
                                     Reordering::named("stf")),
        .starvation_s = *rc::gen::element(2.0, 1e9),
        .rebalance = *rc::gen::element(Rebalance::length, Rebalance::wait)};
    NodeModel model = queues(rules);
    model.random_phase = true;
    model.ends_wait = *rc::gen::arbitrary<bool>();
    model.fault_model.fails = *rc::gen::element(0.0, 0.3);
    for (std::uint32_t node = 0; node < 2; ++node) {
      if (*rc::gen::arbitrary<bool>()) continue;
      const Time lost = at(std::chrono::seconds(*rc::gen::inRange(1, 20)));
      model.faults.push_back({lost, NodeId(node), NodeChange::lost});
      model.faults.push_back({lost + 4s, NodeId(node), NodeChange::returned});
    }
    std::ranges::stable_sort(model.faults, {}, &NodeFault::at);
    QueueingNodes nodes(cluster(2, 2), model);
    Duration now{};
    std::uint32_t launched = 0;
    std::map<Time, std::uint32_t> revokes;
    const int steps = *rc::gen::inRange(1, 50);
    for (int step = 0; step < steps; ++step) {
      now += std::chrono::milliseconds(100 * *rc::gen::inRange(0, 8));
      const auto job = *rc::gen::inRange<std::uint32_t>(0, 5);
      if (*rc::gen::inRange(0, 5) == 0) {
        nodes.announce({.arrival = start_of_time,
                        .remaining = std::chrono::seconds(*rc::gen::inRange(0, 9)),
                        .job = JobId(job)});
        nodes.revoke(now, *rc::gen::inRange<std::uint32_t>(0, 2), *rc::gen::inRange(0, 3));
        continue;
      }
      nodes.launch(now, {.node = *rc::gen::inRange<std::uint32_t>(0, 2),
                         .nominal = std::chrono::milliseconds(100 * *rc::gen::inRange(0, 60)),
                         .estimate = std::chrono::seconds(*rc::gen::inRange(0, 6)),
                         .job = job,
                         .leaves = now + std::chrono::milliseconds(50 * *rc::gen::inRange(0, 4))});
      ++launched;
    }
    nodes.run_to(now + 300s);
    RC_ASSERT(nodes.ends().size() == launched);
    RC_ASSERT(nodes.set().busy_slots() == 0U);
    std::set<TaskId> tasks;
    std::vector<Stay> stays;
    for (const CompletionMessage& end : nodes.ends()) {
      RC_ASSERT(tasks.insert(end.task).second);
      const bool started = end.started != never;
      RC_ASSERT(started || end.outcome == Outcome::lost || end.outcome == Outcome::returned);
      RC_ASSERT(!started || end.outcome != Outcome::returned);
      stays.push_back({end, started ? end.started : end.due});
      returned += end.outcome == Outcome::returned ? 1U : 0U;
      lost_waiting += !started && end.outcome == Outcome::lost ? 1U : 0U;
    }
    for (const Stay& waiting : stays) {
      if (waiting.end.queued >= waiting.until) continue;
      ++waited;
      // Whenever it waited, it did so because of two others; their number changes at these times.
      std::set<Time> moments = {waiting.end.queued};
      for (const Stay& other : stays) moments.insert(other.end.finished);
      for (const Time moment : moments) {
        if (moment < waiting.end.queued || moment >= waiting.until) continue;
        const auto running = std::ranges::count_if(stays, [&](const Stay& other) {
          return other.end.node == waiting.end.node && other.end.started <= moment &&
                 moment < other.end.finished;
        });
        RC_ASSERT(running == 2);
      }
    }
  });
  EXPECT_GT(waited, 1000U);
  EXPECT_GT(returned, 50U);
  EXPECT_GT(lost_waiting, 50U);
}

}  // namespace
}  // namespace somnus::harness
