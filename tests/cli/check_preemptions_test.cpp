// What `check` finds where gangs and single tasks give up their slots.
#include <gtest/gtest.h>

#include <string>

#include "cli/invariants.hpp"
#include "cli/simulated.hpp"

namespace somnus {
namespace {

constexpr const char* preempted_ran =
    "who gives up its slots runs, as one, and all of it is killed";
constexpr const char* killed_for_a_reason =
    "a gang or single task is killed as its job or another of its tasks fails, or for its slots";

/// Two gangs of all six slots: the second takes them at 2 s, when the first has had 12
/// slot-seconds.
Log two_gangs() {
  const Settings settings = value_or_throw(
      parse_settings("[cluster]\nnodes = 3\nslots_per_node = 2\n[scheduler]\norder = \"las\"\n"
                     "placement = \"any-free\"\npreemption = \"requeue\"\nlas.threshold_s = 12\n"
                     "[workload]\nfile = \"two.jsonl\"\n",
                     "test.toml", {}));
  WorkloadSpec spec{.name = "two"};
  for (const double submit : {0.0, 1.0}) {
    JobSpec job{.job = fmt::format("j{}", submit), .submit = submit};
    job.stages.push_back({.durations = std::vector<double>(6, 3.0), .gang = true});
    spec.jobs.push_back(std::move(job));
  }
  return simulated(settings, assemble(spec, 1));
}

TEST(CheckPreemptions, HoldsOfASoundLog) {
  const Log log = two_gangs();
  ASSERT_EQ(log.decisions.get<Stamped<Preemption>>().size(), 1U);
  EXPECT_EQ(finding(log, preempted_ran).first, "");
  EXPECT_EQ(finding(log, killed_for_a_reason).first, "");
  EXPECT_TRUE(passed(check_log(log))) << to_text(check_log(log));
}

TEST(CheckPreemptions, FindsATaskWithoutAKill) {
  Log log = two_gangs();
  log.decisions.get<Stamped<Kill>>().pop_back();
  EXPECT_EQ(finding(log, preempted_ran).first,
            "/decisions/preemption row 0: stage 0 has a task without a kill at 2 s");
}

TEST(CheckPreemptions, FindsOneThatDidNotRun) {
  Log log = two_gangs();
  log.decisions.get<Stamped<Preemption>>()[0].stage = StageId(1U);
  log.decisions.get<Stamped<Preemption>>()[0].by = StageId(0U);
  EXPECT_EQ(finding(log, preempted_ran).first,
            "/decisions/preemption row 0: stage 1 does not run at 2 s");
}

TEST(CheckPreemptions, FindsAGangThatWasKilledForNothing) {
  Log log = two_gangs();
  log.decisions.get<Stamped<Preemption>>().clear();
  EXPECT_FALSE(was_asked(log, preempted_ran));
  EXPECT_GT(finding(log, killed_for_a_reason).offences, 0U);
}

}  // namespace
}  // namespace somnus
