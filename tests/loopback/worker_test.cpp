// A worker, seen from a rank 0 that says what can't be: it gives up and says why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "transport/mailboxes.hpp"
#include "transport/packets.hpp"
#include "workers/worker_rank.hpp"

namespace somnus {
namespace {

using testing::HasSubstr;

/// Rank 1 of 3, whose nodes 2 and 3 of 6 have a slot each. All that it will hear is there already.
class AbsurdCommand : public testing::Test {
 protected:
  template <class... Packets>
  std::string said_to(const Packets&... packets) {
    Mailboxes mailboxes(2);
    const auto rank_0 = mailboxes.wire(0);
    (rank_0->send(1, packets), ...);
    rank_0->send(1, packet(Leave{}));
    const auto wire = mailboxes.wire(1);
    const auto build = [](std::string_view, const WorkerRank::Identity&) {
      Cluster cluster;
      cluster.groups.push_back({.count = 6, .slots = 1});
      return WorkerParts{.nodes = std::make_unique<NodeSet>(cluster, NodeId(2U), 2, NodeModel())};
    };
    try {
      WorkerRank(*wire, build, nullptr).run();
    } catch (const WorldError& error) {
      return error.what();
    }
    return "";
  }
  /// After the start of a run of two jobs and five tasks.
  template <class Message>
  std::string said_once_started(const Message& command) {
    return said_to(packet(Hello{"settings"}), start(), packet(command));
  }
  static Bytes start() {
    const RealTime now = ScaledClock::real_now();
    return packet(
        Start{.start_ns = now.time_since_epoch().count(), .speed = 1, .jobs = 2, .tasks = 5});
  }
  static LaunchMessage a_launch() {
    return {.task = TaskId(4U), .node = NodeId(3U), .job = JobId(1U), .stage = StageId(0U)};
  }
};

TEST_F(AbsurdCommand, OfSoundOnesNothingIsSaid) {
  EXPECT_EQ(said_once_started(a_launch()), "");
  EXPECT_EQ(said_once_started(KillMessage{.task = TaskId(0U), .node = NodeId(2U)}), "");
  EXPECT_EQ(said_once_started(JobUpdate{.job = JobId(1U)}), "");
}

TEST_F(AbsurdCommand, NamesNodesTasksAndJobsThatAreNotThere) {
  LaunchMessage launch = a_launch();
  launch.node = NodeId(4U);
  EXPECT_THAT(said_once_started(launch),
              HasSubstr("rank 0 sent what can't be: node 4, expected 2 to 3"));
  launch = a_launch();
  launch.task = TaskId(5U);
  EXPECT_THAT(said_once_started(launch), HasSubstr("task 5 of 5"));
  launch = a_launch();
  launch.job = JobId(2U);
  EXPECT_THAT(said_once_started(launch), HasSubstr("job 2 of 2"));
  EXPECT_THAT(said_once_started(JobUpdate{.job = JobId(4'000'000'000U)}),
              HasSubstr("an update of job 4000000000 of 2"));
  EXPECT_THAT(said_once_started(KillMessage{.task = TaskId(9U), .node = NodeId(2U)}),
              HasSubstr("task 9 of 5"));
}

TEST_F(AbsurdCommand, NamesTimesAndCodesThatAreNone) {
  LaunchMessage launch = a_launch();
  launch.sent = never;
  EXPECT_THAT(said_once_started(launch), HasSubstr("a command to node 3 at a time that is none"));
  launch = a_launch();
  launch.times.nominal = Duration(-1);
  EXPECT_THAT(said_once_started(launch), HasSubstr("task 4 for a time that is none"));
  launch = a_launch();
  launch.into = static_cast<Into>(7);
  EXPECT_THAT(said_once_started(launch), HasSubstr("task 4 into slot 7"));
  AskMessage ask{.node = NodeId(2U), .job = JobId(0U), .question = static_cast<Question>(9)};
  EXPECT_THAT(said_once_started(ask), HasSubstr("question 9"));
}

TEST_F(AbsurdCommand, ComesTooEarly) {
  EXPECT_THAT(said_to(start()), HasSubstr("a start before the settings"));
  EXPECT_THAT(said_to(packet(Hello{""}), packet(a_launch())),
              HasSubstr("a command before the start"));
  EXPECT_THAT(said_to(packet(JobUpdate{.job = JobId(0U)})),
              HasSubstr("a command before the start"));
}

TEST_F(AbsurdCommand, StartsARunThatCanNotBe) {
  for (const double speed : {0.0, -1.0, 1e300, std::nan("")}) {
    const Bytes start = packet(Start{.start_ns = 0, .speed = speed});
    EXPECT_THAT(said_to(packet(Hello{""}), start), HasSubstr("a start that can't be"));
  }
}

TEST_F(AbsurdCommand, StartsMoreJobsThanThereCanBe) {
  Start start{.start_ns = ScaledClock::real_now().time_since_epoch().count(), .speed = 1};
  start.jobs = 3;
  start.tasks = 2;
  EXPECT_THAT(said_to(packet(Hello{""}), packet(start)), HasSubstr("of 3 jobs with 2 tasks"));
  start.tasks = 200'000'000;
  EXPECT_THAT(said_to(packet(Hello{""}), packet(start)), HasSubstr("with 200000000 tasks"));
}

TEST_F(AbsurdCommand, CanNotBeReadOrIsNotRank0sToSay) {
  EXPECT_THAT(said_to(Bytes(3)),
              HasSubstr("rank 0 sent what nobody can read: a packet of 3 bytes"));
  EXPECT_THAT(said_to(packet(Pong{}), Bytes(3)), HasSubstr("rank 0 sent what only workers send"));
}

TEST(Worker, TellsOfALookThatTheEndOfTheRunCutShort) {
  Mailboxes mailboxes(2);
  const auto rank_0 = mailboxes.wire(0);
  const RealTime a_second_ago = ScaledClock::real_now() - std::chrono::seconds(1);
  rank_0->send(1, packet(Hello{""}));
  rank_0->send(
      1,
      packet(Start{
          .start_ns = a_second_ago.time_since_epoch().count(), .speed = 1, .jobs = 1, .tasks = 1}));
  rank_0->send(
      1, packet(LaunchMessage{
             .task = TaskId(0U), .node = NodeId(0U), .job = JobId(0U), .stage = StageId(0U)}));
  rank_0->send(1, packet(Stop{}));
  rank_0->send(1, packet(Leave{}));
  const auto wire = mailboxes.wire(1);
  const auto build = [](std::string_view, const WorkerRank::Identity&) {
    Cluster cluster;
    cluster.groups.push_back({.count = 1, .slots = 1});
    return WorkerParts{.nodes = std::make_unique<NodeSet>(cluster, NodeId(0U), 1, NodeModel())};
  };
  WorkerRank(*wire, build, nullptr).run();
  int from = 0;
  double latest_look_s = 0;
  double late_max_s = -1;
  for (Bytes bytes; rank_0->receive(from, bytes);) {
    if (kind_of(bytes) == packet_kind<LatenessCount>) {
      latest_look_s = contents<LatenessCount>(bytes).back().up_to_s;
    } else if (kind_of(bytes) == packet_kind<WorkerTotals>) {
      late_max_s = contents<WorkerTotals>(bytes).front().late_max;
    }
  }
  EXPECT_GE(late_max_s, 1);
  EXPECT_EQ(latest_look_s, late_max_s);
}

}  // namespace
}  // namespace somnus
