// What a table's columns are taken for, and where nobody but the user knows.
#include <gtest/gtest.h>

#include <algorithm>

#include "formats/column_words.hpp"
#include "formats/table_guess.hpp"
#include "workload/support.hpp"

namespace somnus::test {
namespace {

TableGuess guess(const std::string& rows, const Parameters& given = {}) {
  return guess_table(value_or_throw(sample_of(text_file("w.csv", rows), {})), given);
}

/// "duration: took or took/1000"
std::string choices_in(const TableGuess& guess) {
  std::string all;
  for (const GuessChoice& choice : guess.choices) {
    all += choice.parameter + ":";
    for (const std::string& candidate : choice.candidates) all += " " + candidate;
    all += "\n";
  }
  return all;
}

bool is_assumed(const TableGuess& guess, std::string_view words) {
  return std::ranges::any_of(guess.assumed, [&](const std::string& sentence) {
    return sentence.find(words) != std::string::npos;
  });
}

TEST(ColumnWords, AreTheNamesPartsAndItsUnit) {
  EXPECT_EQ(words_of_column("SubmitTime (ms)").words, (std::vector<std::string>{"submit", "time"}));
  EXPECT_EQ(words_of_column("SubmitTime (ms)").unit_s, 1e-3);
  EXPECT_EQ(words_of_column("JobIDRaw").words, (std::vector<std::string>{"job", "id", "raw"}));
  EXPECT_EQ(words_of_column("NCPUS").words, std::vector<std::string>{"ncpus"});
  EXPECT_EQ(words_of_column("CPUs").words, std::vector<std::string>{"cpus"});
  EXPECT_EQ(words_of_column("JobIDs_x").words, (std::vector<std::string>{"job", "ids", "x"}));
  EXPECT_FALSE(words_of_column("CPUs").unit_s) << "no microseconds";
  EXPECT_EQ(words_of_column("runtime_min").unit_s, 60);
  EXPECT_FALSE(words_of_column("min").unit_s) << "a unit of what?";
  EXPECT_TRUE(words_of_column("").words.empty());
  EXPECT_TRUE(words_of_column("12").words.empty());
}

TEST(ColumnWords, SayWhatAColumnMayBe) {
  const auto rank = [](ColumnRole role, const char* name) {
    return rank_of(role, words_of_column(name));
  };
  EXPECT_EQ(rank(ColumnRole::submit, "submission_time"), 1);
  EXPECT_EQ(rank(ColumnRole::submit, "creationTimestamp"), 2);
  EXPECT_EQ(rank(ColumnRole::start, "job_start_time"), 1);
  EXPECT_EQ(rank(ColumnRole::duration, "ElapsedRaw"), 1);
  EXPECT_EQ(rank(ColumnRole::tasks, "AllocCPUS"), 2);
  EXPECT_EQ(rank(ColumnRole::job, "JobID"), 1);
  EXPECT_FALSE(rank(ColumnRole::tasks, "cpu_time"));
  EXPECT_FALSE(rank(ColumnRole::submit, "time"));
  EXPECT_FALSE(rank(ColumnRole::submit, ""));
}

TEST(TableGuess, TakesWhatHasOneMeaning) {
  const TableGuess found =
      guess("id,submit_time,runtime_s,cores,owner\n7,10,5,2,ann\n8,11,6.5,1,bob\n");
  EXPECT_EQ(choices_in(found), "");
  EXPECT_EQ(found.parameters, (Parameters{{"job", "id"},
                                          {"submit", "submit_time"},
                                          {"duration", "runtime_s"},
                                          {"tasks", "cores"},
                                          {"user", "owner"}}));
  EXPECT_TRUE(is_assumed(found, "a row is a job: id has no name twice"));
  EXPECT_TRUE(is_assumed(found, "submit_time: numbers, taken for seconds"));
  EXPECT_TRUE(is_assumed(found, "no column says: queue, account, qos, app"));
}

TEST(TableGuess, TakesRowsOfOneJobForItsTasks) {
  const TableGuess found = guess("job,task,start,end\na,0,5,6\na,1,5,9\nb,0,7,8\n");
  EXPECT_EQ(
      found.parameters,
      (Parameters{
          {"job", "job"}, {"rows", "task"}, {"submit", "start"}, {"duration", "end - start"}}));
  EXPECT_TRUE(is_assumed(found, "jobs come when they started (start)"));
  EXPECT_TRUE(is_assumed(found, "the tasks of a job wait for nothing"));
}

TEST(TableGuess, TellsMillisecondsSince1970ByTheirSize) {
  const TableGuess found = guess(
      "created,started,finished\n1714564800000,1714564801000,1714564801500\n"
      "1714564800100,1714564801000,1714564802000\n");
  EXPECT_EQ(found.parameters,
            (Parameters{{"submit", "created/1000"}, {"duration", "(finished - started)/1000"}}));
}

TEST(TableGuess, AsksForTheUnitThatNothingShows) {
  const TableGuess found = guess("submitted,duration\n1714564800000,500\n1714564800100,900\n");
  EXPECT_EQ(choices_in(found), "duration: duration duration/1000\n");
  EXPECT_EQ(
      choices_in(guess("submitted,duration\n1714564800000,500\n", {{"duration", "duration/1000"}})),
      "");
}

TEST(TableGuess, FindsTheUnitOfADurationBesideStartAndEnd) {
  const TableGuess found = guess(
      "submit,start,end,duration\n2024-05-01 12:00:00,2024-05-01 12:00:10,2024-05-01 "
      "12:01:10,60000\n"
      "2024-05-01 12:00:05,2024-05-01 12:00:10,2024-05-01 12:00:40,30000\n");
  EXPECT_EQ(choices_in(found), "");
  EXPECT_EQ(*found.parameters.at("duration").text(), "duration/1000");
  EXPECT_EQ(choices_in(guess("submit,start,end,duration\n0,1,5,9\n1,2,4,8\n")),
            "duration: end - start duration\n")
      << "it is something else";
}

TEST(TableGuess, AsksWhereTwoColumnsMayBeMeant) {
  EXPECT_EQ(choices_in(guess("submitted,arrival,duration_s\n0,1,5\n")),
            "submit: submitted arrival\n");
  EXPECT_EQ(choices_in(guess("submitted,arrival,duration_s\n1,1,5\n")), "") << "they say the same";
  EXPECT_EQ(choices_in(guess("submit,duration_s,cores,slots\n0,5,1,2\n")), "tasks: cores slots\n");
}

TEST(TableGuess, AsksForWhatIsNotThere) {
  EXPECT_EQ(choices_in(guess("colour,size\nred,big\n")), "submit:\nduration:\n");
  EXPECT_EQ(choices_in(guess("submit,end\n0,9\n")), "duration: end - submit\n")
      << "which has the wait in it";
}

TEST(TableGuess, AsksWhatCommasAndDatesMean) {
  EXPECT_EQ(choices_in(guess("submit;duration_s\n0;1,250\n")), "decimal: comma point\n");
  const TableGuess sure = guess("submit;duration_s\n0;1,25\n");
  EXPECT_EQ(*sure.parameters.at("decimal").text(), "comma");
  EXPECT_EQ(choices_in(guess("submit;duration_s\n0;1.250\n1;1,25\n2;2,5\n")),
            "decimal: comma point\n");
  const std::string open = "submit,duration_s\n01/05/2024 12:00,5\n";
  EXPECT_EQ(choices_in(guess(open)), "dates: day-first month-first\n");
  EXPECT_EQ(choices_in(guess(open, {{"dates", "day-first"}})), "");
  const TableGuess shown = guess(open + "13/05/2024 12:00,5\n");
  EXPECT_EQ(*shown.parameters.at("dates").text(), "day-first");
}

TEST(TableGuess, LeavesWhatHasConsequencesToTheUser) {
  const TableGuess found = guess(
      "submit,duration_s,timelimit,memory,state\n0,5,60,4,COMPLETED\n1,5,60,4,FAILED\n"
      "2,5,60,4,COMPLETED\n");
  EXPECT_EQ(found.unused,
            (std::vector<std::string>{
                "timelimit: may be a limit, after which a job that runs is killed: --set "
                "\"limit=timelimit\" if it is in seconds, \"limit=timelimit*60\" if in minutes",
                "memory: may be what a task demands of memory, in a unit that its name does not "
                "say: --set \"demand.mem_gb=memory\" if in GB, \"memory/1000\" if in MB",
                "state: rows become jobs whatever it says: COMPLETED (2), FAILED (1)"}));
  const TableGuess given =
      guess("submit,duration_s,memory\n0,5,4\n", {{"demand", Table{{"mem_gb", "memory"}}}});
  EXPECT_TRUE(given.unused.empty());
}

TEST(TableSample, IsOfTablesThatSomebodyCanName) {
  std::string wide = "a";
  for (int column = 0; column < 500; ++column) wide += ",b";
  EXPECT_EQ(mistakes_in(sample_of(text_file("w.csv", wide + "\n"), {})),
            "w.csv: expected at most 500 columns to guess from, found 501; somnus workload import "
            "names the format and its columns");
  std::string tall = "submit,duration_s\n";
  for (int row = 0; row < 10'001; ++row) tall += "1,2\n";
  const TableSample sample = value_or_throw(sample_of(text_file("w.csv", tall), {}));
  EXPECT_EQ(sample.rows(), 10'000U);
  EXPECT_FALSE(sample.is_whole);
}

TEST(TableGuess, KnowsATableWithoutNames) {
  const TableGuess found = guess("1,5\n2,6\n");
  EXPECT_EQ(found.parameters.at("header").flag(), false);
  EXPECT_EQ(choices_in(found), "submit:\nduration:\n");
}

}  // namespace
}  // namespace somnus::test
