// A run's figures by user.
#include "metrics/user_figures.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cli/simulated.hpp"
#include "metrics/summary.hpp"

namespace somnus::test {
namespace {

TEST(UserFigures, AreMeansOverTheUsersJobsThatHaveEnded) {
  Log log;
  log.tables.names.users = {"ann", "bob", "e\xff"};
  log.tables.jobs = {{.user = 0, .submit = 0, .finish = 4, .alone = 2},
                     {.user = 0, .submit = 1, .finish = 9, .alone = 4},
                     {.user = 1, .submit = 2, .finish = 5},
                     {.user = 1, .submit = 3},
                     {.user = 2, .submit = 3}};
  const FiguresByUser users = figures_by_user(log, {});
  ASSERT_EQ(users.size(), 2U) << "no job of the third has ended";
  EXPECT_EQ(users.at("ann").response_mean_s, 6);
  EXPECT_EQ(users.at("ann").slowdown_mean, 2);
  EXPECT_EQ(users.at("bob").response_mean_s, 3);
  EXPECT_TRUE(std::isnan(users.at("bob").slowdown_mean)) << "its time alone is not known";
  log.tables.jobs[4].finish = 4;
  EXPECT_TRUE(figures_by_user(log, {}).contains("e\\xff")) << "names are any bytes";
}

TEST(UserFigures, LeaveOutTheJobsOfTheTransient) {
  Log log;
  log.tables.names.users = {"ann", "bob"};
  log.tables.jobs = {{.user = 0, .submit = 0, .finish = 100},
                     {.user = 1, .submit = 1, .finish = 3},
                     {.user = 0, .submit = 2, .finish = 3}};
  const FiguresByUser users = figures_by_user(log, {.jobs = 1});
  EXPECT_EQ(users.at("ann").response_mean_s, 1);
  EXPECT_EQ(users.at("bob").response_mean_s, 2);
}

TEST(UserFigures, AddUpToTheFiguresOfAllJobs) {
  for (const char* const policy : {"fair", "cfq", "srpt"}) {
    const Log log = simulated(config(policy, ""));
    const FiguresByUser users = figures_by_user(log, {});
    ASSERT_EQ(users.size(), 3U);
    // Of forty jobs 14 are of u0, 13 of u1 and u2.
    const double sum = 14 * users.at("u0").response_mean_s + 13 * users.at("u1").response_mean_s +
                       13 * users.at("u2").response_mean_s;
    EXPECT_NEAR(sum / 40, summarise(log, "").response_mean_s, 1e-9) << policy;
  }
}

}  // namespace
}  // namespace somnus::test
