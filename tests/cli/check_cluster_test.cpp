// What `check` finds in what slots, nodes and the scheduler did together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

#include "cli/invariants.hpp"
#include "config/config.hpp"
#include "model/event.hpp"

namespace somnus {
namespace {

using testing::HasSubstr;

TEST(Check, FindsASlotThatIsNotThere) {
  EXPECT_EQ(first(slots_exist, [](Log& log) { log.tasks[4].slot = 1; }),
            "/tasks row 4: job 1, stage 2, index 1, attempt 0 on node 1, slot 1 of 1 slots");
}

TEST(Check, FindsASharedSlot) {
  EXPECT_EQ(first(slots_not_shared, [](Log& log) { log.tasks[2].start = 1.5; }),
            "/tasks row 2: job 1, stage 1, index 0, attempt 0 on node 1, slot 0 starts at 1.5 s, "
            "where row 0 runs from 0 s to 2 s");
  EXPECT_THAT(first(slots_not_shared, [](Log& log) { log.tasks[0].finish = 5.5; }),
              HasSubstr("where row 0 runs from 0 s to 5.5 s"));
}

TEST(Check, FindsALongSharedSlotBehindAShortOne) {
  Log log = small_log();
  log.tasks[0].finish = 10;  // over both that follow on node 1
  EXPECT_EQ(finding(log, slots_not_shared).offences, 2U);
}

TEST(Check, LetsATaskWithoutLengthStartWhereAnotherStarts) {
  EXPECT_EQ(
      first(slots_not_shared, [](Log& log) { log.tasks.push_back(row_of({1, 2, 0, 1, 5, 5, 5})); }),
      "");
}

TEST(Check, FindsLooksThatAreNotAsLateAsTheirRank) {
  const auto with = [](double late_max, double up_to) {
    return [=](Log& log) {
      log.header.speed = 100;
      log.header.ranks = 2;
      log.tables.ranks = {{.rank = 0, .late_max = 2}, {.rank = 1, .late_max = late_max}};
      log.tables.lateness = {{.rank = 0, .up_to = 0.02, .looks = 5},
                             {.rank = 1, .up_to = 0.001, .looks = 9},
                             {.rank = 1, .up_to = up_to, .looks = 1}};
    };
  };
  EXPECT_EQ(first(looks_as_late, with(0.3, 0.003)), "");
  EXPECT_EQ(first(looks_as_late, with(0.4, 0.003)),
            "/ranks row 1: late_max 0.4 s, by /lateness 0.3 s");
  Log log = small_log();
  with(0, 0.0005)(log);
  EXPECT_THAT(finding(log, references).first, HasSubstr("/lateness row 1: 1 looks"));
}

TEST(Check, FindsAWarmSlotWithoutReason) {
  const char* const second = "/tasks row 2: job 1, stage 1, index 0, attempt 0 on node 1, slot 0";
  EXPECT_EQ(first(never_warm, [](Log& log) { log.tasks[2].warm = 1; }),
            std::string(second) + ": warm 1, app 1, the slot's last app 0");
  const auto reuse = [](std::uint8_t warm) {
    return [warm](Log& log) {
      log.header.config = small_config("fifo", with_reuse);
      log.tasks[4].warm = warm;
    };
  };
  EXPECT_EQ(first(warm_after_same, reuse(1)), "");
  EXPECT_EQ(first(warm_after_same, reuse(0)),
            "/tasks row 4: job 1, stage 2, index 1, attempt 0 on node 1, slot 0: warm 0, app 1, "
            "the slot's last app 1");
}

/// The small log under another model: of job 1 stage 1, then 2, on node 1; stage 2 on node 0.
Log small_log_with(const char* jvm) {
  Log log = small_log();
  log.header.config = small_config("fifo", jvm);
  return log;
}

TEST(Check, CountsTheTasksOfAnAppInItsSlotWhereTheModelDoes) {
  Log log =
      small_log_with("[jvm]\nmodel = \"executor\"\nstart_s = 0.5\nfactor = 2\ndecay_tasks = 2\n");
  for (TaskRow& row : log.tasks) row.nominal = (row.intended - 0.5) / 2;
  log.tasks[4].nominal = log.tasks[4].intended / 1.5;  // the second of job 1 there
  EXPECT_EQ(finding(log, warm_after_two).first, "");
  EXPECT_EQ(finding(log, intended).first, "");
  log.tasks[4].warm = 1;
  EXPECT_EQ(finding(log, warm_after_two).first,
            "/tasks row 4: job 1, stage 2, index 1, attempt 0 on node 1, slot 0: warm 1, app 1, "
            "the slot's last app 1, 1 tasks of the app before");
  log.tasks[4].nominal = 0.5;
  EXPECT_EQ(finding(log, intended).first,
            "/tasks row 4: job 1, stage 2, index 1, attempt 0 on node 1, slot 0: intended 1 s, "
            "expected 0.75 s: nominal 0.5 s, slowdown 1, app 1, the slot's last app 1, 1 tasks of "
            "the app before");
}

TEST(Check, AsksTheWorkloadsListsWhereTheModelDoes) {
  Log log = small_log_with("[jvm]\nmodel = \"measured\"\n");
  log.tables.cold_tasks = {{.fresh = 4, .first = 1},
                           {.fresh = 2, .first = 1},
                           {.fresh = 3, .first = 1},
                           {.fresh = 1, .first = 8},
                           {.fresh = 8, .first = 1}};
  for (TaskRow& row : log.tasks) row.nominal = 0.5;
  EXPECT_EQ(finding(log, references).first, "");
  EXPECT_EQ(finding(log, warm_after_stage).first, "");
  EXPECT_EQ(finding(log, intended).first, "");
  log.tables.cold_tasks[4].first = 1.25;
  EXPECT_EQ(finding(log, intended).first,
            "/tasks row 4: job 1, stage 2, index 1, attempt 0 on node 1, slot 0: intended 1 s, "
            "expected 1.25 s: nominal 0.5 s, slowdown 1, app 1, the slot's last app 1, stage 2, "
            "its last stage 1");
  log.tables.cold_tasks.pop_back();
  EXPECT_EQ(finding(log, references).first, "4 cold tasks for 5 tasks");
  log.tables.cold_tasks.push_back({.fresh = 1, .first = -1});
  EXPECT_EQ(finding(log, references).first, "/cold_tasks row 4: no task takes that long");
}

// Node 1 is lost between its first two tasks, of which both are of one app then.
TEST(Check, KnowsThatALostNodeForgetsItsJvms) {
  const std::string reuse = with_reuse;
  const auto lost_at = [&](const char* time) {
    return reuse + "[faults]\nevent = [{ at_s = " + time + ", node = 1 }, { at_s = " + time +
           ", node = 1, kind = \"node-returned\" }]\n";
  };
  const auto offences = [&](const std::string& config, std::uint8_t warm) {
    Log log = small_log();
    log.header.config = small_config("fifo", config);
    log.tasks[4].warm = warm;
    return finding(log, warm_after_same).offences;
  };
  EXPECT_EQ(offences(lost_at("4.5"), 0), 0U);
  EXPECT_EQ(offences(lost_at("4.5"), 1), 1U);
  EXPECT_EQ(offences(lost_at("1.5"), 0), 1U) << "before job 1 came there";
  EXPECT_EQ(offences(lost_at("1.5"), 1), 0U);
  EXPECT_EQ(offences(lost_at("5"), 0), 0U) << "just when the task started: who knows";
  EXPECT_EQ(offences(lost_at("5"), 1), 0U);
}

Log vector_log() {
  Log log = small_log();
  log.header.resources = {"cpu", "mem_gb"};
  log.header.config =
      "[cluster]\nnodes = 2\nresources = { cpu = 4, mem_gb = 8 }\nslots_per_node = 2\n"
      "[scheduler]\npolicy = \"fifo\"\n[workload]\nfile = \"small.jsonl\"\n";
  for (NodeRow& node : log.tables.nodes) {
    node.slots = 2;
    node.resources = {4, 8};
  }
  log.tables.stage_demands = {{3, 2}, {1, 6}, {4, 8}};
  return log;
}

TEST(Check, FindsANodeThatRunsMoreThanItHas) {
  Log log = vector_log();
  EXPECT_EQ(finding(log, demands_fit).first, "");
  EXPECT_EQ(finding(log, demands_fit).checked, 5U);
  log.tasks[2].node = 0;  // 1 cpu and 6 GB beside 3 cpu and 2 GB
  log.tasks[2].slot = 1;
  EXPECT_EQ(finding(log, demands_fit).first, "");
  log.tables.stage_demands[1] = {2, 6.5};
  EXPECT_EQ(finding(log, demands_fit).first,
            "/tasks row 2: job 1, stage 1, index 0, attempt 0 on node 0, slot 1: at 2 s, 5 of 4 "
            "cpu taken, 8.5 of 8 mem_gb taken");
}

TEST(Check, ForgivesANodeOfARunWhatItsClockCanNotTell) {
  Log log = vector_log();
  log.header.mode = "run";
  log.header.speed = 1000;
  log.tables.ranks = {{}, {.rank = 1, .clock_uncertainty = 20e-6}};  // 6 x 20 us x 1000: 0.12 s
  log.tables.stage_demands = {{4, 8}, {4, 8}, {4, 8}};
  EXPECT_EQ(finding(log, demands_fit).first, "");
  log.tasks[2].start = log.tasks[2].queued = 1.9;  // beside another that ends at 2 s
  EXPECT_EQ(finding(log, demands_fit).first, "");
  EXPECT_THAT(finding(log, demands_fit).note, HasSubstr("0.12 emulated s"));
  log.tasks[2].start = log.tasks[2].queued = 1.85;
  EXPECT_THAT(finding(log, demands_fit).first, HasSubstr("8 of 4 cpu taken"));
}

TEST(Check, FindsAnImpossibleSample) {
  EXPECT_EQ(first(samples_possible, [](Log& log) { log.samples[1].busy_slots = 3; }),
            "/samples row 1: at 4.5 s after 0 s, 3 of 2 slots busy");
  EXPECT_THAT(first(samples_possible,
                    [](Log& log) { log.samples.push_back({.time = 4, .busy_slots = 0}); }),
              HasSubstr("/samples row 2: at 4 s after 4.5 s"));
  Log log = vector_log();
  log.samples[0].allocated = {8, 16.5};
  EXPECT_EQ(finding(log, samples_possible).first,
            "/samples row 0: at 0 s after 0 s, 2 of 4 slots busy, 8 of 8 cpu, 16.5 of 16 mem_gb");
}

TEST(Check, FindsAFreeSlotBesideAWaitingTask) {
  EXPECT_EQ(first(work_conserved, [](Log& log) { log.tasks[2].start = 2.5; }),
            "at 2 s: 1 runnable tasks wait, 1 of 2 slots are free");
}

TEST(Check, CountsTasksThatAreNeverPlacedAsWaiting) {
  EXPECT_EQ(first(work_conserved, [](Log& log) { log.tasks.pop_back(); }),
            "at 5 s: 1 runnable tasks wait, 1 of 2 slots are free");
}

TEST(Check, FindsRoomBesideAWaitingTaskWhereThereAreNoSlots) {
  Log log = vector_log();
  log.header.config =
      "[cluster]\nnodes = 2\nresources = { cpu = 4, mem_gb = 8 }\n[scheduler]\npolicy = \"fifo\"\n"
      "[workload]\nfile = \"small.jsonl\"\n";
  for (NodeRow& node : log.tables.nodes) node.slots = 0;
  log.tables.stage_demands[1] = {2, 6};
  EXPECT_EQ(finding(log, resources_conserved).first, "");
  EXPECT_EQ(finding(log, resources_conserved).checked, 6U) << "the instants at which all changes";
  log.tables.stage_demands[1] = {1, 6};  // beside 3 cpu and 2 GB
  EXPECT_EQ(finding(log, resources_conserved).first,
            "at 1 s: a task of /stages row 1 waits, and node 0 has room for it");
  log.tables.stage_demands[1] = {4, 8};  // as stage 2, of which one is never placed
  log.tasks.pop_back();
  EXPECT_EQ(finding(log, resources_conserved).first,
            "at 5 s: a task of /stages row 2 waits, and node 1 has room for it");
}

TEST(Check, AsksForWorkConservationOnlyWhereItCanHold) {
  Log log = small_log();
  log.header.config = small_config("fifo", "[network]\ndelay_ms = 1\n");
  EXPECT_FALSE(was_asked(log, work_conserved));
  log.header.config = small_config("fifo", "[faults]\ntask_failure_probability = 0.1\n");
  EXPECT_FALSE(was_asked(log, work_conserved));
  log.header.config = small_config("fifo", "feedback = \"heartbeat\"\n");
  EXPECT_FALSE(was_asked(log, work_conserved));
  log = small_log();
  log.header.mode = "run";
  EXPECT_FALSE(was_asked(log, work_conserved));
}

TEST(Check, FindsADecisionWithoutItsAttempt) {
  EXPECT_EQ(
      first(decisions_launched, [](Log& log) { log.tasks.pop_back(); }),
      "/decisions/launch row 4: task 4, attempt 0 on node 1 at 5 s has no such row in /tasks");
  EXPECT_THAT(first(decisions_launched, [](Log& log) { log.tasks[2].node = 0; }),
              HasSubstr("/decisions/launch row 2"));
  EXPECT_THAT(first(decisions_launched, [](Log& log) { log.tasks[2].placed = 1.5; }),
              HasSubstr("/decisions/launch row 2"));
  EXPECT_EQ(
      first(decisions_launched, [](Log& log) { launches_of(log).push_back(launches_of(log)[4]); }),
      "/decisions/launch row 5: task 4, attempt 0 on node 1 at 5 s was decided before");
}

TEST(Check, FindsADecisionThatIsNotTheNext) {
  EXPECT_EQ(
      first(rows_numbered, [](Log& log) { launches_of(log).erase(launches_of(log).begin() + 1); }),
      "/decisions/launch row 1: number 2, expected 1");
  EXPECT_EQ(
      first(rows_numbered,
            [](Log& log) { log.decisions.put(Stamped<Revoke>{{2, 3, 2}, {.node = NodeId(0U)}}); }),
      "/decisions/revoke row 0: number 3, expected 4");
  EXPECT_EQ(
      first(rows_numbered, [](Log& log) { std::swap(launches_of(log)[1], launches_of(log)[2]); }),
      "/decisions/launch row 1: number 2, expected 1");
  Log cut_off = small_log();
  cut_off.header.complete = false;
  launches_of(cut_off).erase(launches_of(cut_off).begin() + 1);
  EXPECT_EQ(finding(cut_off, rows_numbered).offences, 0U) << "tables need not end at one row";
}

TEST(Check, FindsAnAttemptThatNobodyDecided) {
  EXPECT_EQ(
      first(attempts_decided, [](Log& log) { launches_of(log).erase(launches_of(log).begin()); }),
      "/tasks row 1: job 0, stage 0, index 0, attempt 0 on node 0, slot 0, placed at 0 s, is "
      "not in /decisions/launch");
}

TEST(Check, ReportsHowCloseTheoremOneIs) {
  Log log = small_cfq_log();
  EXPECT_EQ(finding(log, theorem_1).first, "");
  EXPECT_EQ(finding(log, theorem_1).note, "largest: job 1, 0.0909 of the bound");  // 1 of 11
  log.tables.jobs[1].gps_finish = -6.5;
  EXPECT_EQ(finding(log, theorem_1).first,
            "/jobs row 1: finish 5 s, in GPS -6.5 s, late by 11.5 s, allowed 11 s");
  EXPECT_TRUE(finding(log, theorem_1).asserted);
}

TEST(Check, AssertsTheoremOneOnlyWithoutDelays) {
  Log log = small_cfq_log();
  log.tables.jobs[1].gps_finish = -6.5;
  log.header.config = small_config("cfq", "[network]\ndelay_ms = 1\n");
  EXPECT_EQ(finding(log, theorem_1).offences, 1U);
  EXPECT_FALSE(finding(log, theorem_1).asserted);
  log.header.config = small_config("cfq", "[estimate]\nmodel = \"naive\"\n");
  EXPECT_FALSE(was_asked(log, theorem_1));
  EXPECT_FALSE(was_asked(small_log(), theorem_1)) << "FIFO promises nothing";
}

TEST(Check, ReportsTheBoundOfUwfqButNeverAssertsIt) {
  Log log = small_cfq_log();
  log.header.config = small_config("uwfq");
  log.tables.jobs[0].ujf_finish = 4;
  log.tables.jobs[1].ujf_finish = -6.5;
  EXPECT_EQ(finding(log, bound_of_uwfq).first,
            "/jobs row 1: finish 5 s, in UJF -6.5 s, late by 11.5 s, allowed 11 s");
  EXPECT_FALSE(finding(log, bound_of_uwfq).asserted);
  EXPECT_FALSE(was_asked(log, theorem_1));
  log.header.config = small_config("ujf");
  EXPECT_FALSE(was_asked(log, bound_of_uwfq));
}

TEST(Check, FindsJobsThatCameBeforeTheOneThatTheyFollow) {
  EXPECT_FALSE(was_asked(small_log(), followers));
  Log log = small_log();
  log.tables.jobs[1].after = 0;
  EXPECT_EQ(finding(log, followers).first,
            "/jobs row 1: submit 1 s, but job 0 ended at 4 s and 0 s pass between");
  log.tables.jobs[0].finish = 0.5;
  log.tables.jobs[1].think = 0.5;
  EXPECT_EQ(finding(log, followers).first, "");
  log.tables.jobs[1].after = 1;
  EXPECT_EQ(finding(log, references).first,
            "/jobs row 1: it follows job 1, which is not before it");
}

}  // namespace
}  // namespace somnus
