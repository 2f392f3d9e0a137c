#include "workers/node_set.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/fetch.hpp"

namespace somnus {

Time first_beat(const NodeModel& model, NodeId node) {
  RandomStream phase(model.seed, "heartbeat phase", node.value());
  const double share = model.random_phase ? phase.uniform() : 0;
  return Time(seconds(share * in_seconds(model.heartbeat_interval)));
}

NodeSet::NodeSet(const Cluster& cluster, NodeId first, std::uint32_t count, const NodeModel& model)
    : host_(model),
      first_(first),
      slots_(std::make_unique<AllSlots>()),
      faults_(model.faults, model.fault_model, first, count) {
  nodes_.reserve(count);
  for (std::uint32_t at = 0; at < count; ++at) {
    slot_count_ += cluster.node(NodeId(first.value() + at)).slots;
  }
  slots_->reserve(slot_count_);
  for (std::uint32_t at = 0; at < count; ++at) {
    const NodeId id(first.value() + at);
    const NodeGroup& group = cluster.node(id);
    const double slowdown = group.slowdown * model.fault_model.slowness(id);
    nodes_.emplace_back(id, Slots(*slots_, group.slots, slowdown), model);
  }
  for (std::uint32_t at = 0; model.heartbeats && at < count; ++at) {
    const NodeId id(first.value() + at);
    beats_.push_back({first_beat(model, id), id});
  }
  std::ranges::stable_sort(beats_, {}, &DueHeartbeat::due);
  plan_changes();
  plan();
}

void NodeSet::go_on_from(Time start) {
  while (next_change_ < start) {
    if (faults_.next() <= next_change_) {
      const NodeFault fault = faults_.take();
      node(fault.node).apply(fault);
    } else {
      const DueHeartbeat one = beats_.front();
      beats_.pop_front();
      beats_.push_back({one.due + host_.model().heartbeat_interval, one.node});
      node(one.node).passed(one.due, host_.model().fault_model);
    }
    plan_changes();
  }
  plan();
}

bool NodeSet::advance(Time now, Reports& out) {
  bool any_report = false;
  host_.report_to(&out);
  do {
    if (host_.next_deadline() <= now) end_sleeps(now);
    const bool changes = next_change_ <= now;
    if (changes) fail(now);
    if (arriving_.next() <= now) take_commands(now);
    if (changes) {
      beat(now);
      plan_changes();
    }
    any_report |= host_.deliver(now);
    plan();
  } while (next_ <= now);
  host_.report_to(nullptr);
  host_.looked();
  return any_report;
}

void NodeSet::take_commands(Time now) {
  arriving_.take_due(now, [&](Time due, const auto& command) { arrive(now, due, command); });
}

void NodeSet::end_sleeps(Time now) {
  while (host_.next_deadline() <= now) {
    const Sleep over = host_.take_sleep([this](std::uint32_t soon) { fetch(&(*slots_)[soon]); });
    Slot& slot = (*slots_)[over.slot];
    if (const Slot* const next = ends_next(0)) node(next->node).fetch();
    node(slot.node).wake(now, slot, over.until, host_);
  }
}

void NodeSet::fail(Time now) {
  while (faults_.next() <= now) {
    const NodeFault fault = faults_.take();
    Node& one = node(fault.node);
    switch (fault.change) {
      case NodeChange::lost:
        one.lose(now, host_);
        break;
      case NodeChange::returned:
        one.restore(now, host_);
        break;
      case NodeChange::cut_off:
        one.cut_off(fault.until);
        break;
    }
  }
}

void NodeSet::beat(Time now) {
  while (!beats_.empty() && beats_.front().due <= now) {
    const DueHeartbeat one = beats_.front();
    beats_.pop_front();
    beats_.push_back({one.due + host_.model().heartbeat_interval, one.node});
    host_.done(now - one.due);
    node(one.node).beat(now, host_);
  }
}

void NodeSet::woke(Time now, std::uint32_t slot) {
  Slot& state = (*slots_)[slot];
  if (!state.busy) return;
  // A sleep that its node's loss has cut short may still wake up, into the next task's; and `now`
  // may have been taken just before the sleeper woke up, who would not do so again.
  const Time deadline = slots_->deadline(state);
  if (now < deadline) return host_.sleep_on({slot, deadline});
  node(state.node).wake(now, state, deadline, host_);
  plan();
}

}  // namespace somnus
