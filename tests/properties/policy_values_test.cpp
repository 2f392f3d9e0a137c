// Policies are values: a copy is as good as the original, and shares nothing with it.
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "harness/property.hpp"
#include "harness/scenarios.hpp"
#include "harness/watched.hpp"

namespace somnus::harness {
namespace {

TEST(PolicyValues, ACloneTakesOverInTheMiddleOfARunAndNobodyNotices) {
  check_law({.cases = 200}, [] {
    Scenario scenario = any_scenario({});
    const std::string undisturbed = transcript(run(scenario));
    const int before_plan = *rc::gen::inRange(0, 40);
    scenario.conditions.wrap = [&](std::unique_ptr<Policy> policy) {
      return std::make_unique<HandedOver>(std::move(policy), before_plan);
    };
    RC_ASSERT(transcript(run(scenario)) == undisturbed);
  });
}

TEST(PolicyValues, WhatTheOriginalDoesAfterwardsDoesNotReachItsClone) {
  check_law({.cases = 100}, [] {
    Scenario scenario = any_scenario({});
    const Workload jobs = scenario.workload();
    std::unique_ptr<Policy> newborn;
    scenario.conditions.wrap = [&](std::unique_ptr<Policy> policy) {
      newborn = policy->clone();
      return policy;
    };
    const std::string first = transcript(simulate(jobs, scenario.cluster, scenario.conditions));
    scenario.conditions.wrap = [&](const std::unique_ptr<Policy>&) { return std::move(newborn); };
    RC_ASSERT(transcript(simulate(jobs, scenario.cluster, scenario.conditions)) == first);
  });
}

}  // namespace
}  // namespace somnus::harness
