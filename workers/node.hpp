// One emulated node, composed of its slots, its queue, the slots that it holds for reservations and
// its uplink. What it does beyond itself goes through the host of its set.
//
// * A task starts as soon as its launch arrives, on a free slot of the node's choice. If no slot is
//   free it waits in the node's queue, where nodes have one, and starts when its turn comes.
// * A reservation takes a place in that queue. When its turn comes the node holds a slot and says
//   so; then a launch comes for the slot, or word that there is nothing left to launch.
// * An end is reported at once or with the node's next heartbeat. Heartbeats also say what runs
//   and waits, and how long one more task would wait; at them the node learns where the jobs of
//   its queued tasks stand.
// * A node that is lost reports it, or says nothing (NodeModel::silent). One that said nothing has
//   to be given a new incarnation by rank 0 when it is back, or when it had only been out of
//   reach: until then it is sent nothing else, and what it says of the life before is not
//   accepted. What became of the attempts that were lost with it is still reported, for the log
//   alone.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "base/fetch.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/message.hpp"
#include "queueing/worker_queue.hpp"
#include "workers/node_faults.hpp"
#include "workers/node_host.hpp"
#include "workers/node_model.hpp"
#include "workers/node_uplink.hpp"
#include "workers/reservations.hpp"
#include "workers/slots.hpp"
#include "workers/waiting_launches.hpp"

namespace somnus {

class alignas(64) Node {
 public:
  Node(NodeId id, Slots slots, const NodeModel& model)
      : id_(id), slots_(std::move(slots)), uplink_(model, id) {
    if (model.make_queue != nullptr) queue_ = model.make_queue(model.queue);
  }

  /// A task of it is about to end.
  [[gnu::always_inline]] void fetch() const {
    somnus::fetch(this);
    somnus::fetch(&uplink_);
  }

  // A command has come.
  void arrive(Time now, const ResetMessage& reset, NodeHost& host);
  void arrive(Time now, const LaunchMessage& launch, NodeHost& host);
  void arrive(Time now, const KillMessage& kill, NodeHost& host);
  void arrive(Time now, const AskMessage& ask, NodeHost& host);
  void arrive(Time now, const RevokeMessage& revoke, NodeHost& host);

  /// How long the next command takes to come.
  [[nodiscard]] Duration way(const Delay& network) { return uplink_.way(network); }
  /// The sleep of that slot of its is over, which ended then.
  void wake(Time now, Slot& slot, Time deadline, NodeHost& host);
  void beat(Time now, NodeHost& host);
  void lose(Time now, NodeHost& host);
  void restore(Time now, NodeHost& host);
  // Before a run is resumed, while it has nothing to do and nothing to report.
  /// A fault that occurred before the run was resumed.
  void apply(const NodeFault& fault);
  /// A heartbeat would have been due then.
  void passed(Time beat, const FaultModel& fault_model);

  /// Nothing comes to it or from it until then.
  void cut_off(Time until) { uplink_.cut_off(until); }
  [[nodiscard]] Time reachable() const { return uplink_.reachable(); }

 private:
  /// Whether a command is meant for the life that it leads.
  [[nodiscard]] bool accepts(Incarnation incarnation) const {
    return up_ && known_ && incarnation == incarnation_;
  }
  /// A launch that may not start at once, or not at all.
  [[gnu::noinline]] void arrive_among_others(Time now, const LaunchMessage& launch, NodeHost& host);
  void stop_all(Time now, NodeHost& host);
  inline void start(Time now, const LaunchMessage& task, Time queued, NodeHost& host);
  void start_queued(Time now, NodeHost& host);
  void hold(Time now, StageId stage, NodeHost& host);
  /// Whether a slot was held for it, which is free now.
  bool release(StageId stage);
  void lose_queue(Time now, NodeHost& host);
  [[nodiscard]] std::vector<Duration> left_by_slot(Time now) const;

  /// At once, or with the next heartbeat.
  void report_end(Time now, CompletionMessage&& over, NodeHost& host);
  [[nodiscard]] CompletionMessage end(Time now, Slot& slot, Outcome outcome);
  void never_started(Time now, const LaunchMessage& task, Time queued, Outcome outcome,
                     NodeHost& host);
  void answer(Time now, StageId stage, Reply reply, NodeHost& host);
  template <class Report>
    requires NodeMessage<std::remove_cvref_t<Report>>
  void say(Time now, Report&& report, NodeHost& host, Duration extra = {});

  using Attempt = std::pair<TaskId, std::uint16_t>;

  // What each launch and end looks at comes first, in two cache lines.
  NodeId id_;
  bool up_ = true;
  bool known_ = true;  // rank 0 has given it its life
  Incarnation incarnation_ = 0;
  std::unique_ptr<WorkerQueue> queue_;         // none: a launch must find a free slot
  std::unique_ptr<std::set<Attempt>> killed_;  // attempts that had not come; none: there are none
  Slots slots_;
  NodeUplink uplink_;
  WaitingLaunches waiting_;  // of tasks in the queue
  Reservations reservations_;
};

}  // namespace somnus
