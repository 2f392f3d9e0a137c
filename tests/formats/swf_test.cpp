#include <set>

#include "formats/parsed.hpp"

namespace somnus::test {
namespace {

const Registered<FormatSample> swf_sample =
    FormatSample{"swf", "; MaxProcs: 4\n1 0 0 9 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"};

Checked<WorkloadSpec> parse_swf_lines(std::string lines, const Parameters& options = {}) {
  return parsed("swf", text_file("log.swf", std::move(lines)), options);
}

// Job, submit, wait, run, processors, -, -, requested, its time, -, status, user, group, app,
// queue.
constexpr std::string_view three_jobs =
    "; Version: 2.2\n"
    ";   MaxProcs: 64\n"
    ";MaxNodes: 32\n"
    "; Note: lines of free text\n"
    "\n"
    "    7  130   5   60    2  58.5  -1   4   300   -1 1  3  1  9  2 -1 -1 -1\n"
    "    8  120   0   30   -1    -1  -1   3    -1   -1 0 -1 -1 -1 -1 -1  7  5\r\n"
    "    9  125  10  0.5    1    -1  -1  -1   100   -1 5  3  1  9  0 -1 -1 -1\n";

TEST(Swf, MakesAJobOfATaskAProcessor) {
  const auto workload = value_or_throw(parse_swf_lines(std::string(three_jobs)));
  ASSERT_EQ(workload.jobs.size(), 3U);
  const JobSpec& job = workload.jobs[2];
  EXPECT_EQ(job.job, "7");
  EXPECT_EQ(job.user, "user_3");
  EXPECT_EQ(job.queue, "queue_2");
  EXPECT_EQ(job.app, "app_9");
  ASSERT_EQ(job.stages.size(), 1U);
  EXPECT_EQ(job.stages[0].durations, (std::vector{60.0, 60.0})) << "allocated, not requested";
  EXPECT_TRUE(workload.resources.empty());
}

TEST(Swf, PutsJobsInOrderOfSubmitFromTheFirstOn) {
  const auto workload = value_or_throw(parse_swf_lines(std::string(three_jobs)));
  EXPECT_EQ(workload.jobs[0].job, "8");
  EXPECT_EQ(workload.jobs[0].submit, 0);
  EXPECT_EQ(workload.jobs[1].submit, 5);
  EXPECT_EQ(workload.jobs[2].submit, 10);
}

TEST(Swf, KnowsWhatMinusOneMeans) {
  const auto workload = value_or_throw(parse_swf_lines(std::string(three_jobs)));
  const JobSpec& job = workload.jobs[0];
  EXPECT_EQ(job.stages[0].durations.size(), 3U) << "as requested";
  EXPECT_EQ(job.user, "default");
  EXPECT_EQ(job.queue, "default");
  EXPECT_EQ(job.app, "");
  EXPECT_EQ(job.estimate, 0);
}

TEST(Swf, EstimatesAJobFromWhatItRequested) {
  const auto workload = value_or_throw(parse_swf_lines(std::string(three_jobs)));
  EXPECT_EQ(workload.jobs[1].estimate, 100);
  EXPECT_EQ(workload.jobs[2].estimate, 600) << "300 s on the 2 processors that it got";
  for (const JobSpec& job :
       value_or_throw(parse_swf_lines(std::string(three_jobs), {{"estimates", false}})).jobs) {
    EXPECT_EQ(job.estimate, 0);
  }
}

TEST(Swf, SaysInTheNameHowLargeTheMachineWas) {
  EXPECT_EQ(value_or_throw(parse_swf_lines(std::string(three_jobs))).name,
            "log.swf (64 processors)");
  EXPECT_EQ(value_or_throw(parse_swf_lines("1 0 0 1 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n")).name,
            "log.swf");
}

TEST(Swf, KnowsCancelledJobsWithoutARunTimeForJobsThatNeverRan) {
  const std::string lines =
      "1 0 9 5 2 -1 -1 2 60 -1 5 1 1 1 1 1 -1 -1\n"
      "2 1 9 0 2 -1 -1 2 60 -1 1 1 1 1 1 1 -1 -1\n"
      "3 2 9 0 -1 -1 -1 12 60 -1 5 1 1 1 1 1 -1 -1\n";
  EXPECT_EQ(mistakes_in(parse_swf_lines(lines)),
            "log.swf:3:7: run_time: expected more than 0 s, as the job was cancelled, found '0'; "
            "skip_broken = true leaves the job out");
  const auto workload = value_or_throw(parse_swf_lines(lines, {{"skip_broken", true}}));
  EXPECT_EQ(workload.jobs.size(), 2U) << "cancelled while it ran, and shorter than a second";
  EXPECT_EQ(workload.name, "log.swf (broken jobs left out: 1)");
}

TEST(Swf, TakesPartsOfARunForNoJobs) {
  const auto workload =
      value_or_throw(parse_swf_lines("1 0 0 9 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"
                                     "1 0 0 5 1 -1 -1 1 -1 -1 2 1 1 1 1 1 -1 -1\n"
                                     "1 0 3 4 1 -1 -1 1 -1 -1 3 1 1 1 1 1 -1 -1\n"));
  ASSERT_EQ(workload.jobs.size(), 1U);
  EXPECT_EQ(workload.jobs[0].stages[0].durations, std::vector{9.0});
}

std::string names_kept(const Parameters& options) {
  std::string all;
  for (const JobSpec& job :
       value_or_throw(parse_swf_lines(std::string(three_jobs), options)).jobs) {
    all += job.job;
  }
  return all;
}

TEST(Swf, KeepsTheJobsThatAreAskedFor) {
  EXPECT_EQ(names_kept({{"jobs", 2}}), "89");
  EXPECT_EQ(names_kept({{"jobs", 9}}), "897");
  EXPECT_EQ(names_kept({{"from_day", 125.0 / 86400}}), "97");
  EXPECT_EQ(names_kept({{"until_day", 125.0 / 86400}}), "8");
  EXPECT_EQ(names_kept({{"from_day", 0.0014}, {"until_day", 1}, {"jobs", 1}}), "9");
  EXPECT_EQ(mistakes_in(parse_swf_lines(std::string(three_jobs), {{"from_day", 1}})),
            "log.swf: expected at least one job from from_day to until_day, found none");
}

constexpr std::string_view ill_lines =
    "1 0 0 9 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"
    "2 5 0 -1 1 -1 -1 1 -1 -1 5 1 1 1 1 1 -1 -1\n"
    "3 5 0 8 -1 -1 -1 -1 -1 -1 5 1 1 1 1 1 -1 -1\n"
    "4 5 0 8 0 -1 -1 4 -1 -1 5 1 1 1 1 1 -1 -1\n"
    "5 5 0 1e9 100000001 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1\n";

TEST(Swf, NamesEveryMistakeAtItsPlace) {
  const std::string out = "; skip_broken = true leaves the job out\n";
  EXPECT_EQ(mistakes_in(parse_swf_lines(std::string(ill_lines) +
                                        "6 -1 0 8 1 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1\n"
                                        "7 1 x 8 1.5 -1 -1 4 -1 -1 1 y 1 1 1 1 -1 -1\n"
                                        "8 1 0 8 1.5 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1\n"
                                        "9 1 0 8 1 -1 -1 4\n"
                                        "9 1 0 8 1 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1 0\n"
                                        "1 0 0 9 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n")) +
                "\n",
            "log.swf:2:7: run_time: expected 0 to 8300000 s, found '-1'" + out +
                "log.swf:3:18: requested_processors: expected a whole number from 1 to 100000000, "
                "found '-1'" +
                out +
                "log.swf:4:9: processors: expected a whole number from 1 to 100000000, found '0'" +
                out +
                "log.swf:5:7: run_time: expected 0 to 8300000 s (96 days: a log keeps no longer "
                "time to the nanosecond), found '1e9'" +
                out +
                "log.swf:5:11: processors: expected a whole number from 1 to 100000000, found "
                "'100000001'" +
                out + "log.swf:6:3: submit: expected 0 s or more, found '-1'" + out +
                "log.swf:7:5: wait: expected a number, found 'x'\n"
                "log.swf:7:29: user: expected a number, found 'y'\n"
                "log.swf:8:9: processors: expected a whole number from 1 to 100000000, found "
                "'1.5'" +
                out +
                "log.swf:9: expected 18 columns, found 8\n"
                "log.swf:10: expected 18 columns, found 19\n"
                "log.swf:11:1: job: expected a job of its own, not that of line 1, found '1'\n");
}

TEST(Swf, LeavesOutBrokenJobsOnRequestAndSaysHowMany) {
  const auto workload =
      value_or_throw(parse_swf_lines(std::string(ill_lines), {{"skip_broken", true}}));
  ASSERT_EQ(workload.jobs.size(), 1U);
  EXPECT_EQ(workload.name, "log.swf (broken jobs left out: 4)");
  EXPECT_EQ(mistakes_in(parse_swf_lines("2 5 0 -1 1 -1 -1 1 -1 -1 5 1 1 1 1 1 -1 -1\n",
                                        {{"skip_broken", true}})),
            "log.swf: expected at least one whole job, found broken ones only");
}

TEST(Swf, NamesFilesWithoutJobs) {
  EXPECT_EQ(mistakes_in(parse_swf_lines(" \n\n")),
            "log.swf: expected a workload, found an empty file");
  EXPECT_EQ(mistakes_in(parse_swf_lines("; MaxProcs: 5\n")),
            "log.swf: expected at least one job, found none");
}

TEST(Swf, SaysOnceThatALogIsTooLong) {
  std::string lines = "1 0 0 9 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n";
  for (int job = 2; job < 90; ++job) {
    lines += fmt::format("{} {} 0 9 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n", job, job * 500'000'000LL);
  }
  EXPECT_EQ(
      mistakes_in(parse_swf_lines(lines)),
      "log.swf:3:3: submit: expected 0 to 1000000000 s, found 1500000000 after the first job's, "
      "and so with 86 more; from_day and until_day, or jobs, of format swf keep a part of the "
      "log");
  EXPECT_EQ(value_or_throw(parse_swf_lines(lines, {{"from_day", 80'000}, {"until_day", 92'000}}))
                .jobs.size(),
            2U);
}

TEST(Swf, CountsTasksBeforeItMakesRoomForThem) {
  std::string lines;
  for (int job = 1; job < 1000; ++job) {
    lines += fmt::format("{} 0 0 9 99999999 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n", job);
  }
  EXPECT_EQ(mistakes_in(parse_swf_lines(lines)),
            "log.swf: expected at most 100000000 tasks in a workload, found 99899999001");
}

TEST(Swf, IsDetectedFromItsCommentsOrColumns) {
  EXPECT_TRUE(looks_like("swf", three_jobs));
  EXPECT_TRUE(looks_like("swf", "\n 1 0 0 9 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\r\n"));
  EXPECT_TRUE(looks_like("swf", "; Version: 2.2"));
  EXPECT_FALSE(looks_like("swf", "0 15 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n")) << "a line of .tr";
  EXPECT_FALSE(looks_like("swf", "; a comment\nand more\n"));
  EXPECT_FALSE(looks_like("swf", ""));
}

// As an awk script over the file counts them.
TEST(Swf, ReadsTheRealLog) {
  SOMNUS_TRACE_OR_SKIP(path, "swf/NASA-iPSC-1993-3.1-cln.swf.gz");
  const auto workload = value_or_throw(read_workload(path));
  EXPECT_EQ(workload.jobs.size(), 18'239U);
  EXPECT_EQ(totals_of(workload).tasks, 309'953U);
  EXPECT_EQ(totals_of(workload).slot_s, 474'238'015.0);
  std::set<std::string> users;
  for (const JobSpec& job : workload.jobs) users.insert(job.user);
  EXPECT_EQ(users.size(), 69U);
  EXPECT_EQ(workload.jobs.back().submit, 7'948'936.0);
}

}  // namespace
}  // namespace somnus::test
