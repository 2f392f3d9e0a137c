// All nodes in this process, as in loopback.hpp, but divided over workers that are late, before a
// rank 0 that is: what a run on a machine would be, if the machine were nothing but late
// (runtime/lateness.hpp). Of workers that are never late it is the same as Loopback.
#pragma once

#include <vector>

#include "base/lateness.hpp"
#include "model/cluster.hpp"
#include "transport/node_message_check.hpp"
#include "workers/delay_line.hpp"
#include "workers/node_set.hpp"

namespace somnus {

/// The transport. Where jobs stand nodes know at once.
class LateLoopback {
 public:
  LateLoopback(const Cluster& cluster, const NodeModel& model, const LateRanks& late);

  template <CommandMessage Command>
  void send(Time now, const Command& command) {
    Worker& to = workers_[worker_of_[command.node.index()]];
    to.inbox.put(now, command);
    plan(to);
  }
  void announce(const JobUpdate& update) {
    for (Worker& worker : workers_) worker.nodes.announce(update);
  }
  void flush() {}
  void receive(Time now, Reports& reports);
  /// The next look of a worker; a report may come of it, or none.
  [[nodiscard]] Time next() const;

  /// The workers look, until that time, or until one has something to report: returns when rank 0,
  /// which would wake up then, or at the report, really does.
  Time wait(Time until);

 private:
  struct Worker {
    NodeSet nodes;
    Lateness lateness;
    RandomStream stream;
    DelayLines<CommandMessages> inbox{};  // by when they were sent
    Time due = never;                     // what it will look after
    Time looks = never;

    [[nodiscard]] Time first_due() const { return std::min(inbox.next(), nodes.next()); }
  };
  static void plan(Worker& worker);
  void look(Worker& worker);
  /// All looks up to then.
  void go_on(Time until);
  [[nodiscard]] Time first_report() const;

  std::vector<Worker> workers_;
  std::vector<std::uint32_t> worker_of_;  // by node
  Lateness lateness_;                     // rank 0's
  RandomStream stream_;
  Reports reports_;  // that rank 0 has not seen yet
};

/// The virtual clock of a late rank 0: it wakes up later than it should.
class LateClock {
 public:
  static constexpr bool foresees = true;

  [[nodiscard]] Time now() const { return now_; }
  Time wait(Time until, LateLoopback& nodes) {
    SOMNUS_CHECK(until != never, "the virtual clock would wait for ever");
    return now_ = nodes.wait(std::max(until, now_));
  }

 private:
  Time now_;
};

}  // namespace somnus
