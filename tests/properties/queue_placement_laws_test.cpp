// Queue placements against a scan of all nodes: what the index chose is what Algorithm 1 says, and
// nothing that it allows is left undone.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/property.hpp"
#include "harness/queue_scenarios.hpp"
#include "harness/watched.hpp"

namespace somnus::harness {
namespace {

/// Algorithm 1 over the view, with its own memory of when each node was chosen.
class Scan final : public Witness {
 public:
  Scan(bool by_wait, double free_share, double elsewhere)
      : by_wait_(by_wait), free_share_(free_share), elsewhere_(elsewhere) {}

  void placing(StageId stage, NodeId node, const SchedulerView& view) override {
    chosen_.resize(view.nodes.count());
    const auto preferred = view.jobs.affinity_of(stage);
    const auto best = choose(view.nodes, preferred);
    wrong_ |= !best || *best != node;
    preferred_ += contains(preferred, node) ? 1 : 0;
    (view.nodes.free_slots(node) > 0 ? free_ : full_) += 1;
    chosen_[node.index()] = ++choices_;
  }
  void planned(const SchedulerView& view) override {
    chosen_.resize(view.nodes.count());
    idle_ |= view.jobs.runnable_tasks() > 0 && choose(view.nodes, {}).has_value();
  }

  [[nodiscard]] bool wrong() const { return wrong_; }
  [[nodiscard]] bool idle() const { return idle_; }
  [[nodiscard]] std::size_t to_free() const { return free_; }
  [[nodiscard]] std::size_t to_full() const { return full_; }
  [[nodiscard]] std::size_t to_preferred() const { return preferred_; }

 private:
  static bool contains(std::span<const NodeId> nodes, NodeId node) {
    return std::ranges::find(nodes, node) != nodes.end();
  }

  [[nodiscard]] double load(const NodeView& nodes, NodeId node) const {
    if (!by_wait_) return nodes.queued(node);
    const auto wait = nodes.wait(node);
    return static_cast<double>(wait.over) / static_cast<double>(wait.under);
  }

  /// Of those that are preferred, or of those that are not: most free, or else the least load.
  template <class Among>
  [[nodiscard]] std::optional<NodeId> best(const NodeView& nodes, Among&& among) const {
    const auto rank = [&](NodeId node) {
      const double free = nodes.free_slots(node);
      return free > 0 ? std::tuple(false, -free, std::uint64_t{0})
                      : std::tuple(true, load(nodes, node), chosen_[node.index()]);
    };
    std::optional<NodeId> best;
    for (std::uint32_t at = 0; at < nodes.count(); ++at) {
      const NodeId node(at);
      if (!nodes.usable(node) || !among(node)) continue;
      if (!best || rank(node) < rank(*best)) best = node;
    }
    return best;
  }

  [[nodiscard]] std::optional<NodeId> choose(const NodeView& nodes,
                                             std::span<const NodeId> preferred) const {
    const auto near = best(nodes, [&](NodeId node) { return contains(preferred, node); });
    const auto far = best(nodes, [&](NodeId node) { return !contains(preferred, node); });
    const auto is_free = [&](const std::optional<NodeId>& node) {
      return node && nodes.free_slots(*node) > 0;
    };
    if (is_free(near)) return near;
    if (is_free(far)) return far;
    if (nodes.free_share() > free_share_) return {};
    if (!near || !far) return near ? near : far;
    const auto score = [&](NodeId node, double affinity) { return affinity / load(nodes, node); };
    return score(*near, 1) >= score(*far, elsewhere_) ? near : far;
  }

  bool by_wait_;
  double free_share_;
  double elsewhere_;
  std::vector<std::uint64_t> chosen_;
  std::uint64_t choices_ = 0;
  bool wrong_ = false;
  bool idle_ = false;
  std::size_t free_ = 0;
  std::size_t full_ = 0;
  std::size_t preferred_ = 0;
};

/// Some stages prefer a few nodes.
void prefer_some(Scenario& scenario) {
  const std::uint32_t nodes = scenario.cluster.node_count();
  for (JobSpec& job : scenario.jobs.jobs) {
    for (StageSpec& stage : job.stages) {
      if (!*rc::gen::arbitrary<bool>()) continue;
      std::set<std::uint32_t> preferred;
      const int wanted = *rc::gen::inRange(1, 4);
      for (int at = 0; at < wanted; ++at) preferred.insert(*rc::gen::inRange(0U, nodes));
      stage.affinity.assign(preferred.begin(), preferred.end());
    }
  }
}

TEST(QueuePlacementLaws, TheIndexChoosesWhatAScanOfAllNodesWould) {
  std::size_t to_free = 0;
  std::size_t to_full = 0;
  std::size_t to_preferred = 0;
  check_law({.cases = 600}, [&] {
    Scenario scenario = any_queueing_scenario({});
    Conditions& conditions = scenario.conditions;
    RC_PRE(conditions.feedback != "monitor");
    const bool by_wait = *rc::gen::arbitrary<bool>();
    const double free_share = *rc::gen::element(0.0, 0.25, 0.5);
    conditions.placement = by_wait ? "queue-wait" : "queue-length";
    const double elsewhere = *rc::gen::element(0.1, 0.5, 1.0);
    conditions.of_placement = {{"free_share", free_share}, {"elsewhere", elsewhere}};
    prefer_some(scenario);
    Scan scan(by_wait, free_share, elsewhere);
    conditions.wrap = [&](std::unique_ptr<Policy> policy) {
      return std::make_unique<Watched>(std::move(policy), scan);
    };
    (void)run(scenario);
    RC_ASSERT(!scan.wrong());
    RC_ASSERT(!scan.idle());
    to_free += scan.to_free();
    to_full += scan.to_full();
    to_preferred += scan.to_preferred();
  });
  EXPECT_GT(to_free, 1000U);
  EXPECT_GT(to_full, 1000U);
  EXPECT_GT(to_preferred, 1000U);
}

/// A free slot's node while there is one; else only if no slot at all is free.
class FreeFirst final : public Witness {
 public:
  /// one_view: all managers see the same. Else what is left is left by others than the one seen.
  explicit FreeFirst(bool one_view) : one_view_(one_view) {}

  void placing(StageId, NodeId node, const SchedulerView& view) override {
    const NodeView& nodes = view.nodes;
    if (nodes.free_slots(node) == 0) wrong_ |= nodes.first_free().valid() || nodes.free_share() > 0;
  }
  void planned(const SchedulerView& view) override {
    const NodeView& nodes = view.nodes;
    const bool may = nodes.first_free().valid() || (nodes.any_usable() && nodes.free_share() == 0);
    wrong_ |= one_view_ && view.jobs.runnable_tasks() > 0 && may;
  }
  [[nodiscard]] bool wrong() const { return wrong_; }

 private:
  bool one_view_;
  bool wrong_ = false;
};

TEST(QueuePlacementLaws, RandomTakesAFreeSlotFirstAndLeavesNothingUndone) {
  check_law({.cases = 400}, [] {
    Scenario scenario = any_queueing_scenario({});
    scenario.conditions.placement = "random";
    scenario.conditions.of_placement = {};
    FreeFirst witness(scenario.conditions.feedback != "monitor");
    scenario.conditions.wrap = [&](std::unique_ptr<Policy> policy) {
      return std::make_unique<Watched>(std::move(policy), witness);
    };
    (void)run(scenario);
    RC_ASSERT(!witness.wrong());
  });
}

}  // namespace
}  // namespace somnus::harness
