// Runs with their figures by user: in journals, between ranks, and what that changes for others.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "experiment/results.hpp"
#include "experiment/work_items.hpp"
#include "output/folder.hpp"

namespace somnus::test {
namespace {

constexpr std::uint64_t seed = 7;

ExperimentPlan one_point(bool by_user) {
  ExperimentPlan plan;
  plan.points.emplace_back();
  plan.points.front().digest = "0123456789abcdef";
  plan.by_user = by_user;
  return plan;
}

RunResult a_run() {
  RunResult result{.figures = RunFigures(figure_infos().size(), NAN)};
  result.figures[figure_index("response_mean_s")] = 0.1 + 0.2;  // of many digits
  return result;
}
RunResult a_run_with_users() {
  RunResult result = a_run();
  result.users = {{"ann \"x\"\n", {.response_mean_s = 1.0 / 3, .slowdown_mean = 2}},
                  {"用户", {.response_mean_s = 4, .slowdown_mean = NAN}}};
  return result;
}

void expect_users(const RunResult* found) {
  ASSERT_NE(found, nullptr);
  ASSERT_TRUE(found->users.has_value());
  ASSERT_EQ(found->users->size(), 2U);
  EXPECT_EQ(found->users->at("ann \"x\"\n").response_mean_s, 1.0 / 3);
  EXPECT_EQ(found->users->at("ann \"x\"\n").slowdown_mean, 2);
  EXPECT_EQ(found->users->at("用户").response_mean_s, 4);
  EXPECT_TRUE(std::isnan(found->users->at("用户").slowdown_mean));
}

std::string journal_in(const std::filesystem::path& folder) {
  std::ostringstream text;
  text << std::ifstream(folder / "runs.jsonl").rdbuf();
  return text.str();
}

class UsersKept : public testing::Test {
 protected:
  std::filesystem::path folder() const { return scratch_.file("out"); }
  void keep(const RunResult& run) const {
    const ExperimentPlan plan = one_point(false);
    Results(folder(), plan, {}, false).add(0, seed, run);
  }

 private:
  ScratchFolder scratch_{std::filesystem::temp_directory_path()};
};

TEST_F(UsersKept, AreReadAgainFromTheJournal) {
  keep(a_run_with_users());
  const ExperimentPlan plan = one_point(true);
  const Results again(folder(), plan, {}, false);
  EXPECT_EQ(again.found(), 1U);
  expect_users(again.find(0, seed));
}

TEST_F(UsersKept, AreNotInTheJournalOfWhoDoesNotAsk) {
  keep(a_run());
  EXPECT_EQ(journal_in(folder()).find("user"), std::string::npos);
}

TEST_F(UsersKept, ARunWithoutThemIsNoneForWhoAsksAndStaysOneForOthers) {
  keep(a_run());
  const ExperimentPlan asks = one_point(true);
  {
    Results results(folder(), asks, {}, false);
    EXPECT_FALSE(results.has(0, seed));
    EXPECT_EQ(results.found(), 0U);
  }
  const ExperimentPlan other = one_point(false);
  EXPECT_TRUE(Results(folder(), other, {}, false).has(0, seed));
  {
    Results results(folder(), asks, {}, false);
    results.add(0, seed, a_run_with_users());
    expect_users(results.find(0, seed));
  }
  EXPECT_TRUE(Results(folder(), other, {}, false).has(0, seed));
  expect_users(Results(folder(), asks, {}, false).find(0, seed));
  EXPECT_EQ(std::ranges::count(journal_in(folder()), '\n'), 2) << "a header and one run";
}

TEST_F(UsersKept, AreTakenOverFromAnotherShare) {
  keep(a_run());
  const ExperimentPlan asks = one_point(true);
  Results first(folder(), asks, {.number = 1, .of = 2}, false);
  EXPECT_FALSE(first.has(0, seed));
  Results second(folder(), asks, {.number = 2, .of = 2}, false);
  second.add(0, seed, a_run_with_users());
  first.look_at_others();
  expect_users(first.find(0, seed));
}

TEST_F(UsersKept, AJournalThatWasTamperedWithHasNone) {
  keep(a_run_with_users());
  std::string text = journal_in(folder());
  const std::string number = "\"slowdown_mean\":2.0";
  ASSERT_NE(text.find(number), std::string::npos) << text;
  text.replace(text.find(number), number.size(), "\"slowdown_mean\":\"\"");
  std::ofstream(folder() / "runs.jsonl") << text;
  const ExperimentPlan asks = one_point(true);
  EXPECT_FALSE(Results(folder(), asks, {}, false).has(0, seed));
  const ExperimentPlan other = one_point(false);
  EXPECT_TRUE(Results(folder(), other, {}, false).has(0, seed));
}

TEST(WorkItems, BringUsersFromARank) {
  NumberedOutcome outcome{.number = 3, .outcome = {}};
  outcome.outcome.result = a_run_with_users();
  const NumberedOutcome read = read_outcome(text_of(outcome));
  EXPECT_EQ(read.number, 3U);
  EXPECT_EQ(read.outcome.result->figures[figure_index("response_mean_s")], 0.1 + 0.2);
  expect_users(&*read.outcome.result);
  outcome.outcome.result = a_run();
  EXPECT_FALSE(read_outcome(text_of(outcome)).outcome.result->users.has_value());
  EXPECT_EQ(text_of(outcome).find("user"), std::string::npos);
  EXPECT_THROW(static_cast<void>(read_outcome("{\"number\":3,\"figures\":[],\"users\":1}")),
               WorldError);
}

}  // namespace
}  // namespace somnus::test
