// Algorithm 2 of Yaq (section 3.2): how long one more task would wait in a queue.
#include "queueing/queue_wait.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

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
  result.next = queue_wait(running, queued, [&](std::size_t place, Duration wait) {
    EXPECT_EQ(place, result.each.size());
    result.each.push_back(wait);
  });
  return result;
}

/// As printed: the least time left is taken off all others.
Result as_published(Durations running, const Durations& queued) {
  Result result;
  Duration wait{};
  const auto remove_min = [&] {
    const auto least = std::ranges::min_element(running);
    const Duration min_task = *least;
    running.erase(least);
    return min_task;
  };
  for (const Duration task : queued) {
    const Duration min_task = remove_min();
    wait += min_task;
    result.each.push_back(wait);
    for (Duration& left : running) left -= min_task;
    running.push_back(task);
  }
  result.next = wait + remove_min();
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

TEST(QueueWait, OfAnEmptyQueueIsTheLeastTimeLeft) {
  EXPECT_EQ(queue_wait({9s, 2s, 5s}, {}), 2s);
  EXPECT_EQ(queue_wait({0s, 2s}, {}), 0s) << "late already: any moment now";
}

TEST(QueueWait, OfOneSlotIsAllThatIsBefore) {
  EXPECT_EQ(queue_wait({1s}, Durations{2s, 3s, 4s}), 10s);
}

TEST(QueueWait, ATaskOfNoDurationMakesNobodyWait) {
  const Result result = waits({3s}, {0s, 0s, 1s});
  EXPECT_EQ(result.each, (Durations{3s, 3s, 3s}));
  EXPECT_EQ(result.next, 4s);
}

TEST(QueueWait, IsNothingWhereNothingRuns) { EXPECT_EQ(queue_wait({}, Durations{4s, 2s}), 0s); }

TEST(QueueWait, EqualsTheFormulationThatTakesTheLeastOffAllOthers) {
  check_law({.cases = 500}, [] {
    const Durations running = any_durations(*rc::gen::inRange<std::size_t>(1, 7));
    const Durations queued = any_durations(*rc::gen::inRange<std::size_t>(0, 10));
    const Result published = as_published(running, queued);
    const Result result = waits(running, queued);
    RC_ASSERT(result.each == published.each);
    RC_ASSERT(result.next == published.next);
  });
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
