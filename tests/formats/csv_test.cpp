#include "formats/parsed.hpp"
#include "text/table_columns.hpp"

namespace somnus::test {
namespace {

const Registered<FormatSample> csv_sample =
    FormatSample{"csv", "at,long\n1,2\n", {{"submit", "at"}, {"duration", "long"}}};

Checked<WorkloadSpec> parse_table(std::string rows, const Parameters& options) {
  return parsed("csv", text_file("w.csv", std::move(rows)), options);
}

constexpr std::string_view three_rows =
    "id,arrived,ran_ms,cores,who,memory\n"
    "a,15,1500,2,ann,4\n"
    "b,10,500,1,bob,0.5\n"
    "c,12.5,0,3,,4\n";
const Parameters all_columns = {
    {"submit", "arrived"}, {"duration", "ran_ms/1000"},
    {"tasks", "cores"},    {"job", "id"},
    {"user", "who"},       {"queue", "=batch"},
    {"weight", "2"},       {"demand", Table{{"cpu", "=1"}, {"mem_gb", "memory"}}}};

TEST(Csv, MakesAJobOfARow) {
  const auto workload = value_or_throw(parse_table(std::string(three_rows), all_columns));
  EXPECT_EQ(workload.name, "w.csv");
  EXPECT_EQ(workload.resources, (std::vector<std::string>{"cpu", "mem_gb"}));
  ASSERT_EQ(workload.jobs.size(), 3U);
  const JobSpec& job = workload.jobs[2];
  EXPECT_EQ(job.job, "a");
  EXPECT_EQ(job.submit, 5);
  EXPECT_EQ(job.user, "ann");
  EXPECT_EQ(job.queue, "batch");
  EXPECT_EQ(job.weight, 2);
  ASSERT_EQ(job.stages.size(), 1U);
  EXPECT_EQ(job.stages[0].durations, (std::vector{1.5, 1.5}));
  EXPECT_EQ(job.stages[0].demand, (std::vector{1.0, 4.0}));
  EXPECT_EQ(workload.jobs[1].user, "default") << "an empty cell";
}

TEST(Csv, NeedsOnlySubmitAndDuration) {
  const auto workload = value_or_throw(
      parse_table(std::string(three_rows), {{"submit", "arrived"}, {"duration", "ran_ms / 1e3"}}));
  EXPECT_EQ(workload.jobs[0].job, "1");
  EXPECT_EQ(workload.jobs[0].stages[0].durations, std::vector{0.5});
  EXPECT_TRUE(workload.jobs[0].stages[0].demand.empty());
}

TEST(Csv, TakesColumnsByNumberWhereThereAreNoNames) {
  const auto workload = value_or_throw(parse_table(
      "7|60|ann\n9|30|bob\n",
      {{"submit", "1*60"}, {"duration", "2"}, {"tasks", "=4"}, {"user", "3"}, {"header", false}}));
  EXPECT_EQ(workload.jobs[1].submit, 120);
  EXPECT_EQ(workload.jobs[1].user, "bob");
  EXPECT_EQ(workload.jobs[1].stages[0].durations, (std::vector{30.0, 30.0, 30.0, 30.0}));
}

TEST(Csv, GathersRowsOfTasksIntoJobs) {
  const auto workload = value_or_throw(parse_table(
      "job,at,s,cpu\nx,5,1,1\ny,4,9,2\nx,3,2,1\nx,8,3,2\n", {{"rows", "task"},
                                                             {"submit", "at"},
                                                             {"duration", "s"},
                                                             {"job", "job"},
                                                             {"demand", Table{{"cpu", "cpu"}}}}));
  ASSERT_EQ(workload.jobs.size(), 2U);
  const JobSpec& job = workload.jobs[0];
  EXPECT_EQ(job.job, "x");
  EXPECT_EQ(workload.jobs[1].submit, 1) << "x comes with its first row in time";
  ASSERT_EQ(job.stages.size(), 2U) << "of other demands";
  EXPECT_EQ(job.stages[0].durations, (std::vector{1.0, 2.0}));
  EXPECT_EQ(job.stages[1].durations, std::vector{3.0});
  EXPECT_TRUE(job.stages[1].parents.empty());
}

const Parameters with_stages = {{"rows", "task"},    {"submit", "at"}, {"duration", "s"},
                                {"tasks", "n"},      {"job", "job"},   {"stage", "stage"},
                                {"parents", "after"}};

TEST(Csv, TakesStagesAndTheirParents) {
  const auto workload = value_or_throw(parse_table(
      "job,at,s,n,stage,after\nx,5,1,2,7,\nx,5,9,1,9,7 8\nx,5,2,1,8,\nx,5,3,1,7,\n", with_stages));
  const auto& stages = workload.jobs[0].stages;
  ASSERT_EQ(stages.size(), 3U);
  EXPECT_EQ(stages[0].stage, 7U);
  EXPECT_EQ(stages[0].durations, (std::vector{1.0, 1.0, 3.0}));
  EXPECT_EQ(stages[1].parents, (std::vector<std::uint32_t>{7, 8}));
}

TEST(Csv, ReadsQuotedCells) {
  const Parameters options = {{"submit", "at, s"}, {"duration", "long"}, {"user", "who"}};
  const std::string quoted =
      "\"at, s\";long;who\r\n"
      "1; 2 ;\"a \"\"b\"\";\nc\"\r\n"
      "\r\n"
      "\"3\";\"4\"; d e \n";
  const auto workload = value_or_throw(parse_table(quoted, options));
  ASSERT_EQ(workload.jobs.size(), 2U);
  EXPECT_EQ(workload.jobs[0].user, "a \"b\";\nc");
  EXPECT_EQ(workload.jobs[1].user, "d e");
  EXPECT_EQ(workload.jobs[1].stages[0].durations, std::vector{4.0});
}

TEST(Csv, TellsTheSeparatorFromTheFirstLine) {
  for (const char* separator : {",", ";", "\t", "|", "^"}) {
    const std::string rows = fmt::format("a{0}b\n1{0}2\n", separator);
    EXPECT_EQ(value_or_throw(parse_table(rows, {{"submit", "a"}, {"duration", "b"}})).jobs.size(),
              1U);
  }
  const Parameters by_tab = {{"submit", "a,b"}, {"duration", "c"}, {"delimiter", "tab"}};
  EXPECT_EQ(value_or_throw(parse_table("a,b\tc\n1\t2\n", by_tab)).jobs.size(), 1U);
}

TEST(Csv, TakesDatesAndDifferences) {
  const auto workload = value_or_throw(
      parse_table("start,end\n2024-02-28T23:59:30Z,2024-02-29 00:00:00.5Z\n2024-03-01T00:00:30Z,"
                  "2024-03-01T02:00:30+02:00\n",
                  {{"submit", "start"}, {"duration", "(end - start) * 2"}}));
  EXPECT_EQ(workload.jobs[0].stages[0].durations, std::vector{61.0});
  EXPECT_EQ(workload.jobs[1].stages[0].durations, std::vector{0.0});
  EXPECT_EQ(workload.jobs[1].submit, 86460);
}

TEST(Csv, RefusesDatesWithAndWithoutZonesInOneFile) {
  EXPECT_EQ(mistakes_in(parse_table(
                "sent,took\n2024-02-28T23:59:30,1\n2024-02-28T23:59:31,1\n2024-03-01T00:00:30Z,1\n",
                {{"submit", "sent"}, {"duration", "took"}, {"skip_broken", true}})),
            "w.csv:4:1: sent: submit: expected a date without a zone, as in line 2, found "
            "'2024-03-01T00:00:30Z'; dates of one file all have a zone, or none has");
}

TEST(Csv, TakesLengthsOfTime) {
  const auto workload =
      value_or_throw(parse_table("at,took,most\n0,PT1H30M,1-00:00:00\n1,PT0.5S,00:00:09\n",
                                 {{"submit", "at"}, {"duration", "took"}, {"limit", "most"}}));
  EXPECT_EQ(workload.jobs[0].stages[0].durations, std::vector{5400.0});
  EXPECT_EQ(workload.jobs[0].limit, 86'400);
  EXPECT_EQ(workload.jobs[1].stages[0].durations, std::vector{0.5});
}

TEST(Csv, RefusesCellsOfTwoFormsInOneColumn) {
  EXPECT_EQ(mistakes_in(parse_table("sent,took\n2024-05-01T12:00:00,PT5S\n1714564800,5\n",
                                    {{"submit", "sent"}, {"duration", "took"}})),
            "w.csv:3:1: sent: submit: expected a date, as in line 2, found '1714564800'\n"
            "w.csv:3:12: took: duration: expected a length of time, as in line 2, found '5'");
  EXPECT_EQ(mistakes_in(parse_table("sent,end\n1714564800,2024-05-01T12:00:00Z\n",
                                    {{"submit", "sent"}, {"duration", "end - sent"}})),
            "w.csv:2:12: end: duration: expected a number, as sent has in this row, found "
            "'2024-05-01T12:00:00Z'; the difference of a date and a number says nothing");
}

TEST(Csv, TakesDecimalCommasOnlyWhereTheyAreMeant) {
  const std::string rows = "at;took\n0,5;1,25\n1e1;0\n";
  const auto workload = value_or_throw(
      parse_table(rows, {{"submit", "at"}, {"duration", "took"}, {"decimal", "comma"}}));
  EXPECT_EQ(workload.jobs[0].stages[0].durations, std::vector{1.25});
  EXPECT_EQ(workload.jobs[1].submit, 9.5);
  EXPECT_EQ(mistakes_in(parse_table(rows, {{"submit", "at"}, {"duration", "took"}})),
            "w.csv:2:1: at: submit: expected a number or a date, found '0,5'; decimal = "
            "\"comma\" if commas are decimal points\n"
            "w.csv:2:5: took: duration: expected a number or a length of time, found '1,25'; "
            "decimal = \"comma\" if commas are decimal points");
  EXPECT_EQ(
      mistakes_in(parse_table("at;took\n1.23,5;1.5\n",
                              {{"submit", "at"}, {"duration", "took"}, {"decimal", "comma"}})),
      "w.csv:2:1: at: submit: expected a number or a date, found '1.23,5'; numbers are "
      "written without marks between thousands\n"
      "w.csv:2:8: took: duration: expected a number or a length of time, found '1.5'; "
      "decimal = \"point\" if points are decimal points");
}

TEST(Csv, TakesDaysBeforeMonthsOnlyWhereTheyAreMeant) {
  const std::string rows = "at,took\n01/05/2024 12:00,1\n02/05/2024 12:00,1\n";
  Parameters options = {{"submit", "at"}, {"duration", "took"}};
  EXPECT_EQ(mistakes_in(parse_table(rows, options)),
            "w.csv:2:1: at: submit: expected a number or a date, found '01/05/2024 12:00'; dates = "
            "\"day-first\" or \"month-first\" says which number is the day\n"
            "w.csv:3:1: at: submit: expected a number or a date, found '02/05/2024 12:00'; dates = "
            "\"day-first\" or \"month-first\" says which number is the day");
  options["dates"] = "day-first";
  EXPECT_EQ(value_or_throw(parse_table(rows, options)).jobs[1].submit, 86'400);
  options["dates"] = "month-first";
  EXPECT_EQ(value_or_throw(parse_table(rows, options)).jobs[1].submit, 31 * 86'400);
}

TEST(Csv, NamesTextsThatAreNotUtf8) {
  EXPECT_EQ(mistakes_in(parse_table("at,took,user\n0,1,M\xfcller\n",
                                    {{"submit", "at"}, {"duration", "took"}, {"user", "user"}})),
            "w.csv:2:5: user: expected UTF-8 text, found other bytes; save the file as UTF-8, e.g. "
            "by iconv -f latin1 -t utf-8");
}

TEST(Csv, SaysWhatToDoAboutCellsThatAreNearlyRight) {
  const auto hint_for = [&](const char* cell) {
    const std::string said = mistakes_in(parse_table(fmt::format("at;took\n{};{}\n", "0", cell),
                                                     {{"submit", "at"}, {"duration", "took"}}));
    return said.substr(said.rfind("; ") + 2);
  };
  EXPECT_EQ(
      hint_for("12:30"),
      "clock = \"hours\" or \"minutes\" says whether 12:30 is hours and minutes, or minutes and "
      "seconds");
  EXPECT_EQ(hint_for("P1M"),
            "years and months have no length that is known: write days, as in P30DT1H");
  EXPECT_EQ(hint_for("2024-05-01"), "a date needs its time of day, as in 2024-05-01 12:30");
  EXPECT_EQ(hint_for("2024-05-01 12:00 CEST"), "zones are written as Z or +02:00");
  EXPECT_EQ(hint_for("soon"), "skip_broken = true leaves the job out");
}

TEST(TableColumns, AreSaidInWords) {
  const TableColumns columns({"cpu", "cpu/core", "end-start", "end", "start", "end time"});
  EXPECT_EQ(columns.number("cpu")->column, 0U);
  EXPECT_EQ(columns.number(" cpu/core ")->column, 1U) << "names win";
  EXPECT_EQ(columns.number("cpu/core*2")->column, 1U);
  EXPECT_EQ(columns.number("end-start")->column, 2U);
  EXPECT_EQ(columns.number("end - start")->minus, 4U);
  EXPECT_EQ(columns.number("(end time - start) / 60")->by, 60);
  EXPECT_EQ(columns.number("2.5")->constant, 2.5);
  EXPECT_EQ(columns.number("cpu/core*cpu/1000")->factor, 0U);
  EXPECT_EQ(columns.number("end / start * 60")->divisor, 4U);
  EXPECT_EQ(columns.number("cpu*end*start").error().what,
            "expected one column behind a *, found two in 'cpu*end*start'");
  EXPECT_EQ(columns.text("=end")->constant, "end");
  EXPECT_EQ(columns.number("strat").error().hint, "did you mean 'start'?");
  EXPECT_EQ(columns.number("cpu/0").error().what, "expected a column, found 'cpu/0'");
  EXPECT_EQ(columns.number("=x").error().what, "expected a number as a constant, found '=x'");
  EXPECT_EQ(columns.text("memory").error().hint,
            "the file has cpu, cpu/core, end-start, end, start, end time");
  EXPECT_EQ(TableColumns(3).number("4").error().hint, "the file has columns 1 to 3");
  EXPECT_EQ(TableColumns({"a", "a"}).text("a").error().what,
            "expected one column, found several that are called 'a'");
}

TEST(Csv, SaysWhichColumnsThereAreWhereOneIsMissing) {
  EXPECT_EQ(mistakes_in(parse_table(std::string(three_rows), {})),
            "w.csv:1: submit: expected the name of its column, found none; the file has id, "
            "arrived, ran_ms, cores, who, memory; somnus import finds which it may be\n"
            "w.csv:1: duration: expected the name of its column, found none; the file has id, "
            "arrived, ran_ms, cores, who, memory; somnus import finds which it may be");
  EXPECT_EQ(mistakes_in(parse_table(std::string(three_rows), {{"rows", "task"},
                                                              {"submit", "arived"},
                                                              {"duration", "ran_ms/x"},
                                                              {"user", "user"},
                                                              {"parents", "cores"},
                                                              {"demand", Table{{"cpu", "cors"}}}})),
            "w.csv:1: submit: expected a column, found 'arived'; did you mean 'arrived'?\n"
            "w.csv:1: duration: expected a column, found 'ran_ms/x'; did you mean 'ran_ms'?\n"
            "w.csv:1: user: expected a column, found 'user'; the file has id, arrived, ran_ms, "
            "cores, who, memory\n"
            "w.csv:1: demand.cpu: expected a column, found 'cors'; did you mean 'cores'?\n"
            "w.csv:1: job: expected the name of its column, found none; the file has id, arrived, "
            "ran_ms, cores, who, memory; somnus import finds which it may be\n"
            "w.csv:1: stage: expected the name of its column, found none; the file has id, "
            "arrived, ran_ms, cores, who, memory; somnus import finds which it may be");
  EXPECT_EQ(mistakes_in(parse_table(
                "1,2\n", {{"submit", "1"}, {"duration", "3"}, {"stage", "2"}, {"header", false}})),
            "w.csv:1: duration: expected a column, found '3'; the file has columns 1 to 2\n"
            "w.csv:1: rows: expected task where stage or parents is given, found job");
}

constexpr std::string_view ill_table =
    "id,arrived,ran_ms,cores,who,memory\n"
    "a,x,1500,2,ann,4\n"
    "b,-1,9e12,0,ann,-4\n"
    "c,1.7e12,5,1.5,ann,\n"
    "d,1,1,100000001,ann,1\n";

TEST(Csv, NamesEveryMistakeAtItsPlace) {
  const std::string out = "; skip_broken = true leaves the job out\n";
  EXPECT_EQ(
      mistakes_in(parse_table(std::string(ill_table) + "e,1\n"
                                                       ",1,1,1,ann,1\n"
                                                       "a,1,1,1,ann,1\n"
                                                       "f,1,1,1,\"ann\"n,1\n"
                                                       "g,1,1,1,\"ann,1\n",
                              all_columns)) +
          "\n",
      "w.csv:2:3: arrived: submit: expected a number or a date, found 'x'" + out +
          "w.csv:3:3: arrived: submit: expected 0 to 9000000000 s, found -1" + out +
          "w.csv:3:6: ran_ms: duration: expected 0 to 8300000 s, found 9000000000; duration = "
          "\"COLUMN/1000\" if it is in milliseconds; a log keeps no time above 96 days to the "
          "nanosecond\n"
          "w.csv:3:11: cores: tasks: expected 1 to 100000000, found 0" +
          out + "w.csv:3:17: memory: demand.mem_gb: expected 0 to 1000000000000, found -4" + out +
          "w.csv:4:3: arrived: submit: expected 0 to 9000000000 s, found 1700000000000; submit = "
          "\"COLUMN/1000\" if it is in milliseconds\n"
          "w.csv:4:12: cores: tasks: expected a whole number, found 1.5" +
          out + "w.csv:4:20: memory: demand.mem_gb: expected a number, found ''" + out +
          "w.csv:5:7: cores: tasks: expected 1 to 100000000, found 100000001" + out +
          "w.csv:6: expected 6 cells, found 2\n"
          "w.csv:7:1: id: job: expected a name, found an empty cell\n"
          "w.csv:8:1: id: job: expected a name of its own, found 'a', as in line 2; rows = "
          "\"task\" gathers the rows of a job\n"
          "w.csv:9:14: expected the cell's end after its closing quote\n"
          "w.csv:10:9: expected a closing quote for this one, found the file's end\n");
}

TEST(Csv, LeavesOutBrokenJobsOnRequestAndSaysHowMany) {
  Parameters options = all_columns;
  options["skip_broken"] = true;
  const auto workload =
      value_or_throw(parse_table(std::string(ill_table) + "e,1,1,1,ann,1\n", options));
  EXPECT_EQ(workload.name, "w.csv (broken jobs left out: 4)");
  EXPECT_EQ(workload.jobs.size(), 1U);
  EXPECT_EQ(mistakes_in(parse_table(std::string(ill_table), options)),
            "w.csv: expected at least one whole job, found broken ones only");
}

TEST(Csv, HoldsTheRowsOfAJobAgainstEachOther) {
  const std::string out = "; skip_broken = true leaves the job out\n";
  const std::string rows =
      "job,at,s,n,stage,after,user\n"
      "x,5,1,1,7,,ann\nx,5,1,1,8,,bob\n"
      "y,5,1,1,7,,ann\ny,5,1,1,7,8,ann\n"
      "z,5,1,1,7,8,ann\nz,5,1,1,8,7,ann\n"
      "v,5,1,1,7,9 a,ann\n"
      "w,5,1,1,7,9,ann\n";
  Parameters options = with_stages;
  options["user"] = "user";
  EXPECT_EQ(mistakes_in(parse_table(rows, options)) + "\n",
            "w.csv:3:12: user: expected what line 2 says of the same job" + out +
                "w.csv:5:9: stage: expected parents and demands as line 4 has them for the stage" +
                out +
                "w.csv:8:11: after: parents: expected numbers of stages with blanks between, "
                "found 'a'" +
                out +
                "w.csv:6: stages[0].parents: expected no cycle, found stages that wait for each "
                "other: 7 -> 8 -> 7" +
                out + "w.csv:9: stages[0].parents[0]: expected a stage of this job, found 9" + out);
  options["skip_broken"] = true;
  EXPECT_EQ(value_or_throw(parse_table(rows + "u,5,1,1,7,,ann\n", options)).name,
            "w.csv (broken jobs left out: 5)");
}

TEST(Csv, NamesFilesWithoutRows) {
  EXPECT_EQ(mistakes_in(parse_table("\n\n", all_columns)),
            "w.csv: expected a workload, found an empty file");
  EXPECT_EQ(mistakes_in(parse_table("a,b\n", {{"submit", "a"}, {"duration", "b"}})),
            "w.csv: expected at least one row, found only the columns' names");
}

TEST(Csv, CountsTasksBeforeItMakesRoomForThem) {
  EXPECT_EQ(mistakes_in(parse_table("a,b,n\n1,1,99999999\n1,1,99999999\n",
                                    {{"submit", "a"}, {"duration", "b"}, {"tasks", "n"}})),
            "w.csv: expected at most 100000000 tasks in a workload, found 199999998");
}

TEST(Csv, IsDetectedFromTwoRowsThatAreAsLong) {
  EXPECT_TRUE(looks_like("csv", three_rows));
  EXPECT_TRUE(looks_like("csv", "\r\n\"a|b\"|c\n1|\"2\n|\""));
  EXPECT_FALSE(looks_like("csv", "a,b\n"));
  EXPECT_FALSE(looks_like("csv", "a\nb\n"));
  EXPECT_FALSE(looks_like("csv", "a,b\n1\n"));
  EXPECT_FALSE(looks_like("csv", "a,b\n1,\"2\n")) << "an open quote";
  EXPECT_FALSE(looks_like("csv", "; Version: 2\n; MaxProcs: 8\n"));
}

TEST(Csv, TakesNumbersForColumnsAndConstants) {
  const Folder folder;
  const auto path = folder.file("w.csv", "5,7\n");
  const auto workload = value_or_throw(read_workload(path, "csv",
                                                     {{"submit", 1},
                                                      {"duration", "2*10"},
                                                      {"tasks", "=2"},
                                                      {"header", false},
                                                      {"demand", Table{{"cpu", 2}}}}));
  EXPECT_EQ(workload.jobs[0].stages[0].durations, (std::vector{70.0, 70.0}));
  EXPECT_EQ(workload.jobs[0].stages[0].demand, std::vector{7.0});
}

// As a script over the file counts them; a workflow is three tasks, a chain.
TEST(Csv, ReadsARealTrace) {
  SOMNUS_TRACE_OR_SKIP(path, "wta/shell/tasks.csv.gz");
  const auto workload = value_or_throw(read_workload(path, "csv",
                                                     {{"rows", "task"},
                                                      {"submit", "ts_submit/1000"},
                                                      {"duration", "runtime/1000"},
                                                      {"job", "workflow_id"},
                                                      {"stage", "id"},
                                                      {"parents", "parents"}}));
  EXPECT_EQ(workload.jobs.size(), 3403U);
  const Totals all = totals_of(workload);
  EXPECT_EQ(all.stages, 10'208U);
  EXPECT_EQ(all.edges, 6'805U);
  EXPECT_NEAR(all.slot_s, 89'229.863, 1e-6);
  EXPECT_EQ(workload.jobs.back().submit, 624);
}

}  // namespace
}  // namespace somnus::test
