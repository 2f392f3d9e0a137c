#include "scheduler/speculation.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/builders.hpp"
#include "harness/property.hpp"
#include "scheduler/engine.hpp"
#include "scheduler/registry.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;
using Tasks = std::vector<TaskId>;

constexpr SpeculationRules spark{.slowdown = 1.5, .quantile = 0.75, .least = 0s};

Workload stage_of(std::size_t tasks) {
  return workload().job("j", {.tasks = std::vector<double>(tasks, 1)}).build();
}

TEST(RunningMedian, IsTheMeanOfTheTwoInTheMiddleOfAnEvenNumber) {
  RunningMedian median;
  for (const Duration span : {4s, 1s, 9s}) median.add(span);
  EXPECT_EQ(median.twice_the_median(), 8s);
  median.add(5s);
  EXPECT_EQ(median.twice_the_median(), 9s);
  EXPECT_EQ(median.count(), 4U);
}

TEST(RunningMedian, IsThatOfAllSpansInOrder) {
  check_law({.cases = 50}, [] {
    const auto spans =
        *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 50)));
    RunningMedian median;
    std::vector<int> sorted;
    for (const int span : spans) {
      median.add(Duration(span));
      sorted.insert(std::ranges::upper_bound(sorted, span), span);
      const int twice = sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2];
      RC_ASSERT(median.twice_the_median() == Duration(twice));
    }
  });
}

TEST(Speculation, WaitsForTheQuantileAndThenForTheMultipleOfTheMedian) {
  const Workload work = stage_of(4);
  Speculation speculation(spark, work.catalogue);
  for (std::uint32_t task = 0; task < 4; ++task) {
    speculation.launched(at(0s), TaskId(task), 0, Speculation::Kind::original);
  }
  speculation.ended(at(8s), TaskId(0U), 0, true);
  speculation.ended(at(10s), TaskId(1U), 0, true);
  EXPECT_EQ(speculation.wakes_at(), never) << "two of four are not three quarters";
  speculation.ended(at(12s), TaskId(2U), 0, true);
  EXPECT_EQ(speculation.wakes_at(), at(15s));
  EXPECT_EQ(speculation.take_due(at(14s)), Tasks{});
  EXPECT_EQ(speculation.take_due(at(15s)), Tasks{TaskId(3U)});
  EXPECT_EQ(speculation.wakes_at(), never) << "once";
}

TEST(Speculation, CountsFailedAttemptsForNothingAndTheirSuccessorsAsAnyOther) {
  const Workload work = stage_of(2);
  Speculation speculation({.slowdown = 2, .quantile = 0.5, .least = 0s}, work.catalogue);
  speculation.launched(at(0s), TaskId(0U), 0, Speculation::Kind::original);
  speculation.launched(at(0s), TaskId(1U), 0, Speculation::Kind::original);
  speculation.ended(at(1s), TaskId(1U), 0, false);
  EXPECT_EQ(speculation.wakes_at(), never);
  speculation.launched(at(2s), TaskId(1U), 1, Speculation::Kind::original);
  speculation.ended(at(3s), TaskId(0U), 0, true);
  EXPECT_EQ(speculation.wakes_at(), at(8s)) << "6 s after its launch";
}

TEST(Speculation, NeverMakesABackupDue) {
  const Workload work = stage_of(2);
  Speculation speculation(spark, work.catalogue);
  speculation.launched(at(0s), TaskId(0U), 0, Speculation::Kind::original);
  speculation.launched(at(0s), TaskId(1U), 1, Speculation::Kind::backup);
  speculation.ended(at(3s), TaskId(0U), 0, true);
  EXPECT_EQ(speculation.wakes_at(), never);
}

TEST(Speculation, GivesNoneBeforeTheLeastTime) {
  const Workload work = stage_of(2);
  Speculation speculation({.slowdown = 1, .quantile = 0, .least = 5s}, work.catalogue);
  speculation.launched(at(0s), TaskId(0U), 0, Speculation::Kind::original);
  speculation.launched(at(1s), TaskId(1U), 0, Speculation::Kind::original);
  EXPECT_EQ(speculation.wakes_at(), never) << "one must have finished, whatever the quantile";
  speculation.ended(at(2s), TaskId(0U), 0, true);
  EXPECT_EQ(speculation.wakes_at(), at(6s));
}

/// Three tasks on four nodes of one slot; two end at 10 s, the third is due for a backup at 15 s.
class Straggling : public ::testing::Test {
 protected:
  Workload workload_ = workload().job("j", {.tasks = {1, 1, 1}}).build();
  Cluster cluster_ = cluster(4);
  Engine engine_{workload_.catalogue, cluster_,
                 make_scheduler({.order = "fifo", .placement = "any-free", .feedback = "at-once"},
                                {.cluster = cluster_, .queues = {}}),
                 EngineRules{.task_attempts = 2,
                             .speculation = {.slowdown = 1.5, .quantile = 0.5, .least = 0s}}};
  static constexpr TaskId late{2U};

  void SetUp() override {
    engine_.handle(at(0s), JobArrived{JobId(0U)});
    static_cast<void>(engine_.plan(at(0s)));
    end(10s, 0, 0, 0);
    end(10s, 1, 1, 0);
    static_cast<void>(engine_.plan(at(10s)));
  }
  bool end(Duration now, std::uint32_t task, std::uint32_t node, std::uint16_t attempt,
           Outcome outcome = Outcome::finished) {
    return engine_.handle(
        at(now),
        TaskEnded{
            .task = TaskId(task), .node = NodeId(node), .attempt = attempt, .outcome = outcome});
  }
  const somnus::Plan& wake(Duration now) {
    EXPECT_TRUE(engine_.handle(at(now), Woken{}));
    return engine_.plan(at(now));
  }
};

TEST_F(Straggling, LaunchesABackupElsewhereWhenItIsDue) {
  EXPECT_EQ(engine_.wakes_at(), at(15s));
  EXPECT_FALSE(engine_.handle(at(14s), Woken{}));
  const somnus::Plan& plan = wake(15s);
  EXPECT_EQ(plan.get<Backup>(), (std::vector<Backup>{{.task = late, .attempt = 0}}));
  ASSERT_EQ(plan.get<Launch>().size(), 1U);
  EXPECT_EQ(plan.get<Launch>()[0].attempt, 1);
  EXPECT_EQ(plan.get<Launch>()[0].node, NodeId(0U));
  EXPECT_EQ(engine_.jobs().running(JobId(0U)), 2U);
  EXPECT_EQ(engine_.jobs().unstarted(JobId(0U)), 0U);
  EXPECT_EQ(engine_.wakes_at(), never);
}

TEST_F(Straggling, KillsTheOtherAttemptWhenOneHasFinishedAndFreesItsSlotWhenItsNodeSaysSo) {
  wake(15s);
  EXPECT_TRUE(end(25s, 2, 0, 1));
  EXPECT_TRUE(engine_.all_ended());
  EXPECT_EQ(engine_.jobs().running_tasks(), 0U);
  EXPECT_EQ(engine_.nodes().busy_slots(), 1U);
  EXPECT_TRUE(engine_.is_unwanted(late, 0));
  EXPECT_EQ(engine_.plan(at(25s)).get<Kill>(),
            (std::vector<Kill>{{.task = late, .node = NodeId(2U), .attempt = 0}}));
  EXPECT_TRUE(end(26s, 2, 2, 0, Outcome::killed));
  EXPECT_EQ(engine_.nodes().busy_slots(), 0U);
  EXPECT_FALSE(end(27s, 2, 2, 0, Outcome::killed)) << "once";
}

TEST_F(Straggling, LetsTheOtherAttemptGoOnWhenOneFailsAndRetriesWhenBothHave) {
  wake(15s);
  EXPECT_TRUE(end(16s, 2, 2, 0, Outcome::lost));
  EXPECT_TRUE(engine_.plan(at(16s)).get<Launch>().empty());
  EXPECT_EQ(engine_.jobs().attempt(late), 1);
  EXPECT_TRUE(end(17s, 2, 0, 1, Outcome::failed));
  const auto& launches = engine_.plan(at(17s)).get<Launch>();
  ASSERT_EQ(launches.size(), 1U);
  EXPECT_EQ(launches[0].attempt, 2);
  EXPECT_EQ(engine_.wakes_at(), at(32s)) << "which may have a backup again";
}

TEST_F(Straggling, GivesAnOriginalWhoseBackupHasFailedNoOtherOne) {
  wake(15s);
  EXPECT_TRUE(end(16s, 2, 0, 1, Outcome::lost));
  EXPECT_TRUE(engine_.plan(at(16s)).get<Launch>().empty());
  EXPECT_EQ(engine_.wakes_at(), never);
  EXPECT_TRUE(end(17s, 2, 2, 0, Outcome::lost));
  const auto& launches = engine_.plan(at(17s)).get<Launch>();
  ASSERT_EQ(launches.size(), 1U);
  EXPECT_EQ(launches[0].attempt, 2) << "number 1 was the backup's";
}

TEST_F(Straggling, FailsTheJobByFailuresOfEitherOnceNeitherGoesOn) {
  wake(15s);
  EXPECT_TRUE(end(16s, 2, 0, 1, Outcome::failed));
  EXPECT_FALSE(engine_.jobs().failed(JobId(0U)));
  EXPECT_TRUE(end(17s, 2, 2, 0, Outcome::failed));
  EXPECT_TRUE(engine_.jobs().failed(JobId(0U)));
  EXPECT_TRUE(engine_.all_ended());
}

TEST_F(Straggling, LetsABackupSaveTheJob) {
  end(12s, 2, 2, 0, Outcome::failed);
  ASSERT_EQ(engine_.plan(at(12s)).get<Launch>().size(), 1U) << "attempt 1, on node 0";
  EXPECT_EQ(wake(27s).get<Launch>().size(), 1U) << "attempt 2, on node 1";
  EXPECT_TRUE(end(28s, 2, 0, 1, Outcome::failed));
  EXPECT_FALSE(engine_.jobs().failed(JobId(0U))) << "twice, but another one goes on";
  EXPECT_TRUE(end(29s, 2, 1, 2, Outcome::lost));
  EXPECT_TRUE(engine_.jobs().failed(JobId(0U)));
}

TEST_F(Straggling, WithdrawsABackupThatFoundNoSlotWhenItsOriginalFinishes) {
  for (const std::uint32_t node : {0U, 1U, 3U}) engine_.handle(at(12s), NodeLost{NodeId(node)});
  EXPECT_TRUE(wake(15s).get<Launch>().empty());
  EXPECT_EQ(engine_.jobs().runnable_tasks(), 1U);
  EXPECT_TRUE(end(20s, 2, 2, 0));
  EXPECT_EQ(engine_.jobs().runnable_tasks(), 0U);
  EXPECT_TRUE(engine_.all_ended());
  EXPECT_TRUE(engine_.plan(at(20s)).get<Kill>().empty());
}

}  // namespace
}  // namespace somnus::harness
