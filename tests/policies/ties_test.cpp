// Keys that are equal in exact arithmetic are a tie, which goes to the earlier job; in the binary
// fractions of their seconds they differ in the last place, this way or that.
#include <gtest/gtest.h>

#include "harness/world.hpp"

namespace somnus::harness {
namespace {

struct Equal {
  std::string name;
  double submit;  // seconds
  std::size_t tasks;
  double duration;  // seconds
};

// When they end on one slot, in parts of `unit` seconds.
std::vector<int> ends(const std::string& order, const std::vector<Equal>& all, double unit,
                      const Parameters& parameters = {}, double user_weight = 1) {
  auto jobs = workload();
  jobs.user_weight("user", user_weight);
  for (const Equal& each : all) {
    jobs.job(each.name, {.at = seconds(each.submit * unit),
                         .user = "user",
                         .tasks = std::vector<double>(each.tasks, each.duration * unit)});
  }
  const World world = simulate(jobs, cluster(1), {.order = order, .of_order = parameters});
  std::vector<int> found;
  for (const Equal& each : all) {
    found.push_back(static_cast<int>(std::lround(world.finish_of(each.name) / unit)));
  }
  return found;
}

// At 1, a has three left and b has three.
TEST(Ties, OfRemainingWorkGoToTheEarlierJob) {
  const std::vector<Equal> jobs{{"a", 0, 4, 1}, {"b", 0.5, 3, 1}};
  for (const double unit : {0.0125, 0.1, 1.0, 100.0}) {
    for (const char* subtract : {"mean", "own"}) {
      EXPECT_EQ(ends("srpt", jobs, unit, {{"subtract", subtract}}), (std::vector{4, 7})) << unit;
    }
    EXPECT_EQ(ends("job-queue", jobs, unit, {{"by", "srjf"}}), (std::vector{4, 7})) << unit;
  }
}

// Means of a third of a nanosecond's power of ten: 3 x 1/6 s is the half second of the other job.
TEST(Ties, OfRemainingWorkDoNotHangOnMeansThatAreNoWholeNanoseconds) {
  const auto jobs =
      workload().job("thirds", {.tasks = {0.1, 0.2, 0.2}}).job("half", {.tasks = {0.5}});
  for (const char* order : {"srpt", "job-queue"}) {
    const Parameters by = order == std::string("srpt") ? Parameters{} : Parameters{{"by", "srjf"}};
    const World world = simulate(jobs, cluster(1), {.order = order, .of_order = by});
    EXPECT_EQ(world.finish_of("thirds"), 0.5) << order;
  }
}

// V(1) = 1, and F = 8 for both.
TEST(Ties, OfVirtualFinishTimesGoToTheEarlierJob) {
  const std::vector<Equal> jobs{{"a", 0, 8, 1}, {"b", 1, 7, 1}};
  for (const double unit : {0.0125, 0.1, 1.0, 100.0}) {
    EXPECT_EQ(ends("cfq", jobs, unit), (std::vector{8, 15})) << unit;
    for (const char* chain : {"paper", "exact2lv"}) {
      EXPECT_EQ(ends("uwfq", jobs, unit, {{"chain", chain}}), (std::vector{8, 15})) << unit;
      EXPECT_EQ(ends("uwfq", jobs, unit, {{"chain", chain}}, 3), (std::vector{8, 15})) << unit;
    }
  }
}

// Ends in the fluid fall on arrivals whose virtual times are thirds and sevenths.
TEST(Ties, OfVirtualFinishTimesDoNotHangOnThirds) {
  const auto jobs = [](double unit) {
    auto made = workload();
    for (const char* name : {"a", "b", "c"}) {  // V(1) = 1/3
      made.job(name, {.tasks = {unit, unit}});
    }
    // V(2) = 2/3; F = 2 as theirs, though its slot-time is no binary fraction.
    made.job("d", {.at = seconds(2 * unit), .weight = 3, .tasks = {2 * unit, 2 * unit}});
    return made;
  };
  for (const double unit : {0.1, 0.3, 1.0, 1000.0}) {
    const World world = simulate(jobs(unit), cluster(1), {.order = "cfq"});
    EXPECT_NEAR(world.finish_of("c"), 6 * unit, 1e-9) << unit;
    EXPECT_NEAR(world.finish_of("d"), 10 * unit, 1e-9) << unit;
  }
}

// 1 / 0.1 and 7 / 0.7 running tasks for their weights.
TEST(Ties, OfSharesGoToTheEarlierJobWhateverItsDecimalWeight) {
  const auto jobs = workload()
                        .job("seven", {.weight = 0.7, .tasks = alike(16)})
                        .job("one", {.weight = 0.1, .tasks = alike(16)});
  const World world = simulate(jobs, cluster(16), {.order = "fair"});
  const auto first = world.served_at(Duration(0));
  const std::vector<std::string> once{"seven", "one",   "seven", "seven",
                                      "seven", "seven", "seven", "seven"};
  ASSERT_EQ(first.size(), 16U);
  EXPECT_EQ(std::vector(first.begin(), first.begin() + 8), once);
  EXPECT_EQ(std::vector(first.begin() + 8, first.end()), once);
}

// Two users' chains that end at one V: V = 6 for both.
TEST(Ties, OfDeadlinesOfTwoUsersGoToTheEarlierJob) {
  for (const double unit : {0.1, 0.7, 1.0, 800.0}) {
    const auto jobs = workload()
                          .user_weight("zoe", 3)
                          .job("first", {.user = "zoe", .tasks = std::vector<double>(18, unit)})
                          .job("second", {.user = "ann", .tasks = std::vector<double>(6, unit)});
    const World world = simulate(jobs, cluster(1), {.order = "uwfq"});
    EXPECT_NEAR(world.finish_of("first"), 18 * unit, 1e-6) << unit;
  }
}

// Critical paths of 5/30 + 1/10 and 4/30 + 4/30: means of no whole number of nanoseconds.
TEST(Ties, OfPathsGoToTheEarlierJobWhateverTheirMeansAreRoundedTo) {
  for (const double unit : {0.1, 0.0125, 1.0}) {
    const double two = 2 * unit;
    const auto jobs = workload()
                          .job("first")
                          .stage(0, {.tasks = {two, two, unit}})
                          .stage(1, {.parents = {0}, .tasks = {unit}})
                          .job("second")
                          .stage(0, {.tasks = {unit, two, unit}})
                          .stage(1, {.parents = {0}, .tasks = {unit, two, unit}});
    const World world = simulate(jobs, cluster(1), {.order = "sjf"});
    EXPECT_NEAR(world.finish_of("first"), 6 * unit, 1e-9) << unit;
  }
}

}  // namespace
}  // namespace somnus::harness
