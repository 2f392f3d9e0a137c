// Jobs that follow others: a job arrives at the later of its submit and the end of the one before
// plus the time to think.
#include <gtest/gtest.h>

#include <map>

#include "harness/world.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

// In seconds, by name.
std::map<std::string, double> arrivals(const World& world) {
  std::map<std::string, double> found;
  for (const Heard& each : world.events) {
    if (const auto* arrived = std::get_if<JobArrived>(&each.event)) {
      found[world.workload.names.jobs[arrived->job.index()]] = in_seconds(each.at);
    }
  }
  return found;
}

using Times = std::map<std::string, double>;

TEST(ClosedLoop, AJobArrivesOnceTheOneBeforeHasEndedAndItsUserHasThought) {
  const auto jobs = workload()
                        .job("first", {.at = 1s, .tasks = {3}})
                        .job("second", {.at = 1s, .after = "first", .think = 2s, .tasks = {1, 1}})
                        .job("third", {.at = 1s, .after = "second", .tasks = {5}});
  const World world = simulate(jobs, cluster(1), {.order = "fifo"});
  EXPECT_EQ(arrivals(world), (Times{{"first", 1}, {"second", 6}, {"third", 8}}));
  expect_finish(world, {{"first", 4}, {"second", 8}, {"third", 13}});
  EXPECT_EQ(world.ending, Ending::all_jobs_ended);
}

TEST(ClosedLoop, AJobArrivesNotBeforeItsSubmit) {
  const auto jobs =
      workload()
          .job("first", {.tasks = {3}})
          .job("late", {.at = 10s, .after = "first", .think = 2s, .tasks = {1}})
          .job("thoughtful", {.at = 10s, .after = "first", .think = 9s, .tasks = {1}});
  const World world = simulate(jobs, cluster(4), {.order = "fifo"});
  EXPECT_EQ(arrivals(world), (Times{{"first", 0}, {"late", 10}, {"thoughtful", 12}}));
}

TEST(ClosedLoop, SeveralJobsMayFollowTheSameOne) {
  const auto jobs = workload()
                        .job("first", {.tasks = {2, 4}})
                        .job("left", {.after = "first", .think = 1s, .tasks = {1}})
                        .job("right", {.after = "first", .think = 1s, .tasks = {2}});
  const World world = simulate(jobs, cluster(2), {.order = "fifo"});
  EXPECT_EQ(arrivals(world), (Times{{"first", 0}, {"left", 5}, {"right", 5}}));
  expect_finish(world, {{"left", 6}, {"right", 7}});
}

// The follower is numbered before the jobs that come in the meantime.
TEST(ClosedLoop, FifoServesByTimeOfArrivalNotByNumber) {
  const auto jobs =
      workload()
          .job("first", {.tasks = {3}})
          .job("follower", {.after = "first", .think = 2s, .tasks = {1}})  // arrives at 5 s
          .job("running", {.at = 3s, .tasks = {4}})
          .job("waiting", {.at = 4s, .tasks = {1}});
  const World world = simulate(jobs, cluster(1), {.order = "fifo"});
  expect_finish(world, {{"running", 7}, {"waiting", 8}, {"follower", 9}});
}

TEST(ClosedLoop, OfThoseThatArriveTogetherFifoServesTheSmallerNumber) {
  const auto jobs = workload()
                        .job("first", {.tasks = {3}})
                        .job("follower", {.after = "first", .think = 1s, .tasks = {1}})
                        .job("running", {.at = 3s, .tasks = {4}})
                        .job("open", {.at = 4s, .tasks = {1}});
  const World world = simulate(jobs, cluster(1), {.order = "fifo"});
  expect_finish(world, {{"follower", 8}, {"open", 9}});
}

// What the scheduler knows of the end counts: the message takes half a second.
TEST(ClosedLoop, TheThinkingBeginsWhenTheSchedulerHearsOfTheEnd) {
  const auto jobs = workload()
                        .job("first", {.tasks = {3}})
                        .job("second", {.after = "first", .think = 2s, .tasks = {1}});
  Conditions conditions{.order = "fifo"};
  conditions.nodes.network.mean = 500ms;
  const World world = simulate(jobs, cluster(1), conditions);
  EXPECT_DOUBLE_EQ(world.finish_of("first"), 3.5);
  EXPECT_EQ(arrivals(world), (Times{{"first", 0}, {"second", 6}}));
}

// Of a job with stages the last one counts.
TEST(ClosedLoop, AJobHasEndedWithItsLastStage) {
  const auto jobs = workload()
                        .job("first")
                        .stage(0, {.tasks = {1}})
                        .stage(1, {.parents = {0}, .tasks = {2, 5}})
                        .job("second", {.after = "first", .think = 500ms, .tasks = {1}});
  EXPECT_EQ(arrivals(simulate(jobs, cluster(2), {.order = "fifo"})),
            (Times{{"first", 0}, {"second", 6.5}}));
}

// In the fluid of CFQ the follower enters when it arrives; from its submit it would have F = 3.
TEST(ClosedLoop, AVirtualFinishCountsFromTheArrivalNotFromTheSubmit) {
  const auto jobs =
      workload()
          .job("first", {.tasks = {4}})
          .job("follower", {.after = "first", .tasks = {3}})  // at 4 s V = 2 + 2/3: F = 5 + 2/3
          .job("open", {.at = 2s, .tasks = {3.5}})            // V = 2: F = 5.5
          .job("last", {.at = 2s, .tasks = {3.5}});           // F = 5.5
  const World world = simulate(jobs, cluster(1), {.order = "cfq"});
  expect_finish(world, {{"open", 7.5}, {"last", 11}, {"follower", 14}});
}

}  // namespace
}  // namespace somnus::harness
