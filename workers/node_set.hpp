// The emulated nodes of one rank (node.hpp), their faults, their heartbeats and the way of commands
// to them, as a pure state machine. Commands in, reports out; time comes with each call. The same
// nodes run under the virtual clock and under the real one, where the rank around them really
// sleeps.
//
// * A task ends when its sleep does: under the timer executor at the deadline kept by the host,
//   under the thread executor when its thread wakes up and woke() is called.
// * What is due is done by advance(now), stamped `now`: ends, then faults, then commands that
//   arrive, kind by kind, then heartbeats. The virtual clock always stops at the very instants.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "base/histogram.hpp"
#include "base/ids.hpp"
#include "model/cluster.hpp"
#include "model/message.hpp"
#include "workers/delay_line.hpp"
#include "workers/node.hpp"
#include "workers/node_host.hpp"
#include "workers/node_model.hpp"
#include "workers/slots.hpp"

namespace somnus {

/// When its first heartbeat is due; further ones follow at the interval.
[[nodiscard]] Time first_beat(const NodeModel& model, NodeId node);

class NodeSet {
 public:
  /// Nodes [first, first + count) of the cluster.
  NodeSet(const Cluster& cluster, NodeId first, std::uint32_t count, const NodeModel& model);

  /// Before anything else, of a run that is resumed: nodes are as the faults before that time leave
  /// them, and empty, and rank 0 knows them. Draws go on as if they had run until then.
  void go_on_from(Time start);

  /// It leaves the scheduler when it says so, now or later.
  template <CommandMessage Sent>
  void send(Time now, const Sent& command) {
    if (host_.model().network.none() && command.sent <= now) {
      arrive(now, command.sent, command);
      plan();
    } else {
      const Time due = command.sent + node(command.node).way(host_.model().network);
      arriving_.put(due, command);
      next_ = std::min(next_, due);
    }
  }
  /// Where a job stands, known here at once; a node reads it when a message would have brought it.
  void announce(const JobUpdate& update) { host_.learn(update); }
  /// When something happens by itself; never if nothing does.
  [[nodiscard]] Time next() const { return next_; }
  /// Does all that is due and appends the reports that reach the scheduler; whether there are any.
  bool advance(Time now, Reports& out);

  /// Sleeps to be slept by others since the last call (external_sleep); `slot` names it to woke().
  [[nodiscard]] std::span<const Sleep> sleeps() const { return host_.sleeps(); }
  void forget_sleeps() { host_.forget_sleeps(); }
  void woke(Time now, std::uint32_t slot);

  /// The slot in which a task probably ends next, or after one or two others; nullptr: that is not
  /// known.
  [[nodiscard]] const Slot* ends_next(std::size_t after) const {
    const std::uint32_t number = host_.coming(after, no_slot);
    return number != no_slot ? &(*slots_)[number] : nullptr;
  }

  [[nodiscard]] NodeId first() const { return first_; }
  [[nodiscard]] std::uint32_t node_count() const {
    return static_cast<std::uint32_t>(nodes_.size());
  }
  /// 0 where resources alone limit nodes' tasks.
  [[nodiscard]] std::uint32_t slot_count() const { return slot_count_; }
  [[nodiscard]] std::uint32_t busy_slots() const { return host_.busy(); }
  /// How late, in emulated time, sleeps ended.
  [[nodiscard]] const Histogram& lateness() const { return host_.lateness(); }
  /// How late, in emulated time, all was done that was due here: commands, ends, heartbeats.
  [[nodiscard]] const Histogram& behind() const { return host_.behind(); }
  /// The same of the latest thing that each look found to do, where it was late at all: what came
  /// since the advance() before, and that one; or looked(), where there will be none any more.
  void looked() { host_.looked(); }
  [[nodiscard]] const Histogram& looks() const { return host_.looks(); }

 private:
  struct DueHeartbeat {
    Time due;
    NodeId node;
  };

  [[nodiscard]] Node& node(NodeId id) {
    const std::uint32_t at = id.value() - first_.value();
    SOMNUS_CHECK(at < nodes_.size(), "node {} is not emulated here", id.value());
    return nodes_[at];
  }
  /// Finds out when something happens next.
  void plan() {
    next_ = earliest(host_.next_report(), host_.next_deadline(), arriving_.next(), next_change_);
  }
  void plan_changes() {
    next_change_ = std::min(faults_.next(), beats_.empty() ? never : beats_.front().due);
  }
  template <CommandMessage Come>
  void arrive(Time now, Time due, const Come& command) {
    Node& to = node(command.node);
    if (const Time reachable = to.reachable(); reachable > now) {
      if (reachable != never) arriving_.put(reachable, command);
      return;
    }
    host_.done(now - due);
    to.arrive(now, command, host_);
  }
  // Functions of their own: advance() mostly finds one of them to do.
  [[gnu::noinline]] void end_sleeps(Time now);
  [[gnu::noinline]] void take_commands(Time now);
  [[gnu::noinline]] void fail(Time now);
  [[gnu::noinline]] void beat(Time now);

  NodeHost host_;
  NodeId first_;
  std::unique_ptr<AllSlots> slots_;  // nodes point to it
  std::uint32_t slot_count_ = 0;
  std::vector<Node> nodes_;
  DelayLines<CommandMessages> arriving_;
  NodeFaults faults_;
  std::deque<DueHeartbeat> beats_;  // all have one interval, so they stay in order
  static constexpr std::uint32_t no_slot = ~std::uint32_t{0};
  Time next_change_ = never;  // a fault or a heartbeat
  Time next_ = never;
};

}  // namespace somnus
