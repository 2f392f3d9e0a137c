// The workload of Figures 2 and 3 of the CFQ paper on three slots, under each order. Completion
// times were worked out by hand from the definitions.
#include <gtest/gtest.h>

#include "harness/world.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

World figure_2(const std::string& order) {
  return simulate(cfq_figure_2(), cluster(3), {.order = order});
}

void expect_finish_of_all(const World& world, double job1, double job2, double job3) {
  expect_finish(world, {{"job1", job1}, {"job2", job2}, {"job3", job3}});
}

// Virtual finish times are 9, 16 and 14: job 3 goes before the rest of job 2.
TEST(Cfq, ServesTheJobThatGpsWouldFinishFirst) {
  const World world = figure_2("cfq");
  expect_finish_of_all(world, 9, 12, 8);
  EXPECT_DOUBLE_EQ(world.mean_response(), 25.0 / 3);
  EXPECT_EQ(world.served_at(0s), (Served{"job1", "job2", "job2"}));
  EXPECT_EQ(world.served_at(4s), (Served{"job3", "job3"}));
  EXPECT_EQ(world.served_at(8s), (Served{"job2", "job2"}));
}

TEST(Fifo, ServesWhoCameFirst) {
  const World world = figure_2("fifo");
  expect_finish_of_all(world, 9, 8, 12);
  EXPECT_DOUBLE_EQ(world.mean_response(), 25.0 / 3);
  EXPECT_EQ(world.served_at(4s), (Served{"job2", "job2"}));
  EXPECT_EQ(world.served_at(8s), (Served{"job3", "job3"}));
}

TEST(Fair, ServesWhoRunsLeast) {
  const World world = figure_2("fair");
  expect_finish_of_all(world, 9, 12, 12);
  EXPECT_DOUBLE_EQ(world.mean_response(), 29.0 / 3);
  EXPECT_EQ(world.served_at(0s), (Served{"job1", "job2", "job2"}));
  EXPECT_EQ(world.served_at(4s), (Served{"job2", "job3"}));
  EXPECT_EQ(world.served_at(8s), (Served{"job2", "job3"}));
}

// At 4 s both job 2 (16 - 2 * 4) and job 3 have 8 slot-seconds left.
TEST(Srpt, BreaksATieByTheNumberOfTheJob) {
  const World world = figure_2("srpt");
  expect_finish_of_all(world, 9, 8, 12);
  EXPECT_DOUBLE_EQ(world.mean_response(), 25.0 / 3);
}

TEST(Srpt, ServesJobThreeFirstOnceItIsTheLeastBitShorter) {
  auto jobs = cfq_figure_2();
  jobs.spec().jobs[2].stages[0].durations = {4, 4 - 1e-9};
  const World world = simulate(jobs, cluster(3), {.order = "srpt"});
  expect_finish_of_all(world, 9, 12, 8);
  EXPECT_NEAR(world.mean_response(), 25.0 / 3, 1e-8);
}

}  // namespace
}  // namespace somnus::harness
