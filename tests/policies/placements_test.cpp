// What every placement must do, under every feedback that it goes with.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/placement_rig.hpp"
#include "harness/scenarios.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

const std::vector<std::string> feedbacks = {"at-once", "heartbeat", "any-heartbeat", "monitor"};

bool go_together(const std::string& placement, const std::string& feedback) {
  const PlacementTraits placing = placement_traits({.order = "fifo", .placement = placement});
  const FeedbackTraits reporting = feedback_traits(feedback);
  return !(placing.asks_nodes && reporting.opens_at_them) &&
         !(placing.same_view && reporting.is_private);
}

TEST(Placements, SpreadAJobOverIdleNodesWithinAHeartbeatOfTheBest) {
  for (const std::string& placement : names_of_parts(PartKind::placement)) {
    for (const std::string& feedback : feedbacks) {
      if (!go_together(placement, feedback)) continue;
      Conditions conditions{.placement = placement, .feedback = feedback, .queue = QueueRules{}};
      conditions.loop.until = at_seconds(1000);
      const World world = simulate(job_of(10, 10), cluster(10), conditions);
      EXPECT_LE(world.finish_of("j"), 10 + in_seconds(conditions.nodes.heartbeat_interval))
          << placement << " with " << feedback;
    }
  }
}

TEST(Placements, HeedPreferredNodesThatAreIdle) {
  for (const std::string& placement : names_of_parts(PartKind::placement)) {
    Conditions conditions{.placement = placement, .queue = QueueRules{}};
    const World world = simulate(job_of(2, 1, {7, 4}), cluster(10), conditions);
    std::vector<std::uint32_t> nodes;
    for (const Decision& each : world.decisions) nodes.push_back(each.launch.node.value());
    EXPECT_EQ(sorted(nodes), (NodeList{4, 7})) << placement;
  }
}

}  // namespace
}  // namespace somnus::harness
