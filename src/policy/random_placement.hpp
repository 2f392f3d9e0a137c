// Random placement: the ablation of Yaq's Algorithm 1 (section 6.5.2). While some slot is free a
// node with a free slot, else any node with room in its queue, each with the same probability.
// Every job draws from a stream of its own.
#pragma once

#include <vector>

#include "policy/job_streams.hpp"
#include "policy/registry.hpp"

namespace somnus {

class RandomPlacement final : public Placement {
 public:
  explicit RandomPlacement(const Surroundings& surroundings) : streams_(surroundings.seed) {}
  [[nodiscard]] std::unique_ptr<Placement> clone() const override {
    return std::make_unique<RandomPlacement>(*this);
  }

  [[nodiscard]] bool open(const Picture& picture) const override {
    if (!picture.nodes.any_usable()) return false;
    return !free_.empty() || picture.nodes.free_share() == 0;
  }
  [[nodiscard]] NodeId choose(StageId stage, const Picture& picture) override {
    if (!open(picture)) return {};
    const std::vector<NodeId>& from = free_.empty() ? full_.members() : free_.members();
    RandomStream& stream = streams_.of(picture.jobs.catalogue()[stage].job);
    return from[static_cast<std::size_t>(
        stream.integer(0, static_cast<std::int64_t>(from.size()) - 1))];
  }
  [[nodiscard]] bool follows_nodes() const override { return true; }
  void node_changed(NodeId node, const Picture& picture) override {
    const bool ready = picture.nodes.ready(node);
    const bool free = picture.nodes.free_slots(node) > 0;
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
  JobStreams streams_;
};

}  // namespace somnus
