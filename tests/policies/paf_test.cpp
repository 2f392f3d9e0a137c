// PAF by hand: the worked tests of policies.md 5.3 with every number, and whom slots go to.
#include "policies/paf.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "harness/world.hpp"
#include "policies/exchange.hpp"
#include "policies/max_min.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;
using Slots = std::vector<std::uint32_t>;

Slots fair(std::uint64_t slots, std::vector<Claim> claims) { return max_min_shares(slots, claims); }

TEST(MaxMin, FollowsWeights) {  // T1
  EXPECT_EQ(fair(128, {{12, 128}, {3, 128}, {1, 128}}), (Slots{96, 24, 8}));
}
TEST(MaxMin, GivesToOthersWhatAJobCanNotUse) {  // T5
  EXPECT_EQ(fair(10, {{1, 2}, {1, 20}}), (Slots{2, 8}));
  EXPECT_EQ(fair(10, {{1, 20}, {1, 2}}), (Slots{8, 2}));
  EXPECT_EQ(fair(12, {{1, 2}, {2, 3}, {1, 20}}), (Slots{2, 3, 7}));
}
TEST(MaxMin, HandsOutWhatRoundingLeaves) {
  EXPECT_EQ(fair(10, {{1, 4}, {1, 4}, {1, 4}}), (Slots{4, 3, 3}));
  EXPECT_EQ(fair(3, {{1, 4}, {1, 4}, {2, 4}, {1, 4}, {1, 4}}), (Slots{1, 1, 1, 0, 0}));
  EXPECT_EQ(fair(7, {{1, 9}, {1.5, 9}}), (Slots{3, 4}));  // 2.8 and 4.2: the first lost more
}
TEST(MaxMin, GivesAllThatCanBeUsedWhereThereIsEnough) {
  EXPECT_EQ(fair(100, {{1, 4}, {3, 0}, {0.5, 40}}), (Slots{4, 0, 40}));
  EXPECT_EQ(fair(1, {}), Slots{});
  EXPECT_EQ(fair(0, {{1, 4}}), Slots{0});
}
TEST(MaxMin, TakesWeightsAsTheyAreWritten) {
  EXPECT_EQ(fair(3, {{0.1, 9}, {0.2, 9}}), (Slots{1, 2}));
  EXPECT_EQ(fair(1'000'000, {{0.3, 900'000}, {0.7, 900'000}}), (Slots{300'000, 700'000}));
}

class Exchange : public ::testing::Test {
 protected:
  void trader(const std::vector<double>& progress, std::uint32_t fair) {
    curves_.push_back(ProgressCurve::above(progress));
    fair_.push_back(fair);
  }
  void ernest(const std::array<double, 4>& coefficients, std::uint32_t degree, std::uint32_t fair) {
    std::vector<double> progress;
    for (std::uint32_t slots = 1; slots <= degree; ++slots) {
      progress.push_back(ernest_progress(coefficients, slots));
    }
    trader(progress, fair);
  }

  [[nodiscard]] Slots least(double alpha) const {
    Slots all;
    for (std::size_t at = 0; at < curves_.size(); ++at) {
      all.push_back(least_share(curves_[at], fair_[at], alpha));
    }
    return all;
  }
  [[nodiscard]] Slots exchanged(double alpha) const {
    std::vector<Trader> traders;
    for (std::size_t at = 0; at < curves_.size(); ++at)
      traders.push_back({&curves_[at], fair_[at]});
    return exchange_slots(traders, alpha);
  }
  [[nodiscard]] std::uint32_t transfers(const Slots& slots) const {
    std::uint32_t moved = 0;
    for (std::size_t at = 0; at < slots.size(); ++at) {
      if (slots[at] > fair_[at]) moved += slots[at] - fair_[at];
    }
    return moved;
  }
  [[nodiscard]] double mean_progress(const Slots& slots) const {
    double sum = 0;
    for (std::size_t at = 0; at < slots.size(); ++at) {
      sum += static_cast<double>(curves_[at].at(slots[at]));
    }
    return sum / static_cast<double>(ProgressCurve::whole) / static_cast<double>(slots.size());
  }

 private:
  std::vector<ProgressCurve> curves_;
  Slots fair_;
};

TEST_F(Exchange, OfFigure6Shifts2Slots) {  // T2
  trader({.30, .52, .68, .78, .82, .85, .87, .885, .89, .895, .898, .90}, 6);
  trader({.12, .24, .35, .45, .53, .60, .66, .71, .75, .78, .80, .81}, 6);
  EXPECT_EQ(least(0.9), (Slots{4, 6}));
  EXPECT_EQ(least(0.5), (Slots{2, 3}));
  EXPECT_EQ(exchanged(0.9), (Slots{4, 8}));
  EXPECT_EQ(exchanged(0.5), (Slots{4, 8}));
}

TEST_F(Exchange, OfTheTestbedLikeCurvesFollowsAlpha) {  // T4'
  ernest({.7825, 0, 7.812, .03225}, 128, 96);
  ernest({.2119, 0, 100.9, 0}, 128, 24);
  ernest({.9009, 0, 6.919, .009284}, 128, 8);
  EXPECT_NEAR(mean_progress({96, 24, 8}), .5919, 5e-5);
  const Slots at_90 = exchanged(0.9);
  EXPECT_EQ(at_90, (Slots{35, 68, 25}));
  EXPECT_EQ(transfers(at_90), 61U);
  EXPECT_NEAR(mean_progress(at_90), .7701, 5e-5);
  const Slots at_99 = exchanged(0.99);
  EXPECT_EQ(at_99, (Slots{81, 25, 22}));
  EXPECT_EQ(transfers(at_99), 15U);
  EXPECT_NEAR(mean_progress(at_99), .6730, 5e-5);
  const Slots at_50 = exchanged(0.5);
  EXPECT_EQ(at_50, (Slots{26, 77, 25}));
  EXPECT_EQ(transfers(at_50), 70U);
  EXPECT_NEAR(mean_progress(at_50), .7756, 5e-5);
}

TEST_F(Exchange, AtAlphaOneTakesWhatCostsNothing) {
  trader({.5, .5, .5}, 3);
  trader({.2, .4, .6}, 1);
  EXPECT_EQ(exchanged(1), (Slots{1, 3}));
}
TEST_F(Exchange, AtAlphaOneLeavesRisingCurvesAlone) {
  trader({.5, .51, .52}, 3);
  trader({.2, .4, .6}, 1);
  EXPECT_EQ(exchanged(1), (Slots{3, 1}));
}
TEST_F(Exchange, MovesNothingBetweenEquals) {
  trader({.4, .6, .7}, 2);
  trader({.4, .6, .7}, 2);
  EXPECT_EQ(exchanged(0.1), (Slots{2, 2}));
}
TEST_F(Exchange, LetsTheEarlierGive) {
  for (int job = 0; job < 2; ++job) trader({.5, .9, .91}, 3);
  trader({.5, .7, .7}, 1);
  EXPECT_EQ(exchanged(0.9), (Slots{2, 3, 2}));
}
TEST_F(Exchange, LetsTheEarlierTake) {
  trader({.5, .9, .91}, 3);
  for (int job = 0; job < 2; ++job) trader({.5, .7, .7}, 1);
  EXPECT_EQ(exchanged(0.9), (Slots{2, 2, 1}));
}
TEST_F(Exchange, LeavesAJobWithoutACurveItsShare) {
  std::vector<ProgressCurve> curves(3);
  curves[0] = ProgressCurve::above(std::vector{.5, .9, .91});
  curves[2] = ProgressCurve::above(std::vector{.5, .7, .7});
  EXPECT_EQ(
      exchange_slots(std::vector<Trader>{{&curves[0], 3}, {&curves[1], 7}, {&curves[2], 1}}, 0.9),
      (Slots{2, 7, 2}));
}

/// Two jobs of curves as in T2, on 12 slots.
WorkloadBuilder figure_6() {
  WorkloadBuilder jobs = workload();
  jobs.job("a", {.progress = {.30, .52, .68, .78, .82, .85, .87, .885, .89, .895, .898, .90},
                 .tasks = alike(24, 10)});
  jobs.job("b", {.progress = {.12, .24, .35, .45, .53, .60, .66, .71, .75, .78, .80, .81},
                 .tasks = alike(24, 10)});
  return jobs;
}

/// By job, how many tasks start at that instant.
Slots starts_at(const World& world, Duration instant, std::size_t jobs) {
  Slots starts(jobs);
  for (const Decision& each : world.decisions) {
    if (each.at == at(instant)) ++starts[world.workload.catalogue[each.launch.stage].job.index()];
  }
  return starts;
}

TEST(Paf, FillsSlotsUpToItsTargets) {
  const World world = simulate(figure_6(), cluster(12), {.order = "paf"});
  EXPECT_EQ(starts_at(world, 0s, 2), (Slots{4, 8}));
  EXPECT_EQ(starts_at(world, 10s, 2), (Slots{4, 8}));
}

TEST(Paf, LeavesToOthersWhatAJobCanNotUse) {
  WorkloadBuilder jobs = figure_6();
  jobs.job("c", {.at = 20s, .tasks = {1}});
  const World world = simulate(jobs, cluster(12), {.order = "paf"});
  EXPECT_EQ(starts_at(world, 20s, 3), (Slots{4, 7, 1}));
  EXPECT_EQ(starts_at(world, 21s, 3), (Slots{0, 1, 0}));   // its last
  EXPECT_EQ(starts_at(world, 30s, 3), (Slots{11, 0, 0}));  // all that is free
}

TEST(Paf, IsFairSharingWhereNoCurveIsKnown) {
  const auto jobs =
      workload().job("a", {.weight = 3, .tasks = alike(24, 10)}).job("b", {.tasks = alike(24, 10)});
  EXPECT_EQ(starts_at(simulate(jobs, cluster(8), {.order = "paf"}), 0s, 2), (Slots{6, 2}));
}

TEST(Paf, ServesATargetOfZeroLast) {
  WorkloadBuilder jobs = workload();
  for (const double weight : {1, 1, 2, 1, 1}) {
    jobs.job(fmt::format("{}", jobs.spec().jobs.size()), {.weight = weight, .tasks = {1, 1, 1, 1}});
  }
  const World world = simulate(jobs, cluster(3), {.order = "paf"});
  EXPECT_EQ(starts_at(world, 0s, 5), (Slots{1, 1, 1, 0, 0}));
  EXPECT_EQ(starts_at(world, 4s, 5), (Slots{0, 0, 0, 2, 1}));
}

/// Jobs a and b in the order in which they get the slots of a job that came before them.
std::string filling(const std::string& fill) {
  const auto jobs = workload()
                        .job("early", {.weight = 0.01, .tasks = {1, 2, 3, 4, 5, 6, 7, 8}})
                        .job("a", {.at = 500ms, .weight = 12, .tasks = alike(6, 100)})
                        .job("b", {.at = 500ms, .tasks = alike(12, 100)});
  const World world = simulate(jobs, cluster(8), {.order = "paf", .of_order = {{"fill", fill}}});
  std::string order;
  for (const Decision& each : world.decisions) {
    if (each.at < at(1s) || each.at > at(8s)) continue;
    order += world.workload.catalogue[each.launch.stage].job == JobId(1U) ? 'a' : 'b';
  }
  return order;
}

TEST(Paf, FillsSlotsAtOnePaceByTarget) {
  EXPECT_EQ(filling("target"), "abaaabaa");  // of 6 and 2: a and b have half at the same time
}
TEST(Paf, FillsSlotsByWeightAsFairDoes) { EXPECT_EQ(filling("weight"), "abaaaaab"); }

TEST(Paf, LeavesSlotsFreeOnRequest) {
  WorkloadBuilder jobs = figure_6();
  jobs.job("c", {.at = 20s, .tasks = {1}});
  const World world =
      simulate(jobs, cluster(12), {.order = "paf", .of_order = {{"surplus", "leave"}}});
  EXPECT_EQ(starts_at(world, 20s, 3), (Slots{4, 7, 1}));
  EXPECT_EQ(starts_at(world, 21s, 3), (Slots{0, 1, 0}));  // its last
  EXPECT_EQ(starts_at(world, 30s, 3), (Slots{4, 0, 0}));  // 7 slots are free
  EXPECT_EQ(starts_at(world, 31s, 3), (Slots{8, 0, 0}));  // b has ended, and all is a's
}

TEST(Paf, LeavesNobodyWithoutATargetOutIfSlotsAreFree) {
  WorkloadBuilder jobs = workload();
  for (const double weight : {1, 1, 2, 1, 1}) {
    jobs.job(fmt::format("{}", jobs.spec().jobs.size()), {.weight = weight, .tasks = {1, 1, 1, 1}});
  }
  const World world =
      simulate(jobs, cluster(3),
               {.order = "paf", .of_order = {{"surplus", "leave"}, {"recompute", "once"}}});
  EXPECT_EQ(starts_at(world, 3s, 5), (Slots{1, 1, 1, 0, 0}));
  EXPECT_EQ(starts_at(world, 4s, 5), (Slots{0, 0, 0, 1, 1}));
}

TEST(Paf, OnceLeavesTargetsWhenJobsEnd) {
  WorkloadBuilder jobs = figure_6();
  jobs.job("c", {.tasks = {10, 10, 10}});
  const World event = simulate(jobs, cluster(12), {.order = "paf"});
  const World once =
      simulate(jobs, cluster(12), {.order = "paf", .of_order = {{"recompute", "once"}}});
  EXPECT_EQ(starts_at(event, 0s, 3), starts_at(once, 0s, 3));
  EXPECT_EQ(starts_at(event, 10s, 3), (Slots{4, 8, 0}));
  EXPECT_NE(starts_at(once, 10s, 3), (Slots{4, 8, 0}));
}

}  // namespace
}  // namespace somnus::harness
