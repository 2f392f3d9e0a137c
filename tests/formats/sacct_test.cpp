#include "formats/parsed.hpp"

namespace somnus::test {
namespace {

const Registered<FormatSample> sacct_sample =
    FormatSample{"sacct", "JobID|Submit|ElapsedRaw|NCPUS\n7|2024-05-01T12:30:59|9|2\n"};

Checked<WorkloadSpec> parse_accounts(std::string rows, const Parameters& options = {}) {
  return parsed("sacct", text_file("jobs.txt", std::move(rows)), options);
}

// sacct -X is not asked for: jobs have their steps below them.
constexpr std::string_view five_jobs =
    "JobID|JobName|User|Partition|Submit|Start|End|ElapsedRaw|AllocCPUS|State|TimelimitRaw\n"
    "41|align|ann|long|2024-05-01T12:00:10|2024-05-01T12:05:00|2024-05-01T12:06:30|90|4|COMPLETED|"
    "10\n"
    "41.batch|batch|||2024-05-01T12:05:00|2024-05-01T12:05:00|2024-05-01T12:06:30|90|4|COMPLETED|\n"
    "41.0|hostname|||2024-05-01T12:05:00|2024-05-01T12:05:00|2024-05-01T12:06:30|90|4|COMPLETED|\n"
    "42_3|sweep|bob|short|2024-05-01T12:00:00|2024-05-01T12:00:00|2024-05-01T12:00:30|30|1|FAILED|"
    "UNLIMITED\n"
    "42_[4-9]|sweep|bob|short|2024-05-01T12:00:00|Unknown|Unknown|0|1|PENDING|UNLIMITED\n"
    "43|||short|2024-05-01T12:00:01|None|2024-05-01T12:00:30|0|0|CANCELLED by 1001|5\n"
    "44|||short|2024-05-01T12:00:01|2024-05-01T12:00:01|Unknown|400|1|RUNNING|5\n";

TEST(Sacct, MakesAJobOfATaskACpu) {
  const auto workload = value_or_throw(parse_accounts(std::string(five_jobs)));
  ASSERT_EQ(workload.jobs.size(), 2U);
  const JobSpec& job = workload.jobs[1];
  EXPECT_EQ(job.job, "41");
  EXPECT_EQ(job.user, "ann");
  EXPECT_EQ(job.queue, "long");
  EXPECT_EQ(job.app, "align");
  EXPECT_EQ(job.submit, 10);
  EXPECT_EQ(job.estimate, 2400);
  EXPECT_EQ(job.stages.at(0).durations, (std::vector{90.0, 90.0, 90.0, 90.0}));
  EXPECT_EQ(workload.jobs[0].job, "42_3") << "one of an array";
  EXPECT_EQ(workload.jobs[0].estimate, 0) << "unlimited";
}

TEST(Sacct, SaysInTheNameWhichJobsAreLeftOut) {
  EXPECT_EQ(value_or_throw(parse_accounts(std::string(five_jobs))).name,
            "jobs.txt (jobs that never started left out: 2; jobs that had not ended left out: 1)");
  const auto first = value_or_throw(parse_accounts(std::string(five_jobs), {{"jobs", 1}}));
  ASSERT_EQ(first.jobs.size(), 1U);
  EXPECT_EQ(first.jobs[0].job, "42_3");
  EXPECT_EQ(value_or_throw(parse_accounts(std::string(five_jobs), {{"estimates", false}}))
                .jobs[1]
                .estimate,
            0);
}

TEST(Sacct, TakesFieldsInAnyOrderAndWithABarBehind) {
  const auto workload =
      value_or_throw(parse_accounts("Elapsed|State|NCPUS|Timelimit|JobID|Submit|\n"
                                    "1-02:03:04|COMPLETED|2|2-00:00:00|7|1714564800|\r\n"
                                    "00:00:30.5|TIMEOUT|1|Partition_Limit|8|1714564805|\n"
                                    "00:00:00|CANCELLED by 3|0||9|1714564806|\n"
                                    "00:00:00|PENDING|0||10|1714564806|\n"
                                    "00:00:07|RUNNING|1||11|1714564806|\n"));
  ASSERT_EQ(workload.jobs.size(), 2U);
  EXPECT_EQ(workload.jobs[0].stages[0].durations, (std::vector{93784.0, 93784.0}));
  EXPECT_EQ(workload.jobs[0].estimate, 2 * 172800);
  EXPECT_EQ(workload.jobs[0].user, "default");
  EXPECT_EQ(workload.jobs[1].stages[0].durations, std::vector{30.5});
  EXPECT_EQ(workload.jobs[1].submit, 5);
}

TEST(Sacct, TakesTheTimeFromStartToEndWhereNothingElseSaysIt) {
  const auto workload = value_or_throw(
      parse_accounts("JobID|Submit|Start|End|NCPUS\n"
                     "7|2024-05-01T12:00:00|2024-05-01T23:59:30|2024-05-02T00:00:30|1\n"));
  EXPECT_EQ(workload.jobs[0].stages[0].durations, std::vector{60.0});
}

TEST(Sacct, ReadsWhatStandsBetweenOtherDelimiters) {
  std::string rows(five_jobs);
  std::ranges::replace(rows, '|', ',');
  const auto workload = value_or_throw(parse_accounts(rows));
  ASSERT_EQ(workload.jobs.size(), 2U) << "steps are no jobs";
  EXPECT_EQ(workload.jobs[1].stages.at(0).durations.size(), 4U);
}

TEST(Sacct, SaysThatComponentsOfOneJobAreTakenForJobs) {
  EXPECT_EQ(value_or_throw(parse_accounts("JobID|Submit|ElapsedRaw|NCPUS\n7+0|1714564800|5|1\n"
                                          "7+0.batch|1714564800|5|1\n7+1|1714564800|5|2\n"))
                .name,
            "jobs.txt (components of heterogeneous jobs, which started together, are jobs of their "
            "own: 2)");
}

TEST(Sacct, RefusesDatesWithAndWithoutZonesInOneFile) {
  EXPECT_EQ(
      mistakes_in(parse_accounts("JobID|Submit|ElapsedRaw|NCPUS\n1|2024-05-01T12:00:00+02:00|5|1\n"
                                 "2|1714557605|5|1\n3|2024-05-01T12:00:00|5|1\n",
                                 {{"skip_broken", true}})),
      "jobs.txt:4:3: Submit: expected a date with a zone, as in line 2, found "
      "'2024-05-01T12:00:00'; write all dates of a file with the same sacct");
}

constexpr std::string_view ill_jobs =
    "JobID|Submit|Elapsed|NCPUS|User\n"
    "1|yesterday|00:01|1|ann\n"
    "2|2024-02-30T12:00:00|1-00:01|0|ann\n"
    "3|2024-02-28T12:00:00|100-00:00:00|1.5|ann\n"
    "4|2024-02-28T12:00:00|12|100000001|ann\n";

TEST(Sacct, NamesEveryMistakeAtItsPlace) {
  const std::string out = "; skip_broken = true leaves the job out\n";
  const std::string cpus = "NCPUS: expected a whole number from 1 to 100000000, found ";
  const std::string date = "Submit: expected a date, as in 2024-05-01T12:30:59, found ";
  const std::string span =
      "Elapsed: expected [days-]hours:minutes:seconds of 0 to 8300000 s, found ";
  const std::string longer =
      "Elapsed: expected [days-]hours:minutes:seconds of 0 to 8300000 s (96 days: a log keeps no "
      "longer time to the nanosecond), found ";
  EXPECT_EQ(mistakes_in(parse_accounts(std::string(ill_jobs) +
                                       "|2024-02-28T12:00:00|00:00:01|1|ann\n"
                                       "5|2024-02-28T12:00:00|00:00:01|1|a|b\n"
                                       "6|2024-02-28T12:00:00|00:00:01|1|ann\n"
                                       "6|2024-02-28T12:00:00|00:00:01|1|ann\n")) +
                "\n",
            "jobs.txt:2:3: " + date + "'yesterday'" + out + "jobs.txt:3:3: " + date +
                "'2024-02-30T12:00:00'" + out + "jobs.txt:3:23: " + span + "'1-00:01'" + out +
                "jobs.txt:3:31: " + cpus + "'0'" + out + "jobs.txt:4:23: " + longer +
                "'100-00:00:00'" + out + "jobs.txt:4:36: " + cpus + "'1.5'" + out +
                "jobs.txt:5:23: " + span + "'12'" + out + "jobs.txt:5:26: " + cpus + "'100000001'" +
                out +
                "jobs.txt:6:1: JobID: expected a job's number, found ''\n"
                "jobs.txt:7: expected 5 cells, found 6; a cell may have a bar or a line end in it: "
                "sacct --delimiter='^|^' tells bars apart; skip_broken = true leaves such rows "
                "out\n"
                "jobs.txt:9:1: JobID: expected a job of its own, not that of line 8, found '6'; "
                "runs of a requeued job follow one another\n");
}

TEST(Sacct, LeavesOutRowsWithBarsAndLineEndsAndReadsTheDelimiterThatItOffers) {
  const std::string rows =
      "JobID|JobName|Submit|ElapsedRaw|NCPUS\n1|a|b|0|5|1\n2|a\nb|0|6|1\n3|a|0|7|1\n";
  EXPECT_EQ(value_or_throw(parse_accounts(rows, {{"skip_broken", true}})).name,
            "jobs.txt (rows with other numbers of cells left out: 3)");
  const auto whole = value_or_throw(
      parse_accounts("JobID^|^JobName^|^Submit^|^ElapsedRaw^|^NCPUS\n1^|^a|b^|^0^|^5^|^1\n"));
  EXPECT_EQ(whole.jobs.at(0).app, "a|b");
  EXPECT_EQ(whole.jobs.at(0).stages.at(0).durations, std::vector{5.0});
}

std::vector<std::string> names_in(const WorkloadSpec& workload) {
  std::vector<std::string> names;
  for (const JobSpec& job : workload.jobs) names.push_back(job.job);
  return names;
}

TEST(Sacct, KnowsJobsThatNeverStartedHoweverItIsWritten) {
  const auto workload =
      value_or_throw(parse_accounts("JobID|Submit|Start|End|ElapsedRaw|NCPUS|State|NodeList\n"
                                    "1|0|Unknown|Unknown|0|4|PENDING|None assigned\n"
                                    "2|0|None|7|0|4|CANCELLED by 7|None assigned\n"
                                    "3|0|7|7|0|4|CANCELLED by 7|None assigned\n"
                                    "4|0|7|7|0|4|CANCELLED|\n"
                                    "5|0|7|7|0|4|DEADLINE|\n"
                                    "6|0|7|7|0|4|FAILED|None assigned\n"
                                    "7|0|7|7|0|4|CANCELLED|n1\n"
                                    "8|0|7|7|0|4|COMPLETED|\n"
                                    "9|0|7|8|1|4|CANCELLED by 7|n1\n"));
  EXPECT_EQ(workload.name, "jobs.txt (jobs that never started left out: 6)");
  EXPECT_EQ(names_in(workload), (std::vector<std::string>{"7", "8", "9"})) << "ran, if briefly";
  EXPECT_EQ(value_or_throw(parse_accounts("JobID|Submit|Start|End|NCPUS|State\n"
                                          "1|0|7|7|4|CANCELLED\n2|0|7|9|4|CANCELLED\n"))
                .name,
            "jobs.txt (jobs that never started left out: 1)");
}

TEST(Sacct, TakesEligibleForTheSubmitAndSaysByHowMuchTheyDiffer) {
  const auto workload =
      value_or_throw(parse_accounts("JobID|Submit|Eligible|ElapsedRaw|NCPUS\n"
                                    "1_0|1714564800|1714564800|5|1\n1_1|1714564800|1714564805|5|1\n"
                                    "2|1714564803|1714564818|5|1\n3|1714564810|Unknown|5|1\n"));
  EXPECT_EQ(names_in(workload), (std::vector<std::string>{"1_0", "1_1", "3", "2"}));
  EXPECT_EQ(workload.jobs[1].submit, 5);
  EXPECT_EQ(workload.jobs[3].submit, 18);
  EXPECT_EQ(workload.name,
            "jobs.txt (jobs with Eligible as submit, on average 10 s after Submit: 2)");
}

constexpr std::string_view requeued =
    "JobID|User|Submit|Eligible|Start|End|ElapsedRaw|AllocCPUS|State\n"
    "1|ann|100|100|110|119|9|32|PREEMPTED\n"
    "2|bob|101|101|110|150|40|2|COMPLETED\n"
    "3|ann|102|102|110|120|10|4|NODE_FAIL\n"
    "4|ann|103|103|110|120|10|4|PREEMPTED\n"
    "5|ann|104|104|110|120|10|4|PREEMPTED\n"
    "1|ann|119|240|250|265|15|32|PREEMPTED\n"
    "3|ann|120|241|250|Unknown|9|4|RUNNING\n"
    "4|ann|120|241|Unknown|Unknown|0|4|PENDING\n"
    "5|ann|120|241|200|200|0|4|CANCELLED by 7\n"
    "1|ann|265|386|400|420|20|32|COMPLETED\n";

TEST(Sacct, PutsTheRunsOfRequeuedJobsTogether) {
  const auto workload = value_or_throw(parse_accounts(std::string(requeued)));
  EXPECT_EQ(names_in(workload), (std::vector<std::string>{"1", "2", "5"}));
  EXPECT_EQ(workload.jobs[0].submit, 0) << "the first";
  EXPECT_EQ(workload.jobs[0].stages.at(0).durations, std::vector(32, 20.0)) << "the last";
  EXPECT_EQ(workload.jobs[2].stages.at(0).durations, std::vector(4, 10.0));
  EXPECT_EQ(workload.name,
            "jobs.txt (jobs that had not ended left out: 2; runs of requeued jobs before their "
            "last left out, 768 CPU-s: 2)");
  EXPECT_TRUE(mistakes_in(parse_accounts("JobID|User|Submit|ElapsedRaw|NCPUS\n"
                                         "1|ann|100|5|1\n1|bob|9000|5|1\n"))
                  .starts_with("jobs.txt:3:1: JobID: expected a job of its own"))
      << "a number that was given again";
}

TEST(Sacct, KeepsTheFirstJobsWithAllTheirRuns) {
  std::string rows = "JobID|Submit|ElapsedRaw|NCPUS\n0|0|1|1\n";
  for (int job = 1; job < 30'000; ++job) rows += fmt::format("{}|{}|1|1\n", job, job);
  const auto workload = value_or_throw(parse_accounts(rows + "0|30000|7|1\n", {{"jobs", 3}}));
  EXPECT_EQ(names_in(workload), (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_EQ(workload.jobs[0].stages.at(0).durations, std::vector{7.0});
}

TEST(Sacct, GivesJobsTheLimitOfTheirPartitionWhereItIsKnown) {
  const std::string rows =
      "JobID|Partition|Submit|ElapsedRaw|NCPUS|TimelimitRaw\n"
      "1|batch|0|5|2|Partition_Limit\n2|debug|0|5|2|Partition_Limit\n3|batch|0|5|2|UNLIMITED\n"
      "4|batch|0|5|2|1\n";
  const auto workload =
      value_or_throw(parse_accounts(rows, {{"partition_limit_s", Table{{"batch", 90}}}}));
  std::vector<double> limits;
  for (const JobSpec& job : workload.jobs) limits.push_back(job.limit);
  EXPECT_EQ(limits, (std::vector<double>{90, 0, 0, 60}));
  EXPECT_EQ(workload.jobs[0].estimate, 180);
  EXPECT_EQ(workload.name,
            "jobs.txt (jobs without a limit, whose partition's is not in partition_limit_s: 1)");
}

TEST(Sacct, LeavesOutBrokenJobsOnRequestAndSaysHowMany) {
  const std::string whole = "6|2024-02-28T12:00:00|00:00:01|1|ann\n";
  EXPECT_EQ(
      value_or_throw(parse_accounts(std::string(ill_jobs) + whole, {{"skip_broken", true}})).name,
      "jobs.txt (broken jobs left out: 4)");
  EXPECT_EQ(mistakes_in(parse_accounts(std::string(ill_jobs), {{"skip_broken", true}})),
            "jobs.txt: expected at least one job that ran to its end, found none");
}

TEST(Sacct, NamesMissingFieldsAndOtherOutput) {
  EXPECT_EQ(mistakes_in(parse_accounts("JobId|Start|State\n")),
            "jobs.txt:1: JobID: expected this column, found none; did you mean 'JobId'?\n"
            "jobs.txt:1: Submit: expected this column, found none; known are JobId, Start, State\n"
            "jobs.txt:1: ElapsedRaw: expected this column, or Elapsed, or Start and End, found "
            "none\n"
            "jobs.txt:1: AllocCPUS: expected this column or NCPUS, found none");
  EXPECT_EQ(mistakes_in(parse_accounts("JobID           JobName  Partition\n------------ ----\n")),
            "jobs.txt:1: expected the names of fields with bars between, found none; sacct "
            "--parsable2 writes them so");
  EXPECT_EQ(mistakes_in(parse_accounts("\n")),
            "jobs.txt: expected a workload, found an empty file");
  EXPECT_EQ(mistakes_in(parse_accounts("JobID|Submit|Elapsed|NCPUS\n")),
            "jobs.txt: expected at least one job that ran to its end, found none");
}

TEST(Sacct, SaysThatATimeIsTooLong) {
  EXPECT_EQ(
      mistakes_in(parse_accounts("JobID|Submit|ElapsedRaw|NCPUS\n"
                                 "1|2024-01-01T00:00:00|5|1\n2|2064-01-01T00:00:00|5|1\n")),
      "jobs.txt:3:3: submit: expected 0 to 1000000000 s, found 1262304000 after the first job's; "
      "sacct -S and -E ask for a part of the time");
}

TEST(Sacct, IsDetectedFromItsFirstLine) {
  EXPECT_TRUE(looks_like("sacct", five_jobs));
  EXPECT_TRUE(looks_like("sacct", "Submit|JobID|\r\n"));
  EXPECT_FALSE(looks_like("sacct", "JobID Submit\n"));
  EXPECT_FALSE(looks_like("sacct", "JobID,Submit\n")) << "anybody's table";
  EXPECT_TRUE(looks_like("sacct", "JobID,Submit,Start,End,NCPUS\n"));
  EXPECT_TRUE(looks_like("sacct", "JobID;Submit;ElapsedRaw;AllocCPUS\n"));
  EXPECT_FALSE(looks_like("sacct", ""));
}

}  // namespace
}  // namespace somnus::test
