// Probes, and places in nodes' queues that are kept for a stage (Sparrow's late binding).
#include <gtest/gtest.h>

#include "harness/nodes.hpp"
#include "queueing/reordered_queue.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

/// Every task or question is of job 0 unless it says otherwise.
class ReservingNodes : public Nodes {
 public:
  explicit ReservingNodes(const Cluster& cluster, const NodeModel& model = with_queues())
      : Nodes(cluster, model) {
    announce({.arrival = start_of_time, .job = JobId(0U)});
  }
  static NodeModel with_queues() {
    return {.random_phase = false,
            .make_queue = make_worker_queue<ReorderedQueue>,
            .queue = QueueRules{.rebalance = Rebalance::length}};
  }

  void reserve(Duration now, std::uint32_t stage) {
    ask(now, {.question = somnus::Question::reserve, .stage = stage});
  }
  void decline(Duration now, std::uint32_t stage) {
    ask(now, {.question = somnus::Question::decline, .stage = stage});
  }
  void expect_answers(const std::vector<std::pair<std::uint32_t, Reply>>& expected) {
    std::vector<std::pair<std::uint32_t, Reply>> found;
    for (const AnswerMessage& each : answers()) found.emplace_back(each.stage.value(), each.reply);
    EXPECT_EQ(found, expected);
  }
};

NodeModel lost_at_5_back_at_9() {
  NodeModel model = ReservingNodes::with_queues();
  model.faults = away(5s, 9s);
  return model;
}

TEST(Probe, IsAnsweredWithWhatRunsAndWaits) {
  NodeModel model = ReservingNodes::with_queues();
  model.network.mean = 100ms;
  ReservingNodes nodes(cluster(1, 2), model);
  for (int task = 0; task < 5; ++task) nodes.launch(0s, {.nominal = 90s});
  nodes.ask(1s, {.stage = 7});
  nodes.run_to(2s);
  ASSERT_EQ(nodes.answers().size(), 1U);
  EXPECT_EQ(nodes.answers()[0].reply, Reply::load);
  EXPECT_EQ(nodes.answers()[0].stage, StageId(7U));
  EXPECT_EQ(nodes.answers()[0].running, 2U);
  EXPECT_EQ(nodes.answers()[0].queued, 3U);
  EXPECT_EQ(nodes.answers()[0].due, at(1200ms)) << "there and back";
}

TEST(Probe, OfALostNodeIsAnsweredThatItIsGone) {
  ReservingNodes nodes(cluster(1), lost_at_5_back_at_9());
  nodes.ask(6s, {.stage = 7});
  nodes.ask(10s, {.stage = 7});
  nodes.expect_answers({{7, Reply::gone}, {7, Reply::load}});
}

TEST(Reservation, OfAnIdleNodeHoldsASlotAtOnce) {
  ReservingNodes nodes(cluster(1));
  nodes.reserve(1s, 7);
  nodes.expect_answers({{7, Reply::ready}});
  const TaskId other = nodes.launch(2s, {.nominal = 1s, .stage = 3});
  nodes.run_to(3s);
  EXPECT_EQ(nodes.set().busy_slots(), 0U) << "the slot is kept";
  const TaskId task = nodes.launch(4s, {.nominal = 2s, .stage = 7, .into = Into::held_slot});
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(task).started, at(4s)) << "before the one that has waited longer";
  EXPECT_EQ(nodes.end_of(other).started, at(6s));
}

TEST(Reservation, ComesToItsTurnBehindTheTasksBeforeIt) {
  ReservingNodes nodes(cluster(1));
  nodes.launch(0s, {.nominal = 4s});
  nodes.launch(0s, {.nominal = 2s});
  nodes.reserve(1s, 7);
  const TaskId behind = nodes.launch(2s, {.nominal = 1s});
  nodes.run_to(5999ms);
  nodes.expect_answers({});
  nodes.run_to(6s);
  nodes.expect_answers({{7, Reply::ready}});
  nodes.decline(8s, 7);
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(behind).started, at(8s));
}

TEST(Reservation, ThatIsDeclinedGivesTheSlotToTheNextOne) {
  ReservingNodes nodes(cluster(1));
  nodes.reserve(0s, 7);
  nodes.reserve(0s, 8);
  nodes.reserve(0s, 7);
  nodes.expect_answers({{7, Reply::ready}});
  nodes.decline(1s, 7);
  nodes.expect_answers({{7, Reply::ready}, {8, Reply::ready}});
  nodes.decline(2s, 8);
  nodes.expect_answers({{7, Reply::ready}, {8, Reply::ready}, {7, Reply::ready}});
  nodes.decline(3s, 7);
  const TaskId task = nodes.launch(4s, {.nominal = 1s});
  nodes.run_to(10s);
  EXPECT_EQ(nodes.end_of(task).started, at(4s));
}

TEST(Reservation, HoldsAsManySlotsAsItWasMadeTimes) {
  ReservingNodes nodes(cluster(1, 2));
  nodes.reserve(0s, 7);
  nodes.reserve(0s, 7);
  nodes.expect_answers({{7, Reply::ready}, {7, Reply::ready}});
  const TaskId other = nodes.launch(1s, {.nominal = 1s});
  const TaskId task = nodes.launch(2s, {.nominal = 5s, .stage = 7, .into = Into::held_slot});
  nodes.decline(3s, 7);
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(task).started, at(2s));
  EXPECT_EQ(nodes.end_of(other).started, at(3s));
}

TEST(Reservation, InTheQueueOfALostNodeIsGone) {
  ReservingNodes nodes(cluster(1), lost_at_5_back_at_9());
  nodes.launch(0s, {.nominal = 90s});
  nodes.reserve(1s, 7);
  nodes.run_to(5s);
  nodes.expect_answers({{7, Reply::gone}});
  nodes.reserve(6s, 8);
  nodes.expect_answers({{7, Reply::gone}, {8, Reply::gone}});
}

TEST(Reservation, WhoseSlotWasLostFindsNothingHeldAndWaitsLikeAnyOther) {
  ReservingNodes nodes(cluster(1), lost_at_5_back_at_9());
  nodes.reserve(1s, 7);
  nodes.run_to(9s);
  nodes.expect_answers({{7, Reply::ready}});
  const TaskId first = nodes.launch(10s, {.nominal = 2s, .stage = 3});
  const TaskId late = nodes.launch(11s, {.nominal = 1s, .stage = 7, .into = Into::held_slot});
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(first).started, at(10s)) << "a node that returns holds nothing";
  EXPECT_EQ(nodes.end_of(late).started, at(12s));
}

TEST(Reservation, IsDeclinedInVainAfterALoss) {
  ReservingNodes nodes(cluster(1), lost_at_5_back_at_9());
  nodes.reserve(1s, 7);
  nodes.decline(6s, 7);
  nodes.decline(10s, 7);
  nodes.launch(11s, {.nominal = 5s});
  const TaskId waits = nodes.launch(11s, {.nominal = 1s});
  nodes.decline(12s, 7);
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(waits).started, at(16s)) << "there is one slot, as ever";
}

TEST(Reservation, CountsAsRunningWhenItHoldsASlotAndAsQueuedBeforeThat) {
  NodeModel model = ReservingNodes::with_queues();
  model.heartbeats = true;
  model.heartbeat_interval = 3s;
  ReservingNodes nodes(cluster(1), model);
  nodes.reserve(1s, 7);
  nodes.reserve(1s, 8);
  nodes.run_to(3s);
  EXPECT_EQ(nodes.statuses().back().running, 1U);
  EXPECT_EQ(nodes.statuses().back().queued, 1U);
}

TEST(Reservation, IsNotTakenBackByARevoke) {
  ReservingNodes nodes(cluster(1));
  nodes.launch(0s, {.nominal = 5s});
  nodes.reserve(0s, 7);
  const TaskId behind = nodes.launch(0s, {.nominal = 1s});
  nodes.revoke(4s, 0, 0);
  nodes.run_to(20s);
  EXPECT_EQ(nodes.end_of(behind).outcome, Outcome::returned);
  nodes.expect_answers({{7, Reply::ready}});
}

}  // namespace
}  // namespace somnus::harness
