#include <algorithm>

#include "base/given_parameters.hpp"
#include "formats/formats.hpp"
#include "workload/support.hpp"

namespace somnus::test {
namespace {

constexpr std::string_view native =
    "{\"somnus_workload\": 1}\n{\"job\": \"a\", \"submit\": 0, \"durations\": [1]}\n";
constexpr std::string_view google =
    "workflow_id,ts_submit,runtime,resource_amount_requested,user_id\n6,0,1000,1,u\n";

constexpr std::string_view alibaba = "M1,2,j_1,A,Terminated,10,20,100,0.5\n";
constexpr std::string_view carbyne = "# 0\n1 0\nMap 5 0.2 0.2 0 0 0 0 3\n0\n";

constexpr std::string_view decima =
    R"({"query":7,"size_gb":50,"num_stages":1,"stages":[{"stage":0,"num_tasks":1,"parents":[],)"
    R"("spark_stage_id":[0],"executors":{"2":{"fresh":[9],"first":[9],"rest":[1]}}}]})";

constexpr std::string_view swf = "; MaxProcs: 4\n1 0 0 9 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n";

constexpr std::string_view sacct = "JobID|Submit|ElapsedRaw|NCPUS\n7|2024-05-01T12:30:59|9|2\n";

constexpr std::string_view wfformat =
    "{\"schemaVersion\": \"1.5\", \"workflow\":\n"
    "{\"tasks\": [{\"id\": \"a\", \"parents\": [], \"runtimeInSeconds\": 1}]}}\n";
constexpr std::string_view swim = "job0\t49\t49\t740773\t2339561\t627471\n";
constexpr std::string_view google2011 =
    "#Time stamp\n5,,1,0,,1,ann,3,9,0.1,0.1,0.1,0\n6,,1,0,,4,ann,3,9,0.1,0.1,0.1,0\n";
constexpr std::string_view sls =
    "{\"job.id\": \"a\",\n\"job.tasks\": [{\"duration.ms\": 5}]}\n{\"job.tasks\":\n"
    "[{\"duration.ms\": 7}]}";
constexpr std::string_view spark =
    R"({"Event":"SparkListenerJobStart","Job ID":0,"Submission Time":5,"Stage Infos":[{"Stage ID":0}]}
{"Event":"SparkListenerTaskEnd","Stage ID":0,"Task End Reason":{"Reason":"Success"},)"
    R"("Task Info":{"Index":0,"Launch Time":5,"Finish Time":7}})";

std::string_view sample_of(std::string_view format) {
  static const std::string wta = bytes_of(SOMNUS_FIXTURES "/wta.parquet");
  if (format == "native") return native;
  if (format == "tr") return "0 1 1 1";
  if (format == "alibaba2018") return alibaba;
  if (format == "decima") return decima;
  if (format == "swf") return swf;
  if (format == "sacct") return sacct;
  if (format == "wta") return wta;
  if (format == "wfformat") return wfformat;
  if (format == "swim") return swim;
  if (format == "google2011") return google2011;
  if (format == "sls") return sls;
  if (format == "spark") return spark;
  if (format == "csv") return "at,long\n1,2\n";
  return format == "carbyne-dags" ? carbyne : google;
}

TEST(Formats, AreDetectedFromTheName) {
  const Folder folder;
  EXPECT_EQ(mistakes_in(read_workload(folder.file("w.jsonl", native))), "none");
  EXPECT_EQ(mistakes_in(read_workload(folder.file("w.tr", "0 1 1 1"))), "none");
  const auto path = folder.file("broken.tr", "hello\n");
  EXPECT_TRUE(mistakes_in(read_workload(path)).starts_with(path.string() + ":1:1: submit: "));
}

TEST(Formats, AreDetectedFromTheContentWhereTheNameSaysNothing) {
  const Folder folder;
  EXPECT_EQ(value_or_throw(read_workload(folder.file("native", native))).jobs[0].job, "a");
  EXPECT_EQ(value_or_throw(read_workload(folder.file("tr.txt", "\n0 1 1 1"))).jobs[0].job, "0");
  EXPECT_EQ(value_or_throw(read_workload(folder.file("g.csv", google))).jobs[0].job, "6");
  EXPECT_EQ(value_or_throw(read_workload(folder.file("c.txt", carbyne))).jobs[0].job, "0");
  EXPECT_EQ(value_or_throw(read_workload(folder.file("a.csv", alibaba))).jobs[0].job, "j_1");
  EXPECT_EQ(value_or_throw(read_workload(folder.file("s.txt", swf))).jobs[0].job, "1");
  EXPECT_EQ(value_or_throw(read_workload(folder.file("s.csv", sacct))).jobs[0].job, "7");
  EXPECT_EQ(value_or_throw(read_workload(folder.file("w.json", wfformat))).jobs[0].job, "w.json");
  EXPECT_EQ(value_or_throw(read_workload(folder.file("f.tsv", swim))).jobs[0].job, "job0");
  EXPECT_EQ(value_or_throw(read_workload(folder.file("t.csv", google2011))).jobs[0].user, "ann");
  EXPECT_EQ(value_or_throw(read_workload(folder.file("l.json", sls))).jobs[1].job, "job 1");
  EXPECT_EQ(value_or_throw(read_workload(folder.file("app-1", spark))).jobs[0].job, "job_0");
}

TEST(Formats, CanBeNamed) {
  const Folder folder;
  for (const Format& format : formats()) {
    const auto path = folder.file("odd.name", sample_of(format.name));
    const Parameters parameters =
        format.name == "csv" ? Parameters{{"submit", "at"}, {"duration", "long"}} : Parameters{};
    EXPECT_EQ(mistakes_in(read_workload(path, std::string(format.name), parameters)), "none");
  }
}

TEST(Formats, SayOnceThatAFileLooksLikeAnother) {
  const Folder folder;
  for (const Format& named : formats()) {
    for (const Format& other : formats()) {
      const std::string_view sample = sample_of(other.name);
      if (other.is_vague || named.looks_like(sample)) continue;
      const auto path = folder.file("odd.name", sample);
      EXPECT_EQ(mistakes_in(read_workload(path, std::string(named.name))),
                fmt::format("{}: format: expected {}, found a file that looks like {}",
                            path.string(), named.name, other.name));
    }
  }
  const auto table = folder.file("odd.name", google);
  EXPECT_TRUE(mistakes_in(read_workload(table, "csv")).starts_with(table.string() + ":1: submit"))
      << "any table is a csv";
  const auto path = folder.file("native.tr", native);
  EXPECT_EQ(mistakes_in(read_workload(path)),
            path.string() + ": format: expected tr, found a file that looks like native");
}

TEST(Formats, SuggestTheNameThatWasMeant) {
  EXPECT_EQ(mistakes_in(read_workload("w", "natve")),
            "w: format: expected a workload format, found 'natve'; did you mean 'native'?");
  EXPECT_EQ(mistakes_in(read_workload("w", "gwf-2")),
            "w: format: expected a workload format, found 'gwf-2'; known are native, tr, "
            "carbyne-dags, google-uwfq, alibaba2018, decima, swf, sacct, wta, wfformat, swim, "
            "google2011, "
            "sls, spark, csv");
}

TEST(Formats, TakeTheirParametersNamedOrDetected) {
  const Folder folder;
  const auto path = folder.file("g.csv", google);
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
  EXPECT_EQ(mistakes_in(read_workload(folder.file("w.jsonl", native), "", {{"a", 2}}, where)),
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
  EXPECT_EQ(mistakes_in(read_workload(path)),
            path.string() +
                ": format: expected a workload, found neither a known name nor known "
                "content; known are native, tr, carbyne-dags, google-uwfq, alibaba2018, decima, "
                "swf, sacct, wta, wfformat, swim, google2011, sls, spark, csv");
}

}  // namespace
}  // namespace somnus::test
