// Rank 0 and its workers, seen from rank 0: workers that are silent, fail, or say what can't be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <thread>

#include "runtime/cluster_link.hpp"
#include "runtime/membership.hpp"
#include "transport/mailboxes.hpp"

namespace somnus {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

Cluster nodes(std::uint32_t count) {
  Cluster cluster;
  cluster.groups.push_back({.count = count, .slots = 1});
  return cluster;
}

/// What the WorldError says; empty if there was none.
template <class Work>
std::string failure_of(Work&& work) {
  try {
    work();
  } catch (const WorldError& error) {
    return error.what();
  }
  return "";
}

// Two workers whose wires the test holds.
class TwoWorkers {
 public:
  explicit TwoWorkers(MembershipRules rules = {}) : membership_(*wire_, std::move(rules)) {}

  Membership& membership() { return membership_; }
  void say(int rank, Bytes packet) { mailboxes_.wire(rank)->send(0, std::move(packet)); }
  void call() {
    say(1, packet(HostName{"n1"}));
    say(2, packet(HostName{"n2"}));
    membership_.gather();
  }
  /// Of what came to a worker, packets of that kind.
  template <class Packet>
  int came(int rank) {
    int count = 0;
    int from = 0;
    for (Bytes bytes; mailboxes_.wire(rank)->receive(from, bytes);) {
      if (kind_of(bytes) == packet_kind<Packet>) ++count;
    }
    return count;
  }

 private:
  Mailboxes mailboxes_{3};
  std::unique_ptr<Wire> wire_ = mailboxes_.wire(0);
  Membership membership_;
};

TEST(Membership, NamesTheRankThatNeverComes) {
  TwoWorkers world({.silence = 1s});
  world.say(1, packet(HostName{"n1"}));
  std::atomic<bool> over = false;
  std::thread first([&] {
    while (!over) {
      world.say(1, packet(Pong{}));
      std::this_thread::sleep_for(50ms);
    }
  });
  EXPECT_THAT(failure_of([&] { world.membership().gather(); }), HasSubstr("rank 2 has not come"));
  over = true;
  first.join();
  EXPECT_TRUE(world.membership().has_lost_a_rank());
}

TEST(Membership, NumbersHostsInOrderOfRanks) {
  TwoWorkers world;
  world.call();
  EXPECT_EQ(world.membership().host_of(0), 0U);
  EXPECT_EQ(world.membership().host_of(1), 1U);
  EXPECT_EQ(world.membership().host_of(2), 2U);
  EXPECT_EQ(world.membership().name_of(2), "rank 2 (host n2)");
}

TEST(Membership, PingsWorkersWhileRank0HasSomethingLongToDo) {
  TwoWorkers world({.silence = 1s});
  world.call();
  std::atomic<bool> over = false;
  std::thread workers([&] {
    while (!over) {
      for (const int rank : {1, 2}) world.say(rank, packet(Pong{}));
      std::this_thread::sleep_for(50ms);
    }
  });
  bool done = false;
  world.membership().run_while_monitoring([&] {
    std::this_thread::sleep_for(1500ms);  // longer than the silence
    done = true;
  });
  over = true;
  workers.join();
  EXPECT_TRUE(done);
  EXPECT_GE(world.came<Ping>(2), 4);
}

TEST(Membership, GivesUpLongWorkForALostRankAndForASignalButSeesTheLastThrough) {
  std::atomic<int> stop{0};
  TwoWorkers world({.silence = 1s, .stop = &stop});
  world.call();
  const auto over = std::make_shared<std::atomic<bool>>(false);
  const auto work = [over] {
    while (!*over) std::this_thread::sleep_for(10ms);
  };
  EXPECT_THAT(failure_of([&] { world.membership().run_while_monitoring(work); }),
              HasSubstr("(host n1) is lost"));
  EXPECT_TRUE(world.membership().given_up());
  stop = 15;
  EXPECT_THROW(world.membership().run_while_monitoring(work), Stopped);
  *over = true;
  bool done = false;
  world.membership().run_to_completion([&] { done = true; });
  EXPECT_TRUE(done);
}

TEST(Membership, PassesOnWhyWorkFailed) {
  TwoWorkers world;
  world.call();
  EXPECT_THROW(world.membership().run_while_monitoring([] { throw std::bad_alloc(); }),
               std::bad_alloc);
  EXPECT_FALSE(world.membership().given_up());
}

TEST(Membership, WaitsForASilentRankWhereItShallAndTellsOfIt) {
  std::vector<std::string> warnings;
  TwoWorkers world({.silence = 1s, .waits = true, .warn = [&](const std::string& what) {
                      warnings.push_back(what);
                    }});
  world.call();
  const RealTime end = ScaledClock::real_now() + 1300ms;
  while (ScaledClock::real_now() < end) {
    world.membership().look();
    std::this_thread::sleep_for(10ms);
  }
  ASSERT_EQ(warnings.size(), 2U);  // once a silence, not once a look
  EXPECT_THAT(warnings[1], HasSubstr("nothing was heard of rank 2 (host n2) for 1 s"));
  EXPECT_GT(world.membership().longest_silence(2), 1s);
}

// A worker that says more than rank 0 can hear would else keep it from ever ending.
TEST(ClusterLink, ReceivesSomeOfAFloodAndLetsTheLoopGoOn) {
  Mailboxes mailboxes(2);
  const auto worker = mailboxes.wire(1);
  constexpr std::size_t packets = 5000;
  for (std::size_t n = 0; n < packets; ++n) {
    worker->send(0, packet(NodeStatusMessage{.node = NodeId(0U)}));
  }
  const auto wire = mailboxes.wire(0);
  Membership membership(*wire, {});
  ClusterLink link(membership, nodes(1), Catalogue(), {});
  Reports reports;
  link.receive({}, reports);
  EXPECT_GT(reports.get<NodeStatusMessage>().size(), 0U);
  EXPECT_LT(reports.get<NodeStatusMessage>().size(), packets);
  while (reports.get<NodeStatusMessage>().size() < packets) link.receive({}, reports);
  EXPECT_EQ(reports.get<NodeStatusMessage>().size(), packets);
}

TEST(ClusterLink, ReturnsThoseThatSendNoTotals) {
  TwoWorkers world;
  world.call();
  ClusterLink link(world.membership(), nodes(4), Catalogue(), {});
  world.say(1, packet(WorkerTotals{}));
  EXPECT_EQ(link.stop(50ms), std::vector<int>{2});
}

TEST(ClusterLink, PassesOnWhyAWorkerFailedAndDoesNotWaitForItsTotals) {
  TwoWorkers world;
  world.call();
  world.say(1, packet(Failure{"no memory for 10 nodes"}));
  world.say(2, packet(WorkerTotals{}));
  ClusterLink link(world.membership(), nodes(4), Catalogue(), {});
  EXPECT_EQ(failure_of([&] { link.meet("settings"); }), "rank 1 (host n1): no memory for 10 nodes");
  EXPECT_EQ(link.stop(1h), std::vector<int>{1});
}

TEST(ClusterLink, GivesUpMeetingWhenAskedToStop) {
  std::atomic<int> stop{0};
  TwoWorkers world({.stop = &stop});
  world.call();
  stop = 15;
  ClusterLink link(world.membership(), nodes(4), Catalogue(), {});
  EXPECT_THROW(link.meet("settings"), Stopped);
}

// Each breaks one member of a report that is sound.
class AbsurdMessage : public testing::Test {
 protected:
  /// What rank 0 says when rank 1, which has nodes 0 and 1 of 4, reports that.
  template <class Report>
  std::string said_of(const Report& report) {
    TwoWorkers world;
    world.call();
    Catalogue catalogue;
    catalogue.tasks = 5;
    catalogue.stages.resize(2);
    ClusterLink link(world.membership(), nodes(4), catalogue, {});
    world.say(1, packet(report));
    Reports reports;
    return failure_of([&] { link.receive({}, reports); });
  }
  static CompletionMessage an_end() {
    return {.task = TaskId(4U), .node = NodeId(1U), .slot = 0, .outcome = Outcome::finished};
  }
};

TEST_F(AbsurdMessage, OfASoundOneNothingIsSaid) {
  EXPECT_EQ(said_of(an_end()), "");
  EXPECT_EQ(said_of(NodeStatusMessage{.node = NodeId(0U)}), "");
  EXPECT_EQ(said_of(AnswerMessage{.node = NodeId(0U), .stage = StageId(1U)}), "");
}

TEST_F(AbsurdMessage, NamesNodesThatAreNotThereOrNotTheRanks) {
  CompletionMessage end = an_end();
  end.node = NodeId(4U);
  EXPECT_THAT(said_of(end), HasSubstr("rank 1 (host n1) reported what can't be: node 4 of 4"));
  end.node = NodeId(2U);
  EXPECT_THAT(said_of(end), HasSubstr("node 2, which is rank 2's"));
  EXPECT_THAT(said_of(NodeStatusMessage{}), HasSubstr("node 4294967295 of 4"));
}

TEST_F(AbsurdMessage, NamesTasksSlotsStagesAndCodesThatAreNotThere) {
  CompletionMessage end = an_end();
  end.task = TaskId(5U);
  EXPECT_THAT(said_of(end), HasSubstr("task 5 of 5"));
  end = an_end();
  end.slot = 1;
  EXPECT_THAT(said_of(end), HasSubstr("slot 1 of 1"));
  end = an_end();
  end.outcome = static_cast<Outcome>(77);
  EXPECT_THAT(said_of(end), HasSubstr("outcome 77 of task 4"));
  end = an_end();
  const unsigned char two = 2;
  std::memcpy(&end.warm, &two, 1);
  EXPECT_THAT(said_of(end), HasSubstr("warm = 2"));
  EXPECT_THAT(said_of(NodeStatusMessage{.node = NodeId(0U), .status = static_cast<NodeStatus>(9)}),
              HasSubstr("status 9 of node 0"));
  EXPECT_THAT(said_of(AnswerMessage{.node = NodeId(0U), .stage = StageId(2U)}),
              HasSubstr("stage 2 of 2"));
}

TEST_F(AbsurdMessage, NamesTimesThatAreNone) {
  CompletionMessage end = an_end();
  end.finished = Time::min();
  EXPECT_THAT(said_of(end), HasSubstr("task 4 at a time that is none"));
  end = an_end();
  end.finished = end.started - 1ns;
  EXPECT_THAT(said_of(end), HasSubstr("task 4 at a time that is none"));
  end.started = end.finished = never;
  EXPECT_THAT(said_of(end), HasSubstr("task 4 at a time that is none"));
  EXPECT_THAT(said_of(NodeStatusMessage{.wait = Duration::min(), .node = NodeId(0U)}),
              HasSubstr("a heartbeat of node 0 at a time that is none"));
}

TEST_F(AbsurdMessage, NamesClocksAndFiguresThatCanNotBe) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  EXPECT_THAT(said_of(Pong{.sent_ns = least, .worker_ns = 5}),
              HasSubstr("rank 1 (host n1) reported what can't be: the answer to a ping"));
  EXPECT_THAT(said_of(Pong{.sent_ns = 1, .worker_ns = least}), HasSubstr("a clock at -92"));
  EXPECT_THAT(said_of(LatenessCount{.up_to_s = std::nan(""), .looks = 1}),
              HasSubstr("1 looks that were up to nan s late"));
  EXPECT_THAT(said_of(WorkerTotals{.late_max = std::nan("")}),
              HasSubstr("a figure that is no number"));
}

TEST_F(AbsurdMessage, CanNotBeReadOrIsNotAWorkersToSay) {
  EXPECT_THAT(said_of(Stop{}), HasSubstr("rank 1 (host n1) sent rank 0 what only rank 0 sends"));
  TwoWorkers world;
  world.call();
  world.say(2, Bytes(13, packet_kind<CompletionMessage>));
  ClusterLink link(world.membership(), nodes(4), Catalogue(), {});
  Reports reports;
  EXPECT_THAT(failure_of([&] { link.receive({}, reports); }),
              HasSubstr("rank 2 (host n2) sent what nobody can read: 5 bytes"));
}

}  // namespace
}  // namespace somnus
