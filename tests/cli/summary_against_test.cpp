#include "emulator/summary/summary_against.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/small_log.hpp"
#include "emulator/summary/summary.hpp"

namespace somnus {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

struct Ended {
  std::string job;
  std::string user;
  double submit;
  double finish;
};

Log log_of(const std::vector<Ended>& jobs, std::vector<std::string> users = {}) {
  Log log;
  log.header = {.mode = "simulate", .config = small_config("fifo"), .complete = true};
  for (const Ended& job : jobs) {
    if (std::ranges::find(users, job.user) == users.end()) users.push_back(job.user);
    const auto state = std::isnan(job.finish) ? JobState::active : JobState::finished;
    const auto at = static_cast<std::uint32_t>(log.tables.jobs.size());
    log.tables.names.jobs.push_back(job.job);
    log.tables.jobs.push_back(
        {.job = at,
         .user = static_cast<std::uint32_t>(std::ranges::find(users, job.user) - users.begin()),
         .stages = 1,
         .state = static_cast<std::uint8_t>(state),
         .submit = job.submit,
         .finish = job.finish,
         .slot_time = 1,
         .alone = 1});
  }
  log.tables.users.resize(users.size());
  log.tables.names.users = std::move(users);
  return log;
}

Checked<Comparison> compare(const Log& log, const Log& reference,
                            Counting counting = Counting::jobs) {
  return Reference::of(reference, "out/ujf.h5").and_then([&](const Reference& there) {
    return there.compare(log, "out/cfq.h5", counting);
  });
}

std::string mistakes(const Log& log, const Log& reference) {
  const auto compared = compare(log, reference);
  return compared ? "" : compared.error().text();
}

/// Response times in the reference: 4, 2 and 5.
std::vector<Ended> reference_jobs() {
  return {{"a", "ann", 10, 14}, {"b", "bob", 11, 13}, {"c", "ann", 12, 17}};
}

TEST(Against, DividesHowMuchLaterAJobEndsByItsResponseTimeInTheReference) {
  // a ends 2 s later, b 1 s later, c 2 s earlier.
  const Log log = log_of({{"a", "ann", 10, 16}, {"b", "bob", 11, 14}, {"c", "ann", 12, 15}});
  const auto compared = compare(log, log_of(reference_jobs()));
  ASSERT_TRUE(compared) << compared.error().text();
  const Against& all = compared->all;
  EXPECT_EQ(all.reference, "ujf");
  EXPECT_EQ(all.left_out, 0);
  EXPECT_EQ(all.jobs.compared, 3);
  EXPECT_DOUBLE_EQ(all.jobs.dvr, 0.5);  // 2 / 4 and 1 / 2
  EXPECT_EQ(all.jobs.violations, 2);
  EXPECT_DOUBLE_EQ(all.jobs.dsr, 0.4);  // 2 / 5
  EXPECT_EQ(all.jobs.slack, 1);
  EXPECT_DOUBLE_EQ(all.jobs.worst, 0.5);
}

TEST(Against, ComparesUsersByTheirJobsAndByTheirMeanResponseTimes) {
  const Log log = log_of({{"a", "ann", 10, 16}, {"b", "bob", 11, 14}, {"c", "ann", 12, 14}});
  const auto compared = compare(log, log_of(reference_jobs()));
  ASSERT_TRUE(compared) << compared.error().text();
  const UserAgainst& ann = compared->users.at("ann");
  EXPECT_DOUBLE_EQ(ann.jobs.dvr, 0.5);
  EXPECT_EQ(ann.jobs.violations, 1);
  EXPECT_DOUBLE_EQ(ann.jobs.dsr, 0.6);
  EXPECT_EQ(ann.jobs.slack, 1);
  EXPECT_DOUBLE_EQ(ann.response_change, -1.0 / 9);  // means of 4 s after 4.5 s
  EXPECT_DOUBLE_EQ(compared->users.at("bob").response_change, 0.5);
  EXPECT_EQ(compared->all.users.compared, 2);
  EXPECT_DOUBLE_EQ(compared->all.users.dvr, 0.5);
  EXPECT_DOUBLE_EQ(compared->all.users.dsr, 1.0 / 9);
}

TEST(Against, CountsTimeFromEachRunsFirstSubmit) {
  // All 100 s later than in the reference, and in another order.
  const Log log = log_of({{"c", "ann", 112, 117}, {"a", "ann", 110, 114}, {"b", "bob", 111, 114}});
  const auto compared = compare(log, log_of(reference_jobs()));
  ASSERT_TRUE(compared) << compared.error().text();
  EXPECT_EQ(compared->all.jobs.violations, 1);
  EXPECT_DOUBLE_EQ(compared->all.jobs.dvr, 0.5);
  EXPECT_EQ(compared->all.jobs.dsr, 0);
}

TEST(Against, LeavesOutJobsThatDidNotFinishInBoth) {
  std::vector<Ended> here = reference_jobs();
  std::vector<Ended> there = reference_jobs();
  here[0].finish = NAN;
  there[1].finish = NAN;
  const auto compared = compare(log_of(here), log_of(there));
  ASSERT_TRUE(compared) << compared.error().text();
  EXPECT_EQ(compared->all.left_out, 2);
  EXPECT_EQ(compared->all.jobs.compared, 1);
  EXPECT_FALSE(compared->users.contains("bob"));
  EXPECT_EQ(compared->all.users.compared, 1);
}

TEST(Against, LeavesOutJobsThatTookNoTimeInTheReference) {
  std::vector<Ended> there = reference_jobs();
  there[0].finish = there[0].submit;
  EXPECT_EQ(compare(log_of(reference_jobs()), log_of(there))->all.left_out, 1);
  EXPECT_EQ(compare(log_of(there), log_of(there))->all.left_out, 1);
}

TEST(Against, NoticesAnotherPartitioning) {
  Log log = log_of(reference_jobs());
  log.tables.jobs[1].tasks = 7;
  EXPECT_EQ(compare(log, log_of(reference_jobs()))->all.cut_otherwise, 1);
  EXPECT_EQ(compare(log, log)->all.cut_otherwise, 0);
}

TEST(Against, CountsAsThePapersTablesDoButUsersOnce) {
  // user_1's job is late by half, user_12's early by half.
  const std::vector<Ended> there = {{"a", "user_1", 0, 4}, {"b", "user_12", 0, 4}};
  const Log log = log_of({{"a", "user_1", 0, 6}, {"b", "user_12", 0, 2}}, {"user_"});
  const auto micro = compare(log, log_of(there), Counting::uwfq_micro);
  EXPECT_EQ(micro->all.jobs.violations, 2);
  EXPECT_EQ(micro->all.jobs.slack, 2);
  const auto macro = compare(log, log_of(there), Counting::uwfq_macro);
  EXPECT_EQ(macro->all.counting, Counting::uwfq_macro);
  EXPECT_EQ(macro->all.jobs.violations, 2) << "for user_ and user_1";
  EXPECT_EQ(macro->all.jobs.slack, 3) << "for user_, which has no job, user_1 and user_12";
  EXPECT_EQ(macro->users.at("user_12").jobs.slack, 1);
  EXPECT_EQ(macro->all.users.slack, 1);
}

TEST(Against, TellsOfJobsThatTheOtherRunDoesNotHave) {
  std::vector<Ended> here = reference_jobs();
  here[0].job = "x\n";
  here[2].job = "y";
  EXPECT_EQ(mistakes(log_of(here), log_of(reference_jobs())),
            "out/cfq.h5: 2 of 3 jobs are not in the reference out/ujf.h5, the first is 'x\\u{a}'; "
            "expected two runs of one workload\n"
            "out/cfq.h5: 2 of 3 jobs are missing that are in the reference out/ujf.h5, the first "
            "is 'a'; expected two runs of one workload");
  here = reference_jobs();
  here.erase(here.begin());
  EXPECT_THAT(mistakes(log_of(here), log_of(reference_jobs())), Not(HasSubstr("another time")))
      << "that b and c come 1 s sooner after the first job says nothing new";
}

TEST(Against, TellsOfOtherUsersAndOtherSubmits) {
  std::vector<Ended> here = reference_jobs();
  here[1].user = "eve";
  here[2].submit += 0.5;
  EXPECT_EQ(mistakes(log_of(here), log_of(reference_jobs())),
            "out/cfq.h5: 1 of 3 jobs are of another user than in the reference out/ujf.h5, the "
            "first is 'b': 'eve' here, 'bob' there; expected two runs of one workload\n"
            "out/cfq.h5: 1 of 3 jobs come at another time than in the reference out/ujf.h5, the "
            "first is 'c': 2.5 s after the first one here, 2 s there; jobs that follow others come "
            "when those end, and can't be compared so");
}

TEST(Against, ForgivesTheRoundingOfSubmits) {
  std::vector<Ended> here = reference_jobs();
  here[2].submit += 1e-7;
  EXPECT_EQ(mistakes(log_of(here), log_of(reference_jobs())), "");
}

TEST(Against, TellsOfNamesThatAreNotUnique) {
  std::vector<Ended> twice = reference_jobs();
  twice[2].job = "a";
  const std::string what =
      ": 1 of 3 jobs have the name of another, the first is 'a'; jobs are compared by name";
  EXPECT_EQ(mistakes(log_of(twice), log_of(reference_jobs())), "out/cfq.h5" + what);
  EXPECT_EQ(mistakes(log_of(reference_jobs()), log_of(twice)), "out/ujf.h5" + what);
}

/// A log of two users, compared.
Summary compared_summary(Counting counting = Counting::jobs) {
  const Log log = log_of({{"a", "ann", 10, 16}, {"b", "bob", 11, 13}, {"c", "ann", 12, NAN}});
  return with_comparison(summarise(log, "cfq"), *compare(log, log_of(reference_jobs()), counting));
}

TEST(AgainstText, EndsTheTableWithJobsAndUsers) {
  const std::vector<Summary> two = {compared_summary(),
                                    summarise(log_of(reference_jobs()), "other")};
  EXPECT_THAT(to_text(two), ContainsRegex("\nagainst +ujf +-\n"
                                          "  jobs left out, unfinished in one +1 +-\n"
                                          "jobs compared +2 +-\n"
                                          "  violations, mean \\(DVR\\) +0.500 +-\n"
                                          "  violations, number +1 +-\n"
                                          "  slack, mean \\(DSR\\) +0.000 +-\n"
                                          "  slack, number +1 +-\n"
                                          "  largest deviation +0.500 +-\n"
                                          "users, by mean response time, compared +2 +-\n"));
  EXPECT_THAT(to_text(two), Not(HasSubstr("counting")));
  EXPECT_THAT(to_text({two.data() + 1, 1}), Not(HasSubstr("compared")));
}

TEST(AgainstText, SaysHowJobsAreCountedIfNotOnce) {
  const Summary one = compared_summary(Counting::uwfq_micro);
  EXPECT_THAT(to_text({&one, 1}), ContainsRegex("\n  counting +uwfq-micro\n"));
}

TEST(AgainstText, LeavesOutTheUsersOfALogOfOne) {
  const Log log = log_of({{"a", "ann", 0, 4}});
  const Summary one = with_comparison(summarise(log, "cfq"), *compare(log, log));
  EXPECT_THAT(to_text({&one, 1}), HasSubstr("jobs compared"));
  EXPECT_THAT(to_text({&one, 1}), Not(HasSubstr("users")));
}

TEST(AgainstText, WarnsOfAnotherPartitioning) {
  Summary one = compared_summary();
  EXPECT_THAT(to_text({&one, 1}), Not(HasSubstr("partitioning")));
  one.against->cut_otherwise = 3;
  EXPECT_THAT(to_text({&one, 1}),
              HasSubstr("\nNOTE: cfq: 3 jobs have another number of tasks than in ujf."));
}

TEST(AgainstText, AddsColumnsToTheUsersTable) {
  const Summary one = compared_summary();
  EXPECT_THAT(users_to_text({&one, 1}),
              ContainsRegex("slowdown  change    DVR  violations    DSR  slack\n"
                            "ann .* 0.500  0.500           1      -      0\n"
                            "bob .* 0.000      -           0  0.000      1\n"));
}

TEST(AgainstJson, HasEveryFigure) {
  const Summary one = compared_summary(Counting::uwfq_macro);
  const auto told = nlohmann::json::parse(to_json({&one, 1}).dump())[0];
  EXPECT_EQ(told["against"], nlohmann::json::parse(R"({
    "reference": "ujf", "counting": "uwfq-macro", "left_out": 1, "cut_otherwise": 0,
    "jobs": {"compared": 2, "dvr": 0.5, "violations": 1, "dsr": 0.0, "slack": 1, "worst": 0.5},
    "users": {"compared": 2, "dvr": 0.5, "violations": 1, "dsr": 0.0, "slack": 1, "worst": 0.5}})"));
  EXPECT_EQ(told["users"][0]["response_change"], 0.5);
  EXPECT_EQ(told["users"][1]["against"], nlohmann::json::parse(R"({
    "compared": 1, "dvr": null, "violations": 0, "dsr": 0.0, "slack": 1, "worst": 0.0})"));
}

}  // namespace
}  // namespace somnus
