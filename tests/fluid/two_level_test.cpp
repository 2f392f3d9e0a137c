// Worked examples of user-job fairness and two-level virtual time (policies.md 1.2, 1.3), followed
// by hand from arrival to arrival.
#include "fluid/two_level.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "fluid/followed.hpp"

namespace somnus::two_level_test {
namespace {

using harness::TwoLevelInSeconds;

// Example U2: four slots; A1 (at 0 s, L = 8), A2 (0, 4), B1 (1, 6), B2 (3, 1), C1 (5.5, 4).
class ExampleU2 : public ::testing::Test {
 protected:
  Followed u2_{4};
  TwoLevelInSeconds& fluid_ = u2_.fluid;

  void a_comes() {
    u2_.arrive(A, A1, 0, 8);
    u2_.arrive(A, A2, 0, 4);
  }
  void b1_comes() { u2_.arrive(B, B1, 1, 6); }
  void b2_comes() { u2_.arrive(B, B2, 3, 1); }
  void c1_comes() { u2_.arrive(C, C1, 5.5, 4); }
  void all_come() {
    a_comes();
    b1_comes();
    b2_comes();
    c1_comes();
  }
};

TEST_F(ExampleU2, TheFirstJobBeginsItsUsersChainAtZero) {
  u2_.arrive(A, A1, 0, 8);
  EXPECT_EQ(fluid_.virtual_time(), 0);
  EXPECT_TRUE(fluid_.active(A));
  EXPECT_EQ(fluid_.start(A), 0);
  EXPECT_NEAR(fluid_.end(A), 8, exact);
  expect_near(u2_.user_deadlines(A), {{A1, 8}});
  expect_near(u2_.global_deadlines(A), {{A1, 8}});
}

TEST_F(ExampleU2, AShorterJobOfTheSameUserGoesBeforeTheFirstAndPushesItBack) {
  a_comes();
  EXPECT_EQ(fluid_.virtual_time(), 0);
  expect_near(u2_.user_deadlines(A), {{A1, 8}, {A2, 4}});
  expect_near(u2_.global_deadlines(A), {{A2, 4}, {A1, 12}});
  EXPECT_NEAR(fluid_.end(A), 12, exact);
  EXPECT_EQ(fluid_.active_users(), 1U);
}

TEST_F(ExampleU2, ASecondUserBeginsItsChainAtThePresentVirtualTime) {
  a_comes();
  b1_comes();
  EXPECT_NEAR(fluid_.virtual_time(), 4, exact);
  EXPECT_NEAR(fluid_.virtual_time(A), 2, exact);
  EXPECT_EQ(fluid_.virtual_time(B), 0);
  EXPECT_NEAR(fluid_.start(A), 0, exact);
  EXPECT_NEAR(fluid_.end(A), 12, exact);
  EXPECT_NEAR(fluid_.start(B), 4, exact);
  EXPECT_NEAR(fluid_.end(B), 10, exact);
  expect_near(u2_.user_deadlines(B), {{B1, 6}});
  expect_near(u2_.global_deadlines(A), {{A2, 4}, {A1, 12}});
  expect_near(u2_.global_deadlines(B), {{B1, 10}});
  EXPECT_NEAR(u2_.two_level_end(A2), 1, exact);
  expect_near(u2_.left(A), {{A1, 8}});
  expect_near(u2_.left(B), {{B1, 6}});
  EXPECT_EQ(fluid_.active_users(), 2U);
}

TEST_F(ExampleU2, AnOvertakingJobGetsADeadlineThatHasPassed) {
  a_comes();
  b1_comes();
  b2_comes();
  EXPECT_NEAR(fluid_.virtual_time(), 8, exact);
  EXPECT_NEAR(fluid_.virtual_time(A), 4, exact);
  EXPECT_NEAR(fluid_.virtual_time(B), 4, exact);
  EXPECT_NEAR(fluid_.start(A), 4, exact) << "A2 has left: its 4 slot-seconds are in the start";
  EXPECT_NEAR(fluid_.end(A), 12, exact);
  EXPECT_NEAR(fluid_.start(B), 4, exact);
  EXPECT_NEAR(fluid_.end(B), 11, exact);
  expect_near(u2_.user_deadlines(A), {{A1, 8}});
  expect_near(u2_.user_deadlines(B), {{B1, 6}, {B2, 5}});
  expect_near(u2_.global_deadlines(A), {{A1, 12}});
  expect_near(u2_.global_deadlines(B), {{B2, 5}, {B1, 11}});
  EXPECT_NEAR(u2_.ujf_end(A2), 3, exact);
}

TEST_F(ExampleU2, WhatTwoLevelServiceHasLeftTellsTheHonestDeadlines) {
  a_comes();
  b1_comes();
  b2_comes();
  expect_near(u2_.left(A), {{A1, 4}});
  expect_near(u2_.left(B), {{B1, 2}, {B2, 1}});
  const auto unserved = fluid_.unserved(B);
  ASSERT_EQ(unserved.size(), 2U);
  EXPECT_EQ(unserved.front().job, B2) << "the earliest deadline stands first";
}

TEST_F(ExampleU2, VirtualTimesGoOnBetweenArrivals) {
  a_comes();
  b1_comes();
  b2_comes();
  u2_.advance(4);  // B2 leaves J_B
  EXPECT_NEAR(fluid_.virtual_time(), 10, exact);
  EXPECT_NEAR(fluid_.virtual_time(A), 6, exact);
  EXPECT_NEAR(fluid_.virtual_time(B), 5, exact);
  expect_near(u2_.left(A), {{A1, 2}});
  expect_near(u2_.left(B), {{B1, 1}});
  u2_.advance(4.25);
  EXPECT_NEAR(fluid_.virtual_time(), 10.5, exact);
  EXPECT_NEAR(fluid_.virtual_time(A), 6.5, exact);
  EXPECT_NEAR(fluid_.virtual_time(B), 5.5, exact);
  EXPECT_NEAR(fluid_.start(B), 5, exact);
  u2_.advance(4.625);  // A is alone since 4.5 s
  EXPECT_NEAR(fluid_.virtual_time(), 11.5, exact);
  EXPECT_NEAR(fluid_.virtual_time(A), 7.5, exact);
  EXPECT_FALSE(fluid_.active(B));
  EXPECT_TRUE(fluid_.active(A));
}

TEST_F(ExampleU2, VirtualTimeRestsAtTheEndOfTheLastChainWhileNobodyIsActive) {
  a_comes();
  b1_comes();
  b2_comes();
  u2_.advance(5);
  EXPECT_NEAR(fluid_.virtual_time(), 12, exact);
  EXPECT_EQ(fluid_.active_users(), 0U);
  for (const std::uint32_t user : {A, B}) {
    EXPECT_FALSE(fluid_.active(user));
    EXPECT_TRUE(fluid_.members(user).empty());
    EXPECT_TRUE(fluid_.unserved(user).empty());
    EXPECT_NEAR(fluid_.start(user), fluid_.end(user), exact);
  }
  EXPECT_NEAR(fluid_.end(A), 12, exact);
  EXPECT_NEAR(fluid_.end(B), 11, exact);
  EXPECT_NEAR(fluid_.virtual_time(A), 8, exact);
  EXPECT_NEAR(fluid_.virtual_time(B), 6, exact);
  c1_comes();
  EXPECT_NEAR(fluid_.virtual_time(), 12, exact);
  EXPECT_NEAR(fluid_.start(C), 12, exact);
  expect_near(u2_.global_deadlines(C), {{C1, 16}});
  EXPECT_EQ(fluid_.active_users(), 1U);
}

TEST_F(ExampleU2, EndsOfUserJobFairness) {
  all_come();
  u2_.advance(100);
  expect_ujf_ends(u2_, {{A1, 4.75}, {A2, 3}, {B1, 4.5}, {B2, 4}, {C1, 6.5}});
  EXPECT_NEAR(fluid_.virtual_time(), 16, exact);
}

TEST_F(ExampleU2, EndsOfTwoLevelVirtualTime) {
  all_come();
  u2_.advance(100);
  expect_two_level_ends(u2_, {{A1, 4.75}, {A2, 1}, {B1, 4.5}, {B2, 3.5}, {C1, 6.5}});
}

TEST_F(ExampleU2, EndsAreReportedInOrderOfTimeAndOfOneJobTheTwoLevelEndFirst) {
  all_come();
  u2_.advance(100);
  ASSERT_EQ(u2_.ends().size(), 10U);
  std::map<std::uint32_t, int> reported;
  double before = 0;
  for (const TwoLevel::End& end : u2_.ends()) {
    EXPECT_GE(end.time, before - exact);
    before = end.time;
    const bool first = ++reported[end.job] == 1;
    EXPECT_EQ(end.which, first ? TwoLevel::Which::two_level : TwoLevel::Which::ujf);
    const std::uint32_t owner = end.job <= A2 ? A : end.job <= B2 ? B : C;
    EXPECT_EQ(end.user, owner);
  }
}

// Example U1: four slots; A1 (at 0 s, L = 8), A2 (0, 4), B1 (1, 6), and nothing more.
TEST(ExampleU1, EndsAndDeadlines) {
  Followed u1(4);
  u1.arrive(A, A1, 0, 8);
  u1.arrive(A, A2, 0, 4);
  u1.arrive(B, B1, 1, 6);
  expect_near(u1.global_deadlines(A), {{A2, 4}, {A1, 12}});
  expect_near(u1.global_deadlines(B), {{B1, 10}});
  u1.advance(3.5);
  EXPECT_NEAR(u1.fluid.virtual_time(), 9, exact);
  u1.advance(100);
  expect_ujf_ends(u1, {{A2, 3}, {B1, 4}, {A1, 4.5}});
  expect_two_level_ends(u1, {{A2, 1}, {B1, 4}, {A1, 4.5}});
  EXPECT_NEAR(u1.fluid.virtual_time(), 12, exact);
}

// The example of weighted GPS, with users in the place of jobs: shares of 1 and 3 slots.
TEST(TwoLevelWeights, AUserOfWeightThreeIsServedThreeTimesAsFast) {
  Followed run(4);
  run.arrive(A, A1, 0, 8);
  run.arrive(B, B1, 0, 12, {.weight = 3, .scale = 1.0 / 3});
  EXPECT_NEAR(run.fluid.end(A), 8, exact);
  EXPECT_NEAR(run.fluid.end(B), 4, exact);
  run.advance(2);
  EXPECT_NEAR(run.fluid.virtual_time(), 2, exact);
  EXPECT_NEAR(run.fluid.virtual_time(A), 2, exact);
  EXPECT_NEAR(run.fluid.virtual_time(B), 6, exact) << "a user's time counts its own slot-seconds";
  run.advance(4.5);
  EXPECT_NEAR(run.fluid.virtual_time(), 6, exact);
  run.advance(100);
  expect_ujf_ends(run, {{B1, 4}, {A1, 5}});
  EXPECT_NEAR(run.two_level_end(B1), 4, exact);
  EXPECT_NEAR(run.fluid.virtual_time(), 8, exact);
}

TEST(TwoLevelWeights, AJobOfWeightThreeGetsThreePartsOfItsUsersShare) {
  Followed run(4);
  run.arrive(A, A1, 0, 8, equal, 1);
  run.arrive(A, A2, 0, 12, equal, 3);
  expect_near(run.user_deadlines(A), {{A1, 8}, {A2, 4}});
  expect_near(run.global_deadlines(A), {{A2, 12}, {A1, 20}});
  run.advance(2);
  EXPECT_NEAR(run.fluid.virtual_time(), 8, exact);
  EXPECT_NEAR(run.fluid.virtual_time(A), 2, exact);
  run.advance(100);
  expect_ujf_ends(run, {{A2, 4}, {A1, 5}});
  expect_two_level_ends(run, {{A2, 3}, {A1, 5}});
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

TEST(TwoLevelUsers, ComeBackToANewChainWhileOthersWork) {
  Followed run(4);
  run.arrive(B, B1, 0, 12);
  run.arrive(A, A1, 0, 2);  // leaves at 1 s, V = 2
  run.advance(1.5);
  EXPECT_FALSE(run.fluid.active(A));
  EXPECT_NEAR(run.fluid.end(A), 2, exact);
  EXPECT_NEAR(run.fluid.virtual_time(A), 2, exact);
  EXPECT_NEAR(run.fluid.virtual_time(), 4, exact);
  run.arrive(A, A2, 2, 2);
  EXPECT_NEAR(run.fluid.start(A), 6, exact);
  EXPECT_NEAR(run.fluid.end(A), 8, exact);
  EXPECT_NEAR(run.fluid.virtual_time(A), 2, exact) << "a user's own time never goes back";
  expect_near(run.user_deadlines(A), {{A2, 4}});
  run.advance(100);
  expect_ujf_ends(run, {{A1, 1}, {A2, 3}, {B1, 4}});
  EXPECT_NEAR(run.fluid.virtual_time(), 12, exact);
}

TEST(TwoLevelUsers, WhoComesBackAtTheInstantOfLeavingBeginsANewChainThere) {
  Followed run(4);
  run.arrive(A, A1, 0, 4);
  run.arrive(A, A2, 1, 4);
  EXPECT_NEAR(run.ujf_end(A1), 1, exact);
  EXPECT_NEAR(run.two_level_end(A1), 1, exact);
  EXPECT_NEAR(run.fluid.start(A), 4, exact);
  EXPECT_NEAR(run.fluid.end(A), 8, exact);
  EXPECT_EQ(run.fluid.members(A).size(), 1U);
}

TEST(TwoLevelJobs, WithoutWorkEndWhenTheyCome) {
  Followed run(2);
  run.arrive(A, A1, 1, 0);
  run.arrive(B, B1, 1, 4);
  run.arrive(B, B2, 2, 0);
  run.advance(100);
  expect_ujf_ends(run, {{A1, 1}, {B2, 2}, {B1, 3}});
  expect_two_level_ends(run, {{A1, 1}, {B2, 2}});
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

// Job B1 ends as C1 comes.
TEST(UserFluidEnds, AreReportedThoughAnArrivalFallsOnThem) {
  const std::vector<UserJob> jobs{{A, 0, 1, 0.5}, {B, 10, 1, 3}, {C, 11, 0, 0.5}};
  const UserFluidEnds ends = user_fluid_ends(1, jobs, std::vector<double>{0.25, 7, 2});
  EXPECT_NEAR(ends.ujf[1], 11, exact);
  EXPECT_NEAR(ends.two_level[1], 11, exact);
}

TEST(UserFluidEnds, AreInTheOrderOfTheJobs) {
  const std::vector<UserJob> jobs{{A, 0, 8}, {A, 0, 4}, {B, 1, 6}, {B, 3, 1}, {C, 5.5, 4}};
  const std::vector<double> weights{1, 1, 1};
  const UserFluidEnds ends = user_fluid_ends(4, jobs, weights);
  const std::vector<double> ujf{4.75, 3, 4.5, 4, 6.5};
  const std::vector<double> two_level{4.75, 1, 4.5, 3.5, 6.5};
  ASSERT_EQ(ends.ujf.size(), jobs.size());
  ASSERT_EQ(ends.two_level.size(), jobs.size());
  for (std::size_t at = 0; at < jobs.size(); ++at) {
    EXPECT_NEAR(ends.ujf[at], ujf[at], exact) << at;
    EXPECT_NEAR(ends.two_level[at], two_level[at], exact) << at;
  }
}

TEST(UserFluidEnds, FollowTheUsersWeights) {
  const std::vector<UserJob> jobs{{A, 0, 8}, {B, 0, 12}};
  const std::vector<double> weights{1, 3};
  const UserFluidEnds ends = user_fluid_ends(4, jobs, weights);
  EXPECT_NEAR(ends.ujf[0], 5, exact);
  EXPECT_NEAR(ends.ujf[1], 4, exact);
  EXPECT_NEAR(ends.two_level[0], 5, exact);
  EXPECT_NEAR(ends.two_level[1], 4, exact);
}

}  // namespace
}  // namespace somnus::two_level_test
