// The emulated nodes as a run over several ranks has them: contiguous node sets behind one
// transport. Without cuts it is the one set behind the real Loopback.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "workers/loopback.hpp"
#include "workers/node_set.hpp"

namespace somnus::harness {

class NodeSets {
 public:
  /// Cut before each node in `cuts`, which are ascending and inside the cluster.
  NodeSets(const Cluster& cluster, const std::vector<std::uint32_t>& cuts, const NodeModel& model) {
    std::uint32_t first = 0;
    const auto add = [&](std::uint32_t end) {
      sets_.push_back({first, NodeSet(cluster, NodeId(first), end - first, model)});
      first = end;
    };
    for (const std::uint32_t cut : cuts) add(cut);
    add(cluster.node_count());
  }

  template <CommandMessage Command>
  void send(Time now, const Command& command) {
    at(command.node).send(now, command);
  }
  void announce(const JobUpdate& update) {
    for (Part& part : sets_) Loopback(part.nodes).announce(update);
  }
  void flush() {}
  void receive(Time now, Reports& reports) {
    for (Part& part : sets_) Loopback(part.nodes).receive(now, reports);
  }
  Time go_on(Time until) { return std::min(until, next()); }
  [[nodiscard]] Time next() {
    Time first = never;
    for (Part& part : sets_) first = std::min(first, Loopback(part.nodes).next());
    return first;
  }

 private:
  struct Part {
    std::uint32_t first;
    NodeSet nodes;
  };
  Loopback at(NodeId node) {
    auto owner = sets_.rbegin();
    while (owner->first > node.value()) ++owner;
    return Loopback(owner->nodes);
  }
  std::deque<Part> sets_;
};

}  // namespace somnus::harness
