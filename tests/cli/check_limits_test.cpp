// What `check` finds where jobs have time limits.
#include <gtest/gtest.h>

#include <limits>

#include "cli/invariants.hpp"
#include "model/event.hpp"

namespace somnus {
namespace {

constexpr const char* limits_kept =
    "who runs for longer than its limit and the grace is killed, nobody else";

/// The small log, of which job 0, which takes 4 s, has that limit.
Log small_log_with_limit(double limit_s) {
  Log log = small_log();
  log.tables.limits = {{.job = 0, .limit = limit_s}};
  return log;
}

/// The same of a run, whose scheduler heard that the job's last task ended at `heard`.
Log small_run_with_limit(double limit_s, double heard) {
  Log log = small_log_with_limit(limit_s);
  log.header.mode = "run";
  log.events.get<Stamped<TaskEnded>>() = {
      {{2.1, 0, 1}, {.task = TaskId(1U), .node = NodeId(1U)}},
      {{heard, 1, 2}, {.task = TaskId(0U), .node = NodeId(0U)}}};
  return log;
}

/// The job is killed at that time.
void kill_at(double time, Log& log) {
  log.tables.jobs[0].state = static_cast<std::uint8_t>(JobState::timed_out);
  log.tables.jobs[0].finish = std::numeric_limits<double>::quiet_NaN();
  log.decisions.get<Stamped<TimeOut>>() = {{{time, 5, 2}, {.job = JobId(0U)}}};
}

TEST(CheckLimits, AsksNothingWhereNoJobHasOne) {
  EXPECT_FALSE(was_asked(small_log(), limits_kept));
}

TEST(CheckLimits, OfASimulationAreKeptToTheNanosecond) {
  EXPECT_EQ(finding(small_log_with_limit(4), limits_kept).first, "");
  EXPECT_EQ(finding(small_log_with_limit(3.999999999), limits_kept).first,
            "/jobs row 0: ends at 4 s, it had time until 3.999999999 s");
}

TEST(CheckLimits, OfARunAreKeptWhenTheSchedulerLooks) {
  Log log = small_run_with_limit(3, 4.5);  // nothing made it look from 3 to 4.5 s
  EXPECT_EQ(finding(log, limits_kept).first, "");
  log.events.get<Stamped<Woken>>() = {{{4.5, 2, 2}, {}}};
  EXPECT_EQ(finding(log, limits_kept).first, "");
  log.events.get<Stamped<Woken>>() = {{{3, 2, 2}, {}}};
  EXPECT_EQ(finding(log, limits_kept).first,
            "/jobs row 0: ends at 4.5 s, it had time until 3 s, and the scheduler looked at 3 s");
}

TEST(CheckLimits, OfARunKillWhenTheSchedulerLooks) {
  Log log = small_run_with_limit(3, 4.5);
  log.events.get<Stamped<Woken>>() = {{{3.25, 2, 2}, {}}, {{3.5, 3, 3}, {}}};
  kill_at(3.25, log);
  EXPECT_EQ(finding(log, limits_kept).first, "");
  kill_at(3.5, log);
  EXPECT_EQ(
      finding(log, limits_kept).first,
      "/jobs row 0: killed at 3.5 s, it had time until 3 s, and the scheduler looked at 3.25 s");
  kill_at(2.1, log);
  EXPECT_EQ(
      finding(log, limits_kept).first,
      "/jobs row 0: killed at 2.1 s, it had time until 3 s, and the scheduler looked at 3.25 s");
}

TEST(CheckLimits, OfARunThatKeptNoEventsAreNotKnown) {
  Log log = small_run_with_limit(3, 4.5);
  log.events = {};
  log.decisions = {};
  const Finding found = finding(log, limits_kept);
  EXPECT_EQ(found.first, "");
  EXPECT_EQ(found.note, "without events it is not known when the scheduler looked");
}

TEST(CheckLimits, CountAnewWhereAnAttemptWasLost) {
  Log log = small_log_with_limit(3);
  log.tasks[1].outcome = static_cast<std::uint8_t>(Outcome::lost);
  kill_at(6, log);
  EXPECT_EQ(finding(log, limits_kept).first, "");
}

TEST(CheckLimits, FindsAStateThatIsNotWhatWasDecided) {
  Log log = small_log_with_limit(3);
  kill_at(3, log);
  log.decisions.get<Stamped<TimeOut>>().clear();
  EXPECT_EQ(finding(log, limits_kept).first,
            "/jobs row 0: state 4, and lacks a row in /decisions/timeout");
}

}  // namespace
}  // namespace somnus
