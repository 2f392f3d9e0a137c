#include "metrics/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/small_log.hpp"
#include "model/event.hpp"

namespace somnus {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string full_text(std::span<const Summary> summaries) { return to_text(summaries, Rows::all); }

/// A run of n one-task jobs; job k of 1..n takes k seconds, all at once on n nodes.
Log staircase(std::uint32_t jobs) {
  Log log;
  log.header = {.mode = "run", .config = small_config("fifo"), .speed = 100, .complete = true};
  for (std::uint32_t at = 0; at < jobs; ++at) {
    const double length = at + 1;
    log.tables.jobs.push_back({.job = at,
                               .tasks = 1,
                               .stages = 1,
                               .state = static_cast<std::uint8_t>(JobState::finished),
                               .submit = 0,
                               .finish = length,
                               .slot_time = length,
                               .alone = 1,
                               .gps_finish = length});
    log.tables.stages.push_back({.job = at, .tasks = 1});
    log.tables.nodes.push_back({.node = at, .slots = 1});
    log.tasks.push_back(
        row_of({.job = at, .stage = at, .index = 0, .node = at, .start = 0, .finish = length}));
  }
  return log;
}

TEST(Summary, CountsJobsAndTasks) {
  Log log = small_log();
  log.tables.jobs[1].state = static_cast<std::uint8_t>(JobState::active);
  log.tables.jobs[1].finish = nan_time;
  log.tasks.pop_back();
  log.tables.jobs.push_back({.job = 2, .tasks = 9, .submit = 100});  // not yet submitted
  const Summary summary = summarise(log, "a");
  EXPECT_EQ(summary.jobs_submitted, 2);
  EXPECT_EQ(summary.jobs_finished, 1);
  EXPECT_EQ(summary.jobs_unfinished, 1);
  EXPECT_EQ(summary.tasks_submitted, 5);
  EXPECT_EQ(summary.tasks_finished, 4);
  EXPECT_EQ(summary.tasks_unfinished, 1);
  EXPECT_TRUE(summary.conserved());
}

TEST(Summary, TellsThatAFinishedJobLacksATask) {
  Log log = small_log();
  log.tasks.pop_back();
  const Summary summary = summarise(log, "a.h5");
  EXPECT_FALSE(summary.conserved());
  EXPECT_THAT(full_text({&summary, 1}), HasSubstr("MISMATCH: a.h5"));
}

TEST(Summary, ComputesTheFiguresOfASmallLogByHand) {
  const Summary summary = summarise(small_log(), "a");
  EXPECT_DOUBLE_EQ(summary.response_mean_s, 4.5);  // 4 and 5
  EXPECT_DOUBLE_EQ(summary.response_p50_s, 4);
  EXPECT_DOUBLE_EQ(summary.response_p95_s, 5);
  EXPECT_DOUBLE_EQ(summary.slowdown_mean, (1 + 1.25) / 2);
  EXPECT_DOUBLE_EQ(summary.progress_mean, (1 + 0.8) / 2);
  EXPECT_DOUBLE_EQ(summary.makespan_s, 6);
  EXPECT_DOUBLE_EQ(summary.utilisation, 11.0 / 12);
  EXPECT_DOUBLE_EQ(summary.lateness_max_s, 0);
  EXPECT_DOUBLE_EQ(summary.placement_p99_s, 0);
  EXPECT_DOUBLE_EQ(summary.intended_p50_s, 2);
  EXPECT_TRUE(std::isnan(summary.warm_share)) << "there is no JVM model";
  EXPECT_TRUE(std::isnan(summary.lag_p99_s)) << "simulate has no lag";
  EXPECT_EQ(summary.scheduler, "fifo");
  EXPECT_EQ(summary.seed, 7U);
}

TEST(Summary, CallsTheSchedulerAsTheLogDoes) {
  Log log = small_log();
  log.header.label = "yaq-c+order=cfq";
  EXPECT_EQ(summarise(log, "a").scheduler, "yaq-c+order=cfq");
}

TEST(Summary, TakesCompletionFromTheFirstStartNotFromTheSubmit) {
  const Summary summary = summarise(small_log(), "a");
  EXPECT_DOUBLE_EQ(summary.jct_mean_s, 4);  // job 0: 0 s to 4 s, job 1: 2 s to 6 s
  EXPECT_DOUBLE_EQ(summary.jct_p50_s, 4);
  Log log = staircase(20);
  for (JobRow& job : log.tables.jobs) job.first_start = 0.5;
  EXPECT_DOUBLE_EQ(summarise(log, "a").jct_p95_s, 18.5);
}

TEST(Summary, CountsJobsAMinuteOfTheMakespan) {
  EXPECT_DOUBLE_EQ(summarise(small_log(), "a").jobs_per_minute, 20);  // 2 in 6 s
}

TEST(Summary, LeavesStartAndTailOutOfTheMiddle) {
  // 8 to 72 s of an 80 s makespan, on 2 slots: 4 s, 54 s, and 8 s behind it.
  Log log = staircase(2);
  log.tables.jobs[0].submit = 0;
  log.tasks = {row_of({0, 0, 0, 0, 0, 4, 12}), row_of({1, 1, 0, 1, 0, 10, 64}),
               row_of({1, 1, 0, 0, 0, 70, 80})};
  const Summary summary = summarise(log, "a");
  EXPECT_DOUBLE_EQ(summary.utilisation, 72.0 / 160);
  EXPECT_DOUBLE_EQ(summary.utilisation_middle, 60.0 / 128);
}

TEST(Summary, MeasuresWaitsInQueuesOfAttemptsThatStarted) {
  Log log = small_log();
  log.tasks[2].queued = 1;  // starts at 2 s
  log.tasks[4].queued = 2;  // starts at 5 s
  TaskRow returned = log.tasks[4];
  returned.attempt = 1;
  returned.outcome = static_cast<std::uint8_t>(Outcome::returned);
  returned.queued = 0;
  returned.start = returned.finish = nan_time;
  log.tasks.push_back(returned);
  TaskRow never_started = log.tasks[3];
  never_started.outcome = static_cast<std::uint8_t>(Outcome::lost);
  never_started.queued = never_started.start = never_started.finish;
  log.tasks.push_back(never_started);
  const Summary summary = summarise(log, "a");  // of 0, 0, 0, 1, 3
  EXPECT_DOUBLE_EQ(summary.queuing_mean_s, 0.8);
  EXPECT_DOUBLE_EQ(summary.queuing_deviation_s, std::sqrt(1.36));
  EXPECT_DOUBLE_EQ(summary.queuing_p50_s, 0);
  EXPECT_DOUBLE_EQ(summary.queuing_p95_s, 3);
  EXPECT_EQ(summary.attempts_returned, 1);
  const std::string text = full_text({&summary, 1});
  EXPECT_THAT(text, testing::ContainsRegex("wait in a node's queue, mean \\[ms\\] +800.00\n"));
  EXPECT_THAT(text, testing::ContainsRegex("attempts returned by rebalancing +1\n"));
}

TEST(Summary, LeavesOutWhatNeverHappened) {
  const Summary summary = summarise(small_log(), "a");
  EXPECT_TRUE(std::isnan(summary.queuing_mean_s));
  const std::string text = full_text({&summary, 1});
  for (const char* const never : {"wait in a node's queue", "attempts", "jobs of 11-50 tasks"}) {
    EXPECT_THAT(text, Not(HasSubstr(never)));
  }
  EXPECT_THAT(text, testing::ContainsRegex("jobs of 1-10 tasks, finished +2\n"));
  EXPECT_EQ(to_json({&summary, 1})[0]["attempts_returned"], 0) << "JSON has it all the same";
}

TEST(Summary, TakesQuantilesByNearestRank) {
  const Summary summary = summarise(staircase(20), "a");
  EXPECT_DOUBLE_EQ(summary.response_p50_s, 10);
  EXPECT_DOUBLE_EQ(summary.response_p95_s, 19);
  EXPECT_DOUBLE_EQ(summary.response_p99_s, 20);
  EXPECT_DOUBLE_EQ(summarise(staircase(1), "a").response_p50_s, 1);
}

TEST(Summary, TakesTheWorstTenthOfResponseTimesAndOfSlowdownsEach) {
  Log log = staircase(20);
  for (JobRow& job : log.tables.jobs) job.alone = job.finish;  // a slowdown of 1
  log.tables.jobs[0].alone = 0.25;
  log.tables.jobs[1].alone = 0;  // has no slowdown, so 19 are left
  const Summary summary = summarise(log, "a");
  EXPECT_DOUBLE_EQ(summary.response_worst_tenth_s, 19.5);
  EXPECT_DOUBLE_EQ(summary.slowdown_worst_tenth, 4);
  EXPECT_TRUE(std::isnan(summarise(staircase(9), "a").response_worst_tenth_s));
}

TEST(Summary, GroupsFinishedJobsByResponseTime) {
  Log log = staircase(20);
  log.tables.jobs.push_back({.job = 20, .submit = 0});  // never ends
  const Summary summary = summarise(log, "a");
  EXPECT_DOUBLE_EQ(summary.response_0_80_mean_s, 8.5);
  EXPECT_DOUBLE_EQ(summary.response_80_95_mean_s, 18);
  EXPECT_DOUBLE_EQ(summary.response_95_100_mean_s, 20);
}

TEST(Summary, CountsUsersAndTellsOfMoreThanOne) {
  Log log = small_log();
  EXPECT_EQ(summarise(log, "a").user_count, 2);
  EXPECT_THAT(full_text(std::vector{summarise(log, "a")}), testing::ContainsRegex("\nusers +2\n"));
  log.tables.jobs[1].state = static_cast<std::uint8_t>(JobState::pending);
  EXPECT_EQ(summarise(log, "a").user_count, 1);
  EXPECT_THAT(full_text(std::vector{summarise(log, "a")}), Not(HasSubstr("\nusers ")));
}

TEST(Summary, BinsJobsByWidth) {
  Log log = staircase(4);
  log.tables.jobs[0].tasks = 10;
  log.tables.jobs[1].tasks = 11;
  log.tables.jobs[2].tasks = 50;
  log.tables.jobs[3].tasks = 51;
  const Summary summary = summarise(log, "a");
  EXPECT_EQ(summary.narrow_jobs, 1);
  EXPECT_EQ(summary.medium_jobs, 2);
  EXPECT_EQ(summary.wide_jobs, 1);
  EXPECT_DOUBLE_EQ(summary.narrow_response_mean_s, 1);
  EXPECT_DOUBLE_EQ(summary.medium_response_mean_s, 2.5);
  EXPECT_DOUBLE_EQ(summary.wide_slowdown_mean, 4);
}

TEST(Summary, CountsLostAndWarmAttempts) {
  Log log = small_log();
  log.header.config = small_config("fifo", "[jvm]\nmodel = \"reuse\"\nfactor = 2\n");
  log.tasks[4].warm = 1;
  log.tasks[0].outcome = static_cast<std::uint8_t>(Outcome::failed);
  log.tasks[1].outcome = static_cast<std::uint8_t>(Outcome::lost);
  const Summary summary = summarise(log, "a");
  EXPECT_EQ(summary.attempts_failed, 1);
  EXPECT_EQ(summary.attempts_lost, 1);
  EXPECT_DOUBLE_EQ(summary.warm_share, 0.2);
  for (const char* model : {"executor", "measured"}) {
    log.header.config = small_config("fifo", fmt::format("[jvm]\nmodel = \"{}\"\n", model));
    EXPECT_DOUBLE_EQ(summarise(log, "a").warm_share, 0.2) << model;
  }
}

TEST(Summary, MeasuresTheEmulationOfARun) {
  Log log = staircase(4);
  for (TaskRow& row : log.tasks) row.start += 0.25;
  for (TaskRow& row : log.tasks) row.finish += 0.25 + 0.125 * row.job;
  log.tables.scheduler.lag_p50 = 0.001;
  log.tables.scheduler.lag_max = 0.003;
  log.tables.scheduler.decision_p99 = 2e-6;
  log.tables.ranks = {{}, {.clock_uncertainty = 3e-6}, {.clock_uncertainty = 2e-6}};
  const Summary summary = summarise(log, "a");
  EXPECT_DOUBLE_EQ(summary.placement_p50_s, 0.25);
  EXPECT_DOUBLE_EQ(summary.lateness_p50_s, 0.125);
  EXPECT_DOUBLE_EQ(summary.lateness_max_s, 0.375);
  EXPECT_DOUBLE_EQ(summary.lag_max_s, 0.003);
  EXPECT_DOUBLE_EQ(summary.decision_p99_s, 2e-6);
  EXPECT_DOUBLE_EQ(summary.clock_uncertainty_s, 3e-6);
}

TEST(Summary, SaysLoudlyThatARunOutranItsMachineAndNamesASafeSpeed) {
  Log log = staircase(4);  // the median task takes 2 s, so 20 ms are allowed
  log.tables.scheduler.lag_p99 = 0.02;
  EXPECT_FALSE(summarise(log, "a").outran());
  log.tables.scheduler.lag_p99 = 0.03;
  const Summary summary = summarise(log, "a.h5");
  ASSERT_TRUE(summary.outran());
  EXPECT_DOUBLE_EQ(summary.safe_speed, 66);  // 66.67, rounded down
  EXPECT_THAT(
      full_text({&summary, 1}),
      HasSubstr("WARNING: a.h5 OUTRAN ITS MACHINE: rank 0 was 30 ms late (p99), more than 1 % of\n"
                "         the median task of 2 s. At speed 100 its times may mislead: `somnus\n"
                "         compare` shows by how much. Speed 66 would have kept that under 1 %;\n"
                "         `somnus calibrate` says at which speed no result moves.\n"));
}

TEST(Summary, SaysWhichRankWasTooLateIfAWorkerWas) {
  Log log = staircase(4);
  log.tables.scheduler.lag_p99 = 0.03;
  log.tables.ranks = {{.late_p99 = 0.03},
                      {.rank = 1, .late_p99 = 0.01, .late_max = 2},
                      {.rank = 2, .late_p99 = 0.5, .late_max = 1}};
  const Summary summary = summarise(log, "a.h5");
  ASSERT_TRUE(summary.outran());
  EXPECT_DOUBLE_EQ(summary.safe_speed, 4);
  EXPECT_DOUBLE_EQ(summary.latest_rank, 2);
  EXPECT_DOUBLE_EQ(summary.worker_late_p99_s, 0.5);
  EXPECT_DOUBLE_EQ(summary.worker_late_max_s, 2);
  EXPECT_THAT(full_text({&summary, 1}), HasSubstr("rank 2 was 500 ms late (p99)"));
}

TEST(Summary, NamesTheRankThatStalledAndWhenAndNoSafeSpeed) {
  Log log = staircase(4);
  log.tables.ranks = {
      {}, {.rank = 1, .late_p99 = 15}, {.rank = 2, .late_p99 = 15, .silent_max = 14.9}};
  for (NodeRow& node : log.tables.nodes) node.rank = 2;
  TaskRow& held_up = log.tasks[1];
  held_up.finish = held_up.start + held_up.intended + 15;
  const Summary summary = summarise(log, "a.h5");
  EXPECT_EQ(summary.pace(), Pace::stalled);
  EXPECT_DOUBLE_EQ(summary.silent_at_s, held_up.start + held_up.intended);
  EXPECT_FALSE(summary.outran()) << "a lower speed is no remedy";
  EXPECT_THAT(full_text({&summary, 1}),
              HasSubstr("A RANK WAS SILENT: nothing was heard of rank 2"));
  for (NodeRow& node : log.tables.nodes) node.rank = 1;
  EXPECT_TRUE(std::isnan(summarise(log, "a.h5").silent_at_s)) << "none of its tasks was late";
}

TEST(Summary, SaysWhereARunWasResumed) {
  Log log = staircase(4);
  log.tables.resumes = {{.time = 4.25}, {.time = 6}};
  const Summary summary = summarise(log, "a.h5");
  EXPECT_EQ(summary.pace(), Pace::resumed);
  EXPECT_THAT(full_text({&summary, 1}),
              HasSubstr("a.h5 IS NOT COMPARABLE WITH A SIMULATION: resumed at 4.25 s"));
}

TEST(Summary, PutsLogsSideBySideWithOneUnitARow) {
  std::vector<Summary> two = {summarise(small_log(), "small.h5"), summarise(staircase(4), "s.h5")};
  two[0].lag_p50_s = 0.0000125;
  two[1].lag_p50_s = 0.025;
  two[1].jobs_submitted = 1234567;
  const std::string text = full_text(two);
  EXPECT_THAT(text, testing::ContainsRegex("\n +small.h5 +s.h5\n|^ +small.h5 +s.h5\n"));
  EXPECT_THAT(text, testing::ContainsRegex("mode +simulate +run\n"));
  EXPECT_THAT(text, testing::ContainsRegex("jobs submitted +2 +1,234,567\n"));
  EXPECT_THAT(text, testing::ContainsRegex("lag of rank 0, median \\[ms\\] +0.013 +25.000\n"));
  EXPECT_THAT(text, testing::ContainsRegex("response time, mean \\[s\\] +4.500 +2.500\n"));
  EXPECT_THAT(text, Not(HasSubstr("warm slot"))) << "no log has it";
}

TEST(Summary, ShowsAtFirstOnlyTheFiguresThatAreHeadlines) {
  const Summary simulated = summarise(small_log(), "");
  const std::string text = to_text({&simulated, 1}, Rows::headlines);
  for (const char* const shown :
       {"jobs submitted", "response time, mean", "  p99", "slowdown against alone, mean",
        "  of jobs of 1-10 tasks", "makespan", "cluster in use"}) {
    EXPECT_THAT(text, HasSubstr(shown));
  }
  for (const char* const left_out :
       {"tasks submitted", "complete", "failed", "lateness", "lag", "worst", "progress"}) {
    EXPECT_THAT(text, Not(HasSubstr(left_out)));
  }
  EXPECT_LE(std::ranges::count(text, '\n'), 17);
}

TEST(Summary, ShowsWhatARunMeasuredOfItselfAndWhatWentWrong) {
  Log log = staircase(4);
  log.header.complete = false;
  log.tasks[0].outcome = static_cast<std::uint8_t>(Outcome::lost);
  log.tasks[1].finish += 0.01;
  log.tables.scheduler.lag_p99 = 0.001;
  const Summary ran = summarise(log, "");
  const std::string text = to_text({&ran, 1}, Rows::headlines);
  EXPECT_THAT(text, testing::ContainsRegex("complete +no\n"));
  EXPECT_THAT(text, testing::ContainsRegex("attempts lost with their node +1\n"));
  EXPECT_THAT(text, HasSubstr("task lateness, p99"));
  EXPECT_THAT(text, HasSubstr("lag of rank 0, median"));
}

TEST(Summary, PutsColumnsThatDoNotFitBelowTheOthers) {
  std::vector<Summary> many(9, summarise(small_log(), ""));
  for (std::size_t at = 0; at < many.size(); ++at)
    many[at].label = fmt::format("a-long-name:{}", at);
  const std::string text = to_text(many, Rows::all, 80);
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = text.find('\n', at);
    EXPECT_LE(end - at, 80U) << text.substr(at, end - at);
  }
  for (const Summary& one : many) EXPECT_THAT(text, HasSubstr(one.label));
}

TEST(Summary, WritesDurationsInAUnitThatFits) {
  Summary one = summarise(small_log(), "");
  const auto makespan = [&](double seconds) {
    one.makespan_s = seconds;
    const std::string text = full_text({&one, 1});
    const auto unit = text.find('[', text.find("makespan"));
    const std::string line = text.substr(unit, text.find('\n', unit) - unit);
    return line.substr(0, line.find(' ')) + line.substr(line.rfind(' '));
  };
  EXPECT_EQ(makespan(2e-5), "[us] 20.000");
  EXPECT_EQ(makespan(0.25), "[ms] 250.00");
  EXPECT_EQ(makespan(80000), "[s] 80000.0");
  EXPECT_EQ(makespan(100 * 3600), "[h] 100.00");
  EXPECT_EQ(makespan(200 * 86400), "[d] 200.00");
}

TEST(Summary, GivesMachinesEveryFigure) {
  const Summary summary = summarise(small_log(), "small.h5");
  const auto json = to_json({&summary, 1});
  ASSERT_EQ(json.size(), 1U);
  EXPECT_EQ(json[0]["label"], "small.h5");
  EXPECT_EQ(json[0]["jobs_finished"], 2);
  EXPECT_TRUE(json[0]["jobs_finished"].is_number_integer());
  EXPECT_EQ(json[0]["makespan_s"], 6.0);
  EXPECT_EQ(json[0]["conserved"], true);
  EXPECT_NE(json.dump().find("\"warm_share\":null"), std::string::npos);
}

}  // namespace
}  // namespace somnus
