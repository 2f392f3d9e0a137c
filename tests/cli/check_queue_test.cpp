#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "audit/check.hpp"
#include "cli/invariants.hpp"
#include "config/config.hpp"
#include "model/event.hpp"

namespace somnus {
namespace {

using testing::HasSubstr;

constexpr const char* returned_unstarted =
    "no attempt that its node returned from its queue has started";
constexpr const char* no_idle_slot = "no slot is free while a task waits in its node's queue";
constexpr const char* length_of_two = "no more than 2 tasks wait in a node's queue";
constexpr const char* in_order =
    "of the tasks in a node's queue the next to start is by fifo: the one that came first";
constexpr const char* starved_first =
    "no task overtakes one that has waited more than 3 s, unless it has too";
constexpr const char* numbered = "a task's attempts are 0, 1, 2, ..., and only the last may finish";

constexpr const char* length_two = "bound = \"length\"\nlength = 2\n";
constexpr const char* threshold_three = "reorder = \"stf\"\nstarvation_s = 3\n";

std::string queue_config(const std::string& rules, const std::string& scheduler = {}) {
  return "[cluster]\nnodes = 2\nslots_per_node = 1\n[scheduler]\npolicy = \"fifo\"\n"
         "queue = \"worker\"\n" +
         scheduler + "[workload]\nfile = \"small.jsonl\"\n[queue]\n" + rules;
}

/// One job of five tasks on two nodes of one slot, all placed at 0 s and started as they came:
///
///     node 0   |  index 0: 0-4 s  |  1: 4-6 s  |  2: 6-10 s  |
///     node 1   |  3: 0-5 s  |  4: 5-7 s  |
///
/// Index 1 reaches its node at 0.5 s, 2 at 1 s, 4 at 2 s.
Log queue_log(const std::string& rules = length_two, const std::string& scheduler = {}) {
  const auto finished = static_cast<std::uint8_t>(JobState::finished);
  Log log;
  log.header = {
      .mode = "simulate", .config = queue_config(rules, scheduler), .seed = 1, .complete = true};
  log.header.label = label_of(value_or_throw(parse_settings(log.header.config, "", {})));
  log.tables.jobs = {{.job = 0,
                      .tasks = 5,
                      .stages = 1,
                      .state = finished,
                      .submit = 0,
                      .first_start = 0,
                      .finish = 10,
                      .slot_time = 17,
                      .critical_path = 5,
                      .alone = 9,
                      .gps_finish = 8.5,
                      .ujf_finish = 8.5}};
  log.tables.stages = {{.job = 0,
                        .stage = 0,
                        .tasks = 5,
                        .ready = 0,
                        .first_start = 0,
                        .finish = 10,
                        .slot_time = 17}};
  log.tables.nodes = {{.node = 0, .slots = 1}, {.node = 1, .slots = 1}};
  log.tables.users = {{.user = 0}};
  log.tables.names.groups = {"nodes"};
  log.tables.ranks = {{}};
  log.tasks = {row_of({.job = 0, .stage = 0, .index = 0, .node = 0, .start = 0, .finish = 4}),
               row_of({.job = 0, .stage = 0, .index = 3, .node = 1, .start = 0, .finish = 5}),
               row_of({.job = 0, .stage = 0, .index = 1, .node = 0, .start = 4, .finish = 6}),
               row_of({.job = 0, .stage = 0, .index = 4, .node = 1, .start = 5, .finish = 7}),
               row_of({.job = 0, .stage = 0, .index = 2, .node = 0, .start = 6, .finish = 10})};
  for (TaskRow& row : log.tasks) row.placed = 0;
  log.tasks[2].queued = 0.5;
  log.tasks[4].queued = 1;
  log.tasks[3].queued = 2;
  return log;
}

/// A row that `row` becomes when its node sends it back.
TaskRow returned(TaskRow row) {
  row.outcome = static_cast<std::uint8_t>(Outcome::returned);
  row.start = row.finish = row.intended = nan_time;
  return row;
}

void exchange_arrivals(TaskRow& a, TaskRow& b) {
  std::swap(a.queued, b.queued);
  std::swap(a.index, b.index);
}

TEST(CheckQueue, HoldsEveryInvariantOfASoundLog) {
  const auto findings = check_log(queue_log(std::string(length_two)));
  EXPECT_TRUE(passed(findings)) << to_text(findings);
  for (const char* const each : {no_idle_slot, length_of_two, in_order}) {
    EXPECT_GT(finding(queue_log(), each).checked, 0U) << each;
    EXPECT_TRUE(finding(queue_log(), each).asserted) << each;
  }
}

TEST(CheckQueue, AsksNothingOfNodesWithoutQueues) {
  for (const char* const each : {returned_unstarted, no_idle_slot, in_order}) {
    EXPECT_FALSE(was_asked(small_log(), each)) << each;
  }
}

TEST(CheckQueue, FindsAFreeSlotBesideAWaitingTask) {
  Log log = queue_log();
  log.tasks[2].start = 4.5;
  EXPECT_EQ(finding(log, no_idle_slot).first,
            "/tasks row 2: job 0, stage 0, index 1, attempt 0 on node 0, slot 0 waits from 0.5 s "
            "to 4.5 s; at 4 s 1 of 1 slots are free");
  EXPECT_FALSE(passed(check_log(log)));
}

TEST(CheckQueue, LetsASlotIdleWhileNothingWaits) {
  Log log = queue_log();
  log.tasks[3].queued = log.tasks[3].start = 5.5;
  EXPECT_EQ(finding(log, no_idle_slot).first, "");
}

TEST(CheckQueue, DoesNotKnowFreeSlotsOnceAStartWasNeverReported) {
  Log log = queue_log();
  TaskRow running = log.tasks[0];  // to the run's end, and no node has reported it
  running.outcome = static_cast<std::uint8_t>(Outcome::unfinished);
  running.queued = running.start = running.finish = nan_time;
  log.tasks[0] = running;
  log.tasks[4].queued = log.tasks[4].start;
  EXPECT_EQ(finding(log, no_idle_slot).first, "") << "index 1 waits behind it";
  log.tasks[0].placed = 3;
  EXPECT_THAT(finding(log, no_idle_slot).first, HasSubstr("at 0.5 s 1 of 1 slots are free"));
}

TEST(CheckQueue, ForgivesARunGapsThatItsClocksCanNotTell) {
  Log log = queue_log();
  log.header.mode = "run";
  log.header.speed = 1000;
  log.tables.ranks = {{}, {.rank = 1, .clock_uncertainty = 20e-6}};  // 6 x 20 us x 1000: 0.12 s
  log.tasks[2].start = 4.1;
  log.tasks[2].finish = 6.1;
  log.tasks[4].start = 6.1;
  EXPECT_EQ(finding(log, no_idle_slot).first, "");
  EXPECT_THAT(finding(log, no_idle_slot).note, HasSubstr("0.12 emulated s"));
  log.tasks[2].start = 4.15;
  EXPECT_THAT(finding(log, no_idle_slot).first, HasSubstr("1 of 1 slots are free"));
  log.tasks[2].start = 4;
  log.tasks[0].queued = log.tasks[0].start = 0.6;  // index 1 reaches the node at 0.5 s
  EXPECT_EQ(finding(log, no_idle_slot).first, "");
}

TEST(CheckQueue, FindsAQueueThatIsTooLong) {
  Log log = queue_log("bound = \"length\"\nlength = 1\n");
  constexpr const char* length_of_one = "no more than 1 tasks wait in a node's queue";
  EXPECT_EQ(finding(log, length_of_one).first,
            "/tasks row 2: job 0, stage 0, index 1, attempt 0 on node 0, slot 0 waits from 0.5 s "
            "to 4 s; at 1 s 2 tasks wait there");
  EXPECT_FALSE(passed(check_log(log)));
  log.tasks[4].queued = 4;  // when index 1 starts
  EXPECT_EQ(finding(log, length_of_one).first, "");
  EXPECT_TRUE(passed(check_log(log))) << to_text(check_log(log));
}

TEST(CheckQueue, AsksForALengthOnlyOfQueuesThatHaveOne) {
  EXPECT_FALSE(was_asked(queue_log("bound = \"none\"\n"), length_of_two));
}

TEST(CheckQueue, FindsATaskThatOvertakesInAFifoQueue) {
  Log log = queue_log();
  exchange_arrivals(log.tasks[2], log.tasks[4]);
  EXPECT_EQ(finding(log, in_order).first,
            "/tasks row 2: job 0, stage 0, index 2, attempt 0 on node 0, slot 0: queued 1 s, start "
            "4 s, before row 4: queued 0.5 s, start 6 s");
  EXPECT_FALSE(passed(check_log(log)));
  log.tasks[4].queued = 1;
  EXPECT_EQ(finding(log, in_order).first, "") << "which came at the same instant";
}

TEST(CheckQueue, FindsAllTasksThatOvertakeOne) {
  Log log = queue_log();
  log.tasks[4].queued = 0.25;  // and starts last
  log.tasks[3].node = 0;
  EXPECT_EQ(finding(log, in_order).offences, 2U);
}

TEST(CheckQueue, AsksForNoOrderOfComingWhereQueuesReorder) {
  EXPECT_FALSE(was_asked(queue_log("reorder = \"stf\"\n"), in_order));
}

TEST(CheckQueue, FindsAStarvedTaskThatIsOvertaken) {
  Log log = queue_log(threshold_three);
  EXPECT_EQ(finding(log, starved_first).first, "");
  log.tasks[4].queued = 0.5;  // for 3.5 s when index 1 starts, at 4 s
  log.tasks[2].queued = 1;    // after 3 s, which is not yet too long
  EXPECT_EQ(finding(log, starved_first).first,
            "/tasks row 2: job 0, stage 0, index 1, attempt 0 on node 0, slot 0: queued 1 s, start "
            "4 s, where row 4 waits from 0.5 s to 6 s");
  EXPECT_FALSE(passed(check_log(log)));
  log.tasks[2].queued = 0.75;
  EXPECT_EQ(finding(log, starved_first).first, "") << "both have starved";
  log.tasks[2].queued = log.tasks[4].queued = 1;
  EXPECT_EQ(finding(log, starved_first).first, "") << "neither has";
}

TEST(CheckQueue, AsksForStarvedTasksOnlyWhereTheLogTellsWhichAre) {
  EXPECT_FALSE(was_asked(queue_log("reorder = \"stf\"\n"), starved_first));
  EXPECT_FALSE(was_asked(queue_log(std::string(threshold_three) + "starvation_relative = 2\n"),
                         starved_first));
}

TEST(CheckQueue, FindsAReturnedAttemptThatStarted) {
  Log log = queue_log();
  TaskRow sent_back = returned(log.tasks[3]);
  log.tasks[3].attempt = 1;
  log.tasks.insert(log.tasks.begin() + 3, sent_back);
  EXPECT_TRUE(passed(check_log(log))) << to_text(check_log(log));
  EXPECT_EQ(finding(log, returned_unstarted).checked, 1U);
  log.tasks[3].start = 3;
  EXPECT_EQ(finding(log, returned_unstarted).first,
            "/tasks row 3: job 0, stage 0, index 4, attempt 0 on node 1, slot 0: queued 2 s, start "
            "3 s, finish nan s");
}

TEST(CheckQueue, LetsAnotherAttemptFollowAReturnedOne) {
  Log log = queue_log();
  log.tasks.push_back(returned(log.tasks[3]));
  log.tasks[3].attempt = 1;
  EXPECT_EQ(finding(log, numbered).first, "");
  log.tasks[5].attempt = 2;
  EXPECT_NE(finding(log, numbered).first, "") << "but it is not numbered after one that finished";
}

}  // namespace
}  // namespace somnus
