#include "runtime/node_watch.hpp"

#include <algorithm>
#include <utility>

namespace somnus {

NodeWatch::NodeWatch(Duration silence_limit, std::uint32_t nodes, Time from)
    : silence_limit_(silence_limit) {
  if (!watches()) return;
  nodes_.resize(nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) heard_.put(node, from);
}

void NodeWatch::launched(NodeId node, TaskId task, const JobTable& jobs) {
  std::vector<TaskId>& tasks = nodes_[node.index()].launched;
  constexpr std::size_t few = 64;
  if (tasks.size() >= few && tasks.size() == tasks.capacity()) {  // before it grows
    std::erase_if(tasks, [&](TaskId each) { return !runs_on(node, each, jobs); });
  }
  tasks.push_back(task);
}

void NodeWatch::asked(NodeId node, StageId stage) { nodes_[node.index()].asked.push_back(stage); }

void NodeWatch::answered(NodeId node, StageId stage) {
  std::vector<StageId>& asked = nodes_[node.index()].asked;
  if (const auto at = std::ranges::find(asked, stage); at != asked.end()) asked.erase(at);
}

void NodeWatch::heard(Time now, NodeId node) {
  nodes_[node.index()].given_up = false;
  heard_.put(node.value(), now);
}

std::optional<CompletionMessage> NodeWatch::refuse(const CompletionMessage& end) {
  CompletionMessage lost = end;
  lost.outcome = Outcome::lost;
  const auto [open, is_new] = open_.try_emplace({end.task, end.attempt}, lost);
  if (is_new) return std::nullopt;
  open_.erase(open);
  return lost;
}

std::optional<CompletionMessage> NodeWatch::given_up(TaskId task, std::uint16_t attempt) {
  const auto [open, is_new] = open_.try_emplace({task, attempt}, std::nullopt);
  if (is_new) return std::nullopt;
  const std::optional<CompletionMessage> end = open->second;
  open_.erase(open);
  return end;
}

std::vector<NodeWatch::Attempt> NodeWatch::attempts_on(NodeId node, const JobTable& jobs) const {
  std::vector<Attempt> attempts;
  for (const TaskId task : nodes_[node.index()].launched) {
    jobs.for_each_on_node(task, [&](std::uint16_t number, NodeId where) {
      if (where == node) attempts.push_back({task, number});
    });
  }
  std::ranges::sort(attempts);
  attempts.erase(std::ranges::unique(attempts).begin(), attempts.end());
  return attempts;
}

std::vector<StageId> NodeWatch::give_up(NodeId node) {
  Watched& watched = nodes_[node.index()];
  heard_.erase(node.value());
  watched.given_up = true;
  ++watched.incarnation;
  watched.launched.clear();
  return std::exchange(watched.asked, {});
}

}  // namespace somnus
