#include "emulator/audit/check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/small_log.hpp"
#include "model/event.hpp"

namespace somnus {
namespace {

using testing::HasSubstr;

constexpr const char* references = "every row points at rows that exist";
constexpr const char* jobs_conserved =
    "jobs submitted = finished + failed + unfinished, and so are their tasks";
constexpr const char* finish_once =
    "no task finishes twice, every task of a finished job does once";
constexpr const char* numbered = "a task's attempts are 0, 1, 2, ..., and only the last may finish";
constexpr const char* placed_when_ready =
    "no task is ready before its job's submit, or placed before it is ready";
constexpr const char* queued_when_placed = "no task reaches its node before it was placed";
constexpr const char* started_when_queued =
    "no task starts before it reached its node, or ends before it started";
constexpr const char* parents_first =
    "no task starts before all tasks of its parent stages have finished";
constexpr const char* takes_exactly = "each finished attempt takes exactly what was intended";
constexpr const char* takes_no_less = "no finished attempt takes less than was intended";
constexpr const char* intended =
    "intended time = nominal time x node slowdown x warm-up where the slot is cold";
constexpr const char* job_spans =
    "a job starts with its first attempt and finishes with its last task";
constexpr const char* stage_spans =
    "a stage starts with its first attempt and finishes with its last task";
constexpr const char* slots_exist = "every attempt runs on a slot that its node has";
constexpr const char* slots_not_shared = "no two attempts share a slot";
constexpr const char* never_warm = "no slot is warm without a JVM model";
constexpr const char* warm_after_same =
    "a slot is warm exactly when its last task was of the same app";
constexpr const char* demands_fit = "what runs on a node never demands more than it has";
constexpr const char* samples_possible =
    "samples are in order of time, none shows more in use than there is";
constexpr const char* work_conserved = "no slot is free while a runnable task waits";
constexpr const char* decisions_launched =
    "every decision became one attempt, on its node and at its time";
constexpr const char* rows_numbered =
    "events are numbered from 0 without a gap over all kinds, and so are decisions";
constexpr const char* attempts_decided = "every attempt was decided";
constexpr const char* theorem_1 =
    "no job finishes later than in GPS by more than 2 l_max + L_max / M (Theorem 1)";

constexpr const char* bound_of_uwfq =
    "no job finishes later than in UJF by more than 2 l_max + L_max / M (UWFQ, A.5)";
constexpr const char* followers =
    "no job comes before the one that it follows has ended, and its think time";

constexpr const char* ranks_have_nodes = "each rank has the nodes and slots that /nodes gives it";
constexpr const char* header_of_config = "label, seed, speed, ranks and resources are those of the config";
constexpr const char* tables_follow =
    "jobs, stages, nodes and users are what the workload and the config make of them";

constexpr const char* with_reuse = "[jvm]\nmodel = \"reuse\"\nfactor = 2\n";

bool was_asked(const Log& log, std::string_view invariant) {
  const auto findings = check_log(log);
  return std::ranges::find(findings, invariant, &Finding::invariant) != findings.end();
}

Finding finding(const Log& log, std::string_view invariant) {
  for (const Finding& one : check_log(log)) {
    if (one.invariant == invariant) return one;
  }
  ADD_FAILURE() << "not asked: " << invariant;
  return {};
}

/// The first offence after a change to the small log, "" if the invariant still holds.
std::string first(std::string_view invariant, auto&& change) {
  Log log = small_log();
  change(log);
  return finding(log, invariant).first;
}

TaskRow unfinished(std::uint32_t job, std::uint32_t stage, std::uint32_t index) {
  TaskRow row{.job = job, .stage = stage, .index = index, .ready = 5, .placed = 5};
  row.outcome = 3;
  return row;
}

TEST(Check, HoldsEveryInvariantOfASoundLog) {
  std::vector<std::string> asked;
  for (const Finding& one : check_log(small_log())) {
    asked.push_back(one.invariant);
    EXPECT_GT(one.checked, 0U) << one.invariant;
    EXPECT_EQ(one.first, "") << one.invariant;
    EXPECT_TRUE(one.asserted) << one.invariant;
  }
  EXPECT_THAT(asked,
              testing::UnorderedElementsAre(
                  references, jobs_conserved, finish_once, numbered, placed_when_ready,
                  queued_when_placed, started_when_queued, parents_first, takes_exactly, intended,
                  job_spans, stage_spans, slots_exist, slots_not_shared, never_warm,
                  samples_possible, work_conserved, decisions_launched, attempts_decided,
                  rows_numbered, ranks_have_nodes, header_of_config, tables_follow));
}

TEST(Check, AsksNothingElseOfRowsThatPointNowhere) {
  Log log = small_log();
  log.tasks[3].node = 2;
  const auto findings = check_log(log);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].first, "/tasks row 3: job 1, stage 2, index 0, node 2, outcome 0");
  EXPECT_EQ(findings[0].offences, 1U);
  EXPECT_FALSE(passed(findings));
}

TEST(Check, FindsTablesThatDoNotFitTogether) {
  EXPECT_EQ(first(references, [](Log& log) { log.tables.jobs[1].job = 7; }),
            "/jobs row 1: job 7 is out of place");
  EXPECT_EQ(first(references, [](Log& log) { log.tables.jobs[1].stages = 3; }),
            "/jobs row 1: 3 stages, but 2 are left in /stages");
  EXPECT_EQ(first(references, [](Log& log) { log.tables.jobs[0].tasks = 5; }),
            "/jobs row 0: 5 tasks, but its stages have 2");
  EXPECT_EQ(first(references, [](Log& log) { log.tables.jobs[0].user = 2; }),
            "/jobs row 0: no user 2");
  EXPECT_EQ(first(references, [](Log& log) { log.tables.stages[2].job = 0; }),
            "/stages row 2: of job 0, expected job 1");
  EXPECT_EQ(first(references, [](Log& log) { log.tables.stages.push_back({.job = 2}); }),
            "/stages row 3: of job 2, which is not in /jobs");
  EXPECT_EQ(first(references, [](Log& log) { log.tables.stage_parents[0].parent = 0; }),
            "/stage_parents row 0: stage 2 with parent 0 of job 1");
  EXPECT_EQ(first(references, [](Log& log) { log.tables.stage_affinity = {{.stage = 3}}; }),
            "/stage_affinity row 0: stage 3 prefers node 0, one of them unknown");
  EXPECT_EQ(first(references,
                  [](Log& log) {
                    log.tables.stage_affinity = {{.stage = 1, .node = 1}, {.stage = 2, .node = 2}};
                  }),
            "/stage_affinity row 1: stage 2 prefers node 2, one of them unknown");
  EXPECT_EQ(first(references,
                  [](Log& log) {
                    log.tables.stage_affinity = {{.stage = 2, .node = 1}, {.stage = 1, .node = 0}};
                  }),
            "/stage_affinity row 1: stage 1 comes after stage 2");
  EXPECT_EQ(first(references, [](Log& log) { log.tables.nodes[0].node = 1; }),
            "/nodes row 0: node 1 is out of place");
  EXPECT_EQ(first(references, [](Log& log) { launches_of(log)[4].task = TaskId(5U); }),
            "/decisions/launch row 4: there is no task 5");
}

TEST(Check, FindsAJobWhoseStateItsTasksDeny) {
  const auto state = [](JobState claimed) {
    return [claimed](Log& log) { log.tables.jobs[1].state = static_cast<std::uint8_t>(claimed); };
  };
  EXPECT_EQ(first(jobs_conserved, [](Log& log) { log.tasks.pop_back(); }),
            "/jobs row 1: state 2 with 2 attempts, 2 of 3 tasks finished");
  EXPECT_EQ(first(jobs_conserved, state(JobState::active)),
            "/jobs row 1: state 1 with 3 attempts, 3 of 3 tasks finished");
  EXPECT_EQ(first(jobs_conserved, state(JobState::pending)),
            "/jobs row 1: state 0 with 3 attempts, 3 of 3 tasks finished");
}

TEST(Check, FindsATaskThatFinishesTwiceOrNever) {
  EXPECT_EQ(first(finish_once,
                  [](Log& log) {
                    log.tasks.push_back(log.tasks[0]);
                    log.tasks[5].attempt = 1;
                  }),
            "/tasks row 5: job 0, stage 0, index 1, attempt 1 on node 1, slot 0 finishes a "
            "finished task");
  EXPECT_EQ(first(finish_once, [](Log& log) { log.tasks[4] = unfinished(1, 2, 1); }),
            "/jobs row 1: finished, but its task 2 has not");
}

TEST(Check, FindsAMissingAttempt) {
  EXPECT_EQ(first(numbered, [](Log& log) { log.tasks[2].attempt = 1; }),
            "/tasks row 2: job 1, stage 1, index 0, attempt 1 on node 1, slot 0, outcome 0, is "
            "number 0 of 1");
}

TEST(Check, AllowsAnAttemptAfterALostOneOnly) {
  const auto try_again = [](Outcome outcome) {
    return [outcome](Log& log) {
      log.tasks[2].outcome = static_cast<std::uint8_t>(outcome);
      log.tasks.push_back(log.tasks[2]);
      log.tasks[5].outcome = 0;
      log.tasks[5].attempt = 1;
    };
  };
  EXPECT_EQ(first(numbered, try_again(Outcome::failed)), "");
  EXPECT_EQ(first(numbered, try_again(Outcome::lost)), "");
  EXPECT_THAT(first(numbered, try_again(Outcome::unfinished)), HasSubstr("number 0 of 2"));
}

TEST(Check, FindsATaskThatWasPlacedTooEarly) {
  EXPECT_EQ(first(placed_when_ready, [](Log& log) { log.tasks[2].placed = 0.5; }),
            "/tasks row 2: job 1, stage 1, index 0, attempt 0 on node 1, slot 0: submit 1 s, ready "
            "1 s, placed 0.5 s");
  EXPECT_THAT(first(placed_when_ready, [](Log& log) { log.tasks[2].ready = 0.5; }),
              HasSubstr("submit 1 s, ready 0.5 s"));
}

TEST(Check, FindsATaskThatReachedItsNodeTooEarly) {
  EXPECT_EQ(first(queued_when_placed, [](Log& log) { log.tasks[2].queued = 1.75; }),
            "/tasks row 2: job 1, stage 1, index 0, attempt 0 on node 1, slot 0: placed 2 s, "
            "queued 1.75 s");
}

TEST(Check, FindsATaskThatStartedTooEarly) {
  EXPECT_EQ(first(started_when_queued, [](Log& log) { log.tasks[2].queued = 2.5; }),
            "/tasks row 2: job 1, stage 1, index 0, attempt 0 on node 1, slot 0: queued 2.5 s, "
            "start 2 s, finish 5 s");
  EXPECT_THAT(first(started_when_queued, [](Log& log) { log.tasks[2].finish = 1; }),
              HasSubstr("start 2 s, finish 1 s"));
}

TEST(Check, FindsATaskThatDidNotWaitForItsParents) {
  EXPECT_EQ(first(parents_first, [](Log& log) { log.tasks[3].start = 4.75; }),
            "/tasks row 3: job 1, stage 2, index 0, attempt 0 on node 0, slot 0: start 4.75 s, its "
            "parent stage 1 finishes at 5 s");
  EXPECT_THAT(first(parents_first, [](Log& log) { log.tasks[2].outcome = 1; }),
              HasSubstr("its parent stage 1 finishes never"));
}

TEST(Check, FindsASleepOfTheWrongLength) {
  EXPECT_EQ(first(takes_exactly, [](Log& log) { log.tasks[0].finish = 2.000000001; }),
            "/tasks row 0: job 0, stage 0, index 1, attempt 0 on node 1, slot 0: took 2.000000001 "
            "s, intended 2 s");
}

TEST(Check, AllowsARunToSleepTooLongOnly) {
  const auto sleep = [](double until) {
    return [until](Log& log) {
      log.header.mode = "run";
      log.header.speed = 100;
      log.tasks[0].finish = until;
    };
  };
  EXPECT_EQ(first(takes_no_less, sleep(2.5)), "");
  EXPECT_EQ(first(takes_no_less, sleep(1.9999)), "") << "a microsecond at speed 100";
  EXPECT_THAT(first(takes_no_less, sleep(1.9998)), HasSubstr("took 1.9998 s, intended 2 s"));
}

TEST(Check, FindsAnIntendedTimeThatDoesNotFollow) {
  EXPECT_EQ(first(intended, [](Log& log) { log.tasks[0].nominal = 1; }),
            "/tasks row 0: job 0, stage 0, index 1, attempt 0 on node 1, slot 0: intended 2 s, "
            "nominal 1 s x 1 = 1 s");
  EXPECT_EQ(first(intended,
                  [](Log& log) {
                    log.tasks[0].nominal = 1;
                    log.tables.nodes[1].slowdown = 2;
                    log.tasks[2].nominal = 1.5;
                    log.tasks[4].nominal = 0.5;
                  }),
            "");
}

TEST(Check, MultipliesAColdTaskByItsJobsFactorElseTheConfigs) {
  const auto cold = [](Log& log) {
    log.header.config = small_config("fifo", with_reuse);
    log.tables.jobs[0].warmup = 4;
    for (TaskRow& row : log.tasks) row.nominal = row.intended / (row.job == 0 ? 4 : 2);
    log.tasks[4].warm = 1;  // node 1 ran job 1 before
    log.tasks[4].nominal = 1;
  };
  EXPECT_EQ(first(intended, cold), "");
  EXPECT_EQ(first(warm_after_same, cold), "");
}

TEST(Check, FindsAJobOrStageThatItsTasksDeny) {
  EXPECT_EQ(first(job_spans, [](Log& log) { log.tables.jobs[1].first_start = 1; }),
            "/jobs row 1: 1 s to 6 s, its 3 tasks: 2 s to 6 s, 3 finished");
  EXPECT_EQ(first(job_spans, [](Log& log) { log.tables.jobs[0].finish = 4.5; }),
            "/jobs row 0: 0 s to 4.5 s, its 2 tasks: 0 s to 4 s, 2 finished");
  EXPECT_EQ(first(stage_spans, [](Log& log) { log.tables.stages[2].finish = nan_time; }),
            "/stages row 2: 5 s to nan s, its 2 tasks: 5 s to 6 s, 2 finished");
}

TEST(Check, DoesNotCountAnAttemptThatFoundItsNodeLostAsAStart) {
  EXPECT_EQ(first(job_spans,
                  [](Log& log) {
                    TaskRow lost = row_of({1, 1, 0, 0, 1, 1.5, 1.5});
                    lost.outcome = static_cast<std::uint8_t>(Outcome::lost);
                    log.tasks[2].attempt = 1;
                    log.tasks.push_back(lost);
                  }),
            "");
}

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
            [](Log& log) { log.decisions.put(Stamped<Revoke>{{.node = NodeId(0U)}, 2, 3, 2}); }),
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

TEST(Check, ForgivesARunWhatItsClocksCanNotTell) {
  Log log = small_log();
  log.header.mode = "run";
  log.header.speed = 1000;
  log.tables.ranks = {{}, {.rank = 1, .clock_uncertainty = 20e-6}};
  log.tasks[3].start = log.tasks[3].queued = 4.9;  // parents end at 5 s; 6 x 20 us x 1000
  log.tasks[2].start = log.tasks[2].queued = 1.9;  // on the slot of another that ends at 2 s
  EXPECT_EQ(finding(log, parents_first).first, "");
  EXPECT_EQ(finding(log, slots_not_shared).first, "");
  EXPECT_EQ(finding(log, queued_when_placed).first, "");
  EXPECT_THAT(finding(log, parents_first).note, HasSubstr("0.12 emulated s"));
  log.tasks[3].start = log.tasks[3].queued = 4.85;
  log.tasks[2].start = log.tasks[2].queued = 1.85;
  EXPECT_NE(finding(log, parents_first).first, "");
  EXPECT_NE(finding(log, slots_not_shared).first, "");
  EXPECT_NE(finding(log, queued_when_placed).first, "");
  EXPECT_FALSE(finding(log, queued_when_placed).asserted);
}

TEST(Check, HoldsNothingAgainstALogThatWasCutOff) {
  Log log = small_log();
  log.header.complete = false;
  log.tasks.resize(3);
  launches_of(log).resize(4);
  for (JobRow& job : log.tables.jobs) job.state = static_cast<std::uint8_t>(JobState::active);
  for (JobRow& job : log.tables.jobs) job.first_start = job.finish = nan_time;
  const auto findings = check_log(log);
  EXPECT_TRUE(passed(findings)) << to_text(findings);
  log.tasks[2].start = 1;
  EXPECT_FALSE(passed(check_log(log))) << "but a shared slot is one";
}

TEST(Check, HoldsATaskThatNeverEndedAgainstNobody) {
  Log log = small_log();
  log.tasks[4] = unfinished(1, 2, 1);
  log.tasks[4].node = 1;
  JobRow& job = log.tables.jobs[1];
  job.state = static_cast<std::uint8_t>(JobState::active);
  job.finish = nan_time;
  log.tables.stages[2].finish = nan_time;
  const auto findings = check_log(log);
  EXPECT_TRUE(passed(findings)) << to_text(findings);
}

TEST(Check, PrintsOneLineAnInvariant) {
  const std::vector<Finding> findings = {
      {.invariant = "a", .checked = 3, .note = "so"},
      {.invariant = "bcd", .checked = 4, .offences = 2, .first = "row 1"},
      {.invariant = "e", .checked = 5, .offences = 1, .first = "row 7", .asserted = false}};
  EXPECT_EQ(to_text(findings),
            "holds   a             3 checked (so)\n"
            "BROKEN  bcd           4 checked, 2 offend, first row 1\n"
            "noted   e             5 checked, 1 offend, first row 7\n");
  EXPECT_FALSE(passed(findings));
  EXPECT_EQ(to_json(findings)[1]["first"], "row 1");
  EXPECT_EQ(to_json(findings)[2]["asserted"], false);
}

}  // namespace
}  // namespace somnus
