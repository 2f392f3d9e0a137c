#include "formats/parsed.hpp"

namespace somnus::test {
namespace {

std::string parquet_table(const char* name) {
  return bytes_of(std::filesystem::path(SOMNUS_FIXTURES) / name);
}

const Registered<FormatSample> parquet_sample = FormatSample{
    "parquet", parquet_table("instants.parquet"), {{"submit", "local"}, {"duration", "=1"}}};

Checked<WorkloadSpec> parse_instants(const Parameters& options) {
  return parsed("parquet", text_file("w.parquet", parquet_table("instants.parquet")), options);
}

TEST(Parquet, IsReadByTheWordsOfCsv) {
  const auto workload = value_or_throw(parse_instants(
      {{"submit", "local"}, {"duration", "=1.5"}, {"tasks", "=2"}, {"queue", "=batch"}}));
  ASSERT_EQ(workload.jobs.size(), 3U);
  EXPECT_EQ(workload.jobs[1].submit, 30.25);
  EXPECT_EQ(workload.jobs[2].submit, 60);
  EXPECT_EQ(workload.jobs[0].queue, "batch");
  EXPECT_EQ(workload.jobs[0].stages[0].durations, (std::vector{1.5, 1.5}));
}

TEST(Parquet, TakesInstantsOfSeveralUnits) {
  const auto workload = value_or_throw(parse_instants({{"submit", "created"},
                                                       {"duration", "ended - created"},
                                                       {"tasks", "cores"},
                                                       {"app", "pod"},
                                                       {"skip_broken", true}}));
  EXPECT_EQ(workload.name, "w.parquet (broken jobs left out: 1)") << "one was never created";
  ASSERT_EQ(workload.jobs.size(), 2U);
  EXPECT_EQ(workload.jobs[0].app, "etl-0");
  EXPECT_EQ(workload.jobs[0].stages[0].durations, (std::vector{5.5, 5.5}));
  EXPECT_NEAR(workload.jobs[1].submit, 30.25, 1e-6);
}

TEST(Parquet, NamesMistakesByRowAndColumn) {
  EXPECT_EQ(mistakes_in(parse_instants({{"submit", "created"}, {"duration", "took"}})),
            "w.parquet:3: created: submit: expected a number or a date, found ''; skip_broken = "
            "true leaves the job out\n"
            "w.parquet:3: took: duration: expected a number or a length of time, found ''; "
            "skip_broken = true leaves the job out");
  EXPECT_EQ(mistakes_in(parse_instants({{"submit", "creatd"}})),
            "w.parquet: submit: expected a column, found 'creatd'; did you mean 'created'?\n"
            "w.parquet: duration: expected the name of its column, found none; the file has pod, "
            "created, ended, local, cores, took, parents; somnus import finds which it may be");
}

TEST(Parquet, KeepsInstantsWithAndWithoutAZoneApart) {
  EXPECT_EQ(mistakes_in(parse_instants(
                {{"submit", "ended"}, {"duration", "local - ended"}, {"skip_broken", true}})),
            "w.parquet:1: local: duration: expected a date with a zone, as in line 1, found "
            "'2024-05-01T12:00:00.000000000'; dates of one file all have a zone, or none has\n"
            "w.parquet:2: local: duration: expected a date with a zone, as in line 1, found "
            "'2024-05-01T12:00:30.250000001'; dates of one file all have a zone, or none has\n"
            "w.parquet:3: local: duration: expected a date with a zone, as in line 1, found "
            "'2024-05-01T12:01:00.000000000'; dates of one file all have a zone, or none has");
}

TEST(Parquet, IsSaidToBeWhatItIsWhereATextIsExpected) {
  const Folder folder;
  const auto path = folder.file("odd.name", parquet_table("instants.parquet"));
  EXPECT_EQ(mistakes_in(read_workload(path, "csv", {{"submit", "a"}, {"duration", "b"}})),
            path.string() + ": format: expected csv, found a file that looks like parquet");
  const auto damaged = folder.file("damaged", "PAR1 and nothing more");
  EXPECT_TRUE(mistakes_in(read_workload(damaged)).starts_with(damaged.string() + ": expected "));
}

TEST(Binaries, AreNamedInOneSentence) {
  const Folder folder;
  const auto path = folder.file("jobs.csv", std::string("\x80\x04\x95\0,\n,\n", 8));
  for (const char* format : {"", "csv", "swf"}) {
    EXPECT_TRUE(
        mistakes_in(read_workload(path, format))
            .starts_with(path.string() + ": format: expected a workload, found a Python pickle; "));
  }
}

}  // namespace
}  // namespace somnus::test
