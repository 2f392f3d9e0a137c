#include "session/replay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "audit/check.hpp"
#include "cli/simulated.hpp"
#include "cli/small_log.hpp"

namespace somnus {
namespace {

using testing::HasSubstr;

Log srpt_log() { return simulated(config("srpt", "")); }

/// What the scheduler decides again could also be decided by the log alone.
Replayed replayed(const Log& log) {
  Replayed again = value_or_throw(replay_log(log));
  const Replayed recorded = value_or_throw(replay_log(log, {}, ReplayBy::log));
  if (again.difference.empty()) {
    EXPECT_EQ(recorded.difference, "");
    EXPECT_EQ(recorded.cut_off.empty(), again.cut_off.empty());
    // Of a log that was cut off nobody knows whether a round without a decision lacks some.
    if (!again.cut_off.empty()) return again;
    EXPECT_EQ(std::tie(recorded.events, recorded.decisions, recorded.rounds),
              std::tie(again.events, again.decisions, again.rounds));
  }
  return again;
}

std::string refusal(const Log& log) {
  const auto result = replay_log(log);
  return result ? "" : result.error().text();
}

constexpr const char* failures_and_a_loss =
    "[faults]\ntask_failure_probability = 0.2\n"
    "event = [{ at_s = 2, node = 1 }, { at_s = 6, node = 1, kind = \"node-returned\" }]";

constexpr const char* failures_and_a_loss_with_jvms =
    "[jvm]\nmodel = \"executor\"\nstart_s = 0.25\nfactor = 2\ndecay_tasks = 2\n"
    "[faults]\ntask_failure_probability = 0.2\n"
    "event = [{ at_s = 2, node = 1 }, { at_s = 6, node = 1, kind = \"node-returned\" }]";

class EveryScheduler : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(EveryScheduler, DecidesAgainAsItDidAndItsLogKeepsEveryInvariant) {
  const auto [policy, more] = GetParam();
  const Log log = simulated(config(policy, more));
  const Replayed result = replayed(log);
  EXPECT_EQ(result.difference, "");
  EXPECT_EQ(result.cut_off, "");
  EXPECT_EQ(result.events, log.events.size());
  EXPECT_EQ(result.decisions, log.decisions.size());
  EXPECT_EQ(result.rounds, log.tables.scheduler.rounds);
  EXPECT_GE(log.decisions.size(), log.tasks.size());
  const auto findings = check_log(log);
  EXPECT_TRUE(passed(findings)) << to_text(findings);
}

INSTANTIATE_TEST_SUITE_P(
    Replay, EveryScheduler,
    testing::Combine(testing::Values("fifo", "fair", "srpt", "cfq", "tetris", "carbyne"),
                     testing::Values("", "[run]\nuntil_s = 9", "feedback = \"heartbeat\"",
                                     "[network]\ndelay_ms = 30\njitter = 0.5",
                                     "[estimate]\nmodel = \"naive\"",
                                     "[jvm]\nmodel = \"reuse\"\nfactor = 3",
                                     "[jvm]\nmodel = \"executor\"\nstart_s = 0.5\nfactor = 2\n"
                                     "decay_tasks = 3",
                                     "[jvm]\nmodel = \"measured\"", failures_and_a_loss,
                                     failures_and_a_loss_with_jvms)));

class EveryPacking : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(EveryPacking, DecidesAgainAsItDidAndItsLogKeepsEveryInvariant) {
  const auto [policy, more] = GetParam();
  const Log log = simulated(packing_config(more, policy));
  EXPECT_EQ(replayed(log).difference, "");
  EXPECT_EQ(replayed(log).decisions, log.decisions.size());
  const auto findings = check_log(log);
  EXPECT_TRUE(passed(findings)) << to_text(findings);
}

INSTANTIATE_TEST_SUITE_P(
    Tetris, EveryPacking,
    testing::Combine(testing::Values("tetris"),
                     testing::Values("", "tetris.fairness = 0", "tetris.fairness = 1",
                                     "feedback = \"heartbeat\"",
                                     "feedback = \"any-heartbeat\"\ntetris.barrier = 0.5",
                                     failures_and_a_loss)));

INSTANTIATE_TEST_SUITE_P(
    Carbyne, EveryPacking,
    testing::Combine(testing::Values("carbyne"),
                     testing::Values("", "carbyne.leftover = \"none\"",
                                     "carbyne.leftover = \"guarded\"",
                                     "carbyne.replan = \"each-event\"",
                                     "feedback = \"heartbeat\"\ncarbyne.altruism = 0.5",
                                     failures_and_a_loss)));

INSTANTIATE_TEST_SUITE_P(
    ReplayOfJobOrders, EveryScheduler,
    testing::Combine(
        testing::Values("fifo"),
        testing::Values("order = \"job-queue\"\njob-queue = { by = \"srjf\", "
                        "starvation_s = 4, starvation_relative = inf }",
                        "order = \"capacity\"\ncapacity.capacities = { A = 70, B = 30 }",
                        "order = \"capacity\"\ncapacity.max_capacity = 0.6")));

TEST(Replay, RefusesALogWhoseQueuesAreNotTheConfigs) {
  const std::string shares =
      config("fifo", "order = \"capacity\"\ncapacity.capacities = { A = 70, B = 30 }");
  Log log = simulated(shares);
  log.tables.names.queues = {"A", "C"};
  EXPECT_EQ(refusal(log),
            "the log's config: scheduler.capacity.capacities: there is no queue 'B' in the "
            "workload; it has A, C\n"
            "the log's config: scheduler.capacity.capacities: the workload's queue 'C' has no "
            "capacity here");
  log.tables.names.queues = {"A"};
  EXPECT_EQ(refusal(log), "/jobs has 2 queues, /names has 1");
}

NodeId next_of_three(NodeId node) { return NodeId((node.value() + 1) % 3); }

/// Only the rows with numbers below.
template <class Rows>
void cut_off(Batches<Rows>& tables, std::size_t kept) {
  tables.for_each([&](auto& rows) {
    std::erase_if(rows, [&](const auto& row) { return row.number >= kept; });
  });
}

TEST(Replay, FindsAChangedDecision) {
  Log log = srpt_log();
  ASSERT_GT(log.decisions.size(), 20U);
  Stamped<Launch>& one = launches_of(log)[20];
  const std::uint32_t task = one.task.value();
  one.node = next_of_three(one.node);
  const std::string difference = replayed(log).difference;
  EXPECT_THAT(difference, HasSubstr(fmt::format("round {} at {} s", one.round, one.time)));
  EXPECT_THAT(difference, HasSubstr(fmt::format("then launch task {} (job ", task)));
  EXPECT_THAT(difference,
              HasSubstr(fmt::format(" node {} attempt 0 into any slot", one.node.value())));
  EXPECT_THAT(difference, HasSubstr(fmt::format(", now launch task {} (", task)));
}

TEST(Replay, FindsAMissingAndAnAddedDecision) {
  Log log = srpt_log();
  const Stamped<Launch> last = launches_of(log).back();
  launches_of(log).pop_back();
  EXPECT_THAT(replayed(log).difference,
              HasSubstr(fmt::format("then none, now launch task {} (", last.task.value())));
  launches_of(log).push_back(last);
  launches_of(log).push_back(last);
  ++launches_of(log).back().number;
  EXPECT_THAT(replayed(log).difference, HasSubstr(", now none"));
  launches_of(log).back().round = static_cast<std::uint32_t>(log.tables.scheduler.rounds);
  EXPECT_THAT(replayed(log).difference, HasSubstr("now none, as the log has no event"));
}

TEST(Replay, FindsADecisionOfAnotherKindTimeOrRound) {
  Log log = srpt_log();
  const Stamped<Launch> last = launches_of(log).back();
  launches_of(log).back().time += 0.25;
  EXPECT_THAT(replayed(log).difference, HasSubstr(fmt::format("at {} s", last.time + 0.25)));
  launches_of(log).pop_back();
  log.decisions.put(Stamped<Ask>{{last.time, last.number, last.round}, {last.node, last.stage}});
  EXPECT_THAT(replayed(log).difference,
              HasSubstr(fmt::format("then ask node {} stage {} question probe, now launch task {}",
                                    last.node.value(), last.stage.value(), last.task.value())));
}

TEST(Replay, FindsAnEstimateThatWouldHaveChangedTheOrder) {
  Log log = srpt_log();
  for (auto& row : rows_of<Stamped<StageEstimated>>(log)) {
    row.slot_time.seconds = 100 - row.slot_time.seconds;
  }
  EXPECT_NE(replayed(log).difference, "");
}

TEST(Replay, FindsAnEventThatIsNotOfItsRoundsInstant) {
  Log log = srpt_log();
  rows_of<Stamped<JobArrived>>(log)[1].time += 0.01;  // two jobs come at 0 s
  EXPECT_THAT(replayed(log).difference, HasSubstr("and a round is one instant"));
}

TEST(Replay, FindsARoundOfWhichThereIsNoEvent) {
  Log log = srpt_log();
  auto& last = rows_of<Stamped<TaskEnded>>(log).back();
  ++last.round;
  EXPECT_THAT(replayed(log).difference,
              HasSubstr(fmt::format("the log has no event of round {}", last.round - 1)));
}

TEST(Replay, FindsAnEventThatCanNotBe) {
  Log log = srpt_log();
  rows_of<Stamped<TaskEnded>>(log).front().attempt = 9;
  EXPECT_THAT(replayed(log).difference, HasSubstr("/events/task_ended row 0 can't be"));
  log = srpt_log();
  auto& arrivals = rows_of<Stamped<JobArrived>>(log);
  arrivals[1].job = arrivals[0].job;
  EXPECT_THAT(replayed(log).difference, HasSubstr("/events/job_arrived row 1 can't be"));
}

TEST(Replay, ComparesWhatIsThereOfALogThatWasCutOff) {
  const Log whole = srpt_log();
  for (std::size_t kept = 1; kept < whole.decisions.size(); kept += 7) {
    Log log = whole;
    log.header.complete = false;
    cut_off(log.decisions, kept);
    const Replayed result = replayed(log);
    EXPECT_EQ(result.difference, "");
    EXPECT_EQ(result.decisions, kept);
    EXPECT_THAT(result.cut_off, HasSubstr("the log's decisions end in round"));
  }
  for (std::size_t kept = 1; kept < whole.events.size(); kept += 7) {
    Log log = whole;
    log.header.complete = false;
    cut_off(log.events, kept);
    const Replayed result = replayed(log);
    EXPECT_EQ(result.difference, "");
    EXPECT_EQ(result.events, kept);
    EXPECT_THAT(result.cut_off, HasSubstr("the log ends in round"));
  }
}

TEST(Replay, ComparesUpToWhereTheFirstTableOfALogWasCutOff) {
  Log log = srpt_log();
  log.header.complete = false;
  auto& ends = rows_of<Stamped<TaskEnded>>(log);
  const std::uint32_t gap = ends[20].number;  // while jobs still arrive
  ends.resize(20);
  const Replayed result = replayed(log);
  EXPECT_EQ(result.difference, "");
  EXPECT_EQ(result.events, gap);
  log.header.complete = true;
  EXPECT_THAT(refusal(log), HasSubstr(fmt::format(", expected {}", gap)));
}

TEST(Replay, StillFindsAChangedDecisionInALogThatWasCutOff) {
  Log log = srpt_log();
  log.header.complete = false;
  cut_off(log.events, log.events.size() - 1);
  launches_of(log)[5].node = next_of_three(launches_of(log)[5].node);
  EXPECT_NE(replayed(log).difference, "");
}

TEST(Replay, ComparesNothingWhereARunWasCutOffBeforeItsFirstEvent) {
  Log log = srpt_log();
  log.header.complete = false;
  log.events = {};
  log.decisions = {};
  EXPECT_EQ(replayed(log).cut_off, "the log ends before its first event; nothing is compared");
}

TEST(Replay, RefusesWhatItCanNotReplay) {
  Log log = simulated(config("srpt", "[log]\nreplay = false"));
  log.events = {};
  EXPECT_EQ(refusal(log),
            "the log has no events to decide from; a run keeps them with log.replay = true, which "
            "is the default");
  log = srpt_log();
  log.header.config = "[cluster]\nnodes = 3\n";
  EXPECT_THAT(refusal(log), HasSubstr("the log's config"));
  log = srpt_log();
  log.header.config = config("srpt", "[cluster]");
  EXPECT_NE(refusal(log), "");
  log = srpt_log();
  log.tables.nodes.pop_back();
  EXPECT_EQ(refusal(log), "the config has 3 nodes, /nodes has 2");
  log = srpt_log();
  log.tables.jobs[3].stages = 0;
  EXPECT_THAT(refusal(log), HasSubstr("/jobs row 3"));
}

TEST(Replay, RefusesRowsThatMakeNoSense) {
  const auto changed = [](auto&& change) {
    Log log = srpt_log();
    change(log);
    return refusal(log);
  };
  EXPECT_EQ(changed([](Log& log) {
              rows_of<Stamped<TaskEnded>>(log)[3].outcome = static_cast<Outcome>(7);
            }),
            "/events/task_ended row 3: outcome 7");
  EXPECT_EQ(
      changed([](Log& log) { rows_of<Stamped<StageEstimated>>(log)[0].stage = StageId(4000U); }),
      "/events/stage_estimated row 0: there is no stage 4000");
  EXPECT_EQ(
      changed([](Log& log) { rows_of<Stamped<StageEstimated>>(log)[0].slot_time = {nan_time}; }),
      "/events/stage_estimated row 0: slot_time nan");
  EXPECT_EQ(changed([](Log& log) { rows_of<Stamped<StageEstimated>>(log)[0].time = nan_time; }),
            "/events/stage_estimated row 0: time nan s");
  EXPECT_EQ(changed([](Log& log) { rows_of<Stamped<StageEstimated>>(log)[0].time = 1; }),
            "/events/job_arrived row 0: time goes back");
  EXPECT_EQ(changed([](Log& log) { rows_of<Stamped<StageEstimated>>(log)[0].round = 1; }),
            "/events/job_arrived row 0: round goes back");
  EXPECT_EQ(changed([](Log& log) { ++rows_of<Stamped<JobArrived>>(log)[0].number; }),
            "/events/job_arrived row 0: number 2, expected 1");
  EXPECT_EQ(changed([](Log& log) { launches_of(log)[0].task = TaskId(4000U); }),
            "/decisions/launch row 0: there is no task 4000");
}

TEST(LogTables, GiveBackTheCatalogueThatTheyWereMadeOf) {
  const Workload work = workload(1);
  const Catalogue again = catalogue_of(srpt_log());
  const Catalogue& before = work.catalogue;
  ASSERT_EQ(again.jobs.size(), before.jobs.size());
  for (std::size_t at = 0; at < before.jobs.size(); ++at) {
    EXPECT_EQ(again.jobs[at].submit, before.jobs[at].submit);
    EXPECT_EQ(again.jobs[at].user, before.jobs[at].user);
    EXPECT_EQ(again.jobs[at].app, before.jobs[at].app);
    EXPECT_EQ(again.jobs[at].first_stage, before.jobs[at].first_stage);
    EXPECT_EQ(again.jobs[at].first_task, before.jobs[at].first_task);
    EXPECT_EQ(again.jobs[at].tasks, before.jobs[at].tasks);
  }
  EXPECT_EQ(again.parents, before.parents);
  EXPECT_EQ(again.children, before.children);
  EXPECT_EQ(again.stage_of, before.stage_of);
  EXPECT_EQ(again.users, before.users);
  EXPECT_EQ(again.apps, before.apps);
}

}  // namespace
}  // namespace somnus
