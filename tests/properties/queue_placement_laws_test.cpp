// Queue placements against a scan of all nodes: what the index chose is what Algorithm 1 says, and
// nothing that it allows is left undone.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "harness/property.hpp"
#include "harness/queue_scenarios.hpp"
#include "harness/watched.hpp"

namespace somnus::harness {
namespace {

/// Algorithm 1 over the picture, with its own memory of when each node was chosen.
class Scan final : public Witness {
 public:
  Scan(bool by_wait, double free_share) : by_wait_(by_wait), free_share_(free_share) {}

  void placing(StageId, NodeId node, const Picture& picture) override {
    chosen_.resize(picture.nodes.count());
    const auto best = choose(picture.nodes);
    wrong_ |= !best || *best != node;
    (picture.nodes.free_slots(node) > 0 ? free_ : full_) += 1;
    chosen_[node.index()] = ++choices_;
  }
  void planned(const Picture& picture) override {
    chosen_.resize(picture.nodes.count());
    idle_ |= picture.jobs.runnable_tasks() > 0 && choose(picture.nodes).has_value();
  }

  [[nodiscard]] bool wrong() const { return wrong_; }
  [[nodiscard]] bool idle() const { return idle_; }
  [[nodiscard]] std::size_t to_free() const { return free_; }
  [[nodiscard]] std::size_t to_full() const { return full_; }

 private:
  [[nodiscard]] std::optional<NodeId> choose(const NodeTable& nodes) const {
    std::optional<NodeId> most_free;
    std::optional<NodeId> least_load;
    const auto load = [&](NodeId node) {
      return std::pair(by_wait_ ? nodes.wait(node) : nodes.queued(node), chosen_[node.index()]);
    };
    for (std::uint32_t at = 0; at < nodes.count(); ++at) {
      const NodeId node(at);
      if (!nodes.usable(node)) continue;
      if (nodes.free_slots(node) > 0) {
        if (!most_free || nodes.free_slots(node) > nodes.free_slots(*most_free)) most_free = node;
      } else if (!least_load || load(node) < load(*least_load)) {
        least_load = node;
      }
    }
    if (most_free) return most_free;
    if (nodes.free_share() > free_share_) return {};
    return least_load;
  }

  bool by_wait_;
  double free_share_;
  std::vector<std::uint64_t> chosen_;
  std::uint64_t choices_ = 0;
  bool wrong_ = false;
  bool idle_ = false;
  std::size_t free_ = 0;
  std::size_t full_ = 0;
};

TEST(QueuePlacementLaws, TheIndexChoosesWhatAScanOfAllNodesWould) {
  std::size_t to_free = 0;
  std::size_t to_full = 0;
  check_law({.cases = 600}, [&] {
    Scenario scenario = any_queueing_scenario({});
    Conditions& conditions = scenario.conditions;
    RC_PRE(conditions.feedback != Feedback::monitor);
    const bool by_wait = *rc::gen::arbitrary<bool>();
    const double free_share = *rc::gen::element(0.0, 0.25, 0.5);
    conditions.placement = by_wait ? "queue-wait" : "queue-length";
    conditions.of_placement = {{"free_share", free_share}};
    Scan scan(by_wait, free_share);
    conditions.wrap = [&](std::unique_ptr<Policy> policy) {
      return std::make_unique<Watched>(std::move(policy), scan);
    };
    (void)run(scenario);
    RC_ASSERT(!scan.wrong());
    RC_ASSERT(!scan.idle());
    to_free += scan.to_free();
    to_full += scan.to_full();
  });
  EXPECT_GT(to_free, 1000U);
  EXPECT_GT(to_full, 1000U);
}

/// A free slot's node while there is one; else only if no slot at all is free.
class FreeFirst final : public Witness {
 public:
  void placing(StageId, NodeId node, const Picture& picture) override {
    const NodeTable& nodes = picture.nodes;
    if (nodes.free_slots(node) == 0) wrong_ |= nodes.first_free().valid() || nodes.free_share() > 0;
  }
  void planned(const Picture& picture) override {
    const NodeTable& nodes = picture.nodes;
    const bool may = nodes.first_free().valid() || (nodes.any_usable() && nodes.free_share() == 0);
    wrong_ |= picture.jobs.runnable_tasks() > 0 && may;
  }
  [[nodiscard]] bool wrong() const { return wrong_; }

 private:
  bool wrong_ = false;
};

TEST(QueuePlacementLaws, RandomTakesAFreeSlotFirstAndLeavesNothingUndone) {
  check_law({.cases = 400}, [] {
    Scenario scenario = any_queueing_scenario({});
    scenario.conditions.placement = "random";
    scenario.conditions.of_placement = {};
    FreeFirst witness;
    scenario.conditions.wrap = [&](std::unique_ptr<Policy> policy) {
      return std::make_unique<Watched>(std::move(policy), witness);
    };
    (void)run(scenario);
    RC_ASSERT(!witness.wrong());
  });
}

}  // namespace
}  // namespace somnus::harness
