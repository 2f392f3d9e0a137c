#include "policy/queue_placement.hpp"

#include <algorithm>
#include <utility>

namespace somnus {
namespace {

constexpr double least_load = 1e-3;  // so that an empty queue's score is finite

template <class T>
T& grown(std::vector<T>& by_node, NodeId node) {
  if (node.index() >= by_node.size()) by_node.resize(node.index() + 1);
  return by_node[node.index()];
}

}  // namespace

bool QueuePlacement::open(const Picture& picture) const {
  if (!picture.nodes.any_usable() || heap_.empty()) return false;
  return !heap_.top().key.full || !must_be_free(picture);
}

NodeId QueuePlacement::choose(StageId stage, const Picture& picture) {
  const bool monitored = picture.nodes.feedback() == Feedback::monitor;
  const JobId job = picture.jobs.catalogue()[stage].job;
  if (monitored && job != manager_) change_manager(job, picture);
  const NodeId node = best(stage, picture);
  if (!node.valid()) return {};
  grown(chosen_, node) = ++choices_;
  if (monitored) remember(node, stage, picture);
  return node;
}

NodeId QueuePlacement::best(StageId stage, const Picture& picture) const {
  if (!open(picture)) return {};
  const NodeId least(heap_.top().index);
  const NodeId preferred = best_preferred(stage, picture);
  if (!preferred.valid()) return least;
  const Key there = key(preferred, picture);
  const Key elsewhere = heap_.top().key;
  if (there.full != elsewhere.full) return elsewhere.full ? preferred : least;
  if (!there.full) return preferred;
  const double score = 1 / (there.load + least_load);
  return score >= rules_.elsewhere / (elsewhere.load + least_load) ? preferred : least;
}

NodeId QueuePlacement::best_preferred(StageId stage, const Picture& picture) const {
  const Catalogue& catalogue = picture.jobs.catalogue();
  NodeId best;
  for (const NodeId node : catalogue.affinity_of(catalogue[stage])) {
    if (!picture.nodes.usable(node)) continue;
    const HeapEntry<Key> entry{key(node, picture), node.value()};
    if (!best.valid() || entry < HeapEntry<Key>{key(best, picture), best.value()}) best = node;
  }
  return best;
}

void QueuePlacement::node_changed(NodeId node, const Picture& picture) {
  if (picture.nodes.ready(node)) {
    heap_.put(node.value(), key(node, picture));
  } else {
    heap_.erase(node.value());
  }
}

void QueuePlacement::node_reported(NodeId node, const Picture&) {
  ++grown(reports_, node);
  if (node.index() < own_.size()) own_[node.index()] = {};
}

QueuePlacement::Key QueuePlacement::key(NodeId node, const Picture& picture) const {
  const NodeTable& nodes = picture.nodes;
  const Own own = node.index() < own_.size() ? own_[node.index()] : Own{};
  const std::uint32_t free = nodes.free_slots(node);
  if (own.tasks < free) return {.load = -static_cast<double>(free - own.tasks)};
  const double queued = nodes.queued(node) + (own.tasks - free);
  const double load =
      load_ == NodeLoad::length ? queued : nodes.wait(node) + own.work_s / nodes.slots(node);
  const std::uint64_t chosen = node.index() < chosen_.size() ? chosen_[node.index()] : 0;
  return {.full = true, .load = load, .chosen = chosen};
}

void QueuePlacement::remember(NodeId node, StageId stage, const Picture& picture) {
  Own& own = grown(own_, node);
  if (own.tasks == 0) with_own_.push_back(node);
  // Those that found a free slot make nobody wait.
  if (own.tasks >= picture.nodes.free_slots(node)) {
    own.work_s += in_seconds(picture.jobs.task_estimate(stage));
  }
  ++own.tasks;
  node_changed(node, picture);
}

void QueuePlacement::change_manager(JobId job, const Picture& picture) {
  std::vector<PutAside> aside;
  for (const NodeId node : with_own_) {
    if (own_[node.index()].tasks == 0) continue;
    aside.push_back({node, own_[node.index()], grown(reports_, node)});
    own_[node.index()] = {};
    node_changed(node, picture);
  }
  with_own_.clear();
  if (manager_.valid() && !aside.empty()) put_aside_[manager_] = std::move(aside);
  manager_ = job;
  const auto found = put_aside_.find(job);
  if (found == put_aside_.end()) return;
  for (const PutAside& one : found->second) {
    if (one.report != reports_[one.node.index()]) continue;  // it has told of them meanwhile
    own_[one.node.index()] = one.own;
    with_own_.push_back(one.node);
    node_changed(one.node, picture);
  }
  put_aside_.erase(found);
}

}  // namespace somnus
