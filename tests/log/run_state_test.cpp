#include "log/run_state.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace somnus {
namespace {

JobRow job_of(JobState state, double slot_time_s) {
  return {.state = static_cast<std::uint8_t>(state), .slot_time = slot_time_s};
}

TEST(ShareDone, IsOfTheSlotTimeOrOfTheTimeUntilTheEnd) {
  const std::vector<JobRow> jobs = {job_of(JobState::finished, 10), job_of(JobState::failed, 20),
                                    job_of(JobState::active, 50), job_of(JobState::pending, 20)};
  const std::vector<double> finished_s = {10, 5, 20, 0};
  EXPECT_DOUBLE_EQ(share_done(jobs, finished_s, 70, 0), 0.5);
  EXPECT_DOUBLE_EQ(share_done(jobs, finished_s, 70, 100), 0.7);
  EXPECT_DOUBLE_EQ(share_done(jobs, finished_s, 30, 100), 0.5);
  EXPECT_TRUE(std::isnan(share_done({}, {}, 30, 0)));
}

TEST(TimeLeft, IsAsLongAsUntilNowForHalf) {
  EXPECT_DOUBLE_EQ(time_left_s(30, 0.5), 30);
  EXPECT_DOUBLE_EQ(time_left_s(30, 1), 0);
  EXPECT_TRUE(std::isnan(time_left_s(30, 0)));
}

TEST(Silence, IsThatOfTheRankThatIsSilentForLongest) {
  EXPECT_EQ(words_for_silence(std::vector<RankRow>{{}, {.rank = 1}}), "");
  EXPECT_EQ(words_for_silence(std::vector<RankRow>{
                {}, {.rank = 1, .silent = 4}, {.rank = 2, .silent = 9.2}, {.rank = 3}}),
            "rank 2 silent for 9 s");
}

}  // namespace
}  // namespace somnus
