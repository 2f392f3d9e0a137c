// What a replay holds against the log beside decisions: wakings and rows of /targets.
#include "session/replay_verifier.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "audit/check.hpp"
#include "cli/simulated.hpp"
#include "harness/waking.hpp"
#include "scheduler/registry.hpp"
#include "session/replay.hpp"

namespace somnus {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

constexpr Time at(Duration since_start) { return start_of_time + since_start; }

/// A job has come at 1 s, and the policy wants to be asked at 4 s.
class Wakings : public ::testing::Test {
 protected:
  Wakings() : engine_(make()) {
    engine_->handle(at(1s), JobArrived{JobId(0U)});
    (void)engine_->plan(at(1s));
    log_.header.mode = "simulate";
  }

  Workload work_ = workload(1);
  std::unique_ptr<Engine> engine_;
  Log log_;

 private:
  std::unique_ptr<Engine> make() {
    const Settings settings = value_or_throw(parse_settings(config("fifo", ""), "test.toml", {}));
    Scheduler scheduler =
        make_scheduler({.order = "fifo", .placement = "any-free", .feedback = "at-once"},
                       {.cluster = settings.cluster, .queues = {}});
    scheduler.policy =
        std::make_unique<harness::Periodic>(std::move(scheduler.policy), Duration(4s));
    return std::make_unique<Engine>(work_.catalogue, settings.cluster, std::move(scheduler));
  }
};

TEST_F(Wakings, MayNotBeMissing) {
  ReplayVerifier replay_verifier(log_, *engine_, ReplayVerifier::Targets::some);
  replay_verifier.round_begins(at(4s));
  replay_verifier.planning(at(4s));
  EXPECT_EQ(replay_verifier.difference(),
            "the policy wanted to be asked at 4 s, but at 4 s there is no such event");
}

TEST_F(Wakings, MayNotBeLateUnderAVirtualClock) {
  ReplayVerifier simulated(log_, *engine_, ReplayVerifier::Targets::some);
  simulated.round_begins(at(5s));
  EXPECT_EQ(simulated.difference(), "the policy wanted to be asked at 4 s, the log goes on at 5 s");
  log_.header.mode = "run";
  ReplayVerifier run(log_, *engine_, ReplayVerifier::Targets::some);
  run.round_begins(at(5s));
  EXPECT_EQ(run.difference(), "");
}

TEST_F(Wakings, AreFineWhenTheyAreDue) {
  ReplayVerifier replay_verifier(log_, *engine_, ReplayVerifier::Targets::some);
  replay_verifier.round_begins(at(4s));
  EXPECT_TRUE(engine_->handle(at(4s), Woken{}));
  replay_verifier.planning(at(4s));
  EXPECT_EQ(replay_verifier.difference(), "");
}

Log log_with_targets(const std::string& more = {}) {
  return simulated(
      "[cluster]\nnodes = 3\nresources = { cpu = 8, mem_gb = 8 }\n[scheduler]\npolicy = \"drf\"\n" +
      more + "[workload]\nfile = \"forty.jsonl\"\n");
}

std::string difference(const Log& log) { return value_or_throw(replay_log(log)).difference; }

// One slot; at 1 s, when a sample is due, a task ends, one of no length comes and goes, and the
// next one starts: busy as before, but fewer wait after each.
TEST(Samples, ThatShowWhatWasBeforeTheEndOfTheirInstantAreFound) {
  Log log = simulated(
      value_or_throw(parse_settings("[cluster]\nnodes = 1\nslots_per_node = 1\n[scheduler]\n"
                                    "policy = \"fifo\"\n[workload]\nfile = \"four.jsonl\"\n",
                                    "test.toml", {})),
      assemble({.name = "four", .jobs = {{.job = "j", .stages = {{.durations = {1, 0, 1, 1}}}}}},
               1));
  ASSERT_EQ(difference(log), "");
  SampleRow& sample = log.samples[1];
  ASSERT_EQ(sample.time, 1);
  ASSERT_EQ(sample.pending_tasks, 1U);
  for (const std::uint32_t before : {3U, 2U}) {
    sample.pending_tasks = before;
    EXPECT_THAT(difference(log), StartsWith("/samples row 1 at 1 s: "));
  }
}

TEST(Targets, AreRecordedOfEachActiveJobAtEachSample) {
  const Log log = log_with_targets();
  std::size_t row = 0;
  for (const SampleRow& sample : log.samples) {
    double allocated = 0;
    std::uint32_t jobs = 0;
    for (; row < log.targets.size() && log.targets[row].time == sample.time; ++row, ++jobs) {
      EXPECT_GT(log.targets[row].entitled, 0);
      EXPECT_LE(log.targets[row].entitled, 1);
      EXPECT_TRUE(std::isnan(log.targets[row].promised));
      allocated += log.targets[row].allocated;
    }
    EXPECT_EQ(jobs, sample.active_jobs);
    EXPECT_EQ(allocated > 0, sample.busy_slots > 0);
  }
  EXPECT_EQ(row, log.targets.size());
  EXPECT_GT(row, log.samples.size());
  EXPECT_EQ(difference(log), "");
  EXPECT_TRUE(simulated(config("fifo", "")).targets.empty()) << "it has none in mind";
}

TEST(Targets, ThatWereForgedAreFound) {
  const Log log = log_with_targets();
  const std::size_t middle = log.targets.size() / 2;
  const auto forged = [&](const std::function<void(TargetRow&)>& forge) {
    Log copy = log;
    forge(copy.targets[middle]);
    return difference(copy);
  };
  const std::string row = fmt::format("/targets row {} at ", middle);
  EXPECT_THAT(forged([](TargetRow& one) { one.entitled += 1e-9; }), StartsWith(row));
  EXPECT_THAT(forged([](TargetRow& one) { one.target = 0; }), StartsWith(row));
  EXPECT_THAT(forged([](TargetRow& one) { one.allocated *= 1.01; }), StartsWith(row));
  EXPECT_THAT(forged([](TargetRow& one) { one.promised = 1; }), StartsWith(row));
  EXPECT_THAT(forged([](TargetRow& one) { one.job = one.job == 0 ? 1 : 0; }), StartsWith(row));
  EXPECT_THAT(forged([](TargetRow& one) { one.time += 0.001; }), HasSubstr("/targets row "));
}

TEST(Targets, ThatAreMissingOrTooManyAreFound) {
  Log log = log_with_targets();
  const std::vector<TargetRow> whole = log.targets;
  log.targets.erase(log.targets.begin() + 3);
  EXPECT_THAT(difference(log), StartsWith("/targets row "));
  log.targets = whole;
  log.targets.push_back(log.targets.back());
  log.targets.back().time += 1;
  EXPECT_THAT(difference(log), HasSubstr("is of no sample"));
  log.targets.clear();
  EXPECT_THAT(difference(log), StartsWith("/targets row 0"));
  log.header.complete = false;
  EXPECT_EQ(difference(log), "") << "what was cut off nobody misses";
}

TEST(Targets, AreNotExpectedWhereTheConfigDoesNotWantThem) {
  Log log = log_with_targets("[log]\ntargets = false\n");
  EXPECT_THAT(difference(log), StartsWith("/targets row 0")) << "the test's recorder kept them";
  log.targets.clear();
  EXPECT_EQ(difference(log), "");
}

TEST(Targets, ThatPointNowhereAreFoundByCheck) {
  Log log = log_with_targets();
  log.targets[5].job = 4000;
  const auto findings = check_log(log);
  EXPECT_FALSE(passed(findings));
  EXPECT_THAT(to_text(findings), HasSubstr("/targets row 5: job 4000"));
}

}  // namespace
}  // namespace somnus
