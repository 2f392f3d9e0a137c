#include "workers/node_set.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace somnus {

NodeSet::NodeSet(const Cluster& cluster, NodeId first, std::uint32_t count, const NodeModel& model)
    : model_(model), first_(first) {
  nodes_.reserve(count);
  for (std::uint32_t local = 0; local < count; ++local) {
    const NodeGroup& group = cluster.node(id_of(local));
    nodes_.push_back({.first_slot = slot_count(), .free = group.slots, .slowdown = group.slowdown});
    for (std::uint32_t slot = group.slots; slot > 0; --slot) {
      free_slots_.push_back(nodes_.back().first_slot + slot - 1);
    }
    slots_.resize(slots_.size() + group.slots, Slot{.node = local});
    if (model.network.jitter > 0) ways_.emplace_back(model.seed, "network", id_of(local).value());
  }
  if (model_.queue) queues_.assign(count, WorkerQueue(*model_.queue));
  std::erase_if(model_.faults, [&](const NodeFault& fault) {
    return fault.node < first_ || fault.node.value() >= first_.value() + count;
  });
  if (!model_.heartbeats) return;
  for (std::uint32_t local = 0; local < count; ++local) {
    RandomStream phase(model.seed, "heartbeat phase", id_of(local).value());
    const double share = model.random_phase ? phase.uniform() : 0;
    beats_.push_back({Time(seconds(share * in_seconds(model.heartbeat_interval))), local});
  }
  std::ranges::stable_sort(beats_, {}, &Beat::due);
}

Time NodeSet::next() const {
  if (!ready_.empty()) return start_of_time;
  Time first = std::min(arriving_.next(), leaving_.next());
  if (!deadlines_.empty()) first = std::min(first, deadlines_.top().key);
  if (!beats_.empty()) first = std::min(first, beats_.front().due);
  if (next_fault_ < model_.faults.size()) first = std::min(first, model_.faults[next_fault_].at);
  return first;
}

void NodeSet::advance(Time now, Reports& out) {
  do {
    while (!deadlines_.empty() && deadlines_.top().key <= now) {
      const std::uint32_t slot = deadlines_.top().index;
      deadlines_.pop();
      end(now, slot, slots_[slot].fails ? Outcome::failed : Outcome::finished);
    }
    for (; next_fault_ < model_.faults.size() && model_.faults[next_fault_].at <= now;
         ++next_fault_) {
      const NodeFault& fault = model_.faults[next_fault_];
      const std::uint32_t local = fault.node.value() - first_.value();
      fault.news == NodeNews::lost ? lose(now, local) : restore(now, local);
    }
    arriving_.take_due(now, [&](Time due, const auto& command) {
      behind_.add(now - due);
      arrive(now, command);
    });
    while (!beats_.empty() && beats_.front().due <= now) {
      const Beat one = beats_.front();
      beats_.pop_front();
      beats_.push_back({one.due + model_.heartbeat_interval, one.node});
      behind_.add(now - one.due);
      beat(now, one.node);
    }
    leaving_.take_due(now, [&](Time, const auto& report) { out.put(report); });
    out.append(ready_);
    ready_.clear();
  } while (next() <= now);
}

void NodeSet::woke(Time now, std::uint32_t slot) {
  const Slot& state = slots_[slot];
  // A sleep that its node's loss has cut short may still wake up, perhaps into the next task's.
  if (!state.busy || now < state.deadline) return;
  end(now, slot, state.fails ? Outcome::failed : Outcome::finished);
}

void NodeSet::arrive(Time now, const LaunchMessage& message) {
  const std::uint32_t local = message.node.value() - first_.value();
  SOMNUS_CHECK(local < nodes_.size(), "node {} is not emulated here", message.node.value());
  Node& node = nodes_[local];
  if (!node.up) {
    never_started(now, message, now, Outcome::lost);
    return;
  }
  const bool for_held_slot = message.into == Into::held_slot && release(node, message.stage);
  const bool must_wait = node.free == 0 || (!queues_.empty() && !queues_[local].empty());
  if (queues_.empty() || for_held_slot || !must_wait) {
    start(now, message, now);
    return;
  }
  queues_[local].put(now, message, jobs_[message.job.index()]);
}

void NodeSet::start(Time now, const LaunchMessage& message, Time queued) {
  Node& node = nodes_[message.node.value() - first_.value()];
  SOMNUS_CHECK(node.free > 0, "node {} has no free slot for task {}", message.node.value(),
               message.task.value());
  const std::uint32_t index = take_slot(node, message.app);
  Slot& slot = slots_[index];
  slot.task = message;
  slot.queued = queued;
  slot.started = now;
  slot.busy = true;
  slot.warm = model_.jvm_reuse && slot.last_app == message.app;
  slot.last_app = message.app;
  double factor = node.slowdown;
  if (model_.jvm_reuse && !slot.warm) {
    factor *= message.warmup > 0 ? message.warmup : model_.cold_factor;
  }
  slot.intended = factor == 1 ? message.nominal : seconds(in_seconds(message.nominal) * factor);
  slot.fails = false;
  slot.deadline = now + slot.intended;
  if (model_.task_failure_probability > 0) {
    RandomStream fate(model_.seed, "task failure",
                      (std::uint64_t{message.task.value()} << 16) | message.attempt);
    slot.fails = fate.uniform() < model_.task_failure_probability;
    if (slot.fails) slot.deadline = now + seconds(in_seconds(slot.intended) * fate.uniform());
  }
  ++busy_;
  if (model_.external_sleep) {
    sleeps_.push_back({index, slot.deadline});
  } else {
    deadlines_.put(index, slot.deadline);
  }
}

std::uint32_t NodeSet::take_slot(Node& node, AppId app) {
  const auto stack = std::span(free_slots_).subspan(node.first_slot, node.free);
  if (model_.jvm_reuse) {
    const auto warm = std::find_if(stack.rbegin(), stack.rend(), [&](std::uint32_t slot) {
      return slots_[slot].last_app == app;
    });
    if (warm != stack.rend()) std::swap(*warm, stack.back());
  }
  --node.free;
  return stack.back();
}

void NodeSet::end(Time now, std::uint32_t index, Outcome outcome) {
  Slot& slot = slots_[index];
  Node& node = nodes_[slot.node];
  slot.busy = false;
  --busy_;
  give_back(node, index);
  if (outcome != Outcome::lost) {
    lateness_.add(now - slot.deadline);
    behind_.add(now - slot.deadline);
  }
  const CompletionMessage completion{.queued = slot.queued,
                                     .started = slot.started,
                                     .finished = now,
                                     .intended = slot.intended,
                                     .task = slot.task.task,
                                     .node = slot.task.node,
                                     .attempt = slot.task.attempt,
                                     .slot = static_cast<std::uint16_t>(index - node.first_slot),
                                     .outcome = outcome,
                                     .warm = slot.warm};
  report(now, slot.node, completion);
  if (!queues_.empty() && node.up) start_queued(now, slot.node);
}

void NodeSet::report(Time now, std::uint32_t node, const CompletionMessage& completion) {
  const bool waits = model_.ends_wait && completion.outcome != Outcome::lost;
  if (waits) {
    nodes_[node].held.push_back(completion);
  } else {
    say(now, completion);
  }
}

void NodeSet::beat(Time now, std::uint32_t local) {
  Node& node = nodes_[local];
  if (!node.up) return;
  for (const CompletionMessage& completion : node.held) {
    say(now, completion, model_.heartbeat_delay);
  }
  node.held.clear();
  OfferMessage offer{.node = id_of(local), .running = slots_of(local) - node.free};
  if (!queues_.empty()) {
    WorkerQueue& queue = queues_[local];
    queue.refresh(jobs_);
    offer.queued = queue.size();
    if (node.free == 0) {
      std::vector<Duration> running = left_of_running(now, local);
      offer.wait = queue.wait(running);
    }
  }
  say(now, offer, model_.heartbeat_delay);
}

void NodeSet::lose(Time now, std::uint32_t local) {
  Node& node = nodes_[local];
  if (!node.up) return;
  node.up = false;
  for (std::uint32_t at = 0; at < slots_of(local); ++at) {
    const std::uint32_t index = node.first_slot + at;
    slots_[index].last_app = {};  // its JVMs are gone
    if (!slots_[index].busy) continue;
    deadlines_.erase(index);
    end(now, index, Outcome::lost);
  }
  for (const CompletionMessage& completion : node.held) say(now, completion);
  node.held.clear();
  if (!queues_.empty()) lose_queue(now, local);
  say(now, OfferMessage{.node = id_of(local), .news = NodeNews::lost});
}

void NodeSet::restore(Time now, std::uint32_t local) {
  Node& node = nodes_[local];
  if (node.up) return;
  node.up = true;
  say(now, OfferMessage{.node = id_of(local), .news = NodeNews::returned});
}

std::uint32_t NodeSet::slots_of(std::uint32_t local) const {
  const std::uint32_t end = local + 1 < nodes_.size() ? nodes_[local + 1].first_slot : slot_count();
  return end - nodes_[local].first_slot;
}

void NodeSet::never_started(Time now, const LaunchMessage& message, Time queued, Outcome outcome) {
  say(now, CompletionMessage{.queued = queued,
                             .started = never,
                             .finished = never,
                             .task = message.task,
                             .node = message.node,
                             .attempt = message.attempt,
                             .outcome = outcome});
}

Duration NodeSet::draw_way(std::uint32_t local) {
  return ways_.empty() ? model_.network.mean : model_.network.draw(ways_[local]);
}

Time NodeSet::heard(Time now, std::uint32_t local, Duration extra) {
  Node& node = nodes_[local];
  if (node.spoke != now) {
    node.spoke = now;
    node.way = draw_way(local);
  }
  node.heard = std::max(node.heard, now + node.way + extra);
  return node.heard;
}

template <ReportMessage Report>
void NodeSet::say(Time now, Report report, Duration extra) {
  report.due = heard(now, report.node.value() - first_.value(), extra);
  report.due == now ? ready_.put(report) : leaving_.put(report.due, report);
}

void NodeSet::answer(Time now, std::uint32_t local, StageId stage, Reply reply) {
  const AnswerMessage answer{.node = id_of(local),
                             .stage = stage,
                             .running = slots_of(local) - nodes_[local].free,
                             .queued = queues_.empty() ? 0 : queues_[local].size(),
                             .reply = reply};
  say(now, answer);
}

}  // namespace somnus
