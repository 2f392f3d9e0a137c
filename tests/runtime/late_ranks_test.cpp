#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "harness/property.hpp"
#include "harness/scenarios.hpp"
#include "workers/late_loopback.hpp"

namespace somnus {
namespace {

using harness::any_scenario;
using harness::check_law;
using harness::cluster;
using harness::Conditions;
using harness::Scenario;
using harness::transcript;
using harness::workload;
using harness::World;
using namespace std::chrono_literals;

/// Looks that are so late as often, in tenths of a second.
Lateness some_lateness() {
  const auto counts = *rc::gen::container<std::vector<std::uint64_t>>(
      static_cast<std::size_t>(*rc::gen::inRange(1, 6)), rc::gen::inRange<std::uint64_t>(1, 9));
  std::vector<LatenessCount> looks;
  double up_to_s = 0;
  for (const std::uint64_t count : counts) {
    up_to_s += 0.1;
    looks.push_back({.up_to_s = up_to_s, .looks = count});
  }
  return Lateness(looks);
}

LateRanks some_late_ranks() {
  LateRanks ranks;
  const int count = *rc::gen::inRange(2, 5);
  for (int rank = 0; rank < count; ++rank) ranks.ranks.push_back(some_lateness());
  ranks.seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
  return ranks;
}

TEST(Lateness, OfNoLooksIsNone) {
  RandomStream stream(1, "test");
  EXPECT_EQ(Lateness().draw(stream), Duration::zero());
}

TEST(Lateness, IsDrawnAsOftenAsItWasSeen) {
  const std::vector<LatenessCount> seen = {
      {.up_to_s = 0, .looks = 50}, {.up_to_s = 0.001, .looks = 45}, {.up_to_s = 0.2, .looks = 5}};
  constexpr double stretch = 10;
  const Lateness lateness(seen, stretch);
  RandomStream stream(7, "test");
  std::map<Duration, double> drawn;
  constexpr int draws = 100'000;
  for (int at = 0; at < draws; ++at) drawn[lateness.draw(stream)] += 100.0 / draws;
  ASSERT_EQ(drawn.size(), 3u);
  EXPECT_NEAR(drawn[Duration::zero()], 50, 0.7);  // four standard deviations
  EXPECT_NEAR(drawn[10ms], 45, 0.7);
  EXPECT_NEAR(drawn[2s], 5, 0.3);
}

TEST(Lateness, OfAHistogramHasItsQuantilesAndItsLatest) {
  Histogram histogram;
  for (int at = 1; at <= 1000; ++at) histogram.add(at * 1us);
  constexpr double speed = 2;
  const std::vector<LatenessCount> looks = lateness_counts(histogram, speed);
  EXPECT_EQ(error_in(looks), "");
  EXPECT_DOUBLE_EQ(looks.back().up_to_s, 0.0005);
  std::uint64_t count = 0;
  double median_s = 0;
  for (const LatenessCount& one : looks) {
    if (count < 500) median_s = one.up_to_s;
    count += one.looks;
  }
  EXPECT_EQ(count, 1000u);
  EXPECT_NEAR(median_s, 0.00025, 0.00001);
}

TEST(Lateness, ThatNobodyCanHaveMeasuredIsSaidToBeSo) {
  const auto error_of = [](std::vector<LatenessCount> looks) { return error_in(looks); };
  EXPECT_EQ(error_of({{0, 1}, {1, 1}}), "");
  EXPECT_EQ(error_of({{1, 1}, {1, 1}}), "1 looks that were up to 1 s late");
  EXPECT_EQ(error_of({{1, 0}}), "0 looks that were up to 1 s late");
  EXPECT_NE(error_of({{-2, 1}}), "");
  EXPECT_NE(error_of({{std::nan(""), 1}}), "");
  EXPECT_NE(error_of({{1, std::uint64_t{1} << 60}}), "");
}

TEST(LateRanks, ThatAreNeverLateChangeNothing) {
  check_law({.cases = 150}, [] {
    Scenario scenario = any_scenario({.within = true, .slotless = true, .chaos = true});
    const std::string punctual = transcript(run(scenario));
    scenario.conditions.late = LateRanks{
        .ranks = std::vector<Lateness>(static_cast<std::size_t>(*rc::gen::inRange(2, 5)))};
    RC_ASSERT(transcript(run(scenario)) == punctual);
  });
}

TEST(LateRanks, DoTheSameThingsWithTheSameSeedAndAllTheWorkWithAny) {
  check_law({.cases = 100}, [] {
    Scenario scenario = any_scenario({});
    scenario.conditions.late = some_late_ranks();
    const World world = run(scenario);
    RC_ASSERT(transcript(run(scenario)) == transcript(world));
    harness::expect_each_task_to_finish_once(world);
  });
}

TEST(LateRanks, HearOfEachNodesEndsInTheOrderOfThese) {
  check_law({.cases = 100}, [] {
    Scenario scenario = any_scenario({.jitter = false, .faults = false});
    scenario.conditions.late = some_late_ranks();
    std::map<NodeId, std::vector<std::pair<Time, Time>>> ends;  // and when they were reported
    for (const harness::Attempt& one : run(scenario).attempts) {
      RC_ASSERT(one.placed <= one.queued);
      RC_ASSERT(one.started + one.intended <= one.finished);
      RC_ASSERT(one.finished <= one.reported);
      ends[one.node].emplace_back(one.finished, one.reported);
    }
    for (auto& [node, of_node] : ends) {
      std::ranges::sort(of_node);
      RC_ASSERT(std::ranges::is_sorted(of_node, {}, &std::pair<Time, Time>::second));
    }
  });
}

// A worker that is 0.1 s late hears of a launch and of the end of its sleep, rank 0 that is 0.3 s
// late of the job and of its end.
TEST(LateRanks, AreAsLateAsTheyWereSeenToBe) {
  const auto always = [](double late_s) {
    return Lateness(std::vector<LatenessCount>{{.up_to_s = late_s, .looks = 1}});
  };
  const World world =
      harness::simulate(workload().job("a", {.at = 1s, .tasks = {2}}), cluster(1),
                        {.order = "fifo", .late = LateRanks{.ranks = {always(0.3), always(0.1)}}});
  ASSERT_EQ(world.attempts.size(), 1u);
  const harness::Attempt& one = world.attempts.front();
  EXPECT_EQ(one.placed, Time(1300ms));
  EXPECT_EQ(one.queued, Time(1400ms));
  EXPECT_EQ(one.finished, Time(3500ms));
  EXPECT_EQ(one.reported, Time(3800ms));
}

// Of what is due while a rank is on its way, nothing costs it more time.
TEST(LateRanks, DealAtOnceWithAllThatIsDueByThen) {
  const Lateness late(std::vector<LatenessCount>{{.up_to_s = 1, .looks = 1}});
  const World world = harness::simulate(workload().job("a", {.tasks = {2, 2.5, 3.5}}), cluster(3),
                                        {.order = "fifo", .late = LateRanks{.ranks = {{}, late}}});
  std::vector<Time> ends;
  for (const harness::Attempt& one : world.attempts) ends.push_back(one.finished);
  EXPECT_EQ(ends, (std::vector<Time>{Time(4s), Time(4s), Time(5500ms)}));
}

}  // namespace
}  // namespace somnus
