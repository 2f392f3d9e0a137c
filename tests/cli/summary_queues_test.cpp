#include "emulator/summary/summary_queues.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/small_log.hpp"
#include "emulator/summary/summary.hpp"

namespace somnus {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The small log with its jobs in queues B and A. Both have demand from 1 s to 4 s: until 2 s job 0
/// has both slots, then one each.
Log two_queues() {
  Log log = small_log();
  log.tables.names.queues = {"B", "A"};
  log.tables.jobs[1].queue = 1;
  return log;
}

TEST(QueueSummary, SharesOccupiedSlotsWhileEveryQueueHasDemand) {
  const QueueFigures figures = queues_of(two_queues());
  EXPECT_DOUBLE_EQ(figures.contended_s, 3);
  ASSERT_EQ(figures.queues.size(), 2U);
  const QueueSummary& a = figures.queues[0];
  const QueueSummary& b = figures.queues[1];
  EXPECT_EQ(a.queue, "A");
  EXPECT_EQ(a.jobs_submitted, 1);
  EXPECT_EQ(a.jobs_finished, 1);
  EXPECT_EQ(a.tasks_submitted, 3);
  EXPECT_DOUBLE_EQ(a.response_mean_s, 5);
  EXPECT_DOUBLE_EQ(a.share_mean, 1.0 / 3);
  EXPECT_DOUBLE_EQ(a.share_deviation, std::sqrt(1.0 / 18));
  EXPECT_DOUBLE_EQ(a.share_farthest, 1.0 / 3);
  EXPECT_EQ(b.queue, "B");
  EXPECT_DOUBLE_EQ(b.share_mean, 2.0 / 3);
  EXPECT_DOUBLE_EQ(b.share_farthest, 1.0 / 3);
}

TEST(QueueSummary, CountsNoInstantAtWhichNoSlotIsOccupied) {
  Log log = two_queues();
  log.tasks[2].start = 3;           // node 1 idles from 2 s
  log.tasks[1].finish = 2;          // and so does node 0
  log.tables.jobs[0].finish = 3.5;  // which job 0 never uses again
  const QueueFigures figures = queues_of(log);
  EXPECT_DOUBLE_EQ(figures.contended_s, 2.5);
  EXPECT_DOUBLE_EQ(figures.queues[0].share_mean, 0.5 / 1.5);  // 0 from 1 s to 2 s, 1 for 0.5 s
  EXPECT_DOUBLE_EQ(figures.queues[0].share_farthest, 1 - 0.5 / 1.5);
}

TEST(QueueSummary, PassesOverWhatLastsNoTime) {
  Log log = two_queues();
  log.tasks.push_back(row_of({1, 1, 0, 1, 1, 3, 3}));
  log.tasks[0].finish = log.tasks[2].start = 1;  // one goes and the other comes at one instant
  EXPECT_DOUBLE_EQ(queues_of(log).queues[0].share_mean, 0.5);
  EXPECT_DOUBLE_EQ(queues_of(log).queues[0].share_farthest, 0);
}

TEST(QueueSummary, HoldsTheDemandOfAnUnfinishedJobToTheEnd) {
  Log log = two_queues();
  log.tables.jobs[0].state = static_cast<std::uint8_t>(JobState::active);
  log.tables.jobs[0].finish = nan_time;
  const QueueFigures figures = queues_of(log);
  EXPECT_DOUBLE_EQ(figures.contended_s, 5);
  EXPECT_EQ(figures.queues[1].jobs_finished, 0);
  EXPECT_TRUE(std::isnan(figures.queues[1].response_mean_s));
}

TEST(QueueSummary, HasNoSharesWhereQueuesNeverMeet) {
  Log log = two_queues();
  log.tables.jobs[1].submit = 4;
  const QueueFigures figures = queues_of(log);
  EXPECT_EQ(figures.contended_s, 0);
  EXPECT_TRUE(std::isnan(figures.queues[0].share_mean));
  EXPECT_TRUE(std::isnan(figures.queues[0].share_deviation));
  EXPECT_TRUE(std::isnan(figures.queues[0].share_farthest));
}

TEST(QueueSummary, IsLeftOutOfAWorkloadOfOneQueue) {
  const Summary one = summarise(small_log(), "a");
  EXPECT_TRUE(one.queues.empty());
  EXPECT_EQ(queues_to_text({&one, 1}), "");
  EXPECT_THAT(to_text({&one, 1}), Not(HasSubstr("every queue has demand")));
  EXPECT_EQ(to_json({&one, 1})[0]["queues"].dump(), "[]");
}

TEST(QueueSummary, HasOneLineAQueue) {
  const Summary one = summarise(two_queues(), "a");
  EXPECT_EQ(
      queues_to_text({&one, 1}),
      "queue  jobs  tasks  response [s]  share [%]  deviation [%]  farthest [%]\n"
      "A         1      3         5.000       33.3           23.6          33.3\n"
      "B         1      2         4.000       66.7           23.6          33.3\n"
      "share: of occupied slots (without slots: of running tasks), while every queue has demand\n");
  EXPECT_THAT(to_text({&one, 1}), testing::ContainsRegex("every queue has demand \\[s\\] +3.000"));
}

TEST(QueueSummary, PutsLogsSideBySideOneOfThemWithoutQueues) {
  const std::vector<Summary> two = {summarise(small_log(), "one"), summarise(two_queues(), "two")};
  EXPECT_THAT(queues_to_text(two), HasSubstr("\nA         -      -"));
}

TEST(QueueSummary, ShowsFortyOfManyAndGivesMachinesAll) {
  Log log = small_log();
  for (std::uint32_t at = 2; at < 50; ++at) {
    JobRow job = log.tables.jobs[1];
    job.job = at;
    job.queue = at;
    log.tables.jobs.push_back(job);
  }
  const Summary many = summarise(log, "a");
  EXPECT_THAT(queues_to_text({&many, 1}), HasSubstr("\n9 more queues; --json has them all\n"));
  EXPECT_EQ(to_json({&many, 1})[0]["queues"].size(), 49U);
}

TEST(QueueSummary, GivesMachinesEveryFigure) {
  const Summary one = summarise(two_queues(), "a");
  const auto told = nlohmann::json::parse(to_json({&one, 1}).dump())[0]["queues"][1];
  EXPECT_EQ(told["queue"], "B");
  EXPECT_EQ(told["jobs_submitted"], 1);
  EXPECT_EQ(told["jobs_finished"], 1);
  EXPECT_EQ(told["tasks_submitted"], 2);
  EXPECT_EQ(told["response_mean_s"], 4.0);
  EXPECT_DOUBLE_EQ(told["share_mean"], 2.0 / 3);
  EXPECT_DOUBLE_EQ(told["share_deviation"], std::sqrt(1.0 / 18));
  EXPECT_DOUBLE_EQ(told["share_farthest"], 1.0 / 3);
}

}  // namespace
}  // namespace somnus
