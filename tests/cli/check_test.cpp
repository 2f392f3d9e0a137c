#include "audit/check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/invariants.hpp"
#include "config/config.hpp"
#include "model/event.hpp"

namespace somnus {
namespace {

using testing::HasSubstr;

TEST(Check, HoldsEveryInvariantOfASoundLog) {
  std::vector<std::string> asked;
  for (const Finding& one : check_log(small_log())) {
    asked.push_back(one.invariant);
    EXPECT_GT(one.checked, 0U) << one.invariant;
    EXPECT_EQ(one.first, "") << one.invariant;
    EXPECT_TRUE(one.asserted) << one.invariant;
  }
  EXPECT_THAT(asked, testing::UnorderedElementsAre(
                         references, jobs_conserved, finish_once, numbered, placed_when_ready,
                         queued_when_placed, started_when_queued, parents_first, takes_exactly,
                         intended, job_spans, stage_spans, slots_exist, slots_not_shared,
                         never_warm, samples_possible, work_conserved, decisions_launched,
                         attempts_decided, rows_numbered, ranks_have_nodes, header_of_config,
                         tables_follow, backups_counted, nothing_measured));
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
  EXPECT_EQ(
      first(references, [](Log& log) { log.tables.stages.push_back({.job = 2, .tasks = 1}); }),
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
  const auto with_curves = [](std::vector<CurveRow> rows) {
    return first(references, [&](Log& log) { log.tables.curves = rows; });
  };
  EXPECT_EQ(with_curves({{.job = 2, .slots = 1, .gain = 0.5}}), "/curves row 0: job 2 is unknown");
  EXPECT_EQ(with_curves({{.job = 1, .slots = 1, .gain = 0.5}, {.job = 0, .slots = 1, .gain = 0.5}}),
            "/curves row 1: job 0 comes after job 1");
  EXPECT_EQ(with_curves({{.job = 0, .slots = 1, .gain = 0.5}, {.job = 0, .slots = 1, .gain = 0.5}}),
            "/curves row 1: up to 1 slots, where 2 to 2 can be");
  EXPECT_EQ(with_curves({{.job = 0, .slots = 4, .gain = 0.5}}),
            "/curves row 0: up to 4 slots, where 1 to 2 can be");
  EXPECT_EQ(with_curves({{.job = 0, .slots = 1, .gain = 0.5}, {.job = 0, .slots = 2, .gain = 0.6}}),
            "/curves row 1: a gain of 0.6, where 0 to 0.5 can be");
  EXPECT_EQ(with_curves({{.job = 0, .slots = 2, .gain = 0.75}}),
            "/curves row 0: a progress of 1.5, where 1 is the most");
  EXPECT_EQ(with_curves({{.job = 0, .slots = 1, .gain = -0.5}}),
            "/curves row 0: a gain of -0.5, where 0 to 1 can be");
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
            "expected 1 s: nominal 1 s, slowdown 1, app 0, the slot's last app none");
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

TEST(Check, ForgivesAPartThatWasKilledMoreForNobodyKnowsItsClocks) {
  Log log = small_log();
  log.header.mode = "run";
  log.tables.ranks = {{}, {.rank = 1, .clock_uncertainty = 20e-6}};
  log.tasks[3].start = log.tasks[3].queued = 4.98;  // parents end at 5 s
  EXPECT_NE(finding(log, parents_first).first, "");
  log.tables.resumes = {{.time = 4.9, .clock_uncertainty = 0.003}};
  EXPECT_NE(finding(log, parents_first).first, "");
  log.tables.resumes = {{.time = 4.9, .clock_uncertainty = 0}};
  EXPECT_EQ(finding(log, parents_first).first, "");
}

TEST(Check, ForgivesARunThatWasKilledBeforeItRecordedItsClocks) {
  Log log = small_log();
  log.header.mode = "run";
  log.tables.ranks = {{}, {.rank = 1}};
  log.tasks[3].ready = log.tasks[3].placed + 2.8e-6;
  EXPECT_NE(finding(log, placed_when_ready).first, "");
  log.header.complete = false;
  EXPECT_EQ(finding(log, placed_when_ready).first, "");
  log.tables.ranks[1].clock_uncertainty = 1e-7;
  EXPECT_NE(finding(log, placed_when_ready).first, "");
}

TEST(Check, MissesNoAttemptThatWasGivenUpInALogThatWasCutOff) {
  Log log = small_log();
  log.tasks[3].attempt = 1;
  log.header.complete = false;
  EXPECT_NE(finding(log, numbered).first, "");
  log.header.config += "\n[heartbeat]\ninterval_s = 1\n[faults]\nmissed_heartbeats = 4\n";
  EXPECT_EQ(finding(log, numbered).first, "");
  log.header.complete = true;
  EXPECT_NE(finding(log, numbered).first, "");
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

TEST(Check, NotesAJobThatEndsAfterItsLastPromise) {
  Log log = small_log();
  EXPECT_FALSE(was_asked(log, promises_kept)) << "nobody has promised anything";
  auto& promises = log.decisions.get<Stamped<Promise>>();
  promises = {{{0, 5, 0}, {JobId(0U), at_seconds(3)}}, {{1, 6, 1}, {JobId(1U), at_seconds(6)}}};
  Finding finding = somnus::finding(log, promises_kept);
  EXPECT_EQ(finding.checked, 2U);
  EXPECT_EQ(finding.offences, 1U);
  EXPECT_EQ(finding.first, "/jobs row 0: finish 4 s, promised for 3 s in /decisions/promise row 0");
  EXPECT_EQ(finding.note, "worst: job 0, late by 1 s");
  EXPECT_TRUE(passed(check_log(log))) << "it is no law";
  promises.push_back({{2, 7, 2}, {JobId(0U), at_seconds(4)}});
  finding = somnus::finding(log, promises_kept);
  EXPECT_EQ(finding.offences, 0U) << "the last promise counts";
  EXPECT_EQ(finding.note, "");
  log.tables.jobs[0].finish = nan_time;
  EXPECT_EQ(somnus::finding(log, promises_kept).checked, 1U) << "it has not ended";
}

TEST(Check, WorksNothingOutOfASpeedThatNoRunHas) {
  Log log = small_log();
  log.header.mode = "run";
  for (const double speed : {0.0, 1e12, 1e308, std::nan("")}) {
    log.header.speed = speed;
    EXPECT_THAT(finding(log, references).first, HasSubstr("root attribute speed is"));
  }
}

// Else whoever forges a log lets those wait for ever who look at it.
TEST(Check, OpensNoPipeThatTheConfigNames) {
  const auto pipe =
      std::filesystem::temp_directory_path() / fmt::format("somnus-pipe-{}", ::getpid());
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const char* named : {"file = \"{}\"", "generator = \"dag-library\"\nlibrary = \"{}\""}) {
    Log log = small_log();
    log.header.config =
        "[cluster]\nnodes = 2\nslots_per_node = 1\n[scheduler]\npolicy = \"fifo\"\n[workload]\n" +
        fmt::format(fmt::runtime(named), pipe.string());
    EXPECT_TRUE(parse_settings(log.header.config, "log", {}).has_value());
    EXPECT_FALSE(check_log(log).empty());
  }
  std::filesystem::remove(pipe);
}

TEST(Check, PrintsOneLineAnInvariant) {
  const std::vector<Finding> findings = {
      {.invariant = "a", .checked = 3, .note = "so"},
      {.invariant = "bcd", .checked = 4, .offences = 2, .first = "row 1"},
      {.invariant = "e", .checked = 5, .offences = 1, .first = "row 7", .asserted = false}};
  EXPECT_EQ(to_text(findings),
            "verdict    checked  invariant\n"
            "holds            3  a (so)\n"
            "BROKEN           4  bcd: 2 offend, first row 1\n"
            "noted            5  e: 1 offend, first row 7\n");
  EXPECT_FALSE(passed(findings));
  EXPECT_EQ(to_json(findings)[1]["first"], "row 1");
  EXPECT_EQ(to_json(findings)[2]["asserted"], false);
}

}  // namespace
}  // namespace somnus
