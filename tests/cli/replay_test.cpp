#include "emulator/run/replay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/simulated.hpp"
#include "emulator/audit/check.hpp"
#include "emulator/log/rows.hpp"

namespace somnus {
namespace {

using testing::HasSubstr;

Log srpt_log() { return simulated(config("srpt", "")); }

Replayed replayed(const Log& log) { return value_or_throw(replay_log(log)); }

std::string refusal(const Log& log) {
  const auto result = replay_log(log);
  return result ? "" : result.error().text();
}

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
    testing::Combine(testing::Values("fifo", "fair", "srpt", "cfq", "tetris"),
                     testing::Values("", "[run]\nuntil_s = 9", "feedback = \"heartbeat\"",
                                     "[network]\ndelay_ms = 30\njitter = 0.5",
                                     "[estimate]\nmodel = \"naive\"",
                                     "[jvm]\nmodel = \"reuse\"\nfactor = 3",
                                     "[faults]\ntask_failure_probability = 0.2\n"
                                     "event = [{ at_s = 2, node = 1 }, "
                                     "{ at_s = 6, node = 1, kind = \"node-returned\" }]")));

class EveryPacking : public testing::TestWithParam<const char*> {};

TEST_P(EveryPacking, DecidesAgainAsItDidAndItsLogKeepsEveryInvariant) {
  const Log log = simulated(packing_config(GetParam()));
  EXPECT_EQ(replayed(log).difference, "");
  EXPECT_EQ(replayed(log).decisions, log.decisions.size());
  const auto findings = check_log(log);
  EXPECT_TRUE(passed(findings)) << to_text(findings);
}

INSTANTIATE_TEST_SUITE_P(Replay, EveryPacking,
                         testing::Values("", "tetris.fairness = 0", "tetris.fairness = 1",
                                         "feedback = \"heartbeat\"",
                                         "feedback = \"any-heartbeat\"\ntetris.barrier = 0.5",
                                         "[faults]\ntask_failure_probability = 0.2\n"
                                         "event = [{ at_s = 2, node = 1 }, "
                                         "{ at_s = 6, node = 1, kind = \"node-returned\" }]"));

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

TEST(Replay, FindsAChangedDecision) {
  Log log = srpt_log();
  ASSERT_GT(log.decisions.size(), 20U);
  DecisionRow& one = log.decisions[20];
  const std::uint32_t task = one.task;
  one.node = (one.node + 1) % 3;
  const std::string difference = replayed(log).difference;
  EXPECT_THAT(difference, HasSubstr(fmt::format("round {} at {} s", one.round, one.time)));
  EXPECT_THAT(difference, HasSubstr(fmt::format("then task {} (job ", task)));
  EXPECT_THAT(difference,
              HasSubstr(fmt::format("on node {}, attempt 0, now task {}", one.node, task)));
}

TEST(Replay, FindsAMissingAndAnAddedDecision) {
  Log log = srpt_log();
  const DecisionRow last = log.decisions.back();
  log.decisions.pop_back();
  EXPECT_THAT(replayed(log).difference,
              HasSubstr(fmt::format("then none, now task {} (", last.task)));
  log.decisions.push_back(last);
  log.decisions.push_back(last);
  EXPECT_THAT(replayed(log).difference, HasSubstr(", now none"));
  log.decisions.back().round = log.events.back().round + 1;
  EXPECT_THAT(replayed(log).difference, HasSubstr("now none, as the log has no event"));
}

TEST(Replay, FindsADecisionOfAnotherTimeOrRound) {
  Log log = srpt_log();
  log.decisions.back().time += 0.25;
  EXPECT_THAT(replayed(log).difference,
              HasSubstr(fmt::format("at {} s", log.decisions.back().time)));
}

TEST(Replay, FindsAnEstimateThatWouldHaveChangedTheOrder) {
  Log log = srpt_log();
  for (EventRow& row : log.events) {
    if (std::holds_alternative<StageEstimated>(event_of(row))) row.value = 100 - row.value;
  }
  EXPECT_NE(replayed(log).difference, "");
}

TEST(Replay, FindsAnEventThatCanNotBe) {
  Log log = srpt_log();
  const auto end = std::ranges::find_if(log.events, [](const EventRow& row) {
    return std::holds_alternative<TaskEnded>(event_of(row));
  });
  end->attempt = 9;
  EXPECT_THAT(replayed(log).difference,
              HasSubstr(fmt::format("/events row {} can't be", end - log.events.begin())));
  log = srpt_log();
  log.events.insert(log.events.begin() + 2, log.events[1]);
  EXPECT_THAT(replayed(log).difference, HasSubstr("/events row 2 can't be"));
}

TEST(Replay, ComparesWhatIsThereOfALogThatWasCutOff) {
  const Log whole = srpt_log();
  for (std::size_t kept = 1; kept < whole.decisions.size(); kept += 7) {
    Log log = whole;
    log.header.complete = false;
    log.decisions.resize(kept);
    const Replayed result = replayed(log);
    EXPECT_EQ(result.difference, "");
    EXPECT_EQ(result.decisions, kept);
    EXPECT_THAT(result.cut_off, HasSubstr("the log's decisions end in round"));
  }
  for (std::size_t kept = 1; kept < whole.events.size(); kept += 7) {
    Log log = whole;
    log.header.complete = false;
    log.events.resize(kept);
    const Replayed result = replayed(log);
    EXPECT_EQ(result.difference, "");
    EXPECT_EQ(result.events, kept);
    EXPECT_THAT(result.cut_off, HasSubstr("the log ends in round"));
  }
}

TEST(Replay, StillFindsAChangedDecisionInALogThatWasCutOff) {
  Log log = srpt_log();
  log.header.complete = false;
  log.events.pop_back();
  log.decisions[5].node = (log.decisions[5].node + 1) % 3;
  EXPECT_NE(replayed(log).difference, "");
}

TEST(Replay, RefusesWhatItCanNotReplay) {
  Log log = srpt_log();
  log.events.clear();
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
  EXPECT_EQ(changed([](Log& log) { log.events[3].kind = 7; }), "/events row 3: kind 7");
  EXPECT_EQ(changed([](Log& log) { log.events[3].outcome = 5; }), "/events row 3: outcome 5");
  EXPECT_EQ(changed([](Log& log) { log.events[0].what = 4000; }),
            "/events row 0: there is no stage 4000");
  EXPECT_EQ(changed([](Log& log) { log.events[0].time = nan_time; }), "/events row 0: time nan s");
  EXPECT_EQ(changed([](Log& log) { log.events[0].time = 1; }), "/events row 1: time goes back");
  EXPECT_EQ(changed([](Log& log) { log.events[0].round = 1; }), "/events row 1: round goes back");
  EXPECT_EQ(changed([](Log& log) { log.decisions[0].task = 4000; }),
            "/decisions row 0: there is no task 4000");
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

TEST(Rows, GiveBackTheEventThatTheyWereMadeOf) {
  const TaskEnded end{.task = TaskId(5U),
                      .node = NodeId(2U),
                      .attempt = 3,
                      .outcome = Outcome::lost,
                      .own = Estimate{1.25}};
  const Event events[] = {JobArrived{JobId(7U)},
                          StageEstimated{StageId(8U), Estimate{0.1}},
                          end,
                          NodeOffered{NodeId(1U)},
                          NodeLost{NodeId(0U)},
                          NodeReturned{NodeId(9U)}};
  for (const Event& event : events) {
    const Time time(Duration(123456789012345));
    const EventRow row = to_row(time, 17, event);
    EXPECT_EQ(at_seconds(row.time), time);
    EXPECT_EQ(row.round, 17U);
    EXPECT_EQ(row.kind, event.index());
    const Event back = event_of(row);
    EXPECT_EQ(back.index(), event.index());
    const EventRow again = to_row(time, 17, back);
    EXPECT_EQ(std::tie(again.what, again.node, again.attempt, again.outcome),
              std::tie(row.what, row.node, row.attempt, row.outcome));
  }
  const auto back = std::get<TaskEnded>(event_of(to_row(start_of_time, 0, end)));
  EXPECT_EQ(back.task, end.task);
  EXPECT_EQ(back.node, end.node);
  EXPECT_EQ(back.attempt, end.attempt);
  EXPECT_EQ(back.outcome, end.outcome);
  EXPECT_EQ(back.own.seconds, end.own.seconds);
  EXPECT_EQ(
      std::get<StageEstimated>(event_of(to_row(start_of_time, 0, events[1]))).slot_time.seconds,
      0.1);
}

TEST(Rows, KeepAllOfADecision) {
  const DecisionRow row =
      to_row(Time(seconds(1.5)), 4,
             Launch{.task = TaskId(5U), .node = NodeId(2U), .attempt = 3, .stage = StageId(1U)});
  EXPECT_EQ(row.time, 1.5);
  EXPECT_EQ(row.round, 4U);
  EXPECT_EQ(row.task, 5U);
  EXPECT_EQ(row.node, 2U);
  EXPECT_EQ(row.attempt, 3U);
}

}  // namespace
}  // namespace somnus
