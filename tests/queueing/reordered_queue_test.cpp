// Algorithm 3 of Yaq (section 3.3): which queued task starts next, and what a queue gives back when
// it is too long. queue_runs_test.cpp holds it to the definitions.
#include "queueing/reordered_queue.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "queueing/numbered_queue.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

using Job = QueuedJob;
using Queue = NumberedQueue;
using Order = QueueOrder;

TEST(ReorderedQueue, FifoServesInTheOrderOfComing) {
  Queue queue({.reorder = Reordering::named("fifo")});
  queue.put(0s, 0, {.arrival = 5s, .remaining = 9s, .tasks = 9}, 9s);
  queue.put(1s, 1, {.arrival = 0s, .remaining = 1s, .tasks = 1}, 1s);
  queue.put(1s, 0, {.arrival = 5s, .remaining = 9s, .tasks = 9}, 1s);
  EXPECT_EQ(queue.order_at(2s), (Order{0, 1, 2}));
}

TEST(ReorderedQueue, SrjfServesTheJobWithTheLeastRemainingWork) {
  Queue queue({.reorder = Reordering::named("srjf")});
  queue.put(0s, 0, {.remaining = 50s, .tasks = 1}, 1s);
  queue.put(1s, 1, {.remaining = 20s, .tasks = 9}, 20s);
  queue.put(2s, 2, {.remaining = 30s, .tasks = 5}, 5s);
  EXPECT_EQ(queue.order_at(3s), (Order{1, 2, 0}));
}

TEST(ReorderedQueue, LrtfServesTheJobWithTheFewestUnfinishedTasks) {
  Queue queue({.reorder = Reordering::named("lrtf")});
  queue.put(0s, 0, {.remaining = 1s, .tasks = 5}, 1s);
  queue.put(1s, 1, {.remaining = 90s, .tasks = 2}, 45s);
  queue.put(2s, 2, {.remaining = 2s, .tasks = 3}, 2s);
  EXPECT_EQ(queue.order_at(3s), (Order{1, 2, 0}));
}

TEST(ReorderedQueue, StfServesTheShortestTask) {
  Queue queue({.reorder = Reordering::named("stf")});
  queue.put(0s, 0, {.remaining = 1s}, 7s);
  queue.put(1s, 1, {.remaining = 90s}, 2s);
  queue.put(2s, 2, {.remaining = 2s}, 5s);
  EXPECT_EQ(queue.order_at(3s), (Order{1, 2, 0}));
}

TEST(ReorderedQueue, EjfServesTheJobThatArrivedFirst) {
  Queue queue({.reorder = Reordering::named("ejf")});
  queue.put(10s, 0, {.arrival = 9s}, 1s);
  queue.put(11s, 1, {.arrival = 1s}, 9s);
  queue.put(12s, 2, {.arrival = 4s}, 5s);
  EXPECT_EQ(queue.order_at(13s), (Order{1, 2, 0}));
}

TEST(ReorderedQueue, AmongTheStarvedTheEarlierJobGoesFirstThenTheLongerWait) {
  Queue queue({.reorder = Reordering::named("stf"), .starvation_s = 10});
  queue.put(0s, 0, {.arrival = 3s}, 1s);
  queue.put(1s, 1, {.arrival = 2s}, 5s);
  queue.put(2s, 1, {.arrival = 2s}, 2s);
  EXPECT_EQ(queue.order_at(20s), (Order{1, 2, 0}));
}

TEST(ReorderedQueue, TakesTasksOfOneStageAsOneRunHoweverManyTheyAre) {
  Queue queue({.reorder = Reordering::named("srjf"), .starvation_s = 10});
  Job job{.remaining = 3600s};
  constexpr std::uint32_t count = 2'000'000;
  for (std::uint32_t task = 0; task < count; ++task) {
    if (task % 1000 == 0) job.remaining -= 1s;
    queue.put(0s, 0, job);
  }
  EXPECT_EQ(queue.get().runs(), 2000U) << "what each knows is as old as it";
  queue.get().refresh({update_of(0, job)});
  EXPECT_EQ(queue.get().runs(), 1U);
  std::vector<Duration> running(4, 1s);
  EXPECT_EQ(queue.get().wait(running), 1s * (1 + count / 4));
  for (std::uint32_t task = 0; task < count; ++task) ASSERT_EQ(queue.take(20s), task);
  EXPECT_TRUE(queue.get().empty());
}

TEST(ReorderedQueue, ByFifoTasksOfAnyJobsAreOneRunIfTheyAreEstimatedAlike) {
  Queue queue({});
  for (std::uint32_t job = 0; job < 100; ++job) queue.put(0s, job, {}, job < 50 ? 1s : 2s);
  EXPECT_EQ(queue.get().runs(), 2U);
}

/// The numbers of the tasks that it gives back (Mercury; policies.md 4.2), of a node of one slot.
Order shed(Queue& queue, Duration now, const RevokeMessage& limits) {
  std::vector<Duration> running = {1s};
  Order tasks;
  for (const WorkerQueue::Entry& entry : queue.get().shed(at(now), limits, running)) {
    tasks.push_back(entry.task.value());
  }
  return tasks;
}

// Waits: task 0 waits 1 s, 1 waits 3 s, 2 waits 5 s, 3 waits 7 s.
TEST(Shedding, ByWaitTakesTheTasksThatWouldWaitLongerThanTheLimit) {
  Queue queue({});
  for (int task = 0; task < 4; ++task) queue.put(0s, 0, {}, 2s);
  EXPECT_EQ(shed(queue, 10s, {.wait_s = 7}), Order{});
  EXPECT_EQ(shed(queue, 10s, {.wait_s = 5}), Order{3}) << "a wait of just the limit is fine";
  EXPECT_EQ(shed(queue, 10s, {.wait_s = 2.5}), (Order{2, 1}));
  EXPECT_EQ(queue.order_at(10s), Order{0});
}

TEST(Shedding, LeavesWhatHasComeWithinTheLastInterval) {
  Queue queue({.rebalance_interval_s = 1});
  for (const Duration came : {0ms, 8000ms, 9001ms}) queue.put(came, 0, {});
  EXPECT_EQ(shed(queue, 9s, {.length = 0}), (Order{1, 0}));
  EXPECT_EQ(shed(queue, 10s, {.length = 0}), Order{});
  EXPECT_EQ(shed(queue, 10001ms, {.length = 0}), Order{2});
}

TEST(Shedding, LeavesReservations) {
  Queue queue({});
  queue.put(0s, 0, {});
  queue.get().put(at(0s), {.stage = StageId(0U)}, {});
  queue.put(0s, 0, {});
  EXPECT_EQ(shed(queue, 10s, {.length = 0}), (Order{1, 0}));
  ASSERT_EQ(queue.get().size(), 1U);
  EXPECT_TRUE(queue.get().take(at(10s)).is_reservation());
}

}  // namespace
}  // namespace somnus::harness
