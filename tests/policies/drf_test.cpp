// Dominant shares by hand: the examples of policies.md 6.1, by the closed form and by progressive
// filling, and its figures 2 and 2b.
#include "policies/drf.hpp"

#include <gtest/gtest.h>

#include "harness/carbyne_figures.hpp"
#include "harness/world.hpp"
#include "policies/quotas.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

constexpr double exact = 1e-12;

/// Jobs that are all there: what the closed form gives each.
class ClosedForm {
 public:
  ClosedForm(Cluster cluster, const WorkloadBuilder& jobs)
      : cluster_(std::move(cluster)),
        work_(jobs.build()),
        jobs_(work_.catalogue),
        quotas_(cluster_) {
    for (std::uint32_t stage = 0; stage < work_.catalogue.stages.size(); ++stage) {
      jobs_.estimate({.stage = StageId(stage),
                      .slot_time = {1},
                      .demand = work_.truth.demand(StageId(stage)).amounts()});
    }
    for (std::uint32_t job = 0; job < work_.catalogue.jobs.size(); ++job) {
      jobs_.arrive(start_of_time, JobId(job));
      quotas_.job_arrived(JobId(job), jobs_);
    }
  }

  double level(std::uint32_t job) { return quotas_.level(JobId(job)); }
  /// In the user's units, rounded down to a millionth.
  std::vector<double> quota(std::uint32_t job) {
    std::vector<double> amounts;
    for (std::size_t kind = 0; kind < cluster_.resources.size(); ++kind) {
      amounts.push_back(static_cast<double>(quotas_.of(JobId(job), kind)) / 1e6);
    }
    return amounts;
  }
  void end(std::uint32_t job) { quotas_.job_ended(JobId(job)); }

 private:
  Cluster cluster_;
  Workload work_;
  JobTable jobs_;
  Quotas quotas_;
};

WorkloadBuilder two_jobs(std::initializer_list<double> a, std::initializer_list<double> b,
                         double weight_of_a = 1, std::size_t tasks = 30) {
  return workload()
      .resources({"cpu", "mem_gb"})
      .job("a", {.weight = weight_of_a, .tasks = alike(tasks, 10), .demand = a})
      .job("b", {.tasks = alike(tasks, 10), .demand = b});
}

TEST(DrfShares, OfTheExampleOfTheDrfPaper) {
  ClosedForm jobs(machines(1, {9, 18}), two_jobs({1, 4}, {3, 1}));
  EXPECT_NEAR(jobs.level(0), 2.0 / 3, exact);
  EXPECT_NEAR(jobs.level(1), 2.0 / 3, exact);
  EXPECT_EQ(jobs.quota(0), (std::vector<double>{3, 12}));
  EXPECT_EQ(jobs.quota(1), (std::vector<double>{6, 2}));
}

TEST(DrfShares, GrowWithWeights) {
  ClosedForm jobs(machines(1, {9, 18}), two_jobs({1, 4}, {3, 1}, 2));
  EXPECT_NEAR(jobs.level(0) * 2, 12.0 / 13, exact);
  EXPECT_NEAR(jobs.level(1), 6.0 / 13, exact);
}

TEST(DrfShares, GrowOnForJobsThatAskForNothingOfWhatIsUsedUp) {
  ClosedForm jobs(machines(1, {10, 10}),
                  two_jobs({1, 0}, {1, 0}).job("c", {.tasks = alike(30, 10), .demand = {0, 1}}));
  EXPECT_NEAR(jobs.level(0), 0.5, exact);
  EXPECT_NEAR(jobs.level(1), 0.5, exact);
  EXPECT_NEAR(jobs.level(2), 1, exact);
  jobs.end(1);
  EXPECT_NEAR(jobs.level(0), 1, exact);
}

TEST(DrfShares, OfThreeJobsThatCompeteForThreeKinds) {
  const auto of = [](WorkloadBuilder all, const char* name, std::initializer_list<double> demand) {
    return all.job(name, {.tasks = alike(60, 10), .demand = demand});
  };
  const auto all =
      of(of(of(workload().resources({"cpu", "mem_gb", "disk"}), "a", {1, 2, 0}), "b", {2, 1, 1}),
         "c", {1, 1, 4});
  ClosedForm jobs(machines(1, {100, 100, 100}), all);
  for (const std::uint32_t job : {0U, 1U, 2U}) EXPECT_NEAR(jobs.level(job), 4.0 / 7, exact);
}

TEST(DrfShares, AreEqualPartsOfASingleResource) {
  auto five = workload().resources({"cpu"});
  for (const char* name : {"a", "b", "c", "d", "e"})
    five.job(name, {.tasks = {1, 1}, .demand = {2}});
  ClosedForm jobs(machines(1, {10}), five);
  for (std::uint32_t job = 0; job < 5; ++job) EXPECT_NEAR(jobs.level(job), 0.2, exact);
}

// Demands are means over all tasks of a job, whatever can run now.
TEST(DrfShares, GoByTheMeanDemandOfAllStages) {
  ClosedForm jobs(machines(1, {10, 10}),
                  workload()
                      .resources({"cpu", "mem_gb"})
                      .job("a")
                      .stage(0, {.tasks = {1}, .demand = {4, 0}})
                      .stage(1, {.parents = {0}, .tasks = {1, 1, 1}, .demand = {0, 4}})
                      .job("b", {.tasks = {1}, .demand = {1, 1}}));
  // a: (1, 3) of (10, 10), d = (1/3, 1); b: d = (1, 1). Memory: lambda (1 + 1) = 1.
  EXPECT_NEAR(jobs.level(0), 0.5, exact);
  EXPECT_EQ(jobs.quota(1), (std::vector<double>{5, 5}));
}

TEST(Drf, FillsTheExampleOfTheDrfPaperTaskByTask) {
  const World world = simulate(two_jobs({1, 4}, {3, 1}), machines(1, {9, 18}), {.order = "drf"});
  EXPECT_EQ(world.served_at(0s), (Served{"a", "b", "a", "b", "a"}));
}

struct Ends {
  const char* figure;
  WorkloadBuilder (*jobs)();
  const char* order;
  Parameters parameters;
  double j1;
  double j2;
};

class Figure2 : public ::testing::TestWithParam<Ends> {};
TEST_P(Figure2, EndsAsInTheBook) {
  const World world = simulate(
      GetParam().jobs(), machines(1, {1}),
      {.order = GetParam().order, .of_order = GetParam().parameters, .within = "breadth-first"});
  expect_finish(world, {{"j1", GetParam().j1}, {"j2", GetParam().j2}});
}
const Parameters packs_alone = {{"fairness", 0.0}};
INSTANTIATE_TEST_SUITE_P(
    Carbyne, Figure2,
    ::testing::Values(Ends{"2", carbyne_figure_2, "drf-strict", {}, 2.1, 2.0},
                      Ends{"2", carbyne_figure_2, "drf", {}, 1.1, 2.0},
                      Ends{"2", carbyne_figure_2, "sjf", {}, 2.1, 1.0},
                      Ends{"2", carbyne_figure_2, "tetris", packs_alone, 2.1, 1.0},
                      Ends{"2b", carbyne_figure_2b, "drf-strict", {}, 5, 8},
                      Ends{"2b", carbyne_figure_2b, "drf", {}, 3, 8},
                      Ends{"2b", carbyne_figure_2b, "sjf", {}, 3, 8},
                      Ends{"2b", carbyne_figure_2b, "tetris", packs_alone, 5, 6}),
    [](const auto& each) {
      std::string name = fmt::format("{}_{}", each.param.figure, each.param.order);
      std::ranges::replace(name, '-', '_');
      return name;
    });

}  // namespace
}  // namespace somnus::harness
