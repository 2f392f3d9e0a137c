#include "model/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "harness/builders.hpp"
#include "harness/property.hpp"

namespace somnus {
namespace {

using harness::check_law;
using harness::durations_of;
using harness::workload;
using namespace std::chrono_literals;

constexpr double exact = 1e-12;

double sum_of(const std::vector<double>& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

void expect_near(const std::vector<double>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t at = 0; at < actual.size(); ++at) {
    EXPECT_NEAR(actual[at], expected[at], exact) << "part " << at;
  }
}

TEST(Cut, WithoutSkewGivesEqualParts) { expect_near(cut(72, {}, 8), std::vector<double>(8, 9.0)); }

// Twice as many parts halve the longest: skew that stays inside coarse parts is cut by finer ones.
TEST(Cut, FinerThanTheSharesSplitsTheSkewedOneToo) {
  expect_near(cut(14, {1, 1, 5}, 6), {1, 1, 1, 1, 5, 5});
  expect_near(cut(14, {1, 1, 5}, 15),
              {0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 2, 2, 2, 2, 2});
}

TEST(Cut, SharesWithoutWorkGivePartsWithoutWork) {
  expect_near(cut(6, {0, 1, 0, 2}, 4), {0, 2, 0, 4});
}

// Share i of s lies on [i/s, (i+1)/s] of the input with constant density.
TEST(CutLaws, APartIsTheWorkThatLiesOnItsPieceOfTheInput) {
  check_law({.cases = 1000}, [] {
    const double whole = *rc::gen::inRange(1, 100000) / 97.0;
    std::vector<double> skew;
    for (int left = *rc::gen::inRange(1, 12); left > 0; --left) {
      skew.push_back(*rc::gen::inRange(1, 50) / 7.0);
    }
    const auto count = *rc::gen::inRange<std::uint64_t>(1, 60);
    const auto parts = cut(whole, skew, count);
    RC_ASSERT(parts.size() == count);
    const auto n = static_cast<double>(count);
    const auto shares = static_cast<double>(skew.size());
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const double from = static_cast<double>(part) / n;
      const double to = static_cast<double>(part + 1) / n;
      double work = 0;
      for (std::size_t share = 0; share < skew.size(); ++share) {
        const double left = std::max(from, static_cast<double>(share) / shares);
        const double right = std::min(to, static_cast<double>(share + 1) / shares);
        const double density = whole * skew[share] / sum_of(skew) * shares;
        work += std::max(0.0, right - left) * density;
      }
      RC_ASSERT(std::abs(parts[part] - work) <= 1e-11 * whole);
    }
  });
}

TEST(Partitioning, BySizeCutsEveryStageInAsManyPartsAsSlots) {
  const Partitioning by_size(32);
  EXPECT_EQ(by_size.parts(0, 0.001), 32U);
  EXPECT_EQ(by_size.parts(7, 1e6), 32U);
  EXPECT_EQ(by_size.launch_overhead_s, 0);
}

TEST(Partitioning, CutsAtLeastOnePart) {
  EXPECT_EQ(Partitioning(0).parts(0, 5), 1U);
  Partitioning by_runtime(0);
  by_runtime.advisory_task_runtime_s = 0.5;
  EXPECT_EQ(by_runtime.parts(0, 0), 1U);
  EXPECT_EQ(by_runtime.parts(0, 1e-6), 1U);
}

// 0.3 / 0.1 and 0.7 / 0.1 are a little above 3 and 7 in floating point, or below.
TEST(Partitioning, RoundingInAQuotientMakesNoFurtherPart) {
  Partitioning by_runtime(1);
  by_runtime.advisory_task_runtime_s = 0.1;
  for (std::uint64_t whole = 1; whole <= 5000; ++whole) {
    ASSERT_EQ(by_runtime.parts(0, static_cast<double>(whole) / 10), whole);
    ASSERT_EQ(by_runtime.parts(0, static_cast<double>(whole) * 0.1), whole);
    ASSERT_EQ(by_runtime.parts(0, static_cast<double>(whole) / 10 + 0.001), whole + 1);
  }
}

TEST(Partitioning, BelievesTheEstimateOfTheJob) {
  Partitioning by_runtime(1);
  by_runtime.advisory_task_runtime_s = 0.5;
  by_runtime.estimate_factors = {1, 0.125, 3};
  EXPECT_EQ(by_runtime.parts(0, 12), 24U);
  EXPECT_EQ(by_runtime.parts(1, 12), 3U);
  EXPECT_EQ(by_runtime.parts(2, 12), 72U);
}

TEST(Partitioning, NoEvenPartTakesLongerThanTheAdvisoryRunTime) {
  check_law({.cases = 1000}, [] {
    Partitioning by_runtime(static_cast<std::uint64_t>(*rc::gen::inRange(0, 20)));
    by_runtime.advisory_task_runtime_s = *rc::gen::inRange(1, 200) / 37.0;
    const double work = *rc::gen::inRange(1, 40000) / 41.0;
    const std::uint64_t parts = by_runtime.parts(0, work);
    const double each = work / static_cast<double>(parts);
    RC_ASSERT(each <= by_runtime.advisory_task_runtime_s * (1 + 1e-8));
    RC_ASSERT(parts >= by_runtime.minimum);
    // One part fewer would be too few, or below the minimum.
    const double fewer = work / static_cast<double>(parts - 1);
    RC_ASSERT(parts <= std::max<std::uint64_t>(by_runtime.minimum, 1) ||
              fewer > by_runtime.advisory_task_runtime_s);
  });
}

TEST(PartitionedWorkload, EachPartCostsTheLaunchOverheadAndOtherStagesDoNot) {
  auto jobs = workload();
  jobs.job("a").stage(0, {.work = 6}).stage(1, {.parents = {0}, .tasks = {2, 2}});
  Partitioning by_runtime(1);
  by_runtime.advisory_task_runtime_s = 2;
  by_runtime.launch_overhead_s = 0.005;
  const Workload built = assemble(jobs.spec(), by_runtime);
  expect_near(durations_of(built, StageId(0U)), {2.005, 2.005, 2.005});
  expect_near(durations_of(built, StageId(1U)), {2, 2});
  EXPECT_EQ(slot_time(built.truth.of(built.catalogue[JobId(0U)])), 10015ms);
}

TEST(PartitionedWorkload, EstimateFactorsGoByOrderOfSubmissionNotByLine) {
  auto jobs = workload();
  jobs.job("second", {.at = 5s})
      .stage(0, {.work = 6})
      .job("first", {.at = 1s})
      .stage(0, {.work = 6});
  Partitioning by_runtime(1);
  by_runtime.advisory_task_runtime_s = 1;
  by_runtime.estimate_factors = {0.5, 2};
  const Workload built = assemble(jobs.spec(), by_runtime);
  ASSERT_EQ(built.names.jobs[0], "first");
  expect_near(durations_of(built, StageId(0U)), {2, 2, 2});
  expect_near(durations_of(built, StageId(1U)), std::vector<double>(12, 0.5));
}

}  // namespace
}  // namespace somnus
