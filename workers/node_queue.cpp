// What NodeSet does with its nodes' queues.
#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "workers/node_set.hpp"

namespace somnus {

void NodeSet::tell(const JobNews& news) {
  if (queues_.empty()) return;
  if (news.job.index() >= jobs_.size()) jobs_.resize(news.job.index() + 1);
  jobs_[news.job.index()] = news;
}

void NodeSet::arrive(Time now, const AskMessage& message) {
  const std::uint32_t local = message.node.value() - first_.value();
  SOMNUS_CHECK(local < nodes_.size(), "node {} is not emulated here", message.node.value());
  SOMNUS_CHECK(!queues_.empty(), "node {} is asked about a queue, and has none",
               message.node.value());
  Node& node = nodes_[local];
  switch (message.question) {
    case Question::probe:
      answer(now, local, message.stage, node.up ? Reply::load : Reply::gone);
      return;
    case Question::reserve:
      if (!node.up) {
        answer(now, local, message.stage, Reply::gone);
      } else if (node.free > 0 && queues_[local].empty()) {
        hold(now, local, message.stage);
      } else {
        const LaunchMessage place{.sent = message.sent,
                                  .estimate = message.estimate,
                                  .node = message.node,
                                  .job = message.job,
                                  .stage = message.stage};
        queues_[local].put(now, place, jobs_[message.job.index()]);
      }
      return;
    case Question::decline:
      if (release(node, message.stage)) start_queued(now, local);
      return;
  }
}

void NodeSet::arrive(Time now, const RevokeMessage& message) {
  const std::uint32_t local = message.node.value() - first_.value();
  SOMNUS_CHECK(local < nodes_.size(), "node {} is not emulated here", message.node.value());
  if (!nodes_[local].up || queues_[local].empty()) return;
  std::vector<Duration> running = left_of_running(now, local);
  for (const WorkerQueue::Entry& entry : queues_[local].shed(now, message, running)) {
    never_started(now, entry.task, entry.queued, Outcome::returned);
  }
}

void NodeSet::start_queued(Time now, std::uint32_t local) {
  Node& node = nodes_[local];
  WorkerQueue& queue = queues_[local];
  while (node.free > 0 && !queue.empty()) {
    const WorkerQueue::Entry entry = queue.take(now);
    if (entry.is_reservation()) {
      hold(now, local, entry.task.stage);
    } else {
      start(now, entry.task, entry.queued);
    }
  }
}

void NodeSet::hold(Time now, std::uint32_t local, StageId stage) {
  Node& node = nodes_[local];
  node.reserved.push_back({stage, free_slots_[node.first_slot + --node.free]});
  answer(now, local, stage, Reply::ready);
}

bool NodeSet::release(Node& node, StageId stage) {
  const auto held = std::ranges::find(node.reserved, stage, &HeldSlot::stage);
  if (held == node.reserved.end()) return false;  // the node was lost in between
  give_back(node, held->slot);
  node.reserved.erase(held);
  return true;
}

void NodeSet::lose_queue(Time now, std::uint32_t local) {
  Node& node = nodes_[local];
  for (const HeldSlot& held : node.reserved) give_back(node, held.slot);
  node.reserved.clear();  // whoever has been told that it is their turn will find nothing held
  for (const WorkerQueue::Entry& entry : queues_[local].drain()) {
    if (entry.is_reservation()) {
      answer(now, local, entry.task.stage, Reply::gone);
    } else {
      never_started(now, entry.task, entry.queued, Outcome::lost);
    }
  }
}

std::vector<Duration> NodeSet::left_of_running(Time now, std::uint32_t local) const {
  std::vector<Duration> left;
  const Node& node = nodes_[local];
  left.reserve(slots_of(local));
  for (std::uint32_t at = 0; at < slots_of(local); ++at) {
    const Slot& slot = slots_[node.first_slot + at];
    if (!slot.busy) continue;
    left.push_back(std::max(Duration::zero(), slot.task.estimate - (now - slot.started)));
  }
  left.resize(left.size() + node.reserved.size());  // held slots wait for a word, no longer
  return left;
}

}  // namespace somnus
