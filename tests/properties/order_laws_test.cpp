// Each decision of each order against the order's definition, in random worlds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "harness/order_oracle.hpp"
#include "harness/property.hpp"
#include "harness/scenarios.hpp"

namespace somnus::harness {
namespace {

struct Choice {
  std::string order;
  Level level;
  UwfqRules rules{};
};
std::ostream& operator<<(std::ostream& out, const Choice& choice) {
  return out << choice.order << " by " << name_of(choice.level);
}

Parameters parameters_of(const Choice& choice) {
  if (choice.order == "fifo") return {};
  if (choice.order != "uwfq") return {{"level", name_of(choice.level)}};
  return {{"chain", choice.rules.chain},
          {"late_stage", choice.rules.late_stage},
          {"grace_s", choice.rules.grace_s}};
}

class OrderLaws : public ::testing::TestWithParam<Choice> {};

TEST_P(OrderLaws, NobodyIsServedWhileSomeoneBeforeHimFitsANode) {
  int choices = 0;
  check_law({.cases = 1000}, [&] {
    Scenario scenario = any_scenario({});
    scenario.conditions.order = GetParam().order;
    scenario.conditions.of_order = parameters_of(GetParam());
    const Workload jobs = scenario.workload();
    OrderOracle oracle(jobs, static_cast<double>(scenario.cluster.slot_count()), GetParam().order,
                       GetParam().level, GetParam().rules);
    scenario.conditions.wrap = [&](std::unique_ptr<Policy> policy) {
      return std::make_unique<Watched>(std::move(policy), oracle);
    };
    const World world = simulate(jobs, scenario.cluster, scenario.conditions);
    RC_ASSERT(oracle.violations() == std::vector<std::string>());
    RC_ASSERT(static_cast<std::size_t>(oracle.decisions()) == world.decisions.size());
    choices += oracle.choices();
  });
  EXPECT_GT(choices, 500) << "the worlds left the order nothing to decide";
}

INSTANTIATE_TEST_SUITE_P(
    Every, OrderLaws,
    ::testing::Values(Choice{"fifo", Level::job}, Choice{"fair", Level::job},
                      Choice{"fair", Level::stage}, Choice{"srpt", Level::job},
                      Choice{"cfq", Level::job}, Choice{"cfq", Level::stage},
                      Choice{"ujf", Level::job}, Choice{"ujf", Level::stage},
                      Choice{"uwfq", Level::job}, Choice{"uwfq", Level::job, {.grace_s = 0.1}},
                      Choice{"uwfq", Level::job, {.late_stage = "zero"}},
                      Choice{"uwfq", Level::job, {.chain = "exact2lv"}},
                      Choice{"uwfq", Level::job, {.chain = "exact2lv", .grace_s = 0.1}}),
    [](const auto& each) {
      const Choice& choice = each.param;
      if (choice.order != "uwfq") return choice.order + "_by_" + name_of(choice.level);
      return fmt::format("uwfq_{}_{}_grace_{}_ms", choice.rules.chain, choice.rules.late_stage,
                         choice.rules.grace_s * 1000);
    });

}  // namespace
}  // namespace somnus::harness
