// Random placement: the ablation of Yaq's Algorithm 1 (section 6.5.2). While some slot is free a
// node with a free slot, else any node with room in its queue, each with the same probability; of
// those that the task's stage prefers, if there are any among them. Every job draws from a stream
// of its own.
#pragma once

#include <vector>

#include "scheduler/environment.hpp"
#include "scheduler/job_streams.hpp"
#include "scheduler/placement.hpp"
#include "scheduler/traits.hpp"

namespace somnus {

class RandomPlacement final : public Placement {
 public:
  static constexpr PlacementTraits traits{.draws = true};

  explicit RandomPlacement(const Environment& environment) : streams_(environment.seed) {}

  [[nodiscard]] NodeId choose(StageId stage, const PlacementView& view) override {
    if (!open(view)) return {};
    RandomStream& stream = streams_.of(view.stages.job_of(stage));
    preferred_.clear();
    for (const NodeId node : view.stages.affinity_of(stage)) {
      const bool as_free = free_.empty() || view.nodes.free_slots(node) > 0;
      if (as_free && view.nodes.usable(node)) preferred_.push_back(node);
    }
    const std::vector<NodeId>& from = !preferred_.empty() ? preferred_
                                      : free_.empty()     ? full_.members()
                                                          : free_.members();
    return from[static_cast<std::size_t>(
        stream.integer(0, static_cast<std::int64_t>(from.size()) - 1))];
  }
  [[nodiscard]] bool follows_nodes() const override { return true; }
  void node_changed(NodeId node, const PlacementView& view) override {
    const bool ready = view.nodes.ready(node);
    const bool free = view.nodes.free_slots(node) > 0;
    free_.set(node, ready && free);
    full_.set(node, ready && !free);
  }
  void job_ended(JobId job) override { streams_.forget(job); }

 private:
  /// A set with its members in a row. O(1) a change.
  class NodePool {
   public:
    [[nodiscard]] bool empty() const { return members_.empty(); }
    [[nodiscard]] const std::vector<NodeId>& members() const { return members_; }
    void set(NodeId node, bool in) {
      if (node.index() >= place_.size()) place_.resize(node.index() + 1, nowhere);
      std::uint32_t& place = place_[node.index()];
      if (in == (place != nowhere)) return;
      if (in) {
        place = static_cast<std::uint32_t>(members_.size());
        members_.push_back(node);
        return;
      }
      place_[members_.back().index()] = place;
      members_[place] = members_.back();
      members_.pop_back();
      place = nowhere;
    }

   private:
    static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
    std::vector<NodeId> members_;
    std::vector<std::uint32_t> place_;  // by node
  };

  NodePool free_;
  NodePool full_;
  std::vector<NodeId> preferred_;  // of the stage in hand
  JobStreams streams_;
};

}  // namespace somnus
