// Algorithm 2 of Yaq (section 3.2): how long one more task would wait in a queue.
#include "queueing/queue_wait.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/property.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

using Durations = std::vector<Duration>;

struct Result {
  Durations each;  // how long each queued task waits
  Duration next{};
};

Result waits(Durations running, const Durations& queued) {
  Result result;
  SlotTimes slots(running);
  for (const Duration task : queued) {
    result.each.push_back(slots.next());
    slots.serve(task, 1);
  }
  result.next = slots.next();
  return result;
}

/// A node that does it, moment by moment, in steps of 1 ns.
Result as_lived(Durations left, Durations queued) {
  Result result;
  for (Duration now{};; now += 1ns) {
    for (auto idle = std::ranges::find(left, Duration{}); idle != left.end();
         idle = std::ranges::find(left, Duration{})) {
      if (result.each.size() == queued.size()) {
        result.next = now;
        return result;
      }
      *idle = queued[result.each.size()];
      result.each.push_back(now);
    }
    for (Duration& slot : left) slot -= 1ns;
  }
}

Durations any_durations(std::size_t count) {
  Durations durations;
  for (std::size_t at = 0; at < count; ++at) durations.emplace_back(*rc::gen::inRange(0, 20));
  return durations;
}

TEST(QueueWait, OfTheWorkedExampleIsSevenByWayOfThreeAndFive) {
  const Result result = waits({3s, 5s}, {4s, 2s});
  EXPECT_EQ(result.each, (Durations{3s, 5s}));
  EXPECT_EQ(result.next, 7s);
}

TEST(QueueWait, OfARunIsThatOfItsTasksOneByOne) {
  check_law({.cases = 500}, [] {
    Durations by_run = any_durations(*rc::gen::inRange<std::size_t>(1, 7));
    Durations one_by_one = by_run;
    SlotTimes slots(by_run);
    SlotTimes expected(one_by_one);
    for (int run = *rc::gen::inRange(1, 5); run > 0; --run) {
      const Duration each(*rc::gen::inRange(0, 20));
      const auto count = *rc::gen::inRange<std::uint64_t>(0, 400);
      const Duration most(*rc::gen::inRange(-1, 2000));
      const std::uint64_t up_to = slots.waiting_up_to(most, each, count);
      slots.serve(each, count);
      std::uint64_t short_enough = 0;
      for (std::uint64_t task = 0; task < count; ++task) {
        short_enough += expected.next() <= most ? 1U : 0U;
        expected.serve(each, 1);
      }
      RC_ASSERT(up_to == short_enough);
      RC_ASSERT(slots.next() == expected.next());
    }
    std::ranges::sort(by_run);
    std::ranges::sort(one_by_one);
    RC_ASSERT(by_run == one_by_one);
  });
}

TEST(QueueWait, OfARunDoesNotGoByHowManyItsTasksAre) {
  Durations running = {3s, 1s, 2s};
  SlotTimes slots(running);
  slots.serve(1ns, 3'000'000'000'000'000);
  EXPECT_EQ(slots.next(), 1'000'002s);
  slots.serve(Duration::max() / 2, 1'000'000'000'000);
  EXPECT_EQ(slots.next(), Duration::max()) << "and none is longer than a Duration";
}

TEST(QueueWait, IsWhenANodeThatServesItsQueueInOrderWouldGetToIt) {
  check_law({.cases = 500}, [] {
    const Durations running = any_durations(*rc::gen::inRange<std::size_t>(1, 7));
    const Durations queued = any_durations(*rc::gen::inRange<std::size_t>(0, 10));
    const Result lived = as_lived(running, queued);
    const Result result = waits(running, queued);
    RC_ASSERT(result.each == lived.each);
    RC_ASSERT(result.next == lived.next);
  });
}

}  // namespace
}  // namespace somnus::harness
