#include "emulator/summary/summary_users.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/small_log.hpp"
#include "emulator/summary/summary.hpp"

namespace somnus {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct Took {
  std::string user;
  double response_s;
  double alone_s = 1;
};

/// A finished job each, submitted at 0; slot-time is the response time. Users by first job.
Log log_of(const std::vector<Took>& jobs) {
  Log log;
  log.header = {.mode = "simulate", .config = small_config("fifo"), .complete = true};
  for (const Took& job : jobs) {
    auto& names = log.tables.names.users;
    const auto found = std::ranges::find(names, job.user);
    const auto user = static_cast<std::uint32_t>(found - names.begin());
    if (found == names.end()) names.push_back(job.user);
    if (user == log.tables.users.size()) log.tables.users.push_back({.user = user});
    const auto at = static_cast<std::uint32_t>(log.tables.jobs.size());
    log.tables.names.jobs.push_back("j" + std::to_string(at));
    log.tables.jobs.push_back({.job = at,
                               .user = user,
                               .stages = 1,
                               .state = static_cast<std::uint8_t>(JobState::finished),
                               .submit = 0,
                               .finish = job.response_s,
                               .slot_time = job.response_s,
                               .alone = job.alone_s});
  }
  return log;
}

std::vector<std::string> names_of(const std::vector<UserSummary>& users) {
  std::vector<std::string> names;
  for (const UserSummary& user : users) names.push_back(user.user);
  return names;
}

TEST(UserSummary, IsComputedFromTheUsersOwnJobs) {
  Log log = log_of({{"ann", 4, 2}, {"bob", 1}, {"ann", 10, 4}, {"ann", 1, 0}});
  log.tables.users[0].weight = 2.5;
  const std::vector<UserSummary> users = users_of(log);
  ASSERT_THAT(names_of(users), ElementsAre("ann", "bob"));
  EXPECT_EQ(users[0].weight, 2.5);
  EXPECT_EQ(users[0].jobs_submitted, 3);
  EXPECT_EQ(users[0].jobs_finished, 3);
  EXPECT_EQ(users[0].slot_time_s, 15);
  EXPECT_EQ(users[0].response_mean_s, 5);
  EXPECT_DOUBLE_EQ(users[0].slowdown_mean, 2.25) << "of the two jobs that have one";
  EXPECT_TRUE(std::isnan(users[0].response_worst_tenth_s));
  EXPECT_TRUE(std::isnan(users[0].response_change));
  EXPECT_EQ(users[1].weight, 1);
  EXPECT_EQ(users[1].response_mean_s, 1);
}

TEST(UserSummary, HasAWorstTenthFromTenJobsOn) {
  std::vector<Took> jobs;
  for (int at = 1; at <= 10; ++at) jobs.push_back({"ann", 1.0 * at, 11.0 - at});
  const std::vector<UserSummary> users = users_of(log_of(jobs));
  EXPECT_EQ(users[0].response_worst_tenth_s, 10);
  EXPECT_EQ(users[0].slowdown_worst_tenth, 10);
}

TEST(UserSummary, CountsJobsThatDidNotEndButNoneThatDidNotCome) {
  Log log = log_of({{"ann", 4}, {"ann", 6}, {"bob", 1}});
  log.tables.jobs[1].state = static_cast<std::uint8_t>(JobState::active);
  log.tables.jobs[1].finish = nan_time;
  log.tables.jobs[2].state = static_cast<std::uint8_t>(JobState::pending);
  log.tables.jobs[2].finish = nan_time;
  const std::vector<UserSummary> users = users_of(log);
  ASSERT_THAT(names_of(users), ElementsAre("ann"));
  EXPECT_EQ(users[0].jobs_submitted, 2);
  EXPECT_EQ(users[0].jobs_finished, 1);
  EXPECT_EQ(users[0].response_mean_s, 4);
}

TEST(UserSummary, ComesBySlotTimeThenByName) {
  EXPECT_THAT(names_of(users_of(log_of({{"zoe", 1}, {"bob", 3}, {"cid", 5}, {"ann", 3}}))),
              ElementsAre("cid", "ann", "bob", "zoe"));
}

TEST(UserSummary, NumbersUsersThatADamagedLogDoesNotName) {
  Log log = log_of({{"ann", 4}});
  log.tables.jobs[0].user = 4'000'000'000;
  log.tables.jobs[0].slot_time = nan_time;
  EXPECT_THAT(names_of(users_of(log)), ElementsAre("#4000000000"));
}

TEST(UsersTable, HasOneLineAUser) {
  const Summary one = summarise(log_of({{"ann", 4000}, {"bob", 1}}), "fifo");
  const std::string text = users_to_text({&one, 1});
  EXPECT_EQ(text,
            "user  weight  jobs  response [s]  worst 10 % [s]  slowdown\n"
            "ann        1     1        4000.0               -    4000.0\n"
            "bob        1     1           1.0               -       1.0\n");
}

TEST(UsersTable, TellsOfUnfinishedJobsOnlyIfThereAreSome) {
  Log log = log_of({{"ann", 4}, {"ann", 4}});
  log.tables.jobs[1].state = static_cast<std::uint8_t>(JobState::failed);
  log.tables.jobs[1].finish = nan_time;
  const Summary one = summarise(log, "fifo");
  EXPECT_THAT(users_to_text({&one, 1}), ContainsRegex("jobs  unfinished .*\nann +1 +2 +1 +4.000"));
}

TEST(UsersTable, PutsLogsSideBySideEachUnderItsName) {
  const std::vector<Summary> two = {
      summarise(log_of({{"ann", 4}, {"bob", 1}}), "fifo"),
      summarise(log_of({{"bob", 2}, {"cid", 3000}}), std::string(100, 'x'))};
  const std::string labels = "      fifo" + std::string(53, ' ') + std::string(25, 'x') + "..." +
                             std::string(24, 'x') + "\n";
  EXPECT_EQ(
      users_to_text(two),
      labels +
          "user  weight  jobs  response [s]  worst 10 % [s]  slowdown  |  weight  jobs  "
          "response [s]  worst 10 % [s]  slowdown\n"
          "cid        -     -             -               -         -  |       1     1        "
          "3000.0               -    3000.0\n"
          "ann        1     1           4.0               -       4.0  |       -     -             "
          "-               -         -\n"
          "bob        1     1           1.0               -       1.0  |       1     1           "
          "2.0               -       2.0\n");
}

TEST(UsersTable, ShowsTheFortyWithTheMostSlotTime) {
  std::vector<Took> jobs;
  for (int at = 0; at < 1000; ++at) jobs.push_back({"user" + std::to_string(at), 1000.0 - at});
  const Summary many = summarise(log_of(jobs), "fifo");
  const std::string text = users_to_text({&many, 1});
  EXPECT_THAT(text, HasSubstr("\nuser39 "));
  EXPECT_THAT(text, Not(HasSubstr("\nuser40 ")));
  EXPECT_THAT(text,
              testing::EndsWith("\n960 more users with less slot-time; --json has them all\n"));
  EXPECT_EQ(to_json({&many, 1})[0]["users"].size(), 1000U);
  jobs.resize(40);
  const Summary forty = summarise(log_of(jobs), "fifo");
  EXPECT_THAT(users_to_text({&forty, 1}), Not(HasSubstr("more users")));
}

TEST(UsersTable, MakesNamesFitForATerminalAndJsonKeepsThemWhole) {
  const std::string name = "ann\n\xff" + std::string(60, 'z') + "!";
  const Summary one = summarise(log_of({{name, 4}}), "fifo");
  EXPECT_THAT(users_to_text({&one, 1}), HasSubstr("\nann\\u{a}\\xffzzz...zzzzzzzzzzzzz! "));
  EXPECT_EQ(to_json({&one, 1})[0]["users"][0]["user"], "ann\n\\xff" + std::string(60, 'z') + "!");
}

TEST(UsersJson, HasEveryFigureAndNullForNone) {
  const Summary one = summarise(log_of({{"ann", 4, 2}}), "fifo");
  const auto told = nlohmann::json::parse(to_json({&one, 1}).dump());
  EXPECT_EQ(told[0]["user_count"], 1);
  EXPECT_EQ(told[0]["users"], nlohmann::json::parse(R"([{
    "user": "ann", "weight": 1.0, "jobs_submitted": 1, "jobs_finished": 1, "slot_time_s": 4.0,
    "response_mean_s": 4.0, "response_worst_tenth_s": null, "slowdown_mean": 2.0,
    "slowdown_worst_tenth": null, "response_change": null,
    "against": {"compared": null, "dvr": null, "violations": null, "dsr": null, "slack": null,
                "worst": null}}])"));
  EXPECT_TRUE(told[0]["against"].is_null());
}

}  // namespace
}  // namespace somnus
