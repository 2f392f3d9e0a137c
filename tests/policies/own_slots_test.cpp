// Placement "own-slots": whose slots are whose.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "harness/world.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

World with_own_slots(const WorkloadBuilder& jobs, std::uint32_t nodes, bool keep) {
  return simulate(jobs, cluster(nodes),
                  {.order = "fair", .placement = "own-slots", .of_placement = {{"keep", keep}}});
}

/// "job:node" of what starts at that instant, in the order of the decisions.
std::vector<std::string> placed_at(const World& world, Duration instant) {
  std::vector<std::string> all;
  for (const Decision& each : world.decisions) {
    if (each.at != at(instant)) continue;
    const JobId job = world.workload.catalogue[each.launch.stage].job;
    all.push_back(
        fmt::format("{}:{}", world.workload.names.jobs[job.index()], each.launch.node.value()));
  }
  return all;
}
using Placed = std::vector<std::string>;

TEST(OwnSlots, AreTakenBeforeOthersThatAreFree) {
  const auto jobs = workload()
                        .job("a", {.tasks = {3, 3}})
                        .job("b")
                        .stage(0, {.tasks = {5, 5}})
                        .stage(1, {.parents = {0}, .tasks = {1, 1}});
  for (const bool keep : {false, true}) {
    const World world = with_own_slots(jobs, 4, keep);
    EXPECT_EQ(placed_at(world, 0s), (Placed{"a:0", "b:1", "a:2", "b:3"}));
    EXPECT_EQ(placed_at(world, 5s), (Placed{"b:1", "b:3"})) << "0 and 2 have been free since 3 s";
  }
}

WorkloadBuilder two_jobs() {
  return workload()
      .job("a", {.tasks = {1, 1, 1, 1}})
      .job("b", {.at = 500ms, .tasks = {1, 1, 1, 1}});
}

TEST(OwnSlots, AreKeptWhileTheJobHasTasks) {
  const World world = with_own_slots(two_jobs(), 2, true);
  EXPECT_EQ(placed_at(world, 1s), (Placed{"a:0", "a:1"}));
  EXPECT_EQ(placed_at(world, 2s), (Placed{"b:0", "b:1"}));
  EXPECT_EQ(placed_at(world, 3s), (Placed{"b:0", "b:1"}));
}
TEST(OwnSlots, AreSharedByTheOrderIfNotKept) {
  const World world = with_own_slots(two_jobs(), 2, false);
  EXPECT_EQ(placed_at(world, 1s), (Placed{"a:0", "b:1"}));
}

TEST(OwnSlots, AreNotKeptByAJobThatTheOrderHoldsBack) {
  const std::vector<double> tasks(40, 1);
  const auto jobs = workload().job("a", {.tasks = tasks}).job("b", {.at = 500ms, .tasks = tasks});
  const World world =
      simulate(jobs, cluster(4),
               {.order = "paf", .of_order = {{"surplus", "leave"}}, .placement = "own-slots"});
  EXPECT_EQ(placed_at(world, 0s), (Placed{"a:0", "a:1", "a:2", "a:3"}));
  EXPECT_EQ(placed_at(world, 1s), (Placed{"a:0", "a:1", "b:2", "b:3"})) << "two are its target now";
  EXPECT_EQ(placed_at(world, 2s), (Placed{"a:0", "a:1", "b:2", "b:3"}));
}

TEST(OwnSlots, AreNotKeptForATaskThatPrefersOtherNodes) {
  WorkloadBuilder jobs = workload().job("a", {.tasks = {2, 1, 1}, .prefers = {0}});
  jobs.job("b", {.at = 500ms, .tasks = {5}});
  const World world = with_own_slots(jobs, 2, true);
  EXPECT_EQ(placed_at(world, 1s), (Placed{"b:1"}));
  EXPECT_EQ(placed_at(world, 2s), (Placed{"a:0"}));
}

/// From 2 s to 3 s.
Conditions losing_node_3(bool keep) {
  Conditions conditions{
      .order = "fair", .placement = "own-slots", .of_placement = {{"keep", keep}}};
  conditions.nodes.faults = {{.at = at(2s), .node = NodeId(3U), .change = NodeChange::lost},
                             {.at = at(3s), .node = NodeId(3U), .change = NodeChange::returned}};
  return conditions;
}

// a's long task is lost with node 3 at 2 s and runs on node 1 then, until 6 s. Nodes 1 and 2 are
// what a has left; node 3 has come back without JVMs, so it is no more a's than node 0, which z has
// left.
TEST(OwnSlots, AreNotThoseOfANodeThatWasLostMeanwhile) {
  const auto jobs = workload()
                        .job("z", {.tasks = {5}})
                        .job("a")
                        .stage(0, {.tasks = {1, 1, 4}})
                        .stage(1, {.parents = {0}, .tasks = {1, 1, 1}});
  for (const bool keep : {false, true}) {
    const World world = simulate(jobs, cluster(4), losing_node_3(keep));
    EXPECT_EQ(placed_at(world, 0s), (Placed{"z:0", "a:1", "a:2", "a:3"}));
    EXPECT_EQ(placed_at(world, 2s), (Placed{"a:1"}));
    EXPECT_EQ(placed_at(world, 6s), (Placed{"a:1", "a:2", "a:0"}));
  }
}

// The same, with nothing on node 3 when it is lost.
TEST(OwnSlots, AreNotThoseOfANodeThatWasLostWhileItWasIdle) {
  const auto jobs = workload()
                        .job("z", {.tasks = {3}})
                        .job("a")
                        .stage(0, {.tasks = {1, 4, 1}})
                        .stage(1, {.parents = {0}, .tasks = {1, 1, 1}});
  for (const bool keep : {false, true}) {
    const World world = simulate(jobs, cluster(4), losing_node_3(keep));
    Placed second_stage = placed_at(world, 4s);
    std::ranges::sort(second_stage);
    EXPECT_EQ(second_stage, (Placed{"a:0", "a:1", "a:2"}));
  }
}

}  // namespace
}  // namespace somnus::harness
