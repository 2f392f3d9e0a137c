// What workers report is checked before it is used: what a rank can't know of, or no rank can mean,
// such as a node of another rank or a task that is not there, is reported and not used.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/cluster.hpp"
#include "model/message.hpp"
#include "model/workload.hpp"

namespace somnus {

/// Nodes are dealt to worker ranks in blocks: worker w of n (from 0) emulates
/// [nodes * w / n, nodes * (w + 1) / n).
[[nodiscard]] std::uint32_t first_node_of(int worker, int workers, std::uint32_t nodes);

class NodeMessageCheck {
 public:
  NodeMessageCheck(const Cluster& cluster, int workers, const Catalogue& catalogue);

  /// What is wrong with a rank's report, as "an end of task 7 of 5"; empty: nothing.
  template <NodeMessage Report>
  [[nodiscard]] std::string objection(int rank, const Report& report) const {
    const std::string about_node = objection_to_node(rank, report.node);
    return about_node.empty() ? objection_to(report) : about_node;
  }
  [[nodiscard]] int rank_of(NodeId node) const { return rank_of_node_[node.index()]; }

 private:
  [[nodiscard]] std::string objection_to_node(int rank, NodeId node) const;
  [[nodiscard]] std::string objection_to(const CompletionMessage& end) const;
  [[nodiscard]] std::string objection_to(const NodeStatusMessage& message) const;
  [[nodiscard]] std::string objection_to(const AnswerMessage& answer) const;

  std::vector<int> rank_of_node_;
  std::vector<std::uint32_t> slots_of_node_;  // 0: resources alone limit its tasks
  std::size_t tasks_;
  std::size_t stages_;
};

}  // namespace somnus
