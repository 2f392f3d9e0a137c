#include "metrics/summary_resources.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/small_log.hpp"
#include "metrics/summary.hpp"

namespace somnus {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The small log on nodes of 4 cpu and 8 GB without slots. In use of 8 cpu and 16 GB:
///
///     0-2 s: 4, 4    2-4 s: 3, 8    4-5 s: 1, 6    5-6 s: 2, 8
Log two_kinds() {
  Log log = small_log();
  log.header.resources = {"cpu", "mem_gb"};
  for (NodeRow& node : log.tables.nodes) {
    node.slots = 0;
    node.resources = {4, 8};
  }
  log.tables.stage_demands = {{2, 2}, {1, 6}, {1, 4}};
  return log;
}

TEST(ResourceSummary, SharesOutWhatEachKindHasOverTheMakespan) {
  const auto resources = resources_of(two_kinds());
  ASSERT_EQ(resources.size(), 2U);
  const auto& [cpu, memory] = std::tie(resources[0], resources[1]);
  EXPECT_EQ(cpu.resource, "cpu");
  EXPECT_DOUBLE_EQ(cpu.utilisation, (8 + 6 + 1 + 2) / 48.0);
  EXPECT_DOUBLE_EQ(cpu.utilisation_middle, (1.4 * 4 + 6 + 1 + 0.4 * 2) / (4.8 * 8));
  EXPECT_DOUBLE_EQ(cpu.peak, 0.5);
  EXPECT_DOUBLE_EQ(cpu.binding, 2.0 / 6);
  EXPECT_EQ(memory.resource, "mem_gb");
  EXPECT_DOUBLE_EQ(memory.utilisation, (8 + 16 + 6 + 8) / 96.0);
  EXPECT_DOUBLE_EQ(memory.peak, 0.5);
  EXPECT_DOUBLE_EQ(memory.binding, 4.0 / 6);
}

TEST(ResourceSummary, LetsTheKindThatIsNamedFirstBindInATie) {
  Log log = two_kinds();
  log.tables.stage_demands = {{2, 4}, {1, 2}, {1, 2}};
  const auto resources = resources_of(log);
  EXPECT_DOUBLE_EQ(resources[0].binding, 1);
  EXPECT_DOUBLE_EQ(resources[1].binding, 0);
}

TEST(ResourceSummary, SeesATieOfAmountsBeyondTheDigitsOfADouble) {
  Log log = two_kinds();
  log.tables.nodes[0].resources = {999999999989, 499999999979};
  log.tables.nodes[1].resources = {999999999989, 499999999979};
  log.tables.stage_demands = {{999999999989, 499999999979}, {}, {}};
  const auto resources = resources_of(log);
  EXPECT_DOUBLE_EQ(resources[0].binding, 4.0 / 6);
  EXPECT_DOUBLE_EQ(resources[1].binding, 0);
}

TEST(ResourceSummary, LetsNothingBindWhileNothingRuns) {
  Log log = two_kinds();
  log.tasks.erase(log.tasks.begin() + 2);  // so that from 4 s to 5 s nothing runs
  const auto resources = resources_of(log);
  EXPECT_DOUBLE_EQ(resources[0].binding + resources[1].binding, 5.0 / 6);
}

TEST(ResourceSummary, PassesOverWhatLastsNoTime) {
  Log log = two_kinds();
  log.tasks.push_back(row_of({1, 1, 0, 1, 1, 3, 3}));
  log.tasks[0].finish = log.tasks[2].start = 1;  // one goes and the other comes at one instant
  EXPECT_DOUBLE_EQ(resources_of(log)[1].peak, 0.5);
}

TEST(ResourceSummary, CountsWhatFailedAndNotWhatNeverStarted) {
  Log log = two_kinds();
  log.tasks[0].outcome = static_cast<std::uint8_t>(Outcome::failed);
  TaskRow unfinished = log.tasks[4];
  unfinished.start = unfinished.finish = nan_time;
  log.tasks.push_back(unfinished);
  EXPECT_DOUBLE_EQ(resources_of(log)[0].utilisation, 17.0 / 48);
}

TEST(ResourceSummary, HasNoShareOfAKindThatNoNodeHas) {
  Log log = two_kinds();
  for (NodeRow& node : log.tables.nodes) node.resources = {4, 0};
  for (Amounts& demand : log.tables.stage_demands) demand[1] = 0;
  const Summary one = summarise(log, "a");
  EXPECT_TRUE(std::isnan(one.resources[1].utilisation));
  EXPECT_TRUE(std::isnan(one.resources[1].peak));
  EXPECT_EQ(one.resources[1].binding, 0);
  EXPECT_DOUBLE_EQ(one.utilisation, 17.0 / 48);
  EXPECT_THAT(resources_to_text({&one, 1}), testing::ContainsRegex("mem_gb +- +- +- +0.0\n"));
}

TEST(ResourceSummary, HasNoFiguresWhereNothingStarted) {
  Log log = two_kinds();
  log.tasks.clear();
  const Summary one = summarise(log, "a");
  ASSERT_EQ(one.resources.size(), 2U);
  EXPECT_TRUE(std::isnan(one.resources[0].utilisation));
  EXPECT_TRUE(std::isnan(one.resources[0].binding));
  EXPECT_TRUE(std::isnan(one.utilisation));
  EXPECT_THAT(resources_to_text({&one, 1}), Not(HasSubstr("binding:")));
}

TEST(ResourceSummary, ReadsADamagedLogToo) {
  Log log = two_kinds();
  log.tasks[0].stage = 9;
  log.tables.stage_demands[1] = {nan_time, 1e300};
  log.tables.nodes[0].resources[0] = -1;
  EXPECT_EQ(resources_of(log).size(), 2U);
}

TEST(ResourceSummary, StandsForTheClusterWhereThereAreNoSlots) {
  Log log = two_kinds();
  EXPECT_DOUBLE_EQ(summarise(log, "a").utilisation, 38.0 / 96) << "memory's is larger than cpu's";
  EXPECT_DOUBLE_EQ(summarise(log, "a").utilisation_middle,
                   (1.4 * 4 + 16 + 6 + 0.4 * 8) / (4.8 * 16));
  for (NodeRow& node : log.tables.nodes) node.slots = 1;
  EXPECT_DOUBLE_EQ(summarise(log, "a").utilisation, 11.0 / 12);
}

TEST(ResourceSummary, IsLeftOutWhereOnlySlotsCount) {
  const Summary one = summarise(small_log(), "a");
  EXPECT_TRUE(one.resources.empty());
  EXPECT_EQ(resources_to_text({&one, 1}), "");
  EXPECT_EQ(to_json({&one, 1})[0]["resources"].dump(), "[]");
}

TEST(ResourceSummary, HasOneLineAKindAndSaysWhichBinds) {
  const Summary one = summarise(two_kinds(), "a");
  EXPECT_EQ(resources_to_text({&one, 1}),
            "resource  in use [%]  middle [%]  peak [%]  binding [%]\n"
            "cpu             35.4        34.9      50.0         33.3\n"
            "mem_gb          39.6        40.1      50.0         66.7\n"
            "binding: mem_gb, for 67 % of the makespan\n");
}

TEST(ResourceSummary, PutsLogsOfOtherKindsSideBySide) {
  Log other = two_kinds();
  other.header.resources = {"mem_gb", "io"};
  const std::vector<Summary> three = {summarise(small_log(), "slots"),
                                      summarise(two_kinds(), "one"), summarise(other, "two")};
  const std::string text = resources_to_text(three);
  EXPECT_THAT(text, testing::ContainsRegex("\ncpu in one +35.4 "));
  EXPECT_THAT(text,
              testing::ContainsRegex("\nmem_gb in one .*\nmem_gb in two .*\nio in two +39.6"));
  EXPECT_THAT(text, HasSubstr("\nbinding in one: mem_gb, for 67 % of the makespan\n"
                              "binding in two: io, for 67 % of the makespan\n"));
  EXPECT_THAT(text, Not(HasSubstr("binding in slots")));
}

TEST(ResourceSummary, GivesMachinesEveryFigure) {
  const Summary one = summarise(two_kinds(), "a");
  const auto printed = nlohmann::json::parse(to_json({&one, 1}).dump())[0]["resources"][1];
  EXPECT_EQ(printed.size(), 5U);
  EXPECT_EQ(printed["resource"], "mem_gb");
  EXPECT_DOUBLE_EQ(printed["utilisation"], 38.0 / 96);
  EXPECT_DOUBLE_EQ(printed["utilisation_middle"], one.resources[1].utilisation_middle);
  EXPECT_DOUBLE_EQ(printed["peak"], 0.5);
  EXPECT_DOUBLE_EQ(printed["binding"], 4.0 / 6);
}

}  // namespace
}  // namespace somnus
