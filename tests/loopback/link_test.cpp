// The parts of real time, each on its own: clocks, packets, mailboxes, deadlines.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "transport/clock_sync.hpp"
#include "transport/deadline.hpp"
#include "transport/mailboxes.hpp"
#include "transport/node_message_check.hpp"
#include "transport/packets.hpp"
#include "transport/silence.hpp"
#include "workers/slot_threads.hpp"

namespace somnus {
namespace {

using namespace std::chrono_literals;

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

TEST(Packet, SaysWhatIsWrongWithOneThatNobodyCanRead) {
  EXPECT_EQ(error_in(packet(Ping{1})), "");
  EXPECT_EQ(error_in(packet(Hello{""})), "");
  EXPECT_EQ(error_in(Bytes(3)), "a packet of 3 bytes");
  Bytes torn = packet(Ping{1});
  torn.pop_back();
  EXPECT_EQ(error_in(torn), "7 bytes as records of 8");
  EXPECT_EQ(error_in(packet(std::span<const Ping>())), "0 bytes as records of 8");
  EXPECT_NE(error_in(Bytes(8, std::byte{200})).find("a packet of kind 200"), std::string::npos);
}

TEST(Silence, CountsOnlyTimeInWhichWeListened) {
  const RealTime begin{100s};
  Silence silence;
  silence.begins(begin);
  silence.listened(begin + 1s);
  silence.listened(begin + 2s);
  EXPECT_EQ(silence.of(begin + 3s), 3s);
  silence.listened(begin + 33s);  // we were away from 2 s on
  EXPECT_EQ(silence.of(begin + 33s), 2s);
  silence.heard(begin + 34s);
  EXPECT_EQ(silence.of(begin + 34s), 0s);
  EXPECT_EQ(silence.longest(begin + 34s), 3s);
}

TEST(Deadline, TellsOfAWaitThatTakesTooLongAndOfNoOther) {
  std::atomic<int> calls{0};
  {
    const Deadline met(1h, [&] { ++calls; });
  }
  EXPECT_EQ(calls, 0);
  {
    const Deadline missed(1ms, [&] { ++calls; });
    while (calls == 0) std::this_thread::yield();
  }
  EXPECT_EQ(calls, 1);
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
