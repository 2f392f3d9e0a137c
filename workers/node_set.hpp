// The emulated nodes of one rank: slots, queues, JVMs, heartbeats, faults and the emulated network,
// as a pure state machine. Commands in, reports out; time comes with each call. The same nodes run
// under the virtual clock and under the real one, where the rank around them really sleeps.
//
// * A task starts on its node as soon as its launch arrives, on a free slot of the node's choice:
//   one that is warm for its app if there is one (policies.md 5, JVM reuse). If no slot is free it
//   waits in the node's queue, where nodes have one, and starts when its turn comes.
// * A reservation takes a place in that queue. When its turn comes the node holds a slot and says
//   so; then a launch comes for the slot, or word that there is nothing left to launch.
// * It ends when its sleep does: under the timer executor at the deadline kept here, under the
//   thread executor when its thread wakes up and woke() is called.
// * What is due is done by advance(now), stamped `now`: ends, then faults, then launches that
//   and other commands that arrive, then heartbeats. The virtual clock always stops at the very
//   instants.
// * An end is reported at once or with the node's next heartbeat (policies.md 4.1). Heartbeats also
//   tell what runs and waits, and how long one more task would wait; at them the node learns where
//   the jobs of its queued tasks stand.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "base/histogram.hpp"
#include "base/ids.hpp"
#include "base/indexed_heap.hpp"
#include "model/cluster.hpp"
#include "model/message.hpp"
#include "queueing/rules.hpp"
#include "workers/delay_line.hpp"
#include "workers/worker_queue.hpp"

namespace somnus {

struct NodeFault {
  Time at;
  NodeId node;
  NodeNews news = NodeNews::lost;
};

struct NodeModel {
  bool jvm_reuse = false;
  double cold_factor = 1;  // of a cold task whose job says nothing; with jvm_reuse
  bool heartbeats = false;
  bool ends_wait = false;  // for the next heartbeat, to be reported
  bool random_phase = true;
  Duration heartbeat_interval = seconds(3);
  Duration heartbeat_delay{};  // added to the network's
  Delay network;               // each way
  double task_failure_probability = 0;
  std::vector<NodeFault> faults;    // in order of time
  std::optional<QueueRules> queue;  // of each node; none: a launch must find a free slot
  bool external_sleep = false;      // someone else sleeps for the tasks and calls woke()
  std::uint64_t seed = 1;
};

class NodeSet {
 public:
  /// Nodes [first, first + count) of the cluster.
  NodeSet(const Cluster& cluster, NodeId first, std::uint32_t count, const NodeModel& model);

  /// It leaves the scheduler when it says so, now or later.
  template <CommandMessage Command>
  void send(Time now, const Command& command);
  /// Where a job stands, known here at once; a node looks at it when it would hear of it.
  void tell(const JobNews& news);
  /// When something happens by itself; never if nothing does.
  [[nodiscard]] Time next() const;
  /// Does all that is due and appends the reports that reach the scheduler.
  void advance(Time now, Reports& out);

  /// Sleeps to be slept by others since the last call (external_sleep); `slot` names it to woke().
  struct Sleep {
    std::uint32_t slot;
    Time until;
  };
  [[nodiscard]] std::span<const Sleep> sleeps() const { return sleeps_; }
  void forget_sleeps() { sleeps_.clear(); }
  void woke(Time now, std::uint32_t slot);

  [[nodiscard]] std::uint32_t node_count() const {
    return static_cast<std::uint32_t>(nodes_.size());
  }
  [[nodiscard]] std::uint32_t slot_count() const {
    return static_cast<std::uint32_t>(slots_.size());
  }
  [[nodiscard]] std::uint32_t busy_slots() const { return busy_; }
  /// How late, in emulated time, sleeps ended.
  [[nodiscard]] const Histogram& lateness() const { return lateness_; }
  /// How late, in emulated time, all was done that was due here: launches, ends, heartbeats.
  [[nodiscard]] const Histogram& behind() const { return behind_; }

 private:
  struct Slot {
    LaunchMessage task;
    Time queued;
    Time started;
    Time deadline;
    Duration intended{};
    AppId last_app;
    std::uint32_t node = 0;  // local
    bool busy = false;
    bool warm = false;
    bool fails = false;
  };
  /// Free, but kept for a task of that stage.
  struct HeldSlot {
    StageId stage;
    std::uint32_t slot;
  };
  struct Node {
    std::uint32_t first_slot = 0;
    std::uint32_t free = 0;  // that many at the front of its part of free_slots_
    double slowdown = 1;
    bool up = true;
    Time spoke = never;                   // when it last said something
    Duration way{};                       // from there to the scheduler, for what it said then
    Time heard;                           // when the scheduler has heard all of it
    std::vector<CompletionMessage> held;  // until its next heartbeat
    std::vector<HeldSlot> reserved;
  };
  struct Beat {
    Time due;
    std::uint32_t node;
  };

  void arrive(Time now, const LaunchMessage& message);
  void arrive(Time now, const AskMessage& message);
  void arrive(Time now, const RevokeMessage& message);
  void start(Time now, const LaunchMessage& message, Time queued);
  void start_queued(Time now, std::uint32_t node);
  void hold(Time now, std::uint32_t node, StageId stage);
  /// Whether a slot was held for it, which is free now.
  bool release(Node& node, StageId stage);
  void give_back(Node& node, std::uint32_t slot) {
    free_slots_[node.first_slot + node.free++] = slot;
  }
  void never_started(Time now, const LaunchMessage& message, Time queued, Outcome outcome);
  void lose_queue(Time now, std::uint32_t node);
  [[nodiscard]] std::vector<Duration> left_of_running(Time now, std::uint32_t node) const;
  [[nodiscard]] std::uint32_t slots_of(std::uint32_t node) const;
  [[nodiscard]] std::uint32_t take_slot(Node& node, AppId app);
  void end(Time now, std::uint32_t slot, Outcome outcome);
  void beat(Time now, std::uint32_t node);
  void lose(Time now, std::uint32_t node);
  void restore(Time now, std::uint32_t node);
  void report(Time now, std::uint32_t node, const CompletionMessage& completion);
  void answer(Time now, std::uint32_t node, StageId stage, Reply reply);
  [[nodiscard]] Duration draw_way(std::uint32_t node);
  /// When the scheduler hears what the node says now. All of one instant goes one way together, and
  /// nothing overtakes what the node said before.
  [[nodiscard]] Time heard(Time now, std::uint32_t node, Duration extra);
  template <ReportMessage Report>
  void say(Time now, Report report, Duration extra = {});
  [[nodiscard]] NodeId id_of(std::uint32_t node) const { return NodeId(first_.value() + node); }

  NodeModel model_;
  NodeId first_;
  std::vector<Node> nodes_;
  std::vector<WorkerQueue> queues_;        // by node, where nodes have queues
  std::vector<JobNews> jobs_;              // by JobId, likewise
  std::vector<Slot> slots_;                // a node's adjacent
  std::vector<std::uint32_t> free_slots_;  // parallel to slots_, a stack for each node
  IndexedHeap<Time> deadlines_;            // by slot
  DelayLines<CommandMessages> arriving_;
  DelayLines<ReportMessages> leaving_;
  std::deque<Beat> beats_;  // all have one interval, so they stay in order
  std::size_t next_fault_ = 0;
  Reports ready_;  // reach the scheduler at once
  std::vector<Sleep> sleeps_;
  std::vector<RandomStream> ways_;  // by node, where ways differ
  Histogram lateness_;
  Histogram behind_;
  std::uint32_t busy_ = 0;
};

template <CommandMessage Command>
void NodeSet::send(Time now, const Command& command) {
  if (model_.network.none() && command.sent <= now) {
    behind_.add(now - command.sent);
    arrive(now, command);
    return;
  }
  arriving_.put(command.sent + draw_way(command.node.value() - first_.value()), command);
}

}  // namespace somnus
