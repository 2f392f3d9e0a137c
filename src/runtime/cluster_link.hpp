// Rank 0's transport in real time: it sends commands in batches, one a kind and rank, receives
// reports and checks them before they are used, and compares clocks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/cluster.hpp"
#include "model/message.hpp"
#include "runtime/membership.hpp"
#include "runtime/subscribers.hpp"
#include "transport/backoff.hpp"
#include "transport/clock_sync.hpp"
#include "transport/node_message_check.hpp"
#include "transport/packets.hpp"
#include "transport/scaled_clock.hpp"

namespace somnus {

/// What is known of a worker rank.
struct WorkerFacts {
  WorkerReady ready;
  bool is_ready = false;
  ClockSync sync;
  std::int64_t offset_at_start = 0;  // ns
  std::int64_t uncertainty = 0;      // of the offset, ns; the most since the start
  std::vector<LatenessCount> looks;  // how late they were
  WorkerTotals totals;
  bool sent_totals = false;
  int pings_left = 0;  // until its clock has been compared
};

class ClusterLink {
 public:
  struct Options {
    bool spin = false;
    RealDuration poll{std::chrono::microseconds(100)};
  };

  /// The membership has been gathered; it must outlive the link.
  ClusterLink(Membership& membership, const Cluster& cluster, const Catalogue& catalogue,
              Options options);

  /// Sends the settings to all workers, waits until they have built their nodes, compares clocks.
  /// Throws WorldError naming the rank that failed or did not answer.
  void meet(std::string_view settings);
  /// Starts the emulation everywhere, a moment from now: at time 0, or where it goes on.
  ScaledClock start(double speed, Time from = start_of_time);
  /// Stops all workers and collects their totals, for at most that long. Returns the ranks that
  /// did not answer.
  std::vector<int> stop(RealDuration timeout);

  // The transport.
  template <CommandMessage Command>
  void send(Time, const Command& command) {
    const int rank = check_.rank_of(command.node);
    Outgoing& outgoing = to(rank);
    if constexpr (requires { command.job; }) {
      if (const JobUpdate* update = subscribers_.subscribe(rank, command.job))
        outgoing.put(*update);
    }
    outgoing.put(command);
    if (outgoing.template get<Command>().size() == enough_to_leave) post(rank);
  }
  void announce(const JobUpdate& update);
  void flush();
  void receive(Time now, Reports& reports);
  [[nodiscard]] static Time next() { return never; }
  /// Returns at `deadline`, or as soon as something has come. Throws WorldError for a lost rank.
  void wait(RealTime deadline);

  [[nodiscard]] const std::vector<WorkerFacts>& workers() const { return workers_; }

 private:
  /// To one worker, in this order.
  using Outgoing = Batches<Joined<TypeList<JobUpdate>, CommandMessages>>;
  /// So many do not wait for the next flush(): the worker is to have something to do meanwhile.
  static constexpr std::size_t enough_to_leave = 512;

  bool poll();  // takes one packet, if any has come
  /// As many as have come, within reason; whether any had.
  bool poll_all();
  /// What leaves for the rank at the next flush() or before.
  [[nodiscard]] Outgoing& to(int rank);
  void post(int rank);
  void ping(int rank);
  /// Begins to compare the clock of the next rank, if there is one.
  void compare_next();
  /// Whether the totals of all ranks that can send them are here.
  [[nodiscard]] bool all_have_left() const;
  void on(int from, std::span<const WorkerReady> ready);
  void on(int from, std::span<const Pong> pong);
  template <NodeMessage Report>
  void on(int from, std::span<const Report> reports);
  void on(int from, std::span<const LatenessCount> looks);
  void on(int from, std::span<const WorkerTotals> totals);
  void on(int, const HostName&) {}
  void on(int, const Failure&) {}  // the membership has thrown
  [[nodiscard]] WorkerFacts& worker(int rank) {
    return workers_[static_cast<std::size_t>(rank) - 1];
  }
  /// How far stamps of a worker, whose clock has drifted since the start, are ahead.
  [[nodiscard]] Duration ahead(int rank) const;
  /// Throws WorldError, which names the rank.
  [[noreturn]] void refuse(int rank, const std::string& what) const;

  Membership& membership_;
  Options options_;
  Backoff backoff_;
  double speed_ = 1;
  std::uint32_t jobs_;
  std::uint32_t tasks_;
  NodeMessageCheck check_;
  std::vector<WorkerFacts> workers_;  // rank 1 first
  std::vector<Outgoing> outgoing_;    // by worker
  std::vector<int> posted_to_;        // since the last flush(), one maybe several times
  Subscribers subscribers_;
  int ready_ = 0;      // workers that have built their nodes
  int comparing_ = 0;  // workers whose clock we have begun to compare
  int compared_ = 0;   // and have
  Reports arrived_;
  Bytes packet_;
  RealTime next_look_;
};

/// ScaledClock for the loop: waits on a ClusterLink.
class LinkedClock {
 public:
  static constexpr bool foresees = false;

  explicit LinkedClock(ScaledClock clock) : clock_(clock) {}
  [[nodiscard]] Time now() const { return clock_.now(); }
  Time wait(Time until, ClusterLink& link) const {
    link.wait(clock_.real(until));
    return clock_.now();
  }

 private:
  ScaledClock clock_;
};

}  // namespace somnus
