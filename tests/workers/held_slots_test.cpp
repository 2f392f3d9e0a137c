// Slots held for reservations, and when a node is heard.
#include <gtest/gtest.h>

#include <vector>

#include "harness/nodes.hpp"
#include "workers/node_uplink.hpp"
#include "workers/reservations.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

TEST(HeldSlots, AreReleasedByStageTheOneHeldLongestFirst) {
  Reservations held;
  held.hold(StageId(7U), 2);
  held.hold(StageId(8U), 0);
  held.hold(StageId(7U), 1);
  EXPECT_EQ(held.release(StageId(7U)), 2U);
  EXPECT_EQ(held.release(StageId(9U)), std::nullopt);
  EXPECT_EQ(held.size(), 2U);
  std::vector<std::uint32_t> rest;
  held.release_all([&](std::uint32_t slot) { rest.push_back(slot); });
  EXPECT_EQ(rest, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(held.size(), 0U);
}

TEST(NodeUplink, IsHeardInOrderThoughWhatItSaysTakesLonger) {
  const NodeModel model{.network = {.mean = 100ms}};
  NodeUplink uplink(model, NodeId(0U));
  EXPECT_EQ(uplink.heard(at(1s), 500ms, model.network), at(1600ms));
  EXPECT_EQ(uplink.heard(at(1200ms), 0s, model.network), at(1600ms)) << "not before the first";
  EXPECT_EQ(uplink.heard(at(2s), 0s, model.network), at(2100ms));
}

TEST(NodeUplink, GoesOneWayWithAllThatItSaysInOneInstant) {
  const NodeModel model{.network = {.mean = 100ms, .jitter = 0.9}};
  NodeUplink uplink(model, NodeId(0U));
  const Time first = uplink.heard(at(1s), 0s, model.network);
  EXPECT_EQ(uplink.heard(at(1s), 0s, model.network), first);
  NodeUplink same(model, NodeId(0U));
  EXPECT_EQ(at(1s) + same.way(model.network), first) << "the same stream";
  NodeUplink other(model, NodeId(1U));
  EXPECT_NE(at(1s) + other.way(model.network), first);
}

TEST(NodeUplink, TellsOnceWhatItKept) {
  NodeUplink uplink({}, NodeId(0U));
  uplink.keep({.task = TaskId(4U)});
  uplink.keep({.task = TaskId(2U)});
  std::vector<TaskId> noted;
  const auto note = [&](const CompletionMessage& end) { noted.push_back(end.task); };
  uplink.release_held(note);
  uplink.release_held(note);
  EXPECT_EQ(noted, (std::vector<TaskId>{TaskId(4U), TaskId(2U)}));
}

}  // namespace
}  // namespace somnus::harness
