// The generator of PAF's simulated jobs.
#include <algorithm>
#include <cmath>
#include <set>

#include "generators/generated.hpp"

namespace somnus::test {
namespace {

TEST(PafJobs, AreOfOneStageWithAttributesInTheirRanges) {
  const WorkloadSpec workload = made("paf", {{"jobs", std::uint64_t{2000}}});
  std::set<double> weights;
  double tasks = 0;
  double delta = 0;
  for (const JobSpec& job : workload.jobs) {
    ASSERT_EQ(job.stages.size(), 1U);
    const auto width = static_cast<double>(job.stages[0].durations.size());
    ASSERT_GE(width, 1);
    ASSERT_LE(width, 200);
    ASSERT_GE(job.warmup, 1);
    ASSERT_LE(job.warmup, 8);
    ASSERT_EQ(job.weight, std::floor(job.weight));
    weights.insert(job.weight);
    tasks += width;
    delta += job.warmup;
  }
  EXPECT_EQ(weights.size(), 20U);
  EXPECT_EQ(*weights.begin(), 1);
  EXPECT_EQ(*weights.rbegin(), 20);
  EXPECT_NEAR(tasks / 2000, 100.5, 4);  // three times what the mean of 2,000 is off by, or less
  EXPECT_NEAR(delta / 2000, 4.5, 0.14);
}

// The least of n Pareto times is near the scale, mean x (shape - 1) / shape; the mean of those of
// even shape is near the job's.
TEST(PafJobs, HaveParetoTimesOnColdSlots) {
  const WorkloadSpec workload =
      made("paf", {{"jobs", std::uint64_t{300}}, {"least_shape", 8.0}, {"most_shape", 8.0}});
  for (const JobSpec& job : workload.jobs) {
    const auto& durations = job.stages[0].durations;
    if (durations.size() < 50 || durations[0] < 0.1) continue;
    const double least = std::ranges::min(durations);
    const double mean = moments(durations).mean;
    // Each is at least the scale; the mean of 50 is within 5 standard errors, 0.14 / sqrt(50) each.
    EXPECT_GT(mean / least, 8.0 / 7 - 0.11);
    EXPECT_LT(mean / least, 8.0 / 7 + 0.11);
  }
}

TEST(PafJobs, LikeTheReleasedOnesHaveItsFewValues) {
  const WorkloadSpec workload =
      made("paf", {{"like", std::string("released")}, {"arrivals", std::string("at-once")}});
  std::set<double> weights;
  std::set<double> deltas;
  for (const JobSpec& job : workload.jobs) {
    EXPECT_EQ(job.submit, 0);
    EXPECT_EQ(job.stages[0].durations.size() % 10, 0U);
    weights.insert(job.weight);
    deltas.insert(job.warmup);
  }
  EXPECT_EQ(weights, (std::set<double>{1, 1.5, 2, 3, 9, 11}));
  EXPECT_EQ(deltas, (std::set<double>{1.3, 1.6, 1.8, 5, 6}));
}

TEST(PafJobs, RefuseShapesThatCross) {
  EXPECT_EQ(mistakes_of("paf", {{"least_shape", 3.0}, {"most_shape", 2.0}}),
            "c.toml:7:3: most_shape: expected at least least_shape, 3, found 2");
}

}  // namespace
}  // namespace somnus::test
