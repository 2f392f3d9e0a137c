#include "transport/node_message_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "transport/sound_values.hpp"

namespace somnus {

std::uint32_t first_node_of(int worker, int workers, std::uint32_t nodes) {
  return static_cast<std::uint32_t>(std::uint64_t{nodes} * static_cast<std::uint64_t>(worker) /
                                    static_cast<std::uint64_t>(workers));
}

NodeMessageCheck::NodeMessageCheck(const Cluster& cluster, int workers, const Catalogue& catalogue)
    : rank_of_node_(cluster.node_count()),
      tasks_(catalogue.tasks),
      stages_(catalogue.stages.size()) {
  for (int worker = 0; worker < workers; ++worker) {
    const auto first = first_node_of(worker, workers, cluster.node_count());
    const auto last = first_node_of(worker + 1, workers, cluster.node_count());
    std::fill(rank_of_node_.begin() + first, rank_of_node_.begin() + last, worker + 1);
  }
  for (const NodeGroup& group : cluster.groups) {
    slots_of_node_.insert(slots_of_node_.end(), group.count, group.slots);
  }
}

std::string NodeMessageCheck::objection_to_node(int rank, NodeId node) const {
  if (node.index() >= rank_of_node_.size()) {
    return fmt::format("node {} of {}", node.value(), rank_of_node_.size());
  }
  if (rank_of_node_[node.index()] == rank) return {};
  return fmt::format("node {}, which is rank {}'s", node.value(), rank_of_node_[node.index()]);
}

std::string NodeMessageCheck::objection_to(const CompletionMessage& end) const {
  if (end.task.index() >= tasks_) return fmt::format("task {} of {}", end.task.value(), tasks_);
  const std::uint32_t slots = slots_of_node_[end.node.index()];
  if (slots > 0 && end.slot >= slots) return fmt::format("slot {} of {}", end.slot, slots);
  if (!is_named(end.outcome)) {
    return fmt::format("outcome {} of task {}", raw(end.outcome), end.task.value());
  }
  if (raw(end.warm) > 1) return fmt::format("warm = {}, expected 0 or 1", raw(end.warm));
  const bool ran = end.outcome == Outcome::finished || end.outcome == Outcome::failed;
  const bool as_it_ran = end.finished != never && end.started <= end.finished;
  const bool times = is_time(end.queued) && is_time(end.started) && is_time(end.finished) &&
                     is_time(end.due) && is_duration(end.intended) && (!ran || as_it_ran);
  return times ? "" : fmt::format("task {} at a time that is none", end.task.value());
}

std::string NodeMessageCheck::objection_to(const NodeStatusMessage& message) const {
  if (raw(message.status) > raw(NodeStatus::registers)) {
    return fmt::format("status {} of node {}", raw(message.status), message.node.value());
  }
  if (is_time(message.due) && is_duration(message.wait)) return {};
  return fmt::format("a heartbeat of node {} at a time that is none", message.node.value());
}

std::string NodeMessageCheck::objection_to(const AnswerMessage& answer) const {
  if (answer.stage.index() >= stages_) {
    return fmt::format("stage {} of {}", answer.stage.value(), stages_);
  }
  if (raw(answer.reply) > raw(Reply::gone)) {
    return fmt::format("reply {} of node {}", raw(answer.reply), answer.node.value());
  }
  if (is_time(answer.due)) return {};
  return fmt::format("an answer of node {} at a time that is none", answer.node.value());
}

}  // namespace somnus
