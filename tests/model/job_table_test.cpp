#include "model/job_table.hpp"

#include <gtest/gtest.h>

#include "harness/builders.hpp"

namespace somnus {
namespace {

using harness::workload;
using namespace std::chrono_literals;

constexpr JobId one_job(0U);
constexpr StageId map(0U);
constexpr StageId reduce(1U);
constexpr NodeId one_node(0U);

// Two maps, then one reduce.
class TwoStages : public ::testing::Test {
 protected:
  Workload workload_ = workload()
                           .job("j")
                           .stage(0, {.tasks = {1, 1}})
                           .stage(1, {.parents = {0}, .tasks = {1}})
                           .build();
  JobTable jobs_{workload_.catalogue};

  void arrive() {
    jobs_.estimate({.stage = map, .slot_time = {2}});
    jobs_.estimate({.stage = reduce, .slot_time = {1}});
    jobs_.arrive(start_of_time + 5s, one_job);
  }
};

TEST(JobTable, FindsTheNextStageOfAnyJobThatHasRunnableTasks) {
  const Workload work = workload()
                            .job("a", {.tasks = {1}})
                            .job("b")
                            .stage(0, {.tasks = {1}})
                            .stage(1, {.parents = {0}, .tasks = {1}})
                            .build();
  JobTable jobs(work.catalogue);
  EXPECT_FALSE(jobs.first_runnable().valid());
  jobs.arrive(start_of_time, JobId(0U));
  jobs.arrive(start_of_time, JobId(1U));
  EXPECT_EQ(jobs.first_runnable(), StageId(0U));
  EXPECT_EQ(jobs.next_runnable(StageId(0U)), StageId(1U));
  EXPECT_FALSE(jobs.next_runnable(StageId(1U)).valid()) << "its parent has not ended";
  static_cast<void>(jobs.launch(StageId(0U), one_node));
  EXPECT_EQ(jobs.first_runnable(), StageId(1U));
}

TEST(JobTable, HasTheStagesOfAJobInTheOrderThatItWasGiven) {
  const Workload work = workload()
                            .job("a", {.tasks = {1}})
                            .job("b")
                            .stage(0, {.tasks = {1}})
                            .stage(1, {.tasks = {1}})
                            .stage(2, {.tasks = {1}})
                            .job("c", {.tasks = {1}})
                            .build();
  JobTable jobs(work.catalogue);
  const std::vector<StageId> in_order{StageId(3U), StageId(1U), StageId(2U)};
  jobs.order_stages(JobId(1U), in_order);
  for (const std::uint32_t job : {0U, 1U, 2U}) jobs.arrive(start_of_time, JobId(job));
  EXPECT_EQ(jobs.head(JobId(1U)), StageId(3U));
  EXPECT_EQ(jobs.runnable_after(StageId(3U)), StageId(1U));
  EXPECT_EQ(jobs.runnable_after(StageId(1U)), StageId(2U));
  EXPECT_FALSE(jobs.runnable_after(StageId(2U)).valid());
  std::vector<StageId> all;
  for (StageId stage = jobs.first_runnable(); stage.valid(); stage = jobs.next_runnable(stage)) {
    all.push_back(stage);
    EXPECT_EQ(jobs.stage_at(jobs.position(stage)), stage);
  }
  EXPECT_EQ(all, (std::vector{StageId(0U), StageId(3U), StageId(1U), StageId(2U), StageId(4U)}));
  static_cast<void>(jobs.launch(StageId(3U), one_node));
  EXPECT_EQ(jobs.head(JobId(1U)), StageId(1U));
}

TEST_F(TwoStages, NothingIsRunnableBeforeTheJobArrives) {
  EXPECT_FALSE(jobs_.arrived(one_job));
  EXPECT_EQ(jobs_.runnable_tasks(), 0U);
  arrive();
  EXPECT_EQ(jobs_.runnable(one_job), 2U);
  EXPECT_EQ(jobs_.runnable(reduce), 0U);
  EXPECT_EQ(jobs_.head(one_job), map);
  EXPECT_EQ(jobs_.active_jobs(), 1U);
  EXPECT_EQ(jobs_.arrival(one_job), start_of_time + 5s);
  EXPECT_EQ(jobs_.slot_time(one_job), 3s);
}

TEST_F(TwoStages, TasksAreTakenInOrderAndALostOneComesBackFirst) {
  arrive();
  const TaskId first = jobs_.launch(map, one_node);
  EXPECT_EQ(first, TaskId(0U));
  EXPECT_EQ(jobs_.state(first), TaskState::running);
  EXPECT_EQ(jobs_.running(one_job), 1U);
  EXPECT_FALSE(jobs_.end(first, Outcome::lost).runnable_again) << "the stage had another task";
  EXPECT_EQ(jobs_.attempt(first), 1);
  EXPECT_EQ(jobs_.launch(map, one_node), first);
  EXPECT_EQ(jobs_.launch(map, one_node), TaskId(1U));
  EXPECT_TRUE(jobs_.end(TaskId(1U), Outcome::failed).runnable_again);
  EXPECT_EQ(jobs_.launch(map, one_node), TaskId(1U));
}

TEST_F(TwoStages, AttemptsAreCountedAsFarAsALogTellsThemApart) {
  arrive();
  for (int attempt = 0; attempt < 65'534; ++attempt) {
    static_cast<void>(jobs_.end(jobs_.launch(map, one_node), Outcome::lost));
  }
  const TaskId task = jobs_.launch(map, one_node);
  EXPECT_EQ(jobs_.attempt(task), 65'534);
  EXPECT_THROW(static_cast<void>(jobs_.end(task, Outcome::lost)), UserError);
}

TEST_F(TwoStages, TheLastEndOfAStageAndOfAJobIsReported) {
  arrive();
  const TaskId first = jobs_.launch(map, one_node);
  const TaskId second = jobs_.launch(map, one_node);
  EXPECT_FALSE(jobs_.end(first, Outcome::finished).stage_ended);
  const auto effect = jobs_.end(second, Outcome::finished);
  EXPECT_TRUE(effect.stage_ended);
  EXPECT_FALSE(effect.job_ended);
  EXPECT_FALSE(jobs_.ready(reduce));
  EXPECT_TRUE(jobs_.parent_ended(start_of_time + 9s, reduce));
  EXPECT_EQ(jobs_.ready_time(reduce), start_of_time + 9s);
  const TaskId last = jobs_.launch(reduce, one_node);
  EXPECT_TRUE(jobs_.end(last, Outcome::finished).job_ended);
  EXPECT_TRUE(jobs_.ended(one_job));
  EXPECT_EQ(jobs_.ended_jobs(), 1U);
  EXPECT_EQ(jobs_.active_jobs(), 0U);
  EXPECT_EQ(jobs_.running_tasks(), 0U);
}

TEST(JobTable, CountsAQueuesTasksFromLaunchToEndWhateverTheOutcome) {
  const Workload jobs = workload()
                            .job("a", {.queue = "A", .tasks = {1, 1}})
                            .job("b", {.queue = "B", .tasks = {1}})
                            .build();
  JobTable table(jobs.catalogue);
  table.arrive(start_of_time, JobId(0U));
  table.arrive(start_of_time, JobId(1U));
  const TaskId first = table.launch(StageId(0U), one_node);
  const TaskId second = table.launch(StageId(0U), one_node);
  table.launch(StageId(1U), one_node);
  EXPECT_EQ(table.running(QueueId(0U)), 2U);
  EXPECT_EQ(table.running(QueueId(1U)), 1U);
  table.end(first, Outcome::finished);
  table.end(second, Outcome::lost);
  EXPECT_EQ(table.running(QueueId(0U)), 0U);
  EXPECT_EQ(table.running(QueueId(1U)), 1U);
}

TEST(JobTable, CountsAUserAsActiveFromHisFirstJobToHisLast) {
  const Workload jobs = workload()
                            .job("a", {.user = "ann", .tasks = {1}})
                            .job("b", {.user = "ann", .tasks = {1}})
                            .build();
  JobTable table(jobs.catalogue);
  table.arrive(start_of_time, JobId(0U));
  table.arrive(start_of_time, JobId(1U));
  EXPECT_EQ(table.active_users(), 1U);
  table.end(table.launch(StageId(0U), one_node), Outcome::finished);
  EXPECT_EQ(table.active_users(), 1U);
  table.end(table.launch(StageId(1U), one_node), Outcome::finished);
  EXPECT_EQ(table.active_users(), 0U);
}

}  // namespace
}  // namespace somnus
