// What `check` finds where tasks start together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/invariants.hpp"

namespace somnus {
namespace {

using testing::HasSubstr;

constexpr const char* placed_together =
    "the tasks of a gang are placed at one instant, all or none";
constexpr const char* held_until_the_last_end =
    "no node holds more than it has room for, gangs until their last task has ended";

/// The small log, of which that stage is a gang.
Log small_log_with_gang(std::uint32_t stage) {
  Log log = small_log();
  log.tables.gangs = {{.stage = stage}};
  return log;
}

TEST(CheckGangs, AsksNothingOfOtherWorkloads) {
  const Log log = small_log();
  EXPECT_FALSE(was_asked(log, placed_together));
  EXPECT_TRUE(was_asked(log, work_conserved));
  EXPECT_FALSE(was_asked(small_log_with_gang(2), work_conserved));
}

TEST(CheckGangs, LetsAGangRun) {
  const Log log = small_log_with_gang(2);
  EXPECT_EQ(finding(log, placed_together).first, "");
  EXPECT_EQ(finding(log, held_until_the_last_end).first, "");
}

TEST(CheckGangs, FindsATaskThatIsPlacedLater) {
  Log log = small_log_with_gang(2);
  log.tasks[4].placed = 5.5;
  EXPECT_EQ(finding(log, placed_together).first,
            "/tasks row 4: job 1, stage 2, index 1, attempt 0 on node 1, slot 0: placed 5.5 s, "
            "another of its gang 5 s");
}

TEST(CheckGangs, FindsAGangThatStartsInPart) {
  Log log = small_log_with_gang(2);
  log.tasks.pop_back();
  EXPECT_EQ(finding(log, placed_together).first, "stage 2, attempt 0: 1 of 2 tasks have it");
}

TEST(CheckGangs, FindsATaskOnWhatAGangStillHolds) {
  // Of the gang of job 0 one task ends at 2 s on node 1, the other at 4 s.
  const Log log = small_log_with_gang(0);
  EXPECT_EQ(finding(log, held_until_the_last_end).first,
            "/tasks row 2: job 1, stage 1, index 0, attempt 0 on node 1, slot 0: placed at 2 s, "
            "where 1 tasks hold what node 1 has");
}

TEST(CheckGangs, FindsAGangOfOneTaskAndOneThatIsNotThere) {
  EXPECT_THAT(finding(small_log_with_gang(1), references).first,
              HasSubstr("/gangs row 0: a gang of 1 tasks"));
  EXPECT_THAT(finding(small_log_with_gang(7), references).first,
              HasSubstr("/gangs row 0: stage 7"));
}

}  // namespace
}  // namespace somnus
