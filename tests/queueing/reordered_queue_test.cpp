// Algorithm 3 of Yaq (section 3.3): which queued task starts next.
#include "queueing/reordered_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
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

TEST(ReorderedQueue, EqualsGoByTheLongerWaitAndThenAsTheyCame) {
  for (const Reordering reorder : {Reordering::named("srjf"), Reordering::named("lrtf"),
                                   Reordering::named("stf"), Reordering::named("ejf")}) {
    Queue queue({.reorder = reorder});
    queue.put(0s, 0, {.remaining = 5s}, 2s);
    queue.put(1s, 1, {.remaining = 5s}, 2s);
    queue.put(1s, 2, {.remaining = 5s}, 2s);
    queue.put(1s, 0, {.remaining = 5s}, 2s);
    EXPECT_EQ(queue.order_at(2s), (Order{0, 1, 2, 3})) << reorder.name();
  }
}

TEST(ReorderedQueue, AStarvedTaskGoesBeforeAllThatAreNot) {
  Queue queue({.reorder = Reordering::named("stf"), .starvation_s = 10});
  queue.put(0s, 0, {.arrival = 0s}, 99s);
  queue.put(9s, 1, {.arrival = 0s}, 1s);
  EXPECT_EQ(queue.take(10001ms), 0U);
}

TEST(ReorderedQueue, ATaskIsStarvedOnlyWhenItHasWaitedLongerThanTheThreshold) {
  Queue queue({.reorder = Reordering::named("stf"), .starvation_s = 10});
  queue.put(0s, 0, {.arrival = 0s}, 99s);
  queue.put(9s, 1, {.arrival = 0s}, 1s);
  queue.put(9s, 2, {.arrival = 0s}, 2s);
  EXPECT_EQ(queue.take(10s), 1U) << "after exactly that long it is not";
  EXPECT_EQ(queue.take(10s + 1ns), 0U);
}

TEST(ReorderedQueue, AmongTheStarvedTheEarlierJobGoesFirstThenTheLongerWait) {
  Queue queue({.reorder = Reordering::named("stf"), .starvation_s = 10});
  queue.put(0s, 0, {.arrival = 3s}, 1s);
  queue.put(1s, 1, {.arrival = 2s}, 5s);
  queue.put(2s, 1, {.arrival = 2s}, 2s);
  EXPECT_EQ(queue.order_at(20s), (Order{1, 2, 0}));
}

TEST(ReorderedQueue, TheRelativeThresholdIsInEstimatedDurationsOfTheTask) {
  Queue queue({.reorder = Reordering::named("ejf"), .starvation_relative = 2});
  queue.put(0s, 0, {.arrival = 1s}, 10s);
  queue.put(0s, 1, {.arrival = 5s}, 1s);
  EXPECT_EQ(queue.take(2s), 0U) << "nobody has waited longer than twice its duration";
  queue.put(2s, 0, {.arrival = 1s}, 10s);
  EXPECT_EQ(queue.take(2001ms), 1U);
}

TEST(ReorderedQueue, OfTwoThresholdsTheLowerCounts) {
  for (const auto& [hard_s, relative] : {std::pair(4.0, 100.0), std::pair(100.0, 2.0)}) {
    Queue queue({.reorder = Reordering::named("ejf"),
                 .starvation_s = hard_s,
                 .starvation_relative = relative});
    queue.put(0s, 1, {.arrival = 5s}, 2s);
    queue.put(4s, 0, {.arrival = 1s}, 2s);
    EXPECT_EQ(queue.take(4001ms), 0U);
  }
}

TEST(ReorderedQueue, AThresholdOfZeroMakesEveryStrategyTheEarliestJobFirst) {
  for (const Reordering reorder :
       {Reordering::named("srjf"), Reordering::named("lrtf"), Reordering::named("stf")}) {
    for (const bool relative : {false, true}) {
      QueueRules rules{.reorder = reorder};
      (relative ? rules.starvation_relative : rules.starvation_s) = 0;
      Queue queue(rules);
      queue.put(0s, 0, {.arrival = 9s, .remaining = 1s, .tasks = 1}, 1s);
      queue.put(1s, 1, {.arrival = 1s, .remaining = 9s, .tasks = 9}, 9s);
      queue.put(2s, 2, {.arrival = 4s, .remaining = 5s, .tasks = 5}, 5s);
      queue.put(3s, 1, {.arrival = 1s, .remaining = 9s, .tasks = 9}, 9s);
      EXPECT_EQ(queue.order_at(4s), (Order{1, 3, 2, 0})) << reorder.name() << ' ' << relative;
    }
  }
}

TEST(ReorderedQueue, StarvedTasksThatAreEqualGoAsTheyCame) {
  Queue queue({.reorder = Reordering::named("srjf"), .starvation_s = 0});
  queue.put(0s, 0, {.remaining = 9s});
  queue.put(0s, 1, {.remaining = 1s});
  queue.put(0s, 2, {.remaining = 5s});
  EXPECT_EQ(queue.order_at(1s), (Order{0, 1, 2}));
}

TEST(ReorderedQueue, ATaskOfNoDurationDoesNotStarveWithoutAThreshold) {
  Queue queue(
      {.reorder = Reordering::named("ejf"), .starvation_s = 100, .starvation_relative = infinity});
  queue.put(0s, 0, {.arrival = 5s}, 0s);
  queue.put(1s, 1, {.arrival = 1s}, 0s);
  EXPECT_EQ(queue.take(50s), 1U);
}

TEST(ReorderedQueue, KnowsNothingNewOfItsJobsUntilItIsRefreshed) {
  Queue queue({.reorder = Reordering::named("srjf")});
  queue.put(0s, 0, {.remaining = 10s});
  queue.put(0s, 1, {.remaining = 20s});
  queue.put(0s, 2, {.remaining = 30s});
  std::vector<JobUpdate> jobs = {update_of(0, {.remaining = 10s}), update_of(1, {.remaining = 20s}),
                                 update_of(2, {.remaining = 5s})};
  EXPECT_EQ(queue.take(1s), 0U);
  queue.get().refresh(jobs);
  EXPECT_EQ(queue.order_at(1s), (Order{2, 1}));
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

TEST(ReorderedQueue, ATaskThatComesLaterBringsWhatIsKnownThenToItselfAlone) {
  Queue queue({.reorder = Reordering::named("srjf")});
  queue.put(0s, 0, {.remaining = 30s});
  queue.put(0s, 1, {.remaining = 20s});
  queue.put(1s, 0, {.remaining = 10s});
  EXPECT_EQ(queue.order_at(2s), (Order{2, 1, 0}));
}

// The algorithm as printed, over all pairs.
struct Known {
  std::uint32_t id;
  std::uint32_t job;
  Duration queued;
  Duration estimate;
  Job facts;
};

class Published {
 public:
  explicit Published(const QueueRules& rules) : rules_(rules) {}

  /// > 0: a goes before b.
  [[nodiscard]] int order(const Known& a, const Known& b, Duration now) const {
    const bool first = starved(a, now);
    const bool second = starved(b, now);
    if (first != second) return first ? 1 : -1;
    if (!first) {
      if (const int by = compare(a, b); by != 0) return by;
    } else {
      if (const int by = sign(b.facts.arrival - a.facts.arrival); by != 0) return by;
    }
    return sign(b.queued - a.queued);
  }

 private:
  static int sign(Duration span) { return span > 0ns ? 1 : span < 0ns ? -1 : 0; }
  [[nodiscard]] bool starved(const Known& task, Duration now) const {
    if (!rules_.reorder->reorders) return false;  // the longest wait is first as it is
    const double limit_s =
        std::min(rules_.starvation_s, in_seconds(task.estimate) * rules_.starvation_relative);
    return in_seconds(now - task.queued) > limit_s;
  }
  [[nodiscard]] int compare(const Known& a, const Known& b) const {
    const std::string by = rules_.reorder.name();
    if (by == "srjf") return sign(b.facts.remaining - a.facts.remaining);
    if (by == "lrtf") return static_cast<int>(b.facts.tasks) - static_cast<int>(a.facts.tasks);
    if (by == "stf") return sign(b.estimate - a.estimate);
    if (by == "ejf") return sign(b.facts.arrival - a.facts.arrival);
    return 0;
  }

  QueueRules rules_;
};

TEST(ReorderedQueue, NeverTakesATaskThatAnotherPrecedesByAlgorithmThree) {
  std::size_t starving = 0;
  check_law({.cases = 500}, [&] {
    const QueueRules rules{
        .reorder = *rc::gen::element(Reordering::named("fifo"), Reordering::named("srjf"),
                                     Reordering::named("lrtf"), Reordering::named("stf"),
                                     Reordering::named("ejf")),
        .starvation_s = any_threshold(),
        .starvation_relative = any_threshold()};
    const Published published(rules);
    ReorderedQueue queue(rules);
    std::vector<Known> waiting;
    std::vector<Job> jobs(4);
    std::vector<JobUpdate> updates(jobs.size());
    const auto change = [&](std::uint32_t id) {
      jobs[id].remaining = any_span(1, 6);
      jobs[id].tasks = *rc::gen::inRange(1U, 6U);
      updates[id] = update_of(id, jobs[id]);
    };
    for (std::uint32_t id = 0; id < jobs.size(); ++id) {
      jobs[id].arrival = any_span(0, 4);
      change(id);
    }
    Duration now = 4s;
    const int steps = *rc::gen::inRange(1, 60);
    for (int step = 0; step < steps; ++step) {
      now += any_span(0, 2);
      const int what = *rc::gen::inRange(0, 6);
      if (what == 0) {
        change(*rc::gen::inRange<std::uint32_t>(0, 4));
      } else if (what == 1) {
        queue.refresh(updates);
        for (Known& task : waiting) task.facts = jobs[task.job];
      } else if (what < 4 || waiting.empty()) {
        const auto job = *rc::gen::inRange<std::uint32_t>(0, 4);
        const Duration estimate = any_span(1, 5);
        const auto id = static_cast<std::uint32_t>(step);
        queue.put(at(now), task_of(id, job, estimate), updates[job]);
        waiting.push_back({id, job, now, estimate, jobs[job]});
      } else {
        const std::uint32_t taken = queue.take(at(now)).task.value();
        const auto found = std::ranges::find(waiting, taken, &Known::id);
        RC_ASSERT(found != waiting.end());
        for (const Known& other : waiting) {
          RC_ASSERT(published.order(other, *found, now) <= 0);
          starving += now - other.queued > 5s ? 1U : 0U;
        }
        waiting.erase(found);
      }
      RC_ASSERT(queue.size() == waiting.size());
    }
  });
  EXPECT_GT(starving, 100U) << "nobody ever waited long";
}

}  // namespace
}  // namespace somnus::harness
