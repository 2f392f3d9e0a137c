// What a queue gives back when it is too long (Mercury; policies.md 4.2).
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "harness/builders.hpp"
#include "harness/property.hpp"
#include "queueing/reordered_queue.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

using Tasks = std::vector<std::uint32_t>;
using Durations = std::vector<Duration>;

Tasks numbers(const std::vector<WorkerQueue::Entry>& entries) {
  Tasks tasks;
  for (const WorkerQueue::Entry& entry : entries) tasks.push_back(entry.task.value());
  return tasks;
}

Tasks shed(ReorderedQueue& queue, Duration now, const RevokeMessage& limits,
           Durations running = {1s}) {
  return numbers(queue.shed(at(now), limits, running));
}
Tasks shed(ReorderedQueue& queue, Duration now, double length) {
  return shed(queue, now, {.length = length});
}

/// Tasks of 2 s by estimate, numbered from 0, that came at those times. All are of job 0.
ReorderedQueue queue_of(const QueueRules& rules, const Durations& came) {
  ReorderedQueue queue(rules);
  std::uint32_t next = 0;
  for (const Duration time : came) {
    queue.put(at(time), {.estimate = 2s, .task = TaskId(next++), .job = JobId(0U)}, {});
  }
  return queue;
}

TEST(Shedding, ByLengthTakesTheTasksBeyondTheLimitFromTheTail) {
  ReorderedQueue queue = queue_of({}, {0s, 0s, 0s, 0s, 0s});
  EXPECT_EQ(shed(queue, 10s, 5), Tasks{});
  EXPECT_EQ(shed(queue, 10s, 2), (Tasks{4, 3, 2}));
  EXPECT_EQ(numbers(queue.drain()), (Tasks{0, 1}));
}

TEST(Shedding, ByLengthZeroTakesAll) {
  ReorderedQueue queue = queue_of({}, {0s, 0s});
  EXPECT_EQ(shed(queue, 10s, 0), (Tasks{1, 0}));
  EXPECT_TRUE(queue.empty());
}

// Waits: task 0 waits 1 s, 1 waits 3 s, 2 waits 5 s, 3 waits 7 s.
TEST(Shedding, ByWaitTakesTheTasksThatWouldWaitLongerThanTheLimit) {
  ReorderedQueue queue = queue_of({}, {0s, 0s, 0s, 0s});
  EXPECT_EQ(shed(queue, 10s, {.wait_s = 7}, {1s}), Tasks{});
  EXPECT_EQ(shed(queue, 10s, {.wait_s = 5}, {1s}), Tasks{3}) << "a wait of just the limit is fine";
  EXPECT_EQ(shed(queue, 10s, {.wait_s = 2.5}, {1s}), (Tasks{2, 1}));
  EXPECT_EQ(numbers(queue.drain()), Tasks{0});
}

TEST(Shedding, ByWaitCountsOnAllSlotsOfTheNode) {
  ReorderedQueue queue = queue_of({}, {0s, 0s, 0s});
  EXPECT_EQ(shed(queue, 10s, {.wait_s = 1.5}, {1s, 1s}), Tasks{2});
}

TEST(Shedding, TakesThoseFirstThatWouldStartLast) {
  ReorderedQueue queue({.reorder = Reordering::named("srjf")});
  for (std::uint32_t job = 0; job < 4; ++job) {
    queue.put(at(0s), {.task = TaskId(job), .job = JobId(job)},
              {.remaining = std::chrono::seconds(job == 1 ? 90 : job)});
  }
  EXPECT_EQ(shed(queue, 10s, 2), (Tasks{1, 3}));
}

TEST(Shedding, LeavesWhatHasComeWithinTheLastInterval) {
  ReorderedQueue queue = queue_of({.rebalance_interval_s = 1}, {0s, 8s, 9001ms});
  EXPECT_EQ(shed(queue, 9s, 0), (Tasks{1, 0}));
  EXPECT_EQ(shed(queue, 10s, 0), Tasks{});
  EXPECT_EQ(shed(queue, 10001ms, 0), Tasks{2});
}

TEST(Shedding, LeavesWhatIsStarved) {
  ReorderedQueue queue =
      queue_of({.reorder = Reordering::named("srjf"), .starvation_s = 5}, {0s, 4s, 5s});
  EXPECT_EQ(shed(queue, 8s, 0), (Tasks{2, 1})) << "task 0 has waited for 8 s";
}

TEST(Shedding, LeavesReservations) {
  ReorderedQueue queue(QueueRules{});
  queue.put(at(0s), {.task = TaskId(0U)}, {});
  queue.put(at(0s), {.stage = StageId(0U)}, {});
  queue.put(at(0s), {.task = TaskId(1U)}, {});
  EXPECT_EQ(shed(queue, 10s, 0), (Tasks{1, 0}));
  ASSERT_EQ(queue.size(), 1U);
  EXPECT_TRUE(queue.take(at(10s)).is_reservation());
}

TEST(Shedding, NeitherLosesNorDoublesNorReordersTasks) {
  check_law({.cases = 300}, [] {
    const QueueRules rules{
        .reorder = *rc::gen::element(Reordering::named("fifo"), Reordering::named("srjf"),
                                     Reordering::named("stf")),
        .starvation_s = *rc::gen::element(3.0, 8.0, 1e9)};
    const auto fill = [&, count = *rc::gen::inRange<std::uint32_t>(0, 12),
                       seeds = *rc::gen::container<std::vector<int>>(12, rc::gen::inRange(1, 9))] {
      ReorderedQueue queue(rules);
      for (std::uint32_t task = 0; task < count; ++task) {
        const auto span = std::chrono::seconds(seeds[task]);
        queue.put(at(std::chrono::seconds(task)),
                  {.estimate = span, .task = TaskId(task), .job = JobId(0U)}, {.remaining = span});
      }
      return queue;
    };
    ReorderedQueue untouched = fill();
    ReorderedQueue queue = fill();
    const Tasks before = numbers(untouched.drain());
    const double limit = *rc::gen::inRange(0, 10);
    const RevokeMessage limits =
        *rc::gen::element(RevokeMessage{.length = limit}, RevokeMessage{.wait_s = limit},
                          RevokeMessage{.length = limit, .wait_s = limit});
    const Tasks gone = shed(queue, 12s, limits, {1s, 2s});
    const Tasks kept = numbers(queue.drain());
    RC_ASSERT(gone.size() + kept.size() == before.size());
    const std::set<std::uint32_t> shed_ones(gone.begin(), gone.end());
    RC_ASSERT(shed_ones.size() == gone.size());
    Tasks expected = before;
    std::erase_if(expected, [&](std::uint32_t task) { return shed_ones.contains(task); });
    RC_ASSERT(kept == expected);
    Tasks from_the_tail = before;
    std::erase_if(from_the_tail, [&](std::uint32_t task) { return !shed_ones.contains(task); });
    std::ranges::reverse(from_the_tail);
    RC_ASSERT(gone == from_the_tail);
  });
}

}  // namespace
}  // namespace somnus::harness
