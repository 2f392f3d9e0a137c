// Which of a job's stages is first.
#include "policies/stage_orders.hpp"

#include <gtest/gtest.h>

#include "harness/carbyne_figures.hpp"
#include "harness/world.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

// 0 waits for 2 and 3, 1 for nothing, 3 for 1; 2 and 1 are the roots. Levels 2 0 0 1.
//
//     2 (1 s) ----------> 0 (2 s)
//     1 (4 s) -> 3 (1 s) -/             ways left: 0: 2 s, 1: 7 s, 2: 3 s, 3: 3 s
WorkloadBuilder parents_behind_their_children() {
  return workload()
      .job("j")
      .stage(0, {.parents = {2, 3}, .tasks = {2}})
      .stage(1, {.tasks = {4}})
      .stage(2, {.tasks = {1, 1}})
      .stage(3, {.parents = {1}, .tasks = {0.5, 1.5}});
}

class OneJob : public ::testing::Test {
 protected:
  OneJob() {
    for (std::uint32_t stage = 0; stage < 4; ++stage) {
      const Duration work = slot_time(work_.truth.of(work_.catalogue[StageId(stage)]));
      jobs_.estimate({.stage = StageId(stage), .slot_time = {in_seconds(work)}});
    }
    jobs_.introduce(JobId(0U));
  }
  static std::vector<std::uint32_t> numbers(const std::vector<StageId>& stages) {
    std::vector<std::uint32_t> numbers;
    for (const StageId stage : stages) numbers.push_back(stage.value());
    return numbers;
  }
  [[nodiscard]] std::vector<Duration> left() const {
    std::vector<Duration> whole;
    for (const FineWork& way : ways_left(JobId(0U), jobs_)) whole.push_back(way.whole_ns());
    return whole;
  }

  Workload work_ = parents_behind_their_children().build();
  JobTable jobs_{work_.catalogue};
};

TEST_F(OneJob, HasItsParentsFirst) {
  EXPECT_EQ(numbers(parents_first(JobId(0U), jobs_)), (std::vector<std::uint32_t>{1, 2, 3, 0}));
}

TEST_F(OneJob, HasLevelsByItsGraphAndNotByNumbers) {
  EXPECT_EQ(levels(JobId(0U), jobs_), (std::vector<std::uint32_t>{2, 0, 0, 1}));
  EXPECT_EQ(numbers(BreadthFirst().stages_of(JobId(0U), jobs_)),
            (std::vector<std::uint32_t>{1, 2, 3, 0}));
}

TEST_F(OneJob, HasWaysLeftByTheMeansOfItsStages) {
  EXPECT_EQ(left(), (std::vector<Duration>{2s, 7s, 3s, 3s}));
  EXPECT_EQ(numbers(CriticalPath().stages_of(JobId(0U), jobs_)),
            (std::vector<std::uint32_t>{1, 2, 3, 0}));
}

TEST_F(OneJob, HasNoWayThroughWhatHasEnded) {
  jobs_.arrive(start_of_time, JobId(0U));
  const TaskId task = jobs_.launch(StageId(1U), NodeId(0U));
  jobs_.end(task, Outcome::finished);
  EXPECT_EQ(left(), (std::vector<Duration>{2s, 3s, 3s, 3s}));
}

// Both stages of the job can run and one task fits: stage 1 begins the longer way.
TEST(StageOrder, SaysWhichStageAnyOrderServesFirst) {
  const auto jobs = workload()
                        .resources({"cpu"})
                        .job("j")
                        .stage(0, {.tasks = {1}, .demand = {1}})
                        .stage(1, {.tasks = {1}, .demand = {1}})
                        .stage(2, {.parents = {1}, .tasks = {5}, .demand = {1}});
  for (const char* order : {"fifo", "fair", "srpt", "drf", "sjf", "job-queue", "capacity", "ujf"}) {
    const auto starts = [&](const char* within) {
      std::vector<Time> found(3);
      const World world = simulate(jobs, machines(1, {1}), {.order = order, .within = within});
      for (const Attempt& each : world.attempts) found[each.stage.index()] = each.started;
      return found;
    };
    EXPECT_EQ(starts("as-numbered"), (std::vector<Time>{at(0s), at(1s), at(2s)})) << order;
    EXPECT_EQ(starts("critical-path"), (std::vector<Time>{at(6s), at(0s), at(1s)})) << order;
  }
}

// One node of 2 has room for the three large tasks, and the small one is packed behind them. On two
// nodes of 1 it fits beside one of two, at once.
TEST(Packing, IsOnTheClustersNodes) {
  const auto jobs = workload()
                        .resources({"cpu"})
                        .job("j")
                        .stage(0, {.tasks = {2}, .demand = {0.4}})
                        .stage(1, {.tasks = {2, 2, 2}, .demand = {0.6}});
  const auto first_stage = [&](const Cluster& nodes) {
    const World world = simulate(jobs, nodes, {.order = "fifo", .within = "packing"});
    return world.decisions.front().launch.stage.value();
  };
  EXPECT_EQ(first_stage(machines(1, {2})), 1U);
  EXPECT_EQ(first_stage(machines(2, {1})), 0U);
}

}  // namespace
}  // namespace somnus::harness
