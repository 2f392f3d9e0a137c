// Worked examples of user-job fairness and two-level virtual time (policies.md 1.2, 1.3), followed
// from arrival to arrival.
#include "fluid/two_level.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "harness/fluids_in_seconds.hpp"

namespace somnus::two_level_test {
namespace {

constexpr double exact = 1e-12;
constexpr UserShare equal;
enum User : std::uint32_t { A, B, C };
enum Job : std::uint32_t { A1, A2, B1, B2, C1 };

using Deadlines = std::map<std::uint32_t, double>;

/// The two fluids with arrivals one by one, with all ends so far.
class Followed {
 public:
  explicit Followed(double slots) : fluid(slots) {}

  void advance(double now) {
    fluid.advance(now, [&](const TwoLevel::End& end) { ends_.push_back(end); });
  }
  void arrive(std::uint32_t user, std::uint32_t job, double now, double slot_time,
              UserShare share = equal, double weight = 1) {
    advance(now);
    fluid.arrive(user, share, job, now, slot_time, weight);
  }

  [[nodiscard]] double ujf_end(std::uint32_t job) const { return end(TwoLevel::Which::ujf, job); }
  [[nodiscard]] double two_level_end(std::uint32_t job) const {
    return end(TwoLevel::Which::two_level, job);
  }
  [[nodiscard]] const std::vector<TwoLevel::End>& ends() const { return ends_; }

  /// d_i, by job of J_k.
  [[nodiscard]] Deadlines user_deadlines(std::uint32_t user) const {
    Deadlines found;
    for (const auto& member : fluid.members(user)) found[member.job] = member.deadline;
    return found;
  }
  /// D_i as UWFQ chains them: V_start_k and then U_k L of each job of J_k in order of d.
  [[nodiscard]] Deadlines global_deadlines(std::uint32_t user) const {
    Deadlines found;
    double chain = fluid.start(user);
    for (const auto& member : fluid.members(user)) {
      chain += fluid.share(user).scale * member.slot_time;
      found[member.job] = chain;
    }
    return found;
  }

  harness::TwoLevelInSeconds fluid;

 private:
  [[nodiscard]] double end(TwoLevel::Which which, std::uint32_t job) const {
    const auto found = std::find_if(ends_.begin(), ends_.end(), [&](const TwoLevel::End& each) {
      return each.which == which && each.job == job;
    });
    return found == ends_.end() ? -1 : found->time;
  }

  std::vector<TwoLevel::End> ends_;
};

void expect_near(const Deadlines& actual, const Deadlines& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (const auto& [job, value] : expected) {
    ASSERT_TRUE(actual.contains(job)) << "job " << job;
    EXPECT_NEAR(actual.at(job), value, exact) << "job " << job;
  }
}

void expect_ujf_ends(const Followed& run, const Deadlines& expected) {
  for (const auto& [job, end] : expected) EXPECT_NEAR(run.ujf_end(job), end, exact) << job;
}
void expect_two_level_ends(const Followed& run, const Deadlines& expected) {
  for (const auto& [job, end] : expected) EXPECT_NEAR(run.two_level_end(job), end, exact) << job;
}

// Example U2: four slots; A1 (at 0 s, L = 8), A2 (0, 4), B1 (1, 6), B2 (3, 1), C1 (5.5, 4).
Followed example_u2() {
  Followed u2(4);
  u2.arrive(A, A1, 0, 8);
  u2.arrive(A, A2, 0, 4);
  u2.arrive(B, B1, 1, 6);
  u2.arrive(B, B2, 3, 1);
  return u2;
}

TEST(ExampleU2, AnOvertakingJobGetsADeadlineThatHasPassed) {
  const Followed u2 = example_u2();
  EXPECT_NEAR(u2.fluid.virtual_time(), 8, exact);
  EXPECT_NEAR(u2.fluid.virtual_time(A), 4, exact);
  EXPECT_NEAR(u2.fluid.virtual_time(B), 4, exact);
  EXPECT_NEAR(u2.fluid.start(A), 4, exact) << "A2 has left: its 4 slot-seconds are in the start";
  EXPECT_NEAR(u2.fluid.end(A), 12, exact);
  EXPECT_NEAR(u2.fluid.start(B), 4, exact);
  EXPECT_NEAR(u2.fluid.end(B), 11, exact);
  expect_near(u2.user_deadlines(A), {{A1, 8}});
  expect_near(u2.user_deadlines(B), {{B1, 6}, {B2, 5}});
  expect_near(u2.global_deadlines(A), {{A1, 12}});
  expect_near(u2.global_deadlines(B), {{B2, 5}, {B1, 11}});
}

TEST(ExampleU2, EndsAreReportedInOrderOfTimeAndOfOneJobTheTwoLevelEndFirst) {
  Followed u2 = example_u2();
  u2.arrive(C, C1, 5.5, 4);
  u2.advance(100);
  expect_ujf_ends(u2, {{A1, 4.75}, {A2, 3}, {B1, 4.5}, {B2, 4}, {C1, 6.5}});
  expect_two_level_ends(u2, {{A1, 4.75}, {A2, 1}, {B1, 4.5}, {B2, 3.5}, {C1, 6.5}});
  ASSERT_EQ(u2.ends().size(), 10U);
  std::map<std::uint32_t, int> reported;
  double before = 0;
  for (const TwoLevel::End& end : u2.ends()) {
    EXPECT_GE(end.time, before - exact);
    before = end.time;
    const bool first = ++reported[end.job] == 1;
    EXPECT_EQ(end.which, first ? TwoLevel::Which::two_level : TwoLevel::Which::ujf);
    const std::uint32_t owner = end.job <= A2 ? A : end.job <= B2 ? B : C;
    EXPECT_EQ(end.user, owner);
  }
}

// UWFQ's own scalar: equal shares in the fluid, but a user stays until V is where its chain ends.
// A's chain of 0.5 (8 + 4) is over at V = 6, and cuts both jobs off; B's of 2 * 6 at V = 4 + 12.
TEST(TwoLevelWeights, AScaleThatIsNoWeightStretchesTheChainAndTheStayInTheFluid) {
  Followed run(4);
  run.arrive(A, A1, 0, 8, {.weight = 1, .scale = 0.5});
  run.arrive(A, A2, 0, 4, {.weight = 1, .scale = 0.5});
  run.arrive(B, B1, 1, 6, {.weight = 1, .scale = 2});
  EXPECT_NEAR(run.fluid.virtual_time(), 4, exact);
  expect_near(run.global_deadlines(A), {{A2, 2}, {A1, 6}});
  expect_near(run.global_deadlines(B), {{B1, 16}});
  run.advance(4);  // B is alone since 2 s; its job has ended
  EXPECT_NEAR(run.fluid.virtual_time(), 14, exact);
  EXPECT_FALSE(run.fluid.active(A));
  EXPECT_TRUE(run.fluid.active(B));
  EXPECT_TRUE(run.fluid.members(B).empty());
  run.advance(100);
  EXPECT_NEAR(run.fluid.virtual_time(), 16, exact);
  expect_ujf_ends(run, {{A2, 2}, {A1, 2}, {B1, 3}});
  expect_two_level_ends(run, {{A2, 1}, {A1, 2}, {B1, 3}});
}

TEST(TwoLevelWeights, ANewShareCountsFromWhenTheUserComesBack) {
  Followed run(4);
  run.arrive(A, A1, 0, 4);
  run.arrive(A, A2, 0, 4, {.weight = 5, .scale = 0.2});
  EXPECT_EQ(run.fluid.share(A).weight, 1);
  EXPECT_NEAR(run.fluid.end(A), 8, exact);
  run.arrive(A, B1, 10, 4, {.weight = 4, .scale = 0.25});
  EXPECT_EQ(run.fluid.share(A).weight, 4);
  EXPECT_NEAR(run.fluid.start(A), 8, exact);
  EXPECT_NEAR(run.fluid.end(A), 9, exact);
  run.advance(100);
  EXPECT_NEAR(run.ujf_end(B1), 11, exact);
  EXPECT_NEAR(run.fluid.virtual_time(), 9, exact);
}

TEST(TwoLevelJobs, OfEqualSizeAreServedInOrderOfTheirNumbers) {
  Followed run(1);
  run.arrive(A, A1, 0, 3);
  run.arrive(A, A2, 0, 3);
  run.arrive(A, B1, 0, 3);
  run.advance(100);
  expect_two_level_ends(run, {{A1, 3}, {A2, 6}, {B1, 9}});
  for (const std::uint32_t job : {A1, A2, B1}) EXPECT_NEAR(run.ujf_end(job), 9, exact);
}

}  // namespace
}  // namespace somnus::two_level_test
