#include "workers/node_faults.hpp"

#include <algorithm>
#include <iterator>

#include "base/error.hpp"

namespace somnus {

NodeFaults::NodeFaults(const std::vector<NodeFault>& listed, const FaultModel& fault_model,
                       NodeId first, std::uint32_t count)
    : fault_model_(fault_model) {
  const auto is_here = [&](const NodeFault& fault) {
    return fault.node >= first && fault.node.value() - first.value() < count;
  };
  std::ranges::copy_if(listed, std::back_inserter(listed_), is_here);
  const std::uint32_t drawn = fault_model.up == Duration::zero() ? 0 : count;
  drawn_.reserve(drawn);
  for (std::uint32_t at = 0; at < drawn; ++at) {
    const NodeId node(first.value() + at);
    drawn_.push_back({.next = {.at = start_of_time, .node = node, .change = NodeChange::returned},
                      .stream = RandomStream(fault_model.seed, "node faults", node.value())});
    draw(drawn_.back());
  }
  std::ranges::make_heap(drawn_, later);
  find_next();
}

void NodeFaults::find_next() {
  next_ = next_listed_ < listed_.size() ? listed_[next_listed_].at : never;
  if (!drawn_.empty()) next_ = std::min(next_, drawn_.front().next.at);
}

void NodeFaults::draw(Drawn& of) {
  const auto after = [&](Duration mean) {
    return std::min(seconds(of.stream.exponential(in_seconds(mean))), longest_span);
  };
  NodeFault& next = of.next;
  if (next.change == NodeChange::lost) {
    next.at += after(fault_model_.away);
    next.change = NodeChange::returned;
    return;
  }
  if (next.change == NodeChange::cut_off) next.at = next.until;
  next.at += after(fault_model_.up);
  const bool cut_off = fault_model_.cut_off > 0 && of.stream.uniform() < fault_model_.cut_off;
  next.change = cut_off ? NodeChange::cut_off : NodeChange::lost;
  next.until = cut_off ? next.at + after(fault_model_.away) : never;
}

std::vector<bool> absent_at(Time now, NodeFaults faults, std::uint32_t nodes, bool silent) {
  std::vector<bool> absent(nodes, false);
  std::vector<Time> reachable(nodes, start_of_time);
  while (faults.next() < now) {
    const NodeFault fault = faults.take();
    const std::size_t node = fault.node.index();
    if (fault.change == NodeChange::cut_off) {
      reachable[node] = std::max(reachable[node], fault.until);
    } else {
      absent[node] = fault.change == NodeChange::lost;
    }
  }
  for (std::size_t node = 0; silent && node < nodes; ++node) {
    if (reachable[node] > now) absent[node] = true;
  }
  return absent;
}

NodeFault NodeFaults::take() {
  SOMNUS_CHECK(next() != never, "no fault is to come");
  NodeFault fault;
  if (next_listed_ < listed_.size() && listed_[next_listed_].at == next()) {
    fault = listed_[next_listed_++];
  } else {
    std::ranges::pop_heap(drawn_, later);
    fault = drawn_.back().next;
    draw(drawn_.back());
    std::ranges::push_heap(drawn_, later);
  }
  find_next();
  return fault;
}

}  // namespace somnus
