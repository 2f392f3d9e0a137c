// Which slot a task takes, and how long it takes there.
#include "workers/slots.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "harness/nodes.hpp"
#include "queueing/reordered_queue.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

/// Three slots of one node.
class ThreeSlots : public ::testing::Test {
 protected:
  /// Returns its place. waited: in the node's queue.
  std::uint32_t start(Duration now, std::uint32_t app = 0, Duration waited = 0s) {
    const Sleep sleep = slots_.start(
        at(now),
        {.times = TaskTimes::alike(10s), .estimate = 8s, .app = AppId(app), .stage = StageId(app)},
        at(now - waited), model_);
    EXPECT_EQ(sleep.until, all_.deadline(all_[sleep.slot]));
    return sleep.slot;  // the node is the first
  }

  NodeModel model_;
  AllSlots all_;
  Slots slots_{all_, 3, 2};
};

TEST_F(ThreeSlots, AreTakenFromTheFirstAndGivenBackLastInFirstOut) {
  EXPECT_EQ(start(0s), 0U);
  EXPECT_EQ(start(0s), 1U);
  EXPECT_TRUE(slots_.any_free());
  EXPECT_EQ(slots_.taken(), 2U);
  slots_.end(slots_[0]);
  EXPECT_EQ(start(1s), 0U);
  EXPECT_EQ(slots_.take(), 2U);
  EXPECT_FALSE(slots_.any_free());
  slots_.give_back(slots_[2]);
  EXPECT_EQ(start(2s), 2U);
}

TEST_F(ThreeSlots, HaveTheirNumbersAmongThoseOfAllNodes) {
  const Slots of_another_node{all_, 2, 1};
  EXPECT_EQ(all_.size(), 5U);
  EXPECT_EQ(slots_.number(2), 2U);
  EXPECT_EQ(of_another_node.number(1), 4U);
  EXPECT_EQ(all_[4].place, 1U);
}

TEST(SlotsWithoutALimit, AreAsManyAsTasksRanAtOnce) {
  AllSlots all;
  Slots slots(all, 0, 1);
  Slots others(all, 0, 1);
  EXPECT_EQ(all.size(), 0U);
  EXPECT_EQ(slots.take(), 0U);
  slots.give_back(slots[0]);
  EXPECT_EQ(slots.take(), 0U);
  EXPECT_EQ(others.take(), 0U);
  EXPECT_EQ(slots.take(), 1U);
  EXPECT_EQ(all.size(), 3U);
  EXPECT_EQ(slots.number(1), 2U);
  EXPECT_EQ(all[2].place, 1U);
}

TEST(SlotsWithoutALimit, AreNeverTooFew) {
  AllSlots all;
  Slots slots(all, 0, 1);
  for (std::uint32_t place = 0; place < 100'000; ++place) ASSERT_EQ(slots.take(), place);
  EXPECT_TRUE(slots.any_free());
  EXPECT_EQ(slots.taken(), 100'000U);
}

TEST_F(ThreeSlots, MakeATaskTakeAsManyTimesAsLongAsTheNodeIsSlow) {
  const Slot& slot = slots_[start(5s)];
  EXPECT_EQ(slot.intended, 20s);
  EXPECT_EQ(slot.started, at(5s));
  EXPECT_EQ(slots_.sleep(slot).until, at(25s));
  EXPECT_FALSE(slot.warm);
  EXPECT_FALSE(slot.fails);
}

TEST_F(ThreeSlots, PreferOneThatIsWarmForTheAppUntilJvmsAreForgotten) {
  model_.warmup = reuse_warmup(3);
  for (const std::uint32_t app : {7U, 8U, 9U}) EXPECT_EQ(slots_[start(0s, app)].intended, 60s);
  for (const std::uint32_t place : {0U, 1U, 2U}) slots_.end(slots_[place]);
  const std::uint32_t place = start(60s, 8);
  EXPECT_EQ(place, 1U);
  EXPECT_TRUE(slots_[place].warm);
  EXPECT_EQ(slots_[place].intended, 20s);
  slots_.end(slots_[place]);
  slots_.forget();
  EXPECT_FALSE(slots_[start(80s, 8)].warm);
}

TEST_F(ThreeSlots, KnowWhenATaskEndsThatFails) {
  model_.fault_model.fails = 1;
  const Slot& slot = slots_[start(5s)];
  EXPECT_TRUE(slot.fails);
  EXPECT_EQ(slot.intended, 20s);
  const Duration failed_after = model_.fault_model.fails_after(20s, slot.task, 0);
  EXPECT_LT(failed_after, 20s);
  EXPECT_EQ(slots_.sleep(slot).until, at(5s + failed_after));
  EXPECT_EQ(slots_.sleep(slot).slot, 0U);
  model_.fault_model.fails = 0;
  slots_.end(slots_[0]);
  EXPECT_EQ(slots_.sleep(slots_[start(50s)]).until, at(70s));
}

TEST_F(ThreeSlots, KnowWhenEachTaskCameToANodeWithAQueue) {
  model_.make_queue = make_worker_queue<ReorderedQueue>;
  start(5s, 0, 3s);
  start(6s);
  EXPECT_EQ(slots_.queued(slots_[0]), at(2s));
  EXPECT_EQ(slots_.queued(slots_[1]), at(6s));
  slots_.end(slots_[0]);
  start(30s, 0, 1s);
  EXPECT_EQ(slots_.queued(slots_[0]), at(29s));
}

TEST_F(ThreeSlots, TellWhatTheirTasksHaveLeftByEstimateAndNeverLessThanNothing) {
  model_.make_queue = make_worker_queue<ReorderedQueue>;
  start(0s);
  start(5s);
  EXPECT_EQ(slots_.left_of_running(at(6s)), (std::vector<Duration>{2s, 7s}));
  EXPECT_EQ(slots_.left_of_running(at(10s)), (std::vector<Duration>{0s, 3s}));
  slots_.end(slots_[0]);
  EXPECT_EQ(slots_.left_of_running(at(10s)), std::vector<Duration>{3s});
}

}  // namespace
}  // namespace somnus::harness
