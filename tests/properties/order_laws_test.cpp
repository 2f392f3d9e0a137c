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

TEST(CfqLaws, EqualJobsThatArriveInOrderAreServedInOrder) {
  check_law({.cases = 150}, [] {
    const auto slots = static_cast<std::uint32_t>(*rc::gen::inRange(1, 6));
    const auto tasks = static_cast<std::size_t>(*rc::gen::inRange(1, 9));
    auto jobs = workload();
    const int count = *rc::gen::inRange(2, 8);
    double now = 0;
    for (int at = 0; at < count; ++at) {
      // Equal slot-times, cut in different ways: 8.4 s splits evenly in up to eight.
      const std::size_t parts = *rc::gen::elementOf(std::vector<std::size_t>{1, 2, 4, 7, tasks});
      jobs.job(fmt::format("j{}", at),
               {.at = seconds(now),
                .tasks = std::vector<double>(parts, 8.4 / static_cast<double>(parts))});
      now += *rc::gen::inRange(0, 30) / 10.0;
    }
    const World world = simulate(jobs, cluster(slots), {.order = "cfq"});
    for (std::size_t at = 1; at < world.decisions.size(); ++at) {
      const auto job_of = [&](std::size_t decision) {
        return world.workload.catalogue[world.decisions[decision].launch.stage].job;
      };
      RC_ASSERT(job_of(at - 1) <= job_of(at));
    }
  });
}

TEST(FifoLaws, SingleStageJobsStartAllTheirTasksInOrderOfSubmission) {
  check_law({.cases = 150}, [] {
    Scenario scenario = any_scenario({.faults = false, .vectors = false, .stages = false});
    scenario.conditions.order = "fifo";
    scenario.conditions.of_order = {};
    const World world = run(scenario);
    for (std::size_t at = 1; at < world.decisions.size(); ++at) {
      RC_ASSERT(world.decisions[at - 1].launch.task < world.decisions[at].launch.task);
    }
  });
}

// With every slot busy and every job always waiting, FAIR's rule "the least n/w is next" keeps
//     n_j / w_j <= n_i / w_i + 1 / w_j      for all i, j
// at every instant: for equal weights, running counts differ by at most one.
TEST(FairLaws, JobsThatAlwaysHaveTasksWaitingRunAsManyAsTheirWeightsSayToWithinOneTask) {
  check_law({.cases = 100}, [] {
    const int slots = *rc::gen::inRange(2, 13);
    const int count = *rc::gen::inRange(2, 6);
    auto jobs = workload();
    for (int at = 0; at < count; ++at) {
      const double weight = *rc::gen::element(1.0, 1.0, 2.0, 4.0);
      const auto durations = *rc::gen::container<std::vector<int>>(60, rc::gen::inRange(1, 40));
      std::vector<double> tasks;
      for (const int each : durations) tasks.push_back(each / 10.0);
      jobs.job(fmt::format("j{}", at), {.weight = weight, .tasks = tasks});
    }
    Conditions conditions{.order = "fair"};
    int looked = 0;
    conditions.rounds = [&](Time, const Engine& engine) {
      const JobTable& books = engine.jobs();
      const auto& all = books.catalogue().jobs;
      for (std::size_t j = 0; j < all.size(); ++j) {
        if (books.runnable(JobId(j)) == 0) return;
      }
      ++looked;
      for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; j < all.size(); ++j) {
          const double share_i = books.running(JobId(i)) / all[i].weight;
          const double share_j = books.running(JobId(j)) / all[j].weight;
          RC_ASSERT(share_j <= share_i + 1 / all[j].weight + 1e-9);
        }
      }
    };
    const World world = simulate(jobs, cluster(static_cast<std::uint32_t>(slots)), conditions);
    RC_ASSERT(looked > 5);
    RC_ASSERT(world.ending == Ending::all_jobs_ended);
  });
}

}  // namespace
}  // namespace somnus::harness
