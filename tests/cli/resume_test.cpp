// A run that was cut off anywhere goes on, under the virtual clock: in the end its log is that of
// one run, with every task finished once.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "audit/check.hpp"
#include "cli/simulated.hpp"
#include "session/replay.hpp"
#include "session/resume.hpp"
#include "session/run_history.hpp"
#include "session/state_recovery.hpp"

namespace somnus {
namespace {

/// As a killed run leaves it: each table ends somewhere.
Log cut_off(Log log, RandomStream& draw) {
  log.header.mode = "run";
  log.header.complete = false;
  log.tables.scheduler = {};
  const auto some_of = [&](std::size_t count) {
    return static_cast<std::size_t>(draw.uniform() * static_cast<double>(count + 1));
  };
  const std::size_t kept = some_of(log.events.size());
  const std::size_t decisions = some_of(log.decisions.size());
  log.events.for_each([&](auto& rows) {
    std::erase_if(rows, [&](const auto& row) { return row.number >= kept; });
  });
  log.decisions.for_each([&](auto& rows) {
    std::erase_if(rows, [&](const auto& row) { return row.number >= decisions; });
  });
  log.tasks.resize(log.tasks.size() - some_of(log.tasks.size()) / 4);
  log.samples.resize(some_of(log.samples.size()));
  return log;
}

LossReporter loss_reporter(const Settings& settings) {
  return settings.faults.missed_heartbeats > 0 ? LossReporter::by_nobody : LossReporter::by_nodes;
}

/// What becomes of it.
Log gone_on(const Settings& settings, const Workload& work, const RunHistory& history) {
  Log log;
  log.header = log_header(settings, work, "run", 2);
  log.tables = initial_tables(settings, work, 1);
  log.tables.ranks[1] = {.rank = 1,
                         .nodes = settings.cluster.node_count(),
                         .slots = static_cast<std::uint32_t>(settings.cluster.slot_count()),
                         .clock_uncertainty = 1e-9};
  log.tables.resumes = resumes_of(history, 2);
  const auto engine = engine_of(settings, work.catalogue, work.names);
  const auto estimator = estimator_of(settings, work);
  Recorder recorder(work, *engine, log.tables, {.kept = &log});
  Resumption resumption = recover_state(history, settings, work, *engine, *estimator, recorder);
  NodeSet nodes(settings.cluster, NodeId(0U), settings.cluster.node_count(),
                node_model_of(settings));
  nodes.go_on_from(resumption.at);
  Loopback transport(nodes);
  VirtualClock clock(resumption.at);
  Loop loop(work, *engine, *estimator, clock, transport, recorder, every_second(settings),
            std::move(resumption));
  loop.run();
  recorder.finish();
  log.header.complete = true;
  return log;
}

std::set<std::pair<std::uint32_t, std::uint32_t>> finished(const Log& log) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> tasks;
  for (const TaskRow& row : log.tasks) {
    if (row.outcome != static_cast<std::uint8_t>(Outcome::finished)) continue;
    EXPECT_TRUE(tasks.insert({row.stage, row.index}).second) << "finished twice";
  }
  return tasks;
}

void expect_one_run(const Log& log) {
  EXPECT_EQ(value_or_throw(replay_log(log)).difference, "");
  const auto findings = check_log(log);
  EXPECT_TRUE(passed(findings)) << to_text(findings);
}

class AnyRun : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  [[nodiscard]] static Settings settings() {
    const auto [policy, more] = GetParam();
    return value_or_throw(parse_settings(config(policy, more), "test.toml", {}));
  }
};

TEST_P(AnyRun, CutOffAnywhereAndAgainGoesOnToItsEnd) {
  const Settings by = settings();
  const Workload work = workload(1);
  const Log whole = simulated(by, work);
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    RandomStream draw(seed, "cut off");
    const RunHistory first(cut_off(whole, draw), work.catalogue, loss_reporter(by), never);
    const Log once = gone_on(by, work, first);
    expect_one_run(once);
    const RunHistory second(cut_off(once, draw), work.catalogue, loss_reporter(by), never);
    const Log twice = gone_on(by, work, second);
    expect_one_run(twice);
    EXPECT_EQ(finished(twice), finished(whole)) << "seed " << seed;
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, AnyRun,
                         testing::Combine(testing::Values("fifo", "fair", "cfq", "uwfq"),
                                          testing::Values("", warm, reported_faults, silent_faults,
                                                          backups)));
INSTANTIATE_TEST_SUITE_P(Wholes, AnyRun,
                         testing::Combine(testing::Values("tetris", "carbyne"),
                                          testing::Values("", reported_faults, silent_faults,
                                                          backups)));
INSTANTIATE_TEST_SUITE_P(
    Queues, AnyRun,
    testing::Combine(testing::Values("yarn", "yaq-c", "mercury", "sparrow", "yaq-d"),
                     testing::Values("", reported_faults, silent_faults, backups)));

TEST(RunHistory, EndsBeforeAnEndWithoutARowAndDropsEstimatesOfAJobThatHasNotCome) {
  const Settings by = value_or_throw(parse_settings(config("fifo", ""), "test.toml", {}));
  const Workload work = workload(1);
  Log log = simulated(by, work);
  log.header.complete = false;
  const auto& ends = log.events.get<Stamped<TaskEnded>>();
  const auto number = ends.at(7).number;
  const Stage& stage = work.catalogue[work.catalogue.stage_of[ends.at(7).task.index()]];
  std::erase_if(log.tasks, [&](const TaskRow& row) {
    return row.job == stage.job.value() &&
           row.index == ends.at(7).task.value() - stage.first_task.value() &&
           work.catalogue.stages[row.stage].first_task == stage.first_task;
  });
  const RunHistory history(log, work.catalogue, LossReporter::by_nodes, never);
  EXPECT_LE(history.size(), number);
  history.visit(history.size() - 1, [](const auto& row, std::size_t) {
    EXPECT_FALSE((std::is_same_v<std::remove_cvref_t<decltype(row)>, Stamped<StageEstimated>>));
  });
  EXPECT_LE(history.at(), at_seconds(ends.at(7).time));
}

TEST(RunHistory, OfALogWithoutEventsIsTheStart) {
  const RunHistory history(Log(), Catalogue(), LossReporter::by_nodes, never);
  EXPECT_EQ(history.size(), 0U);
  EXPECT_EQ(history.rounds(), 0U);
  EXPECT_EQ(history.at(), start_of_time + std::chrono::microseconds(1));
}

}  // namespace
}  // namespace somnus
