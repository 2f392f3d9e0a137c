// Rows of tables that say more than numbers: products, amounts, limits that are none, ends that
// never came; and how times and mistakes are counted.
#include "formats/parsed.hpp"

namespace somnus::test {
namespace {

Checked<WorkloadSpec> rows_of(std::string rows, const Parameters& options) {
  return parsed("csv", text_file("w.csv", std::move(rows)), options);
}

TEST(CsvRows, TakesProductsOfColumnsAndAmounts) {
  const auto workload = value_or_throw(rows_of("at,took,nodes,ppn,mem\n0,1,2,3,12G\n1,1,1,1,500M\n",
                                               {{"submit", "at"},
                                                {"duration", "took"},
                                                {"tasks", "nodes*ppn"},
                                                {"demand", Table{{"mem_gb", "mem/1e9/nodes"}}}}));
  EXPECT_EQ(workload.jobs[0].stages[0].durations.size(), 6U);
  EXPECT_EQ(workload.jobs[0].stages[0].demand, std::vector{6.0});
  EXPECT_EQ(workload.jobs[1].stages[0].demand, std::vector{0.5});
}

TEST(CsvRows, HasNoLimitWhereAccountingSaysThatThereIsNone) {
  const auto workload =
      value_or_throw(rows_of("at,took,most\n0,1,UNLIMITED\n1,1,00:01:00\n",
                             {{"submit", "at"}, {"duration", "took"}, {"limit", "most"}}));
  EXPECT_EQ(workload.jobs[0].limit, 0);
  EXPECT_EQ(workload.jobs[1].limit, 60);
}

TEST(CsvRows, LeavesOutRowsWithoutAnEndOnRequest) {
  const std::string rows =
      "at,start,end\n10,20,30\n11,0,0\n12,-1,-1\n13,,\n14,20,Unknown\n15,20,\n0,0,1\n";
  const auto workload = value_or_throw(
      rows_of(rows, {{"submit", "at"}, {"duration", "end - start"}, {"skip_unfinished", true}}));
  EXPECT_EQ(workload.jobs.size(), 2U) << "0 is when the clock began";
  EXPECT_EQ(workload.name, "w.csv (rows without an end left out: 5)");
  EXPECT_EQ(
      mistakes_in(rows_of("at,took\n0,\n",
                          {{"submit", "at"}, {"duration", "took"}, {"skip_unfinished", true}})),
      "w.csv: expected at least one row that ran to its end, found 1 others");
}

TEST(CsvRows, LeavesOutThoseOfSeparatorsOnly) {
  EXPECT_EQ(value_or_throw(
                rows_of("at,took\n0,1\n,\n1,1\n , \n", {{"submit", "at"}, {"duration", "took"}}))
                .jobs.size(),
            2U);
}

TEST(CsvRows, KeepsMillisecondsSince1970) {
  const auto workload =
      value_or_throw(rows_of("at,took\n1714032056773,1\n1714032086021,1\n1714032056774,1\n",
                             {{"submit", "at/1000"}, {"duration", "took"}}));
  EXPECT_EQ(workload.jobs[1].submit, 0.001);
  EXPECT_EQ(workload.jobs[2].submit, 29.248);
  const auto dates =
      value_or_throw(rows_of("from,to\n2024-04-25 08:00:54.123Z,2024-04-25 08:20:20.5Z\n",
                             {{"submit", "from"}, {"duration", "to - from"}}));
  EXPECT_EQ(dates.jobs[0].stages[0].durations, std::vector{1166.377});
}

TEST(CsvRows, CountsMistakesOfOneCause) {
  std::string rows = "at,took\n";
  for (int row = 0; row < 300; ++row) rows += "0,soon\n";
  EXPECT_EQ(mistakes_in(rows_of(rows, {{"submit", "at"}, {"duration", "took"}})),
            "w.csv:2:3: took: duration: expected a number or a length of time, found 'soon'; "
            "skip_broken = true leaves the job out\n"
            "w.csv:3:3: took: duration: expected a number or a length of time, found 'soon'; "
            "skip_broken = true leaves the job out\n"
            "w.csv:4:3: took: duration: expected a number or a length of time, found 'soon'; "
            "skip_broken = true leaves the job out\n"
            "w.csv: took: duration: expected a number or a length of time: 297 more, the last in "
            "line 301");
}

}  // namespace
}  // namespace somnus::test
