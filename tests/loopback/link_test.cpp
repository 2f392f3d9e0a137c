// The parts of real time, each on its own: clocks, packets, mailboxes, a link with silent partners.
#include <gtest/gtest.h>

#include <thread>

#include "runtime/clock_sync.hpp"
#include "runtime/cluster_link.hpp"
#include "runtime/mailboxes.hpp"
#include "workers/slot_threads.hpp"

namespace somnus {
namespace {

using namespace std::chrono_literals;

Cluster nodes(std::uint32_t count) {
  Cluster cluster;
  cluster.groups.push_back({.count = count, .slots = 1});
  return cluster;
}

TEST(ScaledClock, ReachesATimeAtItsRealInstantAndNotBefore) {
  const ScaledClock clock(RealTime(1000s), 2000);
  const Time time = at_seconds(123.456789);
  EXPECT_GE(clock.emulated(clock.real(time)), time);
  EXPECT_LT(clock.emulated(clock.real(time) - 2ns), time);
  EXPECT_GT(clock.real(never), RealTime(1000s) + std::chrono::hours(24 * 50));
}

TEST(ClockSync, TakesTheOffsetOfTheFastestRoundTrip) {
  ClockSync sync;
  sync.add(0, 5'000'500, 1000);        // offset 5 ms, symmetric
  sync.add(2000, 5'090'000, 182'000);  // slow and askew
  EXPECT_EQ(sync.offset(), 5'000'000);
  EXPECT_EQ(sync.uncertainty(), 501);
}

TEST(ClockSync, ForgetsOldSamplesSoThatDriftIsSeen) {
  ClockSync sync;
  sync.add(0, 100 + 5, 10);
  for (std::int64_t at = 0; at < 16; ++at)
    sync.add(1000 * at, 1000 * at + 900 + 50, 1000 * at + 100);
  EXPECT_EQ(sync.offset(), 900);
}

TEST(FirstNodeOf, DealsAllNodesInBlocksThatDifferByAtMostOne) {
  for (int workers = 1; workers <= 7; ++workers) {
    std::uint32_t dealt = 0;
    for (int worker = 0; worker < workers; ++worker) {
      const std::uint32_t block =
          first_node_of(worker + 1, workers, 100) - first_node_of(worker, workers, 100);
      const auto least = 100U / static_cast<std::uint32_t>(workers);
      EXPECT_GE(block, least);
      EXPECT_LE(block, least + 1);
      dealt += block;
    }
    EXPECT_EQ(dealt, 100U);
  }
}

TEST(Packet, BringsRecordsAndTextsBackAsTheyWere) {
  const std::vector<Ping> pings = {{1}, {-2}, {3}};
  const Bytes bytes = packet(std::span<const Ping>(pings));
  EXPECT_EQ(kind_of(bytes), packet_kind<Ping>);
  ASSERT_EQ(contents<Ping>(bytes).size(), 3U);
  EXPECT_EQ(contents<Ping>(bytes)[1].sent_ns, -2);
  EXPECT_EQ(contents<Hello>(packet(Hello{"a\nb"})).text, "a\nb");
  EXPECT_THROW((void)contents<CompletionMessage>(bytes), Bug);
  EXPECT_THROW((void)kind_of(Bytes(3)), Bug);
}

// A worker that says more than rank 0 can hear would else keep it from ever ending.
TEST(ClusterLink, ReceivesSomeOfAFloodAndLetsTheLoopGoOn) {
  Mailboxes mailboxes(2);
  const auto worker = mailboxes.wire(1);
  constexpr std::size_t packets = 5000;
  for (std::size_t n = 0; n < packets; ++n) {
    worker->send(0, packet(OfferMessage{.node = NodeId(0U)}));
  }
  const auto wire = mailboxes.wire(0);
  ClusterLink link(*wire, nodes(1), {});
  Reports reports;
  link.receive({}, reports);
  EXPECT_GT(reports.get<OfferMessage>().size(), 0U);
  EXPECT_LT(reports.get<OfferMessage>().size(), packets);
  while (reports.get<OfferMessage>().size() < packets) link.receive({}, reports);
  EXPECT_EQ(reports.get<OfferMessage>().size(), packets);
}

TEST(Mailboxes, KeepTheOrderOfEachSender) {
  Mailboxes mailboxes(3);
  const auto send_100 = [&](int rank) {
    const auto wire = mailboxes.wire(rank);
    for (std::int64_t n = 0; n < 100; ++n) wire->send(0, packet(Ping{n}));
  };
  std::thread one(send_100, 1);
  std::thread two(send_100, 2);
  std::int64_t next[3] = {0, 0, 0};
  const auto wire = mailboxes.wire(0);
  for (int received = 0; received < 200;) {
    int from = 0;
    Bytes bytes;
    if (!wire->receive(from, bytes)) continue;
    EXPECT_EQ(contents<Ping>(bytes).front().sent_ns, next[from]++);
    ++received;
  }
  one.join();
  two.join();
}

TEST(ClusterLink, NamesTheRankThatNeverAnswers) {
  Mailboxes mailboxes(2);
  const auto wire = mailboxes.wire(0);
  ClusterLink link(*wire, nodes(4), {.silence = 100ms});
  try {
    link.meet("settings");
    FAIL() << "nobody is there";
  } catch (const WorldError& error) {
    EXPECT_NE(std::string(error.what()).find("rank 1 is lost"), std::string::npos) << error.what();
  }
  EXPECT_EQ(link.stop(50ms), std::vector<int>{1});
}

TEST(ClusterLink, PassesOnWhyAWorkerFailed) {
  Mailboxes mailboxes(2);
  mailboxes.wire(1)->send(0, packet(Failure{"no memory for 10 nodes"}));
  const auto wire = mailboxes.wire(0);
  ClusterLink link(*wire, nodes(4), {});
  try {
    link.meet("settings");
    FAIL() << "the worker failed";
  } catch (const WorldError& error) {
    EXPECT_STREQ(error.what(), "rank 1: no memory for 10 nodes");
  }
}

TEST(ClusterLink, GivesUpMeetingWhenAskedToStop) {
  Mailboxes mailboxes(2);
  const auto wire = mailboxes.wire(0);
  const std::atomic<int> stop{15};
  ClusterLink link(*wire, nodes(4), {.stop = &stop});
  EXPECT_THROW(link.meet("settings"), WorldError);
}

TEST(SlotThreads, EachWakesAfterItsDeadlineAndANewDeadlineReplacesTheOld) {
  SlotThreads threads;
  const RealTime begin = ScaledClock::real_now();
  threads.sleep(0, begin + std::chrono::hours(1));
  threads.sleep(1, begin + 5ms);
  threads.sleep(0, begin + 10ms);
  std::vector<std::uint32_t> woken;
  while (woken.size() < 2) {
    std::uint32_t slot = 0;
    if (!threads.woke(slot)) continue;
    EXPECT_GE(ScaledClock::real_now(), begin + (slot == 0 ? 10ms : 5ms));
    woken.push_back(slot);
  }
  threads.sleep(2, begin + std::chrono::hours(1));  // and the end does not wait for it
}

}  // namespace
}  // namespace somnus
