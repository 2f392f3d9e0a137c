// Placement by load: Yaq's Algorithm 1 (section 3.2; policies.md 4.1).
//
//     if free slots / all slots > free_share:  the node with most free slots, preferred ones first
//     else:                                    the node with the greatest  affinity / load
//
// load is the number of tasks in the node's queue ("queue-length") or the estimated wait there
// ("queue-wait", s). affinity is 1 for the nodes that the stage prefers and `elsewhere` for all
// others; without preferences it is 1 everywhere. Of equally good nodes the one chosen longest ago.
//
// Nodes that may be used now stand in a heap by load, so a choice costs O(log nodes), never a scan.
// Under feedback "monitor" the picture is what nodes last reported; a job's manager adds what it
// placed itself meanwhile, which no other manager sees.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/indexed_heap.hpp"
#include "policy/registry.hpp"

namespace somnus {

enum class NodeLoad { length, wait };

struct QueuePlacementRules {
  double free_share = 0;
  double elsewhere = 0.5;

  static constexpr auto fields() {
    using R = QueuePlacementRules;
    return std::tuple{
        field("free_share", &R::free_share, "1",
              "tasks are queued only when no larger share of all slots is free", probability),
        field("elsewhere", &R::elsewhere, "1",
              "affinity of nodes that a stage with preferences does not prefer",
              Range{.low = 0, .high = 1, .open = true})};
  }
};

class QueuePlacement : public Placement {
 public:
  using Rules = QueuePlacementRules;
  QueuePlacement(NodeLoad load, const Rules& rules) : load_(load), rules_(rules) {}
  [[nodiscard]] std::unique_ptr<Placement> clone() const override {
    return std::make_unique<QueuePlacement>(*this);
  }

  [[nodiscard]] bool open(const Picture& picture) const override;
  [[nodiscard]] NodeId choose(StageId stage, const Picture& picture) override;
  [[nodiscard]] bool follows_nodes() const override { return true; }
  void node_changed(NodeId node, const Picture& picture) override;
  void node_reported(NodeId node, const Picture& picture) override;
  void job_ended(JobId job) override {
    put_aside_.erase(job);
    if (job == manager_) manager_ = {};
  }

 private:
  struct Key {
    bool full = false;         // no slot is free: after all others
    double load = 0;           // of the queue; of free nodes, minus their free slots
    std::uint64_t chosen = 0;  // when last, for a full node
    friend bool operator<(const Key& a, const Key& b) {
      return std::tie(a.full, a.load, a.chosen) < std::tie(b.full, b.load, b.chosen);
    }
  };
  /// What a job's manager placed on a node since the picture of it was taken.
  struct Own {
    std::uint32_t tasks = 0;
    double work_s = 0;
  };

  /// The same, with the number of the node's report that it came after.
  struct PutAside {
    NodeId node;
    Own own;
    std::uint32_t report;
  };

  /// Whether to wait for a free slot that cannot be used yet. Under feedback "monitor" all can be:
  /// when none is left to a manager, the free ones of the picture are those that it took itself.
  [[nodiscard]] bool must_be_free(const Picture& picture) const {
    return picture.nodes.feedback() != Feedback::monitor &&
           picture.nodes.free_share() > rules_.free_share;
  }
  [[nodiscard]] Key key(NodeId node, const Picture& picture) const;
  [[nodiscard]] NodeId best(StageId stage, const Picture& picture) const;
  [[nodiscard]] NodeId best_preferred(StageId stage, const Picture& picture) const;
  void remember(NodeId node, StageId stage, const Picture& picture);
  void change_manager(JobId job, const Picture& picture);

  NodeLoad load_;
  Rules rules_;
  IndexedHeap<Key> heap_;  // nodes that may be used
  std::vector<std::uint64_t> chosen_;
  std::uint64_t choices_ = 0;
  std::vector<Own> own_;  // by node; under feedback "monitor"
  std::vector<NodeId> with_own_;
  JobId manager_;                                               // whose own they are
  std::unordered_map<JobId, std::vector<PutAside>> put_aside_;  // of the others
  std::vector<std::uint32_t> reports_;                          // by node
};

template <NodeLoad load>
class PlacementBy final : public QueuePlacement {
 public:
  PlacementBy(const Rules& rules, const Surroundings&) : QueuePlacement(load, rules) {}
};

}  // namespace somnus
