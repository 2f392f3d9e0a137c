#include <algorithm>

#include "base/given_parameters.hpp"
#include "formats/parsed.hpp"

namespace somnus::test {
namespace {

const FormatSample& sample_of(std::string_view format) {
  const auto samples = Registered<FormatSample>::rows();
  const auto found = std::ranges::find(samples, format, &FormatSample::name);
  SOMNUS_CHECK(found != samples.end(), "the tests of format {} have no FormatSample", format);
  return *found;
}

const Registered<FormatSample> native_sample = FormatSample{
    "native", "{\"somnus_workload\": 1}\n{\"job\": \"a\", \"submit\": 0, \"durations\": [1]}\n"};

TEST(Formats, AreDetectedFromTheName) {
  const Folder folder;
  EXPECT_EQ(mistakes_in(read_workload(folder.file("w.jsonl", sample_of("native").text))), "none");
  EXPECT_EQ(mistakes_in(read_workload(folder.file("w.tr", "0 1 1 1"))), "none");
  const auto path = folder.file("broken.tr", "hello\n");
  EXPECT_TRUE(mistakes_in(read_workload(path)).starts_with(path.string() + ":1:1: submit: "));
}

TEST(Formats, AreDetectedFromTheContentWhereTheNameSaysNothing) {
  for (const Format& format : formats()) {
    const TextFile file = text_file("odd.name", sample_of(format.name).text);
    EXPECT_EQ(value_or_throw(format_of(file, "odd.name")), &format) << format.name;
  }
  const Folder folder;
  EXPECT_EQ(value_or_throw(read_workload(folder.file("tr.txt", "\n0 1 1 1"))).jobs[0].job, "0");
}

TEST(Formats, CanBeNamed) {
  const Folder folder;
  for (const Format& format : formats()) {
    const FormatSample& sample = sample_of(format.name);
    const auto path = folder.file("odd.name", sample.text);
    EXPECT_EQ(mistakes_in(read_workload(path, std::string(format.name), sample.parameters)),
              "none");
  }
}

TEST(Formats, SayOnceThatAFileLooksLikeAnother) {
  const Folder folder;
  for (const Format& named : formats()) {
    for (const Format& other : formats()) {
      const std::string_view sample = sample_of(other.name).text;
      const bool may_be_either = named.look == Look::common && named.looks_like(sample);
      if (other.look == Look::common || &named == &other || may_be_either) continue;
      const auto path = folder.file("odd.name", sample);
      EXPECT_EQ(mistakes_in(read_workload(path, std::string(named.name))),
                fmt::format("{}: format: expected {}, found a file that looks like {}",
                            path.string(), named.name, other.name));
    }
  }
  const auto table = folder.file("odd.name", sample_of("google-uwfq").text);
  EXPECT_TRUE(mistakes_in(read_workload(table, "csv")).starts_with(table.string() + ":1: submit"))
      << "any table is a csv";
  const auto path = folder.file("native.tr", sample_of("native").text);
  EXPECT_EQ(mistakes_in(read_workload(path)),
            path.string() + ": format: expected tr, found a file that looks like native");
}

TEST(Formats, SuggestTheNameThatWasMeant) {
  EXPECT_EQ(mistakes_in(read_workload("w", "natve")),
            "w: format: expected a workload format, found 'natve'; did you mean 'native'?");
  EXPECT_EQ(
      mistakes_in(read_workload("w", "gwf-2")),
      "w: format: expected a workload format, found 'gwf-2'; known are alibaba2018, "
      "carbyne-dags, csv, decima, google-uwfq, google2011, native, opendc, parquet, sacct, sls, "
      "spark, swf, swim, tr, wfformat, wta");
}

TEST(Formats, TakeTheirParametersNamedOrDetected) {
  const Folder folder;
  const auto path = folder.file("g.csv", sample_of("google-uwfq").text);
  const Parameters parameters = {{"scale", 7}, {"chain", false}};
  for (const char* const format : {"google-uwfq", ""}) {
    const auto workload = value_or_throw(read_workload(path, format, parameters));
    EXPECT_EQ(workload.jobs[0].stages[0].durations, std::vector{7.0});
  }
  EXPECT_EQ(value_or_throw(read_workload(path)).jobs[0].stages[1].work, 20);
}

TEST(Formats, NameEveryIllParameterWhereItWasGiven) {
  const SourceLocation where = {.file = "c.toml", .line = 7, .column = 3};
  EXPECT_EQ(mistakes_in(read_workload("absent.csv", "google-uwfq",
                                      {{"flter", 10}, {"scale", 0}, {"chain", 2}}, where)),
            "c.toml:7:3: flter: unknown parameter of format google-uwfq; did you mean 'filter'?\n"
            "c.toml:7:3: scale: expected a number from 1e-06 to 1000000, found 0\n"
            "c.toml:7:3: chain: expected true or false, found 2");
  EXPECT_EQ(mistakes_in(read_workload("absent.tr", "tr", {{"scale", 2}}, where)),
            "c.toml:7:3: scale: format tr has no parameters");
  const Folder folder;
  EXPECT_EQ(mistakes_in(read_workload(folder.file("w.jsonl", sample_of("native").text), "",
                                      {{"a", 2}}, where)),
            "c.toml:7:3: a: format native has no parameters");
}

TEST(Formats, HaveDefaultsWithinTheirRanges) {
  for (const Format& format : formats()) {
    const Parameters defaults = format.parameters.defaults();
    EXPECT_EQ(mistakes_in(check_parameters(format.parameters, defaults, "format", {})), "none");
  }
}

TEST(Formats, SayThatAFileIsOfNone) {
  const Folder folder;
  const auto path = folder.file("w.txt", "hello\n");
  EXPECT_EQ(
      mistakes_in(read_workload(path)),
      path.string() +
          ": format: expected a workload, found neither a known name nor known "
          "content; known are alibaba2018, carbyne-dags, csv, decima, google-uwfq, google2011, "
          "native, opendc, parquet, sacct, sls, spark, swf, swim, tr, wfformat, wta");
}

TEST(Formats, DoNotTakeJsonOfSomethingElseForTheirOwn) {
  const Folder folder;
  const auto path = folder.file("w.jsonl", "{\"name\": \"a\", \"requests\": {\"cpu\": 4}}\n");
  const std::string said = mistakes_in(read_workload(path));
  EXPECT_TRUE(
      said.starts_with(path.string() +
                       ": format: expected a workload, found JSON of something else, with name, "
                       "requests; make a table of it, for example: (echo 'name,requests'; jq -r"))
      << said;
}

TEST(Formats, SayWhatATextIsThatNoneReads) {
  const Folder folder;
  const auto said = [&](const char* text) {
    const auto path = folder.file("w.txt", text);
    const std::string all = mistakes_in(read_workload(path));
    return all.substr(all.find("expected"));
  };
  EXPECT_EQ(said("1 2 3\n4 5 6\n").substr(0, 73),
            "expected a workload, found 3 words with blanks between in the first line;");
  EXPECT_EQ(said("\"Report of May\"\n\n# all\nsubmit,took\n1,2\n"),
            "expected a workload, found lines above a table that begins in line 4; tail -n +4 FILE "
            "> TABLE.csv leaves them out");
  EXPECT_EQ(said(""), "expected a workload, found an empty file");
  EXPECT_EQ(said(" id | took\n----+------\n  1 |    5\n  2 |    7\n(2 rows)\n"),
            "expected a workload, found a table for the eye, with a ruled line 2; sed 2d FILE > "
            "TABLE.csv leaves that line out, and below the table nothing may stand, such as (600 "
            "rows); psql --csv writes a table");
}

}  // namespace
}  // namespace somnus::test
